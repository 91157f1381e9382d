"""The log of a table as one seat may see it: numbered entries, of which none is ever changed or removed."""

from __future__ import annotations

from typing import Any

from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.stepping.game import Game
from fsm.stepping.steps import Scene, Step, narrate, sentence
from fsm.stepping.view import seen_step
from maumau.play.table.seen import blanked
from rules.notation import UNKNOWN

Entry = dict[str, Any]
RULES = "rules"
"""What fires an event that is forced."""


def event_entry(game: Game, step: Step, seat: int, by: str) -> Entry:
    """An event as a seat sees it. by: what fired it."""
    seen = seen_step(game.declaration, step, seat)
    assert seen is not None, "an event that a seat does not see is in no log of it"
    secret = seen.player != seat + 1 and seen.arc in game.declaration.disguises.values()
    if secret:
        by = RULES
    named = {str(kind): value for kind, value in seen.named.items()}
    chosen = by != RULES
    narration = narrate(_readable(game, seen)._replace(scene=_scene(game, step, seat)))
    if secret:  # the rule in words would tell the one arc from the other
        narration = narration._replace(why="", description="")
    return {
        "event": seen.trigger,
        "player": narration.player if chosen or narration.what else None,
        "card": seen.card,
        **named,
        "phase": str(step.dest),
        "arc": _numbers(game.declaration)[seen.arc],
        "by": by,
        "text": "" if seen.trigger in game.declaration.look.silent else sentence(narration, seen.trigger),
        "rule": narration.description,
        "why": narration.why,
    }


@kept
def _numbers(declaration: Declaration) -> dict[Arc, int]:
    """The number of each arc."""
    return {arc: number for number, arc in enumerate(declaration.arcs)}


def _readable(game: Game, seen: Step) -> Step:
    """The event with words for what the seat does not see."""
    hidden: dict[str, Any] = {str(kind): None for kind, value in seen.named.items() if value == UNKNOWN}
    card = f"a {game.declaration.codec.notation.card_word}" if seen.card == UNKNOWN else seen.card
    return seen._replace(card=card, **hidden)


def _scene(game: Game, step: Step, seat: int) -> Scene:
    """The scene of an event, with the table before it as the seat saw it; when all is over, as it was."""
    if step.scene.before is None or step.dest is game.declaration.final:
        return step.scene
    return step.scene.read_as(blanked(game.declaration, step.scene.before, seat))
