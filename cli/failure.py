"""How a command fails: with a message on standard error and an exit status, never with a traceback."""

from __future__ import annotations

NO_WINNER, BAD_INPUT, CANNOT_WRITE, INTERRUPTED = 1, 2, 74, 130
"""Exit statuses; 0 is all well. 74 is EX_IOERR of sysexits.h, 130 is what shells have for SIGINT."""

STATUSES = """\b
Exit status:
  0    all is well
  1    a game had no winner, or a check failed
  2    bad input or usage
  74   output could not be written
  130  interrupted, by Ctrl-C or SIGTERM"""
"""What the help says of them."""


class BadInput(Exception):
    """The user's input or options are wrong; the message is all that is printed."""


class CannotWrite(Exception):
    """Output could not be written; the message is all that is printed."""


class PipeClosed(CannotWrite):
    """Nobody reads standard output any more, as in `maumau deal ... | head -1`: the command ends silently."""


class Interrupted(Exception):
    """A command was interrupted, by Ctrl-C or SIGTERM."""
