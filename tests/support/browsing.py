"""A real browser for tests: Debian's chromium, driven by playwright; and what a page must never do."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
OPTIONS += ["--disable-component-update", "--disable-sync"]
MISSING = "no browser: install chromium and the extra browser-test"


@contextmanager
def started_browser() -> Iterator[Browser]:
    """A browser; skips the test where there is none, but in CI fails it."""
    if PROGRAM is None or find_spec("playwright") is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=PROGRAM, headless=True, args=OPTIONS)
        yield browser
        browser.close()


class Watched:
    """A page whose console, errors and requests are watched."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**{"reduced_motion": "reduce", **options})
        self.context.set_default_timeout(60_000)  # a machine that is busy takes longer than playwright's 30 seconds
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.faults.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def close(self) -> None:
        self.context.close()


SHOWN = "JSON.stringify({ ...document.documentElement.dataset }) + ' ' + document.body.innerText.slice(0, 1000)"
"""A script that returns what a page says of itself, and what can be read on it."""


def until(page: Page, condition: str, seconds: float = 60) -> None:
    """Wait until a script says yes, also of the page that comes next; the page's own policy forbids what playwright's
    waiting does.
    """
    from playwright.sync_api import Error

    def is_so() -> bool:
        try:
            return bool(page.evaluate(condition))
        except Error as error:
            if "context was destroyed" in str(error) or "properties of null" in str(error):  # the page comes
                return False
            raise

    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not within {seconds} s: {condition}; {page.url} shows {page.evaluate(SHOWN)}"
        page.wait_for_timeout(20)


def complaints(page: Page) -> list[str]:
    """What axe, which checks pages for accessibility, finds wrong."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:120]} {node['failureSummary']}" for each in found for node in each["nodes"]]


SEEN = """() => {
  const cards = (root) => [...root.querySelectorAll("[data-card]")].map((card) => card.dataset.card);
  const one = (selector) => document.querySelector(selector);
  const text = (part) => part.nodeName === "SPAN" && part.matches(".chip") ? part.dataset.card
    : part.nodeName === "#text" ? part.textContent : [...part.childNodes].map(text).join("");
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    phase: all(".phase.active").map((phase) => phase.id),
    fired: all(".arc.fired").map((arc) => arc.id),
    halves: all(".edge.fired").map((half) => half.id).sort(),
    turn: all(".seat").findIndex((seat) => seat.getAttribute("aria-current") === "true") + 1,
    hands: all(".seat").map((seat) => cards(seat)),
    draw: cards(one("#draw-cards")),
    discard: cards(one("#discard-cards")).reverse(),
    open: cards(one("#discard"))[0],
    notes: all("#notes .note").map((note) => note.textContent),
    sentence: text(one("#sentence")),
    outcome: one("#outcome").textContent,
    logged: one("#log [aria-current]").dataset.at,
    place: one("#place").textContent,
    slider: one("#slider").value,
  };
}"""
"""A script that returns what a page shows; in the sentence the names of the cards, of which it has the faces."""
