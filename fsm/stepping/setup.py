"""Set-up of a table: from a seed, a deck, or a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from os import urandom
from typing import Any

from fsm.declaration.arcs import Invariant, Phase
from fsm.declaration.declaration import Declaration, dealer_seat, player_count
from fsm.edge.kept import kept
from fsm.edge.numbers import seed_number
from fsm.stepping.position import MELDS, NOTHING, Position, PositionError, piled, set_fact
from rules.cards import NO_CARD
from rules.chance import shuffle
from rules.notation import UNKNOWN

Hands = list[list[int]]
"""The card codes of each hand, in the order in which they came."""
FRESH_SEEDS = 10**9
"""Fresh seeds are below this: short enough to be typed."""


def fresh_seed() -> int:
    """A seed that no game had before."""
    return int.from_bytes(urandom(8)) % FRESH_SEEDS


def full_deck(game: Declaration) -> bytearray:
    """The card codes of the whole deck, unshuffled."""
    deck = bytearray(game.deck_size)
    game.fill(deck)
    return deck


@kept
def opens_card(game: Declaration) -> bool:
    """Whether the deal of a game exposes a card."""
    table = game.table()
    game.deal(table, full_deck(game), game.codec.fewest)
    return bool(table.open_card != NO_CARD)


def shuffled_deck(game: Declaration, players: int, seed: int, number: int) -> bytearray:
    """The card codes of game `number` of `seed`, the top card first. Raises TypeError or ValueError."""
    players = player_count(game, players)
    seed, number = seed_number("seed", seed), seed_number("number", number)
    deck = full_deck(game)
    shuffle(deck, seed, number)
    if game.amend:
        game.amend(deck, players, seed, number)
    return deck


def dealt_table(
    game: Declaration, players: int, deck: Sequence[int], seed: int, number: int, dealer: int
) -> tuple[Any, Hands]:
    """The table after the deal of a valid deck, and its hands in the order dealt.

    seed, number: the dice of players. dealer: from 1. Raises ValueError for a number, seed or dealer that cannot be.
    """
    table = game.table()
    if seat := dealer_seat(game, players, dealer):
        table.dealer = seat
    game.deal(table, deck, players)
    table.seed, table.number = seed_number("seed", seed), seed_number("number", number)
    hands: Hands = [[] for _ in range(players)]
    each = game.codec.cards_each(players)
    for index in range(players * each):
        hands[game.codec.dealt_to(index, players, each)].append(deck[index])
    return table, hands


def reachable_table(game: Declaration, position: Position) -> tuple[Any, Phase, Hands]:
    """The table, phase and hands of a position that some game can reach. Raises PositionError."""
    if not position.is_whole or UNKNOWN in piled(game, position):
        raise PositionError(f"position: the cards called {UNKNOWN} must be known before it can be stepped")
    table, hands = table_of(game, position)
    phase = next(phase for phase in game.phases if str(phase) == position.phase)
    if broken := _broken_invariant(game, phase, table):
        raise PositionError(f"position: {phase}: no game comes to it, expected: {broken.description}")
    each = game.codec.cards_each(table.players)
    if phase is game.initial and any(len(hand) != each for hand in hands):
        raise PositionError(f"position: {phase}: the cards are newly dealt, expected {each} in each hand")
    return table, phase, hands


def _broken_invariant(game: Declaration, phase: Phase, table: Any) -> Invariant | None:
    """The first invariant that does not hold, after each fact that names a card was given the code of this card.

    Several cards may have one name. A fact stands for any of them with which all invariants hold, if the acting player
    holds such a card for that one. Raises PositionError for an invariant that raises an exception.
    """
    facts = [fact for fact in game.codec.facts if fact.kind == "card" and getattr(table, fact.field) != NO_CARD]
    codes = [_codes_alike(game, table, getattr(table, fact.field)) for fact in facts]
    first = None
    for chosen in product(*codes):
        for fact, code in zip(facts, chosen, strict=True):
            setattr(table, fact.field, code)
        try:
            broken = game.broken_invariant(phase, table)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            raise PositionError(f"position: {phase}: no game comes to it, its invariants fail: {fault}") from error
        if broken is None:
            return None
        first = first or broken
    return first


def _codes_alike(game: Declaration, table: Any, card: int) -> list[int]:
    """The codes of the cards that have the name of `card`, those that the acting player holds first."""
    names, held = game.codec.notation.cards, game.codec.held(table, table.player)
    alike = [code for code in dict.fromkeys((*full_deck(game), card)) if names[code] == names[card]]
    return sorted(alike, key=lambda code: code not in held)


def table_of(game: Declaration, position: Position) -> tuple[Any, Hands]:
    """The table that `position` describes, and its hands in the order given. Raises PositionError."""
    table = game.table()
    players = len(position.hands)
    if players not in range(game.codec.fewest, game.codec.most + 1):
        expected = f"{game.codec.fewest} to {game.codec.most}"
        raise PositionError(f"position: hands of {players} players, expected {expected}")
    if not position.discard and opens_card(game):
        raise PositionError(f"position: discard={NOTHING}, expected at least the open card")
    codes = _codes(game, position)
    table.players = players
    for fact, (_, text) in zip(game.codec.facts, position.facts, strict=True):
        set_fact(game, fact, text, table)
    hands = [[codes.pop(0) for _ in hand] for hand in position.hands]
    for seat, hand in enumerate(hands):
        for card in hand:
            game.codec.receive(table, seat, card)
    _lay_out(game, table, position, codes)
    table.ring[: len(codes)] = bytes(codes)
    table.stock, table.tail = len(position.draw), len(codes)
    table.open_card = table.card = codes[-1] if position.discard else NO_CARD
    table.bottom = table.stock
    return table, hands


def _lay_out(game: Declaration, table: Any, position: Position, codes: list[int]) -> None:
    """Lay out the melds of a position, whose codes are the next ones. Raises PositionError for what is none."""
    for seat, melds in enumerate(position.melds):
        for meld in melds:
            assert game.codec.melds is not None
            try:
                game.codec.melds.lay_out(table, seat, [codes.pop(0) for _ in meld])
            except ValueError as error:
                raise PositionError(f"position: {MELDS}: {','.join(meld)} is no meld, {error}") from None


def _codes(game: Declaration, position: Position) -> list[int]:
    """The codes of the cards of hands, melds, draw and discard pile. Raises PositionError unless these and those of the
    other piles are one deck.
    """
    others = piled(game, position)
    cards = (*others, *position.held, *position.laid_out, *position.draw, *position.discard)
    try:
        codes, missing = codes_of(game, cards)
    except ValueError as error:
        raise PositionError(f"position: {error}") from None
    if missing:
        raise PositionError(f"position: {', '.join(missing)} missing, expected all {game.deck_size} cards")
    return codes[len(others) :]


def codes_of(game: Declaration, names: Iterable[str]) -> tuple[list[int], list[str]]:
    """The codes of cards by name, no card twice, and the names of those that are left. Raises ValueError."""
    left: dict[str, list[int]] = {}
    for code in full_deck(game):
        left.setdefault(game.codec.notation.cards[code], []).append(code)
    codes = []
    for name in names:
        game.codec.notation.card(name)
        if not left.get(name):
            raise ValueError(f"{name} is there too often")
        codes.append(left[name].pop(0))
    return codes, [name for name, rest in left.items() if rest]
