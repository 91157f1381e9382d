"""What the seats of a game of two are told of each event, by the declared visibility, and what they know in the end."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, np
from fsm.table.layout import layout_of
from fsm.table.sight import Relation, sight_of


def follows(game: Declaration) -> bool:
    """Whether who remembers all that was seen knows all cards once the first draw pile is used up.

    All discards are seen, nothing is hidden but hands and the draw pile, nothing is shuffled, and no card is laid face
    down.
    """
    sight, hands = sight_of(game), layout_of(game).hands
    fields = [*(fact.field for fact in (*layout_of(game).facts, *layout_of(game).queues)), *layout_of(game).lists]
    hidden = [field for field in fields if sight.is_hidden(field) and field not in sight.determined]
    by_seat = fields[len(layout_of(game).facts) :]
    owned = [field for field in by_seat if sight.sees(field, Relation.SELF) and not sight.is_open(field)]
    owned = [field for field in owned if field not in hands]
    seen_piles = sight.shows_discards and sight.is_open("card")
    return seen_piles and not (hidden or owned or game.rolling_arcs or game.face_down)


def seen_of(game: Declaration) -> Array:
    """Return what seats are told of each transition: rows with the columns of `maumau.solve.compiled.tree`."""
    return np.array(list(_seen(game)), np.int64)


def _seen(game: Declaration) -> Iterator[tuple[int, int, bool, bool]]:
    triggers, sight = list(game.triggers), sight_of(game)
    other = sight.relation(1, 0)  # of two seats
    for arc in game.arcs:
        shown, is_open = game.arc_seen(arc), arc.trigger not in game.face_down
        card = is_open and sight.sees("card", other)
        value = is_open and sight.sees(game.value_fields[arc.trigger], other)
        yield triggers.index(arc.trigger) + 1, triggers.index(shown.trigger) + 1 if shown else 0, card, value
