"""The server of tables: what each link may see and do, the time to answer, the store, and limits."""

from __future__ import annotations

import asyncio
import json
import pwd
import re
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing
from http import HTTPStatus
from pathlib import Path
from typing import Any, NoReturn

import pytest
from command import maumau

from examples.kuhn_poker import KuhnPoker
from fsm import register
from fsm.declaration.policy import named_policy
from fsm.outside import admit_player, read_source
from fsm.stepping.steps import Move
from maumau.play.table import Computer, Person, Table
from maumau.play.table.hints import background_search
from maumau.play.table.room import Room, RoomPlan

pytest.importorskip("httpx2")

import httpx2
from starlette.requests import Request
from starlette.testclient import TestClient

from maumau.play.server.app import application
from maumau.play.server.guard import BadRequest
from maumau.play.server.tables import hosted as hosting
from maumau.play.server.tables import limits
from maumau.play.server.tables.hall import Hall, RoomBounds
from maumau.play.server.tables.hosted import Hosted, Since
from maumau.play.server.tables.limits import Rates, RoomCounts, client_of
from maumau.play.server.tables.link import printed_qr_code
from maumau.play.server.tables.store import Store, StoreError, file_of

PORT = 8000
HERE = f"http://127.0.0.1:{PORT}"
SHORT = 0.001  # seconds in which players in threads go on; a loop without a pause would keep the interpreter from them
Json = dict[str, Any]
ANN_AND_BEN = [{"person": "Ann"}, {"person": "Ben"}]
ANN_AND_HOUSE = [{"person": "Ann"}, {"computer": "house"}]


def opened(client: TestClient, seats: list[Json], game: str = "maumau", **fields: Any) -> Json:
    """A room whose people have come in and who have been dealt to: the paths of their tokens, and of one who watches."""
    people = [seat["person"] for seat in seats if "person" in seat]
    computers = [seat["computer"] for seat in seats if "computer" in seat]
    plan = {"game": game, "players": len(seats), **({"computer": computers[0]} if computers else {}), **fields}
    answer = client.post("/rooms", json={"name": people[0], **plan})
    assert answer.status_code == 201, answer.text
    code, tokens = answer.json()["code"], [answer.json()["token"]]
    entering = [{"name": name} for name in people[1:]] + [{"name": "Guest", "plays": False}]
    tokens += [client.post(f"/rooms/{code}", json=each).json()["token"] for each in entering]
    assert client.post(f"/tables/{tokens[0]}/deal", json={}).status_code == 200
    links = [f"tables/{token}" for token in tokens]
    return {"seats": links[:-1], "watch": links[-1], "code": code}


def seen(client: TestClient, link: str, since: int = 0) -> Json:
    while (answer := client.get(f"/{link}/state?since={since}")).status_code == 429:
        time.sleep(1 / limits.RATE)  # as others are to act for so long
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def asked(client: TestClient, links: list[str]) -> tuple[str, Json]:
    """The link of who is asked, and what is seen there, as soon as somebody is."""
    for _ in range(500):
        for link in links:
            view = seen(client, link)["view"]
            if view["question"]:
                return link, view
    raise AssertionError("nobody is asked")


