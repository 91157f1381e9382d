"""A table: people and computer players play rounds of any game, one event at a time.

The table has no clock and does nothing by itself. `advance` fires one event that needs no person; `act` fires a move of
a person who is asked. What a player may see is `view` and `log`; both are plain data for JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Self

from fsm.edge.numbers import as_int, of_type
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.stepping.steps import Move, Step
from fsm.table.sight import Relation
from maumau.play.table.hints import Searching, hint
from maumau.play.table.rounds import RULES, RoundHands, TakenBack, event_entries
from maumau.play.table.seats import ABSENCES, STANDSTILL, TableSeats, size_of
from maumau.play.table.seen import NOBODY, Seen, seen_by
from maumau.play.table.setup import Computer, Person, Setup
from maumau.play.table.together import received
from maumau.play.table.view import (
    Data,
    NotAsked,
    Part,
    Refused,
    Stale,
    View,
    checked_move,
    move_fields,
    own_view,
    seat_view,
)
from rules.notation import shown

FORMAT, VERSION = "maumau-table", 2
DAMAGED = (KeyError, TypeError, IndexError, AttributeError)
"""What is raised where plain data lack a field or have one of another type."""
PERSON, COMPUTER, STAND_IN, TIME = "person", "computer", "stand-in", "time"
"""What fires an event that is not forced: a player, or the time that has run out."""


class Table(TableSeats):
    """A table with its round, its logs and its journal.

    setup: the game, the cards, the times, and the seats as they are now. absent: the players who are stood in for.
    game: the round that is played, with all that players must not see. round: its number, from 1. state: `playing`,
    `round over` where another round follows, or `over`. hands: statistics of the round. logs: what
    each seat (from 0, or NOBODY) has seen. journal: everything that has changed the table in this round and still
    holds, as plain data: of what a player did several times between two events, such as leaving, only the last. With
    the setup, and what was at the beginning of the round, it restores the table exactly. It holds what players must not
    see. writes: how often the journal has changed. unstored: from which entry on it has changed since a reader of it
    has set this number last.

    Players count from 1; None stands for somebody who only watches. Each player's `version` counts what this player
    has seen change: a request names the version that it is about, and is refused if the table has gone on since.
    Numbers may be integers of any type; TypeError is raised for others, ValueError for a player who is not there.

    >>> table = Table(Setup(game="maumau", seats=(Person("Ann"), Computer("house")), seed=7))
    >>> while table.advance():
    ...     pass
    >>> [move["label"] for move in table.view(1)["question"]["moves"]][-1]
    'draw'
    >>> table.act(1, Move("draw"), at=table.version(1))
    >>> table.log(1)[-1]["text"]
    'Player 1 draws.'
    """

    def __init__(self, setup: Setup) -> None:
        of_type("setup", setup, Setup, "a Setup")
        super().__init__(setup)
        self._kept: dict[int, Game] = {}
        self._begun: Data | None = None
        self._begin_round()

    # ---------------------------------------------------------------- what is seen

    @property
    def asked(self) -> int | None:
        """The person who is asked for a move now; None if none is, or if a computer player stands in."""
        return self._found.once("asked", self.logs.changes, self._who_is_asked)

    def _who_is_asked(self) -> int | None:
        game = self.game
        player = game.table.player + 1
        is_person = isinstance(self.setup.seats[player - 1], Person) and player not in self.absent
        return player if is_person and game.outcome is None and not game.is_forced else None

    @property
    def seconds(self) -> int | None:
        """The time to answer of the person who is asked; None for any time, and if nobody is asked."""
        return None if self.asked is None else self.setup.seconds(self.game.declaration.control[self.game.phase])

    def version(self, player: int | None) -> int:
        """Return how often `player` has seen the table change."""
        return self.logs.versions[self._seat(player)]

    def log(self, player: int | None, since: int = 0) -> list[Data]:
        """Return what `player` has seen happen: the entries with a `number` above `since`; the last one has the
        highest.
        """
        seen = self.logs.since(self._seat(player), as_int("since", since))
        return [{"number": number, **entry.fields} for number, entry in seen]

    def view(self, player: int | None) -> Data:
        """Return what `player` sees of the table now."""
        return {name: value for part in self.parts(self._seat(player)) for name, value in part.fields.items()}

    def parts(self, seat: int) -> Sequence[Part]:
        """Return what a seat sees, the version first.

        Seats that see the same get the same parts. seat: from 0, or NOBODY.
        """
        return self._found.once(seat, self.logs.changes, lambda: self._parts(seat))

    def _parts(self, seat: int) -> Sequence[Part]:
        """What a seat sees. All who are not asked see the same, except for their own cards and facts."""
        game, found, player = self.game, self._found, None if seat == NOBODY else seat + 1
        version, undo, acts = self.logs.versions[seat], self._can_undo(player), seat == game.table.player
        first = found.once("version", version, lambda: Part({"version": version}))
        own = {"seat": player, "undo": undo, "received": received(game, seat)}
        second = found.once(("seat", seat), own, lambda: Part(own))
        asks = self.setup if acts and self.asked == player else None
        watched, shared = found.once("watched", self.logs.changes, self._watched)
        relation = game.sight.relation(seat, game.table.player)
        if watched is None or (relation != Relation.OTHER and game.sight.is_secret(game.phase, relation)):
            hands, facts, others, turn = seat_view(self._seen_by(seat), seat, asks)
        else:
            seen, view = watched
            hands, facts, others, turn = own_view(view, seen, game, seat, asks, found)
        return first, second, hands, facts, shared, others, turn

    def _watched(self) -> tuple[tuple[Seen, View] | None, Part]:
        """What those see who watch, with the game that it is found from; None if a seat sees less. And what all see."""
        game, shared = self.game, self._seen_by_all()
        if game.outcome or NOBODY in self._kept:
            return None, shared
        seen = self._seen_by(NOBODY if game.sight.is_secret(game.phase, Relation.SELF) else game.table.player)
        return (seen, seat_view(seen, NOBODY)), shared

    def hint(self, player: int, search: Searching | None = None) -> Data:
        """Return a move for `player`, the person who is asked, with the reason: the best one by `search`, if there is
        one that can play the game, else that of the default policy. Raises NotAsked.
        """
        return self.hinting(player, search)()

    def hinting(self, player: int, search: Searching | None = None) -> Callable[[], Data]:
        """Return a function that computes `hint` with `player` and `search` in any thread, while the table goes on.

        Raises NotAsked at once.
        """
        player = self._player(player)
        self._check_asked(player)
        return partial(hint, self.game.clone(), self._seen_by(player - 1).game(), search)

    def why(self, player: int, move: Move) -> str | None:
        """Return why the table would refuse `move` of `player` now, as far as the player knows, or None."""
        player = self._player(player)
        try:
            self._check_asked(player)
            self._seen_by(player - 1).game().fire(move)
        except (NotAsked, IllegalMove) as refusal:
            return str(refusal)
        return None

    def _seen_by(self, seat: int) -> Seen:
        """The game as a seat knows it. What happens unseen changes nothing, until the seat is asked."""
        return seen_by(self.game if self.asked == seat + 1 else self._kept.get(seat, self.game), seat)

    # ---------------------------------------------------------------- what changes the table

    def advance(self) -> bool:
        """Fire one event that needs no person: one that is forced, or a move of a computer player; or deal the next
        round. Returns False, and changes nothing, while a person is asked and when all is over.
        """
        if self.state == "over" or self.asked is not None:
            return False
        if self._is_full and self.state == "playing":
            return self._stand_still()
        if self.state == "round over":
            # of the rounds before, only how they have ended is kept
            self._begin_at(self._standing_data() | {"results": self.logs.results, "seen": self.logs.seen})
        else:
            step = self._step(self.game.step)
            self._write("step", move_fields(step.move(self.game.declaration)))
        return True

    def act(self, player: int, move: Move | Mapping[str, Any], at: int) -> None:
        """Fire `move` of `player`, the person who is asked. at: the version that the person has seen.

        The move that a person made at that version before is accepted again, and changes nothing. Raises Stale,
        NotAsked, or Refused with the reason and the legal moves; nothing has changed then.
        """
        (player, at), chosen = self._request(player, at), checked_move(move)
        act: list[Any] = ["act", player, at, move_fields(chosen)]
        done = (entry["do"] for entry in reversed(self.journal))
        if act == next((do for do in done if do[0] == "undo" or do[:2] == act[:2]), None):
            return
        self._check(player, at)
        if self._is_full:
            raise Refused(self._standstill)
        before = None
        if self.setup.people == (player,):
            events, entries = len(self.game.history), len(self.journal)
            before = TakenBack(events, self.logs.last_numbers, self.hands.copy(), entries, self._notices[:])
        try:
            self._step(lambda: self.game.fire(chosen), PERSON)
        except IllegalMove as error:
            raise Refused(self.why(player, chosen) or f"player {player} cannot {chosen}") from error
        if before:
            self._choices.append(before)
        self._write(*act)

    def undo(self, player: int, at: int) -> None:
        """Take back the last move of `player`, the only person at the table, and all that followed.

        at: the version that the person has seen. Raises Stale, NotAsked, Refused.
        """
        player, at = self._request(player, at)
        self._check(player, at)
        if not self._can_undo(player):
            raise Refused(
                "There is nothing to undo: you can undo only your own moves of this round, and only while nobody else "
                "plays."
            )
        before, seen = self._choices.pop(), self.logs.seen
        while len(self.game.history) > before.events:
            self.game.undo()
        self.hands, self._was_told = before.hands, False
        self._kept.clear()
        self.logs.cut(before.numbers)
        self._noted -= sum(map(size_of, self.journal[before.entries :]))
        del self.journal[before.entries :]
        self.unstored = min(self.unstored, before.entries)
        self._notices[:] = before.notices
        since = next((each.entry["do"][2] for each in self._notices if each.is_one(("undo",), player)), None)
        self._take_back(player, since or list(before.numbers.values()), seen)

    def _take_back(self, player: int, since: Sequence[int], seen: Sequence[int]) -> None:
        """Enter that `player` has taken back a move. since: the number of the last entry of each log that still holds.
        seen: what each seat had seen before.
        """
        self._drop(("undo",), player)
        self.logs.catch_up(seen)
        text = f"Player {player} takes back a move."
        parts = [Part({"event": "undo", "player": player, "since": each, "text": text}) for each in since]
        for seat, part in zip(self.logs.versions, parts, strict=True):
            self.logs.append(seat, part)
        self._note(parts, seen, "undo", player, list(since))

    def time_out(self, player: int, at: int) -> bool:
        """End the time to answer. A player who is asked for a claim does nothing; else a computer player stands in.

        player: who was asked. at: the version that the question is about. Returns False, and changes nothing, if the
        person has answered.
        """
        player, at = self._request(player, at)
        if self.asked != player or at != self.version(player):
            return False
        if declines := self.game.declaration.control[self.game.phase].declines:
            self._step(lambda: self.game.fire(declines[0]), TIME)
            self._write("time_out", player, at)
        else:
            self.leave(player)
        return True

    def _check(self, player: int, at: int) -> None:
        """Raises Stale or NotAsked unless a player is asked and has seen all of it."""
        if at != self.version(player):
            raise Stale(f"version {shown(at)} is out of date; the table has gone on to {self.version(player)}")
        self._check_asked(player)

    def _check_asked(self, player: int) -> None:
        if self.asked != player:
            why = "the round is over" if self._seen_by(player - 1).is_over else "not while another player acts"
            raise NotAsked(f"player {player} is not asked now: {why}")

    def _can_undo(self, player: int | None) -> bool:
        return self.setup.people == (player,) and bool(self._choices) and self.asked == player

    # ---------------------------------------------------------------- rounds and events

    def _begin_at(self, begun: Data) -> None:
        """Begin a round of a match. begun: what was at its beginning, as plain data. Raises ValueError."""
        self._begun = begun
        self._deal_from(begun)
        self.logs.sum_up(begun["results"])
        self.logs.catch_up(begun["seen"])
        self.journal.clear()
        self.unstored = self._noted = 0
        self.writes += 1
        self._begin_round()

    def _begin_round(self) -> None:
        self._was_told = False
        self._choices.clear()
        self._notices.clear()
        self._kept.clear()
        self.hands = RoundHands(self.setup, list(map(len, self.game.hands)))
        deals = "" if self.game.dealer is None else f" Player {self.game.dealer} deals."
        self.logs.tell("begin", f"Round {self.round}.{deals}")

    def _step(self, fire: Callable[[], Step], by: str | None = None) -> Step:
        """Fire an event, and enter it in the log of each seat that sees it. by: None for what is found out here."""
        game = self.game
        seat = self.setup.seats[game.table.player]
        by = by or (RULES if game.is_forced else COMPUTER if isinstance(seat, Computer) else STAND_IN)
        before = game.clone() if game.phase in game.declaration.asked_in_secret else None
        laid, step = game.table.tail, fire()
        self.hands.add(self.setup, list(map(len, game.hands)))  # the cards are in order from now on
        entries = event_entries(game, step, by, lays=game.table.tail > laid)
        for each in self.logs.versions:
            if entry := entries.get(each, entries[NOBODY]):
                self._kept.pop(each, None)
                self.logs.append(each, entry)
            elif before is not None:
                self._kept.setdefault(each, before)
        if game.outcome is not None:
            self._kept.clear()
            for event, text in self._score().items():
                self.logs.tell(event, text)
        elif self._is_full:
            self._tell_standstill()
        elif self.asked is not None and self._kept.pop(self.asked - 1, None) is not None:
            self.logs.count(self.asked - 1)
        return step

    # ---------------------------------------------------------------- the journal

    def save(self) -> Data:
        """Return the table as plain data, with all of its secrets. begun: what was at the beginning of the round; None
        for the first one.
        """
        parts = {"setup": self._opened.data(), "begun": self._begun, "journal": self.journal}
        return {"format": FORMAT, "version": VERSION, **parts}

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Self:
        """Return the table of saved `data`.

        Raises ValueError for other data, or if the rules now play it differently.
        """
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f'not a saved table; it needs "format": "{FORMAT}" and "version": {VERSION}')
        try:
            table, journal = cls(Setup.of_data(data["setup"])), list(data["journal"])
            if begun := data["begun"]:
                table._begin_at(begun)
        except DAMAGED as error:
            raise ValueError(f"not a saved table: {shown(error, 80)}") from None
        for number, entry in enumerate(journal, 1):
            try:
                table.repeat(entry)
            except (ValueError, *DAMAGED) as error:
                raise ValueError(f"entry {number} of the journal: {error}") from None
            if table.journal[-1] != entry:
                raise ValueError(
                    f"entry {number} of the journal: {shown(entry, 200)}, but here it is {table.journal[-1]}"
                )
        table.unstored = len(table.journal)
        return table

    def repeat(self, entry: Mapping[str, Any]) -> None:
        """Do again what `entry` of a journal says. Raises ValueError."""
        what, *details = entry["do"]
        if "seen" in entry and what != "undo":
            self.logs.catch_up(entry["seen"])
        if what == "act":
            player, at, move = details
            self.act(player, move, at)
        elif what == "step" and self.game.policies[self.game.player - 1].is_computed:
            move = checked_move(details[0])
            self._step(lambda: self.game.fire(move))  # without computing it again
            self._write("step", move_fields(move))
        elif what == "step":
            self.advance()
        elif what == "time_out":
            self.time_out(*details)
        elif what == "undo":
            self._take_back(int(details[0]), details[1], entry["seen"])
        elif what in ABSENCES:
            (self._leave if what == "leave" else self._come_back)(self._person(*details))
        elif what == "seat":
            self._seat_at(*details)
        elif what == STANDSTILL:
            self._stand_still()
        else:
            raise ValueError(f"unknown entry {shown(what)}")
