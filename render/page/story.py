"""A game as the data of a page: the first frame, and for each event the player, the sentences and the changes.

A frame is what is shown of a game after an event, as plain data; the page has how two frames differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import usual_players
from fsm.match.played import PlayedGame
from fsm.match.transcript import Transcript
from fsm.records.counterexamples import Shown
from fsm.stepping.game import Game
from fsm.stepping.outcomes import by_player
from fsm.stepping.position import Melds, groups_before
from fsm.stepping.steps import Step
from render.page.faces import (
    count_text,
    counted_facts,
    counts_of,
    faces,
    noted_facts,
    notes_of,
    own_piles,
    suits,
)
from rules.piles import discard_pile, draw_pile

Frame = dict[str, Any]
Note = tuple[str, str]
Notes = tuple[Note, ...]
Change = dict[str, Any]
Splice = list[Any]
Names = Callable[[Iterable[int]], list[str]]

QUOTED = re.compile(r'"([^"]+)"')
ROWS = ("draw", "discard")
"""The parts of a frame that are rows of cards; `hands` is a row for each seat."""


def frame_of(game: Game) -> Frame:
    """What is shown of `game` now.

    phase: its index among the phases. player: who acts, from 1. hands, draw, discard: names of cards, in the order of
    the game. notes: pairs of what is due or holds, in words, and the letter of a suit or nothing. calls: by seat.
    melds: names of cards by seat and group, in games in which some lie before the seats. counts: what is counted of
    each seat, in words, in games that count something.
    """
    frame, names = coded_frame_of(game), game.declaration.codec.notation.names
    return frame | {row: tuple(names(frame[row])) for row in ROWS}


def coded_frame_of(game: Game) -> Frame:
    """The same with codes for the cards of the piles: most are never shown, and names cost time."""
    table = game.table
    lying = laid_before(game)
    melds = {"melds": lying} if game.melds or own_piles(game.declaration) else {}
    counted = {"counts": counts(game)} if counted_facts(game.declaration) else {}
    shown = {
        "phase": game.declaration.phase_numbers[game.phase],
        "player": game.player,
        "hands": game.hands,
        "draw": list(draw_pile(table)),
        "discard": list(discard_pile(table)),
        "notes": notes(game),
        "calls": calls_made(game),
    }
    return melds | counted | shown


def laid_before(game: Game) -> tuple[Melds, ...]:
    """The cards that lie before each seat, by group: face up, and in piles."""
    piles = (*game.sight.open_piles, *own_piles(game.declaration))
    return groups_before(game.declaration, game.table, piles)


def notes(game: Game) -> Notes:
    """What holds beside the cards, in words, each with the letter of the suit that it names, or nothing."""
    codes = tuple(
        game.layout.piles(fact, game.table) if fact.is_pile else getattr(game.table, fact.field)
        for fact in noted_facts(game.declaration)
    )
    others_act = game.player != game.turn and game.outcome is None
    trick = ((f"trick: {by_player(game.trick)}", ""),) if game.trick else ()
    return (((game.who_acts, ""),) if others_act else ()) + trick + _notes(game.declaration, codes)


def counts(game: Game) -> tuple[str, ...]:
    """What is counted of each seat, in words."""
    facts = counted_facts(game.declaration)
    values = {fact.name: getattr(game.table, fact.field)[: game.players] for fact in facts}
    return tuple(", ".join(counts_of(game.declaration, values, seat)) for seat in range(game.players))


def calls_made(game: Game) -> tuple[int, ...]:
    """How often each seat has made a call."""
    calls = game.declaration.calls
    if not calls:
        return (0,) * game.players
    return tuple(sum(call.count(game.table, seat) for call in calls) for seat in range(game.players))


def call_text(declaration: Declaration) -> str:
    """What players call out, as its description quotes it: `“Uno!”`; else the description."""
    words = [call.description for call in declaration.calls]
    return ", ".join(f"“{said[1]}”" if (said := QUOTED.search(each)) else each for each in words)


def _notes(game: Declaration, codes: tuple[Any, ...]) -> Notes:
    names = game.codec.notation.suits
    values = {
        fact.name: names[code] if fact.kind == "suit" else fact.words[code] if fact.words else code
        for fact, code in zip(noted_facts(game), codes, strict=True)
        if fact.is_pile or code >= 0
    }
    return tuple(notes_of(game, values))


def change(before: Frame, after: Frame, names: Names) -> Change:
    """What must be done to the coded frame `before` to make it `after`: new values, and splices of rows of cards.

    A splice is an index, how many cards leave there, and the names of the cards that come. `hands` has those of the
    seats, from 0.
    """
    changed: Change = {}
    for name, value in after.items():
        if value == before[name]:
            continue
        if name == "hands":
            hands = zip(before[name], value, strict=True)
            changed[name] = {str(seat): splice(old, new) for seat, (old, new) in enumerate(hands) if old != new}
        elif name in ROWS:
            start, leaving, *coming = splice(before[name], value)
            changed[name] = [start, leaving, *names(coming)]
        else:
            changed[name] = value
    return changed


def splice(before: Sequence[Any], after: Sequence[Any]) -> Splice:
    """The shortest single splice that makes the row `after` of the row `before`."""
    fewer = min(len(before), len(after))
    start = _alike(before[:fewer], after[:fewer])
    left = fewer - start
    same = _alike(before[len(before) - left :][::-1], after[len(after) - left :][::-1]) if left else 0
    return [start, len(before) - same - start, *after[start : len(after) - same]]


def _alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many cards two rows of one length have in common from their beginning on."""
    if one == other:
        return len(one)
    return next(index for index, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])


