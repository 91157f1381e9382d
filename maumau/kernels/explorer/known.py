"""Rows that are known, as positions or information sets, each with a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count

from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.known import admit, index_all, repack, settle
from maumau.kernels.compiled.rows import PACKED
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import of_any_game

FIRST_ROOM = 1 << 23
"""Rows for which there is room at first: memory that is not written yet takes none. For arrays of 4 MB and more NumPy
asks for huge pages (2 MB), which are lost when an array is enlarged in place.
"""
FIRST_SLOTS = 1 << 15
FEW = 1 << 15
"""Positions up to which they are packed again for each bit in use, so that a row has few pieces."""


ADMIT, SETTLE = of_any_game(admit), of_any_game(settle)
INDEX_ALL, REPACK = of_any_game(index_all), of_any_game(repack)
"""Programs that work on the rows of any game."""


def enlarge(array: Array, room: int) -> None:
    """Make room for so many rows in an array that owns its memory, in place; an eighth more is taken at a time."""
    if room > len(array):
        array.resize((max(room, len(array) * 9 // 8), *array.shape[1:]), refcheck=False)


class Index:
    """Rows in the order in which they were found, each once. keys: the rows. slots: the hash table of their numbers."""

    def __init__(self, words: int) -> None:
        self.count = 0
        self.keys = np.empty((FIRST_ROOM, words), np.int64)
        self.slots = np.zeros(FIRST_SLOTS, np.uint32)

    def __len__(self) -> int:
        return self.count

    def make_room(self, more: int) -> None:
        """Enlarge what has no room for so many more rows."""
        room = self.count + more
        enlarge(self.keys, room)
        if 3 * room > 2 * len(self.slots):
            self.index_again(1 << (3 * room // 2).bit_length())

    def restore(self, keys: Array) -> None:
        """Go on from rows that were known."""
        self.make_room(len(keys))
        self.keys[: len(keys)], self.count = keys, len(keys)
        self.index_again(len(self.slots))

    def index_again(self, slots: int) -> None:
        """Make a new hash table of so many slots."""
        self.slots = np.zeros(slots, np.uint32)
        machine_code(INDEX_ALL)(self.keys[: self.count], self.slots)


class KnownPositions(Index):
    """Positions, of which only some bits are kept.

    keys: a packed row for each. notes: what is noted of each. used: a mask of the bits in use for each word of a row.
    layout: how rows are packed. width: words of a whole row.
    """

    def __init__(self, used: Array, notes: int) -> None:
        """notes: how many are noted of each position."""
        self.used, self.width, self._whole = used, len(used), packed_layout([-1] * len(used))
        self.layout = packed_layout(used.tolist())
        super().__init__(words_of(self.layout))
        self.notes = np.empty((FIRST_ROOM, notes), np.int32)

    def make_room(self, more: int) -> None:
        """Enlarge what has no room for so many more positions."""
        super().make_room(more)
        enlarge(self.notes, len(self.keys))

    def admit(self, staged: Array, notes: Array, numbers: Array) -> None:
        """Add those of some packed rows that are not known. numbers: of all of them, which are written."""
        self.make_room(len(staged))
        code = machine_code(ADMIT)
        self.count = code(staged, len(staged), notes, numbers, self.keys, self.slots, self.notes, self.count)

    def packed(self, rows: Array) -> Array:
        """Whole rows, packed."""
        return self._packed(rows, self._whole, self.layout)

    def find(self, row: Array) -> int | None:
        """The number of a whole row; None if it is not known."""
        found = (self.keys[: self.count] == self.packed(row[None])).all(axis=1).nonzero()[0]
        return int(found[0]) if len(found) else None

    def rows(self, begin: int, end: int) -> Array:
        """The whole rows of some positions, by their numbers."""
        return self._packed(self.keys[begin:end], self.layout, self._whole)

    def widen(self, in_use: Array) -> bool:
        """Find room for more bits in use; whether there are any more.

        Rows are packed again only while they are few, or where they get one more word: others have 0 for these bits.
        """
        fresh = in_use & ~self.used
        if not fresh.any():
            return False
        self.used |= fresh
        few = self.count < FEW
        layout = packed_layout(self.used.tolist()) if few else packed_layout(fresh.tolist(), self.layout.tolist())
        if few or words_of(layout) > self.keys.shape[1]:
            keys = np.empty((len(self.keys), words_of(layout)), np.int64)
            keys[: self.count] = self._packed(self.keys[: self.count], self.layout, layout)
            self.keys = keys
            self.index_again(len(self.slots))
        self.layout = layout
        return True

    def cut(self, count: int) -> None:
        """Forget all but the first ones."""
        self.count = count
        self.index_again(len(self.slots))

    def _packed(self, keys: Array, layout: Array, its_layout: Array) -> Array:
        """Rows packed by another layout."""
        row, in_use = np.zeros((2, self.width), np.int64)
        packed = np.zeros((len(keys), words_of(its_layout)), np.int64)
        machine_code(REPACK)(keys, layout, row, in_use, packed, its_layout)
        return packed


# ---------------------------------------------------------------- where the bits in use lie in packed rows


BITS = 64
NOTHING = ((0, 0, 0, 0),)
"""A piece without bits, by which packed rows have a word."""


def packed_layout(used: Sequence[int], begun: Sequence[Sequence[int]] = NOTHING) -> Array:
    """A layout of some bits, a mask for each word of a row. begun: the pieces of another one, which stay in place."""
    pieces, taken = list(begun), Counter[int]()
    for _, mask, target, _ in begun:
        taken[target] += _count(mask)
    for word in sorted(range(len(used)), key=lambda word: -_count(used[word])):
        bits = _count(used[word])
        target = next(each for each in count() if taken[each] + bits <= BITS)
        pieces += [(word, used[word], target, taken[target])] * (bits > 0)
        taken[target] += bits
    return np.array(sorted(pieces, key=lambda piece: piece[PACKED]), np.int64)


def words_of(layout: Array) -> int:
    """The words of a packed row."""
    return int(layout[-1, PACKED]) + 1


def _count(mask: int) -> int:
    """How many bits a word has, which may be negative."""
    return (mask % (1 << BITS)).bit_count()
