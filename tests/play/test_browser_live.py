"""The live page in a real browser, at a real server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Watched, complaints, until
from command import DECK
from serving import serving

from fsm import Game, MauMau, Uno, game_class

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("uvicorn")

HOSTILE = "</script><img src=x onerror=alert(1)>"
Open = Callable[..., Watched]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server of its own."""
    with serving() as started:
        yield started


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Open]:
    """`opened()`: the live page; at the end it must have had no fault and asked nobody but its server."""
    watched: list[Watched] = []

    def open_page(hash: str = "", **options: Any) -> Watched:
        watched.append(Watched(browser, **options))
        watched[-1].page.goto(f"{address}step{hash}")
        until(watched[-1].page, "document.documentElement.dataset.ready === ''")
        return watched[-1]

    yield open_page
    for each in watched:
        assert each.faults == []
        assert [url for url in each.requests if not url.startswith((address, "data:"))] == []
        each.close()


def begin(page: Page, **fields: str) -> None:
    """Begin a game by the form."""
    page.evaluate("document.getElementById('setup').open = true")
    page.select_option("#kind", fields.get("game", "maumau"))
    page.select_option("#from", fields.get("source", "seed"))
    for field in ("players", "seed", "number", "deck", "wanted"):
        if field in fields:
            page.fill(f"#{field}", fields[field])
    page.click("#begin button")


def began(page: Page, **fields: str) -> None:
    """Begin a game of a seed by the form, and wait until it is there."""
    begin(page, **fields)
    until(page, f"document.getElementById('heading').textContent === 'game 0 of seed {fields['seed']}'")
    until(page, "document.getElementById('place').textContent === '0 / 0'")


def position(page: Page) -> str:
    return str(page.evaluate("document.getElementById('position').value"))


def hands(page: Page) -> list[list[str]]:
    script = "[...document.querySelectorAll('.seat')].map(s => [...s.querySelectorAll('[data-card]')].map(c => c.dataset.card))"
    found: list[list[str]] = page.evaluate(script)
    return found


def click_to_the_end(page: Page, game: Game, choose: Callable[[Game], int]) -> None:
    """Begin a game on the page and play it by clicks; choose: the place of a legal event. The page shows each as it is."""
    began(page, game=game.declaration.name, players=str(game.players), seed=str(game.table.seed))
    while not game.outcome:
        legal = page.eval_on_selector_all("#legal button", "buttons => buttons.map(button => button.dataset.move)")
        events = game.events()
        assert legal == [" ".join(filter(None, move)) for move in events]
        refused = page.eval_on_selector_all("#refused > *", "parts => parts.map(part => part.textContent)")
        assert dict(zip(refused[::2], refused[1::2], strict=True)) == dict(events.refused)
        choice = choose(game)
        game.fire(*list(events)[choice])
        page.evaluate(f"document.querySelectorAll('#legal button')[{choice}].click()")
        until(page, f"document.getElementById('place').textContent === '{len(game.history)} / {len(game.history)}'")
        assert position(page) == game.position()
        melds = game.melds or ((),) * game.players
        assert hands(page) == [[*hand, *chain(*melds[seat])] for seat, hand in enumerate(game.hands)]
    assert page.inner_text("#outcome").startswith(
        f"Player {game.outcome.winner} wins" if game.outcome.winner else "Nobody"
    )
    assert page.locator("#legal button").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [(MauMau, 10), pytest.param(Uno, 9, marks=pytest.mark.thorough)])
def test_a_whole_game_is_played_by_clicking_legal_events(opened: Open, kind: Any, seed: int) -> None:
    click_to_the_end(opened().page, kind.deal(3, seed), lambda game: len(game.history) % 3 % len(game.events()))


def rarest(game: Game) -> int:
    """The place of a legal event that was fired least often, other than drawing or keeping a card if there is one."""
    fired = Counter(step.trigger for step in game.history)
    moves = list(game.events())
    return min(
        range(len(moves)), key=lambda place: (moves[place].trigger in ("draw", "keep"), fired[moves[place].trigger])
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "players", "seed", "others_act"),
    [
        ("uno-official", 2, 84, {"call", "stay_silent", "catch", "let_pass", "name", "accept", "challenge"}),
        ("mahjong", 3, 63, {"chow", "pung", "gang", "decline", "pass_over", "win"}),
    ],
)
def test_a_whole_game_in_which_others_act_is_played_by_clicks(
    opened: Open, name: str, players: int, seed: int, others_act: set[str]
) -> None:
    game = game_class(name).deal(players, seed)
    click_to_the_end(opened().page, game, rarest)
    assert others_act <= {step.trigger for step in game.history}


@pytest.mark.slow
def test_two_browsers_do_not_disturb_each_other(opened: Open) -> None:
    one, other = opened().page, opened().page
    for page in (one, other):
        began(page, players="3", seed="8")
    games = MauMau.deal(3, 8), MauMau.deal(3, 8)
    for turn in range(24):
        page, game = ((one, games[0]), (other, games[1]))[turn % 3 == 0]
        page.keyboard.press("ArrowRight")
        game.step()
        until(page, f"document.getElementById('place').textContent === '{len(game.history)} / {len(game.history)}'")
        assert (position(one), position(other)) == (games[0].position(), games[1].position())


