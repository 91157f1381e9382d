"""What is wrong with the deck of a game, and with small decks of some of its cards, found without playing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fsm.declaration.arcs import SmallDeck
from fsm.declaration.dealing import DealtParts
from fsm.declaration.facts import default_values
from rules.cards import bits
from rules.notation import UNKNOWN, shown
from rules.rule import RuleFunction
from rules.without import LeftOut

NAME, NO_NAMES = re.compile(r"[^\s,/=]+"), ("-", UNKNOWN)
"""What stands in a position as one word, and what stands there for no card and for one that is not known."""
PLAIN_NAME = "use one word without blanks, commas, slashes and ="
MAX_CODES = 63
"""A hand is a mask in a signed number of 64 bits."""


def unfit_deck(game: DealtParts) -> Iterator[str]:
    """Numbers that are none, and cards that the notation does not have."""
    codec, names = game.codec, game.codec.notation.cards
    for what, number in (
        ("deck_size", game.deck_size),
        *(("players", players) for players in codec.players or [0]),
        ("scoring: target", game.scoring.target),
    ):
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            yield f"{what} is {shown(number)}; use a whole number, 1 or more"
            return
    sides = game.scoring.sides
    if sides and (sides < 2 or all(players % sides for players in codec.players)):
        yield f"scoring: {sides} sides of {codec.players_text} players; use sides of equal size"
    yield from _unfit_without(game)
    for players in codec.players:
        if codec.cards_each(players) < 0:
            yield f"cards_each of {players} players is {codec.cards_each(players)}; use 0 or more"
        left, needed = len(game.without.get(players, "").split()), players * codec.cards_each(players)
        if needed >= game.deck_size + (1 - left if left else players):
            yield f"the hands of {players} players are {needed} cards; the deck has only {game.deck_size - left}"
    yield from _unfit_names(game)
    if len(names) > MAX_CODES:
        yield f"the notation has {len(names)} cards; use at most {MAX_CODES}, and one code for equal cards"
    deck = game.full_deck()
    if codec.sets is not None and game.has_twins:
        yield "sets of cards are named; use a deck in which every card appears once"
    if max(deck) >= len(names):
        yield f"fill puts card {max(deck)} into the deck of {game.deck_size}; the notation has only {len(names)} cards"


def _unfit_without(game: DealtParts) -> Iterator[str]:
    """Cards that are left out and not in the deck once, and numbers of players for whom nobody deals."""
    for players, names in game.without.items():
        where = f"without: {players} players: "
        if players not in game.codec.players:
            yield f"{where}they cannot play; use {game.codec.players_text}"
        try:
            codes = game.codes_of(names.split())[0]
        except ValueError as error:
            yield f"{where}{error}"
            continue
        if game.deal_each is None or game.has_twins:
            yield f"{where}use deal_each in place of deal, and a deck in which every card appears once"
        elif players in game.codec.players and codes:
            deck = LeftOut({players: tuple(codes)}).put_last(bytes(game.full_deck()), players)
            game.deal(table := game.table(), deck, players)
            if bits(table.left_out[0]) != sorted(codes):
                yield f"{where}deal leaves out no cards; use deal_each in place of deal"


def _unfit_names(game: DealtParts) -> Iterator[str]:
    """Names of cards, suits and ranks that cannot stand in a position or an input."""
    notation = game.codec.notation
    for name in notation.cards:
        if not NAME.fullmatch(name) or name in NO_NAMES or (game.codec.melds and "+" in name):
            yield f"notation: {notation.card_word} {shown(name)} is not a name in a position; {PLAIN_NAME}"
    for what, letters in (("suits", notation.suits), ("ranks", notation.ranks)):
        if len(set(letters)) < len(letters) or not all(map(NAME.fullmatch, letters)):
            yield f"notation: {what} {shown(letters)}; use a letter for each, and no letter twice"


def unfit_deals(game: DealtParts) -> Iterator[str]:
    """Hands that are not dealt as the codec says; small decks of other cards, for other players, or without a function
    that deals them.
    """
    for players in game.codec.players:
        table = game.table()
        try:
            game.deal(table, deck := game.dealable_deck, players)
        except Exception as error:  # others are left to checks to find
            if len(game.seats_dealt(players)) < players * game.codec.cards_each(players):
                yield f"deal: the deck ends before {players} players have their cards: {type(error).__name__}: {error}"
            continue
        yield from _misdealt(game, "deal", table, deck, players, game.codec.cards_each(players))
    if game.small_decks and game.deal_each is None:
        yield "small decks cannot be dealt; declare deal_each, which deals any deck and any number of cards to each"
    elif game.deal_each is not None:
        each = [small.each for small in game.small_decks] or [game.codec.cards_each(game.codec.fewest)]
        yield from _dealt_otherwise(game, game.deal_each, each[0])
    for small in game.small_decks:
        yield from (f"small deck of {small}: {fault}" for fault in _unfit(small, game))


def _misdealt(game: DealtParts, name: str, table: Any, deck: bytearray, players: int, each: int) -> Iterator[str]:
    """Hands that are not dealt as the codec says. name: of what has dealt them. each: how many cards to each."""
    codec = game.codec
    for seat, wanted in enumerate(game.hands_dealt(players, deck, each)):
        if sorted(hand := codec.held(table, seat)) != sorted(wanted):
            found, names = ([codec.notation.cards[card] for card in cards] for cards in (hand, wanted))
            deals = f"{name} deals player {seat + 1} {' '.join(found) or 'nothing'} of the deck as `fill` makes it"
            yield f"{deals}; deal {' '.join(names) or 'nothing'}, as `cards_each` and `dealt_to` of the codec say"


def _dealt_otherwise(game: DealtParts, deal_each: RuleFunction, each: int) -> Iterator[str]:
    """Hands that `deal_each` does not deal as the codec says, of the whole deck, and what else `deal` lays out."""
    codec, players = game.codec, game.codec.fewest
    dealt, small = game.table(), game.table()
    try:
        deck = game.dealable_deck
        deal_each(small, deck, players, each)
        yield from _misdealt(game, "deal_each", small, deck, players, each)
        if game.without:  # whose `deal` is made of it
            return
        game.deal(dealt, deck, players)
        deal_each(small := game.table(), deck, players, codec.cards_each(players))
    except Exception as error:
        yield f"deal_each: {each} cards for each of {players} players: {type(error).__name__}: {error}"
        return
    for name in default_values(game.table):
        if getattr(dealt, name) != getattr(small, name):
            number = f"{codec.cards_each(players)} cards to each of {players} players"
            yield f"deal_each sets {name} to {getattr(small, name)} for {number}, not {getattr(dealt, name)} as deal"
    yield from _ordered(game, deal_each, deck)


def _ordered(game: DealtParts, deal_each: RuleFunction, deck: bytearray) -> Iterator[str]:
    """What is laid out otherwise if each player is dealt the same cards in another order: deals leave the order out."""
    codec, players = game.codec, game.codec.fewest
    each = codec.cards_each(players)
    places = game.hands_dealt(players, range(len(deck)))
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
        yield f"deal_each sets {name} by the order of the cards of a hand; let it depend only on which cards are dealt"


def _unfit(small: SmallDeck, game: DealtParts) -> Iterator[str]:
    if small.players not in game.codec.players:
        yield f"{small.players} players cannot play; use {game.codec.players_text}"
        return
    try:
        game.small_deck(*small[:3])
    except ValueError as error:
        yield str(error)
