"""A tree over what the seat that searches sees: games are played through it by upper confidence bounds.

UCT on information sets (Kocsis and Szepesvari 2006; Cowling, Powley and Whitehouse 2012), with one tree for each
decision. A node stands for what the seat has seen since the decision, so all worlds share it. The other seats choose by
their policy. A game leaves the tree at its first node that few games have passed, and is then played out as in a flat
search: so actions that are tried at random weigh little in what earlier ones are worth.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.numbers import Array
from maumau.agents.compiled.batches import CHOSEN
from maumau.agents.compiled.given import given
from maumau.agents.compiled.scoring import legal_actions
from maumau.agents.compiled.worlds import (
    Playout,
    TreeArrays,
    choice_by_net,
    copy_notes,
    finish_by_net,
    gain,
    go_on_by_net,
    play_out,
)
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.interface import Table

FIRST_KEY = 1
"""The key of the root."""
SURE = 0.35
"""The weight of the confidence bounds by which an action is given up at the root, in units as EXPLORATION.

They are those of all games for which there is room: by those of few games, actions are given up in the first worlds.
"""
DEPTH = 64
"""Decisions of a game in the tree, at most."""
RIPE = 16
"""Games that leave the tree at a node, by the own policy of the seat, before other actions are tried there."""
EXPLORATION = 0.4
"""The weight of the confidence bound of a chance to win; of points, in units of twice their mean deviation.

