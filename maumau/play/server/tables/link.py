"""How people get into a room: its address and the QR code of it, and codes that bring a person to another device."""

from __future__ import annotations

import time
from collections.abc import Container, Sequence
from contextlib import suppress
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from maumau.play.server.guard import LOOPBACK, BadRequest
from maumau.play.table.names import fresh_code, plain_code

LOOPBACK_HOSTS = LOOPBACK, "localhost", "::1"
MOVING = 600.0
"""Seconds for which a code moves a person to another device."""
MOVING_LETTERS = 6


def link_of(request: Request, code: str, origins: Sequence[str] = ()) -> str:
    """The address of a room. origins: of the server, beside the loopback one, which leads nobody else here."""
    host = request.headers.get("host", "").lower()
    origin = next((each for each in origins if each.partition("://")[2] == host), None)
    return f"{origin or next(iter(origins), f'http://{host}')}/room/{code}"


def is_only_here(address: str) -> bool:
    """Return whether an address is one of this machine that leads nobody here from another one."""
    return urlsplit(address).hostname in LOOPBACK_HOSTS


def qr_code(address: str) -> dict[str, Any] | None:
    """The modules of a QR code as the path of a drawing, and how many are in a row; None without segno, and for an
    address of this machine only.
    """
    if is_only_here(address):
        return None
    with suppress(ImportError):
        import segno

        made = segno.make(address, error="m", micro=False)
        dark = [
            f"M{column} {row}h1v1h-1z"
            for row, line in enumerate(made.matrix)
            for column, is_dark in enumerate(line)
            if is_dark
        ]
        return {"size": len(made.matrix), "path": "".join(dark)}
    return None


def printed_qr_code(address: str) -> str:
    """A QR code for a terminal; nothing without segno, and for an address of this machine only."""
    text = StringIO()
    if is_only_here(address):
        return ""
    with suppress(ImportError):
        import segno

        segno.make(address, error="m", micro=False).terminal(text, compact=True, border=2)
    return text.getvalue()


class Moving:
    """Codes that bring people to other devices, each once and soon."""

    def __init__(self) -> None:
        self._codes: dict[str, tuple[str, float]] = {}

    def code(self, token: str) -> str:
        """A code for a person, instead of the one before."""
        code, now = fresh_code(MOVING_LETTERS), time.monotonic()
        others = {other: each for other, each in self._codes.items() if each[0] != token and each[1] > now}
        self._codes = others | {code: (token, now + MOVING)}
        return code

    def token(self, code: str, members: Container[str]) -> str:
        """The token of who is moved by a code. members: the tokens of those who are still there. Raises BadRequest."""
        token, end = self._codes.pop(plain_code(code), ("", 0.0))
        if end < time.monotonic() or token not in members:
            raise BadRequest(
                "unknown code; enter the one that the other device shows, which works once, for ten minutes"
            )
        return token
