"""Virtual environments that hold this distribution with some of its extras and nothing else.

What is installed around the tests is linked, so that one is made in a tenth of a second. `.ci/thorough` installs the
same from an index.
"""

from __future__ import annotations

import sys
import venv
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packages import HOME
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

NAME = "maumau"
SCRIPT = "#!{python}\nfrom maumau.__main__ import main\n\nif __name__ == '__main__':\n    main()\n"


def required(*extras: str) -> dict[str, Distribution]:
    """Return the installed distributions that ours requires, by name. Raises PackageNotFoundError."""
    found: dict[str, Distribution] = {}
    asked: list[tuple[str, tuple[str, ...]]] = [(NAME, extras)]
    done: set[tuple[str, tuple[str, ...]]] = set()
    while asked:
        name, wanted = entry = asked.pop()
        if entry in done:
            continue
        done.add(entry)
        dist = found[name] = distribution(name)
        for text in dist.requires or ():
            requirement = Requirement(text)
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                asked.append((canonicalize_name(requirement.name), tuple(sorted(requirement.extras))))
    return found


def lacking(*extras: str) -> str | None:
    """Return the name of a distribution that is not installed here, of those that extras require; None if all are."""
    try:
        required(*extras)
    except PackageNotFoundError as error:
        return str(error.name)
    return None


def make_environment(folder: Path, *extras: str) -> Path:
    """Make an environment with these extras in a folder that is not there. Returns the folder of its programs."""
    venv.EnvBuilder(symlinks=True).create(folder)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    (packages,) = folder.glob("lib/python*/site-packages")
    for dist in required(*extras).values():
        for name in {file.parts[0] for file in dist.files or ()} - {"..", "__pycache__"}:
            if not name.endswith(".pth"):
                (packages / name).symlink_to(Path(str(dist.locate_file(name))))
    for name in ("rules", "fsm", "render", NAME):
        if not (packages / name).exists():  # an editable install
            (packages / name).symlink_to(HOME / name)
    script = programs / NAME
    script.write_text(SCRIPT.format(python=programs / "python"))
    script.chmod(0o755)
    return programs
