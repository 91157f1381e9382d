"""Zero-sum games of two seats in sequence form: best responses, equilibria, and bounds that prove them.

The sequence form is that of von Stengel (Efficient computation of behavior strategies, 1996). Small games are solved by
linear programming, larger ones by predictive regret matching. Either result is reported with bounds: what each plan of
the pair gains against the best response to it, computed on the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsm.edge.numbers import Array, np
from maumau.kernels.engine import program_of
from maumau.solve.compiled.strategies import InfoSets, RegretSums, improve, respond
from maumau.solve.compiled.tree import BEGIN, COUNT, PARENT

LARGEST_PROGRAM = 20_000
"""Sequences of both seats up to which a game is solved by linear programming."""
CHECKED = 25
"""Steps between two looks at the bounds."""


RESPOND, IMPROVE = program_of(respond), program_of(improve)


@dataclass(frozen=True)
class Infos:
    """The information sets of a seat. parents: the last sequence before each; begins, counts: its own ones.

    rows: their numbers among those of both seats. sequences: how many there are.
    """

    parents: Array
    begins: Array
    counts: Array
    rows: Array
    sequences: int

    @classmethod
    def of(cls, infos: Array, seats: Array, seat: int) -> Infos:
        """Those of a seat. infos, seats: of both, as in `maumau.solve.compiled.tree`."""
        rows = (seats == seat).nonzero()[0]
        parents, begins, counts = (infos[rows, column].copy() for column in (PARENT, BEGIN, COUNT))
        return cls(parents, begins, counts, rows, 1 + int(counts.sum()))

    def plan(self, chances: Array) -> Array:
        """The plan of the chances of moves, given for all sequences."""
        plan = np.ones(self.sequences)
        for parent, begin, count in zip(self.parents.tolist(), self.begins.tolist(), self.counts.tolist(), strict=True):
            plan[begin : begin + count] = plan[parent] * chances[begin : begin + count]
        return plan

    def chances(self, plan: Array) -> Array:
        """The chances of moves of a plan; all are equal where it does not lead."""
        of = np.repeat(np.arange(len(self.begins)), self.counts)
        positive, found = np.maximum(plan, 0), np.ones(self.sequences)
        sums = np.zeros(len(self.begins))
        np.add.at(sums, of, positive[1:])
        found[1:] = np.where(sums[of] > 0, positive[1:] / np.where(sums > 0, sums, 1)[of], 1 / self.counts[of])
        return found

    def chosen(self, moves: Array) -> Array:
        """The chances where one move is made in each information set."""
        found = np.zeros(self.sequences)
        found[0] = 1
        found[self.begins + moves] = 1
        return found

    @property
    def sets(self) -> InfoSets:
        """Those of machine code."""
        return InfoSets(self.parents, self.begins, self.counts)

    def best(self, gains: Array) -> tuple[float, Array]:
        """What a best response gains, and its moves, given what each last sequence gains."""
        gains, moves = np.ascontiguousarray(gains, float), np.zeros(len(self.parents), np.int64)
        RESPOND.code()(self.sets, gains, moves)
        return float(gains[0]), moves


@dataclass(frozen=True)
class Equilibrium:
    """A pair of plans. lower, upper: what the first seat gains at least by its plan, and at most against the other."""

    plans: tuple[Array, Array]
    lower: float
    upper: float

    @property
    def value(self) -> float:
        """The middle of both bounds."""
        return (self.lower + self.upper) / 2


def bounds(seats: tuple[Infos, Infos], matrix: Any, plans: tuple[Array, Array]) -> Equilibrium:
    """A pair of plans with the best responses to both. matrix: what the first seat gains by pairs of sequences."""
    lower, _ = seats[1].best(-(matrix.T @ plans[0]))
    upper, _ = seats[0].best(matrix @ plans[1])
    return Equilibrium(plans, min(-lower, upper), upper)  # they may differ in the last digit


def by_program(seats: tuple[Infos, Infos], matrix: Any, barred: Sequence[int] = ()) -> Equilibrium:
    """The equilibrium by linear programming, with HiGHS. Raises ValueError if that finds none.

    barred: sequences that the first seat does not play; then `lower` is what it gains without them.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    first, second = (_constraints(infos) for infos in seats)
    plans, values = seats[0].sequences, second.shape[0]
    cost, start, begun = np.zeros(plans + values), np.zeros(first.shape[0]), np.zeros(values)
    cost[plans], start[0], begun[0] = -1, 1, 1
    given = sparse.hstack([-matrix.T, second.T], format="csr")
    fixed = sparse.hstack([first, sparse.csr_matrix((first.shape[0], values))], format="csr")
    limits: list[tuple[float | None, float | None]] = [(0.0, None)] * plans + [(None, None)] * values
    for place in barred:
        limits[place] = 0.0, 0.0
    found = linprog(cost, given, np.zeros(given.shape[0]), fixed, start, limits, method="highs")
    if found.status != 0:
        raise ValueError(f"linear programming: {found.message}")
    each = found.x[:plans], -found.ineqlin.marginals
    made = [infos.plan(infos.chances(plan)) for infos, plan in zip(seats, each, strict=True)]
    return bounds(seats, matrix, (made[0], made[1]))


