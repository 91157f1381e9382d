"""An event in words: who did what, why, and what the rules say to it; for the trace, and for a step that is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.declaration import Declaration

if TYPE_CHECKING:
    from fsm.stepping.game import Game
    from fsm.stepping.moves import Step

DOES = {"play": "plays", "take": "takes", "draw": "must draw", "pass_turn": "passes", "skip": "is skipped"}
"""What a player does, by event, where a game does not say it otherwise."""


class Told(NamedTuple):
    """One event in words: what was done, which decision rule chose it, and what the rules of the game say to it.

    what: empty where nobody does anything. why: empty where nothing was decided.
    """

    what: str
    why: str
    description: str


class Scene:
    """What must be known of a game to tell its events. All scenes are equal: they say nothing about the event itself.

    kind: the class of the game; None if it is not known. policies: the names of those of all players.
    calls: what was said aloud with the event. Pickled with a step, it becomes NO_SCENE.
    """

    __slots__ = ("calls", "kind", "opening_card", "policies")

    def __init__(
        self, kind: type[Game] | None, opening_card: str, policies: tuple[str, ...], calls: Sequence[str] = ()
    ) -> None:
        self.kind, self.opening_card, self.policies, self.calls = kind, opening_card, policies, calls

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene)

    def __hash__(self) -> int:
        return hash(Scene)

    def __reduce__(self) -> Any:
        return _no_scene, ()

    @property
    def game(self) -> Declaration:
        """The declaration of the game."""
        assert self.kind is not None
        return self.kind.declaration

    def calling(self, calls: Sequence[str]) -> Scene:
        """The same where something was said aloud."""
        return Scene(self.kind, self.opening_card, self.policies, calls)


NO_SCENE = Scene(None, "", ())
"""That of a step of which nothing more is known."""


def _no_scene() -> Scene:
    return NO_SCENE


def tell(step: Step, scene: Scene) -> Told:
    """An event in words."""
    return Told(_what(step, scene), _reason(step, scene), step.arc.description)


def sentence(told: Told, trigger: str) -> str:
    """One event as the statement's example tells it: the rules of the game where something happens by them."""
    why = f" ({told.why})" if told.why else ""
    what = f"{told.what}{why}." if told.what else ""
    return f"{what} {told.description}".strip() if trigger in ("open", "play") or not what else what


def _what(step: Step, scene: Scene) -> str:
    """Who did what."""
    if step.trigger == "open":
        return f"The opening card is {scene.opening_card}"
    does = _does(scene.game, step)
    if not does:
        return ""
    card = f" {step.card}" if step.card else ""
    naming = f" and names {scene.game.codec.notation.suit_name(step.suit)}" if step.suit else ""
    return f"Player {step.player} {does}{card}{naming}{''.join(f' and {words}' for words in scene.calls)}"


def _does(game: Declaration, step: Step) -> str:
    """What a player does with an event; nothing where it happens by itself and has no words."""
    trigger = step.trigger
    if trigger in game.look.events or trigger in DOES:
        return game.look.events.get(trigger) or DOES[trigger]
    if trigger in game.control[step.source].forced:
        return ""
    verb, *rest = trigger.split("_")
    return " ".join([f"{verb}{'es' if verb.endswith(SIBILANTS) else 's'}", *rest])


SIBILANTS = ("s", "x", "z", "ch", "sh", "o")
"""After these a verb of the third person ends in `es`."""


def _reason(step: Step, scene: Scene) -> str:
    """The decision rule that chose an event."""
    if step.rule is None:
        return ""
    policy = scene.policies[step.player - 1]
    choice = scene.game.choice(policy, step.source, step.trigger, step.rule)
    if choice is None:
        return step.rule
    return f"{choice.rule}: {choice.description}" if choice.decides else choice.description