Story = dict[str, Any]
Marks = Mapping[int, str]
"""What is said of events beside what happened, by index."""
NO_MARKS: Marks = {}


def story_of(played: Transcript | Shown, heading: str, marks: Marks = NO_MARKS) -> Story:
    """The page data of a played game, of a counterexample, or of a match with its rounds. heading: where it is from."""
    shared = game_data(played.kind.declaration)
    if isinstance(played, Shown):
        return shared | events_of(played, heading, marks)
    if played.target is None:
        return shared | events_of(played.rounds[0].game, heading, marks)
    return {
        "heading": heading,
        "players": played.players,
        "target": played.target,
        "shared": shared,
        "rounds": [
            {
                "dealer": each.dealer,
                "points": each.points,
                "totals": each.totals,
                "story": events_of(each.game, f"round {each.number} of {heading}, player {each.dealer} dealt"),
            }
            for each in played.rounds
        ],
        "outcome": str(played.outcome),
        **played.outcome.as_data,
    }


def events_of(played: PlayedGame | Shown, heading: str, marks: Marks = NO_MARKS) -> Story:
    """The page data of a played game, without that which all games of its kind share."""
    game = played.start()
    narrator = Narrator(game)
    steps = [narrator.row(game.fire_again(step), marks.get(index, "")) for index, step in enumerate(played.steps)]
    return narrator.opening(heading) | {
        "sentences": list(narrator.sentences),
        "steps": steps,
        "outcome": narrator.ending(),
    }


