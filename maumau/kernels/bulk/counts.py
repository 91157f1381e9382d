"""Counters of arcs, of decision rules and of results, which add up in any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

from fsm.declaration.chain import Counter
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.loop import add_up
from maumau.kernels.compiler.program import Totals, numbers, of_any_game
from rules.ending import Ending

APART = 16
"""Words between the counters of two threads, so that they share no cache line."""


ADD_UP = of_any_game(add_up)
"""Adds results up. It depends on the layout of a result only, not on a game."""


def parts_of(game: Declaration, players: int) -> list[slice]:
    """Return where the counters of arcs, rules, endings, wins, points and other sums are among the words of a game."""
    lengths = len(game.counters), len(game.rule_names), len(Ending), players, players, 6
    return [slice(*part) for part in pairwise(accumulate(lengths, initial=0))]


def named(game: Declaration, fired: Sequence[int], used: Sequence[int]) -> tuple[dict[Counter, int], dict[str, int]]:
    """Return how often each arc was fired, by counter, and each rule used, by name."""
    return dict(zip(game.counters, fired, strict=True)), dict(zip(game.rule_names, used, strict=True))


class KernelCounts:
    """Counters of arcs, of decision rules and of results for one thread: words of 64 bits.

    fired, used: of arcs and decision rules. results: of endings, wins and points, and the other sums, as for `ADD_UP`.
    """

    def __init__(self, game: Declaration, players: int) -> None:
        self.game = game
        parts = parts_of(game, players)
        self.words = numbers(parts[-1].stop + 2 * APART)[APART:-APART]
        self.fired, self.used, *self.results = (self.words[part] for part in parts)

    @property
    def named(self) -> tuple[Mapping[Counter, int], Mapping[str, int]]:
        """How often each arc was fired, by counter, and each rule used, by name."""
        return named(self.game, self.fired.tolist(), self.used.tolist())

    def change(self, other: KernelCounts, sign: int = 1) -> None:
        """Add what another counted, or subtract it. The last sum is a maximum."""
        longest = max(self.words[-1], other.words[-1])
        self.words += sign * other.words
        self.words[-1] = longest

    def add_sums(self, sums: Sequence[Array]) -> None:
        """Add the results of other games, in the order of `results`; the last of the sums is a maximum."""
        longest = max(self.words[-1], sums[-1][-1])
        self.words[-sum(map(len, sums)) :] += np.concatenate(sums)
        self.words[-1] = longest


def totals_of(game: Declaration, players: int, games: int, words: Sequence[int], *, tally: bool = True) -> Totals:
    """Return the totals of games from the words of their counters.

    tally: whether arcs and decision rules were counted.
    """
    fired, used, ended, wins, points, sums = (words[part] for part in parts_of(game, players))
    counted, rules = named(game, fired, used) if tally else ({}, {})
    endings = {str(ending): ended[ending] for ending in Ending if ending != Ending.RUNNING}
    turns, laid, taken, reshuffles, reshuffled, longest = sums
    return Totals(
        *(games, endings, tuple(wins), tuple(points)),
        *(turns, laid, taken, reshuffles, reshuffled, longest),
        *(Counter.fired(counted), rules),
    )
