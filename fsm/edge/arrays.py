"""Arrays of numbers: NumPy is imported when it is first used, and need not be installed to import what uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from fsm.edge.extras import Later

__all__ = ["Array", "np"]

if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")

Array: TypeAlias = "np.ndarray[Any, Any]"
