"""Who has the seats of a table, and what people do there between two events: they leave, come back, sit down."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, ClassVar, SupportsIndex

from fsm.edge.numbers import as_int
from maumau.play.table.rounds import Logs, Notice, Rounds, TakenBack
from maumau.play.table.seen import NOBODY
from maumau.play.table.setup import Computer, Person, Setup, name_of
from maumau.play.table.view import Data, Part, Refused

ABSENCES = "leave", "come_back"
STANDSTILL = "stand_still"
NOTICES = *ABSENCES, "seat"
"""Entries of the journal that are not events of the game, except that a move is taken back."""


def size_of(entry: Data) -> int:
    """Return the bytes of an entry of the journal as JSON; 0 for an event of the game, of which there is a number."""
    return len(json.dumps(entry)) if "seen" in entry else 0


class TableSeats(Rounds):
    """Rounds with the seats, the logs and the journal of a table (see `maumau.play.table.table.Table`)."""

    MAX_EVENTS: ClassVar[int | None] = None
    """The events after which a round stands still, and its log says so."""
    MAX_NOTED: ClassVar[int | None] = None
    """The bytes after which it does, of entries of the journal that are not events."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.journal: list[Data] = []
        self.writes = self.unstored = self._noted = 0
        self.logs = Logs((NOBODY, *range(setup.players)))
        self._was_told = False
        self._choices: list[TakenBack] = []
        self._notices: list[Notice] = []

    def leave(self, player: int) -> None:
        """`player`, a person, leaves for a while: a computer player stands in. Raises Refused for no person."""
        player = self._person(player)
        if player not in self.absent:
            self._leave(player)

    def _leave(self, player: int) -> None:
        self.absent.add(player)
        then = "the table waits" if self.setup.is_left_by(self.absent) else "a computer player stands in"
        self._tell("leave", player, f"{name_of(self.setup, player)} is absent: {then}.")

    def come_back(self, player: int) -> None:
        """`player`, a person who was absent, plays on. Raises Refused for no person."""
        player = self._person(player)
        if player in self.absent:
            self._come_back(player)

    def _come_back(self, player: int) -> None:
        self.absent.discard(player)
        self._tell("come_back", player, f"{name_of(self.setup, player)} is back.")

    def seat(self, player: int, name: str | None) -> None:
        """Give the seat of `player`, with its cards and points, to a person called `name`; None gives it to the
        computer player who stands in. Raises ValueError for what is not a name.
        """
        player = self._player(player)
        self._seat_at(player, name, name_of(self.setup, player))

    def _seat_at(self, player: int, name: str | None, former: str) -> None:
        who = Computer(self.game.policies[player - 1].name) if name is None else Person(name)
        self.setup = self.setup.with_seat(player, who)
        self.absent.discard(player)
        self._choices.clear()
        left = f"{former} has left: a computer player takes the seat."
        self._tell("seat", player, f"{name} sits down." if name else left, name, former)

    def _person(self, player: SupportsIndex) -> int:
        """The plain number of a player who is a person. Raises Refused for a computer player."""
        plain = self._player(player)
        if not isinstance(self.setup.seats[plain - 1], Person):
            raise Refused(f"player {plain} is a computer player; name a person")
        return plain

    def _seat(self, player: int | None) -> int:
        """The seat of a player, from 0, or NOBODY. Raises TypeError, or ValueError for a player who is not there."""
        return NOBODY if player is None else self._player(player) - 1

    def _player(self, player: SupportsIndex) -> int:
        """The plain number of a player. Raises TypeError, or ValueError for a player who is not there."""
        most = len(self.setup.seats)
        if type(player) is int and 1 <= player <= most:  # nearly always
            return player
        return as_int("player", player, 1, most)

    def _request(self, player: SupportsIndex, at: SupportsIndex) -> tuple[int, int]:
        """The plain numbers of a player and of the version that a request is about. Raises as `_player` does."""
        return self._player(player), at if type(at) is int else as_int("at", at)

    # ---------------------------------------------------------------- the journal

    def _write(self, what: str, *details: Any) -> None:
        """Enter an event of the game in the journal."""
        self.journal.append({"do": [what, *details]})
        self.writes += 1
        self._notices.clear()

    def _tell(self, what: str, player: int, text: str, *details: Any) -> None:
        """Enter in the logs and the journal what a player does between two events, in place of what no longer holds."""
        self._drop(NOTICES if what == "seat" else ABSENCES, player)
        seen = self.logs.seen
        self._note([self.logs.tell(what, text, player)], seen, what, player, *details)

    def _note(self, parts: Collection[Part], seen: Sequence[int], what: str, player: int, *details: Any) -> None:
        """Enter a notice in the journal. parts: it is these in the logs. seen: by each seat before it."""
        entry = {"do": [what, player, *details], "seen": list(seen)}
        self.journal.append(entry)
        self._noted += size_of(entry)
        self.writes += 1
        self._notices.append(Notice(entry, parts))

    def _drop(self, whats: Collection[str], player: int) -> None:
        """Remove notices of some kinds about a player since the last event from the journal and the logs."""
        for each in [each for each in self._notices if each.is_one(whats, player)]:
            self._notices.remove(each)
            self.logs.remove(each.parts)
            place = next(place for place in reversed(range(len(self.journal))) if self.journal[place] is each.entry)
            self._noted -= size_of(self.journal.pop(place))
            self.unstored = min(self.unstored, place)

    # ---------------------------------------------------------------- its bounds

    @property
    def _is_full(self) -> bool:
        """Whether the round has as many events, or other entries of the journal, as there may be."""
        most, noted = self.MAX_EVENTS, self.MAX_NOTED
        return (most is not None and len(self.game.history) >= most) or (noted is not None and self._noted >= noted)

    @property
    def _standstill(self) -> str:
        return f"the round has {len(self.game.history):,} events and cannot go on: end this game"

    def _stand_still(self) -> bool:
        """Enter in the logs and the journal that the round cannot go on. Returns False if that was told before."""
        if self._was_told:
            return False
        seen = self.logs.seen
        self._note([self._tell_standstill()], seen, STANDSTILL, 0)
        return True

    def _tell_standstill(self) -> Part:
        self._was_told = True
        return self.logs.tell(STANDSTILL, f"{self._standstill[0].upper()}{self._standstill[1:]}.")
