"""Requests to the server of games: each is answered or refused, and refused requests change no game.

A request is a line: its method, its path, its body, and in `|` before them headers that are other than a page's own.
`ID` in a path is the game that was begun last.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, MutableMapping
from random import Random
from typing import Any

from fsm.registry import game_class
from fuzz.called import LONGEST
from fuzz.near import altered, exchanged
from fuzz.targets.maumau import STATEMENT
from maumau.play.server.app import application
from maumau.play.server.games import Games
from maumau.play.server.guard import App

PORT = 8000
SOCKET = "SOCKET"
NOSNIFF = {b"x-content-type-options": b"nosniff"}
USUAL = {b"host": b"127.0.0.1:8000", b"content-type": b"application/json"}
MOST = 20
"""The maximal number of requests."""
MUST_NAME = {"id", "story", "state"}, {"sentences", "steps", "state"}

_DECK = json.dumps({"game": "maumau", "deck": STATEMENT})
SEEDS = (
    b'POST /games {"game": "maumau", "players": 3, "seed": 7, "number": 1, "policies": ["house"]}\nGET /games/ID\n'
    b'POST /games/ID/steps {"version": 0, "count": 100}\nPOST /games/ID/undo {"version": 1, "count": 3}\n'
    b'POST /games/ID/events {"version": 2, "trigger": "play", "card": "HJ", "suit": "C"}\nDELETE /games/ID\n',
    f"POST /games {_DECK}\n".encode() + b'POST /games/ID/events {"version": 0, "trigger": "open"}\nGET /\n',
    b'POST /games {"game": "uno", "position": "await-play"}\nGET /games/x\nPUT /games\n',
    b"host=evil:8000|origin=http://evil|GET /\ncontent-length=\xb2|content-type=text/plain|POST /games {}\n",
)
WORDS = (
    *("GET ", "POST ", "DELETE ", "/", "/games", "/games/ID", "/events", "/steps", "/undo", "ID", "\n"),
    *("|", "host=", "origin=", "content-length=", "content-type="),
    *('"version"', '"count"', '"trigger"', '"card"', '"suit"', '"position"', '"deck"', '"policies"', '"players"'),
    *('"seed"', '"number"', '"game"', '"uno"', "{", "}", "[", "]", ":", ",", "null", "-1"),
)
_HELD = Games()
_APP = application(PORT, _HELD)


def near(data: bytes, dice: Random) -> bytes:
    """The same with one body altered, or with two words exchanged."""
    if dice.random() < 0.3:
        return exchanged(data, dice)
    lines = data.split(b"\n")
    place = dice.randrange(len(lines))
    head, brace, body = lines[place].partition(b"{")
    if brace:
        lines[place] = head + altered(brace + body, dice)
    return b"\n".join(lines)


def check(data: bytes) -> None:
    """Send the requests of `data`, one after the other, and end all games that they started."""
    asyncio.run(_sent(data))


async def _sent(data: bytes) -> None:
    begun: list[str] = []
    for headers, method, path, body in requests(data):
        status, received, text = await ask(
            _APP, headers, method, path.replace("ID", begun[-1] if begun else "none"), body
        )
        answer = checked(status, received, text)
        assert "error" in answer or not answer or answer.keys() in MUST_NAME
        if status == 201:
            begun.append(answer["id"])
            _, _, again = await ask(_APP, USUAL, "GET", f"/games/{begun[-1]}", b"")
            assert json.loads(again) == answer
        if "state" in answer:
            _stands(answer["state"], str(answer.get("story", {}).get("game", "")))
    for name in begun:
        assert (await ask(_APP, USUAL, "DELETE", f"/games/{name}", b""))[0] in (204, 404)
    assert len(_HELD) == 0


def requests(data: bytes) -> Iterator[tuple[dict[bytes, bytes], str, str, bytes]]:
    """The requests of some data: headers, method, path and body."""
    for line in data.split(b"\n")[:MOST]:
        *given, request = line.split(b"|")
        headers = USUAL | {name.strip().lower(): value for name, _, value in (each.partition(b"=") for each in given)}
        method, path, body, *_ = [*request.split(b" ", 2), b"", b""]
        yield headers, method.decode("latin-1") or "GET", path.decode("latin-1"), body


async def ask(
    app: App, headers: dict[bytes, bytes], method: str, path: str, body: bytes
) -> tuple[int, dict[bytes, bytes], bytes]:
    """One request, as a server hands it over, of a client that leaves then: the status, the headers and the body of the
    answer. method: `SOCKET` for a socket by which the body is sent.
    """
    if method == SOCKET:
        return await _ask_by_socket(app, headers, path, body)
    sent: list[dict[str, Any]] = []
    received = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> dict[str, Any]:
        return next(received, {"type": "http.disconnect"})

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(dict(message))

    await app(_scope(headers, path) | {"type": "http", "method": method}, receive, send)
    text = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], dict(sent[0]["headers"]), text


async def _ask_by_socket(
    app: App, headers: dict[bytes, bytes], path: str, body: bytes
) -> tuple[int, dict[bytes, bytes], bytes]:
    """The same by a socket, which is closed after the answer."""
    sent: list[dict[str, Any]] = []
    answered = asyncio.Event()
    received = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": body.decode("latin-1")}])

    async def receive() -> dict[str, Any]:
        if (message := next(received, None)) is not None:
            return message
        await answered.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(dict(message))
        if message["type"] == "websocket.close" or "view" not in json.loads(message.get("text", '{"view": 0}')):
            answered.set()

    await app(_scope(headers, path) | {"type": "websocket", "subprotocols": []}, receive, send)
    first, *others = sent
    if first["type"] == "websocket.accept":
        told = [json.loads(message["text"]) for message in others if message["type"] == "websocket.send"]
        answer = next((each for each in told if "answer" in each or "error" in each), None)
        assert answer or others[-1]["type"] == "websocket.close", "a socket that is open answers"
        status, answer = (answer or {}).pop("status", 200), answer or {"answer": {}}
        views = {} if "error" in answer else {"views": [each["view"] for each in told if "view" in each]}
        text = json.dumps({**answer.get("answer", answer), **views})
        return status, {b"content-type": b"application/json", **NOSNIFF}, text.encode()
    if first["type"] == "websocket.close":
        return 404, NOSNIFF, b""
    return first["status"], dict(first["headers"]), others[0]["body"]


def _scope(headers: dict[bytes, bytes], path: str) -> dict[str, Any]:
    return {"path": path, "raw_path": path.encode(), "query_string": b"", "headers": list(headers.items()),
            "scheme": "http", "server": ("127.0.0.1", PORT), "root_path": "", "http_version": "1.1",
            "client": ("127.0.0.1", 1), "extensions": {"websocket.http.response": {}}}  # fmt: skip


def checked(status: int, headers: dict[bytes, bytes], text: bytes) -> dict[str, Any]:
    """The data of an answer. Raises AssertionError if the answer is invalid."""
    assert status in (200, 201, 204, 307) or 400 <= status < 500, status
    assert headers[b"x-content-type-options"] == b"nosniff"
    if not headers.get(b"content-type", b"").startswith(b"application/json"):
        return {}
    answer: dict[str, Any] = json.loads(text)
    if status >= 400:
        assert answer.keys() == {"error"}
        assert 0 < len(answer["error"]) <= LONGEST, answer
        assert answer["error"].isprintable() or "\n" in answer["error"], answer
    return answer


def _stands(now: dict[str, Any], name: str) -> None:
    """The legal moves in an answer are the legal moves at its position."""
    assert bool(now["legal"]) == (now["outcome"] is None)
    if name in ("maumau", "uno"):
        events = game_class(name).at(now["position"]).events()
        assert [list(move[:3]) for move in events] == now["legal"]
