"""Counters of arcs, of decision rules and of results, which add up in any order."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from fsm.declaration.chain import Counter, fired_of
from fsm.declaration.declaration import Declaration, rule_names
from maumau.kernels.compiled.loop import add_up
from maumau.kernels.compiler.machine_code import Area
from maumau.kernels.compiler.program import RESULT, GameResult, Totals, blank_rows, numbers, of_any_game
from rules.ending import Ending

APART = 16
"""Words between the counters of two threads, so that they share no cache line."""


ADD_UP = of_any_game(add_up, lambda: (*blank_rows(0, 2), *(numbers(2) for _ in range(4))))
"""Adds results up. It depends on the layout of a result only, not on a game."""


class Counts:
    """Counters of arcs, of decision rules and of results for one thread, in memory of the standard library.

    parts: where they are among the words: of arcs, of rules, of endings, wins, points, and the other sums.
    """

    def __init__(self, game: Declaration, players: int) -> None:
        self.game = game
        lengths = len(game.counters), len(rule_names(game)), len(Ending), players, players, 6
        self.parts = [slice(*part) for part in pairwise(accumulate(lengths, initial=APART))]
        self.words = array("q", bytes(8 * (self.parts[-1].stop + APART)))

    @property
    def addresses(self) -> dict[str, int]:
        """The addresses of the counters of arcs and rules by the names of the arguments of a worker."""
        start, _ = self.words.buffer_info()
        return {name: start + 8 * part.start for name, part in zip(("fired", "used"), self.parts, strict=False)}

    @property
    def areas(self) -> list[Area]:
        """The memory of each part."""
        return [Area(self.words, (part.stop - part.start,), part.start) for part in self.parts]

    @property
    def named(self) -> tuple[Mapping[Counter, int], Mapping[str, int]]:
        """How often each arc was fired, by counter, and each rule used, by name."""
        fired, used = (self.words[part].tolist() for part in self.parts[:2])
        counted = dict(zip(self.game.counters, fired, strict=True))
        return counted, dict(zip(rule_names(self.game), used, strict=True))

    def change(self, other: Counts, sign: int = 1) -> None:
        """Add what another counted, or subtract it. The last sum is a maximum."""
        longest = self.parts[-1].stop - 1
        for index, value in enumerate(other.words):
            self.words[index] = max(self.words[index], value) if index == longest else self.words[index] + sign * value

    def add(self, results: array[int], scores: array[int]) -> None:
        """Add the results of a few games to the sums: no machine code is loaded for them."""
        games: Any = [GameResult._make(fields) for fields in RESULT.iter_unpack(results)]
        rows: Any = memoryview(scores).cast("B").cast("i", (len(games), len(scores) // len(games)))
        words: Any = memoryview(self.words)
        add_up(games, rows, *(words[part] for part in self.parts[2:]))

    def add_sums(self, sums: Sequence[int]) -> None:
        """Add the sums of other games, in the order of the words; the last one is a maximum."""
        *others, longest = sums
        for index, value in enumerate(others, self.parts[2].start):
            self.words[index] += value
        self.words[index + 1] = max(self.words[index + 1], longest)

    def totals(self, games: int, counted: Mapping[Counter, int] | None, used: Mapping[str, int] | None) -> Totals:
        """The sums by name, with the counts of arcs and decision rules."""
        ended, wins, points, sums = (self.words[part].tolist() for part in self.parts[2:])
        endings = {str(ending): ended[ending] for ending in Ending if ending != Ending.RUNNING}
        turns, laid, taken, reshuffles, reshuffled, longest = sums
        return Totals(
            *(games, endings, tuple(wins), tuple(points)),
            *(turns, laid, taken, reshuffles, reshuffled, longest),
            *(fired_of(counted or {}), used or {}),
        )


def totals_of(game: Declaration, players: int, games: int, words: list[int]) -> Totals:
    """The totals of games from the words of their counters, where another machine has counted them."""
    counts = Counts(game, players)
    counts.words[:] = array("q", words)
    return counts.totals(games, *counts.named)
