"""Where the server listens, and which names and pages it answers there."""

from __future__ import annotations

import asyncio
import socket

import pytest
from command import maumau
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from uvicorn import Config
from uvicorn.server import ServerState

from maumau.play.server import guard
from maumau.play.server.guard import AddressError, Guard, checked_host, checked_origin, listening_at, origins_at, url_of


@pytest.mark.parametrize(("host", "closed"), [("192.168.1.5", [False, False, True]), ("127.0.0.1", [False] * 3)])
async def test_one_address_has_so_many_connections_unless_it_is_this_machine(
    host: str, closed: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "MAX_OF_ONE", 2)

    def is_closed(state: ServerState, peer: str) -> bool:
        wire = Wire(peer)
        config = Config(Starlette(), http=guard.Connection, lifespan="off")
        guard.Connection(config=config, server_state=state, app_state={}).connection_made(wire)
        return wire.is_closing()

    state = ServerState()
    assert not is_closed(state, "192.168.1.6")
    assert [is_closed(state, host) for _ in closed] == closed


class Wire(asyncio.Transport):
    """A transport from an address."""

    def __init__(self, peer: str) -> None:
        super().__init__({"peername": (peer, 1), "sockname": ("192.168.1.5", 80)})
        self._closing = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        pass

    def abort(self) -> None:
        self._closing = True

    def is_closing(self) -> bool:
        return self._closing


@pytest.mark.parametrize("host", ["192.168.1.5", "127.0.0.1", "::1", "2001:db8::1"])
def test_a_server_listens_at_an_ip_address(host: str) -> None:
    assert checked_host(host, []) == host


@pytest.mark.parametrize("host", ["cards.example", "", "1.2.3", "192.168.1.5:80", "[::1]"])
def test_what_is_no_ip_address_is_refused(host: str) -> None:
    with pytest.raises(AddressError, match=r"--host: .* is not an IP address; use one such as 192\.168\.1\.5"):
        checked_host(host, [])


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_all_addresses_need_an_origin(host: str) -> None:
    with pytest.raises(AddressError, match="requires --origin, the address that players type"):
        checked_host(host, [])
    assert checked_host(host, ["https://cards.example"]) == host


@pytest.mark.parametrize(
    ("origin", "checked"),
    [
        ("https://cards.example", "https://cards.example"),
        ("https://Cards.Example/", "https://cards.example"),
        ("http://192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("http://[2001:db8::1]:8000", "http://[2001:db8::1]:8000"),
    ],
)
def test_an_origin_is_a_scheme_and_a_name(origin: str, checked: str) -> None:
    assert checked_origin(origin) == checked


@pytest.mark.parametrize(
    "origin",
    [
        "cards.example",
        "ftp://a.example",
        "https://",
        "https://a.example/x",
        "https://a@b.example",
        "https://a:x",
        "//a",
    ],
)
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(AddressError, match="use a scheme and a name, such as https:"):
        checked_origin(origin)


def test_the_addresses_by_which_browsers_reach_a_server() -> None:
    assert origins_at("127.0.0.1", 8000, []) == []
    assert origins_at("192.168.1.5", 8000, []) == ["http://192.168.1.5:8000"]
    assert origins_at("192.168.1.5", 80, []) == ["http://192.168.1.5:80", "http://192.168.1.5"]
    assert origins_at("2001:db8::1", 8000, ["https://a.example"]) == ["http://[2001:db8::1]:8000", "https://a.example"]
    assert origins_at("0.0.0.0", 8000, ["https://a.example"]) == ["https://a.example"]
    assert url_of("2001:db8::1", 8000) == "http://[2001:db8::1]:8000/"


def guarded(*origins: str) -> TestClient:
    """A page behind the guard of a server at port 8000."""
    page = Starlette(routes=[Route("/", lambda request: PlainTextResponse("served"), methods=["GET", "POST"])])
    return TestClient(Guard(page, 8000, origins), base_url="http://127.0.0.1:8000")


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000", 200),
        ("cards.example", "https://cards.example", 200),
        ("Cards.Example", "https://cards.example", 200),
        ("cards.example", "http://cards.example", 403),
        ("cards.example", "https://evil.example", 403),
        ("evil.example", "https://cards.example", 403),
        ("cards.example:8000", "https://cards.example", 403),
        ("cards.example", "null", 403),
    ],
)
def test_only_requests_to_a_name_of_the_server_from_its_own_pages_are_answered(
    host: str, origin: str, status: int
) -> None:
    client = guarded("https://cards.example")
    headers = {"host": host, "origin": origin, "content-type": "application/json"}
    assert client.post("/", headers=headers).status_code == status


def test_without_an_origin_only_the_loopback_address_is_answered() -> None:
    assert guarded().get("/", headers={"host": "127.0.0.1:8000"}).status_code == 200
    assert guarded().get("/", headers={"host": "192.168.1.5:8000"}).status_code == 403


def test_a_socket_listens_at_each_kind_of_address() -> None:
    for host in ("127.0.0.1", *(["::1"] if socket.has_dualstack_ipv6() else [])):
        with listening_at(host, 0) as listening:
            assert listening.getsockname()[0] == host


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "0.0.0.0"], "--host 0.0.0.0 requires --origin, the address that players type"),
        (["--host", "cards.example"], "--host: 'cards.example' is not an IP address"),
        (
            ["--origin", "cards.example"],
            "--origin: 'cards.example' is not the address of a site; use a scheme and a name",
        ),
        (["--host", "203.0.113.77", "--port", "0"], "--host: 203.0.113.77: cannot assign requested address"),
    ],
)
def test_an_address_at_which_the_server_cannot_be_is_refused(options: list[str], message: str) -> None:
    done = maumau("serve", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