def _constraints(infos: Infos) -> Any:
    """What makes numbers a plan: those of an information set add up to that of the sequence before it."""
    from scipy import sparse

    count, rows = len(infos.parents), np.arange(1, len(infos.parents) + 1)
    lines = np.concatenate([[0], rows, np.repeat(rows, infos.counts)])
    columns = np.concatenate([[0], infos.parents, np.arange(1, infos.sequences)])
    signs = np.concatenate([[1.0], -np.ones(count), np.ones(infos.sequences - 1)])
    return sparse.csr_matrix((signs, (lines, columns)), shape=(count + 1, infos.sequences))


class Matching:
    """Predictive regret matching of both seats in turn, which can be interrupted and goes on where it was."""

    def __init__(self, seats: tuple[Infos, Infos], matrix: Any) -> None:
        self._seats, self._matrix, self.steps = seats, matrix, 0
        self._kept = [RegretSums(*(np.zeros(infos.sequences) for _ in RegretSums._fields)) for infos in seats]
        for infos, kept in zip(seats, self._kept, strict=True):
            kept.plan[:] = infos.plan(infos.chances(np.zeros(infos.sequences)))

    def step(self) -> None:
        """One step of each seat."""
        self.steps += 1
        code = IMPROVE.code()
        for seat, infos in enumerate(self._seats):
            other = self._kept[1 - seat].plan
            gains = self._matrix @ other if seat == 0 else -(self._matrix.T @ other)
            code(infos.sets, self._kept[seat], gains, self.steps**2)

    def run(self, gap: float, tell: Callable[[str], None]) -> Equilibrium:
        """Go on until the bounds are no more than `gap` apart. tell: called now and then with a line."""
        while True:
            for _ in range(CHECKED):
                self.step()
            found = self.found
            if found.upper - found.lower <= gap:
                return found
            tell(f"{self.steps:,} steps, the value is {found.lower:z.6f} to {found.upper:z.6f}")

    def saved(self) -> dict[str, Array]:
        """All that has to be kept to go on."""
        return {"steps": np.array([self.steps])} | {
            f"seat{seat}": np.array(kept) for seat, kept in enumerate(self._kept)
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from what was kept."""
        self.steps = int(arrays["steps"][0])
        self._kept = [RegretSums(*map(np.copy, arrays[f"seat{seat}"])) for seat in range(2)]

    @property
    def found(self) -> Equilibrium:
        """The average plans so far, with their bounds."""
        first, second = (kept.total / kept.total[0] for kept in self._kept)
        return bounds(self._seats, self._matrix, (first, second))
