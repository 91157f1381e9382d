"""A program that chooses the actions of many observations by a network, row by row and in one thread.

Most numbers of an observation are zero, and only the scores of legal actions are computed. So it is faster than
products of whole matrices, and it leaves the other cores to other threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fsm.compiler.kernel import machine_code
from fsm.compiler.naming import Source
from fsm.compiler.program import Program

if TYPE_CHECKING:
    from agents.nets.layers import Network

    Array = np.ndarray[Any, Any]


def chosen(network: Network, observations: Array, masks: Array) -> tuple[Array, Array]:
    """The legal action with the highest score for each row, and its lead over the next one as a part of the largest.

    Raises BulkMissing without numba.
    """
    first, one, second, two, last, three = network.layers
    weights = first * network.scale[:, None], one, second, two, last[:, :-1].T, three[:-1]
    given = [np.ascontiguousarray(array, np.float32) for array in weights]
    room = np.zeros(1, np.float32), np.zeros_like(given[1]), np.zeros_like(given[3])
    actions, leads = np.zeros(len(masks), np.int64), np.zeros(len(masks), np.float32)
    seen = (np.ascontiguousarray(array, np.uint8) for array in (observations, masks))
    machine_code(CHOOSING)(*seen, *given, *room, actions, leads)
    return actions, leads


def _no_rows(subject: None) -> tuple[Any, ...]:
    shapes: tuple[tuple[int, ...], ...] = ((1, 1), (1,)) * 3 + ((1,),) * 3
    given = (np.zeros(shape, np.float32) for shape in shapes)
    return *(np.zeros((0, 1), np.uint8) for _ in range(2)), *given, np.zeros(0, np.int64), np.zeros(0, np.float32)


CHOOSE = '''"""Actions chosen by a network."""


def choose(observations, masks, first, one, second, two, last, three, number, seen, known, actions, leads):
    """Write the legal action with the highest score for each row, and its lead over the next one.

    first, one, second, two, last, three: matrices and offsets of the layers; a row of the last one for each action.
    number, seen, known: room for the number of a field, and for both hidden layers.
    """
    for row in range(len(observations)):
        for place in range(len(one)):
            seen[place] = one[place]
        for field in range(observations.shape[1]):
            if observations[row, field] != 0:
                number[0] = observations[row, field]
                for place in range(len(one)):
                    seen[place] += number[0] * first[field, place]
        for place in range(len(two)):
            known[place] = two[place]
        for unit in range(len(one)):
            if seen[unit] > 0:
                for place in range(len(two)):
                    known[place] += seen[unit] * second[unit, place]
        for place in range(len(two)):
            if known[place] < 0:
                known[place] = 0
        best, most, next_most, largest = -1, -1e9, -1e9, 1.0
        for action in range(masks.shape[1]):
            if masks[row, action] == 0:
                continue
            score = three[action]
            for place in range(len(two)):
                score += known[place] * last[action, place]
            largest = max(largest, abs(score))
            if best < 0 or score > most:
                best, most, next_most = action, score, most
            elif score > next_most:
                next_most = score
        actions[row] = best
        leads[row] = (most - next_most) / largest
'''
CHOOSING = Program("choose", lambda subject: Source(CHOOSE, {}), None, _no_rows)