def error(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    return str(answer.json()["error"])


# ---------------------------------------------------------------- links


def test_each_link_shows_its_seat_and_no_other(client: TestClient) -> None:
    links = opened(client, ANN_AND_BEN)
    paths = [*links["seats"], links["watch"]]
    assert len(set(paths)) == 3
    assert all(re.fullmatch(r"tables/[\w-]{24}", path) for path in paths)
    views = [seen(client, path)["view"] for path in paths]
    assert [view["seat"] for view in views] == [1, 2, None]
    assert [[hand is not None for hand in view["hands"]] for view in views] == [
        [True, False],
        [False, True],
        [False] * 2,
    ]


def test_who_watches_can_do_nothing(client: TestClient) -> None:
    watch = opened(client, ANN_AND_BEN)["watch"]
    for what in ("act", "undo", "hint"):
        assert "only watching" in error(client.post(f"/{watch}/{what}", json={"at": 1}), 403)


def test_an_unknown_link_is_answered_with_404(client: TestClient) -> None:
    for path in ("", "/state", "/replay"):
        assert "no such room" in error(client.get(f"/tables/x{path}"), 404)
    assert "no such room" in error(client.post("/tables/x/act", json={}), 404)
    for path in ("", "/game", "/link"):
        assert "no such room" in error(client.get(f"/room/x{path}"), 404)


def test_the_pages_ask_nobody_but_their_server(client: TestClient) -> None:
    links = opened(client, ANN_AND_HOUSE)
    for path in ("", f"room/{links['code']}", f"room/{links['code']}/game", "step"):
        page = client.get(f"/{path}")
        assert page.headers["content-type"].startswith("text/html")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "connect-src 'self'" in policy
        assert not re.search(r"(src|href)=.?(https?:)?//", page.text)


def lobby_games(client: TestClient) -> dict[str, Json]:
    """What the lobby offers, by game."""
    data = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', client.get("/").text, re.DOTALL)
    assert data is not None
    return {game["game"]: game for game in json.loads(data[1])["games"]}


def test_the_rules_of_a_game_are_a_page_that_a_client_names_by_game_and_house_rules(client: TestClient) -> None:
    page = client.get("/rules/maumau+king-again")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "After a king you play again." in page.text
    for name, why in {
        "mau": "unknown game 'mau'",
        "maumau+kings": "unknown rule 'kings'",
        "examples%2Fhearts.py:Hearts": "not found",
        "hearts.py:Hearts": "unknown game 'hearts.py:Hearts'",
    }.items():
        assert why in error(client.get(f"/rules/{name}"), 400 if why.startswith("unknown") else 404), name


def test_the_lobby_describes_the_players_that_the_server_lists() -> None:
    with TestClient(application(PORT, players=["search:20"]), base_url=HERE) as client:
        games = lobby_games(client)
    players = dict(games["maumau"]["policies"])
    assert list(players) == ["house", "random", "first-legal", "random-legal-card", "search:20"]
    assert players["search:20"].startswith("Deals the hidden cards in 20 ways")
    for name in ("maumau", "uno", "uno-official", "mahjong"):
        assert all(text.endswith(".") for _, text in games[name]["policies"])
        assert "search:20" in dict(games[name]["policies"])


def test_without_a_list_the_usual_players_of_every_form_are_offered() -> None:
    with TestClient(application(PORT, players=None), base_url=HERE) as client:
        assert {"search:10", "search:1000"} < {name for name, _ in lobby_games(client)["uno"]["policies"]}
        seats = [{"person": "Ann"}, {"computer": "search:10"}]
        opened(client, seats, game="uno")
        body = {"name": "Ann", "game": "uno", "computer": "search:11"}
        assert "unknown computer player" in error(client.post("/rooms", json=body), 400)


@pytest.mark.usefixtures("pictures")
def test_the_rules_that_a_game_has_already_are_part_of_the_choice() -> None:
    with TestClient(application(PORT, first="maumau+five-each"), base_url=HERE) as client:
        games = lobby_games(client)
        assert games["maumau+five-each"]["fixed"] == ["five-each"]
        assert games["maumau"]["fixed"] == []
        links = opened(client, ANN_AND_HOUSE, game="maumau+five-each+nine-reverses")
        assert seen(client, links["seats"][0])["view"]["title"] == "Mau-Mau with five-each, nine-reverses"


# ---------------------------------------------------------------- moves


def test_what_is_refused_changes_nothing(client: TestClient) -> None:
    links = opened(client, ANN_AND_BEN)
    link, view = asked(client, links["seats"])
    other = next(path for path in links["seats"] if path != link)
    at = view["version"]
    assert "out of date" in error(client.post(f"/{link}/act", json={"at": at - 1, "move": {"trigger": "draw"}}), 409)
    assert "take" in error(client.post(f"/{link}/act", json={"at": at, "move": {"trigger": "take"}}), 422)
    assert "send an object" in error(client.post(f"/{link}/act", json={"at": at}), 400)
    other_at = seen(client, other)["view"]["version"]
    assert "not asked" in error(client.post(f"/{other}/act", json={"at": other_at, "move": {"trigger": "draw"}}), 403)
    assert seen(client, link)["view"] == view


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"seed": 7}, "unknown field 'seed'"),
        ({"computer": "x.py:choose"}, "unknown computer player 'x.py:choose'"),
        ({"computer": ["house"]}, "computer"),
        ({"name": ""}, "use 1 to 40 printable characters"),
        ({"name": " \n "}, "use 1 to 40 printable characters"),
        ({"name": "house"}, "a computer player has this name"),
        ({"name": "Player 2"}, "a computer player has this name"),
        ({"name": 3}, "name"),
        ({"players": 1}, "2 to 4"),
        ({"players": 10**9}, "2 to 4"),
        ({"target": 0}, "target: 0 is out of range"),
        ({"game": "chess"}, "unknown game"),
        ({"hints": "yes"}, "hints"),
    ],
)
def test_what_cannot_be_opened(client: TestClient, fields: Json, reason: str) -> None:
    answer = client.post("/rooms", json={"name": "Ann", **fields})
    assert reason in error(answer, answer.status_code)
    assert answer.status_code in (400, 422)


# ---------------------------------------------------------------- what goes on by itself


def hall_with(*seats: Any, **options: Any) -> tuple[Hall, Hosted]:
    """A room whose people have been dealt to."""
    hall = Hall()
    return hall, in_hall(hall, *seats, **options)


def in_hall(hall: Hall, *seats: Any, **options: Any) -> Hosted:
    computer = next((seat.policy for seat in seats if isinstance(seat, Computer)), "house")
    hosted = of_code(
        hall, hall.open(RoomPlan(**{"game": "maumau", "players": len(seats), "computer": computer, **options}))
    )
    for seat in seats:
        if isinstance(seat, Person):
            hosted.room.join(seat.name)
    hosted.room.hurry()
    hosted.room.deal(())
    return hosted


def of_code(hall: Hall, code: str) -> Hosted:
    """A room that is not loaded yet."""
    hosted = hall.hosted(hall._store.load(hall._store.room_of(code)))
    hall._keep(hosted)
    return hosted


def who(hosted: Hosted, seat: int) -> str:
    """The token of who sits at a seat."""
    return hosted.room.at_seat(seat) or ""


async def played_to_the_end(hosted: Hosted) -> None:
    """Let player 1 make the first legal move until the round is over."""
    while hosted.room.table.state == "playing":
        if hosted.room.table.asked:
            move, version = hosted.room.table.view(1)["question"]["moves"][0], hosted.room.table.version(1)
            await hosted.change(lambda room, move=move, version=version: room.table.act(1, move, version))
        await asyncio.sleep(SHORT)


async def until(condition: Any) -> None:
    while not condition():
        await asyncio.sleep(SHORT)


