"""A room over the network: its table goes on by itself, keeps the time, and each person is pushed what it sees."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool

from fsm.outside import OutsideError
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.stepping.steps import Move
from maumau.play.server.guard import BadRequest
from maumau.play.server.tables.link import Moving
from maumau.play.server.tables.store import Change, Store
from maumau.play.table import Table
from maumau.play.table.hints import gained, is_in_points, judged
from maumau.play.table.room import Member, Room
from maumau.play.table.seen import all_is_shown
from maumau.play.table.view import FoundOnce, Part, encoded, move_fields

AWAY = 60
"""Seconds to answer of a person who is not connected, at a table for any time with other people."""
ARRIVING = 600
"""The same of a person who was not connected yet."""
MAX_WAITING = 128
"""Pushes that wait for one connection; who is further behind is sent the whole table instead."""
LISTENING = 16
"""Connections that one person may have at once."""
AT_ONCE = 8
"""Events that are fired before other tables have their turn; what is pushed meanwhile is sent together."""
RETRY = 5.0
"""Seconds until a room is tried again that could not be stored, or that failed."""
Push = str
"""What a person sees, as JSON: view, log, clock and room; or what somebody says: said."""

LOGGER = logging.getLogger(__name__)


class Since(NamedTuple):
    """Up to where a client knows what is pushed to it: the table, the seat, or 0 for who watches, and the version."""

    table: int = 0
    seat: int = 0
    version: int = 0


NOTHING = Since(), -1
"""The state of who was pushed nothing."""


class Hosted:
    """A room with its connections. All methods are called in the event loop of the server.

    Changes are made one after the other; each is stored before it is pushed or answered. What could not be stored is
    neither, and is tried again.
    """

    def __init__(self, name: str, room: Room, store: Store, computing: asyncio.Semaphore) -> None:
        """room: as the store has it. computing: bounds how many moves are computed in Python at once, in all rooms."""
        self.name, self.room = name, room
        self._lock = asyncio.Lock()
        self._store, self._computing = store, computing
        self._changing = self._arrivals = 0
        self._keep()
        self._queues: defaultdict[str, set[asyncio.Queue[Push | None]]] = defaultdict(set)
        self._pushed: dict[str, tuple[Since, int]] = {}  # the last ones, with all other changes
        self._found = FoundOnce()
        self._met: set[str] = set()
        self.moving = Moving()
        self._timer: asyncio.TimerHandle | None = None
        self._timed: tuple[Any, ...] = ()
        self._of = 0.0
        self._retry: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._judged: tuple[Game, asyncio.Task[dict[str, Any]]] | None = None

    @property
    def here(self) -> set[str]:
        """The tokens of those who are connected."""
        return {token for token, queues in self._queues.items() if queues}

    @property
    def is_idle(self) -> bool:
        """Whether nobody listens, nothing is under way and all is stored: the store alone may keep the room."""
        return self._stored == self._now and not (self.here or self._changing or self._tasks)

    @property
    def _now(self) -> tuple[int, int, int]:
        """What the store must have: the table, the changes of its journal, and the other ones."""
        table = self.room.table
        return self.room.tables, table.writes if table else 0, self.room.changes

    def member(self, token: str) -> Member:
        """A person. Raises BadRequest for who was removed meanwhile."""
        if token not in self.room.members:
            raise BadRequest("you are not in this room any more", HTTPStatus.NOT_FOUND)
        return self.room.members[token]

    # ---------------------------------------------------------------- what changes the room

    async def change(self, act: Callable[[Room], None]) -> None:
        """Change the room, let its table go on. Raises BadRequest and what `act` raises; then nothing has changed."""
        self._changing += 1
        try:
            async with self._lock:
                act(self.room)
                if self.room.is_agreed(self.here):
                    self.room.deal(self.here)
                is_done = False
                try:
                    self._changed()
                    with suppress(BadRequest):  # what follows is tried again: the change itself is stored
                        is_done = self._fire()
                finally:
                    if not is_done:
                        self.go_on()
        finally:
            self._changing -= 1

    @property
    def over(self) -> Game:
        """The round that is over, all hands open. Raises BadRequest while one is played, or a hand stays hidden."""
        table = self.room.table
        if table is None or table.state == "playing":
            raise BadRequest("no round is over yet; wait for the end of one", HTTPStatus.FORBIDDEN)
        if not all_is_shown(table.game):
            raise BadRequest("some hands were not shown; choose a round in which all were", HTTPStatus.FORBIDDEN)
        return table.game

    async def chances(self) -> dict[str, Any]:
        """The chances over the round that is over, found once. Raises BadRequest."""
        game = self.over
        if self._judged is None or self._judged[0] is not game:
            self._judged = game, asyncio.get_running_loop().create_task(self._judge(game))
        return await asyncio.shield(self._judged[1])

    async def _judge(self, game: Game) -> dict[str, Any]:
        moves = judged(game)
        found: list[dict[str, Any]] = []
        while True:
            async with self._computing:  # for each move anew: players of other rooms have their turns between
                move = await run_in_threadpool(next, moves, None)
            if move is None:
                return {"points": is_in_points(game.declaration), "moves": found, "gained": gained(game)}
            found.append(move._asdict())

    def go_on(self) -> None:
        """Fire what needs no person, one event after the other, in the background."""
        self._retry = None
        self._begin(self._play())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the background; if it fails, go on later."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            LOGGER.error("maumau: room %s has failed: %s", self.name, ascii(error)[:300])
            if self._retry is None:
                self._retry = asyncio.get_running_loop().call_later(RETRY, self.go_on)

    async def _play(self) -> None:
        async with self._lock:
            while not self._fire():
                if (game := self._computed) is None:
                    await asyncio.sleep(0)
                    continue
                async with self._computing:
                    move = await run_in_threadpool(_next_move, game.clone())
                assert self.room.table is not None
                self.room.table.repeat({"do": ["step", move_fields(move)]})

    def _fire(self) -> bool:
        """Store and push what is new, and fire some events that need neither a person nor a thread. Returns whether
        none is left to be fired.
        """
        self._changed()
        for _ in range(AT_ONCE):
            table = self.room.table
            if table is None or table.state != "playing" or table.asked is not None:
                return True
            if table.setup.is_left_by(table.absent):
                return True
            if self._computed is not None:
                return False
            if not table.advance():
                return True
            self._changed()
        return False

    @property
    def _computed(self) -> Game | None:
        """The round, if its next event is computed by a player in Python, which may take its time."""
        game = self.room.table and self.room.table.game
        return game if game and game.policies[game.player - 1].is_computed else None

    def _changed(self) -> None:
        """Store what is new, and push it. Raises BadRequest; then the room is again as it was stored."""
        self.room.count()
        if self._now != self._stored:
            try:
                self._write()
            except BadRequest:
                with suppress(ValueError):  # nothing can be read either
                    self._load()
                raise
        self._set_clock()
        self._push()

    def _write(self) -> None:
        """Store what is new. Raises BadRequest."""
        room, table, (tables, _, changes) = self.room, self.room.table, self._stored
        first = table.unstored if table and tables == room.tables else 0
        journal = table.journal if table else []
        saved = None if changes == room.changes else room.save()
        cuts = first < self._entries or not table
        self._store.write(self.name, Change(saved, room.code, room.members, first, journal[first:], cuts))
        self._keep()

    def _keep(self) -> None:
        """Note that the store has all of the room."""
        self._stored, table = self._now, self.room.table
        self._entries = len(table.journal) if table else 0
        if table:
            table.unstored = self._entries

    def _load(self) -> None:
        """Make the room what the store has, after a change that could not be stored."""
        stored = self._store.load(self.name)
        self.room = Room.restore(stored.saved, stored.journal)
        self.room.changes = self._stored[2]  # what was pushed is as it was
        self._keep()
        self._timed = ()
        self._set_clock()

    # ---------------------------------------------------------------- time

    def _set_clock(self) -> None:
        """Start the clock of a new question; the one that runs goes on."""
        table = self.room.table
        asked, seconds = table.asked if table else None, self._seconds()
        timed = (self.room.tables, asked, table.version(asked) if table and asked else None, seconds)
        if timed == self._timed:
            return
        self._timed = timed
        self.stop()
        if seconds is not None:
            self._of = seconds
            self._timer = asyncio.get_running_loop().call_later(seconds, self._time_out, timed)

    def _seconds(self) -> float | None:
        table = self.room.table
        if table is None or table.asked is None:
            return None
        token = self.room.at_seat(table.asked) or ""
        is_away = len(table.setup.people) > 1 and not self._queues[token]
        return table.seconds or ((AWAY if token in self._met else ARRIVING) if is_away else None)

    def _time_out(self, timed: tuple[Any, ...]) -> None:
        def end(room: Room) -> None:
            _, asked, version, _ = timed
            if timed == self._timed and room.table is not None and asked is not None:
                room.table.time_out(asked, version)

        self._begin(self.change(end))

    def stop(self) -> None:
        """Stop the clock."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self) -> None:
        """Do nothing more."""
        self.stop()
        if self._retry is not None:
            self._retry.cancel()

    # ---------------------------------------------------------------- what is pushed

    def check_room(self, token: str) -> None:
        """Raises BadRequest if no other connection may listen for a person."""
        self.member(token)
        if len(self._queues[token]) >= LISTENING:
            raise BadRequest(
                f"{LISTENING} connections listen to this seat, which is the limit; close one",
                HTTPStatus.TOO_MANY_REQUESTS,
            )

    @contextmanager
    def listening(self, token: str) -> Iterator[asyncio.Queue[Push | None]]:
        """The pushes to a person from now on; None instead of some that were too many. Raises BadRequest."""
        self.check_room(token)
        queue: asyncio.Queue[Push | None] = asyncio.Queue(MAX_WAITING)
        is_first = not self._queues[token]
        self._met.add(token)
        self._push([token])
        self._queues[token].add(queue)
        if is_first:
            self._people_changed(token)
        try:
            yield queue
        finally:
            self._queues[token].discard(queue)
            if not self._queues[token]:
                del self._queues[token]
                self._people_changed(token)

    def say(self, said: Push) -> None:
        """Push what somebody says to all but those who are far behind; it is not kept."""
        for queue in (each for queues in self._queues.values() for each in queues if each.qsize() < MAX_WAITING - 1):
            queue.put_nowait(said)

    def _people_changed(self, token: str) -> None:
        """Show the others who is here, after somebody came or left, for whom they may have waited."""
        self._arrivals += 1
        self._pushed[token] = self._state(token)
        if any(each.is_ready for each in self.room.members.values()):
            self._begin(self.change(lambda room: None))
        self._set_clock()
        self._push()

    def _state(self, token: str) -> tuple[Since, int]:
        table, member = self.room.table, self.room.members.get(token)
        if table is None or member is None:
            return Since(), self.room.changes + self._arrivals
        since = Since(self.room.tables, member.seat or 0, table.logs.versions[member.place])
        return since, self.room.changes + self._arrivals

    def shown(self, token: str, since: Since) -> Push:
        """What a person sees now, with the entries of the log from a version on. Raises BadRequest."""
        table, member, now = self.room.table, self.member(token), self._state(token)[0]
        room = f'{{{self._room_now().text},"me":{member.number}}}'
        if table is None:
            return f'{{"view":null,"log":[],"clock":null,"room":{room}}}'
        log = table.logs.since(member.place, since.version if since[:2] == now[:2] else 0)
        entries = ",".join([f'{{"number":{number},{entry.text}}}' for number, entry in log])
        parts = table.parts(member.place)
        clock = self._clock(table, parts)
        return f'{{"view":{encoded(parts)},"log":[{entries}],"clock":{clock},"room":{room}}}'

    def _room_now(self) -> Part:
        """The room as all see it, found once between two changes of it."""
        absent = frozenset(self.room.table.absent) if self.room.table else None
        now = self.room.changes, self._arrivals, self.room.is_between, absent
        return self._found.once("room", now, lambda: Part(self.room.seen(self.here)))

    def _clock(self, table: Table, parts: Sequence[Part]) -> str:
        """The time that is left, for those who see who is asked, as JSON. parts: what they see."""
        if self._timer is None or all(part.fields.get("player") != table.asked for part in parts):
            return "null"
        left = self._timer.when() - asyncio.get_running_loop().time()
        return f'{{"left":{max(left, 0):.2f},"of":{self._of}}}'

    def _push(self, tokens: Iterable[str] | None = None) -> None:
        """Push to people, or to all, what was not pushed yet; who was removed hears nothing more."""
        for token in [*self._queues] if tokens is None else tokens:
            queues = self._queues[token]
            if token not in self.room.members:
                self._pushed.pop(token, None)
                self._met.discard(token)
                for queue in queues:
                    if not queue.full():
                        queue.put_nowait(None)
                continue
            now, before = self._state(token), self._pushed.get(token, NOTHING)
            if now == before:
                continue
            self._pushed[token] = now
            push = self.shown(token, before[0]) if queues else ""
            for queue in queues:
                if queue.qsize() < MAX_WAITING - 1:
                    queue.put_nowait(push)
                elif not queue.full():
                    queue.put_nowait(None)


def _next_move(game: Game) -> Move:
    """The next event of a game, which is forced or computed by a player in Python, and may take its time.

    game: a copy, as others read the game meanwhile. Of a player that fails, the first legal move.
    """
    player = game.policies[game.player - 1].name
    try:
        return game.step().move(game.declaration)
    except (IllegalMove, OutsideError) as error:
        LOGGER.error("maumau: %s has failed, its first legal move is played: %s", player, ascii(str(error))[:300])
        return game.events()[0]
