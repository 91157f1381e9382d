"""The problems' output: what the judges expect, and one line more than they know for games without a winner."""

from __future__ import annotations

from collections.abc import Callable

from fsm.transcript import Played


def result(played: Played) -> str:
    """The problem's output for a game."""
    return _OUTPUTS[played.kind.declaration.name](played)


def laid_cards(played: Played) -> list[str]:
    """The names of the cards laid in the whole game, from the opening card on."""
    opening = played.kind.declaration.words.notation.cards[played.deck[_dealt(played)]]
    return [opening, *(step.card for step in played.steps if step.trigger == "play" and step.card)]


def _dealt(played: Played) -> int:
    return played.players * played.kind.declaration.words.cards_each(played.players)


def _maumau(played: Played) -> str:
    """Two lines: the cards laid, and the scores or why there is none."""
    outcome = played.outcome
    told = f"No score: {outcome.ending}" if outcome.winner is None else f"Score: {' '.join(map(str, outcome.scores))}"
    return f"{' '.join(laid_cards(played))}\n{told}"


def _uno(played: Played) -> str:
    """Two lines: the scores, and how often each player called "Uno"."""
    scores = " ".join(map(str, played.outcome.scores))
    return f"{scores}\n{' '.join(map(str, played.table.uno_calls[: played.players]))}"


_OUTPUTS: dict[str, Callable[[Played], str]] = {"maumau": _maumau, "uno": _uno}