More weighs down what actions are worth after which a node comes again: in official UNO, skips, which are then kept.
"""
KEY, VISITS, FIRST, COUNT, OWN = range(5)
"""Columns of a node: its key, how many games came by, its first edge, and how many edges it has; OWN: of the root the
edge that the seat would take without a search."""
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


class TreePath(NamedTuple):
    """The nodes and edges that a game has passed."""

    nodes: Array
    edges: Array


def explore(playout: Playout, world: Table, after: Table, phase: int, legal: Array) -> bool:
    """Play a game through the tree from a world for each action that may be the best; whether all could go on.

    legal: the actions at the root.
    """
    tree = playout.tree
    nodes, edges, scale, curve = tree.nodes, tree.edges, tree.scale, tree.curve
    passed = TreePath(nodes=given.new_integers(DEPTH), edges=given.new_integers(DEPTH))
    if edges[0, NODES] == 0:
        found, _ = legal_actions(legal, given.ACTIONS)
        tree.marks[find(tree, FIRST_KEY)] = grow(tree, legal, found, FIRST_KEY)
        given.copy(after, world)
        nodes[ROOT, OWN] = own_edge(playout, after, phase)
    first, count, least = nodes[ROOT, FIRST], nodes[ROOT, COUNT], -1e300
    width = SURE * curve[LOGARITHM, curve.shape[1] - 1]
    if given.DECLARES_REWARDS:
        width = width * 2 * scale[DEVIATION] / max(scale[GAMES], 1.0)
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        if tried > 0:
            least = max(least, edges[edge, GAINED] / tried - width * curve[ROOTS, min(tried, curve.shape[1] - 1)])
    for edge in range(first, first + count):
        tried = edges[edge, TRIED]
        if tried > 0 and edges[edge, GAINED] / tried + width * curve[ROOTS, min(tried, curve.shape[1] - 1)] < least:
            continue
        given.copy(after, world)
        depth, end = walk(playout, passed, after, phase, edge)
        if end == STUCK:
            return False
        worth = gain(after, playout.seat) if end == given.FINAL else 0
        for index in range(depth):
            nodes[passed.nodes[index], VISITS] += 1
            edges[passed.edges[index], TRIED] += 1
            edges[passed.edges[index], GAINED] += worth
        if given.DECLARES_REWARDS:
            scale[GAMES] += 1
            scale[TOTAL] += worth
            scale[DEVIATION] += abs(worth - scale[TOTAL] / scale[GAMES])
    return True


def own_edge(playout: Playout, table: Table, phase: int) -> int:
    """The edge of the root with the action that the policy or the net chooses, or 0 if dice choose it."""
    if given.KEEPS_NOTES:
        copy_notes(playout, table)
    rolls = table.rolls
    action = choice(playout, table, phase, -1)
    return edge_of(playout.tree, ROOT, action) if table.rolls == rolls else 0


def walk(playout: Playout, passed: TreePath, table: Table, phase: int, first: int) -> tuple[int, int]:
    """Play a game through the tree, and out; how many nodes it passed, and the phase at its end.

    first: the edge of the root by which it begins.
    """
    tree, mask, seat = playout.tree, playout.mask, playout.seat
    depth, key, limit = 1, FIRST_KEY, 0
    passed.nodes[0], passed.edges[0] = ROOT, first
    if given.KEEPS_NOTES:
        copy_notes(playout, table)
        limit = playout.kept[CHOSEN] + given.HORIZON
    action = tree.edges[first, ACTION]
    while True:
        phase, decides = go_on(playout, table, phase, action, limit)
        if not decides:
            return depth, phase
        key = given.seen_key(table, seat, mix(mix(key, action), phase))
        if not given.write_mask(table, phase, mask):
            return depth, STUCK
        legal, action = legal_actions(mask, given.ACTIONS)
        if legal < 2:
            continue
        at = find(tree, key)
        node, edge = tree.marks[at], 0
        if node > 0 and tree.nodes[node, VISITS] >= RIPE and depth < DEPTH:
            edge = chosen_edge(tree, node, mask)
        leaves = edge == 0
        if leaves:
            action = choice(playout, table, phase, action)
            if node == 0:
                node = grow(tree, mask, legal, key)
                tree.marks[at] = node
            edge = edge_of(tree, node, action)
        else:
            action = tree.edges[edge, ACTION]
        if edge > 0 and depth < DEPTH:
            passed.nodes[depth] = node
            passed.edges[depth] = edge
            depth += 1
        if leaves:
            return depth, finish(playout, table, phase, action, limit)


def choice(playout: Playout, table: Table, phase: int, default: int) -> int:
    """The action that the policy or the net of the seat chooses. default: in place of one without a number."""
    if given.BY_NET:
        return choice_by_net(playout, table, phase, playout.mask)
    action = given.own_action(table, phase)
    return action if action >= 0 else default


def finish(playout: Playout, table: Table, phase: int, action: int, limit: int) -> int:
    """Play an action and then the game outside of the tree; the last phase."""
    if given.KEEPS_NOTES:
        return finish_by_net(playout, table, phase, action, limit)
    return play_out(playout, table, phase, action)


def go_on(playout: Playout, table: Table, phase: int, action: int, limit: int) -> tuple[int, bool]:
    """Play an action, and go on to the next decision of the seat; the phase, and whether it is one of a decision."""
    if given.KEEPS_NOTES:
        while True:
            phase = go_on_by_net(playout, table, phase, playout.stops, action, limit)
            if phase in (given.FINAL, STUCK) or playout.kept[CHOSEN] >= limit:
                return phase, False
            if not given.DRAWS_OTHERS or table.player == playout.seat:
                return phase, True
            given.write_mask(table, phase, playout.choices)
            action = choice_by_net(playout, table, phase, playout.choices)
    phase = given.advance(table, phase, action, playout.seat, given.HORIZON)
    return phase, phase not in (given.FINAL, STUCK) and table.player == playout.seat


def find(tree: TreeArrays, key: int) -> int:
    """The place of a key among the marks: that of its node, or an empty one."""
    marks, nodes = tree.marks, tree.nodes
    last = len(marks) - 1
    at = key & last
    while marks[at] != 0 and nodes[marks[at], KEY] != key:
        at = at + 1 & last
    return at


def grow(tree: TreeArrays, mask: Array, legal: int, key: int) -> int:
    """Add a node with an edge for each legal action; the node, or 0 if there is no room."""
    nodes, edges = tree.nodes, tree.edges
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
    nodes[node, OWN] = 0
    for action in range(given.ACTIONS):
        if mask[action] != 0:
            edges[edge, ACTION] = action
            edges[edge, TRIED] = 0
            edges[edge, GAINED] = 0
            edge += 1
    return node


def edge_of(tree: TreeArrays, node: int, action: int) -> int:
    """The edge of a node with an action, or 0; node 0 has none."""
    for edge in range(tree.nodes[node, FIRST], tree.nodes[node, FIRST] + tree.nodes[node, COUNT]):
        if tree.edges[edge, ACTION] == action:
            return int(edge)
    return 0


def chosen_edge(tree: TreeArrays, node: int, mask: Array) -> int:
    """The edge with the highest upper confidence bound of those whose action is legal, or 0.

    Edges that no game took come first, in an order that depends on the node.
    """
    nodes, edges, scale, curve = tree.nodes, tree.edges, tree.scale, tree.curve
    first, width = nodes[node, FIRST], EXPLORATION * curve[LOGARITHM, min(nodes[node, VISITS], curve.shape[1] - 1)]
    if given.DECLARES_REWARDS:
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
