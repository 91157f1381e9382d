"""The round table of large windows, in a real browser."""

from __future__ import annotations

from math import atan2, pi

import pytest

pytest.importorskip("playwright")

from browsing import complaints
from play_pages import answer, asked_or_over, box_of, go_on, in_sizes, settled, state
from play_pages import opened as room_with
from test_browser_play import SPACE, Open, address, visit

from examples.hearts import Hearts
from examples.schnapsen import Schnapsen
from fsm import Game, register

__all__ = ["address", "visit"]
pytestmark = pytest.mark.slow
SIZES = [(1280, 720), (1366, 768), (1440, 1080)]
PHONES = [(390, 844), (320, 568), (844, 390), (568, 320)]
CENTRES = """() => [document.getElementById("middle"), ...document.querySelectorAll("#others > li")].map((part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
})"""
WIDTHS = """(parts) => [...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect().width)"""
FEWEST_PIXELS = 28


@pytest.mark.parametrize("players", [2, 3, 5, 6, 7, 10])
def test_the_players_sit_round_the_table_in_the_order_of_their_turns(visit: Open, address: str, players: int) -> None:
    page = visit().to(room_with(address, ["Ann"], game="uno-official", players=players)["seats"][0])
    asked_or_over(page)
    for _ in range(2):
        for width, height in in_sizes(page, SIZES):
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
        answer(page)


def test_the_arrows_turn_round_with_the_direction(visit: Open, address: str) -> None:
    page = visit().to(room_with(address, ["Ann"], game="uno-official", players=4)["seats"][0])
    asked_or_over(page)
    seen = set()
    while len(seen) < 2:
        is_turned = page.locator("#notes").get_by_text("counter-clockwise").count() == 1
        scales = page.locator(".turning").evaluate_all("arrows => arrows.map(arrow => getComputedStyle(arrow).scale)")
        assert scales == ["1 -1" if is_turned else "none"] * 2
        assert page.locator(".turning").first.is_visible()
        seen.add(is_turned)
        answer(page, go_on)


def test_two_players_and_games_that_always_go_one_way_have_no_arrows(visit: Open, address: str) -> None:
    for game, players in (("uno-official", 2), ("maumau", 4)):
        page = visit().to(room_with(address, ["Ann"], game=game, players=players)["seats"][0])
        settled(page)
        assert not page.locator(".turning").first.is_visible()


def test_tiles_that_were_discarded_or_claimed_can_be_read(visit: Open, address: str) -> None:
    page = visit().to(room_with(address, ["Ann"], game="mahjong", players=4)["seats"][0])
    asked_or_over(page)
    melds = 0
    while state(page) == "playing" and not melds:
        answer(page)
        melds = page.locator(".meld .card").count()
    for _ in in_sizes(page, SIZES):
        tiles = page.evaluate(WIDTHS, ".river .card, .meld .card")
        assert tiles
        assert min(tiles) >= FEWEST_PIXELS - 0.1
        assert page.locator("#river").evaluate("river => river.scrollHeight <= river.clientHeight"), "all are seen"
        [open_tile], hand = page.evaluate(WIDTHS, "#open .stack .card:last-child"), page.evaluate(WIDTHS, "#hand .card")
        assert open_tile >= max(hand)
    for width, height in in_sizes(page, PHONES):
        assert min(page.evaluate(WIDTHS, ".river .card, .meld .card")) >= FEWEST_PIXELS - 0.1, (width, height)
        page.locator(".newest").scroll_into_view_if_needed()
        assert page.evaluate("document.querySelector('.arena').scrollWidth") <= width


CARDS = "#hand.asked button[aria-disabled=false]"
CLAIMS = """() => {
  const parts = ["#me", "#river"].map((part) => document.querySelector(part));
  const boxes = [...document.querySelectorAll("#hand .card, .newest, .claim .move")].map((part) => part.getBoundingClientRect());
  const isSeen = ({ left, right, top, bottom }) => left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
  const steps = [...document.querySelectorAll(".river .card + .card")].map((part) => part.getBoundingClientRect().left - part.previousSibling.getBoundingClientRect().left);
  return [parts.map((part) => part.scrollHeight - part.clientHeight), boxes.every(isSeen), Math.min(...steps) >= 6];
}"""
"""A script that returns how many pixels are hidden of the own seat and of the discards, and whether the hand, the newest
discard and the claims are seen, and the corner of each discard."""


def test_on_a_phone_a_claim_leaves_the_hand_and_all_discards_in_sight(visit: Open, address: str) -> None:
    page = visit(viewport={"width": 844, "height": 390}, has_touch=True).to("")
    claims = 0
    while claims < 3:
        page.goto(address + room_with(address, ["Ann"], game="mahjong", players=4)["seats"][0])
        asked_or_over(page)
        while state(page) == "playing" and claims < 3:
            if page.locator(".claim .move").count() >= 2 and page.locator(".river .card").count() > 20:
                claims += 1
                for width, height in in_sizes(page, (*PHONES, (667, 375), (360, 640))):
                    (mine, river), *seen = page.evaluate(CLAIMS)
                    assert (mine, seen) == (0, [True, True]), (width, height)
                    if width > 320:  # there many melds leave too little room for the oldest discards
                        assert river == 0, (width, height)
                        assert page.evaluate(SPACE)[0] == [], (width, height)
                    for tiles in ("#hand .card", ".river .card", ".claim .card"):
                        assert min(page.evaluate(WIDTHS, tiles), default=28) >= FEWEST_PIXELS - 0.1, (width, tiles)
                page.set_viewport_size({"width": 844, "height": 390})
            answer(page, lambda page: page.locator(f".claim .move, {CARDS}").last.click())


