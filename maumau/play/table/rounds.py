"""The rounds that are played at a table: a single game, or those of a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fsm.match.setup import MATCH_OVER
from fsm.match.stepped import Match, MatchOutcome
from fsm.stepping.game import Game
from fsm.stepping.position import seen_open_card
from fsm.stepping.steps import Step, narrate, sentence
from fsm.stepping.view import seen_step
from maumau.play.table.evening import Hands
from maumau.play.table.parts import Found, Part
from maumau.play.table.seen import NOBODY, all_is_shown, blanked
from maumau.play.table.setup import Setup, seat_data
from render.page.faces import ending_text
from rules.notation import UNKNOWN
from rules.visibility import SeenBy, visibility


class TableMatch(Match):
    """A match whose rounds have the decks and dice of a setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        super().__init__(setup.kind, setup.players, 0, 0, setup.policies, setup.target)

    def dice(self, index: int) -> tuple[int, int]:
        """The deck and the dice of a round, from 0."""
        return self.setup.dice(index)


class Rounds:
    """The rounds of a table, one after the other.

    setup: of the table. absent: the players who are stood in for. game: the round that is played, or was played last.
    round: its number, from 1.
    """

    round = 1

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.absent: set[int] = set()
        self._match = None if setup.target is None else TableMatch(setup)
        self._found = Found()
        if self._match is None:
            self.game: Game = setup.kind.deal(setup.players, *setup.dice(0), setup.policies)
        else:
            self._match.step()
            self.game = self._dealt

    @property
    def state(self) -> str:
        """`playing`, `round over` where another round follows, or `over`."""
        if self.game.outcome is None:
            return "playing"
        return "over" if self._match is None or self._match.phase is MATCH_OVER else "round over"

    def _score(self) -> dict[str, str]:
        """Score the round that is over, and end the match that it decides. Returns how they have ended, by event."""
        assert self.game.outcome is not None
        told = {"end_round": ending_text(self.game.declaration, self.game.outcome)}
        if self._match is not None:
            self._match.step()
            step = self._match.step()
            if self._match.outcome:
                told["end_match"] = f"{step} {_ending(self._match.outcome)}"
        return told

    def _next_round(self) -> None:
        """Begin the round that was dealt when the one before was scored."""
        self.game, self.round = self._dealt, self.round + 1

    @property
    def _dealt(self) -> Game:
        """The round of the match that was dealt last."""
        assert self._match is not None
        assert self._match.game is not None
        return self._match.game

    def _seen_by_all(self) -> Part:
        """What all see of the table, whatever they see of the round."""

        def find() -> Part:
            seats = [(player, *next(iter(seat_data(seat).items()))) for player, seat in enumerate(self.setup.seats, 1)]
            return Part(
                {
                    "state": state,
                    "round": self.round,
                    "match": self._standing(),
                    "game": self.setup.game,
                    "title": self.game.declaration.title,
                    "seats": [
                        {"player": player, "kind": kind, "name": name, "absent": player in self.absent}
                        for player, kind, name in seats
                    ],
                    "dealer": self.game.dealer,
                    "outcome": outcome and {**outcome.as_data, "text": ending_text(self.game.declaration, outcome)},
                }
            )

        state, outcome = self.state, self.game.outcome
        return self._found.once("of all", (self.game, state, self.setup, tuple(self.absent)), find)

    def _standing(self) -> dict[str, Any] | None:
        """The match as all see it: the target, the totals, also of a round that is over, and the end."""
        match = self._match
        if match is None:
            return None
        outcome = match.outcome
        return {
            "round": self.round,
            "target": match.target,
            "totals": list(match.totals),
            "outcome": outcome and {**outcome.as_data, "text": _ending(outcome)},
        }


def _ending(outcome: MatchOutcome) -> str:
    return f"{outcome.short}{'' if outcome.winners else f': {outcome.ending}'}."


RULES = "rules"
"""What fires an event that is forced."""


