"""Plays games in lanes, and the few that leave them by other code, with the same results."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsm.declaration.arcs import Policy
from fsm.declaration.chain import Counter, fired_of
from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import rule_names
from maumau.kernels.compiler.machine_code import Area, NativeCode, machine_code, ready_code
from maumau.kernels.compiler.results import Totals, blank_rows
from maumau.kernels.compiler.source import dealing
from maumau.kernels.lanes.graph import UntraceableError
from maumau.kernels.lanes.kernel import LaneKernel, Worker, lane_kernel
from maumau.kernels.lanes.request import MIXED, Request
from rules.chance import shuffle
from rules.ending import Ending

if TYPE_CHECKING:
    from maumau.kernels.compiler.machine_code import Notify
    from maumau.kernels.compiler.results import Array


MIN_GAMES = 512
"""Fewer games are played by the scalar kernel: most lanes would stand empty."""
CHUNK = 1 << 16
"""Games that one thread plays at a time, at most: at the end of each chunk some lanes stand empty."""
MAX_SLOWLY_DEALT = 4096
"""Decks that one thread deals by the rule functions, 0.1 ms each, before it compiles a program for that."""
APART = 16
"""Words between the counters of two threads, so that they share no cache line."""


def kernel_for(
    game: Declaration, players: int, policies: tuple[Policy, ...], tally: bool, dealing: bool, notify: Notify | None
) -> LaneKernel:
    """The kernel of games whose seats have these distinct policies.

    Raises UntraceableError, which says why the scalar kernel has to play.
    """
    if len(policies) != 1:
        raise UntraceableError(f"the seats have different policies: {MIXED}")
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
        self.sizes = len(game.counters), len(rule_names(game)), len(Ending) + 2 * players + 6
        self.words = array("q", bytes(8 * (sum(self.sizes) + 4 * APART)))

    @property
    def addresses(self) -> dict[str, int]:
        """The addresses of the counters by the names of the arguments of a worker."""
        start, _ = self.words.buffer_info()
        indices = self.starts
        return {name: start + 8 * index for name, index in zip(("fired", "used", "sums"), indices, strict=True)}

    @property
    def starts(self) -> tuple[int, int, int]:
        """The first words of the counters."""
        counters, rules, _ = self.sizes
        return APART, 2 * APART + counters, 3 * APART + counters + rules

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
        for index, value in enumerate(other.words):
            if index == longest:
                self.words[index] = max(self.words[index], value)
            else:
                self.words[index] += sign * value


class LanePlayer:
    """Plays games of one kind in one thread."""

    def __init__(
        self, kernel: LaneKernel, game: Declaration, players: int, seed: int, tally: bool, games: int, others: Others
    ) -> None:
        """games: of one call, at most. others: the code that takes over where lanes do not reach."""
        self.game, self.players, self.seed, self.tally, self.others = game, players, seed, tally, others
        self.worker = Worker(kernel, max(games, 1))
        self.counts = Counts(game, players)
        self.slowly_dealt = 0

    def rows(self, decks: Array | None, first: int, results: Array, scores: Array) -> None:
        """Play into results and scores: games `first`, ... with the decks, or those of the seed.

        Raises WrongDeckError.
        """
        decks = self._dealt(decks, first, len(results))
        given = 0 if decks is None else decks.ctypes.data
        marks = self._play(len(results), given, first, _addresses(results, scores))
        for index in _played(marks):
            row = slice(index, index + 1)
            self._play_scalar(self._deck(decks, first, index), first + index, results[row], scores[row])
        if indices := _not_dealt(marks):
            again, points = blank_rows(len(indices), self.players)
            apart = self._decks(first, indices)
            for part in self._parts(len(indices)):
                where = _addresses(again[part], points[part])
                for index in self._play_part(apart, part, first + indices[part.start], where):
                    row = slice(index, index + 1)
                    self._play_scalar(self._row(apart, index), first + indices[index], again[row], points[row])
            results[indices], scores[indices] = again, points

    def total(self, first: int, games: int) -> None:
        """Play games `first`, ... of the seed and add their results up."""
        decks = self._dealt(None, first, games)
        marks = self._play(games, 0 if decks is None else decks.ctypes.data, first, {})
        for index in _played(marks):
            self._add_scalar(self._deck(decks, first, index), first + index)
        if indices := _not_dealt(marks):
            apart = self._decks(first, indices)
            for part in self._parts(len(indices)):
                for index in self._play_part(apart, part, first + indices[part.start], {}):
                    self._add_scalar(self._row(apart, index), first + indices[index])

    def _parts(self, games: int) -> list[slice]:
        """Games that were dealt apart, as they are played: together, or each with its number where dice are rolled."""
        return [slice(index, index + 1) for index in range(games)] if self.worker.kernel.rolls else [slice(0, games)]

    def _play_part(self, decks: array[int], part: slice, first: int, where: Mapping[str, int]) -> list[int]:
        """Play some of the decks. The games that left, as places among all decks."""
        address = _address(decks) + part.start * self.game.deck_size
        return [part.start + index for index in self._play(part.stop - part.start, address, first, where)]

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

    def _deck(self, decks: Array | None, first: int, index: int) -> array[int]:
        """The deck of one game: one of those given, or that of the seed."""
        return self._decks(first, [index]) if decks is None else array("B", decks[index].tobytes())

    def _row(self, decks: array[int], index: int) -> array[int]:
        size = self.game.deck_size
        return decks[index * size : (index + 1) * size]

    def _decks(self, first: int, indices: Sequence[int]) -> array[int]:
        """The decks of some games of the seed, one after another.

        While the program that deals is not on disk, the rule functions deal, as long as that takes less time than to
        compile it.
        """
        self.slowly_dealt += len(indices)
        program = dealing(self.game)
        deal = ready_code(program)
        if deal is None and self.slowly_dealt > MAX_SLOWLY_DEALT:
            deal = machine_code(program)
        decks = array("B", bytes(self.game.deck_size * len(indices)))
        for row, index in enumerate(indices):
            deck = array("B", bytes(self.game.deck_size))
            self._deal(deal, deck, first + index)
            decks[row * len(deck) : (row + 1) * len(deck)] = deck
        return decks

    def _deal(self, deal: NativeCode | None, deck: array[int], number: int) -> None:
        """Deal the deck of one game of the seed. deal: the program that does it, if there is one."""
        if deal:
            deal(Area(deck, (1, len(deck))), self.players, self.seed, number)
            return
        self.game.fill(deck)
        shuffle(deck, self.seed, number)
        if self.game.amend:
            self.game.amend(deck, self.players, self.seed, number)

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
        counters, rules, _ = self.counts.sizes
        row = np.frombuffer(deck, np.uint8).reshape(1, -1).copy()
        self.others.play(row, number, results, scores, words[fired : fired + counters], words[used : used + rules])

    def _add_scalar(self, deck: array[int], number: int) -> None:
        """Play a game that left with the scalar kernel, and add its result to the sums."""
        results, scores = blank_rows(1, self.players)
        self._play_scalar(deck, number, results, scores)
        self._add(results[0], scores[0].tolist())

    def _add(self, result: Any, scores: list[int]) -> None:
        """Add the result of a game to the sums."""
        sums, (_, _, at) = self.counts.words, self.counts.starts
        sums[at + int(result["ending"])] += 1
        if result["winner"] >= 0:
            sums[at + len(Ending) + int(result["winner"])] += 1
        for seat, score in enumerate(scores):
            sums[at + len(Ending) + self.players + seat] += score
        at += len(Ending) + 2 * self.players
        for index, name in enumerate(("turns", "laid", "taken", "reshuffles")):
            sums[at + index] += int(result[name])
        sums[at + 4] += int(result["reshuffles"]) > 0
        sums[at + 5] = max(sums[at + 5], int(result["turns"]))


def _played(marks: list[int]) -> list[int]:
    """The games that left while they were played, among the marks of a worker."""
    return [mark for mark in marks if mark >= 0]


def _not_dealt(marks: list[int]) -> list[int]:
    """The games that left before they were dealt, among the marks of a worker."""
    return [-1 - mark for mark in marks if mark < 0]


def _addresses(results: Array, scores: Array) -> dict[str, int]:
    """The addresses of results and scores by the names of the arguments of a worker."""
    return {"results": results.ctypes.data, "scores": scores.ctypes.data}


def _address(deck: array[int]) -> int:
    return deck.buffer_info()[0]


def totals(
    games: int, players: int, sums: list[int], counted: Mapping[Counter, int] | None, used: Mapping[str, int] | None
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
        fired=fired_of(counted or {}),
        used=used or {},
    )
