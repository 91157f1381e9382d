"""How a command fails: with a message on standard error and an exit status, never with a traceback."""

from __future__ import annotations

NO_WINNER, BAD_INPUT, INTERRUPTED = 1, 2, 130
"""Exit statuses; 0 is all well."""


class BadInput(Exception):
    """The user's input or options are wrong; the message is all that is printed."""
