"""How much each client may ask for: so much at once, and so much more in a second; and how much may be open at once."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import Request

from maumau.play.server.errors import TooMany

MAX_KNOWN = 10_000
"""Clients whose requests are counted, the latest ones."""
FORWARDED = "x-forwarded-for"
NETWORK_OF_ONE = 64
"""The length of the prefix that one IPv6 customer has."""


class Rates:
    """How much each of many may still do: so much at once, and so much more in a second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """Raises TooMany if nothing is left."""
        now = self._clock()
        before, left = self._left.pop(who, (now, self._burst))
        left = min(self._burst, left + (now - before) * self._rate)
        self._left[who] = now, max(left - 1, 0)
        if len(self._left) > MAX_KNOWN:
            self._left.popitem(last=False)
        if left < 1:
            raise TooMany("too many requests, expected fewer: wait a little")


class Counts:
    """How many of something each of many has open, up to a bound."""

    def __init__(self, most: int, what: str) -> None:
        self._most, self._what = most, what
        self._open: Counter[str] = Counter()

    def check(self, who: str) -> None:
        """Raises TooMany if another one would be too many."""
        if self._open[who] >= self._most:
            raise TooMany(f"{self._most} {self._what} at once, expected at most so many: close one")

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count one as long as it is open."""
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


def client_of(request: Request) -> str | None:
    """The address of a client, of an IPv6 address its network; None for this machine itself.

    What comes from this machine was sent by a reverse proxy if it names the client, in the last `X-Forwarded-For`.
    """
    host = request.client.host if request.client else ""
    if _is_here(host):
        named = ",".join(request.headers.getlist(FORWARDED)).rpartition(",")[2].strip()
        return _network(named) if named else None
    return _network(host)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _network(host: str) -> str:
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return host[:80]
    if isinstance(address, IPv6Address) and not address.ipv4_mapped:
        return str(ip_network((address, NETWORK_OF_ONE), strict=False))
    return str(address)
