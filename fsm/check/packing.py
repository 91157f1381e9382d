"""The bits of a word, moved to where a mask has some and back: so packed rows of positions leave no gaps."""

from __future__ import annotations


def extract(bits: int, mask: int) -> int:
    """The bits of a word where `mask` has some, moved down so that no gap is left between them.

    Compiled code uses an instruction of the processor instead, if it has one.
    """
    found = place = 0
    while mask != 0:
        low = mask & -mask
        found |= (bits & low != 0) << place
        place += 1
        mask &= mask - 1
    return found


def deposit(bits: int, mask: int) -> int:
    """Undo `extract`; the other bits are 0. An instruction in compiled code, too."""
    found = 0
    while mask != 0:
        found |= (mask & -mask) * (bits & 1)
        bits >>= 1
        mask &= mask - 1
    return found
