"""Which bits of the rows of positions vary, and where they lie in packed rows (`maumau.kernels.compiled.rows`)."""

from __future__ import annotations

from collections.abc import Sequence

from maumau.kernels.compiled.rows import MOVED, STEPS
from maumau.kernels.compiler.results import Array

BITS = 64


def layout_of(base: Sequence[int], varies: Sequence[int]) -> tuple[Array, int]:
    """A layout, and the words of its packed rows. base: a row. varies: a mask of bits for each of its words."""
    import numpy as np

    layout = np.zeros((MOVED + STEPS, len(base)), np.int64)
    room: list[int] = []
    counts = [(mask % (1 << BITS)).bit_count() for mask in varies]
    for word in sorted(range(len(base)), key=lambda word: -counts[word]):
        target = next((index for index, left in enumerate(room) if left >= counts[word]), len(room))
        room += [BITS] * (target == len(room))
        low = _signed((1 << counts[word]) - 1)
        layout[:MOVED, word] = base[word], varies[word], low, target, (BITS - room[target]) % BITS
        layout[MOVED:, word] = list(map(_signed, _moved(varies[word] % (1 << BITS))))
        room[target] -= counts[word]
    return layout, len(room)


def _moved(mask: int) -> list[int]:
    """The bits of a mask that are moved down by 1, 2, 4, ... places, so that no gap is left between them."""
    moved = [0] * STEPS
    bits = [bit for bit in range(BITS) if mask >> bit & 1]
    for place, bit in enumerate(bits):
        for step in range(STEPS):
            if (bit - place) >> step & 1:
                at = bit - (bit - place) % (1 << step)
                moved[step] |= 1 << at
    return moved


def _signed(bits: int) -> int:
    """64 bits as a number with a sign."""
    return bits - (bits >> BITS - 1 << BITS)
