"""Writes what keeps the events that players choose in the notes.

The notes have a ring for each seat, in which an event is kept as that seat sees it. An event that others take for
another one, or that passes unseen, is in the ring of the seat that chose it alone. The source takes for granted the
constants EVENTS and PAST, the functions `keep_event`, and VALUE_PLACES with the name of a kind of values: the place of
each code among all values that actions name, from that of no value on.
"""

from __future__ import annotations

from fsm.declaration.arcs import Offer, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import ValueKind
from fsm.table.sight import Relation, sight_of

OWN, PARTNERS, ALL = range(3)
"""Who sees a part of an event: the seat that chose it, its partners also, or all."""


def audience(game: Declaration, phase: Phase, trigger: str) -> tuple[int, int, int]:
    """Return who sees that an event happened in a phase, who sees its card, and who sees its value."""
    sight, kind = sight_of(game), game.value_kind(trigger)
    if (phase, trigger) not in game.seen_by_all:
        return OWN, OWN, OWN
    if trigger in game.face_down:
        return ALL, OWN, OWN

    def seen(field: str) -> int:
        if sight.sees(field, Relation.OTHER):
            return ALL
        return PARTNERS if sight.sees(field, Relation.PARTNER) else OWN

    return ALL, seen("card"), seen(str(kind)) if kind else ALL


def keep_source(game: Declaration, players: int, phase: Phase, offer: Offer, event: int) -> str:
    """Return the statement that keeps an event that is about to fire.

    players: how many. event: its number among the events that players choose.
    """
    kind, value = game.value_kind(offer.trigger), "-1"
    if kind and offer.named:
        code = f"table.{kind}"
        if kind is ValueKind.SEAT:
            code = f"({code} - table.player + {players}) % {players} if {code} >= 0 else -1"
        value = f"VALUE_PLACES_{kind}[1 + ({code})]"
    card = "KIND[table.card]" if offer.cards else "-1"
    seen = ", ".join(map(str, audience(game, phase, offer.trigger)))
    return f"keep_event(notes, table.player, {event}, {card}, {value}, {seen})"
