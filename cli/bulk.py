"""Set-up that commands with compiled code share."""

from __future__ import annotations

import sys
import warnings

from cli.failure import BadInput
from cli.interrupt import interrupt_machine_code


def check_bulk() -> None:
    """Prepare for compiled code. Raises BadInput, which names what to install, unless numba is installed."""
    from fsm.compiler.kernel import BulkMissing, require_numba

    try:
        require_numba()
    except BulkMissing as error:
        raise BadInput(str(error)) from None
    warnings.formatwarning = _one_line
    interrupt_machine_code()


def _one_line(message: Warning | str, *where: object, **more: object) -> str:
    """A warning in one line, without the place in the code."""
    return f"maumau: {message}\n"


def notify(message: str) -> None:
    """Report a slow step on standard error."""
    print(f"maumau: {message} ...", file=sys.stderr)
