"""A table: people and computer players play rounds of any game, one event at a time.

The table has no clock and does nothing by itself. `advance` fires one event that needs no person; `act` fires a move of
a person who is asked. What a player may see is `view` and `log`; both are plain data for JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, SupportsIndex

from fsm.declaration.policy import SteppedPolicy
from fsm.edge.numbers import as_int, between, of_type
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove, is_forced
from fsm.stepping.steps import Move, Step
from maumau.play.table.evening import Hands
from maumau.play.table.hints import Searching, hint
from maumau.play.table.parts import Part
from maumau.play.table.rounds import RULES, Chosen, Logs, Rounds, event_entries
from maumau.play.table.seen import NOBODY, Seen, seen_by
from maumau.play.table.setup import Computer, Person, Setup, name_of
from maumau.play.table.view import (
    Data,
    NotAsked,
    Refused,
    Stale,
    View,
    checked_move,
    is_secret,
    move_fields,
    own_view,
    seat_view,
)
from rules.notation import shown

FORMAT, VERSION = "maumau-table", 1
DAMAGED = (KeyError, TypeError, IndexError, AttributeError)
"""What is raised where plain data lack a field or have one of another type."""
PERSON, COMPUTER, STAND_IN, TIME = "person", "computer", "stand-in", "time"
"""What fires an event that is not forced: a player, or the time that has run out."""


class Table(Rounds):
    """A table with its round, its logs and its journal.

    setup: the game, the cards, the times, and the seats as they are now. absent: the players who are stood in for.
    game: the round that is played, with all that players must not see. round: its number, from 1. state: `playing`,
    `round over` where another round follows, or `over`. hands: statistics of the round. logs: what
    each seat (from 0, or NOBODY) has seen. journal: everything that has changed the table, as plain data; with the
    first setup it restores the table exactly. It holds what players must not see.

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
        self._opened = setup
        self.journal: list[Data] = []
        self.logs = Logs((NOBODY, *range(setup.players)))
        self._kept: dict[int, Game] = {}
        self._begin_round()

    # ---------------------------------------------------------------- what is seen

    @property
    def asked(self) -> int | None:
        """The person who is asked for a move now; None if none is, or if a computer player stands in."""
        return self._found.once("asked", self.logs.changes, self._who_is_asked)

    def _who_is_asked(self) -> int | None:
        game = self.game
        is_person = isinstance(self.setup.seats[game.player - 1], Person) and game.player not in self.absent
        return game.player if is_person and game.outcome is None and not is_forced(game) else None

    @property
    def seconds(self) -> int | None:
        """The time to answer of the person who is asked; None for any time, and if nobody is asked."""
        return None if self.asked is None else self.setup.seconds(self.game.declaration.control[self.game.phase])

    def version(self, player: int | None) -> int:
        """How often `player` has seen the table change."""
        return self.logs.versions[self._seat(player)]

    def log(self, player: int | None, since: int = 0) -> list[Data]:
        """What `player` has seen happen, the entries with a `number` above `since`; the last one has the highest."""
        seen = self.logs.since(self._seat(player), as_int("since", since))
        return [{"number": number, **entry.fields} for number, entry in seen]

    def view(self, player: int | None) -> Data:
        """What `player` sees of the table now."""
        return {name: value for part in self.parts(self._seat(player)) for name, value in part.fields.items()}

    def parts(self, seat: int) -> Sequence[Part]:
        """What a seat sees, the version first; who sees the same gets the same parts. seat: from 0, or NOBODY."""
        return self._found.once(seat, self.logs.changes, lambda: self._parts(seat))

    def _parts(self, seat: int) -> Sequence[Part]:
        """What a seat sees. All who are not asked see the same, but for their own cards and facts."""
        game, found, player = self.game, self._found, None if seat == NOBODY else seat + 1
        version, undo, acts = self.logs.versions[seat], self._can_undo(player), player == game.player
        first = found.once("version", version, lambda: Part({"version": version}))
        second = found.once(("seat", seat), undo, lambda: Part({"seat": player, "undo": undo}))
        asks = self.setup if acts and self.asked == player else None
        watched, shared = found.once("watched", self.logs.changes, self._watched)
        if watched is None or (acts and is_secret(game.declaration, game.phase)):
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
        seen = self._seen_by(NOBODY if is_secret(game.declaration, game.phase) else game.player - 1)
        return (seen, seat_view(seen, NOBODY)), shared

    def hint(self, player: int, search: Searching | None = None) -> Data:
        """A move for `player`, the person who is asked, with the reason: the best one by `search`, if there is one that
        can play the game, else that of the default policy. Raises NotAsked.
        """
        return self.hinting(player, search)()

    def hinting(self, player: int, search: Searching | None = None) -> Callable[[], Data]:
        """What returns the same as `hint` with `player` and `search`, in any thread, while the table goes on.

        Raises NotAsked at once.
        """
        player = self._player(player)
        self._check_asked(player)
        return partial(hint, self.game.clone(), self._seen_by(player - 1).game(), search)

    def why(self, player: int, move: Move) -> str | None:
        """Why `move` of `player` would be refused now, as far as the player knows; None if it would not be."""
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

    def _seat(self, player: int | None) -> int:
        """The seat of a player, from 0, or NOBODY. Raises TypeError, or ValueError for a player who is not there."""
        return NOBODY if player is None else self._player(player) - 1

    def _player(self, player: SupportsIndex) -> int:
        """The plain number of a player. Raises TypeError, or ValueError for a player who is not there."""
        return between(1, self.setup.players, "player", player)

    # ---------------------------------------------------------------- what changes the table

    def advance(self) -> bool:
        """Fire one event that needs no person: one that is forced, or a move of a computer player; or deal the next
        round. Returns False, and changes nothing, while a person is asked and when all is over.
        """
        if self.state == "over" or self.asked is not None:
            return False
        if self.state == "round over":
            self._write("round")
            self._next_round()
            self._begin_round()
        else:
            step = self._step(self.game.step)
            self._write("step", move_fields(step.move(self.game.declaration)))
        return True

    def act(self, player: int, move: Move | Mapping[str, Any], at: int) -> None:
        """Fire `move` of `player`, the person who is asked. at: the version that the person has seen.

        The move that a person made at that version before is accepted again, and changes nothing. Raises Stale,
        NotAsked, or Refused with the reason and the legal moves; nothing has changed then.
        """
        player, at, chosen = self._player(player), as_int("at", at), checked_move(move)
        act: list[Any] = ["act", player, at, move_fields(chosen)]
        done = (entry["do"] for entry in reversed(self.journal))
        if act == next((do for do in done if do[0] == "undo" or do[:2] == act[:2]), None):
            return
        self._check(player, at)
        before = None
        if self.setup.people == (player,):
            before = Chosen(len(self.game.history), self.logs.last_numbers, self.hands.copy())
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
        player, at = self._player(player), as_int("at", at)
        self._check(player, at)
        if not self._can_undo(player):
            raise Refused("nothing to take back: expected a move of this round, and no other person at the table")
        before = self._choices.pop()
        while len(self.game.history) > before.events:
            self.game.undo()
        self.hands = before.hands
        self._kept.clear()
        for seat, since in before.numbers.items():
            text = f"Player {player} takes back a move."
            self.logs.append(seat, Part({"event": "undo", "player": player, "since": since, "text": text}))
        self._write("undo", player, at)

    def time_out(self, player: int, at: int) -> bool:
        """The time to answer has run out. Who is asked for a claim does nothing; else a computer player stands in.

        player: who was asked. at: the version that the question is about. Returns False, and changes nothing, if the
        person has answered.
        """
        player, at = self._player(player), as_int("at", at)
        if self.asked != player or at != self.version(player):
            return False
        if declines := self.game.declaration.control[self.game.phase].declines:
            self._step(lambda: self.game.fire(declines[0]), TIME)
            self._write("time_out", player, at)
        else:
            self.leave(player)
        return True

    def leave(self, player: int) -> None:
        """`player`, a person, leaves for a while: a computer player stands in. Raises Refused for no person."""
        player = self._person(player)
        if player not in self.absent:
            self.absent.add(player)
            then = "the table waits" if self.setup.is_left_by(self.absent) else "a computer player stands in"
            self.logs.tell("leave", f"{name_of(self.setup, player)} is absent: {then}.", player)
            self._write("leave", player)

    def come_back(self, player: int) -> None:
        """`player`, a person who was absent, plays on. Raises Refused for no person."""
        player = self._person(player)
        if player in self.absent:
            self.absent.discard(player)
            self.logs.tell("come_back", f"{name_of(self.setup, player)} is back.", player)
            self._write("come_back", player)

    def seat(self, player: int, name: str | None) -> None:
        """A person called `name` takes the seat of `player`, with its cards and points; None gives it to the computer
        player who stands in. Raises ValueError for what is no name.
        """
        player = self._player(player)
        who = Computer(self.game.policies[player - 1].name) if name is None else Person(name)
        left = f"{name_of(self.setup, player)} has left: a computer player takes the seat."
        self.setup = self.setup.with_seat(player, who)
        self.absent.discard(player)
        self._choices.clear()
        self.logs.tell("seat", f"{name} sits down." if name else left, player)
        self._write("seat", player, name)

    def _check(self, player: int, at: int) -> None:
        """Raises Stale or NotAsked unless a player is asked and has seen all of it."""
        if at != self.version(player):
            raise Stale(f"version {shown(at)}, expected {self.version(player)}: the table has gone on since")
        self._check_asked(player)

    def _check_asked(self, player: int) -> None:
        if self.asked != player:
            why = "the round is over" if self._seen_by(player - 1).is_over else "not while another player acts"
            raise NotAsked(f"player {player} is not asked now: {why}")

    def _person(self, player: SupportsIndex) -> int:
        """The plain number of a player who is a person. Raises Refused for a computer player."""
        plain = self._player(player)
        if not isinstance(self.setup.seats[plain - 1], Person):
            raise Refused(f"player {plain} is a computer player, expected a person")
        return plain

    def _can_undo(self, player: int | None) -> bool:
        return self.setup.people == (player,) and bool(self._choices) and self.asked == player

    # ---------------------------------------------------------------- rounds and events

    def _begin_round(self) -> None:
        self._choices: list[Chosen] = []
        self._kept.clear()
        self.hands = Hands(self.setup, list(map(len, self.game.hands)))
        deals = "" if self.game.dealer is None else f" Player {self.game.dealer} deals."
        self.logs.tell("begin", f"Round {self.round}.{deals}")

    def _step(self, fire: Callable[[], Step], by: str | None = None) -> Step:
        """Fire an event, and enter it in the log of each seat that sees it. by: None for what is found out here."""
        game = self.game
        seat = self.setup.seats[game.player - 1]
        by = by or (RULES if is_forced(game) else COMPUTER if isinstance(seat, Computer) else STAND_IN)
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
        elif self.asked is not None and self._kept.pop(self.asked - 1, None) is not None:
            self.logs.count(self.asked - 1)
        return step

    # ---------------------------------------------------------------- the journal

    def _write(self, what: str, *details: Any) -> None:
        self.journal.append({"do": [what, *details]})

    def save(self) -> Data:
        """The table as plain data, with all of its secrets."""
        return {"format": FORMAT, "version": VERSION, "setup": self._opened.data(), "journal": self.journal}

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Table:
        """The table of saved `data`. Raises ValueError for what is none, or if the rules play it otherwise now."""
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f'no saved table, expected "format": "{FORMAT}" and "version": {VERSION}')
        try:
            table, journal = cls(Setup.of_data(data["setup"])), list(data["journal"])
        except DAMAGED as error:
            raise ValueError(f"no saved table: {shown(error, 80)}") from None
        for number, entry in enumerate(journal, 1):
            try:
                table.repeat(entry)
            except (ValueError, *DAMAGED) as error:
                raise ValueError(f"entry {number} of the journal: {error}") from None
            if table.journal[-1] != entry:
                raise ValueError(f"entry {number} of the journal: {shown(entry, 200)}, here it is {table.journal[-1]}")
        return table

    def repeat(self, entry: Mapping[str, Any]) -> None:
        """Do again what `entry` of a journal says. Raises ValueError."""
        what, *details = entry["do"]
        if what == "act":
            player, at, move = details
            self.act(player, move, at)
        elif what == "step" and isinstance(self.game.policies[self.game.player - 1], SteppedPolicy):
            move = checked_move(details[0])
            self._step(lambda: self.game.fire(move))  # without computing it again
            self._write("step", move_fields(move))
        elif what in ("step", "round"):
            self.advance()
        elif what in ("undo", "time_out", "leave", "come_back", "seat"):
            getattr(self, what)(*details)
        else:
            raise ValueError(f"unknown entry {shown(what)}")
