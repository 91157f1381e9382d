"""How many connections the server has: one that is too many is closed as it comes."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from maumau.play.server.address import LOOPBACK

MAX_CONNECTIONS = 1000
MAX_OF_ONE = 250
"""Of them those of one address, unless it is that of this machine, where a reverse proxy may be."""


class Connection(asyncio.Protocol):
    """A new connection, which uvicorn speaks HTTP with if there is room for it."""

    def __init__(self, server_state: ServerState, **options: Any) -> None:
        self._others = server_state.connections
        self._protocol = H11Protocol(server_state=server_state, **options)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Pass the connection on, or close it."""
        hosts = [_host(each.transport) for each in self._others]
        host = _host(transport)
        is_one_too_many = hosts.count(host) >= MAX_OF_ONE and not ip_address(host).is_loopback
        if len(hosts) >= MAX_CONNECTIONS or is_one_too_many:
            transport.abort()
        else:
            transport.set_protocol(self._protocol)
            self._protocol.connection_made(transport)


def _host(transport: asyncio.Transport) -> str:
    """The address of a client; a connection that is lost already has none."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if name else LOOPBACK
