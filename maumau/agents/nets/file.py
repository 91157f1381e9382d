"""The file format of nets: that of safetensors (https://github.com/huggingface/safetensors), text and plain numbers.

A file has the length of its header (8 bytes, little-endian), the header (JSON: the type, shape and place of each array,
and texts under `__metadata__`), and the numbers of the arrays. Nothing in it is executed. It is read here without the
library of that name, with limits for all sizes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, TypeGuard

from fsm.edge.arrays import Array, np
from fsm.edge.atomic import read_regular
from rules.notation import reason, shown

MAX_BYTES = 1 << 24
"""The length of a file, at most."""
MAX_HEADER = 1 << 16
"""The length of its header, at most."""
METADATA = "__metadata__"
TYPE, BYTES_EACH = "F16", 2
"""All arrays are 16-bit floating-point numbers."""
EXPECTED = "expected a file that maumau train has written"


class NetFileError(ValueError):
    """A file is no net, or is damaged; the message says where and what was expected."""


def encode(arrays: Mapping[str, Array], texts: Mapping[str, str]) -> bytes:
    """The content of a file with these arrays, rounded to 16 bits, and texts. Equal input gives equal bytes."""
    rounded = {name: np.asarray(array, "<f2") for name, array in arrays.items()}
    header: dict[str, Any] = {METADATA: dict(texts)}
    end = 0
    for name, array in rounded.items():
        start, end = end, end + array.nbytes
        header[name] = {"dtype": TYPE, "shape": list(array.shape), "data_offsets": [start, end]}
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(array.tobytes() for array in rounded.values())])


def decode(data: bytes) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays, as 32-bit numbers, and the texts of a file. Raises NetFileError."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 2 <= length <= min(MAX_HEADER, len(data) - 8):
        raise NetFileError(f"it does not begin with the length of a header, {EXPECTED}")
    try:
        header = json.loads(data[8 : 8 + length].decode("ascii"))
        texts = header.pop(METADATA, None)
    except (ValueError, RecursionError, AttributeError, TypeError):
        raise NetFileError(f"its header is no JSON object, {EXPECTED}") from None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise NetFileError(f"its header has no texts under {METADATA}")
    arrays, end = {}, 0
    for name, entry in header.items():
        array, end = _array(name, entry, data[8 + length :], end)
        arrays[name] = array
    if 8 + length + end != len(data):
        raise NetFileError(f"it has {len(data)} bytes, expected {8 + length + end}: it is cut off, or more follows")
    return arrays, texts


def read_bytes(file: str | Path) -> bytes:
    """The content of a file. Raises NetFileError if it cannot be read, is too long, or is a device or a pipe."""
    try:
        return read_regular(file, MAX_BYTES)
    except OSError as error:
        raise NetFileError(f"{reason(error)}, {EXPECTED}") from None
    except ValueError as error:  # a name with a null byte
        raise NetFileError(f"{error}, {EXPECTED}") from None


def _array(name: str, entry: Any, numbers: bytes, start: int) -> tuple[Array, int]:
    """The array of an entry of the header, which starts at an index of the numbers, and the index where it ends."""
    shape = entry.get("shape") if isinstance(entry, dict) else None
    if not _is_shape(shape):
        raise NetFileError(f"the array {shown(name)} has no shape")
    end = start + BYTES_EACH * prod(shape)
    if entry.get("dtype") != TYPE or entry.get("data_offsets") != [start, end]:
        raise NetFileError(f"the array {shown(name)} is not of type {TYPE} at bytes {start} to {end}")
    if end > len(numbers):
        raise NetFileError(f"the array {shown(name)} is cut off")
    array = np.frombuffer(numbers[start:end], "<f2").astype(np.float32).reshape(shape)
    if not np.isfinite(array).all():
        raise NetFileError(f"the array {shown(name)} has numbers that are not finite")
    return array, end


def _is_shape(shape: Any) -> TypeGuard[list[int]]:
    return (
        isinstance(shape, list)
        and 1 <= len(shape) <= 2
        and all(type(size) is int and 0 < size <= MAX_BYTES for size in shape)
    )
