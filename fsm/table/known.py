"""A table as one seat knows it: nothing lies or stands there that depends on what the seat does not see.

Hidden cards lie in the order of their codes wherever cards lie hidden, and every other hidden number is that of an
empty table. So whatever is computed from such a table for the seat reveals nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from fsm.edge.kept import kept
from fsm.table.fields import Snapshot
from fsm.table.layout import layout_of
from fsm.table.sight import Relation, Sight
from rules.cards import NO_CARD
from rules.queues import QUEUE_BYTES


def known_table(
    sight: Sight, whole: Any, hands: list[list[int]], others: Sequence[int], seat: int, *, is_over: bool
) -> Any:
    """Return a copy of a table as a seat knows it.

    hands: codes of cards by seat; those that the seat does not see are replaced. others: the seats that have these.
    is_over: whether the game is; then all is seen where all hands are.
    """
    layout = layout_of(sight.game)
    table = layout.copy(whole)
    if is_over and not others:
        return table
    turned_up, indices = sight.turned_up(table), _hidden_indices(sight, table)
    piles = [
        (fact, place, layout.codes_in(fact, table, place))
        for fact in sight.hidden_piles
        for place in fact.piles(table.players)
        if not sight.sees(fact.field, sight.relation(seat, place))
    ]
    lying = [card for _, _, cards in piles for card in cards if not turned_up >> card & 1]
    lying += [table.ring[index] for index in indices]
    hidden = iter(sorted([card for other in others for card in hands[other]] + lying))
    _forget(sight, table, seat)
    for other in others:
        hands[other] = list(islice(hidden, len(hands[other])))
    for other in sight.hidden_hands(table, seat, is_over=False):
        for card in hands[other]:
            sight.game.codec.receive(table, other, card)
    for index in indices:
        table.ring[index] = next(hidden)
    for fact, place, cards in piles:
        layout.lay_pile(fact, table, place, [card if turned_up >> card & 1 else next(hidden) for card in cards])
    return table


def without_hidden(sight: Sight, before: Snapshot, seat: int) -> Any:
    """Return a table of a snapshot on which nothing is but what a seat sees: hidden cards are nowhere."""
    table = layout_of(sight.game).restored(before)
    for index in _hidden_indices(sight, table):
        table.ring[index] = 0
    _forget(sight, table, seat)
    return table


def _hidden_indices(sight: Sight, table: Any) -> list[int]:
    """The indices of the ring with hidden cards."""
    if sight.shows_draw_pile:
        return []
    end, turned_up = table.head + table.stock if sight.shows_discards else table.tail, sight.turned_up(table)
    last = len(table.ring) - 1
    indices = [index & last for index in range(table.head, end)]
    return [index for index in indices if not turned_up >> table.ring[index] & 1] if turned_up else indices


def _forget(sight: Sight, table: Any, seat: int) -> None:
    """Give every field that a seat does not see the value that it has on an empty table; the piles stay."""
    numbers, lists = _hidden_fields(sight, sight.relation(seat, table.player), seat, table.players)
    for name, default in numbers:
        setattr(table, name, default)
    for name, default, own in lists:
        value = getattr(table, name)
        kept = [value[part] for part in own]
        value[:] = default
        for part, items in zip(own, kept, strict=True):
            value[part] = items
    if sight.game.face_down:
        table.card = NO_CARD


Numbers = Sequence[tuple[str, int]]
Lists = Sequence[tuple[str, Any, Sequence[slice]]]


@kept
def _hidden_fields(sight: Sight, relation: Relation, seat: int, players: int) -> tuple[Numbers, Lists]:
    """The fields of which a seat does not see all, each with its value on an empty table: the numbers, and the lists
    with their parts that the seat sees.

    relation: of the seat to the one that acts. players: how many play.
    """
    numbers, lists = [], []
    for name, default in sight.game.defaults.items():
        if isinstance(default, int):
            if not sight.sees(name, relation):
                numbers.append((name, default))
        elif name in sight.fields and not sight.is_open(name):
            each = QUEUE_BYTES if isinstance(default, bytearray) else 1
            owners = sorted(sight.owners(name, seat, players))
            lists.append((name, default, [slice(owner * each, (owner + 1) * each) for owner in owners]))
    return numbers, lists
