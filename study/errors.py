"""What can go wrong in a study; the messages are for its user."""

from __future__ import annotations

from fsm.extras import missing_packages


class StudyError(RuntimeError):
    """A study cannot be made, or cannot go on; the message says why and what to do."""


class NotWritten(StudyError):
    """A file of a study could not be written."""


class Damaged(StudyError):
    """A file of a study is not as it was written; the games that it held can be played again."""


def require(extra: str, what: str, *packages: str) -> None:
    """Raise StudyError, which tells what to install, unless all `packages` are there."""
    if message := missing_packages(what, extra, *packages):
        raise StudyError(message)
