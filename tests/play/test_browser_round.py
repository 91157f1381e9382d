"""The round table of large windows, in a real browser."""

from __future__ import annotations

from math import atan2, pi

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("playwright")

from play_pages import asked_or_over, by_mouse, settled, state
from play_pages import opened as room_with
from test_browser_play import SPACE, Open, address, visit

__all__ = ["address", "visit"]
pytestmark = pytest.mark.slow
SIZES = [(1280, 720), (1366, 768), (1440, 1080)]
LAID = "new Promise((laid) => requestAnimationFrame(() => requestAnimationFrame(laid)))"
CENTRES = """() => [document.getElementById("middle"), ...document.querySelectorAll("#others > li")].map((part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
})"""
WIDTHS = """(parts) => [...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect().width)"""
FEWEST_PIXELS = 28


@pytest.mark.parametrize("players", [2, 3, 5, 6, 7, 10])
def test_the_players_sit_round_the_table_in_the_order_of_their_turns(visit: Open, address: str, players: int) -> None:
    page = visit().to(room_with(address, ["Ann"], game="uno-official", players=players)["seats"][0])
    version = asked_or_over(page, "0")
    for _ in range(2):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(LAID)
            (x, y), *seats = page.evaluate(CENTRES)
            angles = [atan2(seat_x - x, y - seat_y) for seat_x, seat_y in seats]  # clockwise, from the top
            assert angles == sorted(angles)
            assert len(seats) == players - 1
            assert -pi < angles[0] <= angles[-1] < pi
            assert page.evaluate(SPACE)[0] == [], (width, height)
            [open_card], hand = (
                page.evaluate(WIDTHS, "#open .stack .card:last-child"),
                page.evaluate(WIDTHS, "#hand .card"),
            )
            assert open_card >= max(hand), (width, height)
        by_mouse(page)
        version = asked_or_over(page, version)


def test_the_arrows_turn_round_with_the_direction(visit: Open, address: str) -> None:
    page = visit().to(room_with(address, ["Ann"], game="uno-official", players=4)["seats"][0])
    version, seen = asked_or_over(page, "0"), set()
    while len(seen) < 2:
        is_turned = page.locator("#notes").get_by_text("counter-clockwise").count() == 1
        scales = page.locator(".turning").evaluate_all("arrows => arrows.map(arrow => getComputedStyle(arrow).scale)")
        assert scales == ["1 -1" if is_turned else "none"] * 2
        assert page.locator(".turning").first.is_visible()
        seen.add(is_turned)
        page.click("#ready") if state(page) != "playing" else by_mouse(page)
        version = asked_or_over(page, version)


def test_two_players_and_games_that_always_go_one_way_have_no_arrows(visit: Open, address: str) -> None:
    for game, players in (("uno-official", 2), ("maumau", 4)):
        page = visit().to(room_with(address, ["Ann"], game=game, players=players)["seats"][0])
        settled(page)
        assert not page.locator(".turning").first.is_visible()


def test_tiles_that_were_discarded_or_claimed_can_be_read(visit: Open, address: str) -> None:
    page = visit().to(room_with(address, ["Ann"], game="mahjong", players=4)["seats"][0])
    version, melds = asked_or_over(page, "0"), 0
    while state(page) == "playing" and not melds:
        by_mouse(page)
        version = asked_or_over(page, version)
        melds = page.locator(".meld .card").count()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(LAID)
        tiles = page.evaluate(WIDTHS, ".river .card, .meld .card")
        assert tiles
        assert min(tiles) >= FEWEST_PIXELS - 0.1
        assert page.locator("#river").evaluate("river => river.scrollHeight <= river.clientHeight"), "all are seen"
        [open_tile], hand = page.evaluate(WIDTHS, "#open .stack .card:last-child"), page.evaluate(WIDTHS, "#hand .card")
        assert open_tile >= max(hand)
