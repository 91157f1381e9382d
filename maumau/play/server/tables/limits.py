"""How much people and clients may ask for."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection, Request

from maumau.play.server.guard import BadRequest

BURST, RATE = 40.0, 10.0
"""Requests of a person at once, and in a second: of those that change the room, and of those that read it."""
RULES, RULES_READING = 10.0, 1.0
"""Pages of rules that one client may read at once, and in a second: each new one takes up to a tenth of a second to
write.
"""
HINTS = 0.5
"""Hints for a person in a second, after so many at once: each is searched for."""
SAID, SAYING = 3.0, 0.2
"""Emotes of a person at once, and in a second."""
OPENED, OPENING = 60.0, 1 / 30
"""Rooms that one client may open at once, and in a second."""
OPENED_BY_ALL, OPENING_BY_ALL = 240.0, 4.0
ENTERED, ENTERING = 60.0, 1.0
"""Codes that lead nowhere that one client may name, at once, and in a second, so that codes cannot be tried out."""
STREAMS, STREAMS_BY_ALL = 100, 900
"""Pages of rooms that one client, and all together, may have open at once; other requests still find connections."""
ALL = ""
"""In place of a client: all of them."""
MAX_KNOWN = 10_000
"""Clients whose requests are counted, the latest ones."""
FORWARDED = "x-forwarded-for"
NETWORK_OF_ONE = 64
"""The length of the prefix that one IPv6 customer has."""


class Limits:
    """What people and clients may still ask for. A client on this machine is bounded with all others only."""

    def __init__(self) -> None:
        self.changing, self.reading, self.hinting = Rates(BURST, RATE), Rates(BURST, RATE), Rates(BURST, HINTS)
        self.saying, self.reading_rules = Rates(SAID, SAYING), Rates(RULES, RULES_READING)
        self._opening, self._opening_by_all = Rates(OPENED, OPENING), Rates(OPENED_BY_ALL, OPENING_BY_ALL)
        self._entering = Rates(ENTERED, ENTERING)
        self._streams, self._streams_by_all = RoomCounts(STREAMS), RoomCounts(STREAMS_BY_ALL)

    @contextmanager
    def code(self, request: Request) -> Iterator[None]:
        """Count a code that a client names, unless it leads anywhere. Raises BadRequest."""
        client = client_of(request) or ALL
        self._entering.take(client)
        yield
        self._entering.give_back(client)

    def open_room(self, client: str | None) -> None:
        """Count a room that is opened. Raises BadRequest."""
        if client is not None:
            self._opening.take(client)
        self._opening_by_all.take(ALL)

    @contextmanager
    def stream(self, client: str | None) -> Iterator[None]:
        """Count a client that listens to a room. Raises BadRequest if it must not listen to another one."""
        with nullcontext() if client is None else self._streams.one(client), self._streams_by_all.one(ALL):
            yield


class Rates:
    """How much each of many may still do: so much at once, and so much more in a second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """Raises BadRequest if nothing is left."""
        now = self._clock()
        before, left = self._left.pop(who, (now, self._burst))
        left = min(self._burst, left + (now - before) * self._rate)
        self._left[who] = now, max(left - 1, 0)
        if len(self._left) > MAX_KNOWN:
            self._left.popitem(last=False)
        if left < 1:
            raise BadRequest("too many requests; wait a little", HTTPStatus.TOO_MANY_REQUESTS)

    def give_back(self, who: str) -> None:
        """What was taken last does not count."""
        since, left = self._left.get(who, (self._clock(), self._burst))
        self._left[who] = since, min(self._burst, left + 1)


class RoomCounts:
    """How many rooms each of many has open, up to a bound."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count one as long as it is open. Raises BadRequest if it is one too many."""
        if self._open[who] >= self._most:
            raise BadRequest(
                f"{self._most} rooms are open, which is the limit; close one", HTTPStatus.TOO_MANY_REQUESTS
            )
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


def client_of(request: HTTPConnection) -> str | None:
    """The address of a client, of an IPv6 address its network; None for this machine itself.

    What comes from this machine was sent by a reverse proxy if it names the client, in the last `X-Forwarded-For`.
    """
    network, is_here = _network(request.client.host if request.client else "")
    if not is_here:
        return network
    named = ",".join(request.headers.getlist(FORWARDED)).rpartition(",")[2].strip()
    return _network(named)[0] if named else None


def _network(host: str) -> tuple[str, bool]:
    """The network of an address, and whether it is this machine."""
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return host[:80], False
    if isinstance(address, IPv6Address) and not address.ipv4_mapped:
        return str(ip_network((address, NETWORK_OF_ONE), strict=False)), address.is_loopback
    return str(address), address.is_loopback
