"""Errors that more than one room raises or reports."""

from __future__ import annotations


class CompilationError(ValueError):
    """A function cannot be compiled; the message names what is not known to the compiler.

    place: the file and the line, `rules.py:12`; empty where it is not known.
    """

    def __init__(self, what: str = "", place: str = "") -> None:
        """what: in words. place: as above."""
        super().__init__(f"{place}: {what}" if place else what)
        self.place = place


class Stopped(RuntimeError):
    """Games were not played to their end because the caller's event to stop was set."""


class CompilationWarning(UserWarning):
    """A function of a declaration cannot be compiled, so that the game can only be stepped."""
