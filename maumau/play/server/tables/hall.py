"""All tables of a server: opened, found by the secret names of their links, kept in the store, bounded in number."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from secrets import token_hex, token_urlsafe

from maumau.play.server.guard import Refused
from maumau.play.server.tables.hosted import Hosted
from maumau.play.server.tables.store import Store, Stored
from maumau.play.table import Setup, Table

UNKNOWN = "no such table, or it was removed because nobody played at it: open another one"


@dataclass(frozen=True)
class TableBounds:
    """tables: that are stored at once. loaded: that are in memory at once while nobody is connected to them.

    idle: seconds without a change after which a table is removed; spare: the same where there is no room for another.
    computing: moves that are computed in Python at once, at all tables.
    """

    tables: int = 5000
    loaded: int = 500
    idle: float = 30 * 86_400.0
    spare: float = 86_400.0
    computing: int = 2


class Hall:
    """The tables of a server. Those that are not in memory are loaded from the store when somebody asks for them."""

    def __init__(
        self, store: Store | None = None, bounds: TableBounds | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.bounds = bounds or TableBounds()
        self._store = Store() if store is None else store
        self._clock = clock
        self._computing = asyncio.Semaphore(self.bounds.computing)
        self._by_token: dict[str, Hosted] = {}
        self._loaded: OrderedDict[str, Hosted] = OrderedDict()

    def open(self, setup: Setup) -> Hosted:
        """Open a table. Raises Refused, also where nobody would play."""
        if not setup.people:
            raise Refused("no person at the table, expected one or more")
        self._remove(self.bounds.idle)
        if self._store.count() >= self.bounds.tables:
            self._remove(self.bounds.spare)
        if self._store.count() >= self.bounds.tables:
            raise Refused(
                f"{self.bounds.tables} tables are kept here and there is no room for more: try later",
                HTTPStatus.SERVICE_UNAVAILABLE,
            )
        table = Table(setup)
        links = {token_urlsafe(18): player for player in (*setup.people, None)}
        stored = Stored(token_hex(8), table.save() | {"journal": []}, links)
        self._store.add(stored)
        return self._keep(stored, table)

    def _remove(self, idle: float) -> None:
        """Remove the tables that nobody has used for so many seconds."""
        for name in self._store.remove(self._clock() - idle):
            if name in self._loaded:
                self._unload(self._loaded[name])

    def find(self, token: str) -> tuple[Hosted, int | None]:
        """The table of a link, and the player whose link it is; None watches. Raises Refused."""
        if token not in self._by_token:
            self._load(token)
        hosted = self._by_token[token]
        self._loaded.move_to_end(hosted.name)
        return hosted, hosted.links[token]

    def _load(self, token: str) -> None:
        try:
            stored = self._store.find(token)
            if stored is None:
                raise Refused(UNKNOWN, HTTPStatus.NOT_FOUND)
            self._keep(stored, Table.restore(stored.saved))
        except ValueError as error:
            raise Refused(f"the table cannot be played on here: {error}", HTTPStatus.NOT_FOUND) from None

    def _keep(self, stored: Stored, table: Table) -> Hosted:
        """Keep a table in memory, and others in the store only if there are too many."""
        idle = [each for each in self._loaded.values() if each.is_idle]
        for each in idle[: max(len(self._loaded) + 1 - self.bounds.loaded, 0)]:
            self._unload(each)
        hosted = Hosted(stored.name, table, stored.links, self._store, self._computing)
        self._loaded[hosted.name] = hosted
        self._by_token.update(dict.fromkeys(hosted.links, hosted))
        hosted.go_on()
        return hosted

    def _unload(self, hosted: Hosted) -> None:
        """Keep a table in the store only."""
        hosted.end()
        del self._loaded[hosted.name]
        for token in hosted.links:
            del self._by_token[token]
