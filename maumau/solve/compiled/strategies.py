"""Strategies in sequence form: best responses, and the steps of predictive regret matching.

A plan has a number for each sequence of a seat, the product of the chances of the moves that it is made of; number 0 is
the empty sequence. Information sets are in an order in which the ones that lead to another come before it.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import np
from maumau.kernels.compiled.backward import SEATS
from maumau.solve.compiled.graph import MOST_GAINED, RETURNED


class InfoSets(NamedTuple):
    """The information sets of a seat. parents: the last sequence before each. begins, counts: its own sequences."""

    parents: Array1D[np.int64]
    begins: Array1D[np.int64]
    counts: Array1D[np.int64]


class RegretSums(NamedTuple):
    """The strategy of a seat while it improves, by sequence.

    regrets: the sum that is never negative; latest: the last summand, which predicts the next one. plan: the strategy.
    total: the sum of the plans of all steps, each times its weight.
    """

    regrets: Array1D[np.float64]
    latest: Array1D[np.float64]
    plan: Array1D[np.float64]
    total: Array1D[np.float64]


def respond(infos: InfoSets, gains: Array1D[np.float64], best: Array1D[np.int64]) -> None:
    """Find the best moves, given what each last sequence gains; then `gains[0]` is what they gain in all.

    best: a row for the place of the best move in each information set.
    """
    parents, begins, counts = infos.parents, infos.begins, infos.counts
    for back in range(1, len(parents) + 1):
        info = len(parents) - back
        begin = begins[info]
        chosen = 0
        for number in range(1, counts[info]):
            if gains[begin + number] > gains[begin + chosen]:
                chosen = number
        best[info] = chosen
        gains[parents[info]] += gains[begin + chosen]


def improve(infos: InfoSets, strategy: RegretSums, gains: Array1D[np.float64], weight: int) -> None:
    """One step of predictive regret matching (PCFR+: Farina, Kroer, Sandholm, AAAI 2021), given what sequences gain.

    weight: that of the plan among those of all steps.
    """
    parents, begins, counts = infos.parents, infos.begins, infos.counts
    regrets, latest, plan = strategy.regrets, strategy.latest, strategy.plan
    for back in range(1, len(parents) + 1):
        info = len(parents) - back
        begin, end = begins[info], begins[info] + counts[info]
        norm, value = 0.0, 0.0
        for place in range(begin, end):
            norm += max(regrets[place] + latest[place], 0.0)
        for place in range(begin, end):
            if norm > 0.0:
                value += max(regrets[place] + latest[place], 0.0) / norm * gains[place]
            else:
                value += gains[place] / counts[info]
        for place in range(begin, end):
            latest[place] = gains[place] - value
            regrets[place] = max(regrets[place] + latest[place], 0.0)
        gains[parents[info]] += value
    plan[0] = 1.0
    for info in range(len(parents)):
        begin, end = begins[info], begins[info] + counts[info]
        norm, reached = 0.0, plan[parents[info]]
        for place in range(begin, end):
            norm += max(regrets[place] + latest[place], 0.0)
        for place in range(begin, end):
            if norm > 0.0:
                plan[place] = reached * max(regrets[place] + latest[place], 0.0) / norm
            else:
                plan[place] = reached / counts[info]
    for place in range(len(plan)):
        strategy.total[place] += weight * plan[place]


class ValueIteration(NamedTuple):
    """What positions are worth to the first seat.

    first, moves, movers: the graph (`maumau.solve.compiled.graph`). sides: for each seat 1 or -1, what its win is.
    follows: for each seat the row of `chances`, of all moves, by which it plays, or -1 if it is free. before: the worth
    of the round before, or `worth` itself. length: the step since which it is so. changed: the largest change.
    """

    first: Array1D[np.int64]
    moves: Array1D[np.int32]
    movers: Array1D[np.int32]
    sides: Array1D[np.int64]
    follows: Array1D[np.int64]
    chances: Array2D[np.float64]
    before: Array1D[np.float64]
    worth: Array1D[np.float64]
    length: Array1D[np.int32]
    changed: Array1D[np.float64]


def expect(values: ValueIteration, step: int) -> None:
    """One round of value iteration: what each position is worth to the first seat, and since which step."""
    first, moves, chances, sides = values.first, values.moves, values.chances, values.sides
    before, worth, changed = values.before, values.worth, values.changed
    changed[0] = 0.0
    for back in range(1, len(worth) + 1):
        here = len(worth) - back
        seat = values.movers[here] & SEATS
        side, row = sides[seat], values.follows[seat]
        total, best = 0.0, -1e300
        for number in range(first[here], first[here + 1]):
            there = moves[number]
            value = 0.0
            if there >= 0:
                value += before[there]
            elif there <= -MOST_GAINED:
                value += sides[0] * (there + RETURNED)
            elif there < -1:
                value += sides[-2 - there]
            if row >= 0:
                total += chances[row, number] * value
            best = max(best, side * value)
        found = side * best
        if row >= 0:
            found = total
        if found != worth[here]:
            changed[0] = max(changed[0], abs(found - worth[here]))
            worth[here] = found
            values.length[here] = step
