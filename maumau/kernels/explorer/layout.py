"""Where the bits in use of the rows of positions lie in packed rows (`maumau.kernels.compiled.rows`)."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.edge.arrays import Array, np
from maumau.kernels.compiled.rows import MOVED, STEPS

BITS = 64


def layout_of(used: Sequence[int]) -> tuple[Array, int]:
    """A layout, and the words of its packed rows. used: a mask of bits for each word of a row."""
    layout = np.zeros((MOVED + STEPS, len(used)), np.int64)
    room: list[int] = []
    counts = [(mask % (1 << BITS)).bit_count() for mask in used]
    for word in sorted(range(len(used)), key=lambda word: -counts[word]):
        target = next((index for index, left in enumerate(room) if left >= counts[word]), len(room))
        room += [BITS] * (target == len(room))
        low = _signed((1 << counts[word]) - 1)
        layout[:MOVED, word] = used[word], low, target, (BITS - room[target]) % BITS
        layout[MOVED:, word] = list(map(_signed, _moved(used[word] % (1 << BITS))))
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
