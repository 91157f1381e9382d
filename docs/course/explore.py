"""Visit every position that a small deck can lead to, by every legal event."""

from collections import deque
from itertools import permutations


def explore(kind, cards, players, key=str):
    """The successors of each position, for all orders of a deck."""
    return reachable(
        kind, [kind.parse(f"{players} {' '.join(deck)}").position() for deck in permutations(cards.split())], key
    )


def reachable(kind, starts, key=str):
    """The successors of each position that some lead to, in one or more events: lists of (event, position)."""
    edges, queue = {}, deque()

    def add(position):
        if position not in edges:
            edges[position] = []
            queue.append(position)
        return position

    for position in starts:
        add(key(position))
    while queue:
        position = queue.popleft()
        if kind.at(position).outcome is None:
            for move in kind.at(position).events():
                game = kind.at(position)
                game.fire(move.trigger, move.card, move.suit)
                edges[position].append((str(move), add(key(game.position()))))
    return edges