@pytest.mark.slow
def test_undo_back_and_on_from_an_earlier_event(opened: Open) -> None:
    page = opened().page
    began(page, players="3", seed="8")
    game = MauMau.deal(3, 8)
    for at in range(1, 9):
        page.click("#choose")
        until(page, f"document.getElementById('place').textContent === '{at} / {at}'")
        game.step()
    page.click("#undo")
    until(page, "document.getElementById('place').textContent === '7 / 7'")
    game.undo()
    assert position(page) == game.position()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#earlier").startswith("You see event 5 of 7.")
    assert page.locator("#legal button:not(:disabled)").count() == 0
    page.click("#from-here")
    until(page, "document.getElementById('place').textContent === '5 / 5'")
    game.undo()
    game.undo()
    assert position(page) == game.position()


@pytest.mark.slow
def test_playing_on_and_a_link_to_the_position(opened: Open) -> None:
    page = opened().page
    began(page, game="uno", players="2", seed="3")
    assert "rules" not in page.evaluate("location.hash")
    page.select_option("#speed", "50")
    page.click("#play")
    until(page, "Number(document.getElementById('place').textContent.split(' ')[0]) >= 15")
    page.click("#play")
    page.keyboard.press("End")
    there = position(page)
    assert Uno.at(there).position() == there
    link = page.evaluate("location.hash")
    again = opened(link).page
    assert position(again) == there
    page.reload()
    until(page, "document.documentElement.dataset.ready === ''")
    assert position(page) == there
    assert page.locator("#log button").count() > 15, "the same game, with its log"


@pytest.mark.slow
def test_errors_are_shown_and_the_game_stays(opened: Open) -> None:
    watched = opened()
    page = watched.page
    before = position(page)
    output = {}
    for source, field, text in (
        ("deck", "deck", f"2 {DECK.replace('SK', 'XK')}"),
        ("deck", "deck", HOSTILE),
        ("position", "wanted", f"await-play {HOSTILE}"),
        ("seed", "seed", str(2**63)),
    ):
        begin(page, source=source, **{field: text})
        until(page, "document.getElementById('error').textContent !== ''")
        output[text] = page.inner_text("#error")
        page.evaluate("document.getElementById('error').textContent = ''")
    assert output[f"2 {DECK.replace('SK', 'XK')}"].startswith("deck:1: card 32: unknown card 'XK'")
    assert output[HOSTILE].startswith("deck:1: '</script><img'")
    assert output[str(2**63)].startswith("seed: 9223372036854775808 is out of range")
    assert page.locator("img").count() == 0
    assert position(page) == before
    assert all("400" in fault for fault in watched.faults)  # the browser itself tells the status
    watched.faults.clear()


@pytest.mark.slow
def test_a_game_that_another_window_has_changed_is_shown_as_it_is(opened: Open) -> None:
    watched = opened()
    page = watched.page
    began(page, players="3", seed="8")
    page.evaluate(
        "fetch(`games/${sessionStorage.getItem('maumau game')}/steps`, {method: 'POST', "
        "headers: {'content-type': 'application/json'}, body: JSON.stringify({version: 0, count: 3})}).then(a => a.text())"
    )
    page.click("#choose")
    until(page, "document.getElementById('place').textContent === '3 / 3'")
    assert "in another window" in page.inner_text("#error")
    assert all("409" in fault for fault in watched.faults)
    watched.faults.clear()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_live_page_fits_every_width_and_everybody_can_use_it(opened: Open, scheme: str) -> None:
    page = opened(color_scheme=scheme).page
    began(page, game="uno", players="10", seed="4")
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    for width, height in ((390, 844), (820, 1180), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert complaints(page) == []


@pytest.mark.parametrize("game", ["maumau", "uno-official"])
def test_a_link_to_a_plain_game_that_has_house_rules_leads_there_in_another_browser(opened: Open, game: str) -> None:
    page = opened().page
    began(page, game=game, players="2", seed="3")
    link = page.evaluate("location.hash")
    assert "rules" not in link
    other = opened(link).page
    assert position(other) == position(page)
    assert other.locator("#error").inner_text() == ""


@pytest.mark.slow
def test_house_rules_are_chosen_and_a_link_keeps_them(opened: Open) -> None:
    page = opened().page
    page.locator("#rules").select_option(["nine-reverses", "five-each"])
    page.get_by_role("button", name="Begin").click()
    until(page, "document.title.startsWith('Mau-Mau with five-each, nine-reverses')")
    page.locator("#choose").click()
    until(page, "document.getElementById('place').textContent === '1 / 1'")
    assert "game=maumau%2Bfive-each%2Bnine-reverses&" in page.evaluate("location.hash")
    position = page.locator("#position").input_value()
    other = opened(page.evaluate("location.hash")).page
    until(other, "document.title.startsWith('Mau-Mau with five-each, nine-reverses')")
    assert other.locator("#position").input_value() == position
    assert other.locator("#rules").evaluate("box => [...box.selectedOptions].map((each) => each.value)") == [
        "nine-reverses",
        "five-each",
    ]
