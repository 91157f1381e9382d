"""A tree over what the seat that searches sees: games are played through it by upper confidence bounds.

UCT on information sets (Kocsis and Szepesvari 2006; Cowling, Powley and Whitehouse 2012), with one tree for each
decision. A node stands for what the seat has seen since the decision, so all worlds share it. The other seats choose by
their policy. A game leaves the tree at its first node that few games have passed, and is then played out as in a flat
search: so actions that are tried at random weigh little in what earlier ones are worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.agents.compiled.batches import CHOSEN
from maumau.agents.compiled.scoring import best_action, legal_actions
from maumau.agents.compiled.worlds import copy_notes, finish_by_net, gain, play_out
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.program import HORIZON

if TYPE_CHECKING:
    from maumau.agents.compiled.given import (
        ACTIONS,
        BY_NET,
        DECLARES_REWARDS,
        WIDTH,
        advance,
        observe,
        own_action,
        run,
        seen_key,
        write_mask,
    )
    from maumau.kernels.compiled.given import FINAL, Array, Row, Table, copy, new_integers

FIRST_KEY = 1
"""The key of the root."""
SURE = 0.35
"""The weight of the confidence bounds by which an action is given up at the root, in units as EXPLORATION."""
DEPTH = 64
"""Decisions of a game in the tree, at most."""
RIPE = 16
"""Games that leave the tree at a node, by the own policy of the seat, before other actions are tried there."""
EXPLORATION = 0.7
"""The weight of the confidence bound of a chance to win; of points, in units of twice their mean deviation."""
KEY, VISITS, FIRST, COUNT = range(4)
"""Columns of a node: its key, how many games came by, its first edge, and how many edges it has."""
ACTION, TRIED, GAINED = range(3)
"""Columns of an edge: its action, how many games took it, and what they gained together."""
ROOT = 1
"""The first node. Node 0 stands for none, and edge 0 holds how many nodes and edges there are (`NODES`, `EDGES`)."""
NODES, EDGES = range(2)
GAMES, TOTAL, DEVIATION = range(3)
"""What `scale` holds: how many games there were, what they gained, and how far each was from the mean then."""
LOGARITHM, ROOTS = range(2)
"""Rows of `curve`, by a number of games: the square roots of its logarithm, and of its inverse."""
MULTIPLIER = 0x1E3779B97F4A7C15
"""An odd number by which keys are mixed."""


def mix(key: int, number: int) -> int:
    """Mix a number into a key."""
    key = (key ^ number) * MULTIPLIER
    return key ^ (key >> 29 & 0x7FFFFFFFF)


def explore(
    world: Table, after: Table, phase: int, seat: int, seats: Row, legal: Row, mask: Row,
    noted: Row, lying: Row, kept: Row, kept_lying: Row, line: Row, choices: Row,
    hidden: int, weights: Array, room: Array,
    marks: Array, nodes: Array, edges: Array, scale: Array, curve: Array,
) -> bool:  # fmt: skip
    """Play a game through the tree from a world for each action that may be the best; whether all could go on.

    legal: the actions at the root. marks: the nodes by the ends of their keys. mask: memory.
    """
    nodes_passed, edges_passed = new_integers(DEPTH), new_integers(DEPTH)
    if edges[0, NODES] == 0:
        found, _ = legal_actions(legal, ACTIONS)
        marks[find(marks, nodes, FIRST_KEY)] = grow(nodes, edges, legal, found, FIRST_KEY)
    first, count, least = nodes[ROOT, FIRST], nodes[ROOT, COUNT], -1e300
    width = SURE * curve[LOGARITHM, min(nodes[ROOT, VISITS], curve.shape[1] - 1)]
    if DECLARES_REWARDS:
        width = width * 2 * scale[DEVIATION] / max(scale[GAMES], 1.0)
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        if tried > 0:
            least = max(least, edges[edge, GAINED] / tried - width * curve[ROOTS, min(tried, curve.shape[1] - 1)])
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        if tried > 0 and edges[edge, GAINED] / tried + width * curve[ROOTS, min(tried, curve.shape[1] - 1)] < least:
            continue
        copy(after, world)
        depth, end = walk(
            after, phase, seat, edge, seats, mask, noted, lying, kept, kept_lying, line, choices, hidden, weights,
            room, marks, nodes, edges, scale, curve, nodes_passed, edges_passed,
        )  # fmt: skip
        if end == STUCK:
            return False
        worth = gain(after, seat) if end == FINAL else 0
        for index in range(depth):
            nodes[nodes_passed[index], VISITS] += 1
            edges[edges_passed[index], TRIED] += 1
            edges[edges_passed[index], GAINED] += worth
        if DECLARES_REWARDS:
            scale[GAMES] += 1
            scale[TOTAL] += worth
            scale[DEVIATION] += abs(worth - scale[TOTAL] / scale[GAMES])
    return True


def walk(
    table: Table, phase: int, seat: int, first: int, seats: Row, mask: Row,
    noted: Row, lying: Row, kept: Row, kept_lying: Row, line: Row, choices: Row,
    hidden: int, weights: Array, room: Array,
    marks: Array, nodes: Array, edges: Array, scale: Array, curve: Array, nodes_passed: Row, edges_passed: Row,
) -> tuple[int, int]:  # fmt: skip
    """Play a game through the tree, and out; how many nodes it passed, and the phase at its end.

    first: the edge of the root by which it begins.
    """
    depth, key, limit = 1, FIRST_KEY, 0
    nodes_passed[0], edges_passed[0] = ROOT, first
    if BY_NET:
        copy_notes(table, seat, noted, lying, kept, kept_lying)
        limit = kept[CHOSEN] + HORIZON
    action = edges[first, ACTION]
    while True:
        phase, decides = go_on(table, phase, action, seat, limit, seats, kept, kept_lying)
        if not decides:
            return depth, phase
        key = seen_key(table, seat, mix(mix(key, action), phase))
        if not write_mask(table, phase, mask):
            return depth, STUCK
        legal, action = legal_actions(mask, ACTIONS)
        if legal < 2:
            continue
        at = find(marks, nodes, key)
        node, edge = marks[at], 0
        if node > 0 and nodes[node, VISITS] >= RIPE and depth < DEPTH:
            edge = chosen_edge(nodes, edges, node, mask, scale, curve)
        leaves = edge == 0
        if leaves:
            action = choice(table, phase, seat, mask, action, kept, kept_lying, line, hidden, weights, room)
            if node == 0:
                node = grow(nodes, edges, mask, legal, key)
                marks[at] = node
            edge = edge_of(nodes, edges, node, action)
        else:
            action = edges[edge, ACTION]
        if edge > 0 and depth < DEPTH:
            nodes_passed[depth] = node
            edges_passed[depth] = edge
            depth += 1
        if leaves:
            return depth, finish(
                table, phase, action, seat, limit, seats,
                noted, lying, kept, kept_lying, line, choices, hidden, weights, room,
            )  # fmt: skip


def choice(
    table: Table, phase: int, seat: int, mask: Row, default: int, kept: Row, kept_lying: Row, line: Row,
    hidden: int, weights: Array, room: Array,
) -> int:  # fmt: skip
    """The action that the policy or the net of the seat chooses. default: in place of one without a number."""
    if BY_NET:
        observe(table, phase, seat, kept, kept_lying, line)
        return best_action(line, mask, WIDTH, ACTIONS, hidden, weights, room)
    action = own_action(table, phase)
    return action if action >= 0 else default


def finish(
    table: Table, phase: int, action: int, seat: int, limit: int, seats: Row,
    noted: Row, lying: Row, kept: Row, kept_lying: Row, line: Row, choices: Row,
    hidden: int, weights: Array, room: Array,
) -> int:  # fmt: skip
    """Play an action and then the game outside of the tree; the last phase."""
    if BY_NET:
        return finish_by_net(
            table, phase, action, seat, limit, seats, kept, kept_lying, line, choices, hidden, weights, room
        )
    return play_out(table, phase, action, seats, noted, lying, kept, kept_lying, line, choices, hidden, weights, room)


def go_on(
    table: Table, phase: int, action: int, seat: int, limit: int, seats: Row, kept: Row, kept_lying: Row
) -> tuple[int, bool]:
    """Play an action, and go on to the next decision of the seat; the phase, and whether it is one of a decision."""
    if BY_NET:
        nothing = new_integers(0)
        phase = run(
            table, phase, seats, limit, action, kept, kept_lying,
            nothing, nothing, 0, table, nothing, nothing, nothing, nothing,
        )  # fmt: skip
        return phase, phase not in (FINAL, STUCK) and kept[CHOSEN] < limit
    phase = advance(table, phase, action, seat, HORIZON)
    return phase, phase not in (FINAL, STUCK) and table.player == seat


def find(marks: Array, nodes: Array, key: int) -> int:
    """The place of a key among the marks: that of its node, or an empty one."""
    last = len(marks) - 1
    at = key & last
    while marks[at] != 0 and nodes[marks[at], KEY] != key:
        at = at + 1 & last
    return at


def grow(nodes: Array, edges: Array, mask: Row, legal: int, key: int) -> int:
    """Add a node with an edge for each legal action; the node, or 0 if there is no room."""
    node: int = edges[0, NODES] + 1
    edge = edges[0, EDGES] + 1
    if node >= len(nodes) or edge + legal > len(edges):
        return 0
    edges[0, NODES] = node
    edges[0, EDGES] = edge + legal - 1
    nodes[node, KEY] = key
    nodes[node, VISITS] = 0
    nodes[node, FIRST] = edge
    nodes[node, COUNT] = legal
    for action in range(ACTIONS):
        if mask[action] != 0:
            edges[edge, ACTION] = action
            edges[edge, TRIED] = 0
            edges[edge, GAINED] = 0
            edge += 1
    return node


def edge_of(nodes: Array, edges: Array, node: int, action: int) -> int:
    """The edge of a node with an action, or 0; node 0 has none."""
    for edge in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT]):
        if edges[edge, ACTION] == action:
            return int(edge)
    return 0


def chosen_edge(nodes: Array, edges: Array, node: int, mask: Row, scale: Array, curve: Array) -> int:
    """The edge with the highest upper confidence bound of those whose action is legal, or 0.

    Edges that no game took come first, in an order that depends on the node.
    """
    first, width = nodes[node, FIRST], EXPLORATION * curve[LOGARITHM, min(nodes[node, VISITS], curve.shape[1] - 1)]
    if DECLARES_REWARDS:
        width = width * 2 * scale[DEVIATION] / scale[GAMES]
    best, most = 0, -1e300
    for edge in range(first, first + nodes[node, COUNT]):
        if mask[edges[edge, ACTION]] == 0:
            continue
        tried = edges[edge, TRIED]
        if tried == 0:
            bound = 1e200 * (1 + (mix(nodes[node, KEY], edge) & 0xFFFF))
        else:
            bound = edges[edge, GAINED] / tried + width * curve[ROOTS, min(tried, curve.shape[1] - 1)]
        if bound > most:
            best, most = edge, bound
    return best
