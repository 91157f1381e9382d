"""Positions in short, and what a test asks a game at one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from fsm import Game, IllegalMove

REST = "..."


def parts_of(short: str, cards: Iterable[str]) -> tuple[str, dict[str, str], dict[str, str]]:
    """The phase, the facts and the piles that `short` names: `...` are all cards of the deck that are not named."""
    phase, *fields = short.split()
    facts = dict(field.split("=", 1) for field in fields)
    piles = {name: facts.pop(name, none) for name, none in (("hands", ""), ("discard", "-"), ("draw", "-"))}
    left = Counter(cards)
    left.subtract(card for pile in piles.values() for card in pile.replace("/", ",").split(",") if card in left)
    return phase, facts, {name: pile.replace(REST, ",".join(left.elements())) for name, pile in piles.items()}


def refusal(game: Game, *move: str) -> str:
    """Why a move is refused, which changes nothing."""
    before = game.position()
    with pytest.raises(IllegalMove) as refused:
        game.fire(*move)
    assert game.position() == before
    return str(refused.value)


def moves(game: Game) -> list[str]:
    """The legal moves."""
    return [str(move) for move in game.events()]
