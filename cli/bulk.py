"""What commands that use compiled code have in common."""

from __future__ import annotations

import sys
import warnings

from cli.failure import BadInput

MATRICES = "scipy.linalg"


def check_bulk() -> None:
    """Make ready for compiled code. Raises BadInput, which tells what to install, if it cannot be had."""
    from fsm.compiler.kernel import BulkMissing, require_numba

    try:
        require_numba()
    except BulkMissing as error:
        raise BadInput(str(error)) from None
    warnings.formatwarning = _one_line
    _import_numba()


def _one_line(message: Warning | str, *where: object, **more: object) -> str:
    """A warning as a command tells it: without the place in the code."""
    return f"maumau: {message}\n"


def _import_numba() -> None:
    """Import numba without scipy, which it imports where it finds it, for products of matrices that no kernel has.

    It takes a fifth of the start. Only a command may do so: in its process nobody else compiles anything.
    """
    if MATRICES in sys.modules:
        return
    sys.modules[MATRICES] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[MATRICES]


def notify(what: str) -> None:
    """Tell on standard error what takes so long."""
    print(f"maumau: {what} ...", file=sys.stderr)
