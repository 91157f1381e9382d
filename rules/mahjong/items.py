"""Scoring items: points for a property of a winning hand, which may hold more than once.

An item reads a hand in one of its splits as four masks of kinds, integers of 27 bits with a bit for each tile code:

- `fours`: the kinds of which all four tiles are there, hidden, exposed or as the wait.
- `runs`: the lowest tile of each run. `triplets`: the kind of each meld of equal tiles, of three or four.
- `pairs`: the kind of each pair, one beside melds, else seven; four equal tiles are two pairs of one kind.

Exposed melds are among them. No item asks how often a group is there. The functions are rule functions: `maumau waits`
calls them from Python, and the game at the table is compiled with them.

A new item is a new function, and its name in the list `ITEMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rules.mahjong.tiles import kinds_of_ranks, suits_of
from rules.rule import label, query, rule

Times = Callable[[int, int, int, int], int]
"""How often an item holds, by the masks `fours`, `runs`, `triplets` and `pairs`; yes is once."""


@dataclass(frozen=True)
class ScoringItem:
    """A scoring item: its name, the points for each time that it holds, and the rule in one sentence."""

    name: str
    points: int
    description: str
    times: Times = field(repr=False)


def item(points: int, description: str) -> Callable[[Times], ScoringItem]:
    """Make an item of a function of the four masks; its name is the function's."""
    return lambda times: ScoringItem(label(times), points, description, query(times))


@item(1, "Every hand that wins has it.")
def base(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It always holds."""
    return True


@item(1, "All four tiles of a kind are there, hidden, exposed or as the wait.")
def gang(fours: int, runs: int, triplets: int, pairs: int) -> int:
    """It holds once for each such kind."""
    return fours.bit_count()


@item(2, "All tiles are of one suit.")
def one_suit(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of a whole hand, however that is split."""
    return suits_of(runs | triplets | pairs) == 1


@item(2, "The hand is seven pairs, of which four equal tiles are two.")
def seven_pairs(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of a split without melds."""
    return runs | triplets == 0


@rule
def melds_are_equal(runs: int, triplets: int) -> bool:
    """Whether there are melds, and all are of equal tiles."""
    return runs == 0 and triplets != 0


@item(1, "All four melds are of equal tiles.")
def all_triplets(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of triplets and gangs, not of seven pairs, which have no meld."""
    return melds_are_equal(runs, triplets)


TILES = kinds_of_ranks(2, 5, 8)


@item(2, "All four melds are of equal tiles, and they and the pair are of 2, 5 and 8.")
def two_five_eight(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds on top of all triplets."""
    return melds_are_equal(runs, triplets) and (triplets | pairs) & ~TILES == 0


ENDS = kinds_of_ranks(1, 9)
RUNS_WITH_ENDS = kinds_of_ranks(1, 7)
"""The lowest tiles of the runs 1-2-3 and 7-8-9."""


@item(2, "Every meld, exposed ones too, and every pair has a 1 or a 9 in it.")
def ones_and_nines(fours: int, runs: int, triplets: int, pairs: int) -> bool:
    """It holds of melds and a pair, and of seven pairs."""
    return runs & ~RUNS_WITH_ENDS == 0 and (triplets | pairs) & ~ENDS == 0


ITEMS = (base, gang, one_suit, seven_pairs, all_triplets, two_five_eight, ones_and_nines)
"""All items, in the order of the output."""


def score_of(items: Sequence[ScoringItem]) -> Times:
    """The rule function that adds up the points of all items, by the same four masks."""
    *before, last = items
    points, times = last.points, last.times
    if not before:

        @query
        def score(fours: int, runs: int, triplets: int, pairs: int) -> int:
            return points * times(fours, runs, triplets, pairs)

        return score
    rest = score_of(before)

    @query
    def score_with_rest(fours: int, runs: int, triplets: int, pairs: int) -> int:
        return rest(fours, runs, triplets, pairs) + points * times(fours, runs, triplets, pairs)

    return score_with_rest
