"""Why sets of cards cannot be named with an event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fsm.declaration.arcs import Arc, Offer
from fsm.declaration.declaration import Declaration
from fsm.stepping.why import Refusing
from rules.rule import mark_of


def against_set(game: Declaration, arcs: Sequence[Arc], table: Any, names: str) -> str:
    """Why the set of cards on the table cannot be named now, in the words of the guard that is made of such sets.

    arcs: of the event in the phase. names: of the cards.
    """
    guards = (guard for guard in arcs[0].conditions if (mark := mark_of(guard)) and mark.cards)
    guard = next(guards, None)
    return Refusing(guard, "conditions").sentence(game, table, names) if guard else "these cards cannot be named now"


def sets_refused(game: Declaration, arcs: Sequence[Arc], table: Any, offer: Offer) -> Iterator[tuple[str, str]]:
    """The sets of cards of the player who acts that cannot be named now with an event, each with the reason.

    arcs: of the event in the phase.
    """
    sets, field = game.codec.sets, game.value_fields[offer.trigger]
    before, value = table.card, getattr(table, field)
    hand = sum(1 << code for code in game.codec.held(table, table.player))
    for mask in sets.masks if sets else ():
        if mask & ~hand == 0 and sets and offer.forms and (found := sets.named(mask)):
            table.card, form = found
            setattr(table, field, form)
            if not offer.forms(table) >> form & 1:
                names = game.card_name(offer.trigger, table.card, form)
                yield names, against_set(game, arcs, table, names)
    table.card = before
    setattr(table, field, value)
