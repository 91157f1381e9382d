"""Clients that leave or send too much, and signals while the server answers."""

from __future__ import annotations

import json
import signal
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import pytest
from commands import COMMAND
from python_says import BY_ZERO

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import httpx2 as httpx
from starlette.testclient import TestClient

from maumau.play.server.app import application
from maumau.play.server.guard import LARGEST_BODY, LARGEST_HEAD, MAX_CONNECTIONS, MAX_HEADERS

GET = "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"
POST = "POST /games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{"
BUSY = """
import sys
from maumau.play.server.games import LiveGame
assert LiveGame.everything
LiveGame.everything = lambda live: 1 // 0
from maumau.cli.main import main
sys.argv = ["maumau", "serve", "--port", "0"]
main()
"""
"""A server whose games fail."""


IMPATIENT = """
import sys
import maumau.play.server.app as app
assert app.PING
app.PING = 0.1
from maumau.cli.main import main
sys.argv = ["maumau", "serve", "--port", "0"]
main()
"""
"""A server that waits a tenth of a second for the answer to a ping."""


class Served:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr
        self.process = process
        self.address = process.stderr.readline().split()[1]
        self.host = self.address.removeprefix("http://").rstrip("/")
        name, _, port = self.host.partition(":")
        self._where = name, int(port)

    def connect(self) -> socket.socket:
        return socket.create_connection(self._where, timeout=60)

    def send(self, request: str) -> tuple[int, str]:
        """The status and the body of the answer to a request, with which the connection ends."""
        head, _, body = self.ask(request).decode().partition("\r\n\r\n")
        return int(head.split()[1]), body

    def ask(self, request: str) -> bytes:
        """Send a request and return everything that comes until the server closes the connection.

        It is reset where the server has not read all of the request.
        """
        received = bytearray()
        with closing(self.connect()) as client:
            client.sendall(request.format(host=self.host).encode())
            with suppress(ConnectionResetError):
                while data := client.recv(1 << 16):
                    received += data
        return bytes(received)

    def answers(self) -> bool:
        return bool(httpx.get(self.address).status_code == 200)


@contextmanager
def serving(line: list[str], expected: str = "", number: signal.Signals = signal.SIGINT) -> Iterator[Served]:
    """A server, which at the end must have said nothing but what is expected, and be ended by a signal."""
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        try:
            served = Served(process)
            yield served
            assert process.poll() is None
            process.send_signal(number)
            _, text = process.communicate(timeout=60)
        finally:
            process.kill()
    assert text == expected
    assert process.returncode == 0


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving([*COMMAND, "serve", "--port", "0"]) as started:
        yield started


