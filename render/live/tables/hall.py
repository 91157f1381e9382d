"""All tables of a server: opened, found by the secret names of their links, kept in the store, bounded in number."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex, token_urlsafe

from play import Setup, Table
from render.live.errors import Full, Refused, Unknown
from render.live.tables.hosted import Hosted
from render.live.tables.store import Store, Stored

UNKNOWN = "no such table, or it was removed because nobody played at it: open another one"


@dataclass(frozen=True)
class TableBounds:
    """tables: that are stored at once. loaded: that are in memory at once while nobody is connected to them.

    idle: seconds without a change after which a table is removed.
    """

    tables: int = 5000
    loaded: int = 500
    idle: float = 30 * 86_400.0


class Hall:
    """The tables of a server. Those that are not in memory are loaded from the store when somebody asks for them."""

    def __init__(
        self, store: Store | None = None, bounds: TableBounds | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.bounds = bounds or TableBounds()
        self._store = Store() if store is None else store
        self._clock = clock
        self._by_token: dict[str, Hosted] = {}
        self._loaded: OrderedDict[str, Hosted] = OrderedDict()

    def open(self, setup: Setup) -> Hosted:
        """Open a table. Raises Full, and Refused where nobody would play."""
        if not setup.people:
            raise Refused("no person at the table, expected one or more")
        self._store.remove(self._clock() - self.bounds.idle)
        if self._store.count() >= self.bounds.tables:
            raise Full(f"{self.bounds.tables} tables are kept here and there is no room for more: try later")
        table = Table(setup)
        links = {token_urlsafe(18): player for player in (*setup.people, None)}
        stored = Stored(token_hex(8), table.save() | {"journal": []}, links)
        self._store.add(stored)
        return self._keep(Hosted(stored.name, table, links, self._store))

    def find(self, token: str) -> tuple[Hosted, int | None]:
        """The table of a link, and the player whose link it is; None watches. Raises Unknown."""
        if token not in self._by_token:
            stored = self._store.find(token)
            if stored is None:
                raise Unknown(UNKNOWN)
            self._load(stored)
        hosted = self._by_token[token]
        self._loaded.move_to_end(hosted.name)
        return hosted, hosted.links[token]

    def _load(self, stored: Stored) -> None:
        try:
            table = Table.restore(stored.saved)
        except ValueError as error:
            raise Refused(f"the table cannot be played on here: {error}") from None
        self._keep(Hosted(stored.name, table, stored.links, self._store))

    def _keep(self, hosted: Hosted) -> Hosted:
        self._loaded[hosted.name] = hosted
        self._by_token.update(dict.fromkeys(hosted.links, hosted))
        idle = [each for each in self._loaded.values() if not each.connections]
        for each in idle[: max(len(self._loaded) - self.bounds.loaded, 0)]:
            if each is not hosted:
                self._unload(each)
        hosted.go_on()
        return hosted

    def _unload(self, hosted: Hosted) -> None:
        """Keep a table in the store only."""
        hosted.stop()
        del self._loaded[hosted.name]
        for token in hosted.links:
            del self._by_token[token]
