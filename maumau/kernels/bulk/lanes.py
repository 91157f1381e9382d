"""Plays games in one thread: in lanes, the few that leave them by other code with the same results, or one by one.

The results are written to rows, or counted by value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, np
from maumau.kernels.bulk.by_value import ValueCounts
from maumau.kernels.bulk.chunks import decks_of
from maumau.kernels.bulk.counts import ADD_UP, KernelCounts
from maumau.kernels.compiler.machine_code import address_of, machine_code
from maumau.kernels.compiler.program import Results, blank_rows
from maumau.kernels.compiler.source import dealing
from maumau.kernels.lanes.kernel import LaneKernel, Worker, seats_word
from rules.ending import Ending

MIN_GAMES = 128
"""Fewer games are played by the scalar kernel: most lanes would stand empty."""
CHUNK = 1 << 16
"""Games that one thread plays at a time, at most: at the end of each chunk some lanes stand empty."""


@dataclass(frozen=True)
class Scalar:
    """The scalar kernel of games of one kind. policies: the number of the policy of each seat. seed: whose decks are
    dealt where none are given.

    play: plays decks (decks, number of the first, rows, counters).
    """

    game: Declaration
    policies: Sequence[int]
    seed: int
    tally: bool
    play: Callable[[Array, int, Rows, KernelCounts], None]

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.policies)

    def deal(self, first: int, games: int) -> Array:
        """The decks of games of the seed, from `first` on."""
        return decks_of(self.game, self.players, self.seed, first, games)


class Player:
    """Plays games of one kind in one thread, one after the other, and counts."""

    def __init__(self, scalar: Scalar) -> None:
        self.scalar, self.counts = scalar, KernelCounts(scalar.game, scalar.players)

    def rows(self, decks: Array | None, first: int, into: Rows) -> None:
        """Play into rows: games `first`, ... with the decks, or those of the seed."""
        given = np.zeros((0, 0), np.uint8) if decks is None else writable(decks)
        self.scalar.play(given, first, into, self.counts)

    def total(self, first: int, games: int) -> None:
        """Play games `first`, ... of the seed and add their results up."""
        into = Rows(*blank_rows(games, self.scalar.players))
        self.rows(None, first, into)
        machine_code(ADD_UP)(into.results, into.scores, *self.counts.results)

    def total_counts(self) -> KernelCounts:
        """What was counted."""
        return self.counts


# ---------------------------------------------------------------- where results go


class Rows(NamedTuple):
    """Where the results of games or matches go, by their places in a call: a row for each.

    rounds: how many each match had; None of games.
    """

    results: Array
    scores: Array
    rounds: Array | None = None

    @property
    def addresses(self) -> Mapping[str, int]:
        """The arguments of `Worker.play`."""
        return {"results": address_of(self.results), "scores": address_of(self.scores)}

    def alike(self, games: int) -> Rows:
        """Where the results of other games go, before they are `put`."""
        return Rows(*blank_rows(games, self.scores.shape[1]))

    def part(self, part: slice) -> Rows:
        """Where those of some of them go."""
        return Rows(self.results[part], self.scores[part], None if self.rounds is None else self.rounds[part])

    def put(self, places: Sequence[int], other: Rows) -> None:
        """Keep the results of games at these places."""
        self.results[places], self.scores[places] = other.results, other.scores

    def write(self, places: Sequence[int], played: Results) -> None:
        """Keep the results of games at these places, which lanes did not play."""
        self.put(places, Rows(played.games, played.scores))


@dataclass(frozen=True)
class Values:
    """The same where they are counted by value. endings: a byte for each game, 0 for one with a winner."""

    counts: ValueCounts
    endings: Array

    @property
    def addresses(self) -> Mapping[str, int]:
        """The arguments of `Worker.play`."""
        return {"words": address_of(self.counts.words), "results": address_of(self.endings)}

    def alike(self, games: int) -> Values:
        """The same counters, for other games."""
        return Values(self.counts, np.zeros(games, np.uint8))

    def part(self, part: slice) -> Values:
        """The same counters, for some of the games."""
        return Values(self.counts, self.endings[part])

    def put(self, places: Sequence[int], other: Values) -> None:
        """Write the endings of games, which have been counted."""
        self.endings[places] = other.endings

    def write(self, places: Sequence[int], played: Results) -> None:
        """Keep the results of games that lanes did not play, and write their endings."""
        self.counts.left.append(played)
        endings = played.games["ending"]
        self.endings[places] = np.where(endings == Ending.WON, 0, endings)


Sink = TypeVar("Sink", Rows, Values)


class LanePlayer(Player):
    """Plays games of one kind in one thread, in lanes."""

    def __init__(self, kernel: LaneKernel, scalar: Scalar, games: int) -> None:
        """games: of one call, at most. scalar: takes over where lanes do not reach."""
        super().__init__(scalar)
        self.worker = Worker(kernel, max(games, 1))
        self.seats = seats_word(scalar.policies)
        self.values = ValueCounts(kernel.by_value)

    def rows(self, decks: Array | None, first: int, into: Rows) -> None:
        """Play into rows, as any player. Raises WrongDeckError."""
        self._all(decks, first, len(into.results), into)

    def total(self, first: int, games: int) -> None:
        """Play games `first`, ... of the seed, and count them by value or add their results up."""
        if not self.worker.kernel.counts_values:
            super().total(first, games)
            return
        self.by_value(first, np.zeros(games, np.uint8))
        while self.values.left:
            played = self.values.left.pop()
            machine_code(ADD_UP)(played.games, played.scores, *self.counts.results)

    def by_value(self, first: int, endings: Array) -> None:
        """Play games `first`, ... of the seed, and count them by value. endings: of `Values`."""
        self._all(None, first, len(endings), Values(self.values, endings))

    def total_counts(self) -> KernelCounts:
        """What was counted, with the sums of what was counted by value."""
        if self.worker.kernel.counts_values:
            self.counts.add_sums(self.values.sums)
        return self.counts

    def _all(self, decks: Array | None, first: int, games: int, into: Sink) -> None:
        """Play games in lanes, and those that left by other code."""
        if decks is None and not self.worker.kernel.deals:
            decks = self.scalar.deal(first, games)
        marks = self._play(games, 0 if decks is None else decks.ctypes.data, first, into, self.counts)
        if left := [mark for mark in marks if mark >= 0]:  # while they were played
            given = self._decks(first, left) if decks is None else decks[left]
            self._play_scalar(given, [first + index for index in left], into, left)
        if not_dealt := [-1 - mark for mark in marks if mark < 0]:
            self._play_apart(first, not_dealt, into)

    def _play_apart(self, first: int, indices: Sequence[int], into: Sink) -> None:
        """Play games whose decks were not dealt in lanes."""
        apart, again = self._decks(first, indices), into.alike(len(indices))
        for part in self._parts(len(indices)):
            at, number = address_of(apart[part]), first + indices[part.start]
            marks = self._play(part.stop - part.start, at, number, again.part(part), self.counts)
            if left := [part.start + row for row in marks]:
                self._play_scalar(apart[left], [first + indices[row] for row in left], again, left)
        into.put(indices, again)

    def _decks(self, first: int, indices: Sequence[int]) -> Array:
        """The decks of some games of the seed."""
        scalar, deal = self.scalar, machine_code(dealing(self.scalar.game))
        decks = np.empty((len(indices), scalar.game.deck_size), np.uint8)
        for row, index in enumerate(indices):
            deal(decks[row : row + 1], scalar.players, scalar.seed, first + index)
        return decks

    def _play(self, games: int, decks: int, first: int, into: Rows | Values, counts: KernelCounts) -> list[int]:
        """The games that left. decks: their address, or 0."""
        addresses = {"fired": address_of(counts.fired), "used": address_of(counts.used), **into.addresses}
        return self.worker.play(games, decks=decks, seed=self.scalar.seed, first=first, seats=self.seats, **addresses)

    def _parts(self, games: int) -> list[slice]:
        """Games that are played apart: together, or each with its number where dice are rolled; none of no games."""
        step = 1 if self.worker.kernel.rolls else max(games, 1)
        return [slice(start, start + step) for start in range(0, games, step)]

    def _play_scalar(self, decks: Array, numbers: Sequence[int], into: Sink, places: Sequence[int]) -> None:
        """Play games that left; what lanes counted of them is subtracted."""
        for part in self._parts(len(places)):
            given, number = decks[part], numbers[part.start]
            if self.scalar.tally:
                again = KernelCounts(self.scalar.game, self.scalar.players)
                self._play(len(given), address_of(given), number, into.alike(len(given)), again)
                self.counts.change(again, -1)
            rows = Rows(*blank_rows(len(given), self.scalar.players))
            self.scalar.play(given, number, rows, self.counts)
            into.write(places[part], Results(rows.results, rows.scores))


def writable(rows: Array) -> Array:
    """The same rows, copied if they are read-only: machine code is compiled for arrays that may be written."""
    return rows if rows.flags.writeable else rows.copy()
