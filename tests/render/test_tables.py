"""The server of tables: what each link may see and do, the time to answer, the store, and limits."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from fsm import MauMau
from fsm.outside import admit_player, read_source
from play import Computer, Person, Setup, Table

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.testclient import TestClient

from render.live.app import application
from render.live.errors import Full, Refused, TooMany, Unknown
from render.live.tables import hosted as hosting
from render.live.tables.hall import Hall, TableBounds
from render.live.tables.hosted import Hosted
from render.live.tables.routes import Rates
from render.live.tables.store import Store, StoreError
from render.live.tables.stream import Pushes

PORT = 8000
HERE = f"http://127.0.0.1:{PORT}"
Json = dict[str, Any]
ANN_AND_BEN = [{"person": "Ann"}, {"person": "Ben"}]
ANN_AND_HOUSE = [{"person": "Ann"}, {"computer": "house"}]


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(application(PORT), base_url=HERE) as made:
        yield made


def opened(client: TestClient, seats: list[Json], game: str = "maumau", **fields: Any) -> Json:
    answer = client.post("/tables", json={"game": game, "seats": seats, **fields})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def seen(client: TestClient, link: str, since: int = 0) -> Json:
    return dict(client.get(f"/{link}/state?since={since}").json())


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
    for what in ("act", "undo", "next", "hint", "leave", "come-back"):
        assert "for watching" in error(client.post(f"/{watch}/{what}", json={"at": 1}), 403)


def test_an_unknown_link_is_answered_with_404(client: TestClient) -> None:
    for path in ("", "/state", "/events"):
        assert "no such table" in error(client.get(f"/tables/x{path}"), 404)
    assert "no such table" in error(client.post("/tables/x/act", json={}), 404)


def test_the_pages_ask_nobody_but_their_server(client: TestClient) -> None:
    links = opened(client, ANN_AND_HOUSE)
    for path in ("play", links["seats"][0], links["watch"]):
        page = client.get(f"/{path}")
        assert page.headers["content-type"].startswith("text/html")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "connect-src 'self'" in policy
        assert not re.search(r"(src|href)=.?(https?:)?//", page.text)


def lobby_games(client: TestClient) -> dict[str, Json]:
    """What the lobby offers, by game."""
    data = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', client.get("/play").text, re.DOTALL)
    assert data is not None
    return {game["game"]: game for game in json.loads(data[1])["games"]}


def test_the_lobby_describes_the_players_that_the_server_lists() -> None:
    with TestClient(application(PORT, players=["search:20"]), base_url=HERE) as client:
        games = lobby_games(client)
    players = dict(games["maumau"]["policies"])
    assert list(players) == ["house", "random", "first-legal", "search:20"]
    assert players["search:20"].startswith("Deals the hidden cards in 20 ways")
    assert all(text.endswith(".") for game in games.values() for _, text in game["policies"])
    assert "search:20" not in dict(games["uno-official"]["policies"]), "search cannot play it"


def test_without_a_list_the_usual_players_of_every_form_are_offered() -> None:
    with TestClient(application(PORT, players=None), base_url=HERE) as client:
        assert {"search:10", "search:1000"} < {name for name, _ in lobby_games(client)["uno"]["policies"]}
        seats = [{"person": "Ann"}, {"computer": "search:10"}]
        opened(client, seats, game="uno")
        seats = [{"person": "Ann"}, {"computer": "search:11"}]
        assert "unknown computer player" in error(client.post("/tables", json={"game": "uno", "seats": seats}), 400)


def test_the_rules_that_a_game_has_already_are_part_of_the_choice() -> None:
    with TestClient(application(PORT, first="maumau+five-each"), base_url=HERE) as client:
        games = lobby_games(client)
        assert games["maumau+five-each"]["fixed"] == ["five-each"]
        assert games["maumau"]["fixed"] == []
        links = opened(client, ANN_AND_HOUSE, game="maumau+five-each+nine-reverses")
        assert seen(client, links["seats"][0])["view"]["title"] == "Mau-Mau with five-each, nine-reverses"


# ---------------------------------------------------------------- moves


def test_a_move_is_made_once_however_often_it_is_sent(client: TestClient) -> None:
    links = opened(client, ANN_AND_BEN)
    link, view = asked(client, links["seats"])
    body = {"at": view["version"], "move": {"trigger": view["question"]["moves"][0]["trigger"]}}
    body["move"] |= {key: value for key, value in view["question"]["moves"][0].items() if key != "label"}
    first = client.post(f"/{link}/act", json=body)
    again = client.post(f"/{link}/act", json=body)
    assert (first.status_code, again.status_code) == (200, 200)
    acts = [entry for entry in seen(client, link)["log"] if entry.get("by") == "person"]
    assert len(acts) == 1


def test_what_is_refused_changes_nothing(client: TestClient) -> None:
    links = opened(client, ANN_AND_BEN)
    link, view = asked(client, links["seats"])
    other = next(path for path in links["seats"] if path != link)
    at = view["version"]
    assert "expected" in error(client.post(f"/{link}/act", json={"at": at - 1, "move": {"trigger": "draw"}}), 409)
    assert "take" in error(client.post(f"/{link}/act", json={"at": at, "move": {"trigger": "take"}}), 422)
    assert "expected a move" in error(client.post(f"/{link}/act", json={"at": at}), 400)
    other_at = seen(client, other)["view"]["version"]
    assert "not asked" in error(client.post(f"/{other}/act", json={"at": other_at, "move": {"trigger": "draw"}}), 403)
    assert seen(client, link)["view"] == view


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"seats": ANN_AND_HOUSE, "seed": 7}, "unknown field 'seed'"),
        ({"seats": "Ann"}, "expected a list of seats"),
        ({"seats": [{"computer": "house"}] * 2}, "no person at the table"),
        ({"seats": [{"person": "Ann"}, {"computer": "x.py:choose"}]}, "unknown computer player 'x.py:choose'"),
        ({"seats": [{"person": ""}, {"computer": "house"}]}, "expected 1 to 40 printable characters"),
        ({"seats": [{"person": "Ann"}]}, "2 to 4"),
        ({"seats": ANN_AND_HOUSE, "target": 0}, "target 0"),
        ({"seats": ANN_AND_HOUSE, "game": "chess"}, "unknown game"),
    ],
)
def test_what_cannot_be_opened(client: TestClient, fields: Json, reason: str) -> None:
    assert reason in error(client.post("/tables", json=fields), 400)


# ---------------------------------------------------------------- what goes on by itself


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 20))


def hall_with(*seats: Any, **options: Any) -> tuple[Hall, Hosted]:
    hall = Hall()
    return hall, hall.open(Setup(game="maumau", seats=seats, key="secret", **options))


async def until(condition: Any) -> None:
    while not condition():
        await asyncio.sleep(0)


def test_every_event_is_pushed_once_and_in_order() -> None:
    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Computer("house"))
        numbers = []
        with hosted.listening(1) as queue:
            numbers += [entry["number"] for entry in hosted.whole(1, 0)["log"]]
            while hosted.table.state == "playing":
                if hosted.table.asked:
                    move = hosted.table.view(1)["question"]["moves"][0]
                    at = hosted.table.version(1)
                    await hosted.change(lambda table, move=move, at=at: table.act(1, move, at))
                await asyncio.sleep(0)
            while not queue.empty():
                push = queue.get_nowait()
                assert push is not None
                numbers += [entry["number"] for entry in json.loads(push)["log"]]
        assert numbers == [entry["number"] for entry in hosted.table.log(1)]

    run(test())


def test_who_does_not_answer_in_time_is_replaced_and_can_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hosted, "_seconds", lambda self: 0.05 if self.table.asked else None)

    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Person("Ben"))
        await until(lambda: hosted.table.asked)
        late = hosted.table.asked
        assert hosted.whole(late, 0)["clock"]["of"] == 0.05
        await until(lambda: late in hosted.table.absent)
        await hosted.change(lambda table: table.come_back(late))
        assert late not in hosted.table.absent
        hosted.stop()

    run(test())


@pytest.mark.parametrize(("patience", "has_been_here"), [("AWAY", True), ("ARRIVING", False)])
def test_a_person_without_a_connection_is_waited_for_only_so_long(
    monkeypatch: pytest.MonkeyPatch, patience: str, has_been_here: bool
) -> None:
    monkeypatch.setattr(hosting, patience, 0.01)

    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Person("Ben"))
        if has_been_here:
            with hosted.listening(1), hosted.listening(2):
                pass
        await until(lambda: hosted.table.absent == {1, 2})

    run(test())


def test_no_push_has_a_card_that_the_seat_cannot_know() -> None:
    """In Mau-Mau each card is there once: of all names in a push, the seat knows each from its hand or the pile."""
    cards = "|".join(MauMau.declaration.codec.notation.cards)

    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Person("Ben"))
        known: dict[int | None, set[str]] = {1: set(), 2: set(), None: set()}
        checked = 0
        with hosted.listening(1) as ann, hosted.listening(2) as ben, hosted.listening(None) as watching:
            queues = {1: ann, 2: ben, None: watching}
            while hosted.table.state == "playing":
                for seat, queue in queues.items():
                    while not queue.empty():
                        push = queue.get_nowait()
                        assert push is not None
                        assert "secret" not in push
                        view = json.loads(push)["view"]
                        own = view["hands"][seat - 1] if seat else []
                        known[seat] |= {*own, *view["discard_pile"]}
                        if view["state"] == "playing":
                            assert {*re.findall(rf"\b(?:{cards})\b", push)} <= known[seat]
                            checked += 1
                if player := hosted.table.asked:
                    move, at = hosted.table.view(player)["question"]["moves"][0], hosted.table.version(player)
                    await hosted.change(lambda table, player=player, move=move, at=at: table.act(player, move, at))
                await asyncio.sleep(0)
        assert checked > 20

    run(test())


def test_a_player_who_is_slow_holds_nobody_up_and_one_that_fails_plays_the_first_legal_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "import threading\n\n\ndef slow(view):\n    assert threading.current_thread() is not threading.main_thread()\n    return view.moves[-1]\n\n\ndef broken(view):\n    return 1 // 0\n"
    )
    slow, broken = (admit_player(read_source(f"{path}:{name}")) for name in ("slow", "broken"))

    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Computer(slow), Computer(broken))
        await hosted.change(lambda table: table.leave(1))
        while hosted.table.state == "playing":
            hosted.whole(1, 0)
            await asyncio.sleep(0)
        assert hosted.table.state == "over"
        assert Table.restore(hosted.table.save()).view(1) == hosted.table.view(1)

    run(test())
    assert broken in caplog.text
    assert slow not in caplog.text


def test_others_are_told_who_is_here() -> None:
    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Person("Ben"))
        await until(lambda: hosted.table.asked)
        with hosted.listening(1) as queue:
            with hosted.listening(2):
                assert hosted.whole(1, 0)["here"] == [True, True]
            pushes = [json.loads(queue.get_nowait() or "") for _ in range(queue.qsize())]
        assert [push["here"] for push in pushes] == [[True, True], [True, False]]
        assert [push["log"] for push in pushes] == [[], []]

    run(test())


def test_the_next_round_is_dealt_when_somebody_asks_or_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "NEXT_ROUND", 0.01)

    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Computer("house"), target=5000)
        await hosted.change(lambda table: table.leave(1))
        await until(lambda: hosted.table.view(1)["round"] > 2)
        hosted.stop()

    run(test())


def test_who_is_far_behind_is_sent_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "MOST_WAITING", 3)

    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Computer("house"))
        with hosted.listening(1) as queue:
            await hosted.change(lambda table: table.leave(1))
            await until(lambda: hosted.table.state == "over")
            assert [queue.get_nowait() is None for _ in range(3)] == [False, False, True]

    run(test())


def test_a_stream_begins_with_the_table_and_ends_with_the_client() -> None:
    async def test() -> None:
        _, hosted = hall_with(Person("Ann"), Computer("house"))
        await until(lambda: hosted.table.asked)
        gone, sent = asyncio.Event(), []

        async def receive() -> Json:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            if len(sent) == 2:
                gone.set()

        await Pushes(hosted, 1, 0)({"type": "http"}, receive, send)
        assert dict(sent[0]["headers"])[b"content-type"] == b"text/event-stream"
        *_, data, _, _ = sent[1]["body"].decode().split("\n")
        assert json.loads(data.removeprefix("data: "))["view"] == hosted.table.view(1)
        assert hosted.connections == 0

    run(test())


# ---------------------------------------------------------------- the store


def test_tables_are_there_again_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "tables.sqlite"
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


def test_tables_that_nobody_is_connected_to_are_loaded_again_when_asked_for() -> None:
    async def test() -> None:
        hall = Hall(bounds=TableBounds(loaded=1))
        setup = Setup(game="maumau", seats=(Person("Ann"), Computer("house")), key="secret")
        first, second = hall.open(setup), hall.open(setup)
        token = next(iter(first.links))
        again, player = hall.find(token)
        assert (again is first, again is second, player) == (False, False, 1)
        await until(lambda: again.table.asked)
        assert again.table.view(1)["hands"] == again.table.view(1)["hands"]

    run(test())


def test_tables_are_bounded_and_removed_when_they_were_not_used() -> None:
    async def test() -> None:
        now = [0.0]
        hall = Hall(bounds=TableBounds(tables=1, idle=10), clock=lambda: now[0])
        setup = Setup(game="maumau", seats=(Person("Ann"), Computer("house")), key="secret")
        first = hall.open(setup)
        with pytest.raises(Full, match="1 tables are kept here"):
            hall.open(setup)
        now[0] = 1e12
        hall.open(setup)
        with pytest.raises(Unknown):
            Hall(hall._store).find(next(iter(first.links)))

    run(test())


def test_a_table_without_people_is_refused() -> None:
    with pytest.raises(Refused, match="no person"):
        Hall().open(Setup(game="maumau", seats=(Computer("house"),) * 2, key="secret"))


def test_rates_let_so_much_through_at_once_and_so_much_later() -> None:
    now = [0.0]
    rates = Rates(3, 1, clock=lambda: now[0])
    for _ in range(3):
        rates.take("Ann")
    with pytest.raises(TooMany):
        rates.take("Ann")
    rates.take("Ben")
    now[0] = 1.0
    rates.take("Ann")
    with pytest.raises(TooMany):
        rates.take("Ann")
