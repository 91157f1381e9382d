"""A game told as the statement tells its first example: turn by turn, what was done and why, then the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from fsm.game import Game
from fsm.moves import Outcome, Step
from fsm.played import Played


def tell(played: Played, title: str) -> Iterator[str]:
    """The paragraphs of a game: the deal, each turn with the table after it, and the end."""
    game = played.start()
    yield f"{title}\n{game}"
    for turn in _turns(game, played.steps):
        yield f"{' '.join(_sentences(game, turn))}\n{game}"
    yield _end(played.outcome)


def _turns(game: Game, steps: Sequence[Step]) -> Iterator[list[Step]]:
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
    """What is done in a turn, in words; `game` is stepped along."""
    for (trigger, player), group in groupby(turn, key=lambda step: (step.trigger, step.player)):
        steps = list(group)
        if trigger == "take":
            for step in steps:
                game.fire_again(step)
            yield f"Player {player} takes {' '.join(step.card or '' for step in steps)}."
        else:
            yield from (_sentence(game, step) for step in steps)


def _sentence(game: Game, step: Step) -> str:
    """One event in words: who did what, by which decision rule, and what the rules of the game say to it."""
    who, why, says = f"Player {step.player}", _reason(game, step), step.arc.says
    called = _called(game, step)
    if step.trigger == "open":
        return f"The opening card is {game.opening_card}. {says}"
    if step.trigger == "play":
        naming = f" and names {game.declaration.words.notation.suit_name(step.suit)}" if step.suit else ""
        return f"{who} {game.declaration.plays} {step.card}{naming}{called}{why}. {says}"
    if step.trigger == "draw":
        return f"{who} must draw{why}."
    if step.trigger == "pass_turn":
        return f"{who} passes{why}."
    if step.trigger == "skip":
        return f"{who} is skipped."
    return says


def _called(game: Game, step: Step) -> str:
    """Fire the step again, and what its player says aloud with it: ` and calls "Uno"`."""
    seat = step.player - 1
    calls = game.declaration.calls
    before = [call.count(game.table, seat) for call in calls]
    game.fire_again(step)
    said = [call.says for call, count in zip(calls, before, strict=True) if call.count(game.table, seat) > count]
    return "".join(f" and {words}" for words in said)


def _reason(game: Game, step: Step) -> str:
    """The decision rule that chose an event, in brackets."""
    if step.rule is None:
        return ""
    policy = game.policies[step.player - 1].name
    choice = game.declaration.choice(policy, step.source, step.trigger, step.rule)
    if choice is None:
        return f" ({step.rule})"
    return f" ({choice.rule}: {choice.says})" if choice.decides else f" ({choice.says})"


def _end(outcome: Outcome) -> str:
    scores = ", ".join(f"player {seat} {points}" for seat, points in enumerate(outcome.scores, 1))
    if outcome.winner is None:
        return f"Nobody wins: {outcome.ending}. Points left: {scores}."
    return f"Player {outcome.winner} wins. Points left: {scores}."
