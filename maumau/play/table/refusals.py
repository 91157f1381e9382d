"""Why a table refuses what a seat sends; nothing has changed then."""

from __future__ import annotations


class Refused(ValueError):
    """A table refuses a request; the message says why and what was expected."""


class Stale(Refused):
    """The table has gone on since the seat has seen it."""


class NotAsked(Refused):
    """The seat is not asked for a move now."""
