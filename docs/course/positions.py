"""Draws all positions of a game as a graph: python positions.py MODULE:CLASS CARDS [EACH]

CARDS: a deck, in all its orders, or one deal: the number of players and the cards. EACH: how many cards everybody
gets, where the deck is not that of the game. It prints the language of Graphviz. A position in which an invariant fails
is red.
"""

import sys
from dataclasses import replace
from pkgutil import resolve_name

from explore import explore, reachable

UNSAID = ("ending", "winner")
"""What a label leaves out."""


def dot(kind, edges):
    """The positions and the events between them. kind: with the invariants that are to hold."""
    number = {position: index for index, position in enumerate(edges)}
    yield 'digraph positions { node [shape="box", style="rounded,filled", fontname="Helvetica"]'
    yield 'edge [fontname="Helvetica", fontsize="11"]'
    for position, moves in edges.items():
        yield f'{number[position]} [label="{label(kind, position)}", {style(kind, position)}]'
        for move, following in moves:
            yield f'{number[position]} -> {number[following]} [label="{move}"]'
    yield "}"


def label(kind, position):
    """The phase of a position, and below it what its facts say; of a game for one, not whose turn it is."""
    unsaid = UNSAID if kind.declaration.codec.most > 1 else ("player", *UNSAID)
    phase, *facts = position.split()
    said = [fact for fact in facts if not fact.startswith(unsaid) and fact.partition("=")[2] not in ("-", "0", "token")]
    return "\\n".join([phase, *said])


def style(kind, position):
    """How a position is drawn: red where an invariant fails, with two lines where the game is over."""
    game = tolerant(kind).at(position)
    colour = "#f4b6b0" if kind.declaration.broken_invariant(game.phase, game.table) else "#eef3fb"
    return f'fillcolor="{colour}", peripheries="{1 if game.outcome is None else 2}"'


def tolerant(kind):
    """The game without its invariants: positions in which they fail are not refused."""
    return type("Tolerant", (kind,), {"declaration": replace(kind.declaration, invariants=())})


def graph(name, cards, each=""):
    """The class of a game, and its positions."""
    kind = resolve_name(name)
    players, _, deck = cards.partition(" ")
    deal = players.isdigit()
    if each:
        kind = kind.with_deck(deck if deal else cards, each=int(each))
    played = tolerant(kind)
    if deal:
        return kind, reachable(played, [played.parse(cards).position()])
    return kind, explore(played, cards, kind.declaration.codec.fewest)


if __name__ == "__main__":
    print("\n".join(dot(*graph(*sys.argv[1:]))))
