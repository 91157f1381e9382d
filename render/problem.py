"""The problem's output: what the judge expects, and one line more than it knows for games without a winner."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.game import Game, Outcome


def maumau_result(laid: Sequence[str], outcome: Outcome) -> str:
    """Two lines: the cards laid, from the opening card on, and the scores or why there is none."""
    told = f"No score: {outcome.ending}" if outcome.winner is None else f"Score: {' '.join(map(str, outcome.scores))}"
    return f"{' '.join(laid)}\n{told}"


def laid_cards(game: Game) -> list[str]:
    """The names of the cards laid in the whole game, from the opening card on."""
    played = [step.card for step in game.history if step.trigger == "play" and step.card]
    return [game.opening_card, *played]


def result(game: Game) -> str:
    """The problem's output for a game that has ended."""
    outcome = game.outcome
    assert outcome is not None
    return maumau_result(laid_cards(game), outcome)
