"""Why events are refused, in the words of the guards, and which cards the reasons exclude."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import ValueKind
from fsm.stepping.position import open_card
from fsm.table.layout import layout_of
from rules.notation import listed
from rules.rule import Reason, RuleFunction, docstring_of, guard_reasons


class Why(NamedTuple):
    """Why an event is refused. sentence: the reason. excludes: finds the mask of the cards that it excludes, as of
    `IllegalMove`, as long as the table is as it was.
    """

    sentence: str
    excludes: Callable[[], int] = int


class EventRefused(Exception):
    """An event is refused. why: the reason; a text for one that is about no card."""

    def __init__(self, why: Why | str) -> None:
        self.why = Why(why) if isinstance(why, str) else why


def nothing_to_name(game: Declaration, kind: ValueKind | None) -> str:
    """Why an event is refused with which none of its values, or of its cards, may be named now."""
    notation = game.codec.notation
    return f"there is no {kind.word(notation) if kind else notation.card_word} to name"


def guarded(game: Declaration, arcs: tuple[Arc, ...], table: Any, card: str | None) -> Why:
    """Why none of an event's arcs is enabled: the first guard that disables all of them, or else the first of each."""
    for each in refusing(arcs[0], table):
        if all(each.guard in getattr(arc, each.role) for arc in arcs):
            return _why(game, table, card, [each])
    if any(arc.enabled(table) for arc in arcs):
        return Why(f"it is not offered, though its guards permit it: {game.name} is declared wrongly, see maumau check")
    return _why(game, table, card, [next(refusing(arc, table)) for arc in arcs])


def _why(game: Declaration, table: Any, card: str | None, refused_by: Sequence[Refusing]) -> Why:
    """Why guards refuse an event, of which one disables each arc."""
    sentences = [each.sentence(game, table, card) for each in refused_by]
    sentence = sentences[0] if len(sentences) == 1 else listed(tuple(dict.fromkeys(sentences)), " and ")
    return Why(sentence) if card is None else Why(sentence, partial(_excluded, game, table, refused_by, table.card))


def _excluded(game: Declaration, table: Any, refused_by: Sequence[Refusing], card: int) -> int:
    """The mask of the cards that guards exclude, of which one disables each arc; of cards with one name all or none.

    card: the code of the one that they refuse.
    """
    before, found = table.card, -1
    for each in refused_by:
        table.card = card
        found &= each.excluded(game, table)
    table.card = before
    return others_than(game, {name for code, name in enumerate(game.codec.notation.cards) if not found >> code & 1})


def others_than(game: Declaration, names: Collection[str]) -> int:
    """The mask of the cards with other names."""
    return sum(1 << code for code, name in enumerate(game.codec.notation.cards) if name not in names)


class Refusing(NamedTuple):
    """A guard that disables an arc. role: in the arc, `conditions` or `unless`."""

    guard: RuleFunction
    role: str

    def sentence(self, game: Declaration, table: Any, card: str | None) -> str:
        """Why it refuses, in words. card: the name of the card on the table, if one is played."""
        if self.role == "unless":
            return excluded(self.guard)
        refusal = self._reason(table, card is not None).sentence
        cards = {"card": card or "the card", "open_card": open_card(game, table) or "the open card"}
        named = (fact for fact in game.codec.facts if f"{{{fact.field}}}" in refusal)
        return refusal.format(**{fact.field: layout_of(game).text(fact, table) for fact in named} | cards)

    def _reason(self, table: Any, is_played: bool) -> Reason:
        """The first reason that is true of the card on the table, if one is played; else the first one."""
        first, *others = guard_reasons(self.guard)
        if not (others and is_played):
            return first
        return next((each for each in (first, *others) if each.is_true_of(table, table.card)), others[-1])

    def excluded(self, game: Declaration, table: Any) -> int:
        """The mask of the cards that it excludes: those of its reason against the card on the table that it refuses, or
        else all that it refuses, of which one is left on the table. A house rule may allow more than a reason says.
        """
        mask = self._reason(table, is_played=True).mask(table) if self.role == "conditions" else None
        found, holds = 0, self.role == "unless"
        for table.card in range(len(game.codec.notation.cards)):
            found |= (bool(self.guard(table)) is holds) << table.card
        return found if mask is None else found & mask


def refusing(arc: Arc, table: Any) -> Iterator[Refusing]:
    """The guards that disable an arc."""
    yield from (Refusing(guard, "conditions") for guard in arc.conditions if not guard(table))
    yield from (Refusing(guard, "unless") for guard in arc.unless if guard(table))


def excluded(guard: RuleFunction) -> str:
    """Why an event is refused that no arc lets be fired while `guard` holds."""
    return f"not while {docstring_of(guard).split('.')[0].lower()}"
