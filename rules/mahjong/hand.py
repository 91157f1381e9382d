"""A hand: thirteen tiles, of which some may be exposed as melds; its splits that win, and the tiles it waits for.

A gang has one tile more. Hidden tiles split into melds of three and one pair, or into seven pairs. An automaton reads
the tiles of one suit, from the ones to the nines. Its state is the number of open runs that need a tile of this rank
and of the next, and the number of pairs that are missing; it accepts if nothing is missing. At each rank the open runs
take their tiles first, and the rest is split in one of the ways of `LAID`. Every split is therefore exactly one path;
removing melds in any order would find the same split more than once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from operator import mul
from typing import NamedTuple

from rules.mahjong.items import ITEMS, ScoringItem
from rules.mahjong.tiles import (
    BITS,
    COPIES,
    KINDS,
    ODD,
    RANKS,
    TILES,
    Counts,
    Group,
    GroupKind,
    counted,
    fours_of,
    held,
    meld_kinds,
    suits_held,
)
from rules.notation import many

TILES_HELD = 13
MELDS = 4


class Hand(NamedTuple):
    """The codes of the hidden tiles, and the exposed melds."""

    hidden: tuple[int, ...]
    exposed: tuple[Group, ...] = ()


def melds_beside(hidden: int) -> int:
    """The number of exposed melds beside a number of hidden tiles. Raises ValueError if there is none."""
    melds, rest = divmod(TILES_HELD - hidden, 3)
    if rest or not 0 <= melds <= MELDS:
        found = many(hidden, "hidden tile")
        raise ValueError(f"{found}; use {TILES_HELD}, or three fewer for each exposed meld")
    return melds


def check(hidden: Sequence[int], exposed: Sequence[Group]) -> None:
    """Raise ValueError with the reason if this is not a hand."""
    melds = melds_beside(len(hidden))
    if len(exposed) != melds:
        found, beside = many(len(exposed), "exposed meld"), many(len(hidden), "hidden tile")
        raise ValueError(f"{found} beside {beside}; use {melds or 'none'}")
    for tile, copies in Counter([*hidden, *(tile for meld in exposed for tile in meld.tiles)]).items():
        if not 0 <= tile < KINDS:
            raise ValueError(f"tile code {tile} is out of range; use 0 to {KINDS - 1}")
        if copies > COPIES:
            raise ValueError(f"{TILES.cards[tile]} appears {copies} times; use it at most {COPIES} times")


class Win(NamedTuple):
    """Fourteen tiles, and one more for each gang exposed, in one of their splits.

    melds: four, of which the last ones are `exposed`, or none. pairs: one beside melds, or seven.
    """

    melds: tuple[Group, ...]
    pairs: tuple[Group, ...]
    exposed: tuple[Group, ...] = ()

    @property
    def hidden(self) -> tuple[Group, ...]:
        """The melds that are not exposed."""
        return self.melds[: len(self.melds) - len(self.exposed)]


# ---------------------------------------------------------------- splits


REMEMBERED = 1 << 16
"""States of the automaton, and suits, that are kept in memory for the next hand."""


class Split(NamedTuple):
    """One way to lie for tiles: melds and pairs; `kinds` are the runs, triplets and pairs as masks, for the items."""

    melds: tuple[Group, ...]
    pairs: tuple[Group, ...]
    kinds: tuple[int, int, int]


class Beginnings(NamedTuple):
    """What begins at a rank; or in a suit, counted by rank in octal as the tiles are."""

    triplets: int
    pairs: int
    runs: int


LAID = tuple(
    tuple(
        Beginnings(triplets, pairs, tiles - 3 * triplets - 2 * pairs)
        for triplets in (1, 0)
        for pairs in (1, 0)
        if 3 * triplets + 2 * pairs <= tiles
    )
    for tiles in range(COPIES + 2)
)
"""By the number of tiles of one rank that no started run takes: at most one triplet, at most one pair, and runs.

