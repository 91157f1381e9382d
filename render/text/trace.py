"""The trace of a game in the form of the statement's first example: each turn with its reasons, then the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from fsm.stepping import narration
from fsm.stepping.game import Game
from fsm.stepping.moves import Step
from fsm.stepping.narration import Narration, Scene, ending_sentence, sentence
from fsm.transcript import Transcript


def trace(played: Transcript, title: str) -> Iterator[str]:
    """The paragraphs of a game: the deal, each turn with the table after it, and the end."""
    game = played.start()
    yield f"{title}\n{game}"
    for turn in _turns(game, played.steps):
        if sentences := " ".join(_sentences(game, turn)):
            yield f"{sentences}\n{game}"
    yield ending_sentence(game.declaration.look, played.outcome)


def _turns(game: Game, steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps, cut where a player's turn starts."""
    starts = {phase for phase, control in game.declaration.control.items() if control.starts_turn}
    turn: list[Step] = []
    for step in steps:
        if turn and step.source in starts:
            yield turn
            turn = []
        turn.append(step)
    if turn:
        yield turn


def _sentences(game: Game, turn: list[Step]) -> Iterator[str]:
    """The sentences of a turn; `game` is stepped."""
    silent = game.declaration.look.silent
    for (trigger, player), group in groupby(turn, key=lambda step: (step.trigger, step.player)):
        steps = list(group)
        if trigger in silent:
            for step in steps:
                game.fire_again(step)
        elif trigger == "take":
            for step in steps:
                game.fire_again(step)
            yield f"Player {player} takes {' '.join(step.card or '' for step in steps)}."
        else:
            yield from (sentence(narrate_again(game, step), trigger) for step in steps)


def narrate_again(game: Game, step: Step) -> Narration:
    """Fire `step` of an earlier game again, and narrate it."""
    before = count_calls(game)
    return narrate_step(game, game.fire_again(step), before)


def narrate_step(game: Game, step: Step, before: Sequence[int]) -> Narration:
    """The event that was fired last in words. before: what `count_calls` counted before it."""
    policies = tuple(policy.name for policy in game.policies)
    calls = _calls_made(game, step, before)
    return narration.narrate(step, Scene(type(game), game.opening_card, policies, calls, step.scene.before))


def count_calls(game: Game) -> list[int]:
    """How often the player in turn has made each call of the game."""
    seat = game.player - 1
    return [call.count(game.table, seat) for call in game.declaration.calls]


def _calls_made(game: Game, step: Step, before: Sequence[int]) -> list[str]:
    """The calls that the player of a step made with it."""
    seat, calls = step.player - 1, game.declaration.calls
    return [call.description for call, count in zip(calls, before, strict=True) if call.count(game.table, seat) > count]