async def test_who_does_not_answer_in_time_is_replaced_and_can_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hosted, "_seconds", lambda self: 0.05 if self.room.table.asked else None)
    _, hosted = hall_with(Person("Ann"), Person("Ben"))
    await until(lambda: hosted.room.table.asked)
    late = hosted.room.table.asked
    assert json.loads(hosted.shown(who(hosted, late), Since()))["clock"]["of"] == 0.05
    await until(lambda: late in hosted.room.table.absent)
    await hosted.change(lambda room: room.table.come_back(late))
    assert late not in hosted.room.table.absent
    hosted.stop()


@pytest.mark.parametrize(("patience", "has_been_here"), [("AWAY", True), ("ARRIVING", False)])
async def test_a_person_without_a_connection_is_waited_for_only_so_long(
    monkeypatch: pytest.MonkeyPatch, patience: str, has_been_here: bool
) -> None:
    monkeypatch.setattr(hosting, patience, 0.01)
    _, hosted = hall_with(Person("Ann"), Person("Ben"))
    if has_been_here:
        with hosted.listening(who(hosted, 1)), hosted.listening(who(hosted, 2)):
            pass
    await until(lambda: hosted.room.table.absent == {1, 2})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "target"),
    [
        ("maumau+lively", None),
        ("uno-official", None),
        ("mahjong", None),
        pytest.param("maumau", None, marks=pytest.mark.thorough),
        pytest.param("uno", 60, marks=pytest.mark.thorough),
    ],
)
async def test_no_push_or_response_has_a_card_that_the_seat_cannot_know(
    game: str, target: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is sent to two seats and to who watches during whole games, with hints and refused moves."""
    monkeypatch.setattr(limits, "BURST", 1e6)
    monkeypatch.setattr("maumau.play.table.room.token_hex", lambda size: "5" * 2 * size)  # not a short game
    hall = Hall()
    transport = httpx2.ASGITransport(application(PORT, hall=hall))
    async with httpx2.AsyncClient(transport=transport, base_url=HERE) as client:
        fields = {"game": game, "players": 3, "computer": "random", "target": target}
        hosted = await hall.room(hall.open(RoomPlan(**fields)))
        tokens = [hosted.room.join(*who) for who in (("Ann",), ("Ben",), ("Guest", False))]
        hosted.room.hurry()
        hosted.room.deal(())
        paths = {1: f"tables/{tokens[0]}", 2: f"tables/{tokens[1]}", None: f"tables/{tokens[2]}"}
        await hosted.change(lambda room: None)
        with ExitStack() as stack:
            readers = [
                Reader(hosted, seat, token, stack.enter_context(hosted.listening(token)))
                for seat, token in zip(paths, tokens, strict=True)
            ]
            await play_and_read(client, hosted, paths, readers)
        assert all(reader.checked > 20 for reader in readers)
        hosted.end()


class Reader:
    """A seat that reads all that it is sent. It knows a card by its name if it has seen one of this name."""

    def __init__(self, hosted: Hosted, seat: int | None, token: str, queue: asyncio.Queue[str | None]) -> None:
        self.hosted, self.seat, self.queue = hosted, seat, queue
        self.known: set[str] = set()
        self.checked = 0
        names = sorted(set(hosted.room.table.game.declaration.codec.notation.cards) - {""}, key=len, reverse=True)
        self.names = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
        self.read(hosted.shown(token, Since()))

    def read_pushes(self) -> None:
        while not self.queue.empty():
            push = self.queue.get_nowait()
            assert push is not None
            self.read(push)

    def read(self, text: str) -> None:
        """Read a push, or the state of the table."""
        data = json.loads(text)
        assert list(data) == ["view", "log", "clock", "room"]
        assert data["clock"] is None or list(data["clock"]) == ["left", "of"]
        assert not any(token in text for token in self.hosted.room.members)
        view = data["view"]
        if any(entry["event"] == "begin" for entry in data["log"]):
            self.known = set()
        own = view["hands"][self.seat - 1] if self.seat else []
        melds = [card for melds in view["melds"] for meld in melds for card in meld]
        self.known |= {*own, *view["discard_pile"], *melds, view["open_card"] or ""}
        if view["state"] == "playing":
            assert not any(hand for place, hand in enumerate(view["hands"], 1) if place != self.seat)
            self.read_names(text)

    def read_names(self, text: str) -> None:
        assert {*self.names.findall(text)} - {"WC", "WF"} <= self.known, "the reasons name the wild cards of UNO"
        assert self.hosted.room.table.setup.key not in text
        self.checked += 1


async def play_and_read(client: Any, hosted: Hosted, paths: dict[int | None, str], readers: list[Reader]) -> None:
    """Play to the end by hints, and read every answer."""
    while hosted.room.table.state != "over":
        for reader in readers:
            reader.read_pushes()
        player, state = hosted.room.table.asked, hosted.room.table.state
        if player is not None:
            reader, path = readers[player - 1], paths[player]
            reader.read((await client.get(f"/{path}/state?since=1.{player}.{hosted.room.table.version(player)}")).text)
            at = hosted.room.table.version(player)
            hint = await client.post(f"/{path}/hint", json={})
            reader.read_names(hint.text)
            wrong = await client.post(f"/{path}/act", json={"at": at, "move": {"trigger": "fly"}})
            reader.read_names(wrong.text)
            answer = await client.post(f"/{path}/act", json={"at": at, "move": hint.json()["move"]})
            assert answer.json() == {}, answer.text
        elif state == "round over":
            for path in paths.values():
                await client.post(f"/{path}/ready", json={})
        await asyncio.sleep(SHORT)


async def test_a_player_who_is_slow_holds_nobody_up_and_one_that_fails_plays_the_first_legal_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "import threading\n\n\ndef slow(view):\n    assert threading.current_thread() is not threading.main_thread()\n    return view.moves[-1]\n\n\ndef broken(view):\n    return 1 // 0\n"
    )
    slow, broken = (admit_player(read_source(f"{path}:{name}")) for name in ("slow", "broken"))
    for player in (slow, broken):
        _, hosted = hall_with(Person("Ann"), Computer(player), Computer(player))
        await hosted.change(lambda room: room.table.seat(1, None))
        while hosted.room.table.state == "playing":
            hosted.shown(who(hosted, 1), Since())
            await asyncio.sleep(SHORT)
        assert hosted.room.table.state == "over"
        assert Table.restore(hosted.room.table.save()).view(1) == hosted.room.table.view(1)
    assert broken in caplog.text
    assert slow not in caplog.text


async def test_a_table_waits_while_all_who_play_are_away() -> None:
    _, hosted = hall_with(Person("Ann"), Person("Ben"), Computer("house"))
    await until(lambda: hosted.room.table.asked)
    table = hosted.room.table
    await hosted.change(lambda room: room.leave(who(hosted, 1)))
    await until(lambda: table.asked == 2)
    await hosted.change(lambda room: room.leave(who(hosted, 2)))
    events = len(table.game.history)
    await asyncio.sleep(20 * SHORT)
    assert (len(table.game.history), table.state) == (events, "playing")
    await hosted.change(lambda room: room.come_back(who(hosted, 1)))
    await until(lambda: table.asked == 1)
    assert len(table.game.history) > events
    hosted.end()


async def test_others_are_told_who_is_here() -> None:
    _, hosted = hall_with(Person("Ann"), Person("Ben"))
    await until(lambda: hosted.room.table.asked)
    with hosted.listening(who(hosted, 1)) as queue:
        with hosted.listening(who(hosted, 2)):
            assert [each["here"] for each in json.loads(hosted.shown(who(hosted, 1), Since()))["room"]["people"]] == [
                True,
                True,
            ]
        pushes = [json.loads(queue.get_nowait() or "") for _ in range(queue.qsize())]
    assert [[each["here"] for each in push["room"]["people"]] for push in pushes] == [[True, True], [True, False]]
    assert [push["log"] for push in pushes] == [[], []]


async def test_who_is_far_behind_is_sent_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "MAX_WAITING", 3)
    _, hosted = hall_with(Person("Ann"), Computer("house"))
    with hosted.listening(who(hosted, 1)) as queue:
        await hosted.change(lambda room: room.table.seat(1, None))
        await until(lambda: hosted.room.table.state == "over")
        assert [queue.get_nowait() is None for _ in range(3)] == [False, False, True]


# ---------------------------------------------------------------- the store


def test_tables_are_there_again_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = file_of(None, PORT)
    assert file
    store = Store(file)
    with TestClient(application(PORT, hall=Hall(store)), base_url=HERE) as client:
        links = opened(client, ANN_AND_HOUSE, target=100)
        for _ in range(5):
            link, view = asked(client, links["seats"][:1])
            moves = view["question"]["moves"]
            client.post(f"/{link}/act", json={"at": view["version"], "move": moves[0]})
            if seen(client, link)["view"]["state"] != "playing":
                break
        before = asked(client, links["seats"][:1])[1]
        log = seen(client, link)["log"]
    store.close()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    with TestClient(application(PORT, hall=Hall(Store(file))), base_url=HERE) as client:
        assert asked(client, links["seats"][:1])[1] == before
        assert seen(client, link)["log"] == log


def test_a_file_of_another_server_or_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    first = Store(file)
    with pytest.raises(StoreError, match="no other server uses"):
        Store(file)
    first.close()
    file.write_text("something else, which is long enough to be no header of a database at all" * 20)
    with pytest.raises(StoreError, match="not a database"):
        Store(file)


async def test_tables_that_nobody_is_connected_to_are_loaded_again_when_asked_for() -> None:
    hall = Hall(bounds=RoomBounds(loaded=1))
    first = in_hall(hall, Person("Ann"), Computer("house"))
    await until(lambda: first.is_idle)
    second = in_hall(hall, Person("Ann"), Computer("house"))
    await until(lambda: second.is_idle)
    again = await hall.find(who(first, 1))
    assert again not in (first, second)
    await until(lambda: again.room.table.asked)
    assert again.room.table.view(1)["hands"] == again.room.table.view(1)["hands"]


async def test_others_are_answered_while_a_room_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    go, restored, loading = threading.Event(), Room.restore, []

    def slow(*saved: Any) -> Room:
        loading.append(saved)
        assert go.wait(60)
        return restored(*saved)

    hall = Hall()
    hosted = in_hall(hall, Person("Ann"), Computer("house"))
    await until(lambda: hosted.is_idle)
    again = Hall(hall._store)
    monkeypatch.setattr(Room, "restore", slow)
    transport = httpx2.ASGITransport(application(PORT, hall=again))
    async with httpx2.AsyncClient(transport=transport, base_url=HERE) as client:
        path = f"/tables/{who(hosted, 1)}/state"
        asking = [asyncio.ensure_future(client.get(path)) for _ in range(3)]
        await until(lambda: loading)
        assert (await client.get("/")).status_code == 200
        assert not any(each.done() for each in asking)
        go.set()
        assert [(await each).status_code for each in asking] == [200] * 3
        assert len(loading) == 1


async def test_a_table_that_computes_a_move_stays_loaded(tmp_path: Path) -> None:
    """Loaded a second time, it would be played on twice."""
    path = tmp_path / "own.py"
    path.write_text(
        "import threading\n\ngo = threading.Event()\n\n\ndef slow(view):\n    go.wait(60)\n    return view.moves[0]\n"
    )
    slow = admit_player(read_source(f"{path}:slow"))
    go = named_policy(None, slow).decide.__globals__["go"]
    hall = Hall(bounds=RoomBounds(loaded=1))
    first = in_hall(hall, Person("Ann"), Computer(slow))
    await first.change(lambda room: room.table.seat(1, None))
    await until(lambda: first.room.table.asked is None and first.room.table.game.player == 2)
    in_hall(hall, Person("Ann"), Computer("house"))
    assert await hall.find(who(first, 1)) is first
    go.set()
    await until(lambda: first.room.table.state == "over")


async def test_what_cannot_be_stored_is_neither_answered_nor_pushed_nor_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "RETRY", 0.01)
    store = Store(tmp_path / "tables.sqlite")
    hosted = in_hall(Hall(store), Person("Ann"), Person("Ben"))
    await until(lambda: hosted.room.table.asked and hosted.is_idle)
    player = hosted.room.table.asked or 1
    move, at = hosted.room.table.view(player)["question"]["moves"][0], hosted.room.table.version(player)
    tokens = [who(hosted, each) for each in (1, 2)]

    def act(room: Room) -> None:
        room.table.act(player, move, at)

    with hosted.listening(who(hosted, player)) as queue:
        await until(lambda: not hosted._tasks)
        before = [hosted.shown(token, Since()) for token in tokens]
        while not queue.empty():
            queue.get_nowait()
        store._database.execute("PRAGMA query_only = ON")
        for _ in range(3):
            with pytest.raises(BadRequest, match="the tables cannot be stored now: attempt to write a readonly datab"):
                await hosted.change(act)
            assert [hosted.shown(token, Since()) for token in tokens] == before
        await asyncio.sleep(0.05)
        assert queue.empty()
        store._database.execute("PRAGMA query_only = OFF")
        await hosted.change(act)
        assert not queue.empty()
    assert hosted.room.table.version(player) > at
    hosted.end()


async def test_a_move_that_was_stored_is_answered_though_what_follows_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "RETRY", 0.01)
    store = Store()
    write, written = store.write, []

    def write_once(name: str, change: Any) -> None:
        if written:
            raise BadRequest("the tables cannot be stored now", HTTPStatus.SERVICE_UNAVAILABLE)
        write(name, change)
        written.append(change)

    hosted = in_hall(Hall(store), Person("Ann"), Computer("house"))
    await until(lambda: hosted.room.table.asked and hosted.is_idle)
    table = hosted.room.table
    move, at = table.view(1)["question"]["moves"][-1], table.version(1)
    monkeypatch.setattr(store, "write", write_once)
    await hosted.change(lambda room: room.table.act(1, move, at))
    assert [entry["do"] for entry in written[0].entries] == [["act", 1, at, {"trigger": "draw"}]]
    assert hosted.room.table.log(1)[-1]["event"] == "draw"
    monkeypatch.setattr(store, "write", write)
    await until(lambda: hosted.room.table.asked and hosted.is_idle)
    assert hosted.room.table.version(1) > at + 1
    hosted.end()


async def test_computer_players_go_on_when_the_disk_is_no_longer_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hosting, "RETRY", 0.01)
    monkeypatch.setattr(hosting, "AT_ONCE", 1)
    store = Store(tmp_path / "tables.sqlite")
    hosted = in_hall(Hall(store), Person("Ann"), Computer("house"))
    await until(lambda: hosted.room.table.asked and hosted.is_idle)
    await hosted.change(lambda room: room.table.seat(1, None))
    store._database.execute("PRAGMA query_only = ON")
    await until(lambda: "has failed" in caplog.text)
    version = hosted.room.table.version(None)
    assert Room.restore(*store.load(hosted.name)[1:3]).table.version(None) == version
    store._database.execute("PRAGMA query_only = OFF")
    await until(lambda: hosted.room.table.state == "over" and hosted.is_idle)
    hosted.end()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("UPDATE tables SET saved = 'x'", "Expecting value"),
        ("UPDATE tables SET saved = '{}'", "not a saved room"),
        ("UPDATE tables SET saved = json_remove(saved, '$.table.setup.seats')", "not a saved table"),
        ("UPDATE entries SET entry = '{\"do\": []}'", "entry 1 of the journal"),
        ("UPDATE entries SET entry = '3'", "entry 1 of the journal"),
        ("DELETE FROM tables", "the file of the tables is damaged"),
        ("DROP TABLE entries", "the file of the tables is damaged"),
    ],
)
def test_a_table_that_is_damaged_in_the_file_is_answered_with_404(tmp_path: Path, damage: str, reason: str) -> None:
    store = Store(tmp_path / "tables.sqlite")
    with TestClient(application(PORT, hall=Hall(store)), base_url=HERE) as client:
        links = opened(client, ANN_AND_HOUSE)
        asked(client, links["seats"][:1])
    store._database.execute(damage)
    with TestClient(application(PORT, hall=Hall(store)), base_url=HERE) as client:
        assert reason in error(client.get(f"/{links['watch']}/state"), 404)


def test_the_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "photos.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE photos (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="a database with other tables: photos"):
        Store(file)
    assert file.read_bytes() == before


def test_a_file_that_cannot_be_made_is_output_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for file, reason in (
        (tmp_path / "file" / "tables", "not a directory"),
        (tmp_path, "unable to open"),
        (tmp_path / "no" / "tables", "no such folder"),
    ):
        done = maumau("serve", "--port", "0", "--tables", str(file))
        assert done.returncode == 74
        assert not (tmp_path / "no").exists()
        assert re.fullmatch(f"--tables: {file}: {reason}.*; name a file that can be written\n", done.stderr)


def test_a_file_without_a_name_is_refused() -> None:
    done = maumau("serve", "--port", "0", "--tables", "")
    assert (done.returncode, done.stderr) == (2, "--tables: '': the name is empty; name a file, or memory\n")


def test_a_full_disk(tmp_path: Path) -> None:
    """In a process of its own, as threads of other tests may write."""
    code = f"""
import resource
from pathlib import Path
from maumau.play.server.tables.store import NotWritable, Store
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))  # no file may have a byte
try:
    Store(Path({str(tmp_path / "tables.sqlite")!r}))
