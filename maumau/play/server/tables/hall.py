"""All rooms of a server: opened, found by codes and by the tokens of people, kept in the store, bounded in number."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from secrets import token_hex

from starlette.concurrency import run_in_threadpool

from maumau.play.server.guard import BadRequest
from maumau.play.server.tables.hosted import Hosted
from maumau.play.server.tables.plans import plan_of
from maumau.play.server.tables.store import Change, Store, Stored
from maumau.play.table.names import plain_code
from maumau.play.table.room import Room, RoomPlan
from rules.notation import many

UNKNOWN = "no such room, or it was removed because nobody played there: open another one"
CLOSED = "this code no longer lets anybody in: ask for the new one, or, if you are in the room, open it from the lobby"


def check_open(room: Room, code: str) -> None:
    """Raise BadRequest for a code that no longer lets anybody into a room."""
    if room.code != plain_code(code):
        raise BadRequest(CLOSED, HTTPStatus.FORBIDDEN)


@dataclass(frozen=True)
class RoomBounds:
    """rooms: that are stored at once. loaded: that are in memory at once while nobody is there.

    idle: seconds without a change after which a room is removed; spare: the same where there is no room for another.
    computing: moves that are computed in Python at once, in all rooms.
    """

    rooms: int = 5000
    loaded: int = 500
    idle: float = 30 * 86_400.0
    spare: float = 86_400.0
    computing: int = 2


class Hall:
    """The rooms of a server. Those that are not in memory are loaded from the store when somebody asks for them."""

    def __init__(self, store: Store | None = None, bounds: RoomBounds | None = None) -> None:
        self.bounds = bounds or RoomBounds()
        self._store = Store() if store is None else store
        self._computing = asyncio.Semaphore(self.bounds.computing)
        self._loaded: OrderedDict[str, Hosted] = OrderedDict()
        self._loading = asyncio.Lock()

    def open(self, plan: RoomPlan) -> str:
        """Open a room, in which nobody is yet. Returns its code. Raises BadRequest."""
        self._remove(self.bounds.idle)
        if self._store.count() >= self.bounds.rooms:
            self._remove(self.bounds.spare)
        if self._store.count() >= self.bounds.rooms:
            raise BadRequest(
                f"this server keeps {many(self.bounds.rooms, 'room')} at most; try later",
                HTTPStatus.SERVICE_UNAVAILABLE,
            )
        room = Room(plan)
        self._store.write(token_hex(8), Change(room.save(), room.code, (), 0, ()))
        return room.code

    def open_for(self, game: str) -> str:
        """Open a room for a game as it is usually played. game: a registered name. Returns the code of the room."""
        return self.open(plan_of({"game": game}))

    def _remove(self, idle: float) -> None:
        """Remove the rooms that nobody has used for so many seconds, and where nobody is."""
        used = [name for name, each in self._loaded.items() if not each.is_idle]
        for name in self._store.remove(idle, used):
            if name in self._loaded:
                self._loaded.pop(name).end()

    def latest(self, seconds: float) -> str | None:
        """The code of the room that was used last, if it was within so many seconds."""
        return self._store.latest(seconds)

    async def find(self, token: str) -> Hosted:
        """The room of who has a token. Raises BadRequest."""
        hosted = await self._found(self._store.name_of, token)
        hosted.member(token)
        return hosted

    async def room(self, code: str) -> Hosted:
        """Return the room of a code. Raises BadRequest, also for a code that somebody was removed after."""
        hosted = await self._found(self._store.room_of, plain_code(code))
        check_open(hosted.room, code)
        return hosted

    async def _found(self, find: Callable[[str], str | None], known: str) -> Hosted:
        """The room of a token or a code, by whose name it is kept; it is in memory until the caller waits."""
        try:
            name = find(known)
            if name is None:
                raise BadRequest(UNKNOWN, HTTPStatus.NOT_FOUND)
            if name not in self._loaded:
                async with self._loading:  # one after the other, in a thread, as a long journal takes seconds
                    if name not in self._loaded:
                        self._keep(await run_in_threadpool(self.hosted, self._store.load(name)))
        except ValueError as error:
            raise BadRequest(f"the room cannot be played on here: {error}", HTTPStatus.NOT_FOUND) from None
        self._loaded.move_to_end(name)
        return self._loaded[name]

    def hosted(self, stored: Stored) -> Hosted:
        """A room as it was stored. Raises ValueError."""
        return Hosted(stored.name, Room.restore(stored.saved, stored.journal), self._store, self._computing)

    def _keep(self, hosted: Hosted) -> None:
        """Keep a room in memory, and others in the store only if there are too many."""
        idle = [each for each in self._loaded.values() if each.is_idle]
        for each in idle[: max(len(self._loaded) + 1 - self.bounds.loaded, 0)]:
            each.end()
            del self._loaded[each.name]
        self._loaded[hosted.name] = hosted
        hosted.go_on()
