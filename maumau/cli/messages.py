"""Messages on standard error."""

from __future__ import annotations

import sys


def notify(message: str) -> None:
    """Report a slow step."""
    print_message(f"{message} ...")


def print_message(message: str) -> None:
    """Print a message."""
    print(f"maumau: {message}", file=sys.stderr)
