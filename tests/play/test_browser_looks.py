"""How pages look by hand, in a real browser: light or dark, the colours of suits, the size of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browsing import complaints

pytest.importorskip("playwright")

from play_pages import answer, asked_or_over, in_sizes, settled
from play_pages import opened as room_with
from test_browser_play import SPACE, Open, address, opened, visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "visit"]
pytestmark = pytest.mark.slow
SEEN = """() => {
  const { backgroundColor, fontSize } = getComputedStyle(document.documentElement);
  const style = getComputedStyle(document.documentElement);
  return [backgroundColor, fontSize, style.getPropertyValue("--diamonds") === style.getPropertyValue("--hearts")];
}"""
LIGHT, DARK = "rgb(244, 242, 236)", "rgb(20, 22, 24)"


def choose(page: Page, *values: str) -> None:
    for place, value in enumerate(values):
        page.locator(".looks select").nth(place).select_option(value)


@pytest.mark.parametrize(("scheme", "there"), [("light", LIGHT), ("dark", DARK)])
def test_a_page_looks_as_somebody_wants_it_and_stays_so_in_the_browser(
    visit: Open, address: str, scheme: str, there: str
) -> None:
    page = visit(color_scheme=scheme).to(opened(address, "maumau")["seats"][0])
    settled(page)
    assert page.evaluate(SEEN) == [there, "16px", False]
    other, named = (DARK, "dark") if scheme == "light" else (LIGHT, "light")
    page.click("#menu-button")
    choose(page, named, "two", "largest")
    assert page.evaluate(SEEN) == [other, "21px", True]
    assert complaints(page) == []
    page.goto(address)
    assert page.evaluate(SEEN) == [other, "21px", True]
    page.get_by_text("Colours and text").click()
    assert complaints(page) == []
    choose(page, "", "", "")
    assert page.evaluate(SEEN) == [there, "16px", False]


def test_a_look_that_nobody_knows_is_as_if_nothing_was_chosen(visit: Open, address: str) -> None:
    seen = visit()
    seen.page.context.add_init_script("localStorage.setItem('maumau look scheme', '\"] {} <b>')")
    page = seen.to(opened(address, "maumau")["seats"][0])
    settled(page)
    assert page.evaluate(SEEN) == [LIGHT, "16px", False]


@pytest.mark.parametrize("game", ["maumau", "uno-official"])
def test_the_largest_text_fits(visit: Open, address: str, game: str) -> None:
    seen = visit()
    seen.page.context.add_init_script("localStorage.setItem('maumau look text', 'largest')")
    page = seen.to(room_with(address, ["Ann"], game=game, players=4)["seats"][0])
    asked_or_over(page)
    answer(page)
    for width, height in in_sizes(page, [(1280, 900), (1440, 1080)]):
        assert page.evaluate(SPACE)[0] == [], (width, height)
    for width, _ in in_sizes(page, [(390, 844)]):  # where the table may be scrolled, but only up and down
        assert page.evaluate("document.querySelector('.arena').scrollWidth") <= width