One tile more than there are of a kind is known as well: see `rules.mahjong.hand.dead_waits`.
"""
NOTHING = Beginnings(0, 0, 0)


@lru_cache(REMEMBERED)
def paths(counts: int, required: int, required_next: int, pairs: int) -> tuple[Beginnings, ...]:
    """All ways through the ranks that `counts` still holds, the next one in its last digit.

    required, required_next: tiles of this rank and of the next that started runs take; of this one there are as many.
    pairs: how many are still to be laid.
    """
    if not counts:
        return () if pairs else (NOTHING,)
    rest = counts >> BITS
    found = []
    for laid in LAID[(counts & 7) - required]:
        started = required_next + laid.runs
        if laid.pairs <= pairs and started <= rest & 7:
            for after in paths(rest, started, laid.runs, pairs - laid.pairs):
                found.append(
                    Beginnings(
                        after.triplets << BITS | laid.triplets,
                        after.pairs << BITS | laid.pairs,
                        after.runs << BITS | laid.runs,
                    )
                )
    return tuple(found)


@lru_cache(REMEMBERED)
def suit_splits(suit: int, counts: int) -> tuple[Split, ...]:
    """All splits of the tiles of one suit: melds of three, and a pair if two tiles are over."""
    over = _size(counts) % 3
    return () if over == 1 else _splits(suit, counts, pairs=over // 2)


@lru_cache(REMEMBERED)
def completed_suit(suit: int, counts: int) -> Mapping[int, tuple[Split, ...]]:
    """The tiles of a suit with each of which its tiles split, and the splits."""
    over = (_size(counts) + 1) % 3
    if over == 1:
        return {}
    found = {rank: _splits(suit, counts + (1 << BITS * rank), pairs=over // 2) for rank in range(RANKS)}
    return {suit * RANKS + rank: splits for rank, splits in found.items() if splits}


def completed(counts: Counts) -> dict[int, list[Split]]:
    """The tiles with each of which hidden tiles split into melds of three and one pair, and all their splits."""
    suits = [suit_splits(suit, tiles) for suit, tiles in enumerate(counts)]
    found = {}
    for suit, tiles in enumerate(counts):
        before, after = suits[:suit], suits[suit + 1 :]
        if all(before) and all(after):
            for tile, splits in completed_suit(suit, tiles).items():
                found[tile] = [_joined(parts) for parts in product(*before, splits, *after)]
    return found


def completed_pairs(counts: Counts) -> dict[int, Split]:
    """The tile with which thirteen hidden tiles are seven pairs, four equal ones two of them, and the pairs."""
    odd = [tiles & ODD for tiles in counts]
    if sum(map(int.bit_count, odd)) != 1:
        return {}
    suit = next(suit for suit, bits in enumerate(odd) if bits)
    tile = suit * RANKS + odd[suit].bit_length() // BITS
    return {tile: _joined([_split(each, Beginnings(0, counts[each] + bits >> 1, 0)) for each, bits in enumerate(odd)])}


def _size(counts: int) -> int:
    """How many tiles `counts` are."""
    return sum(counts >> BITS * rank & 7 for rank in range(RANKS))


def _splits(suit: int, counts: int, pairs: int) -> tuple[Split, ...]:
    return tuple([_split(suit, laid) for laid in paths(counts, 0, 0, pairs)])


def _split(suit: int, laid: Beginnings) -> Split:
    triplets, runs = _groups(GroupKind.TRIPLET, suit, laid.triplets), _groups(GroupKind.RUN, suit, laid.runs)
    masks = (_kinds(suit, laid.runs), _kinds(suit, laid.triplets), _kinds(suit, laid.pairs))
    return Split(triplets + runs, _groups(GroupKind.PAIR, suit, laid.pairs), masks)


def _joined(splits: Sequence[Split]) -> Split:
    """The splits of several suits as one."""
    (melds, pairs, (runs, triplets, twos)), *rest = splits
    for split in rest:
        melds, pairs = melds + split.melds, pairs + split.pairs
        more = split.kinds
        runs, triplets, twos = runs | more[0], triplets | more[1], twos | more[2]
    return Split(melds, pairs, (runs, triplets, twos))


@lru_cache(REMEMBERED)
def _kinds(suit: int, started: int) -> int:
    """The kinds, as a mask, of the groups that begin at the ranks which `started` counts."""
    return sum(1 << suit * RANKS + rank for rank in range(RANKS) if started >> BITS * rank & 7)


@lru_cache(REMEMBERED)
def _groups(kind: GroupKind, suit: int, started: int) -> tuple[Group, ...]:
    """The groups of a kind that begin at the ranks which `started` counts."""
    ranks = (rank for rank in range(RANKS) for _ in range(started >> BITS * rank & 7))
    return tuple(Group(kind, suit * RANKS + rank) for rank in ranks)


# ---------------------------------------------------------------- waits

# The tiles with which a hand wins, and what it then scores.


MAX_SUITS = 2
POINTS = tuple(item.points for item in ITEMS)
TIMES = tuple(item.times for item in ITEMS)


class Scored(NamedTuple):
    """An item that holds of a win, and how often."""

    item: ScoringItem
    times: int

    @property
    def points(self) -> int:
        """What it adds to the score."""
        return self.item.points * self.times


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile with which a hand wins.

    tile: its code. score: the most that one split scores. win: the first split that scores so much. items: what makes
    its score up, in the order of ITEMS. others: the scores of the other splits, the most first.
    """

    tile: int
    score: int
    win: Win
    items: tuple[Scored, ...]
    others: tuple[int, ...]

    def __str__(self) -> str:
        return f"{TILES.cards[self.tile]}: {self.score}"


