"""The address of a room for others, and its QR code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from typing import Any

from starlette.requests import Request


def link_of(request: Request, code: str, origins: Sequence[str] = ()) -> str:
    """The address of a room. origins: of the server, beside the loopback one, which leads nobody else here."""
    host = request.headers.get("host", "").lower()
    origin = next((each for each in origins if each.partition("://")[2] == host), None)
    return f"{origin or next(iter(origins), f'http://{host}')}/room/{code}"


def qr_code(address: str) -> dict[str, Any] | None:
    """The modules of a QR code as the path of a drawing, and how many are in a row; None without segno."""
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
    """A QR code for a terminal; nothing without segno."""
    text = StringIO()
    with suppress(ImportError):
        import segno

        segno.make(address, error="m", micro=False).terminal(text, compact=True, border=2)
    return text.getvalue()
