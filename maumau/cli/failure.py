"""Failures of a command: a message on standard error and an exit status, never a traceback."""

from __future__ import annotations

NO_WINNER, BAD_INPUT, CANNOT_WRITE, INTERRUPTED = 1, 2, 74, 130
"""Exit statuses; 0 is success. 74 is EX_IOERR of sysexits.h, 130 is the status of shells for SIGINT."""

STATUSES = """\b
Exit status:
  0    success
  1    a game had no winner, or a check failed
  2    bad input or usage
  74   output could not be written
  130  interrupted by Ctrl-C or SIGTERM, which end serve with status 0"""
"""The exit statuses in the help."""


class BadInput(Exception):
    """The input or the options are wrong; only the message is printed."""


class CannotWrite(Exception):
    """Output could not be written; only the message is printed."""


class PipeClosed(CannotWrite):
    """The reader of standard output is gone, as in `maumau deal ... | head -1`: the command ends silently."""


class Interrupted(Exception):
    """A command was interrupted by Ctrl-C or SIGTERM."""


def one_line(text: str) -> str:
    """The text with line breaks, other control characters, and bytes that are no text escaped."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def printable_lines(text: str) -> str:
    """The lines of a message, in which control characters are escaped, as names of files may have them."""
    return "\n".join(map(one_line, text.split("\n")))
