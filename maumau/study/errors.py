"""The errors of a study; their messages are written for users."""

from __future__ import annotations

from fsm.edge.extras import missing_packages
from rules.errors import Explained, Unwritten


class StudyError(Explained, RuntimeError):
    """A study cannot be started or continued; the message gives the reason and the remedy."""


class SpecError(StudyError, ValueError):
    """The parameters of a study are out of range, or do not fit each other."""


class NotWritten(StudyError, Unwritten):
    """A file of a study could not be written."""


class NoStudy(StudyError):
    """A folder contains no study."""


class Damaged(StudyError):
    """A file of a study is not as it was written; its games can be played again."""


def require(extra: str, what: str, *packages: str) -> None:
    """Raise StudyError, which names the packages to install, unless all `packages` are installed."""
    if message := missing_packages(what, extra, *packages):
        raise StudyError(message)
