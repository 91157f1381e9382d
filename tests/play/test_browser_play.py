"""The pages to play on in a real browser, at a real server."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from all_games import MAHJONG, OFFICIAL_UNO
from browsing import Watched, complaints, until

from examples.beggar_my_neighbour import BeggarMyNeighbour
from examples.briscola import Briscola
from examples.crazy_eights import CrazyEights
from examples.durak import Durak
from examples.euchre import Euchre
from examples.gin_rummy import GinRummy
from examples.go_fish import GoFish
from examples.hearts import Hearts
from examples.kuhn_poker import KuhnPoker
from examples.leduc_poker import LeducPoker
from examples.president import President
from examples.schnapsen import Schnapsen
from examples.spades import Spades
from fsm import Game, MauMau, Uno, register

pytest.importorskip("playwright")

from play_pages import (
    AT_ONCE,
    ROOT,
    answer,
    asked_or_over,
    box_of,
    by_keyboard,
    by_mouse,
    by_touch,
    go_on,
    in_sizes,
    is_asked,
    play_round,
    playable,
    played_out,
    settled,
    state,
)
from play_pages import (
    opened as room_with,
)
from serving import serving

from maumau.play.server.app import application, configured
from maumau.play.table.hints import background_search

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
GAMES = {"maumau": 3, "uno": 3, "uno-official": 3, "mahjong": 4}
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 900}
LYING = {"width": 844, "height": 390}
thorough = pytest.mark.thorough


class Server:
    """A server of its own, which can be killed and started again at the same address."""

    def __init__(self, store: Path) -> None:
        self._store = str(store)
        self._port = "0"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "maumau", "serve", "--port", self._port, "--tables", self._store]
        self._serving = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ)
        assert self._serving.stderr is not None
        line = next(line for line in self._serving.stderr if line.startswith("maumau: "))
        self.address = line.split()[1]
        self._port = self.address.rstrip("/").rpartition(":")[2]

    def stop(self, by: signal.Signals = signal.SIGINT) -> None:
        self._serving.send_signal(by)
        self._serving.communicate(timeout=60)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server in this process, whose rooms deal as `known_deals` says."""
    import uvicorn

    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        server = uvicorn.Server(configured(application(port, search=background_search)))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield f"http://127.0.0.1:{port}/"
        server.should_exit = server.force_exit = True
        thread.join()


