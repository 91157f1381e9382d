"""A game told as the statement tells its first example: turn by turn, what was done and why, then the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from fsm.game import Game, Outcome, Step


def tell(game: Game, title: str) -> Iterator[str]:
    """The paragraphs of a game: the deal, each turn with the table after it, and the end, if it has one."""
    again = game.restarted()
    yield f"{title}\n{again}"
    for turn in _turns(game, game.history):
        sentences = " ".join(_sentences(game, turn))
        for step in turn:
            again.fire_again(step)
        yield f"{sentences}\n{again}"
    if game.outcome:
        yield _end(game.outcome)


def _turns(game: Game, steps: list[Step]) -> Iterator[list[Step]]:
    """The steps, cut where a player's turn starts."""
    starts = {phase for phase, acting in game.declaration.acting.items() if acting.starts_turn}
    turn: list[Step] = []
    for step in steps:
        if turn and step.source in starts:
            yield turn
            turn = []
        turn.append(step)
    if turn:
        yield turn


def _sentences(game: Game, turn: list[Step]) -> Iterator[str]:
    for (trigger, player), group in groupby(turn, key=lambda step: (step.trigger, step.player)):
        steps = list(group)
        if trigger == "take":
            yield f"Player {player} takes {' '.join(step.card or '' for step in steps)}."
        else:
            yield from (_sentence(game, step) for step in steps)


def _sentence(game: Game, step: Step) -> str:
    """One event in words: who did what, by which decision rule, and what the rules of the game say to it."""
    says = step.arc.says
    if step.trigger == "open":
        return f"The opening card is {game.opening_card}. {says}"
    if step.trigger == "play":
        naming = f" and names {game.declaration.words.notation.suit_name(step.suit)}" if step.suit else ""
        return f"Player {step.player} plays {step.card}{naming}{_reason(game, step)}. {says}"
    if step.trigger == "draw":
        return f"Player {step.player} must draw{_reason(game, step)}."
    if step.trigger == "pass_turn":
        return f"Player {step.player} passes{_reason(game, step)}."
    if step.trigger == "skip":
        return f"Player {step.player} is skipped."
    return says


def _reason(game: Game, step: Step) -> str:
    """The decision rule that chose an event, in brackets."""
    if step.rule is None:
        return ""
    policy = game.policies[step.player - 1].name
    choice = game.declaration.choice(policy, step.source, step.trigger, step.rule)
    if choice is None:
        return f" ({step.rule})"
    return f" ({choice.says})" if not choice.decides else f" ({choice.rule}: {choice.says})"


def _end(outcome: Outcome) -> str:
    scores = ", ".join(f"player {seat} {points}" for seat, points in enumerate(outcome.scores, 1))
    if outcome.winner is None:
        return f"Nobody wins: {outcome.ending}. Points left: {scores}."
    return f"Player {outcome.winner} wins. Points left: {scores}."
