"""Installed packages: which of an extra are missing, with what to install, and the versions of those that are there."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any


class Later:
    """A package that is imported when anything of it is first used, and need not be installed before.

    name: of the package.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = vars(self)[name] = getattr(import_module(self._name), name)
        return found


def install_command(extra: str) -> str:
    """The command that installs an extra. The package is on no index, so it is installed from a clone."""
    return f"pip install -e '.[{extra}]' in a clone of the repository"


def missing_packages(what: str, extra: str, *packages: str) -> str | None:
    """The message for the `packages` that cannot be imported, or None if all can.

    what: what needs them (`the compiled engine`). extra: the extra of setup.cfg that holds them.
    """
    missing = [name for name in packages if find_spec(name) is None]
    return f"{what} needs {' and '.join(missing)}: {install_command(extra)}" if missing else None


def require(error: Callable[[str], Exception], what: str, extra: str, *packages: str) -> None:
    """Raise `error` with this message unless all packages can be imported."""
    if message := missing_packages(what, extra, *packages):
        raise error(message)


def version_of(package: str) -> str:
    """The version of a package, which is not imported; empty if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
