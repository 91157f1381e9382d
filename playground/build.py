"""Build the playground, a folder that any static host serves: python playground/build.py [-o FOLDER].

It needs node, npm, and llvmlite, which compiles the kernels. Nothing in the folder is loaded from elsewhere: Python is
Pyodide's npm package, with the pure packages of this project and of those that it depends on in one archive.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib.metadata import files
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "python"), str(HERE.parent / "docs" / "course")]

from ahead import Text, games, write_kernels  # noqa: E402
from levels import LEVELS  # noqa: E402
from texts import FILES, text_of  # noqa: E402

import fsm  # noqa: E402
from fsm.edge.extras import MissingExtra  # noqa: E402

ROOT, HOME = HERE.parent, Path(fsm.__file__).parents[1]
"""The folder of this source, and that of the packages, which may be installed."""
PACKAGES = ("rules", "fsm", "render", "maumau")
LEFT_OUT = ("maumau/cli/", "maumau/play/", "maumau/study/")
"""The commands, the server and studies, for which a page has no use."""
DEPENDENCIES = ("transitions", "six", "graphviz")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
LIBRARY = "python_stdlib.zip"
SUFFIXES = (".py", ".css", ".js", ".html", ".ll")
EXAMPLES = {
    "turnstile": "A turnstile",
    "traffic-light": "A traffic light",
    "follow-suit": "A small game",
    "nine-reverses": "Mau-Mau with a house rule",
    "tens-skip": "Mau-Mau in which tens skip",
    "crazy-eights": "Crazy Eights",
}
"""The titles of the examples, by the name of their text."""


def content() -> dict[str, list[Text]]:
    """The examples, the games and the levels, as the page reads them."""
    examples = [{"name": name, "title": title, "source": text_of(name)} for name, title in EXAMPLES.items()]
    levels = [
        {"name": level.name, "title": level.title, "text": level.text, "source": level.source}
        for level in LEVELS.values()
    ]
    return {"examples": examples, "games": list(games()), "levels": levels}


def sources() -> Iterator[tuple[str, Path]]:
    """The files of the archive of Python packages, each with its name in it."""
    for package in PACKAGES:
        for file in sorted((HOME / package).rglob("*")):
            name = file.relative_to(HOME).as_posix()
            if file.suffix in SUFFIXES and not name.startswith(LEFT_OUT):
                yield name, file
    for name in DEPENDENCIES:
        for entry in files(name) or ():
            if entry.suffix == ".py" and ".." not in entry.parts:
                yield entry.as_posix(), Path(str(entry.locate()))
    for file in sorted((HERE / "python").glob("*.py")):
        yield file.name, file
    for folder in ("course", "howto"):  # what sessions of the documentation import
        for file in sorted((ROOT / "docs" / folder).glob("*.py")):
            yield file.name, file
    for name, path in FILES.items():
        yield f"texts/{name}.py", ROOT / path


def archive(target: Path, kernels: dict[str, str]) -> None:
    """Write the Python packages into one archive, the same for the same files, with the names of the kernels."""
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as packed:
        for name, file in sources():
            packed.writestr(ZipInfo(name), file.read_bytes(), ZIP_DEFLATED)
        packed.writestr(ZipInfo("texts/kernels.json"), json.dumps(kernels), ZIP_DEFLATED)


def npm(*arguments: str) -> None:
    """Run npm in this folder. Raises SystemExit where it is missing or fails."""
    program = shutil.which("npm")
    if program is None:
        raise SystemExit("the playground needs node and npm: install nodejs and npm")
    done = subprocess.run([program, *arguments], cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"npm {' '.join(arguments)} failed:\n{done.stderr.strip()}")


def build(target: Path) -> None:
    """Write the playground into a folder, which is replaced."""
    npm("ci", "--no-audit", "--no-fund")
    shutil.rmtree(target, ignore_errors=True)
    (target / "pyodide").mkdir(parents=True)
    entries = [str(HERE / "src" / name) for name in ("main.js", "worker.js")]
    options = ["--bundle", "--format=esm", "--minify", "--target=es2022", "--external:*/pyodide.mjs"]
    npm("exec", "--", "esbuild", *entries, *options, f"--outdir={target}")
    for name in ("index.html", "main.css"):
        shutil.copyfile(HERE / "src" / name, target / name)
    for name in PYODIDE:
        shutil.copyfile(HERE / "node_modules" / "pyodide" / name, target / "pyodide" / name)
    texts = content()
    (target / "kernels").mkdir()
    packages = target / "packages.zip"
    archive(packages, write_kernels(target / "kernels", [*texts["games"], *texts["examples"]]))
    compiled = map(str, (packages, target / "packages.tar.gz", target / "pyodide" / LIBRARY))
    npm("exec", "--", "node", str(HERE / "compile.mjs"), *compiled)
    packages.unlink()
    (target / "content.json").write_text(json.dumps(texts), encoding="utf-8")
    _offline(target)


def _offline(target: Path) -> None:
    """Write the service worker, with the names of all files and a version that is their hash."""
    names = sorted(file.relative_to(target).as_posix() for file in target.rglob("*") if file.is_file())
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + (target / name).read_bytes())
    script = (HERE / "src" / "offline.js").read_text(encoding="utf-8")
    script = script.replace("self.__FILES", json.dumps(["./", *names]))
    script = script.replace("self.__VERSION", json.dumps(f"maumau-{digest.hexdigest()[:16]}"))
    (target / "offline.js").write_text(script, encoding="utf-8")


def main() -> None:
    """Read the command line, and build."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs" / "_build" / "playground", metavar="FOLDER")
    target = parser.parse_args().output
    try:
        build(target)
    except MissingExtra as missing:
        raise SystemExit(f"the playground needs its kernels: {missing}") from None
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    print(f"{target}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
