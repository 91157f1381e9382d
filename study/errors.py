"""What can go wrong in a study; the messages are for its user."""

from __future__ import annotations

from importlib.util import find_spec


class StudyError(RuntimeError):
    """A study cannot be made, or cannot go on; the message says why and what to do."""


def require(extra: str, what: str, *packages: str) -> None:
    """Raise StudyError, which tells what to install, unless all `packages` are there."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise StudyError(f"{what} needs {' and '.join(missing)}, install with: pip install 'maumau[{extra}]'")
