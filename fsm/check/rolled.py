"""The dice with which a counterexample is stepped: those of a game that rolls what it needs."""

from __future__ import annotations

from itertools import count

from fsm.check.inspector import Inspector
from fsm.check.properties import GENERALLY, BasicProperty, Counterexample
from fsm.stepping.game import Game
from fsm.stepping.position import Position, parse_position
from fsm.stepping.steps import Move, Step

MAX_FIRED = 200_000
"""Events that are fired at most to find the dice of a counterexample: a few seconds."""
NO_DICE = "it is not known in which game those are rolled that it needs, so it cannot be stepped"
"""Why there are none."""


def game_number(kind: type[Game], found: Counterexample, stated: str) -> int | None:
    """The first game of seed 0 whose dice lead through a counterexample; None if it takes too long to find one.

    kind: the class of the game, with its deck. stated: the property that fails, in words. It is game 0 where no dice
    are followed, and without events: a deal rolls none.
    """
    if not (kind.declaration.follows_dice and (found.events or found.event or found.loop)):
        return 0
    start = kind.of_deck(*kind.deck_format().read_line(found.line), carried=found.carried)
    fired, inspector = 0, Inspector(kind)
    there = parse_position(kind.declaration, found.position).canonical()
    for number in count():
        game = start.clone()
        game.table.number = number
        if _shows(game, inspector, found, there, stated):
            return number
        fired += len(game.history) + 1
        if fired > MAX_FIRED:
            break
    return None


def _shows(game: Game, inspector: Inspector, found: Counterexample, there: Position, stated: str) -> bool:
    """Whether the events of a counterexample lead a game to its position, and its loop back to it, and its event fails
    as stated.
    """
    try:
        for moves in (found.events, found.loop):
            if any(fire_shown(game, move).trigger != move.trigger for move in moves):
                return False
            if game._position().canonical() != there:
                return False
        return found.event is None or _fails(game, inspector, found.event, stated)
    except (ValueError, AssertionError):  # with these dice an event is not legal
        return False


def _fails(game: Game, inspector: Inspector, event: Move, stated: str) -> bool:
    """Whether an event fails as stated. What is stated of those that are legal does not depend on dice."""
    conditions = [each for each in game.declaration.postconditions if each.description == stated]
    if not conditions and stated != GENERALLY[BasicProperty.IN_RANGE]:
        return True
    layout = game.layout
    before = layout.copy(game.table)
    step = fire_shown(game, event)
    layout.put_back(before, layout.named(game.table))
    if not conditions:
        return not inspector.in_range(game.table)
    return any(each.concerns(step.arc) and not each.holds(before, game.table) for each in conditions)


def fire_shown(game: Game, move: Move) -> Step:
    """Fire an event that is forced, or that a player chooses."""
    return game.step() if move.trigger in game.forced_events else game.fire(move)