class _Completed(NamedTuple):
    """A tile that completes a hand, how many of its kind are held already, the kinds that are then there four times as
    a mask, and all splits of the hidden tiles.
    """

    tile: int
    copies: int
    fours: int
    splits: list[Split]


def waits(hidden: Sequence[int], exposed: Sequence[Group] = ()) -> tuple[Wait, ...]:
    """The waits of a hand, by the codes of their tiles; a kind that it holds four times is none.

    hidden: codes of 13 tiles less three for each exposed meld, in any order. Raises ValueError for what is not a hand.
    Source: the statement of SPOJ MAHJONG.
    """
    check(hidden, exposed)
    return tuple(_wait(win, tuple(exposed)) for win in _winning(hidden, exposed) if win.copies < COPIES)


def dead_waits(hidden: Sequence[int], exposed: Sequence[Group] = ()) -> tuple[int, ...]:
    """The tiles with which a hand would win if it did not hold all four. Raises ValueError for what is not a hand."""
    check(hidden, exposed)
    return tuple(win.tile for win in _winning(hidden, exposed) if win.copies == COPIES)


def wait_for(tile: int, hidden: Sequence[int], exposed: Sequence[Group] = ()) -> Wait | None:
    """The wait for one tile, or None if the hand does not win with it; the hand may be of fewer groups than four."""
    wins = (_wait(win, tuple(exposed)) for win in _winning(hidden, exposed) if win.tile == tile)
    return next(wins, None)


def _winning(hidden: Sequence[int], exposed: Sequence[Group]) -> Iterator[_Completed]:
    """Each tile that completes a hand, with all ways to split the hidden tiles and it."""
    tiles = counted(hidden)
    whole = counted([*hidden, *(tile for meld in exposed for tile in meld.tiles)]) if exposed else tiles
    if suits_held(whole) > MAX_SUITS:
        return
    found = completed(tiles)
    for tile, pairs in completed_pairs(tiles).items() if len(hidden) == TILES_HELD else ():
        found.setdefault(tile, []).append(pairs)
    fours = fours_of(whole)
    for tile, splits in sorted(found.items()):
        copies = held(whole, tile)
        yield _Completed(tile, copies, fours | 1 << tile if copies == COPIES - 1 else fours, splits)


def _wait(won: _Completed, exposed: tuple[Group, ...]) -> Wait:
    """The best way in which a hand wins, and what makes its score up."""
    shown_runs, shown_triplets = meld_kinds(exposed)
    fours, times = won.fours, []
    for split in won.splits:
        runs, triplets, pairs = split.kinds
        masks = fours, runs | shown_runs, triplets | shown_triplets, pairs
        times.append([often(*masks) for often in TIMES])
    scores = [sum(map(mul, POINTS, each)) for each in times]
    best = scores.index(max(scores))
    items = tuple(Scored(item, int(often)) for item, often in zip(ITEMS, times[best], strict=True) if often)
    others = sorted(scores[:best] + scores[best + 1 :], reverse=True)
    melds, pairs_shown, _ = won.splits[best]
    return Wait(won.tile, scores[best], Win(melds + exposed, pairs_shown, exposed), items, tuple(others))
