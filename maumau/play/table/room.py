"""A room: the people who are there, what they play, and their table. It has no clock and no connections.

A person is known by a secret token. Whoever rules the room, the first who came and is not away, says what is played;
nobody sees more than a seat does. The room stays when a table is over: the next one has the same people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from secrets import token_hex, token_urlsafe
from typing import Any

from fsm.edge.numbers import as_int
from fsm.registry import game_class
from maumau.play.table.evening import MAX_NAMES, Evening
from maumau.play.table.names import checked_name, computer_name, fresh_code
from maumau.play.table.rounds import Who, who_sits
from maumau.play.table.seen import NOBODY
from maumau.play.table.setup import Computer, Person, Seat, Setup
from maumau.play.table.table import DAMAGED, Table
from maumau.play.table.view import Data, NotAsked, Refused
from render.page.story import heading_of
from rules.errors import raised_as
from rules.notation import shown

FORMAT, VERSION = "maumau-room", 1
KEPT = "code", "tables", "met", "counted", "wins", "emotes"
"""The fields that are saved as they are."""
MAX_MEMBERS = 40
EMOTES = "hello", "well-played", "wow", "oops", "hurry", "thanks"
"""What people at the table may say to each other."""


class RoomTable(Table):
    """A table of a room: people may leave its rounds to computer players, which need not end them."""

    MAX_EVENTS, MAX_NOTED = 5000, 500_000


@dataclass(frozen=True, kw_only=True)
class RoomPlan:
    """What is played in a room. game: a registered name. players: seats, of which computer players take those that are
    left. computer: their policies, one for all, or several with commas, seat by seat. target, turn_seconds,
    claim_seconds: as `Setup` has them. hints: whether players may ask for one. Raises ValueError for what cannot be
    played.
    """

    game: str
    players: int
    computer: str
    target: int | None = None
    turn_seconds: int | None = None
    claim_seconds: int | None = None
    hints: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", as_int("players", self.players))
        if (named := self.computer.count(",") + 1) > self.players:
            raise ValueError(f"{named} computer players are too many; name at most {self.players}")
        seats = min(self.players, game_class(self.game).declaration.codec.most + 1)
        self.setup(tuple(self.computers(seats)), "")

    def computers(self, count: int) -> list[Computer]:
        """So many computer players."""
        return list(map(Computer, (self.computer.split(",") * count)[:count]))

    def setup(self, seats: tuple[Seat, ...], key: str) -> Setup:
        """The setup of a table. key: the secret of its cards."""
        return Setup(
            game=self.game,
            seats=seats,
            key=key,
            target=self.target,
            turn_seconds=self.turn_seconds,
            claim_seconds=self.claim_seconds,
        )


@dataclass
class Member:
    """A person in a room. number: which is not a secret, as the token is. plays: whether a seat is wanted; who does not
    play watches. seat: at the table, from 1. sat: the table and the round in which a seat was taken last.
    """

    number: int
    name: str
    plays: bool = True
    is_away: bool = False
    is_ready: bool = False
    seat: int | None = None
    sat: tuple[int, int] = (0, 0)

    @property
    def place(self) -> int:
        """The seat, from 0, or NOBODY."""
        return NOBODY if self.seat is None else self.seat - 1


@dataclass
class Room:
    """People by their tokens, in the order in which they came, and their table.

    code: by which others come in. tables, met: how many tables there have been, and people. wins: the tables that each
    name has won, up to the one that was counted last. evening: the statistics of the rounds. emotes: whether people
    may say one of `EMOTES`. changes: how often something has changed that is not in the journal of the table.
    """

    plan: RoomPlan
    code: str = ""
    members: dict[str, Member] = field(default_factory=dict)
    table: Table | None = None
    tables: int = 0
    met: int = 0
    counted: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    evening: Evening = field(default_factory=Evening)
    emotes: bool = True
    changes: int = 0

    def __post_init__(self) -> None:
        self.code = self.code or fresh_code()

    # ---------------------------------------------------------------- what is seen

    @property
    def is_between(self) -> bool:
        """Whether no table is played at: the next one may be another."""
        return self.table is None or self.table.state == "over"

    @property
    def ruler(self) -> Member | None:
        """Who says what is played."""
        return next((each for each in self.members.values() if not self._is_away(each)), None)

    def at_seat(self, player: int) -> str | None:
        """The token of who sits at a seat."""
        return next((token for token, each in self.members.items() if each.seat == player), None)

    def called(self, who: Who) -> str:
        """The name of a person, or of the computer player at a seat, which stays while the first seat goes round."""
        assert self.table is not None
        return who if isinstance(who, str) else computer_name((who - self.tables) % self.table.setup.players)

    @property
    def names(self) -> list[str]:
        """Those by seat, where there is a table."""
        setup = self.table and self.table.setup
        return [self.called(who_sits(setup, player)) for player in range(1, setup.players + 1)] if setup else []

    def seen(self, here: Collection[str]) -> Data:
        """The room as all see it. here: the tokens of those who are connected."""
        ruler = self.ruler
        people = [
            {
                "number": each.number,
                "name": each.name,
                "seat": each.seat,
                "plays": each.plays,
                "away": self._is_away(each),
                "ready": each.is_ready,
                "here": other in here,
                "rules": each is ruler,
                "won": self.wins[each.name],
            }
            for other, each in self.members.items()
        ]
        return {
            "code": self.code,
            "plan": asdict(self.plan) | {"title": heading_of(game_class(self.plan.game))},
            "people": people,
            "names": self.names,
            "table": self.tables,
            "between": self.is_between,
            "evening": self.evening.data,
            "emotes": self.emotes,
        }

    def _is_away(self, member: Member) -> bool:
        return member.is_away or (self.table is not None and member.seat in self.table.absent)

    # ---------------------------------------------------------------- people

    def join(self, name: str, plays: bool = True) -> str:
        """Somebody comes in, and takes a free seat or watches. Returns a token. Raises Refused."""
        if len(self.members) >= MAX_MEMBERS:
            raise Refused(f"{MAX_MEMBERS} people are in this room, which is the limit; open another one")
        policies = [policy.name for policy in game_class(self.plan.game).declaration.policies]
        people = [each.name for each in self.members.values()]
        plain = checked_name(name, {*policies, *self.plan.computer.split(",")}, people)
        token = token_urlsafe(18)
        self.met += 1
        self.members[token] = Member(self.met, plain, plays)
        self._take_seat(self.members[token])
        self.changes += 1
        return token

    def _take_seat(self, member: Member) -> None:
        """Let somebody who wants to play sit down instead of a computer player; but not at another seat of a round of
        which somebody has seen cards.
        """
        table = self.table
        if self.is_between or table is None or member.seat is not None or not member.plays:
            return
        free = (player for player, seat in enumerate(table.setup.seats, 1) if isinstance(seat, Computer))
        if member.sat != self._now and (player := next(free, None)):
            table.seat(player, member.name)
            member.seat, member.sat = player, self._now

    @property
    def _now(self) -> tuple[int, int]:
        return self.tables, self.table.round if self.table else 0

    def play(self, token: str, plays: bool) -> None:
        """A person wants a seat, or gives it up to watch."""
        member = self.members[token]
        member.plays = plays
        if plays:
            self.come_back(token)
        else:
            self._free_seat(member)
        self.changes += 1

    def _free_seat(self, member: Member) -> None:
        if member.seat is not None and self.table is not None and not self.is_between:
            self.table.seat(member.seat, None)
        member.seat, member.is_ready = None, False

    def leave(self, token: str) -> None:
        """A person goes for a while; a computer player stands in."""
        member = self.members[token]
        member.is_away, member.is_ready = True, False
        if member.seat is not None and self.table is not None:
            self.table.leave(member.seat)
        self.changes += 1

    def come_back(self, token: str) -> None:
        """A person who was away is here again, at the same seat if there is one."""
        member = self.members[token]
        member.is_away = False
        if member.seat is not None and self.table is not None:
            self.table.come_back(member.seat)
        self._take_seat(member)
        self.changes += 1

    def remove(self, number: int) -> None:
        """Remove a person; the code is another one from now on. Raises Refused."""
        token = next((token for token, each in self.members.items() if each.number == number), None)
        if token is None or self.members[token] is self.ruler:
            raise Refused(f"person {shown(number)} cannot be chosen; choose another one of this room")
        self._free_seat(self.members.pop(token))
        self.code = fresh_code()
        self.changes += 1

    def allow(self, emotes: bool) -> None:
        """Let people say one of `EMOTES`, or let nobody."""
        self.emotes = emotes
        self.changes += 1

    # ---------------------------------------------------------------- what is played

    def check_rules(self, token: str) -> None:
        """Raises NotAsked for who does not rule the room."""
        if self.members[token] is not self.ruler:
            name = self.ruler.name if self.ruler else "somebody else"
            raise NotAsked(f"{name} decides what is played here")

    def change(self, plan: RoomPlan) -> None:
        """Play something else from the next table on. Raises Refused while a table is played at."""
        if not self.is_between:
            raise Refused("the game is not over; start another one after its end")
        self.plan = plan
        self._wait()

    def end(self) -> None:
        """End the table before it is over: nobody wins it."""
        self.table = None
        self._wait()

    def _wait(self) -> None:
        """Let everybody say again that they are ready."""
        for each in self.members.values():
            each.is_ready = False
            each.seat = each.seat if self.table else None
        self.changes += 1

    def ready(self, token: str) -> None:
        """A person waits for the next deal."""
        if self.is_waiting:
            self.come_back(token)
            self.members[token].is_ready = self.members[token].plays

    def hurry(self) -> None:
        """Deal without waiting for who is not ready."""
        for each in self.members.values():
            each.is_ready = each.plays and not self._is_away(each)

    @property
    def is_waiting(self) -> bool:
        """Whether the next deal is waited for."""
        return self.table is None or self.table.state != "playing"

    def is_agreed(self, here: Collection[str]) -> bool:
        """Whether all who play and are here are ready for the next deal."""
        if not self.is_waiting:
            return False
        asked = [each.is_ready for token, each in self._players() if token in here or each.is_ready]
        return bool(asked) and all(asked)

    def _players(self) -> Iterator[tuple[str, Member]]:
        for token, each in self.members.items():
            if each.plays and not self._is_away(each) and (self.is_between or each.seat is not None):
                yield token, each

    def deal(self, here: Collection[str]) -> None:
        """Deal: the next round, or the first one of the next table. Raises Refused."""
        if not self.is_waiting:
            return
        if self.is_between:
            self._begin(here)
        elif self.table is not None:
            self.table.advance()
        self._wait()
        for each in self.members.values():
            if not self._is_away(each):
                self._take_seat(each)
        self.count()

    def _begin(self, here: Collection[str]) -> None:
        """A table for those who play; each time another one is the first player. Who is not here is stood in for."""
        most = game_class(self.plan.game).declaration.codec.most
        seated = list(self._players())[:most]
        count = max(self.plan.players, len(seated))
        seats: list[Seat] = [Person(member.name) for _, member in seated]
        seats += self.plan.computers(count - len(seated))
        first = self.tables % count
        with raised_as(Refused):
            setup = self.plan.setup((*seats[count - first :], *seats[: count - first]), token_hex(16))
            table = RoomTable(setup)
        self.table = table
        self.tables += 1
        for each in self.members.values():
            each.seat = None
        for place, (token, member) in enumerate(seated):
            member.seat, member.sat = (place + first) % count + 1, self._now
            if token not in here and not member.is_ready:
                table.leave(member.seat)

    def count(self) -> None:
        """Count a round that is over, and who has won a table that is over, once: whoever had the seat at its end."""
        table = self.table
        if table is not None and table.state != "playing" and self.evening.counted != self._now:
            self.evening.add(table.hands, self.called, int(table.game.table.turns), self._now)
            self.changes += 1
        if table is not None and table.state == "over" and self.counted != self.tables:
            view, setup = table.view(None), table.hands.setup
            ended = (view["match"] or view)["outcome"]
            won = {*setup.people}.intersection(ended.get("winners", [ended["winner"]]))
            self.wins.update(self.called(who_sits(setup, player)) for player in won)
            self.wins = Counter(dict(self.wins.most_common(MAX_NAMES)))
            self.counted, self.changes = self.tables, self.changes + 1

    # ---------------------------------------------------------------- saved

    def save(self) -> Data:
        """The room as plain data, with all of its secrets; the journal of the table is apart."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "plan": asdict(self.plan),
            "members": {token: asdict(each) for token, each in self.members.items()},
            **{name: getattr(self, name) for name in KEPT},
            "evening": asdict(self.evening),
            "table": self.table and self.table.save() | {"journal": []},
        }

    @classmethod
    def restore(cls, data: Mapping[str, Any], journal: list[Data]) -> Room:
        """The room of saved data and the journal of its table. Raises ValueError for what is none."""
        try:
            if data.get("format") != FORMAT or data.get("version") != VERSION:
                raise ValueError(f'not a saved room; it needs "format": "{FORMAT}" and "version": {VERSION}')
            members = {
                token: Member(**fields | {"sat": tuple(fields["sat"])}) for token, fields in data["members"].items()
            }
            kept = {name: data[name] for name in KEPT}
            evening = Evening(**data["evening"] | {"counted": tuple(data["evening"]["counted"])})
            kept |= {"wins": Counter(kept["wins"]), "evening": evening}
            table = data["table"] and RoomTable.restore(data["table"] | {"journal": journal})
            return cls(RoomPlan(**data["plan"]), members=members, table=table, **kept)
        except DAMAGED as error:
            raise ValueError(f"not a saved room: {shown(error, 80)}") from None
