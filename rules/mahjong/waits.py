"""The waits of a hand: the tiles with which it wins, and what it then scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from rules.mahjong.groups import Group
from rules.mahjong.hand import check
from rules.mahjong.item import Item
from rules.mahjong.items import ITEMS
from rules.mahjong.splits import completed, completed_pairs
from rules.mahjong.tiles import COPIES, TILES, counted, held, suits_held, with_tile
from rules.mahjong.win import Win

MOST_SUITS = 2
POINTS = tuple(item.points for item in ITEMS)


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


def waits(hidden: Sequence[int], exposed: Sequence[Group] = ()) -> tuple[Wait, ...]:
    """The waits of a hand, by the codes of their tiles; a kind that it holds four times is none.

    hidden: codes of 13 tiles less three for each exposed meld, in any order. Raises ValueError for what is no hand.
    Source: the statement of SPOJ MAHJONG.
    """
    return tuple(_wait(tile, wins) for tile, copies, wins in _winning(hidden, exposed) if copies < COPIES)


def dead_waits(hidden: Sequence[int], exposed: Sequence[Group] = ()) -> tuple[int, ...]:
    """The tiles with which a hand would win if it did not hold all four. Raises ValueError for what is no hand."""
    return tuple(tile for tile, copies, _ in _winning(hidden, exposed) if copies == COPIES)


def _winning(hidden: Sequence[int], exposed: Sequence[Group]) -> Iterator[tuple[int, int, list[Win]]]:
    """Each tile that completes a hand, how many of its kind are held already, and all ways in which it wins."""
    check(hidden, exposed)
    tiles, shown = counted(hidden), tuple(exposed)
    whole = counted([*hidden, *(tile for meld in exposed for tile in meld.tiles)])
    if suits_held(whole) > MOST_SUITS:
        return
    found = completed(tiles)
    for tile, pairs in () if exposed else completed_pairs(tiles).items():
        found.setdefault(tile, []).append(pairs)
    for tile, splits in sorted(found.items()):
        counts = with_tile(whole, tile)
        yield tile, held(whole, tile), [Win(counts, split.melds + shown, split.pairs, shown) for split in splits]


def _wait(tile: int, wins: Sequence[Win]) -> Wait:
    """The best of `wins` and what makes it up."""
    times = [[item.times(win) for item in ITEMS] for win in wins]
    scores = [sum(map(mul, POINTS, each)) for each in times]
    best = scores.index(max(scores))
    items = tuple(Scored(item, int(often)) for item, often in zip(ITEMS, times[best], strict=True) if often)
    others = sorted(scores[:best] + scores[best + 1 :], reverse=True)
    return Wait(tile, scores[best], wins[best], items, tuple(others))
