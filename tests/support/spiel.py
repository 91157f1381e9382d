"""What OpenSpiel says of random games, in short: recorded in the corpus, so that it need not be installed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

RECORDED = Path(__file__).parents[1] / "corpus" / "open_spiel"
SUITS, RANKS = "CDHS", "23456789TJQKA"

State = tuple[int, list[int]]
"""A state in which a player chooses: the player, from 0, and the numbers of the legal actions, sorted."""


def card_number(suit: str, rank: str) -> int:
    """OpenSpiel's number of a card."""
    return len(SUITS) * RANKS.index(rank) + SUITS.index(suit)


def summary(states: Sequence[State], returns: Iterable[float]) -> str:
    """A game in one line: how many states it has, a digest of them all, and what each player gets at its end."""
    digest = sha256(json.dumps(states).encode()).hexdigest()[:32]
    return f"{len(states)} states {digest} returns {' '.join(str(int(each)) for each in returns)}"


def recorded(game: str) -> list[str]:
    """The summaries of games that OpenSpiel 2.0.2 has judged; a comparison with OpenSpiel itself asks it again."""
    return (RECORDED / f"{game}.txt").read_text().splitlines()
