"""What commands that use compiled code have in common."""

from __future__ import annotations

import sys

from cli.failure import BadInput


def check_bulk() -> None:
    """Raise BadInput, which tells what to install, if compiled code cannot be had."""
    from fsm.kernel import BulkMissing, require_numba

    try:
        require_numba()
    except BulkMissing as error:
        raise BadInput(str(error)) from None


def say(what: str) -> None:
    """Tell on standard error what takes so long."""
    print(f"maumau: {what} ...", file=sys.stderr)
