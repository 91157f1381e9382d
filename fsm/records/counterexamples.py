"""A game that shows how a property of a declaration fails, as a record that is stepped again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fsm.check.properties import Counterexample, all_properties
from fsm.check.rolled import NO_DICE, fire_shown, game_number
from fsm.declaration.arcs import SmallDeck
from fsm.edge.numbers import Types, check_fields
from fsm.match.contest import Contest
from fsm.match.transcript import Transcript
from fsm.records import (
    DECK,
    EVENTS,
    OF_BOTH,
    Record,
    RecordError,
    checked_fields,
    compare,
    event_of,
    game_of,
    head_of,
    replay_events,
    replay_transcript,
    told,
)
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.stepping.steps import Step
from fsm.variants.edits import Variant
from rules.errors import raised_as
from rules.notation import shown

COUNTEREXAMPLE = "maumau-counterexample"
"""The format."""
OF_COUNTEREXAMPLES: Types = {
    "game": OF_BOTH["game"],
    "rules": OF_BOTH["rules"],
    "players": int,
    "each": int,
    "deck": DECK,
    "number": int,
    "property": str,
    "events": EVENTS,
    "position": str,
    "fails": str | None,
    "loop": (list, "a list of events"),
}
ALWAYS_IN_COUNTEREXAMPLES = "game", "players", "deck", "property", "events", "position", "loop"


@dataclass(frozen=True)
class Shown:
    """A game that shows how a property fails, stepped again: to a position, and once around the loop that begins there.

    stated: the property in words. fails: the event that fails at the position, if it is one. loop: the number of the
    last events, which lead from the position back to it, and so on for ever; 0 if the property is not over time, or the
    game has ended.
    """

    game: Game
    stated: str
    fails: str | None
    loop: int

    @property
    def kind(self) -> type[Game]:
        """The class of the game."""
        return type(self.game)

    @property
    def steps(self) -> Sequence[Step]:
        """All events."""
        return self.game.history

    def start(self) -> Game:
        """The game at its start, to be played again by the events that were fired."""
        return self.game.restarted()


def record_of_counterexample(kind: type[Game], small: SmallDeck | None, found: Counterexample, stated: str) -> Record:
    """The record of a game that shows how a property fails, as `replay_counterexample` reads it.

    small: the deck, if it is not the whole one. stated: the property in words. Raises RecordError where no game shows
    it: its message says that, and why.
    """
    if not found.position:
        raise RecordError(f"not printed, as the deal raises an error: {found.error}")
    if found.carried:
        raise RecordError("not printed: the game takes over facts of a round before it")
    dealt = kind.with_deck(small.cards, small.each) if small else kind
    if (number := game_number(dealt, found, stated)) is None:
        raise RecordError(f"not printed: {NO_DICE}")
    game = dealt.parse(found.line)
    game.table.number = number
    with raised_as(RecordError, "not printed, as players do not choose so: ", IllegalMove):
        first = [fire_shown(game, move) for move in found.events]
        position = game.position()
        again = [fire_shown(game, move) for move in found.loop]
    return {
        **head_of(COUNTEREXAMPLE, kind, game.players),
        **({"each": small.each} if small else {}),
        "deck": game.declaration.codec.notation.names(game.dealt_deck()),
        **({"number": number} if number else {}),
        "property": stated,
        "events": [event_of(game.declaration, step) for step in first],
        "position": position,
        "fails": str(found.event) if found.event else None,
        "loop": [event_of(game.declaration, step) for step in again],
    }


def replay_any(record: object, contest: Contest) -> Transcript | Shown:
    """Play a record again as `replay_transcript` does, also that of a counterexample."""
    if contest.target is None and isinstance(record, dict) and record.get("format") == COUNTEREXAMPLE:
        return replay_counterexample(record, contest.kind.rules or None)
    return replay_transcript(record, contest)


def replay_counterexample(record: object, expected: Sequence[Variant] | None = None) -> Shown:
    """Step the record of a counterexample again. Raises RecordError where it is broken or contradicts the rules.

    expected: the house rules that it must have; any, if nothing is said.
    """
    fields = checked_fields(
        record, "counterexample", COUNTEREXAMPLE, OF_COUNTEREXAMPLES, ALWAYS_IN_COUNTEREXAMPLES, expected
    )
    check_fields({"events": [*fields["events"], *fields["loop"]]}, {"events": EVENTS}, RecordError)
    with told():
        kind = game_of(fields, expected)
        if fields["property"] not in all_properties(kind.declaration):
            raise RecordError(f"property: {shown(fields['property'])} is unknown; use one that check reports")
        if "each" in fields:
            kind = kind.with_deck(" ".join(fields["deck"]), fields["each"])
        deck = kind.deck_format().codes(fields["players"], fields["deck"])
        game = kind.of_deck(fields["players"], deck, number=fields.get("number", 0))
    replay_events(game, fields["events"])
    compare(fields, {"position": game.position()})
    key = game.layout.exact_key()
    began = game.phase, key(game.table)
    replay_events(game, fields["loop"], len(fields["events"]) + 1)
    if (game.phase, key(game.table)) != began:
        raise RecordError(f"loop: it leads to {game.position()}; it must lead back to the position")
    return Shown(game, fields["property"], fields.get("fails"), len(fields["loop"]))
