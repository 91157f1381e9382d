"""A family at a table in a real browser: deals that can be checked, and whole evenings of each game."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright")

from browsing import complaints
from play_pages import ROOT, answer, asked_or_over, go_on, played_out, settled, state, until
from play_pages import opened as room_with
from serving import serving
from test_browser_play import PHONE, Open, Visit, address, take_turns, thorough, visit

from examples.gin_rummy import GinRummy
from examples.hearts import Hearts
from examples.kuhn_poker import KuhnPoker
from examples.president import President
from examples.scopa import Scopa
from fsm import Game, register

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["address", "visit"]
pytestmark = pytest.mark.slow
EXCHANGED = "for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, '0'.repeat(64))"
"""A script by which another hash was shown before the round than that of its deal."""


def test_a_round_whose_hands_stay_hidden_says_that_it_cannot_be_checked(visit: Open, address: str) -> None:
    page = visit().to(room_with(address, ["Ann"], game=register(KuhnPoker).declaration.name, players=2)["seats"][0])
    asked_or_over(page)
    folded = 0
    while not folded:
        assert "if all hands are shown then" in str(page.locator("#seal-check").text_content())
        while state(page) == "playing":
            folds = page.locator("#choices .move").filter(has_text="old")
            chosen = folds if folds.count() else page.locator("#choices .move")
            answer(page, lambda page, chosen=chosen: chosen.last.click())
        folded = page.locator("#check").is_hidden()
        assert page.locator("#replay").is_hidden() == page.locator("#hidden-deal").is_visible() == folded
        verdict = "It cannot be checked" if folded else "shows the check"
        assert verdict in str(page.locator("#seal-check").text_content())
        if not folded:
            answer(page, go_on)


@pytest.mark.parametrize(("game", "players"), [("uno-official", 4), ("mahjong", 2)])
def test_a_deal_can_be_checked_when_the_round_is_over(visit: Open, address: str, game: str, players: int) -> None:
    seat = room_with(address, ["Ann"], game=game, players=players)["seats"][0]
    page = visit(viewport=PHONE).to(seat)
    settled(page)
    page.click("#menu-button")
    before = page.inner_text("#seal-hash")
    page.click("#menu-close")
    assert page.locator("#check").is_hidden()
    played_out(address, [seat])
    until(page, "!document.getElementById('check').hidden && !document.getElementById('result').hidden")
    page.click("#check-title")
    assert page.inner_text("#check-title") == "This deck belongs to the number that this page showed during the round ✓"
    command = page.inner_text("#check-command")
    assert subprocess.run(command, check=True, shell=True, capture_output=True, text=True).stdout == f"{before}  -\n"
    assert hashlib.sha256(command.split("'")[3].encode()).hexdigest() == before == page.inner_text("#check-hash")
    assert complaints(page) == []
    page.reload()
    settled(page)
    assert page.inner_text("#check-title").endswith("✓")
    page.evaluate(EXCHANGED)
    page.reload()
    settled(page)
    assert page.inner_text("#check-title") == "This deck does not belong to the number of the round"


def test_a_game_of_the_examples_is_chosen_in_the_lobby(browser: Browser, tmp_path: Path) -> None:
    with serving("serve", "--tables", str(tmp_path / "tables.db")) as server:
        seen = Visit(browser, server, viewport=PHONE)
        page = seen.to("")
        page.locator("#further summary").click()
        assert complaints(page) == []
        page.get_by_text("Hearts", exact=True).click()
        assert page.locator("#read").get_attribute("href") == "/rules/hearts"
        page.fill("#name", "Ann")
        page.get_by_role("button", name="Play now").click()
        asked_or_over(page)
        cards = page.locator("#hand button")
        for place in (0, 1):
            cards.nth(place).click(position={"x": 8, "y": 14})
        assert page.inner_text("#together") == "Pass 2 of 3"
        cards.nth(1).click(position={"x": 8, "y": 14})
        assert page.inner_text("#together") == "Pass 1 of 3", "a tap takes a card back"
        page.goto(f"{server}rules/hearts")
        until(page, f"{ROOT}.ready === ''")
        assert page.locator(".pictures .card").count() == 4
        assert complaints(page) == []
        seen.close()


ROUNDS = 2
TABLES = {
    "maumau+lively": 3,
    "uno": 3,
    "uno-official+family-uno": 3,
    "mahjong": 4,
    Hearts: 4,
    President: 4,
    Scopa: 3,
    GinRummy: 2,
}
"""Players of each game; two of them are people, the others computer players."""
OFTEN = ("maumau+lively",)


def named(game: str | type[Game]) -> str:
    return game if isinstance(game, str) else game.declaration.name


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in OFTEN else thorough, id=named(game)) for game in TABLES]
)
def test_two_people_play_rounds_until_the_evening_is_over(visit: Open, address: str, game: str | type[Game]) -> None:
    name = game if isinstance(game, str) else register(game).declaration.name
    links = room_with(address, ("Ann", "Ben"), game=name, players=TABLES[game], target=1000)["seats"]
    pages = [visit().to(links[0]), visit(viewport=PHONE, has_touch=True).to(links[1])]
    for number in range(1, ROUNDS + 1):
        assert take_turns(pages) > 1
        for page in pages:
            until(page, f"{ROOT}.state === 'round over' && !document.getElementById('result').hidden")
            settled(page)
            assert page.inner_text("#check-title").endswith("✓")
        shown = [page.locator("#scores tr").all_inner_texts() for page in pages]
        assert len(shown[0]) == TABLES[game]
        assert shown[0] == shown[1]
        assert pages[0].inner_text("#result-title") == pages[1].inner_text("#result-title") != ""
        assert complaints(pages[number % 2]) == []
        for page in pages:
            page.click("#ready")
        for page in pages:
            until(page, f"{ROOT}.state === 'playing'")
