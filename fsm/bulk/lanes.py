"""Plays games in lanes, and the few that leave them by other code, with the same results."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsm.arcs import Arc, Policy
from fsm.compiler.plan import rule_names
from fsm.compiler.results import Totals, blank_rows
from fsm.declaration import Declaration
from fsm.lanes.graph import UntraceableError
from fsm.lanes.kernel import LaneKernel, Worker, lane_kernel
from fsm.lanes.request import Request
from rules.chance import shuffle
from rules.ending import Ending

if TYPE_CHECKING:
    from fsm.compiler.kernel import Notify
    from fsm.compiler.results import Array


LEAST_GAMES = 512
"""Fewer games are played by the scalar kernel: most lanes would stand empty."""
CHUNK = 1 << 16
"""Games that one thread plays at a time, at most: at the end of each chunk some lanes stand empty."""
APART = 16
"""Words between the counters of two threads, so that they share no cache line."""


def kernel_for(
    game: Declaration, players: int, policies: tuple[Policy, ...], tally: bool, dealing: bool, notify: Notify | None
) -> LaneKernel:
    """The kernel of games whose seats have these distinct policies.

    Raises UntraceableError, which says why the scalar kernel has to play.
    """
    if len(policies) != 1:
        raise UntraceableError("the seats have different policies")
    return lane_kernel(Request(game, players, policies[0], tally, dealing), notify)


@dataclass(frozen=True)
class Others:
    """Code that takes over where lanes do not reach.

    play: plays decks with the scalar kernel (decks, number of the first, results, scores, counts of arcs and of rules).
    deal: the decks of games of the seed (number of the first, games).
    """

    play: Callable[[Array, int, Array, Array, Array, Array], None]
    deal: Callable[[int, int], Array]


class Counts:
    """Counters of arcs, of decision rules and of results for one thread."""

    def __init__(self, game: Declaration, players: int) -> None:
        self.sizes = len(game.arcs), len(rule_names(game)), len(Ending) + 2 * players + 6
        self.words = array("q", bytes(8 * (sum(self.sizes) + 4 * APART)))

    @property
    def addresses(self) -> dict[str, int]:
        """The addresses of the counters by the names of the arguments of a worker."""
        start, _ = self.words.buffer_info()
        places = self.starts
        return {name: start + 8 * place for name, place in zip(("fired", "used", "sums"), places, strict=True)}

    @property
    def starts(self) -> tuple[int, int, int]:
        """The first words of the counters."""
        arcs, rules, _ = self.sizes
        return APART, 2 * APART + arcs, 3 * APART + arcs + rules

    @property
    def values(self) -> tuple[list[int], list[int], list[int]]:
        """How often each arc was fired and each rule used, and the sums."""
        fired, used, sums = (
            self.words[at : at + size].tolist() for at, size in zip(self.starts, self.sizes, strict=True)
        )
        return fired, used, sums

    def change(self, other: Counts, sign: int) -> None:
        """Add what another counted, or subtract it. The last sum is a maximum."""
        _, _, sums = self.starts
        longest = sums + self.sizes[2] - 1
        for place, value in enumerate(other.words):
            if place == longest:
                self.words[place] = max(self.words[place], value)
            else:
                self.words[place] += sign * value


class LanePlayer:
    """Plays games of one kind in one thread."""

    def __init__(
        self, kernel: LaneKernel, game: Declaration, players: int, seed: int, tally: bool, games: int, others: Others
    ) -> None:
        """games: of one call, at most. others: the code that takes over where lanes do not reach."""
        self.game, self.players, self.seed, self.tally, self.others = game, players, seed, tally, others
        self.worker = Worker(kernel, max(games, 1))
        self.counts = Counts(game, players)

    def rows(self, decks: Array | None, first: int, results: Array, scores: Array) -> None:
        """Play into results and scores: games `first`, ... with the decks, or those of the seed.

        Raises WrongDeckError.
        """
        decks = self._dealt(decks, first, len(results))
        given = 0 if decks is None else decks.ctypes.data
        where = {"results": results.ctypes.data, "scores": scores.ctypes.data}
        for mark in self._play(len(results), given, first, where):
            place = mark if mark >= 0 else -1 - mark
            deck = self._deck(decks, first, place)
            one = {
                "results": where["results"] + place * results.strides[0],
                "scores": where["scores"] + place * scores.strides[0],
            }
            if mark >= 0 or self._play(1, _address(deck), first + place, one):
                self._play_scalar(deck, first + place, results[place : place + 1], scores[place : place + 1])

    def total(self, first: int, games: int) -> None:
        """Play games `first`, ... of the seed and add their results up."""
        decks = self._dealt(None, first, games)
        for mark in self._play(games, 0 if decks is None else decks.ctypes.data, first, {}):
            place = mark if mark >= 0 else -1 - mark
            deck = self._deck(decks, first, place)
            if mark >= 0 or self._play(1, _address(deck), first + place, {}):
                results, scores = blank_rows(1, self.players)
                self._play_scalar(deck, first + place, results, scores)
                self._add(results[0], scores[0].tolist())

    def _play(self, games: int, decks: int, first: int, where: Mapping[str, int]) -> list[int]:
        """The games that left. where: the addresses of results and scores; none: they are added up."""
        addresses = self.counts.addresses
        if where:
            addresses.pop("sums")
        return self.worker.play(games, decks=decks, seed=self.seed, first=first, **addresses, **where)

    def _dealt(self, decks: Array | None, first: int, games: int) -> Array | None:
        """The decks that the kernel needs: those given, none, or, if it cannot shuffle, those of the seed."""
        if decks is None and not self.worker.kernel.deals:
            return self.others.deal(first, games)
        return decks

    def _deck(self, decks: Array | None, first: int, place: int) -> array[int]:
        """The deck of one game: one of those given, or that of the seed.

        The rule functions shuffle it, which is slow, unless numba is loaded: few games leave before they are dealt.
        """
        if decks is not None:
            return array("B", decks[place].tobytes())
        if "numba" in sys.modules:
            return array("B", self.others.deal(first + place, 1).tobytes())
        deck = bytearray(self.game.deck_size)
        self.game.fill(deck)
        shuffle(deck, self.seed, first + place)
        if self.game.amend:
            self.game.amend(deck, self.players, self.seed, first + place)
        return array("B", deck)

    def _play_scalar(self, deck: array[int], number: int, results: Array, scores: Array) -> None:
        """Play a game that left with the scalar kernel. What the lanes counted of it is subtracted."""
        import numpy as np

        if self.tally:
            again, kept = Counts(self.game, self.players), self.counts
            self.counts = again
            self._play(1, _address(deck), number, {})
            self.counts = kept
            kept.change(again, -1)
        words = np.frombuffer(self.counts.words, np.int64)
        fired, used, _ = self.counts.starts
        arcs, rules, _ = self.counts.sizes
        row = np.frombuffer(deck, np.uint8).reshape(1, -1).copy()
        self.others.play(row, number, results, scores, words[fired : fired + arcs], words[used : used + rules])

    def _add(self, result: Any, scores: list[int]) -> None:
        """Add the result of a game to the sums."""
        sums, (_, _, at) = self.counts.words, self.counts.starts
        sums[at + int(result["ending"])] += 1
        if result["winner"] >= 0:
            sums[at + len(Ending) + int(result["winner"])] += 1
        for seat, score in enumerate(scores):
            sums[at + len(Ending) + self.players + seat] += score
        at += len(Ending) + 2 * self.players
        for place, name in enumerate(("turns", "laid", "taken", "reshuffles")):
            sums[at + place] += int(result[name])
        sums[at + 4] += int(result["reshuffles"]) > 0
        sums[at + 5] = max(sums[at + 5], int(result["turns"]))


def _address(deck: array[int]) -> int:
    return deck.buffer_info()[0]


def totals(
    games: int, players: int, sums: list[int], fired: Mapping[Arc, int] | None, used: Mapping[str, int] | None
) -> Totals:
    """The sums by name."""
    endings, wins, points, rest = (
        sums[: len(Ending)],
        sums[len(Ending) : len(Ending) + players],
        sums[len(Ending) + players : len(Ending) + 2 * players],
        sums[len(Ending) + 2 * players :],
    )
    turns, laid, taken, reshuffles, reshuffled, longest = rest
    return Totals(
        games=games,
        endings={str(ending): endings[ending] for ending in Ending if ending != Ending.RUNNING},
        wins=tuple(wins),
        points=tuple(points),
        turns=turns,
        laid=laid,
        taken=taken,
        reshuffles=reshuffles,
        reshuffled=reshuffled,
        longest=longest,
        fired=fired or {},
        used=used or {},
    )
