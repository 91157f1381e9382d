"""A room in a real browser over an evening: phones that sleep, tablets, five people, and five games with one link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from browsing import Watched, complaints, until

pytest.importorskip("playwright")

from play_pages import (
    ROOT,
    answer,
    asked_or_over,
    by_mouse,
    in_sizes,
    is_asked,
    opened,
    played_out,
    post,
    settled,
    state,
)
from test_browser_play import LYING, PHONE, SPACE, Open, address, take_turns, visit

from fsm.games.uno_official.guide import DRAW_ONE, LAY_OR_KEEP

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["address", "visit"]
pytestmark = pytest.mark.slow
TABLET = {"width": 820, "height": 1180}
PLANS = [
    {"game": "maumau+lively"},
    {"game": "uno"},
    {"game": "uno-official+family-uno"},
    {"game": "mahjong"},
    {"game": "uno-official+strict-uno", "target": 40},
]
FIVE = "Ann", "Ben", "Cleo", "Dan", "Eve"
LONG = "Wolfeschlegelsteinhausenbergerdorff🎉🎉"
OUTSIDE = """() => [...document.querySelectorAll("dialog[open] *, .arena *:not(svg *)")].map((part) => [part, part.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.left < 0 || box.right > innerWidth)).map(([part]) => part.outerHTML.slice(0, 80))"""
"""A script that returns which parts of the page are cut at the left or the right."""


def lines(page: Page) -> int:
    return int(page.evaluate("document.querySelectorAll('#log-entries > li').length"))


def test_a_phone_that_sleeps_has_missed_nothing_when_it_wakes(visit: Open, address: str) -> None:
    links = opened(address, ("Ann", "Ben"), game="maumau", players=3)
    phone, other = visit(viewport=PHONE, has_touch=True), visit()
    pages = [other.to(links["seats"][0]), phone.to(links["seats"][1])]
    take_turns(pages, 1)
    session = phone.watched.context.new_cdp_session(pages[1])
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", offline)
    until(pages[1], f"{ROOT}.connection === 'lost'")
    post(f"{address}{links['seats'][1]}/leave", {})
    asked_or_over(pages[0])
    answer(pages[0])
    session.send("Network.emulateNetworkConditions", offline | {"offline": False})
    until(pages[1], f"{ROOT}.connection === 'open'")
    until(pages[1], f"document.querySelectorAll('#log-entries > li').length === {lines(pages[0])}")
    pages[1].click("#come-back")
    until(pages[1], "document.getElementById('absent').hidden")
    asleep = "ERR_INTERNET_DISCONNECTED", "closed before the connection is established"
    phone.watched.faults[:] = [fault for fault in phone.watched.faults if not any(map(fault.__contains__, asleep))]


def test_a_page_that_was_frozen_shows_what_has_happened_when_it_goes_on(visit: Open, address: str) -> None:
    links = opened(address, ("Ann", "Ben"), game="maumau", players=2)
    phone, other = visit(viewport=PHONE, has_touch=True), visit()
    pages = [other.to(links["seats"][0]), phone.to(links["seats"][1])]
    while not is_asked(pages[0]):
        take_turns(pages, 1)
    settled(pages[1])
    session = phone.watched.context.new_cdp_session(pages[1])
    session.send("Debugger.enable")
    session.send("Debugger.pause")  # no script of the page runs until it is disabled
    version = settled(pages[0])
    by_mouse(pages[0])
    settled(pages[0], version)
    session.send("Debugger.disable")
    until(pages[1], f"document.querySelectorAll('#log-entries > li').length === {lines(pages[0])}")
    take_turns(pages, 1)  # nobody has lost a seat


@pytest.mark.parametrize("width", [320, 390])
def test_a_long_name_is_broken_where_the_window_ends(visit: Open, address: str, width: int) -> None:
    size = {"width": width, "height": 640}
    first = post(f"{address}rooms", {"name": LONG, "game": "maumau", "players": 3})
    page = visit(viewport=size).to(f"tables/{first['token']}")
    page.get_by_text("Who plays?").wait_for()
    assert page.evaluate(OUTSIDE) == []
    links = opened(address, ("Ann", LONG), game="uno-official", players=4, target=50)
    page = visit(viewport=size).to(links["seats"][0])
    settled(page)
    assert page.evaluate(OUTSIDE) == []
    names = page.locator(".plate-head b").evaluate_all("all => all.map((each) => [each.textContent, each.title])")
    assert [LONG, LONG] in names
    assert all(shown == title for shown, title in names)
    played_out(address, links["seats"])
    until(page, f"{ROOT}.state !== 'playing' && document.getElementById('result-title').textContent !== ''")
    assert page.evaluate(OUTSIDE) == []
    page.click("#menu-button")
    assert page.evaluate(OUTSIDE) == []
    assert complaints(page) == []


@pytest.mark.parametrize("game", ["uno-official", "mahjong"])
def test_a_tablet_has_room_for_the_machine_and_the_table(visit: Open, address: str, game: str) -> None:
    page = visit(viewport=TABLET, has_touch=True).to(opened(address, ["Ann"], game=game, players=4)["seats"][0])
    asked_or_over(page)
    assert ("East" in page.inner_text("#plate")) == (game == "mahjong"), "player 1 begins, in the east"
    for view in ("machine", "table"):
        page.tap(f"[data-view={view}]")
        for width, height in in_sizes(page, ((820, 1180), (1180, 820))):
            assert page.locator("#felt").is_visible()
            found = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
            assert found == [width, height], "nothing is scrolled"
            assert page.evaluate(SPACE)[0] == []
        assert complaints(page) == []


def test_five_people_gather_and_play(visit: Open, address: str) -> None:
    first = post(f"{address}rooms", {"name": FIVE[0], "game": "uno-official", "players": 5})
    tokens = [first["token"]]
    tokens += [post(f"{address}rooms/{first['code']}", {"name": name})["token"] for name in FIVE[1:]]
    page = visit(viewport=PHONE, has_touch=True).to(f"tables/{tokens[0]}")
    until(page, "document.querySelectorAll('#people li').length === 5")
    assert complaints(page) == []
    post(f"{address}tables/{tokens[0]}/deal", {})
    until(page, f"{ROOT}.state === 'playing'")
    settled(page)
    assert [each.split("\n")[0] for each in page.locator("#others b").all_inner_texts()] == list(FIVE[1:])
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [390, 844]
    assert complaints(page) == []


def test_somebody_is_removed_while_a_round_is_played(visit: Open, address: str) -> None:
    links = opened(address, ("Ann", "Ben"), game="maumau", players=3)
    removed = visit(viewport=PHONE, has_touch=True)
    ann, ben = visit().to(links["seats"][0]), removed.to(links["seats"][1])
    settled(ann)
    ann.click("#menu-button")
    for _ in range(2):
        ann.locator("#menu").get_by_role("button", name="Remove Ben").click()
    until(ann, "document.querySelectorAll('#menu .people li').length === 1")
    until(ben, f"{ROOT}.connection === 'gone'")
    ann.click("#menu-close")
    until(ann, "document.querySelectorAll('#others .seat').length === 2")
    assert sorted(name.split("\n")[0] for name in ann.locator("#others b").all_inner_texts()) == ["Basil", "Juno"]
    assert f"/room/{links['code']}" not in ann.url, "the code is another one"
    removed.watched.faults[:] = [fault for fault in removed.watched.faults if "404" not in fault]


@pytest.mark.parametrize("game", ["uno-official", "uno-official+family-uno", "maumau+lively", "mahjong"])
def test_the_rules_to_read_have_pictures_and_mark_what_house_rules_change(visit: Open, address: str, game: str) -> None:
    page = visit(viewport=PHONE).to(opened(address, ["Ann"], game=game, players=4)["seats"][0])
    settled(page)
    for size in (PHONE, LYING):
        page.set_viewport_size(size)
        page.click("#title")
        assert page.locator("#rules .pictures .card").count() >= 5
        assert page.evaluate(OUTSIDE) == []
        assert page.locator("#rules-close").is_visible()
        page.click("#rules-close")
    page.click("#title")
    page.locator("#rules summary").first.click()
    assert complaints(page) == []
    profile = game.partition("+")[2]
    assert bool(page.locator("#rules-sections p.new").count()) == bool(profile)
    if profile == "family-uno":
        assert page.inner_text("#house-title") == "House rules of this table: Family UNO"
        struck = page.locator("#rules-sections p.gone").all_inner_texts()
        assert struck == [f"{DRAW_ONE} not here", f"{LAY_OR_KEEP} not here"]


def test_the_rules_appear_at_the_first_deal_of_a_game_once(browser: Browser, address: str) -> None:
    watched = Watched(browser, viewport=PHONE)
    page, card = watched.page, watched.page.locator("#rules")

    def dealt(game: str) -> None:
        page.goto(f"{address}{opened(address, ['Ann'], game=game, players=2)['seats'][0]}")
        settled(page)

    dealt("maumau")
    assert card.is_visible()
    assert complaints(page) == []
    page.click("#rules-close")
    page.reload()
    settled(page)
    assert not card.is_visible()
    dealt("maumau")
    assert not card.is_visible()
    dealt("maumau+king-again")
    assert card.is_visible(), "it is another game to read about"
    page.uncheck("#rules-first")
    page.click("#rules-close")
    dealt("mahjong")
    assert not card.is_visible(), "it was switched off"
    assert watched.faults == []
    watched.close()


def test_an_evening_of_five_games_with_one_who_leaves_and_returns(visit: Open, address: str) -> None:
    links = opened(address, ("Ann", "Ben"), players=3, **PLANS[0])
    ann, ben = visit(), visit(viewport=PHONE, has_touch=True)
    pages = [ann.to(links["seats"][0]), ben.to(links["seats"][1])]
    for number, plan in enumerate(PLANS):
        if number:
            other_game(pages, links, address, plan)
        take_turns(pages, 2)
        if number == 2:
            pages[1].click("#menu-button")
            pages[1].click("#leave")
            until(pages[1], "!document.getElementById('absent').hidden")
            take_turns(pages[:1], 1)
            pages[1].reload()
            pages[1].click("#come-back")
            until(pages[1], "document.getElementById('absent').hidden")
    played_out(address, links["seats"])
    until(pages[0], f"{ROOT}.state !== 'playing'")
    until(pages[0], "document.getElementById('result-title').textContent !== ''")
    names = sorted(each.split("\n")[0] for each in pages[0].locator("#people li").all_inner_texts())
    assert names == ["Ann", "Ben"]


def other_game(pages: list[Page], links: dict[str, Any], address: str, plan: dict[str, Any]) -> None:
    """End the game, choose another one in the lobby, with its rules, and deal when both are ready."""
    ruler = pages[0]
    if state(ruler) == "playing":
        ruler.click("#menu-button")
        ruler.click("#end")
    until(ruler, f"{ROOT}.state !== 'playing'")
    ruler.get_by_role("link", name="Another game").click()
    until(ruler, f"{ROOT}.ready === ''")
    game, _, rules = plan["game"].partition("+")
    if game == "uno":
        ruler.get_by_text("More", exact=True).click()
    ruler.locator(f"#setup [name=game][value='{game}']").check(force=True)
    if rules:
        ruler.locator(f"#profiles input[value='{rules}']").check(force=True)
    if "target" in plan:
        ruler.fill("#target", str(plan["target"]))
    ruler.get_by_role("button", name="Play this next").click()
    for number, page in enumerate(pages):
        until(page, f"document.querySelectorAll('#people .is-ready').length === {number}")
        page.locator("#ready").click()
    for page in pages:
        until(page, f"{ROOT}.state === 'playing' && {ROOT}.settled > 0")