class Logs:
    """The log of each seat. versions: how often each seat has seen the table change. changes: how often anybody has."""

    def __init__(self, seats: Iterable[int]) -> None:
        self.versions = dict.fromkeys(seats, 0)
        self.changes = 0
        self._entries: dict[int, list[tuple[int, Part]]] = {seat: [] for seat in self.versions}

    @property
    def last_numbers(self) -> dict[int, int]:
        """The number of the last entry of each log."""
        return {seat: entries[-1][0] for seat, entries in self._entries.items()}

    def since(self, seat: int, number: int) -> Sequence[tuple[int, Part]]:
        """The entries of a seat with a number above `number`, each with its number."""
        entries = self._entries[seat]
        first = len(entries)
        while first and entries[first - 1][0] > number:  # most often only the last ones are asked for
            first -= 1
        return entries[first:]

    def append(self, seat: int, entry: Part) -> None:
        """Enter something in the log of a seat."""
        self.count(seat)
        self._entries[seat].append((self.versions[seat], entry))

    def count(self, seat: int) -> None:
        """Count a change that a seat sees."""
        self.versions[seat] += 1
        self.changes += 1

    def tell(self, event: str, text: str, player: int | None = None) -> None:
        """Enter in all logs what is no event of the game."""
        entry = Part({"event": event, "player": player, "text": text})
        for seat in self.versions:
            self.append(seat, entry)


def event_entries(game: Game, step: Step, by: str, lays: bool) -> dict[int, Part | None]:
    """An event as those see it who watch, and as the seat of its player does; None for who does not see that anything
    happens. by: what fired it. lays: whether it has laid a card on the discard pile.
    """
    declaration, seat = game.declaration, step.player - 1
    others, entry = seen_step(declaration, step, NOBODY), _entry(game, step, step, seat, by, lays)
    is_open = others == step and step.past is None and step.arc not in declaration.disguises.values()
    if is_open and visibility(declaration.table)["open_card"] is not SeenBy.OWNER:
        return {NOBODY: entry, seat: entry}
    return {NOBODY: others and _entry(game, step, others, NOBODY, by, lays), seat: entry}


def _entry(game: Game, step: Step, seen: Step, seat: int, by: str, lays: bool) -> Part:
    """An event in the log of a seat. seen: as it sees the event."""
    declaration = game.declaration
    secret = seen.player != seat + 1 and seen.arc in declaration.disguises.values()
    if secret:
        by = RULES
    named = seen.named
    hidden: dict[str, Any] = {str(kind): None for kind, value in named.items() if value == UNKNOWN}
    card = f"a {declaration.codec.notation.card_word}" if seen.card == UNKNOWN else seen.card
    scene = step.scene
    if scene and step.past is not None and not all_is_shown(game):  # at the end it is shown as it was
        scene = scene._replace(seen=blanked(declaration, step.past, seat))
    narration = narrate(seen._replace(card=card, scene=scene, **hidden))
    if secret:  # the rule in words would tell the one arc from the other
        narration = narration._replace(why="", description="")
    turned = seen_open_card(declaration, game.table, seat) or ""
    if turned not in narration.what and narration.what and lays:
        narration = narration._replace(what=f"{narration.what}: {turned}")
    told = narration._replace(description="") if narration.description in declaration.look.usual else narration
    text = "" if seen.trigger in declaration.look.silent else sentence(told, seen.trigger)
    if seen.trigger in declaration.reveals and told.description not in text and not lays:
        text = f"{text} {told.description}"  # how it has ended
    return Part(
        {
            "event": seen.trigger,
            "player": narration.player if by != RULES or narration.what else None,
            "card": seen.card,
            **{str(kind): value for kind, value in named.items()},
            "phase": str(step.dest),
            "arc": declaration.arc_numbers[seen.arc],
            "by": by,
            "text": text,
            "rule": narration.description,
            "why": narration.why,
        }
    )


class Chosen(NamedTuple):
    """A move of a person, as it is taken back: the events of the round, the last number of each log, and the statistics
    before it.
    """

    events: int
    numbers: Mapping[int, int]
    hands: Hands
