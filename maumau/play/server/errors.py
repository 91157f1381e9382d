"""What a request may be refused for: each with the status of the answer and a message for a person."""

from __future__ import annotations


class Refused(Exception):
    """A request that is answered with an error; the answer holds nothing but the message."""

    status = 400


class Forbidden(Refused):
    """The client may not do this now, or never."""

    status = 403


class Unknown(Refused):
    """There is no such game or table, or no longer."""

    status = 404


class Outdated(Refused):
    """The game has gone on since the client has seen it."""

    status = 409


class TooLarge(Refused):
    """The body of a request is larger than any valid request."""

    status = 413


class Illegal(Refused):
    """The rules refuse an event."""

    status = 422


class TooMany(Refused):
    """The client asks for more in a short time than people do."""

    status = 429


class Unstored(Refused):
    """What was asked for cannot be stored."""

    status = 503


class Full(Refused):
    """There is no room for another game or table."""

    status = 503
