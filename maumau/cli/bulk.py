"""Set-up for compiled code, which any command may run."""

from __future__ import annotations

import sys
import warnings

from maumau.cli.failure import BadInput
from maumau.cli.interrupt import interrupt_machine_code


def prepare_compiled_code() -> None:
    """Let Ctrl-C and SIGTERM end machine code, and print warnings in one line. Nothing of the compiler is imported."""
    warnings.formatwarning = _one_line
    interrupt_machine_code()


def check_bulk() -> None:
    """Raise BadInput, which names what to install, unless llvmlite is installed."""
    from maumau.kernels.compiler.machine_code import BulkMissing, require_compiler

    try:
        require_compiler()
    except BulkMissing as error:
        raise BadInput(str(error)) from None


def _one_line(message: Warning | str, *where: object, **more: object) -> str:
    """A warning in one line, without the place in the code."""
    return f"maumau: {' '.join(str(message).split())}\n"


def notify(message: str) -> None:
    """Report a slow step on standard error."""
    print(f"maumau: {message} ...", file=sys.stderr)