except NotWritable as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "name a file that can be written" in done.stdout


def test_a_user_without_a_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(number: int) -> NoReturn:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    done = maumau("serve", "--port", "18000")
    assert (done.returncode, done.stderr) == (2, "--tables: the user has no home folder; name a file, or memory\n")


async def test_tables_are_bounded_and_removed_when_they_were_not_used() -> None:
    now = [0.0]
    store = Store(clock=lambda: now[0])
    hall = Hall(store, RoomBounds(rooms=1, idle=100, spare=10))
    plan = RoomPlan(game="maumau", players=2, computer="house")
    first = hall.open(plan)
    with pytest.raises(BadRequest, match="this server keeps 1 room at most"):
        hall.open(plan)
    now[0] += 11
    second = hall.open(plan)
    with pytest.raises(BadRequest):
        await hall.room(first)
    now[0] += 101
    hall.open(plan)
    with pytest.raises(BadRequest):
        await Hall(store).room(second)


async def test_a_room_with_somebody_in_it_is_not_removed() -> None:
    now = [0.0]
    hall = Hall(Store(clock=lambda: now[0]), RoomBounds(idle=100))
    hosted = in_hall(hall, Person("Ann"), Computer("house"))
    await until(lambda: hosted.is_idle)
    with hosted.listening(who(hosted, 1)):
        now[0] += 1000
        hall.open(RoomPlan(game="maumau", players=2, computer="house"))
        assert await hall.find(who(hosted, 1)) is hosted
    now[0] += 50
    hall.open(RoomPlan(game="maumau", players=2, computer="house"))
    assert await hall.find(who(hosted, 1)) is hosted, "it was used until then"
    hosted.end()