class Visit:
    """A page at a server, whose faults and requests are watched."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.watched = Watched(browser, **{"viewport": LAPTOP, **options})
        self.watched.context.add_init_script(AT_ONCE)
        self.page: Page = self.watched.page
        self.address = address

    def to(self, path: str) -> Page:
        self.page.goto(f"{self.address}{path}")
        until(self.page, f"{ROOT}.ready === ''")
        return self.page

    def close(self, expected: Callable[[str], bool] = lambda fault: False) -> None:
        assert [fault for fault in self.watched.faults if not expected(fault)] == []
        assert [url for url in self.watched.requests if not url.startswith((self.address, "data:"))] == []
        self.watched.close()


Open = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Open]:
    """`visit()`: a browser at the server; at the end it must have had no fault and asked nobody but its server."""
    visits: list[Visit] = []

    def start(**options: Any) -> Visit:
        visits.append(Visit(browser, address, **options))
        return visits[-1]

    yield start
    for each in visits:
        each.close()


def opened(address: str, game: str, people: int = 1, **plan: Any) -> dict[str, Any]:
    """A room with people who have been dealt to."""
    names = ("Ann", "Ben", "Cleo", "Dan")[:people]
    return room_with(address, names, game=game, players=max(GAMES[game], people), **plan)


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize(
    ("game", "act", "options"),
    [
        pytest.param(game, act, options, marks=() if (game, act) == ("maumau", by_mouse) else thorough)
        for game in GAMES
        for act, options in ((by_mouse, {}), (by_keyboard, {}), (by_touch, {"viewport": PHONE, "has_touch": True}))
    ],
)
def test_a_whole_round_is_played(visit: Open, address: str, game: str, act: Any, options: dict[str, Any]) -> None:
    page = visit(**options).to(opened(address, game)["seats"][0])
    acts = play_round(page, act)
    ending = page.inner_text("#result-title")
    assert page.locator("#announcements p").last.inner_text().startswith(ending[:-1]), "screen readers say it, too"
    assert acts > 2
    assert "wins" in ending or "Nobody" in ending
    assert page.locator("#scores tr").count() == GAMES[game]
    assert page.locator("#result").evaluate("panel => panel.scrollHeight <= panel.clientHeight"), "nothing is scrolled"
    assert page.locator("#others .open-hand").count() == GAMES[game] - 1, "all hands are open now"


@thorough
def test_rounds_are_scored_until_the_target_is_reached(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau", target=25)["seats"][0])
    rounds = 1
    play_round(page, by_mouse)
    while state(page) == "round over":
        answer(page, go_on)
        if state(page) == "playing":
            rounds += 1
            assert page.inner_text("#standing") == f"Round {rounds} · to 25 points"
            play_round(page, by_mouse)
    totals = [int(text) for text in page.locator("#scores td:last-child").all_inner_texts()]
    assert max(totals) >= 25
    title = page.inner_text("#result-title")
    assert "match" in title
    marked = page.locator("#scores tr.winner th").all_inner_texts()
    assert [name for name in marked if title.startswith(name)] == marked
    assert len(marked) == 1
    assert page.inner_text("#ready") == "New match"
    assert page.inner_text("#plan") == "Next: Mau-Mau, 3 players, to 25 points"


def test_piles_of_cards_in_an_order_lie_before_the_seats(visit: Open, address: str) -> None:
    game = register(BeggarMyNeighbour).declaration.name
    links = room_with(address, ["Ann"], game=game, players=2, computer="house")
    page = visit(viewport=LYING, has_touch=True).to(links["seats"][0])
    asked_or_over(page)
    assert page.locator(".melds .caption").all_inner_texts() == ["own · 26", "own · 26"]
    answer(page)
    left = [int(text.split(" · ")[1]) for text in page.locator(".melds .caption").all_inner_texts()]
    assert sum(left) + int(page.inner_text("#open .caption").split(" · ")[1]) == 52
    assert page.locator(".melds .card").count() == 2, "of each pile one back is seen"
    assert page.locator("#log-entries .chip").count() >= 2, "the log has the cards that were turned"
    assert complaints(page) == []


def test_what_is_counted_of_a_seat_stands_beside_it(visit: Open, address: str) -> None:
    links = room_with(address, ["Ann"], game=register(Spades).declaration.name, players=4, computer="house")
    page = visit(viewport=PHONE, has_touch=True).to(links["seats"][0])
    asked_or_over(page)
    plates = page.locator(".plate-head")
    assert not any("bid" in text for text in plates.all_inner_texts()), "nobody has bid"
    answer(page)
    texts = plates.all_inner_texts()
    assert len(texts) == 4
    assert all(re.search(r"\bbid \d", text) for text in texts), texts
    assert [number for number, text in enumerate(texts) if "your partner" in text] == [1], "opposite"
    assert page.locator("#notes .note").all_inner_texts() == ["trump: spades"]
    assert page.locator(".stack.empty:visible").count() == 0, "nothing lies where nothing was played"
    assert complaints(page) == []
    answer(page, by_touch)
    until(page, "document.querySelectorAll('#trick li').length > 0")
    trick = page.locator("#trick li").all_inner_texts()
    assert len(set(trick)) == len(trick) <= 4, "one card of each player"
    assert not page.locator("#open").is_visible()
    played_out(address, links["seats"])
    until(page, f"{ROOT}.state === 'over' && document.getElementById('result-title').textContent !== ''")
    title = page.inner_text("#result-title")
    assert re.fullmatch(r"(Ann and \w+|\w+ and \w+) win\.|Nobody wins: .*", title), "people are called by their names"
    assert complaints(page) == []


def test_a_game_of_a_stranger_is_played_like_the_others(browser: Browser, tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "hearts.py:Hearts"
    with serving("serve", "--tables", str(tmp_path / "tables.db"), "--game", str(example)) as server:
        visited = Visit(browser, server)
        page = visited.to("")
        page.get_by_role("textbox", name="Your name").fill("Zoe")
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/room/*")
        assert play_round(page, by_mouse) > 10
        assert "Points" in page.inner_text("#points")
        visited.close()


# ---------------------------------------------------------------- what a person can do


def test_a_card_under_the_mouse_covers_no_other(visit: Open, address: str) -> None:
    page = visit(viewport=PHONE).to(opened(address, "uno")["seats"][0])
    asked_or_over(page)
    first, second = (box_of(page.locator("#hand button").nth(place)) for place in (0, 1))
    assert second["x"] < first["x"] + first["width"], "they overlap"
    page.mouse.move(first["x"] + 8, first["y"] + 40)
    there = "([x, y]) => [...document.querySelectorAll('#hand button')].indexOf(document.elementFromPoint(x, y).closest('button'))"
    assert page.evaluate(there, [second["x"] + 8, second["y"] + 40]) == 1


def test_a_room_is_opened_in_the_lobby(visit: Open) -> None:
    page = visit().to("")
    page.get_by_role("radio", name="Mau-Mau").focus()
    page.keyboard.press("Tab")
    page.get_by_text("More", exact=True).click()
    page.get_by_text("A different one at each seat").click()
    assert page.locator("#each select").count() == 2
    page.get_by_role("button", name="One player fewer").click()
    page.locator("#each select").select_option("random")
    page.locator("#house-rules summary").click()
    page.get_by_role("checkbox", name=re.compile("^Five each ")).check()
    page.get_by_role("textbox", name="Your name").fill("Zoe")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/room/*")
    asked_or_over(page)
    assert page.inner_text("#plate").startswith("Zoe")
    assert page.locator("#hand button").count() >= 5
    assert page.locator("#others > li").count() == 1
    assert "Random" in page.inner_text("#others")


def test_a_family_finds_its_rules_and_opponents_in_its_words(visit: Open) -> None:
    page = visit().to("")
    assert page.locator("#games b").all_inner_texts() == ["Mau-Mau", "Mahjong", "Official UNO"]
    assert not page.locator("label.game b", has_text=re.compile("^UNO$")).is_visible(), "it is for contests"
    page.locator("#games b", has_text="Official UNO").click()
    names = ["As in the box", "Progressive UNO", "Family UNO", "Strict UNO"]
    assert page.locator("#profiles b").all_inner_texts() == names
    page.locator("#games b", has_text="Mau-Mau").click()
    names = ["As in the box", "Five cards each", "Czech rules", "More special cards"]
    assert page.locator("#profiles b").all_inner_texts() == names
    page.locator("#games b", has_text="Official UNO").click()
    page.get_by_text("Family UNO").click()
    page.get_by_role("radio", name="Easy").check()
    assert not page.locator("#computer").is_visible()
    page.get_by_text("More", exact=True).click()
    assert page.locator("#computer").input_value() == "random-legal-card"
    page.select_option("#computer", "house")
    assert page.get_by_role("radio", name="Good").is_checked()
    page.select_option("#computer", "bluffer")
    assert page.locator("#levels :checked").count() == 0
    page.get_by_role("textbox", name="Your name").fill("Zoe")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/room/*")
    asked_or_over(page)
    assert "4 house rules" in page.inner_text("#title")
    assert "Bluffer" in page.inner_text("#others")
    page.click("#menu-button")
    page.click("#end")
    page.get_by_role("link", name="Another game").click()
    until(page, f"{ROOT}.ready === ''")
    assert page.locator("#profiles :checked").input_value() == "family-uno"


def test_the_lobby_leads_back_to_the_latest_rooms_in_which_one_sits(visit: Open, address: str) -> None:
    visited = visit(viewport=PHONE)
    rooms = [opened(address, game) for game in ("maumau", "uno", "maumau", "uno-official")]
    for room in rooms:
        page = visited.to(room["seats"][0])
        settled(page)
    page.evaluate("localStorage.setItem('maumau room GONE', `gone ${Date.now()}`)")
    page.click("#menu-button")
    page.click("#lobby")
    links = page.get_by_role("navigation", name="Your rooms").get_by_role("link")
    links.nth(1).wait_for()
    latest = [
        f"Go on in room {rooms[place]['code']}: {title}" for place, title in ((3, "Official UNO"), (2, "Mau-Mau"))
    ]
    assert links.all_inner_texts() == latest
    assert len([url for url in visited.watched.requests if url.endswith("/state")]) == 3, "not all rooms are asked for"
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert complaints(page) == []
    links.nth(1).click()
    settled(page)
    page.go_back()
    links.nth(2).wait_for()
    codes = [re.findall(r"room (\w+)", text)[0] for text in links.all_inner_texts()]
    assert codes == [rooms[place]["code"] for place in (2, 3, 1)], "the room that is gone was forgotten"
    visited.watched.faults[:] = [fault for fault in visited.watched.faults if "404" not in fault]


def test_one_link_for_two_people_who_stay_together(visit: Open) -> None:
    ann, ben = visit(), visit(viewport=PHONE, has_touch=True)
    page = ann.to("")
    page.get_by_role("textbox", name="Your name").fill("Ann")
    page.get_by_role("button", name="Wait for others").click()
    page.wait_for_url("**/room/*")
    until(page, f"{ROOT}.state === 'gathering'")
    until(page, "document.querySelector('#invite .address').value !== ''")  # the link is asked for meanwhile
    assert complaints(page) == []
    other = ben.to(page.locator("#invite .address").input_value().removeprefix(ann.address))
    assert complaints(other) == []
    other.get_by_role("textbox", name="Your name").fill("ann")
    other.get_by_role("button", name="Sit down").click()
    other.get_by_text("somebody in this room has this name").wait_for()
    other.get_by_role("textbox", name="Your name").fill("Ben")
    other.get_by_role("button", name="Sit down").click()
    until(other, f"{ROOT}.state === 'gathering'")
    pages = [page, other]
    for tables in (1, 2):
        page.click("#ready")
        page.get_by_text("Waiting for Ben").wait_for()
        other.tap("#ready")
        for each in pages:
            until(each, f"{ROOT}.state === 'playing'")
        assert take_turns(pages) > 1
        for each in pages:
            until(each, f"{ROOT}.state === 'over'")
        logged(pages)
        assert page.inner_text("#result-title") == other.inner_text("#result-title") != ""
        assert complaints(page) == []
        assert other.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert [each.split("\n")[0] for each in page.locator("#people li").all_inner_texts()] == ["Ann", "Ben"], tables
    ben.watched.faults[:] = [fault for fault in ben.watched.faults if " 422 " not in fault]


def test_the_room_plays_another_game_and_somebody_leaves_and_is_removed(visit: Open, address: str) -> None:
    links = opened(address, "maumau", people=2)
    ann, ben = visit(), visit(viewport=PHONE, has_touch=True)
    page, other = ann.to(links["seats"][0]), ben.to(links["seats"][1])
    settled(other)
    page.click("#menu-button")
    page.click("#end")
    page.get_by_role("link", name="Another game").click()
    page.get_by_text("More", exact=True).click()
    page.locator("label.game b", has_text=re.compile("^UNO$")).click()
    page.get_by_role("button", name="Play this next").click()
    page.locator("#plan", has_text="UNO, 3 players").wait_for()
    page.click("#ready")
    other.get_by_text("UNO, 3 players").wait_for()
    other.tap("#ready")
    for each in (page, other):
        each.get_by_role("button", name="UNO", exact=True).wait_for()  # the page has been loaded again
        settled(each)
    other.click("#menu-button")
    other.click("#leave")
    other.get_by_role("button", name="Come back", exact=True).click()
    until(other, "document.getElementById('absent').hidden")
    ben.watched.page.reload()
    until(other, f"{ROOT}.state === 'playing'")
    assert other.inner_text("#plate").startswith("Ben")
    page.click("#menu-button")
    page.click("#end")
    until(other, f"{ROOT}.state === 'gathering'")
    before = page.url
    page.get_by_role("button", name="Remove Ben").click()
    page.get_by_role("button", name="Remove Ben").click()
    other.get_by_text("no such room", exact=False).or_(other.get_by_text("not in this room")).first.wait_for()
    until(page, f"location.href !== '{before}'")
    ben.watched.faults[:] = [fault for fault in ben.watched.faults if " 4" not in fault]


def test_who_is_not_in_a_room_comes_in_before_choosing_its_game(visit: Open, address: str) -> None:
    room = f"room/{opened(address, 'maumau')['code']}"
    page = visit().to(f"{room}/game")
    assert page.url == f"{address}{room}"
    assert page.locator("#join").is_visible()


def test_who_moves_to_another_device_goes_on_there(visit: Open, address: str) -> None:
    links = opened(address, "maumau")
    page, other = visit().to(links["seats"][0]), visit(viewport=PHONE).to(f"room/{links['code']}")
    page.click("#menu-button")
    page.click("#move")
    page.get_by_text("give the code").wait_for()
    code = re.search(r"the code (\w+)\.", page.inner_text("#move-code"))
    assert code is not None
    other.locator("#join summary").click()
    other.fill("#moved", code[1])
    other.get_by_role("button", name="Continue here").click()
    settled(other)
    assert other.inner_text("#plate").startswith("Ann")
    assert complaints(page) == []


def test_a_card_that_cannot_be_played_says_why_and_a_hint_says_what_can(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau")["seats"][0])
    asked_or_over(page)
    while len(playable(page)) in (0, page.locator("#hand button").count()):
        answer(page)
    version = settled(page)
    refused = next(place for place in range(9) if place not in playable(page))
    card = page.locator("#hand button").nth(refused)
    why = card.get_attribute("aria-description")
    card.click(position={"x": 8, "y": 14}, force=True)
    until(page, "document.getElementById('notice').textContent !== ''")
    assert why
    assert why.split()[-1] in page.inner_text("#notice") or page.locator("#notice .chip").count()
    page.click("#hint")
    until(page, "/^(Play|Draw)/.test(document.getElementById('notice').textContent)")
    assert page.locator(".hinted").count() == 1
    page.keyboard.press("Escape")
    assert page.inner_text("#notice") == ""
    assert settled(page) == version, "neither changes anything"


def tap_jack(page: Page) -> None:
    """Play until a jack can be played, and tap it."""
    jack = page.locator("#hand.asked [data-card$=J][aria-disabled=false]")
    asked_or_over(page)
    while not jack.count():
        answer(page, go_on)
    jack.first.click(position={"x": 8, "y": 14})


def test_the_chooser_asks_for_what_is_chosen(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau")["seats"][0])
    tap_jack(page)
    assert re.fullmatch(r"Play jack of \w+: which suit\?", page.inner_text("#chooser-title"))
    assert page.locator("#chooser-moves button").count() == 4


def test_a_hand_lies_in_the_order_that_its_player_chooses(visit: Open, address: str) -> None:
    register(Euchre)
    page = visit().to(room_with(address, ("Ann",), game="euchre", players=4)["seats"][0])
    asked_or_over(page)
    suits, ranks = "DHSC".index, "9TJQKA".index

    def choose(order: str) -> list[str]:
        page.click("#menu-button")
        page.locator("#hand-order").select_option(order)
        page.click("#menu-close")
        return hand_on(page)

    hand = hand_on(page)
    assert hand == sorted(hand, key=lambda card: (suits(card[1]), ranks(card[0])))
    assert choose("rank") == sorted(hand, key=lambda card: (ranks(card[0]), suits(card[1])))
    assert choose("hand") == hand_on(page)
    laid = hand_on(page)
    page.locator("#hand button").first.focus()
    page.keyboard.press("Shift+ArrowRight")
    laid[:2] = laid[1::-1]
    assert hand_on(page) == laid
    first, last = (box_of(page.locator("#hand button").nth(place)) for place in (0, -1))
    page.mouse.move(first["x"] + 9, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] - 4, first["y"] + 20, steps=5)
    page.mouse.up()
    laid.append(laid.pop(0))
    assert hand_on(page) == laid
    assert page.locator("#hand-order").input_value() == "hand"
    page.reload()
    asked_or_over(page)
    assert page.locator("#hand-order").input_value() == "hand"
    assert choose("") == hand


def test_a_move_is_taken_back(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau")["seats"][0])
    asked_or_over(page)
    hand = hand_on(page)
    answer(page)
    answer(page, lambda page: page.click("#undo"))
    assert hand_on(page) == hand
    assert "takes back a move" in page.inner_text("#recent")


@pytest.mark.parametrize("game", ["maumau", pytest.param("mahjong", marks=thorough)])
def test_the_replay_of_a_round_shows_where_the_chances_fell(visit: Open, address: str, game: str) -> None:
    page = visit().to(opened(address, game)["seats"][0])
    play_round(page, by_mouse)
    page.goto(str(page.locator("#replay").evaluate("link => link.href")))
    until(page, "!document.getElementById('chances').hidden")
    players = GAMES[game]
    paths = page.locator("#chances-lines path").count()
    assert paths == players + 3, "a line a player; the even chance, the fall, the event"
    assert page.locator("#chances-of [aria-pressed=true]").inner_text() == "Ann"
    for player in range(players):
        page.locator("#chances-of button").nth(player).click()
        if page.locator("#fall-show").is_visible():
            page.click("#fall-show")
            assert page.inner_text("#place").split()[0] in page.inner_text("#fall")
    assert complaints(page) == []


def test_the_lobby_and_the_stepping_page_lead_to_each_other(visit: Open) -> None:
    page = visit().to("")
    page.get_by_role("link", name="Step a machine").click()
    page.get_by_role("link", name="Play at a table").click()
    page.get_by_role("link", name="Step a machine").wait_for()
    assert "Plays its highest fitting card" in str(page.text_content("#strength"))
    assert "search:10" not in str(page.text_content("#computer")), "this server lists no other players"


def test_the_machine_shows_the_phase_and_a_click_on_an_enabled_arc_fires_it(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau")["seats"][0])
    version = asked_or_over(page)
    page.click("[data-view=machine]")
    assert page.locator("#felt").is_visible(), "the machine is beside the table"
    for _ in range(4):
        if state(page) != "playing":
            break
        phase = page.inner_text("#phase")
        assert page.locator(".phase.active").get_attribute("id") == phase.upper().replace("-", "_")
        page.locator(".arc.offered").first.dispatch_event("click")
        if page.locator("#chooser").is_visible():
            page.locator("#chooser-moves button").first.click()
        version = asked_or_over(page, version)


def test_on_a_phone_the_machine_is_zoomed_and_gives_way_to_the_end_of_the_round(visit: Open, address: str) -> None:
    page = visit(viewport=PHONE, has_touch=True).to(opened(address, "maumau")["seats"][0])
    asked_or_over(page)
    page.tap("[data-view=machine]")
    assert not page.locator("#felt").is_visible()
    width = "document.querySelector('#diagram svg').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.tap("#zoom-in")
    assert page.evaluate(width) == pytest.approx(1.4 * before, rel=0.01)
    page.tap("#zoom-out")
    assert page.evaluate(width) == pytest.approx(before, rel=0.01)
    play_round(page, by_touch)
    assert page.locator("#ready").is_visible()


# ---------------------------------------------------------------- several people, and lost connections


def take_turns(pages: list[Page], acts: int = 200) -> int:
    """Let whoever is asked act so often, or until the round is over. Returns how often somebody has acted."""
    acted, end = 0, time.monotonic() + 600
    while acted < acts:
        assert time.monotonic() < end, "nobody is asked"
        for page in pages:
            settled(page)
        if state(pages[0]) != "playing":
            break
        asked = next((page for page in pages if is_asked(page)), None)
        if asked is not None:
            version = settled(asked)
            by_mouse(asked)
            settled(asked, version)
            acted += 1
    return acted


def logged(pages: list[Page]) -> None:
    """Wait until the logs of all pages have the same number of lines: no event is lost or doubled."""
    count = "document.querySelectorAll('#log-entries > li').length"
    most = max(page.evaluate(count) for page in pages)
    for page in pages:
        until(page, f"{count} === {most}")


def test_a_connection_that_is_cut_mends_itself(visit: Open, address: str) -> None:
    links = opened(address, "maumau", people=2)
    one, other = visit(), visit()
    pages = [one.to(links["seats"][0]), other.to(links["seats"][1])]
    for page in pages:
        settled(page)
    other.watched.context.set_offline(True)
    until(pages[1], f"{ROOT}.connection === 'lost'")
    assert "Connection lost" in pages[1].inner_text("#connection")
    if is_asked(pages[0]):
        version = settled(pages[0])
        by_mouse(pages[0])
        settled(pages[0], version)
    other.watched.context.set_offline(False)
    until(pages[1], f"{ROOT}.connection === 'open'")
    take_turns(pages, 3)
    logged(pages)
    other.watched.faults[:] = [fault for fault in other.watched.faults if "ERR_INTERNET_DISCONNECTED" not in fault]


@thorough
def test_a_server_that_is_killed_and_started_again_goes_on(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.db")
    links = opened(server.address, "maumau", people=2)
    visits = [Visit(browser, server.address) for _ in range(2)]
    pages = [each.to(path) for each, path in zip(visits, links["seats"], strict=False)]
    version = 0
    for _ in range(3):
        asked = next(page for page in pages if is_asked(page))
        version = settled(asked)
        by_mouse(asked)
        settled(asked, version)
        for page in pages:
            settled(page)
    server.stop(signal.SIGKILL)
    for page in pages:
        until(page, f"{ROOT}.connection === 'lost'")
    server.start()
    for page in pages:
        until(page, f"{ROOT}.connection === 'open'")
    take_turns(pages)
    logged(pages)
    for each in visits:
        each.close(lambda fault: "ERR_" in fault)
    server.stop()


# ---------------------------------------------------------------- who must see what


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (LAPTOP, "light")])
def test_the_table_fits_and_everybody_can_use_it(visit: Open, address: str, size: Any, scheme: str) -> None:
    page = visit(viewport=size, color_scheme=scheme).to(opened(address, "mahjong", claim_seconds=60)["seats"][0])
    settled(page)
    for view in ("machine", "table"):
        page.click(f"[data-view={view}]")
        found = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert found == [size["width"], size["height"]], "nothing is scrolled"
        assert complaints(page) == []
    last = box_of(page.locator("#hand button").last)
    assert last["y"] + last["height"] <= size["height"]
    page.click("#menu-button")
    assert complaints(page) == []
    page.set_viewport_size({"width": 1024, "height": 768})
    places = page.evaluate("[...document.querySelectorAll('.seat')].map(seat => seat.getBoundingClientRect().left)")
    assert places == sorted(set(places)), "three players sit side by side"


SIZES = [(1280, 720), (1100, 720), (1280, 900), (1440, 1080), (390, 844), (844, 390), (568, 320)]
SPACE = """() => {
  const PARTS = ".bar > *, #others > li, #draw, #open, #trick, #trick li, #between > li, #notes .note, #river, .discards, .recent .line, #prompt, #plate, #helps, #hand button:last-child, #log";
  const isSeen = (part) => part.getBoundingClientRect().width > 1 && part.getBoundingClientRect().height > 1 && getComputedStyle(part).visibility !== "hidden";
  const name = (part) => part.id || `${part.className || part.tagName} of ${part.parentElement.id || part.parentElement.className}`;
  const isInside = (box, room) => box.left > room.left - 1.5 && box.right < room.right + 1.5 && box.top > room.top - 1.5 && box.bottom < room.bottom + 1.5;
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const found = [];
  const boxes = [...document.querySelectorAll(PARTS)].filter(isSeen).map((part) => [part, part.getBoundingClientRect()]);
  boxes.forEach(([part, box], place) => {
    for (const [other, its] of boxes.slice(place + 1)) {
      if (!part.contains(other) && meet(box, its)) found.push(`${name(part)} lies over ${name(other)}`);
    }
    if (!isInside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) found.push(`${name(part)} leaves the window`);
    for (let outer = part.parentElement; outer !== document.body; outer = outer.parentElement) {
      const { containerType, overflowX, overflowY } = getComputedStyle(outer);
      const cuts = containerType !== "normal" || overflowX !== "visible" || overflowY !== "visible";
      if (cuts && !isInside(box, outer.getBoundingClientRect())) found.push(`${name(part)} is cut by ${name(outer)}`);
    }
  });
  return [found, boxes.map(([part]) => part.id)];
}"""
"""A script that returns which parts of the table lie over others or are cut, and the names of all that are seen."""
KINDS = (MauMau, Uno, OFFICIAL_UNO, MAHJONG, CrazyEights, Hearts, GoFish, LeducPoker, KuhnPoker, Spades)
KINDS += (BeggarMyNeighbour, GinRummy, Briscola, Durak, President)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.declaration.name)
def test_nothing_lies_over_anything_and_nothing_is_cut(visit: Open, address: str, kind: type[Game]) -> None:
    declaration = register(kind).declaration
    players = min(4, declaration.codec.most)
    page = visit().to(room_with(address, ["Ann"], game=declaration.name, players=players)["seats"][0])
    asked_or_over(page)
    seen = set()
    for _ in range(5):
        for width, height in in_sizes(page, SIZES):
            faults, parts = page.evaluate(SPACE)
            assert faults == [], (width, height)
            seen.update(parts)
        page.set_viewport_size(LAPTOP)
        answer(page)
        if state(page) != "playing":
            break
    assert seen >= ({"draw", "trick", "prompt"} if kind is Briscola else {"prompt"})


def test_trump_and_the_turned_card_are_seen_beside_the_trick(visit: Open, address: str) -> None:
    name = register(Briscola).declaration.name
    page = visit().to(room_with(address, ["Ann"], game=name, players=4)["seats"][0])
    asked_or_over(page)
    while not page.locator("#trick li").count():
        answer(page)
    for width, height in in_sizes(page, SIZES):
        for part in ("#notes .note >> text=trump", "#between .card", "#trick li >> nth=0", "#draw .stack"):
            assert page.locator(part).first.is_visible()
            box = box_of(page.locator(part).first)
            on_top = f"document.elementFromPoint({box['x'] + box['width'] / 2}, {box['y'] + box['height'] / 2})"
            assert page.evaluate(f"Boolean({on_top}.closest('#middle'))"), (part, width, height)


@pytest.mark.parametrize("size", [LYING, {"width": 568, "height": 320}, PHONE], ids=str)
def test_a_phone_shows_what_others_did(visit: Open, address: str, size: dict[str, int]) -> None:
    page = visit(viewport=size, has_touch=True).to(opened(address, "maumau")["seats"][0])
    asked_or_over(page)
    answer(page, by_touch)
    lines = page.locator(".recent .line:visible")
    assert lines.count() in (1, 2)
    assert lines.last.text_content() == page.locator("#log-entries .line").last.text_content()
    assert complaints(page) == []


def test_the_hand_of_the_next_round_is_as_large_as_that_of_the_first(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau", target=500)["seats"][0])
    width = "document.querySelector('#hand .card').getBoundingClientRect().width"
    asked_or_over(page)
    first = page.evaluate(width)
    play_round(page, by_mouse)
    answer(page, go_on)
    assert page.evaluate(width) == pytest.approx(first, abs=1)


HIDDEN = """
  Object.defineProperty(Document.prototype, "hidden", { get: () => Boolean(window.isAway) });
  window.tones = 0;
  window.AudioContext = class {
    state = "running";
    currentTime = 0;
    createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (next) => next }; }
    createOscillator() { return { frequency: {}, connect: (next) => next, start() { window.tones += 1; }, stop() {} }; }
  };
