"""A game told as the statement tells its first example: turn by turn, what was done and why, then the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from fsm.declaration import Declaration
from fsm.stepping.game import Game
from fsm.stepping.moves import Outcome, Step
from fsm.transcript import Played


def tell(played: Played, title: str) -> Iterator[str]:
    """The paragraphs of a game: the deal, each turn with the table after it, and the end."""
    game = played.start()
    yield f"{title}\n{game}"
    for turn in _turns(game, played.steps):
        yield f"{' '.join(_sentences(game, turn))}\n{game}"
    yield tell_end(played.outcome)


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
            yield from (_sentence(tell_again(game, step), trigger) for step in steps)


DOES = {"play": "plays", "take": "takes", "draw": "must draw", "pass_turn": "passes", "skip": "is skipped"}
"""What a player does, by event, where a game does not say it otherwise."""


class Told(NamedTuple):
    """One event in words: what was done, which decision rule chose it, and what the rules of the game say to it.

    what: empty where nobody does anything. why: empty where nothing was decided.
    """

    what: str
    why: str
    says: str


def tell_again(game: Game, step: Step) -> Told:
    """Fire `step` of an earlier game again, and tell it."""
    before = calls_heard(game)
    return tell_step(game, game.fire_again(step), before)


def tell_step(game: Game, step: Step, before: Sequence[int]) -> Told:
    """The event that was fired last in words. before: what `calls_heard` counted before it."""
    return Told(_what(game, step, before), _reason(game, step), step.arc.says)


def calls_heard(game: Game) -> list[int]:
    """How often the player in turn has said each of the game's calls aloud."""
    seat = game.player - 1
    return [call.count(game.table, seat) for call in game.declaration.calls]


def tell_end(outcome: Outcome) -> str:
    """How a game ended, in words."""
    scores = ", ".join(f"player {seat} {points}" for seat, points in enumerate(outcome.scores, 1))
    if outcome.winner is None:
        return f"Nobody wins: {outcome.ending}. Points left: {scores}."
    return f"Player {outcome.winner} wins. Points left: {scores}."


def _sentence(told: Told, trigger: str) -> str:
    """One event as the statement's example tells it: the rules of the game where something happens by them."""
    why = f" ({told.why})" if told.why else ""
    what = f"{told.what}{why}." if told.what else ""
    return f"{what} {told.says}".strip() if trigger in ("open", "play") or not what else what


def _what(game: Game, step: Step, before: Sequence[int]) -> str:
    """Who did what."""
    who = f"Player {step.player}"
    if step.trigger == "open":
        return f"The opening card is {game.opening_card}"
    does = _does(game.declaration, step)
    if not does:
        return ""
    card = f" {step.card}" if step.card else ""
    naming = f" and names {game.declaration.words.notation.suit_name(step.suit)}" if step.suit else ""
    return f"{who} {does}{card}{naming}{_called(game, step, before)}"


def _does(game: Declaration, step: Step) -> str:
    """What a player does with an event; nothing where it happens by itself and has no words."""
    trigger = step.trigger
    if trigger in game.look.events or trigger in DOES:
        return game.look.events.get(trigger) or DOES[trigger]
    if trigger in game.acting[step.source].forced:
        return ""
    verb, *rest = trigger.split("_")
    return " ".join([f"{verb}{'es' if verb.endswith(SIBILANTS) else 's'}", *rest])


SIBILANTS = ("s", "x", "z", "ch", "sh", "o")
"""After these a verb of the third person ends in `es`."""


def _called(game: Game, step: Step, before: Sequence[int]) -> str:
    """What the player of a step said aloud with it, each after an `and`."""
    seat = step.player - 1
    calls = game.declaration.calls
    said = [call.says for call, count in zip(calls, before, strict=True) if call.count(game.table, seat) > count]
    return "".join(f" and {words}" for words in said)


def _reason(game: Game, step: Step) -> str:
    """The decision rule that chose an event."""
    if step.rule is None:
        return ""
    policy = game.policies[step.player - 1].name
    choice = game.declaration.choice(policy, step.source, step.trigger, step.rule)
    if choice is None:
        return step.rule
    return f"{choice.rule}: {choice.says}" if choice.decides else choice.says
