"""Why a move is refused, in the words of the guards, and what may be done instead."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fsm.arcs import Arc, Declaration, Offer, Phase
from fsm.moves import NONE, Plan, bits, listed, move_of
from fsm.position import fact_text
from rules.rule import RuleFunction, refusal_of


def refused(game: Declaration, plan: Plan, table: Any, move: str, fault: str) -> str:
    """The whole message for a move that is refused because of `fault`."""
    moves = [move_of(game, code) for code in plan.legal(table)]
    if not moves:
        return f"player {table.player + 1} cannot {move}: {fault}"
    first = {each.trigger: str(each) for each in moves[::-1]}
    told = [each.card or each.trigger if str(each) != first[each.trigger] else str(each) for each in moves]
    return f"player {table.player + 1} cannot {move}: {fault}; may {listed(tuple(dict.fromkeys(told)), ' or ')}"


def unmeant(game: Declaration, offer: Offer | None, trigger: str, card: str | None, suit: str | None) -> str | None:
    """Why card and suit cannot be meant for an event, if so, before they are held against the rules."""
    words = game.words.notation.suit_word
    if offer is None or offer.cards is None:
        return None if card is None and suit is None else f"{trigger} takes neither a card nor a {words}"
    if card is None:
        return "a card must be named"
    try:
        game.words.notation.card(card)
        if suit is not None:
            game.words.notation.suit(suit)
    except ValueError as error:
        return str(error)
    return None


def misnamed(game: Declaration, offer: Offer, table: Any) -> str | None:
    """Why the suit on the table cannot go with the card on the table, if so."""
    assert offer.cards is not None
    notation = game.words.notation
    if not offer.cards(table) or table.card not in _equal_cards(game, offer, table):
        return None  # the guards say why
    suits = list(bits(offer.suits(table))) if offer.suits else []
    if suits and table.suit not in suits:
        letters = ", ".join(notation.suits[code] for code in suits)
        return f"it must name a {notation.suit_word}, one of {letters}"
    return f"it names no {notation.suit_word}" if table.suit != NONE and not suits else None


def guarded(game: Declaration, arcs: tuple[Arc, ...], table: Any, card: str | None) -> str:
    """Why none of an event's arcs is enabled: the first guard that keeps all of them back."""
    failed = [
        guard
        for arc in arcs
        for guard in (*(g for g in arc.when if not g(table)), *(g for g in arc.unless if g(table)))
    ]
    always = [guard for guard, times in Counter(failed).items() if times == len(arcs)]
    first = (always or failed)[0]
    if any(first in arc.when for arc in arcs):
        return refusal_of(first).format_map(_told_facts(game, table, card))
    return excluded(first)


def out_of_place(phase: Phase, plan: Plan) -> str:
    """Why an event cannot be fired in a phase that no arc of it leaves."""
    return f"not an event of {phase}, where it is time to {listed(tuple(plan.arcs), ' or ')}"


def _equal_cards(game: Declaration, offer: Offer, table: Any) -> list[int]:
    """The codes of all cards that go by the name of one that is offered."""
    assert offer.cards is not None
    cards = game.words.notation.cards
    names = {cards[code] for code in bits(offer.cards(table))}
    return [code for code, name in enumerate(cards) if name in names]


def _told_facts(game: Declaration, table: Any, card: str | None) -> dict[str, str]:
    """What refusals may name: the card that is played and the facts of the position."""
    facts = {fact.field: fact_text(game, fact, table) for fact in game.words.facts}
    return {**facts, "card": card or "the card", "open_card": game.words.notation.cards[table.open_card]}


def excluded(guard: RuleFunction) -> str:
    """Why an event is refused that no arc lets be fired while `guard` holds."""
    return f"not while {(guard.__doc__ or '').split('.')[0].lower()}"
