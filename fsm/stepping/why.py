"""Why events are refused, in the words of the guards, and which cards the reasons exclude."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import ValueKind
from fsm.stepping.position import open_card
from fsm.table.layout import layout_of
from rules.notation import listed
from rules.rule import RuleFunction, docstring_of, guard_reasons


class Why(NamedTuple):
    """Why an event is refused. sentence: the reason. excludes: as of `IllegalMove`."""

    sentence: str
    excludes: int = 0


def nothing_to_name(game: Declaration, kind: ValueKind | None) -> str:
    """Why an event is refused with which none of its values, or of its cards, may be named now."""
    notation = game.codec.notation
    return f"there is no {kind.word(notation) if kind else notation.card_word} to name"


def guarded(game: Declaration, arcs: tuple[Arc, ...], table: Any, card: str | None) -> Why:
    """Why none of an event's arcs is enabled: the first guard that disables all of them, or else the first of each."""

    def because(guard: RuleFunction, role: str) -> Why:
        if role == "conditions":
            return why_not(game, table, card, guard)
        return Why(excluded(guard), 0 if card is None else 1 << table.card)

    for guard, role in refusing(arcs[0], table):
        if all(guard in getattr(arc, role) for arc in arcs):
            return because(guard, role)
    if any(arc.enabled(table) for arc in arcs):
        return Why(f"it is not offered, though its guards permit it: {game.name} is declared wrongly, see maumau check")
    sentences, excludes = zip(*(because(*next(refusing(arc, table))) for arc in arcs), strict=True)
    return Why(listed(tuple(dict.fromkeys(sentences)), " and "), reduce(or_, excludes))


def refusing(arc: Arc, table: Any) -> Iterator[tuple[RuleFunction, str]]:
    """The guards that disable an arc, each with its role in it."""
    yield from ((guard, "conditions") for guard in arc.conditions if not guard(table))
    yield from ((guard, "unless") for guard in arc.unless if guard(table))


def why_not(game: Declaration, table: Any, card: str | None, guard: RuleFunction) -> Why:
    """Why `guard` refuses: its first reason that is true of the card on the table, called `card`, if one is played."""
    reasons = guard_reasons(guard)
    if card is None:
        return Why(_in_position(game, table, card, reasons[0].sentence))
    reason = next((each for each in reasons if each.excludes(table, table.card)), reasons[-1])
    return Why(_in_position(game, table, card, reason.sentence), reason.excludes(table, table.card))


def excluded(guard: RuleFunction) -> str:
    """Why an event is refused that no arc lets be fired while `guard` holds."""
    return f"not while {docstring_of(guard).split('.')[0].lower()}"


def _in_position(game: Declaration, table: Any, card: str | None, refusal: str) -> str:
    """A sentence with what it names: the card that is played, the open card, and facts of the position."""
    cards = {"card": card or "the card", "open_card": open_card(game, table) or "the open card"}
    named = (fact for fact in game.codec.facts if f"{{{fact.field}}}" in refusal)
    return refusal.format(**{fact.field: layout_of(game).text(fact, table) for fact in named} | cards)
