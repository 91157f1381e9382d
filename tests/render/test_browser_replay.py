"""The page of a played game in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import SEEN, Watched, complaints, until

from fsm import Game, Match, MauMau, Uno
from fsm.match.transcript import Transcript
from render.page import replay
from render.page.story import notes

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow
CORPUS = Path(__file__).parents[1] / "corpus"
Open = Callable[..., Watched]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """`opened(page text)`: the page in a browser; at the end it must have had no fault and made no request."""
    watched: list[Watched] = []

    def open_page(text: str, address: str = "", **options: Any) -> Watched:
        file = tmp_path / f"{len(watched)}.html"
        file.write_text(text)
        watched.append(Watched(browser, **options))
        watched[-1].page.goto(f"{file.as_uri()}{address}")
        watched[-1].page.wait_for_selector("html[data-ready]")
        return watched[-1]

    yield open_page
    for each in watched:
        assert each.faults == []
        assert [url for url in each.requests if not url.startswith(("file:", "data:"))] == []
        each.close()


def sample(game: str, index: int) -> Transcript:
    kind = {"maumau": MauMau, "uno": Uno}[game]
    name = "statement.in" if game == "maumau" else "cases.in"
    dealt = kind.read((CORPUS / game / name).read_text(), name)[index]
    played = kind.of_deck(dealt.players, dealt.deck)
    played.run()
    return Transcript.of(played)


def expected(game: Game, at: int, last: int) -> dict[str, Any]:
    """What a page must show of a game after `at` of its `last` events."""
    step = game.history[-1] if game.history else None
    arc = step.arc if step else None
    return {
        "phase": [game.phase.name],
        "fired": [f"a_arc-{game.declaration.arcs.index(arc)}"] if arc else [],
        "halves": [f"{arc.source.name}-{arc.dest.name}-{half}" for half in ("in", "out")] if arc else [],
        "turn": 0 if game.outcome else game.player,
        "hands": [list(hand) for hand in game.hands],
        "draw": list(game.draw_pile),
        "discard": list(game.discard_pile),
        "open": game.open_card,
        "notes": [words for words, _ in notes(game)],
        "outcome": game.outcome.sentence(game.declaration) if game.outcome else "",
        "logged": str(at),
        "place": f"{at} / {last}",
        "slider": str(at),
    }


def check(found: dict[str, Any], game: Game, at: int, last: int) -> None:
    sentence = found.pop("sentence")
    assert found == expected(game, at, last)
    if game.history:
        step = game.history[-1]
        assert step.arc.description in sentence
        if step.card:
            assert step.card in sentence
        if step.trigger in ("play", "draw", "pass_turn", "take"):
            assert sentence.startswith(f"Player {step.player} ")
    else:
        assert sentence == "The cards are dealt."


@pytest.mark.parametrize(("game", "index"), [("maumau", 0), pytest.param("uno", 0, marks=pytest.mark.thorough)])
def test_stepping_to_the_end_and_back_shows_what_the_game_is(opened: Open, game: str, index: int) -> None:
    played = sample(game, index)
    page = opened(replay(played, "sample")).page
    page.evaluate("document.getElementById('spread').open = true")
    until(page, "document.querySelectorAll('#draw-cards > li').length > 0")
    again, last = played.rounds[0].game.start(), len(played.steps)
    check(page.evaluate(SEEN), again, 0, last)
    for at, step in enumerate(played.steps, 1):
        page.keyboard.press("ArrowRight")
        again.fire_again(step)
        check(page.evaluate(SEEN), again, at, last)
    page.keyboard.press("ArrowRight")
    check(page.evaluate(SEEN), again, last, last)
    for at in range(last - 1, -1, -1):
        page.keyboard.press("ArrowLeft")
        again.undo()
        check(page.evaluate(SEEN), again, at, last)


def test_by_keyboard_alone(opened: Open) -> None:
    played = sample("maumau", 1)
    page = opened(replay(played, "sample")).page
    last = len(played.steps)
    place = page.locator("#place").inner_text
    page.keyboard.press("End")
    assert place() == f"{last} / {last}"
    page.keyboard.press("Home")
    assert place() == f"0 / {last}"
    page.select_option("#speed", "50")
    page.keyboard.press("Home")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    assert page.locator("#play").get_attribute("aria-label") == "Pause"
    until(page, f"document.getElementById('place').textContent === '{last} / {last}'")
    until(page, "document.getElementById('play').getAttribute('aria-label') === 'Play'")
    reached = set()
    page.keyboard.press("Home")
    page.evaluate("document.body.focus()")
    for _ in range(30):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "[document.activeElement.id, document.activeElement.className.baseVal, document.activeElement.className]"
        )
        reached.add(found[0] or found[1] or found[2])
    assert {"first", "back", "play", "forward", "last", "slider", "speed", "entry"} <= reached
    assert any("way" in name or "a_arc" in name for name in map(str, reached))
    page.focus("#log [aria-current]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert place() == f"2 / {last}"
    assert page.evaluate("document.activeElement.dataset.at") == "2"
    page.focus("#a_arc-0")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") == "a_arc-1"
    number = next(n for n, arc in enumerate(played.kind.declaration.arcs) if played.steps[3].arc is arc)
    page.evaluate(f"document.getElementById('a_arc-{number}').focus()")
    page.keyboard.press("Home")
    first = next(at for at, step in enumerate(played.steps, 1) if step.arc is played.steps[3].arc)
    page.evaluate(f"document.getElementById('a_arc-{number}').focus()")
    page.keyboard.press("Enter")
    assert place() == f"{first} / {last}"


def test_by_clicks_slider_and_address(opened: Open) -> None:
    played = sample("maumau", 0)
    watched = opened(replay(played, "sample"), "#step=7")
    page, last = watched.page, len(played.steps)
    place = page.locator("#place").inner_text
    assert place() == f"7 / {last}"
    page.locator("#log button").nth(11).click()
    assert place() == f"11 / {last}"
    until(page, "location.hash === '#step=11'")
    page.locator("#slider").fill("4")
    assert place() == f"4 / {last}"
    arc = played.kind.declaration.arcs.index(played.steps[-1].arc)
    page.locator(f"#a_arc-{arc}").click()
    assert place() == f"{last} / {last}"
    page.evaluate("location.hash = '#step=3'")
    until(page, f"document.getElementById('place').textContent === '3 / {last}'")
    for address, expected_place in (("#step=999999", last), ("#step=x", 0), ("#step=-1", 0), ("#other", 0)):
        assert (
            opened(replay(played, "sample"), address).page.locator("#place").inner_text()
            == f"{expected_place} / {last}"
        )


def test_the_rounds_of_a_match_are_chosen_and_stepped(opened: Open) -> None:
    match = Match("uno-official", 3, 4, target=300)
    match.run()
    page = opened(replay(Transcript.of(match), "sample"), "#round=2&step=3").page
    assert len(match.rounds) > 2
    assert page.locator("#match-outcome").inner_text() == f"To 300 points: {match.outcome}."
    assert match.outcome
    assert page.locator("#seats th.winner").all_inner_texts() == [f"Player {match.outcome.winner} wins"]
    rows = [row.split("\t") for row in page.locator("#rounds tr").all_inner_texts()]
    assert rows == [
        [f"Round {each.number}", f"Player {each.dealer}"]
        + [f"{points} total {total}" for points, total in zip(each.points, each.totals, strict=True)]
        for each in match.rounds
    ]
    assert page.locator("#place").inner_text() == f"3 / {len(match.rounds[1].game.history)}"
    assert page.locator("#heading").inner_text() == "round 2 of sample, player 2 dealt"
    for each in match.rounds:
        page.get_by_role("button", name=f"Round {each.number}", exact=True).click()
        assert page.locator("#rounds tr[aria-current=true] button").inner_text() == f"Round {each.number}"
        page.keyboard.press("End")
        found = page.evaluate(SEEN)
        assert found["outcome"] == each.game.outcome.sentence(each.game.declaration)
        assert found["hands"] == [list(hand) for hand in each.game.hands]
    until(page, f"location.hash.startsWith('#round={len(match.rounds)}&step=')")
    page.evaluate("location.hash = '#round=1&step=2'")
    until(page, "document.getElementById('place').textContent.startsWith('2 /')")
    assert complaints(page) == []


WATCHED = """() => {
    const token = document.querySelector(".token");
    window.shown = [];
    const note = () => window.shown.push(token.getAttribute("visibility"));
    new MutationObserver(note).observe(token, { attributeFilter: ["visibility"] });
}"""
"""Notes how the token is shown from now on: on a busy machine its way is over before anybody asks."""


def test_nothing_moves_where_reduced_motion_is_preferred(opened: Open) -> None:
    text = replay(sample("maumau", 0), "sample")
    moving = opened(text, reduced_motion="no-preference").page
    moving.evaluate(WATCHED)
    moving.keyboard.press("ArrowRight")
    until(moving, "window.shown.includes('visible') && window.shown.at(-1) === 'hidden'")
    still = opened(text, reduced_motion="reduce").page
    still.evaluate(WATCHED)
    still.keyboard.press("ArrowRight")
    assert still.evaluate("document.querySelector('.token').getAttribute('visibility')") == "hidden"
    assert "visible" not in still.evaluate("window.shown")
    assert still.evaluate("document.getAnimations().length") == 0


def test_markup_in_the_data_stays_text(opened: Open) -> None:
    hostile = "</script><img src=x onerror=alert(1)><b>bold</b>"
    page = opened(replay(sample("maumau", 0), hostile)).page
    assert page.locator("#heading").inner_text() == hostile
    assert page.locator("img, #heading *").count() == 0
    assert page.title() == f"Mau-Mau: {hostile}"


def test_every_event_of_the_longest_game_of_the_corpus_can_be_shown(opened: Open) -> None:
    dealt = MauMau.read((CORPUS / "maumau" / "cases.in").read_text(), "")[160]
    game = MauMau.of_deck(dealt.players, dealt.deck)
    game.run()
    played = Transcript.of(game)
    page = opened(replay(played, "the longest"), "#step=1234").page
    last = len(played.steps)
    assert last > 1900
    again = played.rounds[0].game.start()
    for step in played.steps[:1234]:
        again.fire_again(step)
    assert page.evaluate(SEEN)["hands"] == [list(hand) for hand in again.hands]
    for key, at in (("End", last), ("ArrowLeft", last - 1), ("Home", 0)):
        page.keyboard.press(key)
        entry = page.locator("#log [aria-current]")
        assert entry.get_attribute("data-at") == str(at)
        assert page.evaluate(
            "(() => { const log = document.getElementById('log').getBoundingClientRect();"
            "const entry = document.querySelector('#log [aria-current]').getBoundingClientRect();"
            "return entry.top >= log.top - 1 && entry.bottom <= log.bottom + 1 })()"
        )


@pytest.mark.parametrize(("game", "index"), [("maumau", 1), ("uno", 11)])
def test_cards_are_seen_in_sentences_and_in_the_log(opened: Open, game: str, index: int) -> None:
    played = sample(game, index)
    page = opened(replay(played, "sample")).page
    declaration = played.kind.declaration
    notation = declaration.codec.notation
    code = re.compile(rf"\b(?:{'|'.join(name for name in notation.cards if len(name) > 1)})\b")
    texts = page.locator("#log .what, #log .why").all_text_contents()
    assert len(texts) > 5
    assert [text for text in texts if code.search(text)] == []
    at, step = next((at, step) for at, step in enumerate(played.steps, 1) if step.trigger == "play" and step.card)
    for place in (f"#log [data-at='{at}'] .what", "#sentence"):
        page.locator(f"#log [data-at='{at}']").click()
        chip = page.locator(f"{place} .chip").first
        assert chip.get_attribute("data-card") == step.card
        assert chip.get_attribute("role") == "img"
        assert chip.get_attribute("aria-label") == declaration.look.face(notation, step.card).label


@pytest.mark.parametrize(("game", "index", "scheme"), [("maumau", 1, "dark"), ("uno", 11, "light")])
def test_it_fits_every_width_and_everybody_can_use_it(opened: Open, game: str, index: int, scheme: str) -> None:
    page = opened(replay(sample(game, index), "sample"), "#step=12", color_scheme=scheme).page
    for width, height in ((390, 844), (820, 1180), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert complaints(page) == []


def test_no_name_of_a_card_is_left_to_a_picture_alone(opened: Open) -> None:
    page = opened(replay(sample("maumau", 0), "sample")).page
    labels = page.eval_on_selector_all(
        "#hands [data-card]", "cards => cards.map(card => card.getAttribute('aria-label'))"
    )
    assert labels
    assert all(re.fullmatch(r"\w+ of \w+", label) for label in labels)
