"""Actions chosen by a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array, Row


def best_action(observation: Row, mask: Row, width: int, actions: int, hidden: int, weights: Array, room: Array) -> int:
    """The legal action with the highest score.

    weights: as those of `maumau.agents.scoring.Scorer`. room: the lead of the action over the next one as a part of the
    largest score, the number of a field, and both hidden layers.
    """
    legal, only = 0, -1
    for action in range(actions):
        if mask[action] != 0:
            legal, only = legal + 1, action
    if legal < 2:
        room[0] = 1
        return only
    one = width * hidden
    second = one + hidden
    two = second + hidden * hidden
    last = two + hidden
    three = last + actions * hidden
    units, more_units = room[2 : 2 + hidden], room[2 + hidden : 2 + 2 * hidden]
    for place in range(hidden):
        units[place] = weights[one + place]
        more_units[place] = weights[two + place]
    for field in range(width):
        if observation[field] != 0:
            room[1] = observation[field]
            number, row = room[1], weights[field * hidden : (field + 1) * hidden]
            for place in range(hidden):
                units[place] += number * row[place]
    for unit in range(hidden):
        number, start = units[unit], second + unit * hidden
        if number > 0:
            row = weights[start : start + hidden]
            for place in range(hidden):
                more_units[place] += number * row[place]
    for place in range(hidden):
        more_units[place] = max(more_units[place], 0)
    best, most, next_most, largest = -1, -1e9, -1e9, 1.0
    for action in range(actions):
        if mask[action] == 0:
            continue
        score, row = weights[three + action], weights[last + action * hidden : last + (action + 1) * hidden]
        for place in range(hidden):
            score += more_units[place] * row[place]
        largest = max(largest, abs(score))
        if best < 0 or score > most:
            best, most, next_most = action, score, most
        elif score > next_most:
            next_most = score
    room[0] = (most - next_most) / largest
    return best


def choose(
    observations: Array, masks: Array, hidden: int, weights: Array, room: Array, actions: Array, leads: Array
) -> None:
    """Write the legal action with the highest score for each row, and its lead over the next one."""
    for row in range(len(observations)):
        seen, mask = observations[row], masks[row]
        actions[row] = best_action(seen, mask, observations.shape[1], masks.shape[1], hidden, weights, room)
        leads[row] = room[0]
