"""The socket of a page: what is pushed and answered, and what is refused."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

pytest.importorskip("httpx2")

from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from maumau.play.server.app import application
from maumau.play.server.guard import LARGEST_HEAD
from maumau.play.server.tables import hosted, limits, routes
from maumau.play.server.tables.persons import ACTS
from maumau.play.table import Table

PORT = 8000
HERE = f"http://127.0.0.1:{PORT}"
SOCKET = f"ws://127.0.0.1:{PORT}/tables/{{}}/socket".format
"""The address of the socket of a token."""
Json = dict[str, Any]


def room(client: TestClient, *people: str, **plan: Any) -> list[str]:
    """The tokens of people who have been dealt to, alone at a table of so many."""
    first, *others = people
    entered = client.post("/rooms", json={"name": first, "players": max(len(people), 2), "target": 500, **plan}).json()
    tokens = [entered["token"]]
    tokens += [client.post(f"/rooms/{entered['code']}", json={"name": name}).json()["token"] for name in others]
    assert client.post(f"/tables/{tokens[0]}/deal", json={}).status_code == 200
    return tokens


class Socket:
    """A socket with what was pushed and answered."""

    def __init__(self, session: Any) -> None:
        self.session, self.pushes = session, list[Json]()

    def heard(self) -> Json:
        """The next answer; pushes before it are kept."""
        while "view" in (message := json.loads(self.session.receive_text())):
            self.pushes.append(message)
        return dict(message)

    def ask(self, what: Any, fields: Any = None) -> Json:
        self.session.send_text(json.dumps({"do": what} | ({} if fields is None else {"fields": fields})))
        return self.heard()


def state(client: TestClient, token: str) -> Json:
    return dict(client.get(f"/tables/{token}/state").json())


def denied(client: TestClient, address: str, **headers: str) -> tuple[int, str]:
    """The status and the message with which a socket is not opened."""
    with pytest.raises(WebSocketDenialResponse) as refusal, client.websocket_connect(address, headers=headers):
        pass
    answer = refusal.value
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert list(answer.json()) == ["error"]
    return answer.status_code, answer.json()["error"]


def test_a_round_is_played_by_sockets_and_all_see_every_event_once_and_in_order(client: TestClient) -> None:
    tokens = room(client, "Ann", "Ben")
    with client.websocket_connect(SOCKET(tokens[0])) as one, \
            client.websocket_connect(SOCKET(tokens[1])) as other:  # fmt: skip
        sockets = [Socket(one), Socket(other)]
        moves = 0
        while (view := state(client, tokens[0])["view"])["state"] == "playing" and moves < 20:
            views = [view, state(client, tokens[1])["view"]]
            seat = next(place for place, each in enumerate(views) if each["question"])
            asked = views[seat]
            move = asked["question"]["moves"][0]
            assert sockets[seat].ask("act", {"at": asked["version"], "move": move}) == {"answer": {}}
            moves += 1
        for socket, token in zip(sockets, tokens, strict=True):
            assert "error" in socket.ask("act", {"at": -1})  # what was pushed before it is read, too
            numbers = [entry["number"] for push in socket.pushes for entry in push["log"]]
            assert numbers == [entry["number"] for entry in state(client, token)["log"]]
            assert socket.pushes[-1]["view"] == state(client, token)["view"]


def test_each_request_of_a_person_is_answered_as_by_post(client: TestClient) -> None:
    [token] = room(client, "Ann")
    with client.websocket_connect(SOCKET(token)) as session:
        socket = Socket(session)
        for name in (*ACTS, "hint", "plan"):  # without what they need, so that most are refused
            answer, posted = socket.ask(name), client.post(f"/tables/{token}/{name}", json={})
            if "error" in answer:
                assert (posted.status_code, posted.json()) == (answer["status"], {"error": answer["error"]})
            elif name != "hint":  # which depends on how long the search took
                assert posted.json() == answer["answer"]
        assert len(socket.ask("move")["answer"]["code"]) == 6


@pytest.mark.parametrize(
    ("text", "status", "error"),
    [
        ("", 400, "not JSON"),
        ("[" * 3000, 400, "send an object"),  # nested too deeply for some versions of Python
        ("7", 400, "not an object"),
        ("{}", 400, "do"),
        ('{"do": 3}', 400, "do: 3 is not a text"),
        ('{"do": ["act"]}', 400, "is not a text"),
        ('{"do": "fly"}', 400, "do: unknown request 'fly'; use one of act, undo"),
        ('{"do": "act", "fields": 3}', 400, "fields: 3 is not an object"),
        ('{"do": "act", "at": 1}', 400, "at"),
        ('{"do": "act", "fields": {"at": 1}}', 400, "send an object with"),
        ('{"do": "act", "fields": {"at": 0, "move": {"trigger": "draw"}}}', 409, "the table has gone on"),
    ],
)
def test_what_is_no_request_is_refused_and_the_socket_stays(
    client: TestClient, text: str, status: int, error: str
) -> None:
    [token] = room(client, "Ann")
    with client.websocket_connect(SOCKET(token)) as session:
        socket = Socket(session)
        session.send_text(text)
        answer = socket.heard()
        assert (answer["status"], error in answer["error"]) == (status, True), answer
        session.send_bytes(text.encode())
        assert "not JSON" in socket.heard()["error"]
        assert "code" in socket.ask("move")["answer"]


def test_who_comes_back_is_told_what_is_new(client: TestClient) -> None:
    [token] = room(client, "Ann")
    view = state(client, token)["view"]
    where = f"1.{view['seat']}.{view['version']}"
    for since, is_new in ((where, False), ("", True), ("2.1.0", True), ("x", True), ("9" * 50, True)):
        with client.websocket_connect(f"{SOCKET(token)}?since={since}") as session:
            push = json.loads(session.receive_text())
        assert (push["view"], bool(push["log"])) == (view, is_new)


def test_a_socket_ends_when_its_person_is_removed(client: TestClient) -> None:
    ann, ben = room(client, "Ann", "Ben")
    with client.websocket_connect(SOCKET(ben)) as session:
        assert json.loads(session.receive_text())["room"]["me"] == 2
        assert client.post(f"/tables/{ann}/remove", json={"number": 2}).status_code == 200
        with pytest.raises(WebSocketDisconnect):
            list(iter(session.receive_text, None))
    assert denied(client, SOCKET(ben))[0] == 404


@pytest.mark.parametrize("end", ["removed", "closed"])
def test_what_is_asked_for_when_a_socket_ends_is_no_fault(
    client: TestClient, end: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked, going_on = threading.Event(), threading.Event()

    def slow() -> Json:
        asked.set()
        assert going_on.wait(60)
        return {}

    monkeypatch.setattr(Table, "hinting", lambda table, seat, search: slow)
    ann, ben = room(client, "Ann", "Ben")
    with client.websocket_connect(SOCKET(ben)) as session:
        session.receive_text()
        session.send_text('{"do": "hint"}')
        assert asked.wait(60)
        if end == "removed":
            client.post(f"/tables/{ann}/remove", json={"number": 2})
        else:
            session.close()
            client.post(f"/tables/{ann}/leave", json={})
        going_on.set()
    assert caplog.text == ""


def test_others_see_who_comes_and_leaves(client: TestClient) -> None:
    ann, ben = room(client, "Ann", "Ben")

    def here() -> list[bool]:
        return [each["here"] for each in state(client, ann)["room"]["people"]]

    with client.websocket_connect(SOCKET(ben)) as session:
        session.receive_text()
        assert here() == [False, True]
    assert here() == [False, False]


def test_a_heartbeat_comes_where_nothing_happens(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "BEAT", 0.01)
    [token] = room(client, "Ann")
    with client.websocket_connect(SOCKET(token)) as session:
        assert "view" in session.receive_text()
        assert [session.receive_text() for _ in range(3)] == ["{}"] * 3


def test_who_may_not_listen_is_told_why(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    [token] = room(client, "Ann")
    address = SOCKET(token)
    assert denied(client, SOCKET("x")) == (
        404,
        "no such room, or it was removed because nobody played there: open another one",
    )
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://127.0.0.1:{PORT}/elsewhere"):
        pass
    assert denied(client, address, host="evil.example")[0] == 403
    assert denied(client, address, origin="http://evil.example")[0] == 403
    assert denied(client, address, cookie="x" * LARGEST_HEAD)[0] == 431
    with client.websocket_connect(address, headers={"origin": HERE}) as session:
        assert "view" in session.receive_text()
        monkeypatch.setattr(hosted, "LISTENING", 1)
        assert denied(client, address)[0] == 429
    with client.websocket_connect(address) as session:
        assert "view" in session.receive_text()


def test_rates_hold_for_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BURST", 3.0)
    monkeypatch.setattr(limits, "RATE", 0.0)
    with TestClient(application(PORT), base_url=HERE) as client:
        [token] = room(client, "Ann")
        with client.websocket_connect(SOCKET(token)) as session:
            socket = Socket(session)
            assert [socket.ask("move").get("status", 200) for _ in range(4)] == [200, 200, 429, 429]
            assert client.post(f"/tables/{token}/move", json={}).status_code == 429