"""
"""A script that lets a page be hidden, and counts the tones that it plays."""


def test_a_hidden_page_calls_who_is_asked(visit: Open, address: str) -> None:
    seen = visit()
    seen.watched.context.add_init_script(HIDDEN)
    page = seen.to(opened(address, "maumau")["seats"][0])
    asked_or_over(page)
    page.mouse.click(5, 5)  # lets the page make sounds
    page.evaluate("window.isAway = true; window.tones = 0;")
    answer(page)
    assert page.evaluate("window.tones") == 2


def test_what_a_hint_says_of_a_card_is_part_of_its_name(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau")["seats"][0])
    asked_or_over(page)
    while not playable(page):
        answer(page)
    buttons = page.locator("#hand button, #choices button")
    names = [each.get_attribute("aria-label") or "" for each in buttons.all()]
    for _ in range(60):  # until the search is compiled
        page.click("#hint")
        page.wait_for_timeout(1000)
        if page.locator(".worth").count():
            break
    marked = 0
    for button, name in zip(buttons.all(), names, strict=True):
        worth = button.locator(".worth")
        if worth.count():
            assert button.get_attribute("aria-label") == f"{name}, {worth.inner_text()}"
            assert re.fullmatch(r"\d+%|[+-]\d+\.\d\d", worth.inner_text())
            marked += 1
    assert marked
    answer(page)
    assert not [each for each in page.locator("#hand button").all() if "%" in (each.get_attribute("aria-label") or "")]


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_suit_has_the_colour_of_its_cards_in_the_chooser(visit: Open, address: str, scheme: str) -> None:
    page = visit(color_scheme=scheme).to(opened(address, "maumau")["seats"][0])
    tap_jack(page)
    fill = "(suit) => getComputedStyle(suit).fill"
    for suit in "HDSC":
        on_card = page.evaluate(
            f"getComputedStyle(document.documentElement).getPropertyValue('--{NAMED[suit]}').trim()"
        )
        red, green, blue = (int(on_card[place : place + 2], 16) for place in (1, 3, 5))
        assert page.locator(f"#chooser .mark .suit-{suit}").evaluate(fill) == f"rgb({red}, {green}, {blue})"
    assert complaints(page) == []


NAMED = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}


def test_a_link_that_works_only_here_has_no_picture_and_says_how_others_come_in(visit: Open, address: str) -> None:
    page = visit().to(f"{room_with(address, ['Ann'], game='maumau', players=3)['seats'][0]}")
    settled(page)
    page.click("#menu-button")
    page.locator("#menu .only-here").wait_for()
    assert "maumau party" in page.inner_text("#menu .only-here")
    assert page.locator("#menu .qr svg").count() == 0
    assert complaints(page) == []


@pytest.mark.parametrize("game", ["maumau+lively", "uno-official", "mahjong"])
def test_a_phone_that_lies_has_the_table_beside_the_hand(visit: Open, address: str, game: str) -> None:
    people = room_with(address, ["Ann"], game=game, players=4)["seats"]
    page = visit(viewport=LYING, has_touch=True).to(people[0])
    asked_or_over(page)
    assert page.evaluate(SPACE)[0] == []
    found = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert found == [LYING["width"], LYING["height"]], "nothing is scrolled"
    assert page.evaluate("document.getElementById('me').scrollHeight <= document.getElementById('me').clientHeight")
    assert complaints(page) == []
    page.click("#title")
    assert complaints(page) == []


@pytest.mark.parametrize("size", [(320, 568), (390, 844)], ids=str)
def test_a_claim_covers_nothing_on_a_phone(visit: Open, address: str, size: tuple[int, int]) -> None:
    seen, claims = visit(viewport={"width": size[0], "height": size[1]}, has_touch=True), 0
    while claims < 4:
        page = seen.to(room_with(address, ["Ann"], game="mahjong", players=4)["seats"][0])
        asked_or_over(page)
        while state(page) == "playing":
            over = [fault for fault in page.evaluate(SPACE)[0] if " lies over " in fault]
            assert [fault for fault in over if "discards" not in fault] == [], "of the river a part may be hidden"
            claims += page.locator(".prompt.claim").count()
            answer(page, lambda page: page.locator(".prompt.claim .move, #hand button").first.click())


@pytest.mark.parametrize("game", ["uno-official", "uno-official+family-uno"])
@pytest.mark.parametrize("size", [(320, 568), (568, 320)], ids=str)
def test_the_colour_to_follow_is_seen_on_small_phones(
    visit: Open, address: str, game: str, size: tuple[int, int]
) -> None:
    links = room_with(address, ["Ann", "A name of forty letters, which is long"], game=game, players=4)
    page = visit(viewport={"width": size[0], "height": size[1]}, has_touch=True).to(links["seats"][0])
    for view, notes in (("table", "#notes"), ("machine", "#machine-open")):
        settled(page)
        page.click(f"[data-view={view}]")
        assert page.locator(f"{notes} .note").first.inner_text().startswith("current colour: ")
        assert page.evaluate(SPACE)[0] == []
        assert complaints(page) == []
    drawn = box_of(page.locator("#diagram"))
    assert drawn["height"] > 80


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), pytest.param(LAPTOP, "dark", marks=thorough)])
def test_the_lobby_fits_and_everybody_can_use_it(visit: Open, size: Any, scheme: str) -> None:
    page = visit(viewport=size, color_scheme=scheme).to("")
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    page.locator("#house-rules summary").click()
    assert complaints(page) == []


def test_the_arrow_keys_lead_to_the_cards_and_to_the_next_round(visit: Open, address: str) -> None:
    seats = opened(address, "uno")["seats"]
    page = visit().to(seats[0])
    asked_or_over(page)
    page.focus("#hint")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.closest('#hand') !== null")
    played_out(address, seats)
    until(page, f"{ROOT}.state === 'over'")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "ready"
    page.keyboard.press("Enter")
    until(page, f"{ROOT}.state === 'playing'")


def test_what_others_do_is_announced(visit: Open, address: str) -> None:
    page = visit().to(opened(address, "maumau")["seats"][0])
    asked_or_over(page)
    answer(page, by_keyboard)
    announced = page.inner_text("#announcements")
    assert "Juno" in announced or "Basil" in announced
    assert "Your turn" in announced or state(page) != "playing"


def test_one_browser_has_the_pages_of_many_seats(visit: Open, address: str) -> None:
    """Browsers keep six connections to a server for all that is no socket."""
    names = tuple(f"person {number}" for number in range(1, 9))
    first, *others = room_with(address, names, game="uno", players=8)["seats"]
    page = visit().to(first)
    pages = [page, *(page.context.new_page() for _ in others)]
    for other, path in zip(pages[1:], others, strict=True):
        other.goto(address + path)
        settled(other)
    mover = next(each for each in pages if each.evaluate(f"{ROOT}.asks"))
    version = settled(mover)
    mover.bring_to_front()
    by_keyboard(mover)
    for each in pages:
        until(each, f"{ROOT}.settled > 0")
    settled(mover, since=version)


def test_a_set_of_cards_is_laid_by_tapping_one_of_them(visit: Open, address: str) -> None:
    room = room_with(address, ["Ann"], game=register(President).declaration.name, players=3)
    page = visit(viewport=PHONE, has_touch=True).to(room["seats"][0])
    asked_or_over(page)
    hand = hand_on(page)
    page.locator("#hand button").nth(1).tap(position={"x": 8, "y": 14})
    assert page.inner_text("#question") == "Your turn: play cards"
    assert page.inner_text("#chooser-title") == "Play five of clubs: which cards?"
    offered = page.locator("#chooser-moves button")
    sets = ["play 5C", "play 5C,5D", "play 5C,5S", "play 5C,5D,5S"]
    assert offered.evaluate_all("moves => moves.map(move => move.dataset.move)") == sets
    assert complaints(page) == []
    answer(page, lambda page: offered.nth(1).tap())
    assert hand_on(page) == [card for card in hand if card not in ("5C", "5D")]


def test_a_card_that_can_be_played_or_exchanged_asks_for_which(visit: Open, address: str) -> None:
    room = room_with(address, ["Ann"], game=register(Schnapsen).declaration.name, players=2)
    page = visit(viewport=PHONE, has_touch=True).to(room["seats"][0])
    asked_or_over(page)
    page.locator("#hand button[data-card=JD]").tap(position={"x": 8, "y": 14})
    assert page.inner_text("#chooser-title") == "Jack of diamonds: what do you do?"
    moves = page.locator("#chooser-moves button").evaluate_all("moves => moves.map(move => move.dataset.move)")
    assert moves == ["play JD", "exchange JD"]


@pytest.mark.parametrize("options", [{}, {"viewport": PHONE, "has_touch": True}], ids=["laptop", "phone"])
def test_three_cards_are_passed_as_one_choice(visit: Open, address: str, options: dict[str, Any]) -> None:
    game = register(Hearts).declaration.name
    page = visit(**options).to(room_with(address, ["Ann"], game=game, players=4)["seats"][0])
    asked_or_over(page)
    hand = hand_on(page)
    cards, together = page.locator("#hand button"), page.locator("#together")
    assert page.inner_text("#question") == "Your turn: pass 3 cards"
    assert page.inner_text("#notes") == "cards go to the left"
    for place, progress in [(0, "1 of 3"), (4, "2 of 3"), (4, "1 of 3"), (5, "2 of 3")]:
        cards.nth(place).click(position={"x": 8, "y": 14})
        assert together.inner_text() == f"Pass {progress}"
        assert page.locator("#announcements p").last.inner_text() == f"{progress} chosen."
    together.click(force=True)  # it is not enabled yet
    assert page.inner_text("#notice") == "Choose 3 cards: 2 of 3."
    assert complaints(page) == []
    for place in (7, 8):  # the second one is one too many
        cards.nth(place).click(position={"x": 8, "y": 14})
    assert page.inner_text("#notice") == "3 of 3: tap a card to take it back."
    chosen = [place for place in range(13) if cards.nth(place).get_attribute("aria-pressed") == "true"]
    assert chosen == [0, 5, 7]
    answer(page, lambda page: together.click())
    until(page, "document.querySelectorAll('#together').length === 0")
    until(page, f"{ROOT}.asks === 'turn'")
    assert not {hand[place] for place in chosen} & {*hand_on(page)}
    assert len(hand_on(page)) == 13
    assert cards.first.get_attribute("aria-pressed") is None
    received = {*hand_on(page)} - {*hand}
    marked = page.locator("#hand .received")
    assert {card.get_attribute("data-card") for card in marked.all()} == received
    assert len(received) == 3
    assert all(", received" in str(card.get_attribute("aria-label")) for card in marked.all())
    assert "cards go" not in page.inner_text("#notes")
    page.reload()
    until(page, f"{ROOT}.asks === 'turn'")
    assert {card.get_attribute("data-card") for card in marked.all()} == received
    answer(page, lambda page: page.locator("#hand button[aria-disabled=false]").first.click(position={"x": 8, "y": 14}))
    assert marked.count() == 0


def hand_on(page: Page) -> list[str]:
    """The names of the cards that lie in the hand."""
    return list(page.locator("#hand button").evaluate_all("cards => cards.map(card => card.dataset.card)"))
