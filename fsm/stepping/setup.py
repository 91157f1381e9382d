"""Set-up of a table from a position."""

from __future__ import annotations

from functools import cache
from typing import Any

from fsm.declaration import Declaration
from fsm.stepping.position import NOTHING, Position, PositionError, set_fact
from rules.cards import NO_CARD


def full_deck(game: Declaration) -> bytearray:
    """The card codes of the whole deck, unshuffled."""
    deck = bytearray(game.deck_size)
    game.fill(deck)
    return deck


@cache
def opens_card(game: Declaration) -> bool:
    """Whether the deal of a game exposes a card."""
    table = game.table()
    game.deal(table, full_deck(game), game.codec.fewest)
    return bool(table.open_card != NO_CARD)


def table_of(game: Declaration, position: Position) -> tuple[Any, list[list[int]]]:
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
    table.ring[: len(codes)] = bytes(codes)
    table.stock, table.tail = len(position.draw), len(codes)
    table.open_card = table.card = codes[-1] if position.discard else NO_CARD
    table.bottom = table.stock
    return table, hands


def _codes(game: Declaration, position: Position) -> list[int]:
    """The codes of all cards: hands, draw pile, discard pile. Raises PositionError unless they are one deck."""
    deck = full_deck(game)
    left: dict[str, list[int]] = {}
    for code in deck:
        left.setdefault(game.codec.notation.cards[code], []).append(code)
    codes = []
    for card in (*(card for hand in position.hands for card in hand), *position.draw, *position.discard):
        if not left[card]:
            raise PositionError(f"position: {card} is there too often")
        codes.append(left[card].pop(0))
    if missing := [card for card, rest in left.items() if rest]:
        raise PositionError(f"position: {', '.join(missing)} missing, expected all {len(deck)} cards")
    return codes
