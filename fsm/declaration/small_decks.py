"""What is wrong with the small decks of a declaration and with how they are dealt, found without playing."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.declaration.arcs import SmallDeck
from fsm.declaration.decks import full_deck, small_deck
from fsm.declaration.facts import default_values
from fsm.declaration.parts import Parts
from fsm.edge.numbers import bounds
from rules.rule import RuleFunction


def unfit_small_decks(game: Parts) -> Iterator[str]:
    """Small decks of other cards, for other players, or without a function that deals them."""
    if game.small_decks and game.deal_each is None:
        yield "there are small decks, expected deal_each, which deals any deck and any number of cards to each"
    elif game.deal_each is not None:
        each = [small.each for small in game.small_decks] or [game.codec.cards_each(game.codec.fewest)]
        yield from _misdealt(game, game.deal_each, each[0])
    for small in game.small_decks:
        yield from (f"small deck of {small}: {fault}" for fault in _unfit(small, game))


def _misdealt(game: Parts, deal_each: RuleFunction, each: int) -> Iterator[str]:
    """Hands that are not dealt as the codec says, of the whole deck, and what else `deal` lays out."""
    codec, players = game.codec, game.codec.fewest
    deck, dealt, small = full_deck(game), game.table(), game.table()
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
    yield from _ordered(game, deal_each, deck)


def _ordered(game: Parts, deal_each: RuleFunction, deck: bytearray) -> Iterator[str]:
    """What is laid out otherwise if each player is dealt the same cards in another order: deals leave the order out."""
    codec, players = game.codec, game.codec.fewest
    each = codec.cards_each(players)
    places: list[list[int]] = [[] for _ in range(players)]
    for index in range(players * each):
        places[codec.dealt_to(index, players, each)].append(index)
    differing = dict[str, None]()
    deal_each(table := game.table(), deck, players, each)
    for turn in range(1, each):
        turned = deck[:]
        for hand in places:
            for index, other in zip(hand, (*hand[turn:], *hand[:turn]), strict=True):
                turned[index] = deck[other]
        deal_each(other_table := game.table(), turned, players, each)
        names = default_values(game.table)
        differing |= {name: None for name in names if getattr(table, name) != getattr(other_table, name)}
    for name in differing:
        yield f"deal_each sets {name} by the order of the cards of a hand, but small decks have hands without one"


def _unfit(small: SmallDeck, game: Parts) -> Iterator[str]:
    if not game.codec.fewest <= small.players <= game.codec.most:
        yield f"{small.players} players, expected {bounds(game.codec.fewest, game.codec.most)}"
        return
    try:
        small_deck(game, *small[:3])
    except ValueError as error:
        yield str(error)
