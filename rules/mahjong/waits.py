"""The waits of a hand: the tiles with which it wins, and what it then scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from rules.mahjong.hand import TILES_HELD, Win, check
from rules.mahjong.items import ITEMS, Item
from rules.mahjong.splits import Split, completed, completed_pairs
from rules.mahjong.tiles import COPIES, TILES, Group, counted, fours_of, held, meld_kinds, suits_held

MAX_SUITS = 2
POINTS = tuple(item.points for item in ITEMS)
TIMES = tuple(item.times for item in ITEMS)


class Scored(NamedTuple):
    """An item that holds of a win, and how often."""

    item: Item
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

    hidden: codes of 13 tiles less three for each exposed meld, in any order. Raises ValueError for what is no hand.
    Source: the statement of SPOJ MAHJONG.
    """
    check(hidden, exposed)
    return tuple(_wait(win, tuple(exposed)) for win in _winning(hidden, exposed) if win.copies < COPIES)


def dead_waits(hidden: Sequence[int], exposed: Sequence[Group] = ()) -> tuple[int, ...]:
    """The tiles with which a hand would win if it did not hold all four. Raises ValueError for what is no hand."""
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
