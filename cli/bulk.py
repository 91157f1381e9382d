"""What commands that use compiled code have in common."""

from __future__ import annotations

import sys
import warnings

from cli.failure import BadInput


def check_bulk() -> None:
    """Make ready for compiled code. Raises BadInput, which says what to install, if it cannot be had."""
    from fsm.compiler.kernel import BulkMissing, require_numba

    try:
        require_numba()
    except BulkMissing as error:
        raise BadInput(str(error)) from None
    warnings.formatwarning = _one_line


def _one_line(message: Warning | str, *where: object, **more: object) -> str:
    """A warning as a command tells it: without the place in the code."""
    return f"maumau: {message}\n"


def notify(what: str) -> None:
    """Tell on standard error what takes so long."""
    print(f"maumau: {what} ...", file=sys.stderr)
