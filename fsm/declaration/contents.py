"""What is wrong with the table, the deck, the facts and the small decks of a declaration, found without playing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from fsm.declaration.arcs import SmallDeck
from fsm.declaration.facts import Fact, default_values
from fsm.declaration.parts import Parts
from rules.notation import shown
from rules.queues import QUEUE_BYTES
from rules.rule import RuleFunction
from rules.visibility import SeenBy, visibility

KINDS = get_args(get_type_hints(Fact)["kind"])
"""The kinds of facts."""
OF_LISTS = ("counts", "cards", "pile")
"""Those of fields that are lists."""
MAX_NUMBER, MAX_COUNT = 254, 999_999_999
"""The greatest number of a fact, for which a checked position has a byte, and in a list."""
MAX_CODES = 63
"""A hand is a mask in a signed number of 64 bits."""


def unfit_table(game: Parts) -> Iterator[str]:
    """Fields that are no integers, lists of them or byte rings, and room for too few seats or cards."""
    for name, value in default_values(game.table).items():
        if not _is_compiled(value):
            expected = "an integer, a list of integers or a bytearray"
            yield f"table: {name} is {shown(value)}, expected {expected}, such as {name}: int = seen_by_all(0)"
        elif isinstance(value, list) and len(value) < game.codec.most:
            seats = f"{len(value)} seats, there are up to {game.codec.most} players"
            yield f"table: {name} has {seats}, expected factory=each_seat({game.codec.most})"
        elif isinstance(value, bytearray) and len(value) < game.deck_size:
            size = f"{len(value)} places, the deck has {game.deck_size} cards"
            yield f"table: {name} has {size}, expected ring_of({1 << (game.deck_size - 1).bit_length()})"


def _is_compiled(value: Any) -> bool:
    """Whether a field with this value is one that rule functions may have."""
    return isinstance(value, int | bytearray) or (isinstance(value, list) and all(isinstance(x, int) for x in value))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def unfit_deck(game: Parts) -> Iterator[str]:
    """Numbers that are none, and cards that the notation does not have."""
    codec, names = game.codec, game.codec.notation.cards
    for what, number in (("deck_size", game.deck_size), ("fewest", codec.fewest), ("most", codec.most)):
        if not _is_number(number) or number < 1:
            yield f"{what} is {shown(number)}, expected a number from 1 on"
            return
    if codec.fewest > codec.most:
        yield f"the fewest players are {codec.fewest}, the most {codec.most}, expected no fewer"
    sides = game.scoring.sides
    seated = range(codec.fewest, codec.most + 1)
    if sides and not all(players > sides > 1 and players % sides == 0 for players in seated):
        yield f"scoring: {sides} sides of {codec.fewest} to {codec.most} players, expected sides of equal size"
    if (needed := codec.most * codec.cards_each(codec.most)) > game.deck_size:
        yield f"the hands of {codec.most} players are {needed} cards, the deck has {game.deck_size}"
    if len(names) > MAX_CODES:
        yield f"the notation has {len(names)} cards, expected at most {MAX_CODES}, and one code for equal cards"
    deck = bytearray(game.deck_size)
    game.fill(deck)
    if codec.sets is not None and _has_twins(game):
        yield "sets of cards are named, expected a deck in which every card is there once"
    if max(deck) >= len(names):
        yield f"fill puts card {max(deck)} into the deck of {game.deck_size}, the notation has {len(names)} cards"


def unfit_facts(game: Parts) -> Iterator[str]:
    """Facts of a field that the table does not have, of an unknown kind, or with the name of another one."""
    values = default_values(game.table)
    names: set[str] = set()
    for fact in game.codec.facts:
        if fact.name in names:
            yield f"fact {fact.name}: another fact has this name, expected different names"
        names.add(fact.name)
        if fact.kind not in KINDS:
            yield f"fact {fact.name}: unknown kind {shown(fact.kind)}, expected one of {', '.join(KINDS)}"
        elif fact.field not in values:
            yield f"fact {fact.name}: the table has no field {shown(fact.field)}, expected one of {', '.join(values)}"
        elif not 0 < fact.most <= (MAX_COUNT if fact.kind == "counts" else MAX_NUMBER):
            room = MAX_COUNT if fact.kind == "counts" else MAX_NUMBER
            yield f"fact {fact.name}: most is {shown(fact.most)}, expected 1 to {room}"
        elif fact.is_queue != isinstance(values[fact.field], bytearray):
            row = "queues(...)" if fact.is_queue else "no queues"
            yield f"fact {fact.name}: {fact.field} is of another kind than {fact.kind}, expected {row}"
        elif isinstance(values[fact.field], list) != (fact.kind in OF_LISTS):
            is_list = "a list" if isinstance(values[fact.field], list) else "no list"
            kind = "counts" if isinstance(values[fact.field], list) else "another kind"
            yield f"fact {fact.name}: {fact.field} is {is_list}, the kind is {fact.kind}, expected {kind}"
        elif fact.is_pile:
            yield from _unfit_pile(game, fact)


def _unfit_pile(game: Parts, fact: Fact) -> Iterator[str]:
    """A pile in the middle that one seat owns, and one of cards that are there several times."""
    if fact.in_middle and visibility(game.table)[fact.field] is SeenBy.OWNER:
        yield f"fact {fact.name}: a pile in the middle is nobody's own, expected seen_by_all, or that nobody sees it"
    room = len(default_values(game.table)[fact.field]) // QUEUE_BYTES
    if fact.is_queue and room < (needed := len(fact.piles(game.codec.most))):
        yield f"fact {fact.name}: {fact.field} has room for {room} piles, expected queues({needed})"
    if _has_twins(game):
        yield f"fact {fact.name}: a pile has each card once, expected a deck in which every card is there once"


def _has_twins(game: Parts) -> bool:
    """Whether some card is in the deck more than once."""
    deck = bytearray(game.deck_size)
    game.fill(deck)
    return len({game.codec.notation.cards[code] for code in deck}) < len(deck)


def unfit_small_decks(game: Parts) -> Iterator[str]:
    """Small decks of other cards, for other players, or without a function that deals them."""
    if game.small_decks and game.deal_each is None:
        yield "there are small decks, expected deal_each, which deals any deck and any number of cards to each"
    elif game.small_decks and game.deal_each is not None:
        yield from _misdealt(game, game.deal_each, game.small_decks[0].each)
    for small in game.small_decks:
        yield from (f"small deck of {small}: {fault}" for fault in _unfit(small, game))


def _misdealt(game: Parts, deal_each: RuleFunction, each: int) -> Iterator[str]:
    """Hands that are not dealt as the codec says, of the whole deck, and what else `deal` lays out."""
    codec, players = game.codec, game.codec.fewest
    deck, dealt, small = bytearray(game.deck_size), game.table(), game.table()
    game.fill(deck)
    expected: list[list[int]] = [[] for _ in range(players)]
    for index in range(players * each):
        expected[codec.dealt_to(index, players, each)].append(deck[index])
    try:
        deal_each(small, deck, players, each)
        hands = [codec.held(small, seat) for seat in range(players)]
        game.deal(dealt, deck, players)
        deal_each(small := game.table(), deck, players, codec.cards_each(players))
    except Exception as error:
        yield f"deal_each: {each} cards for each of {players} players: {type(error).__name__}: {error}"
        return
    for seat, (hand, wanted) in enumerate(zip(hands, expected, strict=True), 1):
        if sorted(hand) != sorted(wanted):
            found, names = ([codec.notation.cards[card] for card in cards] for cards in (hand, wanted))
            deals = f"deal_each deals player {seat} {' '.join(found) or 'nothing'} of the deck as `fill` makes it"
            yield f"{deals}, expected {' '.join(names)} by `dealt_to` of the codec"
    for name in default_values(game.table):
        if getattr(dealt, name) != getattr(small, name):
            number = f"{codec.cards_each(players)} cards to each of {players} players"
            yield f"deal_each sets {name} to {getattr(small, name)}, deal to {getattr(dealt, name)}, of {number}"


def _unfit(small: SmallDeck, game: Parts) -> Iterator[str]:
    codec, cards = game.codec, small.cards.split()
    for name in cards:
        if not codec.notation.knows(name):
            yield f"unknown {codec.notation.card_word} {shown(name)}, {codec.notation.hint(name)}"
    if not codec.fewest <= small.players <= codec.most:
        yield f"{small.players} players, expected {codec.fewest} to {codec.most}"
    elif len(cards) < small.players * small.each:
        yield f"{len(cards)} cards, expected at least {small.players * small.each}"
