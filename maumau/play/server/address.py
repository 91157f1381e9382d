"""Where a server listens, and the addresses by which browsers reach it."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from rules.errors import Explained
from rules.notation import shown

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = LOOPBACK, "localhost", "[::1]"
DEFAULT_PORT = 80
FOR_EXAMPLES = "192.0.2.1"
"""An address that is nobody's (RFC 5737), outside of every local network."""


class AddressError(Explained, ValueError):
    """An address on which no server can listen, or by which no browser can reach one; the message says why."""


def checked_host(host: str, origins: Sequence[str]) -> str:
    """An IP address of this machine. Raises AddressError, also for all addresses at once without an origin.

    Behind all addresses the server would not know by which names it may be called.
    """
    try:
        address = ip_address(host)
    except ValueError:
        raise AddressError(f"--host: {shown(host)}, expected an IP address, such as 192.168.1.5") from None
    if address.is_unspecified and not origins:
        raise AddressError(f"--host: {host}: expected --origin with it, the address that players type")
    return str(address)


def checked_origin(origin: str) -> str:
    """The address of a site: `https://cards.example`. Raises AddressError."""
    expected = "expected a scheme and a name, such as https://cards.example"
    try:
        parts = urlsplit(origin.lower().removesuffix("/"))
        named = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        named = None
    if not named or f"{parts.scheme}://{parts.netloc}" != parts.geturl() or "@" in parts.netloc:
        raise AddressError(f"--origin: {shown(origin)}, {expected}")
    return parts.geturl()


def origins_at(host: str, port: int, origins: Sequence[str]) -> list[str]:
    """The addresses, beside the loopback one, by which browsers reach a server at an address and a port."""
    if host == LOOPBACK or ip_address(host).is_unspecified:
        return list(origins)
    return [f"http://{name}" for name in names_at([_in_url(host)], port)] + list(origins)


def names_at(hosts: Sequence[str], port: int) -> list[str]:
    """What browsers send in Host for `hosts` at a port: they leave out the default one."""
    return [f"{host}:{port}" for host in hosts] + (list(hosts) if port == DEFAULT_PORT else [])


def url_of(host: str, port: int) -> str:
    """The address of a server."""
    return f"http://{_in_url(host)}:{port}/"


def local_address() -> str:
    """The address of this machine in the local network. Raises AddressError without one."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as reaching:
        reaching.connect((FOR_EXAMPLES, DEFAULT_PORT))  # sends nothing, but finds the address from which it would
        if not ip_address(found := str(reaching.getsockname()[0])).is_loopback:
            return found
    raise AddressError("--host: this machine is in no network, expected the address at which others reach it")


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