SET_FORWARD = """
import time
real, ahead = time.time, [0.0]
time.time = lambda: real() + ahead[0]
import asyncio
from maumau.play.server.tables.hall import Hall
from maumau.play.table.room import RoomPlan
hall, plan = Hall(), RoomPlan(game="maumau", players=2, computer="house")
code = hall.open(plan)
ahead[0] = 31 * 86_400.0
hall.open(plan)
print(asyncio.run(hall.room(code)).room.code == code)
"""


def test_a_clock_that_is_set_forward_removes_no_room() -> None:
    done = subprocess.run([sys.executable, "-c", SET_FORWARD], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_rates_let_so_much_through_at_once_and_so_much_later() -> None:
    now = [0.0]
    rates = Rates(3, 1, clock=lambda: now[0])
    for _ in range(3):
        rates.take("Ann")
    with pytest.raises(BadRequest):
        rates.take("Ann")
    rates.take("Ben")
    now[0] = 1.0
    rates.take("Ann")
    with pytest.raises(BadRequest):
        rates.take("Ann")


def asking(peer: str, *forwarded: str) -> Request:
    """A request from an address, with headers X-Forwarded-For."""
    headers = [(b"x-forwarded-for", each.encode()) for each in forwarded]
    return Request({"type": "http", "client": (peer, 1), "headers": headers})


@pytest.mark.parametrize(
    ("request_", "client"),
    [
        (asking("127.0.0.1"), None),
        (asking("::1"), None),
        (asking("192.168.1.7"), "192.168.1.7"),
        (asking("192.168.1.7", "10.0.0.1"), "192.168.1.7"),
        (asking("127.0.0.1", "203.0.113.9"), "203.0.113.9"),
        (asking("127.0.0.1", "10.0.0.1, 203.0.113.9"), "203.0.113.9"),
        (asking("127.0.0.1", "10.0.0.1", "203.0.113.9"), "203.0.113.9"),
        (asking("2001:db8:1:2:3::4"), "2001:db8:1:2::/64"),
        (asking("127.0.0.1", "[2001:db8:1:2::5]"), "2001:db8:1:2::/64"),
        (asking("127.0.0.1", "unknown"), "unknown"),
    ],
)
def test_a_client_is_its_address_or_the_one_that_a_proxy_on_this_machine_names(
    request_: Request, client: str | None
) -> None:
    assert client_of(request_) == client


def behind_a_proxy() -> TestClient:
    """A client of which the server takes the address that a proxy on this machine names."""
    served = application(PORT)

    async def proxied(scope: Any, receive: Any, send: Any) -> None:
        await served({**scope, "client": ("127.0.0.1", 1)}, receive, send)

    return TestClient(proxied, base_url=HERE)


def test_one_client_cannot_keep_others_from_opening_tables() -> None:
    with behind_a_proxy() as client:
        fields = {"name": "Ann"}

        def opens(address: str) -> int:
            return int(client.post("/rooms", json=fields, headers={"x-forwarded-for": address}).status_code)

        found = [opens("203.0.113.9") for _ in range(int(limits.OPENED) + 2)]
        assert found == [201] * int(limits.OPENED) + [429] * 2
        assert opens("203.0.113.10") == 201


def test_one_client_listens_to_so_many_tables_and_all_together_to_more() -> None:
    counts = RoomCounts(2)
    with counts.one("Ann"), counts.one("Ann"):
        with pytest.raises(BadRequest, match="2 rooms are open"), counts.one("Ann"):
            pass
        with counts.one("Ben"):
            pass
    with counts.one("Ann"):
        pass
    assert not counts._open


# ---------------------------------------------------------------- rooms


def test_one_link_lets_all_in_and_nobody_after_somebody_was_removed(client: TestClient) -> None:
    links = opened(client, ANN_AND_BEN)
    ann, ben = links["seats"]
    people = seen(client, ann)["room"]["people"]
    assert [(each["name"], each["seat"]) for each in people] == [("Ann", 1), ("Ben", 2), ("Guest", None)]
    number = people[1]["number"]
    assert "Ann decides what is played here" in error(client.post(f"/{ben}/remove", json={"number": number}), 403)
    assert client.post(f"/{ann}/remove", json={"number": number}).status_code == 200
    assert error(client.get(f"/{ben}/state"), 404)
    assert "ask for the new one" in error(client.post(f"/rooms/{links['code']}", json={"name": "Ben"}), 403)
    code = seen(client, ann)["room"]["code"]
    assert client.post(f"/rooms/{code.upper()[:4]}-{code[4:]}", json={"name": "Ben"}).status_code == 201


@pytest.mark.parametrize("page", ["*/*", "text/html"])
def test_no_route_takes_a_code_from_before_somebody_was_removed(page: str) -> None:
    served: Any = application(PORT)
    with TestClient(served, base_url=HERE) as client:
        links = opened(client, ANN_AND_BEN)
        ann, ben = links["seats"]
        moved = client.post(f"/{ben}/move", json={}).json()["code"]
        client.post(f"/{ann}/remove", json={"number": seen(client, ann)["room"]["people"][1]["number"]})
        code = seen(client, ann)["room"]["code"]
        taking = [(route, method) for route in served._app.routes if "{code" in route.path for method in route.methods]
        assert len(taking) > 3
        for route, method in taking:
            for fields in ({"name": "Eve"}, {"moved": moved}) if method == "POST" else (None,):
                path = route.path.replace("{code}", links["code"])
                answer = client.request(method, path, json=fields, headers={"accept": page}, follow_redirects=False)
                assert answer.status_code == 403, (method, path)
                assert method == "HEAD" or "ask for the new one" in answer.text
                assert code not in answer.text
                assert code not in str(answer.headers)


def test_a_person_moves_to_another_device_with_a_code_that_holds_once(client: TestClient) -> None:
    links = opened(client, ANN_AND_BEN)
    moved = client.post(f"/{links['seats'][0]}/move", json={}).json()["code"]
    answer = client.post(f"/rooms/{links['code']}", json={"moved": moved.upper()})
    assert f"tables/{answer.json()['token']}" == links["seats"][0]
    for code in (moved, "", "x" * 1000):
        assert "unknown code" in error(client.post(f"/rooms/{links['code']}", json={"moved": code}), 400)


def test_a_room_forbids_hints(client: TestClient) -> None:
    link = asked(client, opened(client, ANN_AND_BEN, hints=False)["seats"])[0]
    assert "no hints in this room" in error(client.post(f"/{link}/hint", json={}), 403)


def test_the_room_plays_something_else_after_the_end_of_a_game(client: TestClient) -> None:
    links = opened(client, ANN_AND_BEN)
    ann, ben = links["seats"]
    uno = {"game": "uno", "players": 3}
    assert "the game is not over" in error(client.post(f"/{ann}/plan", json=uno), 422)
    assert client.post(f"/{ann}/end", json={}).status_code == 200
    assert seen(client, ben)["view"] is None
    assert "Ann decides" in error(client.post(f"/{ben}/plan", json=uno), 403)
    assert client.post(f"/{ann}/plan", json=uno).status_code == 200
    assert client.post(f"/{ann}/deal", json={}).status_code == 200
    assert seen(client, ben)["view"]["game"] == "uno"


@pytest.fixture
def waiting_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly a test goes on, nobody may do more than at once."""
    for rate in ("HINTS", "ENTERING", "RULES_READING"):
        monkeypatch.setattr(limits, rate, 0.0)


@pytest.mark.usefixtures("waiting_in_vain")
def test_codes_cannot_be_tried_out() -> None:
    for path, named, status in (("/rooms/abcdefgh", {"name": "Eve"}, 404), ("/rooms/{code}", {"moved": "abcdef"}, 400)):
        with TestClient(application(PORT), base_url=HERE) as client:
            at = path.format(code=opened(client, ANN_AND_BEN)["code"])
            found = [client.post(at, json=named).status_code for _ in range(int(limits.ENTERED) + 2)]
            assert found == [status] * int(limits.ENTERED) + [429] * 2


@pytest.mark.usefixtures("waiting_in_vain")
def test_hints_are_searched_for_so_often_and_no_more() -> None:
    with TestClient(application(PORT), base_url=HERE) as client:
        link = asked(client, opened(client, ANN_AND_BEN)["seats"])[0]
        found = [client.post(f"/{link}/hint", json={}).status_code for _ in range(int(limits.BURST) + 2)]
        assert found == [200] * int(limits.BURST) + [429] * 2


@pytest.mark.usefixtures("waiting_in_vain")
def test_pages_of_rules_are_written_so_often_and_no_more_for_a_client() -> None:
    with behind_a_proxy() as client:

        def read(address: str) -> int:
            return client.get("/rules/maumau", headers={"x-forwarded-for": address}).status_code

        found = [read("203.0.113.9") for _ in range(int(limits.RULES) + 2)]
        assert found == [200] * int(limits.RULES) + [429] * 2
        assert read("203.0.113.10") == 200


def test_who_names_codes_of_rooms_is_not_held_up(client: TestClient) -> None:
    code = opened(client, ANN_AND_BEN)["code"]
    assert {client.get(f"/room/{code}").status_code for _ in range(int(limits.ENTERED) + 5)} == {200}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ["Eve"]}, "name: ['Eve'] is not a text"),
        ({"plays": 1}, "plays: 1 is not true or false"),
        ({"moved": {}}, "moved: {} is not a text"),
        ({"name": "Eve", "seat": 1}, "unknown field 'seat' (known: name, plays, moved)"),
        ({"name": "\n"}, "1 to 40 printable characters"),
        ({}, "1 to 40 printable characters"),
    ],
)
def test_what_brings_nobody_in(client: TestClient, fields: Json, message: str) -> None:
    code = opened(client, ANN_AND_BEN)["code"]
    answer = client.post(f"/rooms/{code}", json=fields)
    assert message in error(answer, answer.status_code)
    assert answer.status_code in (400, 422)


def test_a_bad_link_is_answered_with_a_page_for_a_person(client: TestClient) -> None:
    answer = client.get("/room/<b>x", headers={"accept": "text/html,*/*"})
    assert answer.status_code == 404
    assert "No such room" in answer.text
    assert "<b>" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_link_of_a_room_is_that_by_which_others_reach_it() -> None:
    origins = ["http://192.168.1.5:8000", "https://cards.example"]
    with TestClient(application(PORT, origins=origins), base_url=HERE) as client:
        code = opened(client, ANN_AND_BEN)["code"]
        for host, origin in [
            ("127.0.0.1:8000", origins[0]),
            ("192.168.1.5:8000", origins[0]),
            ("cards.example", origins[1]),
        ]:
            found = client.get(f"/room/{code}/link", headers={"host": host}).json()
            assert found["link"] == f"{origin}/room/{code}"
            assert (found["here"], found["qr"]["size"] in range(21, 60)) == (False, True)


def test_a_link_that_leads_here_from_this_machine_only_has_no_picture() -> None:
    with TestClient(application(PORT), base_url=HERE) as client:
        found = client.get(f"/room/{opened(client, ANN_AND_BEN)['code']}/link").json()
    assert (found["here"], found["qr"]) == (True, None)
    assert printed_qr_code("http://localhost:8000/room/abc") == printed_qr_code("http://[::1]:8000/") == ""


async def test_who_is_ready_is_dealt_to_when_the_last_one_is_or_leaves() -> None:
    _, hosted = hall_with(Person("Ann"), Person("Ben"))
    await hosted.change(lambda room: room.end())
    ann, ben = hosted.room.members
    with hosted.listening(ann):
        with hosted.listening(ben):
            await hosted.change(lambda room: room.ready(ann))
            assert hosted.room.table is None
        await until(lambda: hosted.room.table)
        assert hosted.room.tables == 2


async def test_a_round_in_which_a_hand_was_not_shown_is_not_replayed() -> None:
    _, hosted = hall_with(Person("Ann"), Person("Ben"), game=register(KuhnPoker).declaration.name)
    for move in ("bet", "fold"):
        await until(lambda: hosted.room.table.asked)
        table = hosted.room.table
        await hosted.change(
            lambda room, move=move: room.table.act(
                room.table.asked, Move(move), at=room.table.version(room.table.asked)
            )
        )
    assert table.state == "over"
    with pytest.raises(BadRequest, match="some hands were not shown"):
        _ = hosted.over


async def test_a_round_is_replayed_with_open_hands_when_it_is_over_and_not_before() -> None:
    hall = Hall()
    transport = httpx2.ASGITransport(application(PORT, hall=hall, search=background_search))
    async with httpx2.AsyncClient(transport=transport, base_url=HERE) as client:
        hosted = in_hall(hall, Person("Ann"), Computer("house"), target=500)
        await hosted.change(lambda room: None)
        path, room = f"/tables/{who(hosted, 1)}/replay", hosted.room
        chances = path.replace("replay", "chances")
        for each in (path, chances):
            assert "no round is over" in error(await client.get(each), 403)
        await played_to_the_end(hosted)
        assert room.table.state == "round over"
        page = await client.get(path)
        assert page.status_code == 200
        assert '"names":["Ann","Juno"]' in page.text
        assert room.table.setup.key not in page.text
        assert str(room.table.setup.dice(0)[0]) not in page.text
        found = (await client.get(chances)).json()
        assert {move["player"] for move in found["moves"]} <= {1, 2}
        assert sorted(found["gained"]) == [0, 1]
        await hosted.change(lambda room: room.ready(who(hosted, 1)))
        assert room.table.round == 2
        for each in (path, chances):
            assert "no round is over" in error(await client.get(each), 403)
