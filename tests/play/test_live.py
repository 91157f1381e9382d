"""The server of games: what it answers, what it refuses, and that games are apart and bounded."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import DECK, UNO, maumau

from examples.hearts import Hearts
from fsm import Game, IllegalMove, MauMau, PositionError, Uno, register
from fsm.declaration.policy import named_policy
from fsm.outside import admit_player, read_source
from fsm.stepping.steps import Move
from rules.reading import InputError

pytest.importorskip("httpx2")

import httpx2
from starlette.testclient import TestClient

from maumau.play.server.app import application
from maumau.play.server.games import GameBounds, Games, LiveGame
from maumau.play.server.guard import LARGEST_BODY, BadRequest
from render.page.story import Narrator, frame_of
from tests.support.frames import changed, plain

PORT = 8000
HERE = f"http://127.0.0.1:{PORT}"
FOUR_LAID = (
    "following player=2 direction=1 led=H laid=4 best=9H taker=3 loot=2 broken=1 points=0/0/20/4 ending=- winner=- "
    "hands=3C/5S,5C/JD/6C discard=2C,KC,TC,QC,3S,JS,8S,2S,3D,KD,5D,TD,4S,AS,TS,9S,2D,4D,AD,QD,6D,QS,AC,KH,2H,QH,8H,4H,"
    "5H,3H,JC,TH,7D,KS,AH,9C,8D,JH,7C,7S,9D,8C,7H,6S,9H,6H,4C draw=-"
)
"""A position that hearts refuses: more cards lie in the trick than there are players."""
HOSTILE = "</script><img src=x onerror=alert(1)>"
Answer = dict[str, Any]


def begin(client: TestClient, **fields: Any) -> Answer:
    answer = client.post("/games", json=fields)
    assert answer.status_code == 201, answer.text
    response: Answer = answer.json()
    return response


def error(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    response = answer.json()
    assert list(response) == ["error"]
    assert "Traceback" not in response["error"]
    return str(response["error"])


# ---------------------------------------------------------------- a game


def test_a_game_is_stepped_to_its_end_on_the_real_machine(client: TestClient) -> None:
    response = begin(client, game="maumau", players=3, seed=7)
    game = MauMau.deal(3, 7)
    frame = response["story"]["start"]
    assert frame == plain(frame_of(game))
    now = response["state"]
    while not now["outcome"]:
        assert now["position"] == game.position()
        assert [Move(*move) for move in now["legal"]] == list(game.events())
        assert dict(now["refused"]) == dict(game.events().refused)
        answer = client.post(f"/games/{response['id']}/steps", json={"version": now["version"]}).json()
        (row,) = answer["steps"]
        step = game.step()
        assert row[:4] == [game.declaration.arcs.index(step.arc), step.player, step.card, step.suit]
        frame = changed(frame, row[-1])
        assert plain(frame) == plain(frame_of(game))
        now = answer["state"]
    assert now["outcome"] == Narrator(game).ending()
    whole = client.get(f"/games/{response['id']}").json()
    assert len(whole["story"]["steps"]) == len(game.history)
    over = client.post(f"/games/{response['id']}/steps", json={"version": now["version"]})
    assert error(over, 422) == f"the game is over: {game.outcome}"


def test_every_legal_event_can_be_fired_and_taken_back(client: TestClient) -> None:
    response = begin(client, game="uno", players=4, seed=2)
    path, now = f"/games/{response['id']}", response["state"]
    for _ in range(12):
        position = now["position"]
        for trigger, card, suit in now["legal"]:
            fields = {"version": now["version"], "trigger": trigger, "card": card, "suit": suit}
            answer = client.post(f"{path}/events", json=fields)
            assert answer.status_code == 200, answer.text
            now = client.post(f"{path}/undo", json={"version": answer.json()["state"]["version"]}).json()["state"]
            assert now["position"] == position
        now = client.post(f"{path}/steps", json={"version": now["version"]}).json()["state"]


def test_a_refused_event_gives_the_reason_and_changes_nothing(client: TestClient) -> None:
    response = begin(client, players=3, seed=7)
    path = f"/games/{response['id']}"
    now = client.post(f"{path}/steps", json={"version": 0, "count": 2}).json()["state"]
    game = MauMau.at(now["position"])
    for fields in ({"trigger": "play", "card": "CA"}, {"trigger": "take"}, {"trigger": "play", "card": HOSTILE}):
        with pytest.raises(IllegalMove) as expected:
            game.fire(fields["trigger"], fields.get("card"))
        assert error(client.post(f"{path}/events", json={"version": now["version"], **fields}), 422) == str(
            expected.value
        )
    assert client.get(path).json()["state"] == now


def test_many_steps_at_once_stop_at_the_end(client: TestClient) -> None:
    response = begin(client, players=3, seed=7)
    answer = client.post(f"/games/{response['id']}/steps", json={"version": 0, "count": 100}).json()
    game = MauMau.deal(3, 7)
    game.run()
    assert len(answer["steps"]) == len(game.history)
    assert answer["state"]["outcome"] == Narrator(game).ending()


def test_a_position_is_shared_and_stepped_on(client: TestClient) -> None:
    first = begin(client, game="uno", players=3, seed=5)
    now = client.post(f"/games/{first['id']}/steps", json={"version": 0, "count": 40}).json()["state"]
    second = begin(client, game="uno", position=now["position"])
    assert second["state"]["position"] == now["position"]
    assert second["state"]["legal"] == now["legal"]
    assert second["id"] != first["id"]
    assert client.post(f"/games/{second['id']}/steps", json={"version": 0}).status_code == 200


@pytest.fixture
def unchecked() -> str:
    """The name of a game of Hearts whose declaration has no invariants."""
    declaration = replace(Hearts.declaration, name="unchecked-hearts", invariants=())
    register(type("Unchecked", (Game,), {}, declaration=declaration))
    return declaration.name


def test_a_position_at_which_the_rules_fail_is_refused_and_the_game_stays(
    client: TestClient, unchecked: str, caplog: pytest.LogCaptureFixture
) -> None:
    response = begin(client, game=unchecked, position=FOUR_LAID)
    path = f"/games/{response['id']}"
    refusal = error(client.post(f"{path}/steps", json={"version": 0, "count": 20}), 400)
    assert refusal.startswith(
        "the rules fail after the given position, which no game comes to: ValueError: negative shift"
    )
    assert [record.getMessage()[:57] for record in caplog.records if record.name == "maumau.play.server.games"] == [
        "maumau: the rules have failed after a given position: Val"
    ]
    assert client.get(path).json() == response
    answer = client.post(f"{path}/steps", json={"version": 0, "count": 1})
    assert answer.json()["state"]["version"] == 1
    assert len(answer.json()["sentences"]) == 2


def test_a_position_at_which_no_move_can_be_found_is_refused(client: TestClient, unchecked: str) -> None:
    position = FOUR_LAID.replace("led=H", "led=-")
    assert "the rules fail" in error(client.post("/games", json={"game": unchecked, "position": position}), 400)


def test_a_game_that_is_not_from_a_position_does_not_hide_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    live = LiveGame(MauMau.deal(2, 1), "", GameBounds())
    monkeypatch.setattr(LiveGame, "_state", lambda self, version: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        live.step(0, 1)


@pytest.mark.parametrize("deck", [f"2 {DECK}", f"1\n2 {DECK}\n", f"\n2 {DECK}\n"])
def test_a_pasted_deck(client: TestClient, deck: str) -> None:
    response = begin(client, deck=deck)
    assert response["state"]["position"] == MauMau.parse(f"2 {DECK}").position()


def test_a_pasted_deck_of_uno(client: TestClient) -> None:
    players, deck = Uno.read((UNO / "cases.in").read_text(), "")[3]
    for text in (Uno.write(players, deck), f"1\n{Uno.write(players, deck)}"):
        assert begin(client, game="uno", deck=text)["state"]["position"] == Uno.of_deck(players, deck).position()


def test_seeds_beyond_what_a_browser_counts(client: TestClient) -> None:
    seed = 2**63 - 1
    response = begin(client, players="2", seed=str(seed), number=str(seed))
    assert response["state"]["position"] == MauMau.deal(2, seed, seed).position()
    assert response["story"]["heading"] == f"game {seed} of seed {seed}"


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "chess"}, "unknown game 'chess'; use one of maumau, uno, mahjong, uno-official"),
        ({"players": 9}, "9 players cannot play; use 2 to 4"),
        ({"players": "x"}, "players: 'x' is not a whole number"),
        ({"players": True}, "players: True is not a whole number"),
        ({"seed": -1}, "seed: -1 is out of range; use 0 to "),
        ({"seed": 2**64}, "seed: 18446744073709551616 is out of range"),
        ({"number": 1.5}, "number: 1.5 is not a whole number"),
        ({"policies": "house"}, "policies: 'house' is not a list of names"),
        ({"policies": ["x"]}, "unknown policy 'x'; use one of house, random, first-legal"),
        ({"policies": ["house"] * 3, "players": 2}, "3 policies for 2 players; use one or one for each"),
        ({"cards": 1}, "unknown field 'cards' (known: deck, "),
        ({"deck": 3}, "deck: 3 is not a text"),
        ({"deck": ""}, "deck:1: the input is empty"),
        ({"deck": HOSTILE}, "deck:1: '</script><img'"),
        ({"deck": f"2 {DECK.replace('SK', 'XK')}"}, "deck:1: card 32: unknown card 'XK'; use one letter of"),
        ({"position": "x"}, "position: unknown phase 'x'; use one of initial, await-play"),
        ({"position": HOSTILE}, "position: unknown phase '</script><img'"),
    ],
)
def test_bad_input_is_reported_with_the_messages_of_the_command(
    client: TestClient, fields: Answer, message: str
) -> None:
    assert error(client.post("/games", json=fields), 400).startswith(message)


def test_requests_choose_only_among_the_listed_players(tmp_path: Path) -> None:
    path = tmp_path / "players.py"
    path.write_text("def last(view):\n    return view.moves[-1]\n\n\ndef broken(view):\n    return 1 // 0\n")
    last, broken = (admit_player(read_source(f"{path}:{name}")) for name in ("last", "broken"))
    with TestClient(application(PORT, players=[broken]), base_url=HERE) as own:
        refusal = error(own.post("/games", json={"policies": [last]}), 400)
        assert refusal.endswith(f"Use one of {broken}, house, random, first-legal, random-legal-card")
        begun = begin(own, policies=[broken], seed=7)
        answer = own.post(f"/games/{begun['id']}/steps", json={"version": 0, "count": 5})
        assert "ZeroDivisionError" in answer.json()["error"]
        assert broken in own.get("/step").text


def test_the_messages_are_those_that_the_command_prints(client: TestClient) -> None:
    deck = f"2 {DECK.lower()}"
    printed = maumau("simulate", data=f"1\n{deck}").stderr
    assert error(client.post("/games", json={"deck": deck}), 400) == printed.strip().replace("<stdin>:2:", "deck:1:")
    with pytest.raises(PositionError) as expected:
        MauMau.at("await-play")
    assert error(client.post("/games", json={"position": "await-play"}), 400) == str(expected.value)
    with pytest.raises(InputError):
        MauMau.parse(deck)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not JSON: "),
        (b"{", "not JSON: "),
        (b"\xff", "not JSON: "),
        (b"[1]", "not an object; send one"),
        (b"[" * 50_000, ("the request is nested too deeply", "not JSON: ")),  # Python 3.14 reads deeper
        (b'{"players": ' + b"9" * 5000 + b"}", "not JSON: "),
    ],
)
def test_a_body_that_is_no_object_is_refused(client: TestClient, body: bytes, message: str | tuple[str, ...]) -> None:
    assert error(client.post("/games", content=body, headers={"content-type": "application/json"}), 400).startswith(
        message
    )


def test_requests_that_do_not_fit_the_game(client: TestClient) -> None:
    path = f"/games/{begin(client, players=3, seed=7)['id']}"
    for fields, response in (
        ({}, "missing field 'version'"),
        ({"version": 0, "count": 0}, "count: 0 is out of range; use 1 to 100"),
        ({"version": 0, "count": 101}, "count: 101 is out of range; use 1 to 100"),
    ):
        assert error(client.post(f"{path}/steps", json=fields), 400) == response
    assert error(client.post(f"{path}/events", json={"version": 0}), 400) == "missing field 'trigger'"
    assert error(client.post(f"{path}/events", json={"version": 0, "trigger": "play", "card": 3}), 400).startswith(
        "card: 3"
    )
    assert error(client.post(f"{path}/undo", json={"version": 0}), 400).startswith("There is nothing to undo")
    assert "in another window" in error(client.post(f"{path}/steps", json={"version": 4}), 409)
    assert error(client.get("/games/none"), 404).startswith("no such game")
    assert error(client.get("/elsewhere"), 404) == "not found"
    assert error(client.get("/games"), 405) == "method not allowed"


# ---------------------------------------------------------------- who may ask


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1:9", "127.0.0.1", "localhost.evil.example:8000", ""]
)
def test_a_foreign_host_is_refused(client: TestClient, host: str) -> None:
    for answer in (client.get("/", headers={"host": host}), client.post("/games", json={}, headers={"host": host})):
        assert error(answer, 403).startswith(f"host '{host}' is refused")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1:8000", "http://127.0.0.1:9", "null", "file://"]
)
def test_a_foreign_origin_is_refused(client: TestClient, origin: str) -> None:
    assert error(client.post("/games", json={}, headers={"origin": origin}), 403).startswith(
        f"origin '{origin}' is refused"
    )


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_its_own_names_are_answered(client: TestClient, name: str) -> None:
    headers = {"host": f"{name}:{PORT}", "origin": f"http://{name}:{PORT}"}
    assert client.post("/games", json={}, headers=headers).status_code == 201


def test_what_a_form_of_a_foreign_page_could_send_is_refused(client: TestClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = client.post("/games", content=b"{}", headers={"content-type": kind})
        assert error(answer, 415) == "the body is not JSON; send one of the type application/json"


def test_a_body_that_is_too_large_is_refused(client: TestClient) -> None:
    assert "send less" in error(client.post("/games", json={"deck": "x" * LARGEST_BODY}), 413)

    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 4096

    response = client.post("/games", content=parts(), headers={"content-type": "application/json"})
    assert "send less" in error(response, 413)


def test_the_page_has_a_content_policy_and_every_response_its_headers(client: TestClient) -> None:
    page = client.get("/step")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    for answer in (page, client.get("/elsewhere"), client.get("/", headers={"host": "x"})):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


# ---------------------------------------------------------------- many games


def test_games_are_apart(client: TestClient) -> None:
    one, other = begin(client, players=3, seed=7), begin(client, players=3, seed=7)
    assert one["id"] != other["id"]
    assert len(one["id"]) >= 24
    client.post(f"/games/{one['id']}/steps", json={"version": 0, "count": 9})
    assert client.get(f"/games/{other['id']}").json()["state"] == other["state"]


def test_a_game_that_is_ended_makes_room() -> None:
    small = TestClient(application(PORT, Games(GameBounds(games=1))), base_url=HERE)
    first = begin(small)
    assert small.delete(f"/games/{first['id']}").status_code == 204
    assert error(small.delete(f"/games/{first['id']}"), 404).startswith("no such game")
    assert error(small.get(f"/games/{first['id']}"), 404).startswith("no such game")
    begin(small)
    answer = small.delete(f"/games/{first['id']}", headers={"origin": "http://evil.example"})
    assert error(answer, 403).startswith("origin ")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_games_are_bounded_in_number_and_age() -> None:
    clock = Clock()
    games = Games(GameBounds(games=3, idle=100, spare=10), clock)
    first, second, third = (games.begin(MauMau.deal(2, seed), "") for seed in range(3))
    with pytest.raises(BadRequest, match="this server plays 3 games at most"):
        games.begin(MauMau.deal(2, 4), "")
    clock.now = 9
    games.find(first.name)
    clock.now = 12
    fourth = games.begin(MauMau.deal(2, 4), "")  # in place of the second, idle for the longest time
    with pytest.raises(BadRequest):
        games.find(second.name)
    assert [games.find(each.name) for each in (first, third, fourth)] == [first, third, fourth]
    clock.now = 113
    for each in (first, third, fourth):
        with pytest.raises(BadRequest):
            games.find(each.name)
    assert len(games) == 0


def test_a_full_server_answers_503(client: TestClient) -> None:
    full = TestClient(application(PORT, Games(GameBounds(games=1))), base_url=HERE)
    begin(full)
    answer = full.post("/games", json={})
    assert "plays 1 game at most" in error(answer, 503)
    assert answer.headers["retry-after"] == "60"


def test_a_game_is_bounded_in_length() -> None:
    live = LiveGame(MauMau.deal(2, 1), "", GameBounds(events=5))
    live.step(0, 5)
    with pytest.raises(BadRequest, match="a game of 5 events cannot go on: 5 is the limit"):
        live.step(1, 1)
    live.undo(1, 2)
    live.step(2, 2)


def test_of_many_requests_at_the_same_version_one_is_done() -> None:
    live = LiveGame(MauMau.deal(3, 7), "", GameBounds())

    def ask(_: int) -> bool:
        with live.lock:
            try:
                live.step(0, 1)
            except BadRequest:
                return False
            return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(ask, range(40))) == 1
    assert len(live.everything()["story"]["steps"]) == 1


async def test_others_are_answered_while_a_player_takes_time_and_a_page_asks_for_its_game(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "import threading\n\ngo, begun = threading.Event(), threading.Event()\n\n\n"
        "def slow(view):\n    begun.set()\n    assert go.wait(60)\n    return view.moves[0]\n"
    )
    slow = admit_player(read_source(f"{path}:slow"))
    own = named_policy(None, slow).decide.__globals__
    transport = httpx2.ASGITransport(application(PORT, players=[slow]))
    async with httpx2.AsyncClient(transport=transport, base_url=HERE) as web:
        begun = await web.post("/games", json={"players": 2, "policies": [slow, slow]})
        game = f"/games/{begun.json()['id']}"
        stepping = asyncio.ensure_future(web.post(f"{game}/steps", json={"version": 0, "count": 2}))
        while not own["begun"].is_set():
            await asyncio.sleep(0.001)
        asking = asyncio.ensure_future(web.get(game))
        assert (await web.get("/")).status_code == 200
        own["go"].set()
        assert [(await each).status_code for each in (stepping, asking)] == [200, 200]
        assert len(asking.result().json()["story"]["steps"]) == 2


# ---------------------------------------------------------------- the command


@contextmanager
def killed(process: subprocess.Popen[str]) -> Iterator[None]:
    """A process that does not outlive a test that fails."""
    try:
        yield
    except BaseException:
        process.kill()
        raise


@pytest.mark.slow
def test_the_command_serves_on_the_loopback_address_until_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "maumau", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as serving, killed(serving):
        assert serving.stderr is not None
        line = serving.stderr.readline()
        assert line.startswith("maumau: http://127.0.0.1:")
        address = line.split()[1]
        assert httpx2.get(address).status_code == 200
        response = httpx2.post(f"{address}games", json={"players": 2})
        assert response.status_code == 201
        assert "server" not in response.headers
        taken = maumau("serve", "--port", address.rstrip("/").rpartition(":")[2])
        assert (taken.returncode, taken.stdout) == (2, "")
        assert "address already in use; use a free port" in taken.stderr
        serving.send_signal(signal.SIGINT)
        rest = serving.stderr.read()
    assert serving.returncode == 0
    assert rest == ""


def test_without_the_library_the_message_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsm.edge.extras.find_spec", lambda name: None)
    done = maumau("serve", "--port", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "maumau serve requires starlette, uvicorn and websockets; run pip install -e '.[web]' in a clone"
    )


class TestHouseRules:
    """Games with house rules: chosen by the name of the game, carried by a link with the hash of how they are played."""

    @pytest.fixture
    def response(self, client: TestClient, pictures: None) -> Answer:
        return begin(client, game="maumau+nine-reverses+five-each", players=3, seed=7)

    def test_a_game_starts_with_them_and_has_its_own_drawing(self, response: Answer) -> None:
        story = response["story"]
        assert story["game"] == "maumau+five-each+nine-reverses"
        assert "direction=0" in response["state"]["position"]
        assert [len(hand) for hand in story["start"]["hands"]] == [5, 5, 5]
        assert "nine" in story["drawing"]
        assert len(story["arcs"]) == len(MauMau.with_rules("nine-reverses").declaration.arcs)

    def test_a_link_has_them_by_name_and_hash(self, client: TestClient, response: Answer) -> None:
        link = {
            "game": response["story"]["game"],
            "rules": response["story"]["rules"],
            "position": response["state"]["position"],
        }
        assert begin(client, **link)["state"]["position"] == response["state"]["position"]
        answer = client.post("/games", json=link | {"rules": "0" * 16})
        expected = f"rules: played by '{'0' * 16}', but maumau+five-each+nine-reverses is '{link['rules']}'"
        assert error(answer, 400) == expected

    def test_rules_that_contradict_each_other_are_refused(self, client: TestClient) -> None:
        answer = client.post("/games", json={"game": "maumau+cover-eight+eights-answered"})
        assert "cover-eight and eights-answered cannot be combined" in error(answer, 400)

    def test_the_page_offers_every_rule_and_profile(self, client: TestClient) -> None:
        page = client.get("/step").text
        for name in ("nine-reverses", "sevens-draw-3", "lively"):
            assert f'["{name}",' in page
