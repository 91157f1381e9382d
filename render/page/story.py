"""A game as the data of a page: what stands at its start, and of each event who, what, why and what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsm.arcs import Control
from fsm.declaration import Declaration
from fsm.stepping.game import Game
from fsm.stepping.moves import Move, Outcome, Step
from fsm.stepping.narration import Narration
from fsm.transcript import Transcript
from render.page.faces import faces, suits
from render.page.frame import Frame, change, coded_frame_of, frame_of
from render.text.trace import count_calls, ending_sentence, narrate_again, narrate_step

Story = dict[str, Any]


def story_of(played: Transcript, heading: str) -> Story:
    """The page data of a played game. heading: where the game is from."""
    game = played.start()
    narrator = Narrator(game)
    steps = [narrator.again(step) for step in played.steps]
    story = setting(game.declaration) | opening(game, narrator.start, heading)
    return story | {"words": narrator.words, "steps": steps, "outcome": ending(played.outcome)}


class Narrator:
    """Tells the events of one game, one after the other.

    start: the frame before the first one. words: sentences that events name by their places; each stands once.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start, self._last = frame_of(game), coded_frame_of(game)
        self.words: list[str] = []
        self._places: dict[str, int] = {}
        self._arcs = {arc: number for number, arc in enumerate(game.declaration.arcs)}
        self._names = game.declaration.codec.notation.names

    def again(self, step: Step) -> list[Any]:
        """Fire a step of an earlier game again, and return its row."""
        return self._row(step, narrate_again(self.game, step))

    def next(self) -> list[Any]:
        """Fire the event that is forced or that the policy of the player in turn chooses, and return its row.

        Raises IllegalMove when the game is over.
        """
        before = count_calls(self.game)
        step = self.game.step()
        return self._row(step, narrate_step(self.game, step, before))

    def fire(self, move: Move) -> list[Any]:
        """Fire an event and return its row. Raises IllegalMove, and nothing has changed."""
        before = count_calls(self.game)
        step = self.game.fire(move)
        return self._row(step, narrate_step(self.game, step, before))

    def undo(self) -> None:
        """Take back the last event. Raises IllegalMove at the start."""
        self.game.undo()
        self._last = coded_frame_of(self.game)

    def _row(self, step: Step, narration: Narration) -> list[Any]:
        """An event: the number of its arc, the player, card, suit, places of the two sentences, and what it changes."""
        before, self._last = self._last, coded_frame_of(self.game)
        changes = change(before, self._last, self._names)
        what, why = self._place(narration.what), self._place(narration.why)
        return [self._arcs[step.arc], step.player, step.card, step.suit, what, why, changes]

    def _place(self, text: str) -> int:
        if text not in self._places:
            self._places[text] = len(self.words)
            self.words.append(text)
        return self._places[text]


def opening(game: Game, start: Frame, heading: str) -> Story:
    """What a page must know before the first event, beside what holds for all games of the kind."""
    return {
        "game": game.declaration.name,
        "heading": heading,
        "players": game.players,
        "policies": [policy.name for policy in game.policies],
        "start": start,
    }


def setting(declaration: Declaration) -> Story:
    """What holds for all games of a kind: phases, arcs, cards and suits."""
    return {
        "title": declaration.title,
        "phases": [_phase(declaration, phase) for phase in declaration.phases],
        "arcs": _arcs(declaration),
        "suits": suits(declaration),
        "cards": faces(declaration),
    }


def choices(declaration: Declaration) -> dict[str, Any]:
    """What a page needs of a kind of games before a game begins."""
    codec = declaration.codec
    policies = [policy.name for policy in declaration.policies]
    players = {"fewest": codec.fewest, "most": codec.most}
    return setting(declaration) | players | {"game": declaration.name, "policies": policies}


def offered_rules(kind: type[Game]) -> list[list[str]]:
    """The house rules and profiles that a page offers, each with what it says."""
    book = kind.rulebook()
    profiles = [[profile.name, ", ".join(profile.rules)] for profile in book.profiles]
    return [[rule.name, rule.description] for rule in book.listed()] + profiles


def rules_text(kind: type[Game]) -> str:
    """The house rules of a game by name and content hash, as a link has them."""
    return ",".join(f"{rule.name}:{rule.digest}" for rule in kind.rules)


def ending(outcome: Outcome | None) -> Story | None:
    """How a game ended, in words and numbers."""
    if outcome is None:
        return None
    return {"told": ending_sentence(outcome), "winner": outcome.winner, "scores": list(outcome.scores)}


def _phase(game: Declaration, phase: Any) -> dict[str, Any]:
    control = game.control.get(phase, Control())
    return {"name": phase.name, "title": str(phase), "acts": control.told or "the game is over"}


def _arcs(game: Declaration) -> Sequence[dict[str, Any]]:
    phases = list(game.phases)
    return [
        {
            "trigger": arc.trigger,
            "source": phases.index(arc.source),
            "dest": phases.index(arc.dest),
            "guards": arc.guards,
            "callbacks": arc.callbacks,
            "says": arc.description,
        }
        for arc in game.arcs
    ]
