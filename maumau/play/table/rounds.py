"""The rounds that are played at a table: a single game, or those of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from fsm.match.stepped import Match
from fsm.stepping.carried import Carried
from fsm.stepping.game import Game
from fsm.stepping.steps import Step
from fsm.stepping.view import seen_step
from fsm.table.known import without_hidden
from fsm.table.sight import Relation
from maumau.play.table.seen import NOBODY, all_is_shown
from maumau.play.table.setup import Person, Setup, seat_data, seat_of_data
from maumau.play.table.view import FoundOnce, Part
from rules.notation import UNKNOWN, shown


class TableMatch(Match):
    """A match whose rounds have the decks and dice of a setup. It keeps no round but the last one."""

    def __init__(
        self, setup: Setup, totals: Sequence[int] = (), rounds: int = 0, carried: Carried | None = None
    ) -> None:
        """Begin a match after so many `rounds`, of which players have `totals`, and deal the next one. carried: what it
        takes over from the round before.
        """
        self.setup, self._carried = setup, carried or {}
        super().__init__(setup.kind, setup.players, 0, 0, setup.policies, setup.target)
        table = self.table
        table.totals[: len(totals)] = totals
        table.rounds, table.dealer, table.decks = rounds, rounds % setup.players, table.decks - rounds
        self.step()
        self._games *= rounds + 1  # the last one lies at the places of the others, too

    def dice(self, index: int) -> tuple[int, int]:
        """The deck and the dice of a round, from 0."""
        return self.setup.dice(index)

    def _carried_to(self, index: int) -> Carried:
        return self._carried


class Rounds:
    """The rounds of a table, one after the other.

    setup: of the table. absent: the players who are stood in for. game: the round that is played, or was played last.
    round: its number, from 1.
    """

    round = 1

    def __init__(self, setup: Setup) -> None:
        self.setup = self._opened = setup
        self.absent: set[int] = set()
        self._found = FoundOnce()
        self._match: TableMatch | None = None
        if setup.target is None:
            self.game: Game = setup.kind.deal(setup.players, *setup.dice(0), setup.policies)
        else:
            self._deal(())

    def _deal(self, totals: Sequence[int], carried: Carried | None = None) -> None:
        """Deal the round `round` of a match, before which players have `totals`. carried: from the round before."""
        self._match = TableMatch(self._opened, totals, self.round - 1, carried)
        assert self._match.game is not None
        self.game = self._match.game

    @property
    def state(self) -> str:
        """`playing`, `round over` where another round follows, or `over`."""
        if self.game.outcome is None:
            return "playing"
        return "over" if self._match is None or self._match.outcome else "round over"

    def _score(self) -> dict[str, str]:
        """Score the round that is over, and end the match that it decides. Returns how they have ended, by event."""
        assert self.game.outcome is not None
        told = {END_ROUND: self.game.outcome.sentence(self.game.declaration)}
        if self._match is not None:
            self._match.step()
            step = self._match.step()
            if self._match.outcome:
                told["end_match"] = f"{step} {self._match.outcome.sentence}"
        return told

    def _standing_data(self) -> dict[str, Any]:
        """Return who has the seats, and how the match stands, at the beginning of its next round, as plain data."""
        assert self._match is not None
        return {
            "round": self.round + 1,
            "seats": [seat_data(seat) for seat in self.setup.seats],
            "absent": sorted(self.absent),
            "totals": list(self._match.totals),
            "carried": self.game.declaration.carried_from(self.game.table),
        }

    def _deal_from(self, begun: Mapping[str, Any]) -> None:
        """Deal a round of a match. begun: what `_standing_data` has returned before it."""
        self.round, self.absent = int(begun["round"]), set(begun["absent"])
        self.setup = replace(self._opened, seats=tuple(map(seat_of_data, begun["seats"])))
        self._deal(begun["totals"], begun["carried"])

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
                    "deal": sealed and sealed.data(is_open=all_is_shown(self.game)),
                    "outcome": outcome and {**outcome.as_data, "text": outcome.sentence(self.game.declaration)},
                }
            )

        state, outcome = self.state, self.game.outcome
        sealed = self._found.once("sealed", (self.round, self._opened), lambda: self._opened.sealed(self.round - 1))
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
            "outcome": outcome and {**outcome.as_data, "text": outcome.sentence},
        }


RULES = "rules"
"""What fires an event that is forced."""
MAX_ENTRIES = 1000
"""Entries that the log of a seat has at most: the last ones."""
MAX_LOG = 200_000
"""Bytes that the entries of a log have at most, as JSON."""
MAX_RESULTS = 20
"""Rounds of a match of which the log keeps how they ended."""
END_ROUND = "end_round"


class Logs:
    """The log of each seat. versions: how often each seat has seen the table change. changes: how often anybody has."""

    def __init__(self, seats: Iterable[int]) -> None:
        self.versions = dict.fromkeys(seats, 0)
        self.changes = 0
        self._entries: dict[int, list[tuple[int, Part]]] = {seat: [] for seat in self.versions}
        self._bytes = dict.fromkeys(self.versions, 0)

    @property
    def seen(self) -> list[int]:
        """How often each seat has seen the table change, in the order of `versions`."""
        return list(self.versions.values())

    def catch_up(self, seen: Sequence[int]) -> None:
        """Count what was seen but is not in the log. seen: as the property has it. Raises ValueError for less."""
        for seat, version in zip(self.versions, seen, strict=True):
            if not isinstance(version, int) or version < self.versions[seat]:
                raise ValueError(f"seen: {shown(seen, 80)} is too small; use {self.seen} or more")
            self.versions[seat] = version
        self.changes += 1

    @property
    def results(self) -> list[tuple[str, list[int]]]:
        """How rounds have ended, as the text of an entry, and its number in the log of each seat."""
        each = (
            [entry for entry in entries[::-1] if entry[1].fields["event"] == END_ROUND][:MAX_RESULTS]
            for entries in self._entries.values()
        )  # the last one first, as a log has lost the first ones, if any
        found = [(str(ends[0][1].fields["text"]), [number for number, _ in ends]) for ends in zip(*each, strict=False)]
        return found[::-1]

    def sum_up(self, results: Sequence[tuple[str, Sequence[int]]]) -> None:
        """Keep nothing of earlier rounds but how they have ended. results: as the property has them."""
        parts = [(_notice(END_ROUND, text), numbers) for text, numbers in results]
        for place, seat in enumerate(self._entries):
            self._entries[seat] = [(numbers[place], part) for part, numbers in parts]
            self._weigh(seat)

    def cut(self, numbers: Mapping[int, int]) -> None:
        """Remove the entries after the last ones that stay. numbers: of these, by seat."""
        for seat, number in numbers.items():
            entries = self._entries[seat]
            while entries and entries[-1][0] > number:
                entries.pop()
            self._weigh(seat)

    def remove(self, parts: Collection[Part]) -> None:
        """Remove entries that lie near the end."""
        for seat, entries in self._entries.items():
            for place in reversed(range(len(entries))):
                if any(entries[place][1] is part for part in parts):
                    self._bytes[seat] -= len(entries.pop(place)[1].text)
                    break

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
        entries, size = self._entries[seat], self._bytes[seat] + len(entry.text)
        entries.append((self.versions[seat], entry))
        while len(entries) > MAX_ENTRIES or (size > MAX_LOG and len(entries) > 1):
            size -= len(entries.pop(0)[1].text)
        self._bytes[seat] = size

    def _weigh(self, seat: int) -> None:
        """Count the bytes of the log of a seat again."""
        self._bytes[seat] = sum(len(part.text) for _, part in self._entries[seat])

    def count(self, seat: int) -> None:
        """Count a change that a seat sees."""
        self.versions[seat] += 1
        self.changes += 1

    def tell(self, event: str, text: str, player: int | None = None) -> Part:
        """Enter in all logs what is not an event of the game. Returns the entry."""
        entry = _notice(event, text, player)
        for seat in self.versions:
            self.append(seat, entry)
        return entry


def _notice(event: str, text: str, player: int | None = None) -> Part:
    return Part({"event": event, "player": player, "text": text})


def event_entries(game: Game, step: Step, by: str, lays: bool) -> dict[int, Part | None]:
    """An event as those see it who watch, and as the seats of its player, of his partners and of those who draw with it
    do; None for who does not see that anything happens. by: what fired it. lays: whether it has laid a card on the
    discard pile.
    """
    declaration, seat, sight = game.declaration, step.player - 1, game.sight
    others = seen_step(declaration, step, NOBODY)
    entry = _entry(game, step, seen_step(declaration, step, seat) or step, seat, by, lays)
    is_open = others == step and step.past is None and step.arc not in declaration.disguises.values()
    is_open = is_open and not step.drawn  # in which steps are not compared
    if is_open and sight.sees("open_card", Relation.SELF) is sight.is_open("open_card"):
        return {NOBODY: entry, seat: entry}
    lookers = dict.fromkeys([*sight.partners(game.table, seat), *(player - 1 for player, _ in step.drawn)])
    seen = {looker: seen_step(declaration, step, looker) for looker in lookers}
    entries = {looker: each and _entry(game, step, each, looker, by, lays) for looker, each in seen.items()}
    return entries | {NOBODY: others and _entry(game, step, others, NOBODY, by, lays), seat: entry}


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
        scene = scene._replace(seen=without_hidden(game.sight, step.past, seat))
    narration = seen._replace(card=card, scene=scene, **hidden).narration
    if secret:  # the rule in words would tell the one arc from the other
        narration = narration._replace(why="", description="")
    turned = game.sight.open_card(game.table, game.sight.relation(seat, game.table.player)) or ""
    if turned not in narration.what and narration.what and lays:
        narration = narration._replace(what=f"{narration.what}: {turned}")
    told = narration._replace(description="") if narration.description in declaration.look.usual else narration
    text = "" if seen.trigger in declaration.look.silent else told.sentence(seen.trigger)
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


class Notice(NamedTuple):
    """What somebody did that is not an event of the game, such as to leave: the entries of the journal and the logs."""

    entry: Mapping[str, Any]
    parts: Collection[Part]

    def is_one(self, whats: Collection[str], player: int) -> bool:
        """Whether it is one of some kinds, of a player."""
        what, who, *_ = self.entry["do"]
        return what in whats and who == player


class TakenBack(NamedTuple):
    """A move of a person, as it is taken back: the events of the round, the last number of each log, the statistics,
    the entries of the journal, and the notices since the last event, all before it.
    """

    events: int
    numbers: Mapping[int, int]
    hands: RoundHands
    entries: int
    notices: list[Notice]


# ---------------------------------------------------------------- the hands of a round


Who = str | int
"""The name of a person, or the seat of a computer player, from 1."""


@dataclass
class RoundHands:
    """The hands of a round so far. largest, holder: the most cards that somebody held, and who. drawn: the cards that
    each has drawn, those of the deal apart. sizes: of the hands now. setup: who had the seats at the last event.

    A hand, and a card that is drawn, are of who has the seat then; a computer player that stands in plays for who is
    absent.
    """

    setup: Setup
    sizes: Sequence[int]
    largest: int = 0
    holder: Who = ""
    drawn: Counter[Who] = field(default_factory=Counter)

    def add(self, setup: Setup, sizes: Sequence[int]) -> None:
        """Count an event. setup: who has the seats. sizes: of the hands after it."""
        if (most := max(sizes)) > self.largest:
            self.largest, self.holder = most, who_sits(setup, sizes.index(most) + 1)
        if sum(sizes) > sum(self.sizes):  # hands that are exchanged are not drawn
            for player, (before, after) in enumerate(zip(self.sizes, sizes, strict=True), 1):
                if after > before:
                    self.drawn[who_sits(setup, player)] += after - before
        self.setup, self.sizes = setup, sizes

    def copy(self) -> RoundHands:
        """The same, which does not change when the round goes on."""
        return replace(self, drawn=self.drawn.copy())


def who_sits(setup: Setup, player: int) -> Who:
    """Who has a seat."""
    seat = setup.seats[player - 1]
    return seat.name if isinstance(seat, Person) else player