@pytest.mark.parametrize("kind", [Schnapsen, Hearts], ids=lambda kind: kind.__name__)
def test_the_cards_of_a_trick_are_as_large_as_those_of_the_hand(visit: Open, address: str, kind: type[Game]) -> None:
    declaration = register(kind).declaration
    people = room_with(address, ["Ann"], game=declaration.name, players=declaration.codec.most)["seats"]
    page = visit().to(people[0])
    asked_or_over(page)
    while not page.locator("#trick li").count():
        answer(page)
    for width, height in in_sizes(page, ((1440, 900), (1280, 720))):
        [hand, *_] = page.evaluate(WIDTHS, "#hand .card")
        assert min(page.evaluate(WIDTHS, "#trick .card, #between .card")) >= hand - 3, (width, height)
        assert page.evaluate(SPACE)[0] == [], (width, height)


# ---------------------------------------------------------------- what is seen to happen

MOVED = """
  window.most = { flying: 0, turned: 0, late: 0 };
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    for (const kind of ["flying", "turned"]) window.most[kind] = Math.max(window.most[kind], document.querySelectorAll(`.${kind}`).length);
    const delays = document.getAnimations().map(({ effect }) => effect.getTiming().delay);
    window.most.late = Math.max(window.most.late, ...delays, 0);
  }).observe(document.getElementById("flights"), { childList: true }));
"""
"""A script that notes how many cards were seen to move at once, how late the last one, and arrows that turn round."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_hands_that_are_passed_on_and_a_direction_that_turns_are_seen(visit: Open, address: str, motion: str) -> None:
    seen = visit(reduced_motion=motion)
    seen.page.context.add_init_script(MOVED)
    page = seen.to(room_with(address, ["Ann"], game="uno-official+seven-zero", players=4)["seats"][0])
    asked_or_over(page)
    told = ""
    while not ("every hand goes to the next player" in told and "direction of play turns" in told):
        answer(page, go_on)
        told += page.inner_text("#log-entries")
    most = page.evaluate("window.most")
    if motion == "reduce":
        assert most == {"flying": 0, "turned": 0, "late": 0}
    else:
        assert most["flying"] >= 4
        assert most["late"] > 0
        assert most["turned"] == 1


def test_uno_is_said_by_a_large_button(visit: Open, address: str) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True).to(
        room_with(address, ["Ann"], game="uno-official", players=2)["seats"][0]
    )
    asked_or_over(page)
    while not page.locator("#choices .shout").count():
        answer(page, go_on)
    box = box_of(page.locator("#choices .shout"))
    assert box["height"] >= 60
    assert box["width"] >= 120
    assert page.inner_text("#choices .shout") == "UNO!"
    assert page.get_by_role("button", name='Say "Uno!"').count() == 1
    assert complaints(page) == []
    assert page.evaluate(SPACE)[0] == []
    page.click("#choices .shout")
    page.get_by_text("Ann calls").first.wait_for(state="attached")


# ---------------------------------------------------------------- what people say


def test_a_bubble_at_the_seat_of_who_says_something(visit: Open, address: str) -> None:
    seats = room_with(address, ["Ann", "Ben"], game="uno-official", players=4)["seats"]
    visits = [visit(), visit()]
    ann, ben = (each.to(path) for each, path in zip(visits, seats, strict=True))
    for page in (ann, ben):
        settled(page)

    def say(text: str) -> None:
        ann.click("#talk")
        assert complaints(ann) == []
        ann.get_by_role("button", name=text).click()

    say("Well played!")
    bubble = ben.locator(".bubble")
    bubble.wait_for()
    assert bubble.inner_text() == "Well played!"
    seat, box = box_of(ben.locator("#others li", has_text="Ann")), box_of(bubble)
    assert abs(seat["x"] - box["x"]) < 40
    assert abs(seat["y"] + seat["height"] - box["y"]) < 40
    assert ben.locator("#announcements p").last.inner_text() == "Ann: Well played!"
    ann.locator(".bubble").wait_for()
    bubble.wait_for(state="detached")
    ben.click("#talk")
    ben.get_by_label("Show what others say").uncheck()
    ben.click("#emotes-close")
    say("Thanks!")
    ann.locator(".bubble").wait_for()
    assert not bubble.is_visible()
    for text in ("Oops!", "Wow!", "Hello!", "Your turn!"):
        say(text)
    ann.get_by_text("wait a little").wait_for()
    ann.click("#menu-button")
    assert complaints(ann) == []
    ann.get_by_label("People may send messages to everyone").uncheck()
    ben.locator("#talk").wait_for(state="hidden")
    ben.click("#menu-button")
    assert not ben.get_by_label("People may send messages to everyone").is_visible()