def leave(client: socket.socket) -> None:
    """Close a connection as a client that dies does, by a reset."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


@pytest.mark.slow
@pytest.mark.parametrize("times", [300, pytest.param(2000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("request_", [GET, POST, "GET / HT"], ids=["get", "half a body", "half a head"])
@pytest.mark.parametrize("end", [leave, socket.socket.close], ids=["reset", "closed"])
def test_clients_that_leave(served: Served, request_: str, end: Callable[[socket.socket], None], times: int) -> None:
    for _ in range(times):
        client = served.connect()
        client.sendall(request_.format(host=served.host).encode())
        end(client)
    assert served.answers()


@pytest.mark.parametrize("head", ["GET /" + "x" * 2 * LARGEST_HEAD,
                                  "GET / HTTP/1.1\r\nHost: {host}\r\nX: " + "x" * 2 * LARGEST_HEAD])  # fmt: skip
def test_a_head_that_does_not_end(served: Served, head: str) -> None:
    assert served.send(head)[0] == 400


@pytest.mark.parametrize("headers", ["X: " + "x" * LARGEST_HEAD + "\r\n", "X: x\r\n" * MAX_HEADERS])
def test_a_head_that_is_too_large(served: Served, headers: str) -> None:
    status, body = served.send("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n" + headers + "\r\n")
    assert status in (400, 431)  # 400 where it comes in parts
    assert status == 400 or json.loads(body)["error"].startswith(
        f"the request is too large; send at most {MAX_HEADERS} headers"
    )
    assert served.send("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n" + "X: x\r\n" * 50 + "\r\n")[0] == 200


@pytest.mark.parametrize(
    "line", ["\0\1\2\3", "GET http:// HTTP/1.1", "GET http://a:99999/ HTTP/1.1", "CONNECT a:1 HTTP/1.1"]
)
def test_what_is_no_request(served: Served, line: str) -> None:
    assert served.send(f"{line}\r\n\r\n")[0] == 400


CHUNKED = (
    "POST /games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    "Connection: close\r\n\r\n2;short=extension\r\n{{}}\r\n"
)


@pytest.mark.parametrize("trailers", ["Host: evil.example\r\n", "Origin: null\r\n", "x: a\r\n" * 500])
def test_trailers_are_no_headers(served: Served, trailers: str) -> None:
    assert served.send(f"{CHUNKED}0\r\n{trailers}\r\n")[0] == 201


@pytest.mark.parametrize("rest", ["0\r\nx: " + "a" * 40 * LARGEST_HEAD, "1;" + "x" * 40 * LARGEST_HEAD, "no size\r\n"])
def test_trailers_and_chunk_extensions_have_an_end(served: Served, rest: str) -> None:
    try:
        answer = served.ask(CHUNKED + rest)
    except ConnectionError:  # it was closed while this was sent
        answer = b""
    assert answer.startswith(b"HTTP/1.1 400") or not answer
    assert served.answers()


@pytest.mark.parametrize("path", ["/games", "/nope"])
@pytest.mark.parametrize("host", ["{host}", "evil.example"])
def test_no_request_behind_one_that_is_refused(served: Served, path: str, host: str) -> None:
    head = CHUNKED.replace("/games", path).replace("{host}", host).replace("Connection: close\r\n", "")
    with closing(served.connect()) as client:
        client.sendall(head.format(host=served.host).encode())
        client.settimeout(0.3)
        with suppress(TimeoutError, ConnectionError):
            client.recv(1 << 16)
            client.sendall(b"no size\r\n\r\n")
            client.recv(1 << 16)
    assert served.answers()


@pytest.mark.parametrize("upgrade", ["h2c", "websocket", "other"])
def test_the_body_of_a_request_that_asks_for_an_upgrade_is_no_request(served: Served, upgrade: str) -> None:
    body = "POST /games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    head = f"Host: evil.example\r\nConnection: Upgrade, close\r\nUpgrade: {upgrade}\r\n"
    length = len(body.format(host=served.host))
    found = served.ask(f"POST /games HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}")
    expected = [] if upgrade == "websocket" else [b"403"]  # only GET leads to a socket, all else ends the connection
    assert [line.split()[1] for line in found.splitlines() if line.startswith(b"HTTP/")] == expected


def test_no_header_comes_after_the_body(served: Served) -> None:
    chunked = CHUNKED.replace("Host: {host}\r\n", "")
    answer = served.ask(f"{chunked}0\r\nHost: {{host}}\r\n\r\n")
    assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 403"))
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("times", [3000, pytest.param(20_000, marks=pytest.mark.thorough)])
def test_many_requests_at_once_are_all_answered(served: Served, times: int) -> None:
    request = "GET /nope HTTP/1.1\r\nHost: {host}\r\n\r\n"
    last = request.replace("Host", "Connection: close\r\nHost")
    answers = served.ask(request * (times - 1) + last)
    assert answers.count(b"HTTP/1.1 404") == times
    assert answers.count(b"HTTP/1.1") == times


@pytest.mark.parametrize("rest", ["no request\r\n\r\n", "GET / HTTP/1.1\r\nX: " + "x" * 2 * LARGEST_HEAD])
def test_requests_before_a_fault_are_answered(served: Served, rest: str) -> None:
    answers = served.ask("GET /nope HTTP/1.1\r\nHost: {host}\r\n\r\n" * 3 + rest)
    assert answers.count(b"HTTP/1.1 404") == 3


@pytest.mark.parametrize("header", ["Host: {host}", "Host: evil.example", "Origin: http://{host}", "Origin: null"])
def test_a_header_that_is_there_twice(served: Served, header: str) -> None:
    head = "GET / HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n"
    assert served.send(head + "\r\n")[0] == 200
    status, _ = served.send(f"{head}{header}\r\n\r\n")
    assert status in (400, 403)


@pytest.fixture
def many_files() -> Iterator[None]:
    """This process may open more files than the 1,024 that are usual, which the server may not."""
    resource = pytest.importorskip("resource")
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < 2 * MAX_CONNECTIONS:
        pytest.skip(f"no process may open more than {most} files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(usual, 2 * MAX_CONNECTIONS), most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))


@pytest.mark.usefixtures("many_files")
def test_more_connections_than_there_is_room_for(served: Served) -> None:
    clients = [served.connect() for _ in range(MAX_CONNECTIONS + 20)]
    try:
        assert any(closed(client) for client in clients[-20:])
    finally:
        for client in clients:
            leave(client)
    assert served.answers()


def closed(client: socket.socket) -> bool:
    """Whether the other side closes a connection."""
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("fields", [{"deck": "x\n" * 15_000}, {"deck": "2 " * 30_000}, {"position": "x " * 30_000},
                                   {"game": "x" * 60_000}, {"policies": ["x" * 60_000]}, {"players": "1" * 60_000},
                                   {"x" * 60_000: 1}, {"deck": ["x"] * 9_000}, {"seed": int("9" * 4_000)}])  # fmt: skip
def test_an_answer_is_short_however_much_is_wrong(fields: dict[str, object]) -> None:
    assert len(json.dumps(fields)) < LARGEST_BODY
    with TestClient(application(8000), base_url="http://127.0.0.1:8000") as client:
        answer = client.post("/games", json=fields)
    assert answer.status_code == 400
    assert len(answer.text) < 4_000
    if fields.get("deck") == "x\n" * 15_000:
        assert answer.json()["error"].endswith("\nand 14,981 more")


@pytest.mark.parametrize("act", ["steps", "undo"])
def test_a_number_in_an_answer_is_short(act: str) -> None:
    with TestClient(application(8000), base_url="http://127.0.0.1:8000") as client:
        game = client.post("/games", json={}).json()["id"]
        answer = client.post(f"/games/{game}/{act}", json={"version": 0, "count": int("9" * 4_000)})
    assert answer.status_code == 400
    assert len(answer.text) < 200


@pytest.mark.slow
def test_faults_are_logged_in_one_line() -> None:
    expected = f"maumau: internal error in POST '/games': ZeroDivisionError('{BY_ZERO}')\n"
    with serving([COMMAND[0], "-c", BUSY], expected) as started:
        answer = httpx.post(f"{started.address}games", json={})
        assert answer.status_code == 500
        assert answer.json()["error"].startswith("internal error")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_requests_are_under_way(number: signal.Signals) -> None:
    with serving([*COMMAND, "serve", "--port", "0"], number=number) as started:
        clients = [started.connect() for _ in range(4)]
        for client, begun in zip(clients, (GET, POST, "GET / HT", ""), strict=True):
            client.sendall(begun.format(host=started.host).encode())
        assert clients[0].recv(1) == b"H"
    for client in clients:
        client.close()


@pytest.mark.slow
def test_a_browser_that_aborts_what_it_loads(served: Served) -> None:
    from browsing import started_browser

    with started_browser() as browser:
        page = browser.new_page()
        page.goto("about:blank")
        page.evaluate(
            """async (address) => {
                for (let times = 0; times < 300; times++) {
                    const stop = new AbortController();
                    const pending = fetch(address, {signal: stop.signal, mode: "no-cors"}).catch(() => null);
                    if (times % 3 > 0) await new Promise((done) => setTimeout(done, times % 3));
                    stop.abort();
                    await pending;
                }
            }""",
            served.address,
        )
        for _ in range(10):
            page.goto(served.address, wait_until="commit")
        page.goto(served.address)
        page.wait_for_selector("#begin")
    assert served.answers()


# ---------------------------------------------------------------- sockets


HANDSHAKE = """\
GET /tables/{token}/socket HTTP/1.1\r\nHost: {{host}}\r\nConnection: Upgrade\r\nUpgrade: websocket\r
Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"""
MASK = b"\0\0\0\0"
"""A mask that changes nothing."""
TEXT, PING = 0x81, 0x89


def frame(kind: int, size: int, data: bytes = b"") -> bytes:
    """A frame of a client that is said to have so many bytes, with data."""
    if size < 126:
        return bytes([kind, 0x80 | size]) + MASK + data
    return bytes([kind, 0x80 | 127]) + struct.pack(">Q", size) + MASK + data


@contextmanager
def socket_at(served: Served) -> Iterator[socket.socket]:
    """A socket that is open, of somebody in a room."""
    entered = httpx.post(f"{served.address}rooms", json={"name": "Ann"}).json()
    with closing(served.connect()) as client:
        client.sendall(HANDSHAKE.format(token=entered["token"]).format(host=served.host).encode())
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 101 ")
        yield client


@pytest.fixture
def socket_of_ann(served: Served) -> Iterator[socket.socket]:
    with socket_at(served) as client:
        yield client


@pytest.mark.parametrize(
    "sent",
    [
        frame(TEXT, LARGEST_BODY + 1),
        frame(TEXT, 1 << 62),
        frame(TEXT, 2, b"\xff\xfe"),
        frame(0x83, 0),
        b"\x81\x02{}",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
    ids=["large", "huge", "no text", "unknown", "no mask", "http"],
)
def test_a_socket_is_closed_for_what_is_no_message_of_a_sane_size(
    served: Served, socket_of_ann: socket.socket, sent: bytes
) -> None:
    socket_of_ann.sendall(sent)
    with suppress(ConnectionError):
        while socket_of_ann.recv(1 << 16):
            pass
    assert served.answers()


def test_what_a_client_does_not_read_does_not_pile_up(served: Served, socket_of_ann: socket.socket) -> None:
    """Each ping is to be answered: who reads no answer can send so many until nothing is read any more."""
    socket_of_ann.settimeout(1)
    sent, pings = 0, frame(PING, 125, bytes(125)) * 500
    with suppress(TimeoutError):
        while sent < 1 << 26:
            sent += socket_of_ann.send(pings)
    assert sent < 1 << 26
    assert served.answers()


@pytest.mark.parametrize("end", [leave, socket.socket.close], ids=["reset", "closed"])
def test_sockets_that_leave(served: Served, socket_of_ann: socket.socket, end: Callable[[socket.socket], None]) -> None:
    socket_of_ann.sendall(frame(TEXT, 100, b"{"))
    end(socket_of_ann)
    assert served.answers()


def test_who_answers_no_ping_is_disconnected() -> None:
    with serving([COMMAND[0], "-c", IMPATIENT]) as served, socket_at(served) as client:
        received = b"".join(iter(lambda: client.recv(1 << 16), b""))
    assert b"keepalive ping timeout" in received
