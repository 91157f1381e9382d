"""Missing packages of an extra, and the message that names what to install."""

from __future__ import annotations

from importlib.util import find_spec


def install_command(extra: str) -> str:
    """The command that installs an extra. The package is on no index, so it is installed from a clone."""
    return f"pip install -e '.[{extra}]' in a clone of the repository"


def missing_packages(what: str, extra: str, *packages: str) -> str | None:
    """The message for the `packages` that cannot be imported, or None if all can.

    what: what needs them (`the compiled engine`). extra: the extra of setup.cfg that holds them.
    """
    missing = [name for name in packages if find_spec(name) is None]
    return f"{what} needs {' and '.join(missing)}: {install_command(extra)}" if missing else None
