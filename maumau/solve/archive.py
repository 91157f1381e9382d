"""Arrays in one file, in NumPy's format npz, beside a text that says what they are of."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from fsm.edge.numbers import Array


def packed(identity: str, arrays: Mapping[str, Array], *, compressed: bool = False) -> bytes:
    """The content of a file. identity: the text. compressed: whether it is to be small."""
    content, named = BytesIO(), dict[str, Any](arrays)
    save = np.savez_compressed if compressed else np.savez
    save(content, allow_pickle=False, identity=np.array(identity), **named)
    return content.getvalue()


def unpacked(source: Path | BytesIO) -> tuple[str, dict[str, Array]]:
    """The text and the arrays of a file. Raises OSError, or ValueError for one that is damaged or of another kind."""
    try:
        with np.load(source, allow_pickle=False) as content:
            arrays = dict(content)
        return str(arrays.pop("identity")), arrays
    except OSError:
        raise
    except Exception:  # zipfile, zlib and NumPy raise as many kinds of errors as there are kinds of damage
        raise ValueError("it is damaged, or of another kind") from None
