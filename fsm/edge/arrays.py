"""Arrays of numbers: NumPy is imported when it is first used, and need not be installed to import what uses it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["Array", "np"]

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        def __getattr__(self, name: str) -> Any:
            found = vars(self)[name] = getattr(import_module("numpy"), name)
            return found

    np = _Numpy()

Array: TypeAlias = "np.ndarray[Any, Any]"
