"""A game as the data of a page: the first frame, and for each event the player, the sentences and the changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from fsm.declaration.arcs import Control, Policy
from fsm.declaration.declaration import RULES_AFTER, Declaration
from fsm.declaration.policy import usual_players
from fsm.match.played import Played, PlayedMatch
from fsm.match.stepped import Round
from fsm.records.counterexamples import Shown
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.steps import Move, Outcome, Step, ending_sentence, narrate
from fsm.stepping.transcript import Transcript
from render.page.faces import count_text, faces, suits
from render.page.frame import Frame, change, coded_frame_of, frame_of

Story = dict[str, Any]
Marks = Mapping[int, str]
"""What is said of events beside what happened, by index."""
NO_MARKS: Marks = {}


def story_of(played: Played | Shown, heading: str, marks: Marks = NO_MARKS) -> Story:
    """The page data of a played game, of a counterexample, or of a match with its rounds. heading: where it is from."""
    shared = game_data(played.kind.declaration)
    if not isinstance(played, PlayedMatch):
        return shared | events_of(played, heading, marks)
    return {
        "heading": heading,
        "players": played.players,
        "target": played.target,
        "shared": shared,
        "rounds": [_round(each, heading) for each in played.rounds],
        "outcome": str(played.outcome),
        **played.outcome.as_data,
    }


def _round(each: Round[Transcript], heading: str) -> Story:
    told = events_of(each.game, f"round {each.number} of {heading}, player {each.dealer} dealt")
    return {"dealer": each.dealer, "points": each.points, "totals": each.totals, "story": told}


def events_of(played: Transcript | Shown, heading: str, marks: Marks = NO_MARKS) -> Story:
    """The page data of a played game, without that which all games of its kind share."""
    game = played.start()
    narrator = Narrator(game)
    steps = [narrator.again(step, marks.get(index, "")) for index, step in enumerate(played.steps)]
    return opening(game, narrator.start, heading) | {
        "sentences": narrator.sentences,
        "steps": steps,
        "outcome": ending(game.declaration, game.outcome),
    }


class Narrator:
    """Narrates the events of one game, one after the other.

    start: the frame before the first one. sentences: what events refer to by index, each once.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start, self._last = frame_of(game), coded_frame_of(game)
        self.sentences: list[str] = []
        self._indices: dict[str, int] = {}
        self._arcs = {arc: number for number, arc in enumerate(game.declaration.arcs)}
        self._names = game.declaration.codec.notation.names

    def again(self, step: Step, mark: str = "") -> list[Any]:
        """Fire a step of an earlier game again, and return its row. mark: what is said of it besides."""
        return self._row(self.game.fire_again(step), mark)

    def next(self) -> list[Any]:
        """Fire the event that is forced or that the policy of the player in turn chooses, and return its row.

        Raises IllegalMove when the game is over.
        """
        return self._row(self.game.step())

    def fire(self, move: Move) -> list[Any]:
        """Fire an event and return its row. Raises IllegalMove, and nothing has changed."""
        return self._row(self.game.fire(move))

    def undo(self) -> None:
        """Take back the last event. Raises IllegalMove at the start."""
        self.game.undo()
        self._last = coded_frame_of(self.game)

    def take_back(self, events: int, sentences: int) -> None:
        """Take back what was narrated after the first events and sentences, of which these are the numbers."""
        while len(self.game.history) > events:
            self.undo()
        for text in self.sentences[sentences:]:
            del self._indices[text]
        del self.sentences[sentences:]

    def _row(self, step: Step, mark: str = "") -> list[Any]:
        """An event: the number of its arc, the player, card, suit, places of the two sentences, and what it changes."""
        narration, before, self._last = narrate(step), self._last, coded_frame_of(self.game)
        changes = change(before, self._last, self._names)
        what, why = self._index(narration.what + mark), self._index(narration.why)
        return [self._arcs[step.arc], narration.player, step.card, step.suit, what, why, changes]

    def _index(self, text: str) -> int:
        if text not in self._indices:
            self._indices[text] = len(self.sentences)
            self.sentences.append(text)
        return self._indices[text]


def opening(game: Game, start: Frame, heading: str) -> Story:
    """The data of one game before its first event."""
    return {
        "game": game.declaration.name,
        "heading": heading,
        "players": game.players,
        "policies": [policy.name for policy in game.policies],
        "start": start,
    }


def game_data(declaration: Declaration) -> Story:
    """The data that all games of a kind share: phases, arcs, cards and suits."""
    phases, look = list(declaration.phases), declaration.look
    controls = ((phase, declaration.control.get(phase, Control())) for phase in phases)
    return {
        "title": declaration.title,
        "phases": [
            {"name": phase.name, "title": str(phase), "control": control.summary or "the game is over"}
            for phase, control in controls
        ],
        "arcs": [
            {
                "trigger": arc.trigger,
                "source": phases.index(arc.source),
                "dest": phases.index(arc.dest),
                "guards": arc.guards,
                "callbacks": arc.callbacks,
                "description": arc.description,
            }
            for arc in declaration.arcs
        ],
        "suits": suits(declaration),
        "cards": faces(declaration),
        "words": {
            "card": declaration.codec.notation.card_word,
            "draw": look.draw_pile,
            "discard": look.discard_pile,
            "tricks": declaration.is_of_tricks,
            "scores": "" if declaration.scoring.most_wins else " left",
        },
    }


def choices(kind: type[Game], players: Sequence[str] | None = ()) -> dict[str, Any]:
    """The data of a kind of games for the form that starts a game. players: as `offered_players` has them."""
    declaration = kind.declaration
    codec = declaration.codec
    policies = [policy.name for policy in offered_players(kind, players)]
    bounds = {"fewest": codec.fewest, "most": codec.most}
    return game_data(declaration) | bounds | {"game": declaration.name, "policies": policies}


def offered_players(kind: type[Game], names: Sequence[str] | None) -> list[Policy]:
    """The policies of a game, and those of some players that can play it. names: of the players; None for the usual."""
    declaration = kind.declaration
    found = {policy.name: policy for policy in declaration.policies}
    for name in usual_players(declaration) if names is None else names:
        with suppress(ValueError):
            found.setdefault(name, declaration.policy(name))
    return list(found.values())


def offered_rules(kind: type[Game]) -> list[list[str]]:
    """The house rules and profiles that a page offers, each with its description."""
    book = kind.rulebook()
    profiles = [[profile.name, ", ".join(profile.rules)] for profile in book.profiles]
    return [[rule.name, rule.description] for rule in book.listed()] + profiles


def plain_kind(kind: type[Game]) -> type[Game]:
    """A game without its house rules."""
    return game_class(kind.declaration.name.partition(RULES_AFTER)[0]) if kind.rules else kind


def heading_of(kind: type[Game]) -> str:
    """The title of a game, with how many house rules it has."""
    rules = len(kind.rules)
    return (
        f"{plain_kind(kind).declaration.title}, {count_text(rules, 'house rule')}" if rules else kind.declaration.title
    )


def rules_text(kind: type[Game]) -> str:
    """The house rules of a game by name and content hash, as in links."""
    return ",".join(f"{rule.name}:{rule.digest}" for rule in kind.rules)


def ending(game: Declaration, outcome: Outcome | None) -> Story | None:
    """How a game ended: a sentence, the winner and the scores."""
    if outcome is None:
        return None
    return {"text": ending_sentence(game.look, outcome), **outcome.as_data}
