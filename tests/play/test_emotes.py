"""What people at a table say to each other: six things, not often, and only where they may."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("httpx2")

from test_socket import SOCKET, Socket, room, state

from maumau.play.server.tables import limits
from maumau.play.table.room import EMOTES, Room, RoomPlan
from render.page.document import asset

if TYPE_CHECKING:
    from starlette.testclient import TestClient


def say(client: TestClient, token: str, **fields: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post(f"/tables/{token}/say", json=fields)
    return answer.status_code, answer.json()


def test_what_one_says_is_pushed_to_all_and_not_kept(client: TestClient) -> None:
    ann, ben = room(client, "Ann", "Ben")
    with client.websocket_connect(SOCKET(ann)) as session:
        socket = Socket(session)
        socket.ask("hurry")  # what was pushed before is read
        assert say(client, ben, emote="wow") == (200, {})
        said = json.loads(session.receive_text())
        assert said == {"said": {"seat": state(client, ben)["view"]["seat"], "emote": "wow"}}
    assert "wow" not in json.dumps(state(client, ann))


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({}, 400, "emote"),
        ({"emote": 7}, 400, "emote"),
        ({"emote": "wow", "to": "Ann"}, 400, "to"),
        ({"emote": "woo"}, 400, "unknown emote 'woo'"),
        ({"emote": "<b>" * 9999}, 400, "unknown emote"),
        ({"emote": '"},"view":null,"'}, 400, "unknown emote"),
    ],
)
def test_only_six_things_can_be_said(client: TestClient, fields: Any, status: int, error: str) -> None:
    ann, _ = room(client, "Ann", "Ben")
    found = say(client, ann, **fields)
    assert found[0] == status
    assert error in found[1]["error"]
    assert len(found[1]["error"]) < 300


def test_who_watches_says_nothing(client: TestClient) -> None:
    ann, _ = room(client, "Ann", "Ben")
    code = state(client, ann)["room"]["code"]
    watcher = client.post(f"/rooms/{code}", json={"name": "Cleo", "plays": False}).json()["token"]
    assert say(client, watcher, emote="hello")[0] == 403


def test_nobody_talks_without_end(client: TestClient) -> None:
    ann, ben = room(client, "Ann", "Ben")
    answers = [say(client, ann, emote="hurry")[0] for _ in range(int(limits.SAID) + 1)]
    assert answers == [200] * int(limits.SAID) + [429]
    assert say(client, ben, emote="hurry")[0] == 200, "each person is counted alone"


def test_who_rules_the_room_lets_people_talk_or_not(client: TestClient) -> None:
    ann, ben = room(client, "Ann", "Ben")

    def allow(token: str, **fields: Any) -> int:
        return client.post(f"/tables/{token}/emotes", json=fields).status_code

    assert allow(ben, allowed=False) == 403
    assert allow(ann, allowed="no") == 400
    assert state(client, ben)["room"]["emotes"] is True
    assert allow(ann, allowed=False) == 200
    assert state(client, ben)["room"]["emotes"] is False
    assert say(client, ben, emote="wow")[0] == 403
    assert allow(ann, allowed=True) == 200
    assert say(client, ben, emote="wow")[0] == 200


def test_a_room_keeps_whether_people_may_talk() -> None:
    made = Room(RoomPlan(game="maumau", players=2, computer="house"))
    made.join("Ann")
    made.allow(False)
    assert Room.restore(made.save(), []).emotes is False


def test_the_page_has_words_for_each_of_them() -> None:
    texts = asset("emotes.js").partition("const TEXTS = {")[2].partition("};")[0]
    assert tuple(re.findall(r'^  "?([\w-]+)"?: ', texts, re.MULTILINE)) == EMOTES