class Narrator:
    """Narrates the events of one game, one after the other.

    start: the frame before the first one. sentences: what events refer to by index, each once, with its index.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start, self._last = frame_of(game), coded_frame_of(game)
        self.sentences: dict[str, int] = {}
        self._names = game.declaration.codec.notation.names

    def undo(self) -> None:
        """Take back the last event. Raises IllegalMove at the start."""
        self.game.undo()
        self._last = coded_frame_of(self.game)

    def take_back(self, events: int, sentences: int) -> None:
        """Take back what was narrated after the first events and sentences, of which these are the numbers."""
        while len(self.game.history) > events:
            self.undo()
        while len(self.sentences) > sentences:
            self.sentences.popitem()

    def row(self, step: Step, mark: str = "") -> list[Any]:
        """The event that was fired last: the number of its arc, the player, card, suit, places of the two sentences,
        and what it changes. mark: what is said of it besides.
        """
        narration, before, self._last = step.narration, self._last, coded_frame_of(self.game)
        changes = change(before, self._last, self._names)
        what, why = self._index(narration.what + mark), self._index(narration.why)
        arc = self.game.declaration.arc_numbers[step.arc]
        return [arc, narration.player, step.card, step.suit, what, why, changes]

    def opening(self, heading: str) -> Story:
        """Return the data of the game before its first event. heading: where the game is from."""
        return {
            "game": self.game.declaration.name,
            "heading": heading,
            "players": self.game.players,
            "policies": [policy.name for policy in self.game.policies],
            "start": self.start,
        }

    def ending(self) -> Story | None:
        """Return how the game ended: a sentence, the winner and the scores; None while it goes on."""
        outcome = self.game.outcome
        return outcome and {"text": outcome.sentence(self.game.declaration), **outcome.as_data}

    def _index(self, text: str) -> int:
        return self.sentences.setdefault(text, len(self.sentences))


def game_data(declaration: Declaration) -> Story:
    """The data that all games of a kind share: phases, arcs, cards and suits."""
    numbers, look = declaration.phase_numbers, declaration.look
    return {
        "title": declaration.title,
        "phases": [
            {
                "name": phase.name,
                "title": str(phase),
                "control": declaration.who_acts(phase) or "the game is over",
            }
            for phase in declaration.phases
        ],
        "arcs": [
            {
                "trigger": arc.trigger,
                "source": numbers[arc.source],
                "dest": numbers[arc.dest],
                "guards": arc.guards,
                "effects": arc.effects,
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
            "cleared": declaration.clears_table,
            "stock": declaration.has_draw_pile,
            "scores": declaration.scores_text,
            "call": call_text(declaration),
        },
    }


def choices(kind: type[Game], players: Sequence[str] | None = ()) -> dict[str, Any]:
    """The data of a kind of games for the form that starts a game. players: as `offered_players` has them."""
    declaration = kind.declaration
    codec = declaration.codec
    policies = [policy.name for policy in offered_players(kind, players)]
    profiles = [profile[:2] for profile in offered_profiles(kind)]
    more = {"players": sorted(codec.players), "game": declaration.name, "policies": policies}
    return game_data(declaration) | more | {"offered": offered_house_rules(kind) + profiles}


def offered_players(kind: type[Game], names: Sequence[str] | None) -> list[Policy]:
    """The policies of a game, and those of some players that can play it. names: of the players; None for the usual."""
    declaration = kind.declaration
    found = {policy.name: policy for policy in declaration.policies}
    for name in usual_players(declaration) if names is None else names:
        with suppress(ValueError):
            found.setdefault(name, declaration.policy(name))
    return list(found.values())


def offered_house_rules(kind: type[Game]) -> list[list[str]]:
    """Return the house rules that a page offers, each with its description."""
    return [[rule.name, rule.description] for rule in kind.rulebook().listed()]


def offered_profiles(kind: type[Game]) -> list[list[str]]:
    """Return the profiles that a page offers, each with its house rules in words, and its title if it has one."""
    profiles = kind.rulebook().profiles
    texts = [", ".join(profile.rules).replace("-", " ").capitalize() for profile in profiles]
    return [[profile.name, f"{text}.", profile.title] for profile, text in zip(profiles, texts, strict=True)]


def heading_of(kind: type[Game]) -> str:
    """The title of a game, with how many house rules it has."""
    title = (kind.plain or kind).declaration.title
    return f"{title}, {count_text(len(kind.rules), 'house rule')}" if kind.rules else title


def rules_text(kind: type[Game]) -> str:
    """The hash of the rules of a game with house rules, as in links; else empty."""
    return kind.rules_hash() if kind.rules else ""
