"""A table that is played over the network: it goes on by itself, keeps the time, and pushes what each seat sees."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractContextManager, aclosing, contextmanager
from http import HTTPStatus
from itertools import count
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from fsm.declaration.policy import SteppedPolicy
from fsm.outside import OutsideError
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.stepping.steps import Move
from maumau.play.server.guard import Refused
from maumau.play.server.tables.store import Store
from maumau.play.table import Person, Table
from maumau.play.table.view import move_fields

NEXT_ROUND = 20
"""Seconds from the end of a round until the next one is dealt."""
AWAY = 60
"""Seconds to answer of a person who is not connected, at a table for any time with other people."""
ARRIVING = 600
"""The same of a person who was not connected yet."""
MAX_WAITING = 128
"""Pushes that wait for one connection; who is further behind is sent the whole table instead."""
LISTENING = 16
"""Connections that may listen to one seat at once."""
AT_ONCE = 8
"""Events that are fired before other tables have their turn; what is pushed meanwhile is sent together."""
RETRY = 5.0
"""Seconds until a table is tried again that could not be stored, or that failed."""
Push = bytes
"""A server-sent event."""


ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)
LOGGER = logging.getLogger(__name__)


class Hosted:
    """A table with its connections. All methods are called in the event loop of the server.

    Changes are made one after the other; each is stored before it is pushed or answered. What could not be stored is
    neither, and is tried again.
    """

    def __init__(
        self, name: str, table: Table, links: Mapping[str, int | None], store: Store, computing: asyncio.Semaphore
    ) -> None:
        """computing: bounds how many moves are computed in Python at once, at all tables."""
        self.name, self.table, self.links = name, table, links
        self._lock = asyncio.Lock()
        self._store, self._computing = store, computing
        self._changing = 0
        self._stored = len(table.journal)
        self._queues: dict[int | None, set[asyncio.Queue[Push | None]]] = {seat: set() for seat in links.values()}
        self._pushed = {seat: table.version(seat) for seat in self._queues}  # the last versions
        self._met: set[int | None] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._timed: tuple[Any, ...] = ()
        self._of = 0.0
        self._retry: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def connections(self) -> int:
        """How many connections listen to the table."""
        return sum(map(len, self._queues.values()))

    @property
    def is_idle(self) -> bool:
        """Whether nobody listens, nothing is under way and all is stored: the store alone may keep the table."""
        is_stored = self._stored == len(self.table.journal)
        return is_stored and not (self.connections or self._changing or self._tasks)

    # ---------------------------------------------------------------- what changes the table

    async def change(self, act: Callable[[Table], None]) -> None:
        """Change the table, and let it go on. Raises what `act` raises; nothing has changed then. Raises Refused."""
        self._changing += 1
        try:
            async with self._lock:
                act(self.table)
                self.go_on()
                self._changed()
        finally:
            self._changing -= 1

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
            LOGGER.error("maumau: table %s has failed: %s", self.name, ascii(error)[:300])
            if self._retry is None:
                self._retry = asyncio.get_running_loop().call_later(RETRY, self.go_on)

    async def _play(self) -> None:
        async with self._lock:
            self._changed()  # what could not be stored before
            for events in count(1):
                if self.table.state != "playing" or not await self._advance():
                    break
                self._changed()
                if events % AT_ONCE == 0:
                    await asyncio.sleep(0)
            self._set_clock()

    async def _advance(self) -> bool:
        game = self.table.game
        if self.table.asked is None and isinstance(game.policies[game.player - 1], SteppedPolicy):
            async with self._computing:
                move = await run_in_threadpool(_next_move, game.clone())
            self.table.repeat({"do": ["step", move_fields(move)]})
            return True
        return self.table.advance()

    def _changed(self) -> None:
        """Store what is new, and push it. Raises Refused."""
        if new := self.table.journal[self._stored :]:
            self._store.append(self.name, self._stored, new)
            self._stored += len(new)
        self._set_clock()
        for seat in self._queues:
            self._push(seat)

    # ---------------------------------------------------------------- time

    def _set_clock(self) -> None:
        """Start the clock of a new question, or of the pause between two rounds; the one that runs goes on."""
        asked, state = self.table.asked, self.table.state
        seconds = NEXT_ROUND if state == "round over" else self._seconds()
        timed = (state, asked, asked and self.table.version(asked), seconds)
        if timed == self._timed:
            return
        self._timed = timed
        self.stop()
        if seconds is not None:
            self._of = seconds
            self._timer = asyncio.get_running_loop().call_later(seconds, self._time_out, timed)

    def _seconds(self) -> float | None:
        asked, setup = self.table.asked, self.table.setup
        is_away = asked is not None and len(setup.people) > 1 and not self._queues[asked]
        return self.table.seconds or ((AWAY if asked in self._met else ARRIVING) if is_away else None)

    def _time_out(self, timed: tuple[Any, ...]) -> None:
        state, asked, version, _ = timed

        def end(table: Table) -> None:
            if timed != self._timed:
                return
            if state == "round over":
                table.advance()
            elif asked is not None:
                table.time_out(asked, version)

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

    def check_room(self, seat: int | None) -> None:
        """Raises Refused if no other connection may listen to a seat."""
        if len(self._queues[seat]) >= LISTENING:
            raise Refused(
                f"{LISTENING} connections listen to this seat, expected at most so many: close one",
                HTTPStatus.TOO_MANY_REQUESTS,
            )

    @contextmanager
    def listening(self, seat: int | None) -> Iterator[asyncio.Queue[Push | None]]:
        """The pushes to a seat from now on; None instead of some that were too many. Raises Refused."""
        self.check_room(seat)
        queue: asyncio.Queue[Push | None] = asyncio.Queue(MAX_WAITING)
        self._push(seat)
        self._queues[seat].add(queue)
        self._met.add(seat)
        self._people_changed(seat, len(self._queues[seat]) == 1, queue)
        try:
            yield queue
        finally:
            self._queues[seat].discard(queue)
            self._people_changed(seat, not self._queues[seat], None)

    def _people_changed(self, seat: int | None, is_other: bool, queue: asyncio.Queue[Push | None] | None) -> None:
        """Show the others who is here, after somebody came or left."""
        if not is_other or seat is None or len(self.table.setup.people) == 1:
            return
        self._set_clock()
        for other, queues in self._queues.items():
            if queues - {queue}:
                self._send(other, self.whole(other, self._pushed[other]), {queue})

    def whole(self, seat: int | None, since: int) -> dict[str, Any]:
        """What a seat sees now, with the entries of its log from a number on."""
        view = self.table.view(seat)
        return {"view": view, "log": self.table.log(seat, since), "clock": self._clock(view), "here": self._here()}

    def _clock(self, view: Mapping[str, Any]) -> dict[str, float] | None:
        """The time that is left, for those who see who is asked."""
        if self._timer is None or (view["state"] == "playing" and view["player"] != self.table.asked):
            return None
        left = self._timer.when() - asyncio.get_running_loop().time()
        return {"left": round(max(left, 0), 2), "of": self._of}

    def _here(self) -> list[bool]:
        seats = enumerate(self.table.setup.seats, 1)
        return [isinstance(seat, Person) and bool(self._queues.get(player)) for player, seat in seats]

    def _push(self, seat: int | None) -> None:
        """Push to a seat what it has not seen."""
        pushed, version = self._pushed[seat], self.table.version(seat)
        if version == pushed:
            return
        if self._queues[seat]:
            self._send(seat, self.whole(seat, pushed))
        self._pushed[seat] = version

    def _send(self, seat: int | None, push: Mapping[str, Any], but: set[Any] | None = None) -> None:
        event = encoded(push)
        for queue in self._queues[seat] - (but or set()):
            if queue.qsize() < MAX_WAITING - 1:
                queue.put_nowait(event)
            elif not queue.full():
                queue.put_nowait(None)


def encoded(push: Mapping[str, Any]) -> Push:
    """A push as a server-sent event, whose id is the version of the view."""
    text = ENCODER.encode(push)
    return f"retry: 1000\nid: {push['view']['version']}\ndata: {text}\n\n".encode()


def _next_move(game: Game) -> Move:
    """The next event of a game, which is forced or computed by a player in Python, and may take its time.

    game: a copy, as others read the game meanwhile. Of a player that fails, the first legal move.
    """
    player = game.policies[game.player - 1].name
    try:
        step = game.step()
    except (IllegalMove, OutsideError) as error:
        LOGGER.error("maumau: %s has failed, its first legal move is played: %s", player, ascii(str(error))[:300])
        return game.events()[0]
    return Move.of(game.declaration, step.trigger, step.card, step.named)


# ---------------------------------------------------------------- the pushes to one connection

BEAT = 15.0
"""Seconds without a push after which a heartbeat is sent."""
HEADERS = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]


class Pushes:
    """A response that goes on until the client leaves: the whole table first, then every push as it comes."""

    def __init__(
        self, find: Callable[[], tuple[Hosted, int | None]], since: int, counted: AbstractContextManager[None]
    ) -> None:
        """find: returns the table and the seat. since: the version up to which the client knows it. counted: entered
        as long as the client listens.
        """
        self._find, self._since, self._counted = find, since, counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request."""
        with self._counted:
            sending = asyncio.ensure_future(self._send(send))
            leaving = asyncio.ensure_future(_left(receive))
            done, pending = await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                task.result()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        try:
            async with aclosing(self._events()) as events:
                async for event in events:
                    await send({"type": "http.response.body", "body": event, "more_body": True})
        except Refused:
            return

    async def _events(self) -> AsyncGenerator[bytes, None]:
        hosted, seat = self._find()  # not sooner: from here on it stays loaded
        with hosted.listening(seat) as queue:
            yield encoded(hosted.whole(seat, self._since))
            while True:
                try:
                    async with asyncio.timeout(BEAT):
                        pushes = [await queue.get()]
                except TimeoutError:
                    yield b"event: beat\ndata: {}\n\n"
                    continue
                while not queue.empty():
                    pushes.append(queue.get_nowait())
                yield b"".join(encoded(hosted.whole(seat, 0)) if push is None else push for push in pushes)


async def _left(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def since(request: Request) -> int:
    """The version up to which a client knows a table: that of `Last-Event-ID`, or of `since` in the address; or 0."""
    given = request.headers.get("last-event-id") or request.query_params.get("since", "0")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
