"""People who play on the page of a table: with the mouse, the keyboard or a finger; and what they must see."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from browsing import until
from playwright.sync_api import Locator, Page

Json = dict[str, Any]
AT_ONCE = "localStorage.setItem('maumau pace', '0'); localStorage.setItem('maumau rules shown', 'off')"
"""A script by which events follow one another at once, and the rules are shown only where somebody opens them."""
ROOT = "document.documentElement.dataset"


def post(address: str, fields: Json) -> Json:
    """The answer to a request."""
    body = json.dumps(fields).encode()
    request = urllib.request.Request(address, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return dict(json.load(response))


def opened(address: str, people: Sequence[str], **plan: Any) -> Json:
    """A room at a server whose people have been dealt to: its code, and the paths that lead each of them there."""
    first, *others = people
    entered = post(f"{address}rooms", {"name": first, **plan})
    tokens = [entered["token"]]
    tokens += [post(f"{address}rooms/{entered['code']}", {"name": name})["token"] for name in others]
    post(f"{address}tables/{tokens[0]}/deal", {})
    return {"code": entered["code"], "seats": [f"tables/{token}" for token in tokens]}


def played_out(address: str, seats: Sequence[str]) -> None:
    """Let the first of some people make the first legal moves until the round is over; computer players stand in for
    the others.
    """
    for seat in seats[1:]:
        post(f"{address}{seat}/leave", {})
    while (view := _view(address, seats[0]))["state"] == "playing":
        if view["question"]:
            post(f"{address}{seats[0]}/act", {"at": view["version"], "move": view["question"]["moves"][0]})
        time.sleep(0.11)  # a person asks for ten changes a second


def _view(address: str, seat: str) -> Json:
    with urllib.request.urlopen(f"{address}{seat}/state") as response:
        return dict(json.load(response)["view"])


def settled(page: Page, since: str | None = None) -> str:
    """Wait until the page shows all that it was sent, and more than at a version; return the version."""
    newer = "" if since is None else f" && {ROOT}.settled !== '{since}'"
    until(page, f"{ROOT}.settled !== undefined{newer}")
    return str(page.evaluate(f"{ROOT}.settled"))


def asked_or_over(page: Page, since: str = "0") -> str:
    """Wait until the person is asked after a version, or the round is over; return the version then."""
    until(page, f"{ROOT}.settled > 0 && {ROOT}.settled !== '{since}' && ({ROOT}.asks || {ROOT}.state !== 'playing')")
    return settled(page)


def state(page: Page) -> str:
    return str(page.evaluate(f"{ROOT}.state"))


def is_asked(page: Page) -> bool:
    return page.evaluate(f"{ROOT}.settled !== undefined && {ROOT}.asks !== ''") is True


def playable(page: Page) -> list[int]:
    """The places of the cards of the hand that can be played."""
    script = "[...document.querySelectorAll('#hand.asked button')].map(card => card.getAttribute('aria-disabled'))"
    return [place for place, disabled in enumerate(page.evaluate(script)) if disabled == "false"]


def in_sizes(page: Page, sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the window one size after another, and wait each time until the page is laid out in it."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(2):
            page.evaluate("new Promise((laid) => requestAnimationFrame(() => requestAnimationFrame(laid)))")
        yield width, height


def box_of(part: Locator) -> Any:
    """Where a part of the page is that is seen."""
    box = part.bounding_box()
    assert box is not None
    return box


def by_mouse(page: Page) -> None:
    """Play the first card that can be played, by dragging or clicking it, or press the first button."""
    cards = playable(page)
    if together(page):
        choose_together(page, cards)
    elif not cards:
        page.locator("#choices button").first.click()
    elif len(cards) % 2:
        page.locator("#hand button").nth(cards[0]).click(position={"x": 8, "y": 14})
    else:
        drag(page, cards[0])
    if page.locator("#chooser").is_visible():
        page.locator("#chooser-moves button:not([aria-disabled=true])").last.click()


def answer(page: Page, act: Callable[[Page], None] = by_mouse) -> None:
    """Answer what the person is asked, and wait for the next question or the end of the round."""
    version = settled(page)
    act(page)
    asked_or_over(page, version)


def go_on(page: Page) -> None:
    """Play as `by_mouse`, and begin the next round where one is over."""
    page.click("#ready") if state(page) != "playing" else by_mouse(page)


def together(page: Page) -> int:
    """How many cards are one choice; 0 where each card is one."""
    button = page.locator("#together")
    return int(button.inner_text().rpartition(" of ")[2]) if button.count() else 0


def choose_together(page: Page, cards: Sequence[int]) -> None:
    """Choose the first of some cards of the hand, as many as are asked for, and play them. cards: their places."""
    for place in cards[: together(page)]:
        page.locator("#hand button").nth(place).click(position={"x": 8, "y": 14})
    page.click("#together")


def drag(page: Page, place: int) -> None:
    """Drag a card onto the table."""
    box = box_of(page.locator("#hand button").nth(place))
    page.mouse.move(box["x"] + 8, box["y"] + 14)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] - 60)
    page.mouse.move(box["x"] + 30, box["y"] - 160)
    page.mouse.up()


def by_keyboard(page: Page) -> None:
    """Reach the first card that can be played with the arrow keys, or the first button, and press Enter."""
    cards = playable(page)
    page.keyboard.press("ArrowRight" if cards else "ArrowUp")
    if cards:
        page.keyboard.press("Home")
        for _ in range(cards[0]):
            page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    if page.locator("#chooser").is_visible():
        page.keyboard.press("Enter")


def by_touch(page: Page) -> None:
    """Tap the last card that can be played, or the last button."""
    cards = playable(page)
    if cards:
        page.locator("#hand button").nth(cards[-1]).tap(position={"x": 8, "y": 14})
    else:
        page.locator("#choices button").last.tap()
    if page.locator("#chooser").is_visible():
        page.locator("#chooser-moves button").first.tap()


def play_round(page: Page, act: Callable[[Page], None], most: int = 400) -> int:
    """Play until the round is over. Returns how often the person has acted."""
    asked_or_over(page)
    for acts in range(most):
        if state(page) != "playing":
            return acts
        answer(page, act)
    raise AssertionError(f"no end after {most} moves")
