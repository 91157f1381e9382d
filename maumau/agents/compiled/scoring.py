"""The action that a network chooses.

Most numbers of an observation are zero, and only the scores of legal actions are computed. So it is faster than
products of whole matrices, and it leaves the other cores to other threads. The sums have one order, so the scores do
not depend on the processor.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np


class NetWeights(NamedTuple):
    """A net, and room to compute in.

    hidden: the width of both hidden layers. weights: as those of `maumau.agents.nets.net.Net`. room: the lead of the
    action over the next one as a part of the largest score, both hidden layers, and the numbers of the fields.
    """

    hidden: int
    weights: Array1D[np.float32]
    room: Array1D[np.float32]


def choose(
    observations: Array2D[np.uint8],
    masks: Array2D[np.uint8],
    net: NetWeights,
    actions: Array1D[np.int64],
    leads: Array1D[np.float32],
) -> None:
    """Write the legal action with the highest score for each row, and its lead over the next one."""
    for row in range(len(observations)):
        seen, mask = observations[row], masks[row]
        actions[row] = best_action(seen, mask, observations.shape[1], masks.shape[1], net)
        leads[row] = net.room[0]


def best_action(observation: Array, mask: Array, width: int, actions: int, net: NetWeights) -> int:
    """The legal action with the highest score, or -1 if none is legal. width, actions: the lengths of both rows."""
    legal, only = legal_actions(mask, actions)
    if legal < 2:
        net.room[0] = 1
        return only
    hidden = net.hidden
    second = (width + 1) * hidden
    last = second + (hidden + 1) * hidden
    units, more_units = net.room[1 : 1 + hidden], net.room[1 + hidden : 1 + 2 * hidden]
    seen = net.room[1 + 2 * hidden : 1 + 2 * hidden + width]
    for field in range(width):
        seen[field] = observation[field]
    layer(seen, net.weights[0:second], units)
    layer(units, net.weights[second:last], more_units)
    return highest(mask, actions, more_units, net.weights[last : last + actions * (hidden + 1)], net.room)


def legal_actions(mask: Array, actions: int) -> tuple[int, int]:
    """How many actions are legal, and the last one that is, or -1."""
    legal, last = 0, -1
    for action in range(actions):
        if mask[action] != 0:
            legal, last = legal + 1, action
    return legal, last


def layer(inputs: Array, weights: Array, units: Array) -> None:
    """Set the units of a layer, none below zero. weights: a row for each input, and the offsets."""
    hidden = len(units)
    offsets = len(inputs) * hidden
    for place in range(hidden):
        units[place] = weights[offsets + place]
    for index in range(len(inputs)):
        number = inputs[index]
        if number > 0:
            row = weights[index * hidden : (index + 1) * hidden]
            for place in range(hidden):
                units[place] += number * row[place]
    for place in range(hidden):
        units[place] = max(units[place], 0)


def highest(mask: Array, actions: int, units: Array, weights: Array, room: Array) -> int:
    """The legal action with the highest score; its lead is written into `room`. weights: a row for each action, and the
    offsets.
    """
    hidden = len(units)
    offsets = actions * hidden
    best, most, next_most, largest = -1, -1e9, -1e9, 1.0
    for action in range(actions):
        if mask[action] == 0:
            continue
        score, row = weights[offsets + action], weights[action * hidden : (action + 1) * hidden]
        for place in range(hidden):
            score += units[place] * row[place]
        largest = max(largest, abs(score))
        if best < 0 or score > most:
            best, most, next_most = action, score, most
        elif score > next_most:
            next_most = score
    room[0] = (most - next_most) / largest
    return best
