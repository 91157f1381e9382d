"""Text for libraries that take UTF-8 only."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text, with the bytes of a file name in another encoding escaped: `\\udcff`."""
    return text.encode(errors="backslashreplace").decode()
