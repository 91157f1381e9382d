"""Cards in a real browser: each can be named without its colours, and its index can be read."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from all_games import MAHJONG
from contrast import READABLE, contrast, luminance

from fsm import Game, MauMau, Uno
from render.page.document import asset, joined
from render.page.faces import faces

image = pytest.importorskip("PIL.Image")
pytest.importorskip("playwright")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image
    from playwright.sync_api import Browser, Page

WIDTH = 75
SEEN_IN_HAND = {"tile": 1.0}
"""The part of the width of a card that is seen of it in a hand, by the style of its face."""
OVERLAPPED = 0.44
LEVELS, PIXELS = 64, 12
"""Two cards differ if so many pixels differ by so many of 256 levels of grey."""
SHEET = """(faces) => {
  const cards = new Cards(faces, document.body);
  const sheet = document.getElementById("sheet");
  for (const name of Object.keys(faces)) {
    const place = document.createElement("span");
    place.className = "playing-card";
    place.setAttribute("aria-disabled", String(sheet.className === "asked"));
    place.style.cssText = "position: static; translate: none";
    place.append(cards.picture(name));
    sheet.append(place);
    place.firstChild.replaceChildren(...document.getElementById(cards.made.get(name)).cloneNode(true).children);
  }
}"""
BOXES = """(parts) => [...document.querySelectorAll(parts)].map((part) => {
  const { left, top, right, bottom } = part.getBoundingClientRect();
  return [left, top, right, bottom];
})"""


def sheet(browser: Browser, kind: type[Game], name: str) -> Iterator[Page]:
    """A page with each card of a game. name: `asked` for cards that cannot be played now."""
    style = "".join(map(asset, ("base.css", "cards.css", "play.css")))
    body = f'<div id="sheet" class="{name}" style="--card: {WIDTH}px; display: flex; flex-wrap: wrap; gap: 4px"></div>'
    page = browser.new_page(viewport={"width": 1400, "height": 800}, reduced_motion="reduce")
    page.set_content(f"<style>{style}</style>{body}<script>{joined(('cards',))}</script>")
    page.evaluate(SHEET, json.loads(json.dumps(faces(kind.declaration))))
    yield page
    page.close()


def pictures(page: Page, parts: str) -> list[Image]:
    """The parts of a page as they are seen."""
    whole = image.open(BytesIO(page.screenshot()))
    return [whole.crop([round(edge) for edge in box]) for box in page.evaluate(BOXES, parts)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MauMau, Uno, MAHJONG], ids=lambda kind: kind.declaration.name)
@pytest.mark.parametrize("sight", ["achromatopsia", "deuteranopia", "protanopia"])
def test_every_card_can_be_named_without_its_colours(browser: Browser, kind: type[Game], sight: str) -> None:
    names = list(faces(kind.declaration))
    seen = SEEN_IN_HAND.get(next(iter(faces(kind.declaration).values()))["style"], OVERLAPPED)
    for page in sheet(browser, kind, ""):
        emulated = page.context.new_cdp_session(page)
        emulated.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        cards = [card.crop((0, 0, round(seen * WIDTH), card.height)) for card in pictures(page, ".card")]
        assert len(cards) == len(names)
        grey = [card.convert("L").tobytes() for card in cards]
        for (one, its), (other, others) in combinations(zip(names, grey, strict=True), 2):
            differing = sum(abs(a - b) >= LEVELS for a, b in zip(its, others, strict=True))
            assert differing >= PIXELS, (one, other)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MauMau, Uno, MAHJONG], ids=lambda kind: kind.declaration.name)
@pytest.mark.parametrize("name", ["", "asked"], ids=["plain", "unplayable"])
def test_the_index_of_every_card_can_be_read(browser: Browser, kind: type[Game], name: str) -> None:
    for page in sheet(browser, kind, name):
        found = pictures(page, ".card :is(.index, .uno-index, .tile-index, .tile-number, .uno-number)")
        assert len(found) >= len(faces(kind.declaration))
        for index in found:
            raw = index.convert("RGB").tobytes()
            assert contrast(*map(luminance, zip(raw[::3], raw[1::3], raw[2::3], strict=True))) >= READABLE
