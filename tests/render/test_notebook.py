"""A game in a notebook: the table as cards beside the diagram, made for any game and without anything that runs."""

from __future__ import annotations

import importlib.util
import sys
from base64 import b64decode
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import Watched, complaints
from bulk_fixtures import Countdown

from fsm import Game, MauMau, Uno, game_of
from fsm.check.properties import Report
from fsm.declaration.facts import Look
from fsm.games.maumau import MAUMAU
from fsm.match.setup import MATCH
from maumau.kernels.compiler.program import Totals
from render.diagram import Overlay, render
from render.notebook import bundle
from rules.faces import Face

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = "</div><script>alert(1)</script><img src=x onerror='alert(2)'>\"&amp;"
VOID = {"img"}


class Html(HTMLParser):
    """The elements of a piece of HTML with their attributes, the text of each class, and whether all are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[dict[str, str | None]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.append(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        kind = str(self.attributes[-1].get("class") or self.tags[-1]) if self.tags else ""
        self.texts.append((kind, data))

    def text(self) -> str:
        return " ".join(data.strip() for kind, data in self.texts if kind != "style" and data.strip())

    def labels(self) -> list[str | None]:
        return [found["aria-label"] for found in self.attributes if "aria-label" in found]


def html(game: Game) -> Html:
    return Html(str(bundle(game)["text/html"]))


@pytest.fixture
def nothing_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setenv("PATH", "")


def maumau_game() -> MauMau:
    return MauMau.at(
        "jack-binding player=2 due=0 penalty=0 drawn=- suit=H ending=- winner=- hands=SS,HT/HA discard=CN,HN,CJ "
        "draw=SA,CS,CE,CT,CQ,CK,CA,SE,SN,ST,SJ,SQ,SK,HS,HE,HJ,HQ,HK,DS,DE,DN,DT,DJ,DQ,DK,DA"
    )


def test_the_hands_the_open_card_the_piles_and_the_facts_are_shown() -> None:
    shown = html(maumau_game())
    assert shown.labels() == ["seven of spades", "ten of hearts", "ace of hearts", "jack of clubs"]
    text = shown.text()
    for words in (
        "player 1 · 2 cards 7♠\ufe0e SS 10♥\ufe0e HT",
        "player 2 · 1 card A♥\ufe0e HA",
        "draw pile: 26 cards · discard pile: 3 cards · open card: J♣\ufe0e CJ",
        "bound suit: hearts",
        "jack-binding · player 2 in turn",
    ):
        assert words in text
    assert [data for kind, data in shown.texts if kind == "label turn"] == ["player 2 · 1 card"]


def test_the_faces_of_another_game_come_from_its_look() -> None:
    game = Uno.deal(players=3, seed=4)
    game.run()
    shown = html(game)
    faces = [Uno.declaration.look.face(Uno.declaration.codec.notation, card) for hand in game.hands for card in hand]
    assert shown.labels()[:-1] == [face.label for face in faces]
    assert str(game.outcome) in shown.text()
    assert not [kind for kind, _ in shown.texts if kind == "label turn"]
    seats = [data for kind, data in shown.texts if kind == "label"]
    assert len(seats) == len(game.uno_calls) == 3
    assert any(game.uno_calls)
    for text, calls in zip(seats, game.uno_calls, strict=True):
        assert text.partition(f" · {calls} call")[1] if calls else "call" not in text


def test_a_game_without_anything_of_its_own_is_shown_by_the_names_of_its_cards() -> None:
    game = Countdown.deal(players=3, seed=1)
    game.begin()
    shown = html(game)
    assert shown.labels() == [*(card for hand in game.hands for card in hand), game.open_card]
    assert f"left {game.table.left}" in shown.text()


@pytest.mark.parametrize("example", ["crazy_eights", "hearts"])
def test_a_game_of_a_file_is_shown(example: str) -> None:
    spec = importlib.util.spec_from_file_location(f"notebook_{example}", EXAMPLES / f"{example}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        kind = next(
            each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Game) and each != Game
        )
        game = kind.deal(players=4, seed=2)
        assert len(html(game).labels()) == sum(map(len, game.hands)) + bool(game.open_card)
    finally:
        del sys.modules[spec.name]


def test_a_suit_that_french_cards_lack_is_shown_by_its_letter() -> None:
    kind = game_of(replace(MAUMAU, look=Look(face=lambda notation, name: Face("french", "7", "Z", name))))
    assert {data for each, data in html(kind.deal(players=2, seed=1)).texts if each == "face"} == {"7Z\ufe0e"}


@pytest.mark.usefixtures("pictures")
def test_every_text_of_a_game_is_escaped() -> None:
    look = Look(face=lambda notation, name: Face(HOSTILE, HOSTILE, HOSTILE, HOSTILE), suit_facts={"suit": HOSTILE})
    kind = game_of(replace(MAUMAU, look=look, title=HOSTILE))
    shown = html(kind.at(maumau_game().position()))
    assert set(shown.tags) == {"div", "style", "span", "b", "img"}
    assert shown.tags.count("img") == 1
    assert not [name for found in shown.attributes for name in found if name.startswith("on")]
    assert [data for kind, data in shown.texts if kind == "face"] == [HOSTILE] * 4
    assert f"{HOSTILE}: hearts" in shown.text()
    assert set(shown.labels()) == {HOSTILE}


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_nothing_runs_and_nothing_is_loaded(kind: type[Game]) -> None:
    shown = html(kind.deal(players=2, seed=7))
    assert "script" not in shown.tags
    sources = [found[name] or "" for found in shown.attributes for name in ("src", "href") if name in found]
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    style = next(data for kind, data in shown.texts if kind == "style")
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.usefixtures("pictures")
def test_the_diagram_with_the_active_phase_stands_beside_the_table() -> None:
    game = maumau_game()
    drawn = render(MAUMAU, "svg", Overlay(active=game.phase))
    assert bundle(game)["image/svg+xml"] == drawn
    assert drawn != render(MAUMAU, "svg")
    image = next(found for found in html(game).attributes if "src" in found)
    assert b64decode(str(image["src"]).split(",")[1]).decode() == drawn
    assert image["alt"] == "State diagram of Mau-Mau; the active phase is jack-binding"


@pytest.mark.usefixtures("nothing_draws")
def test_without_anything_that_draws_the_table_is_shown_alone() -> None:
    game = maumau_game()
    assert set(bundle(game)) == {"text/html"}
    assert "img" not in html(game).tags
    assert html(game).labels()


def test_the_text_stays() -> None:
    game = maumau_game()
    assert game._repr_mimebundle_()["text/plain"] == f"{game!r}\n{game}"
    assert game._repr_mimebundle_()["text/html"] == bundle(game)["text/html"]


@pytest.mark.slow
def test_it_can_be_read_on_light_and_on_dark_ground(browser: Browser) -> None:
    """A notebook has a ground of its own; axe checks the contrasts."""
    tables = "".join(
        str(bundle(value)["text/html"]) for value in (maumau_game(), Uno.deal(players=2, seed=7), MAUMAU, MATCH)
    )
    grounds = "".join(f"<div style='background:{ground}'>{tables}</div>" for ground in ("#ffffff", "#111111"))
    watched = Watched(browser)
    watched.page.set_content(f"<!doctype html><html lang=en><title>x</title><main><h1>x</h1>{grounds}</main></html>")
    assert (complaints(watched.page), watched.faults) == ([], [])


def tables_of(value: object) -> Html:
    return Html(bundle(value)["text/html"])


@pytest.mark.usefixtures("pictures")
def test_a_machine_is_its_drawing_at_full_width_and_a_table_of_its_arcs() -> None:
    shown = tables_of(MAUMAU)
    image = next(found for found in shown.attributes if "src" in found)
    assert b64decode(str(image["src"]).split(",")[1]).decode() == render(MAUMAU, "svg")
    assert "width:100%" in str(image["style"])
    assert image["alt"] == "State diagram of Mau-Mau"
    assert shown.tags.count("tr") == 1 + len(MAUMAU.arcs)
    assert all(arc.description in shown.text() for arc in MAUMAU.arcs)
    assert "width:100%" in str(next(found for found in html(maumau_game()).attributes if "src" in found)["style"])


@pytest.mark.usefixtures("nothing_draws")
def test_a_machine_is_a_table_where_nothing_draws() -> None:
    assert set(bundle(MAUMAU)) == {"text/html"}
    assert "img" not in tables_of(MAUMAU).tags


def test_a_check_shows_its_figures_and_the_failed_properties_first() -> None:
    report = Report(MAUMAU, ("it ends", "no <card> is lost"), positions=1234, events=99, failed=Counter({1: 7}))
    texts = [text for kind, text in tables_of(report).texts if kind != "style"]
    assert texts[0] == "Check of Mau-Mau: 1 property failed"
    assert "1,234" in texts
    assert texts.index("no <card> is lost") + 1 == texts.index("7") < texts.index("it ends") == texts.index("holds") - 1
    assert "Transitions that never fired" in texts


def test_totals_show_each_seat_and_each_end() -> None:
    totals = Totals(
        games=4,
        endings={"won": 3, "stuck": 1},
        wins=(2, 1),
        points=(10, 6),
        turns=40,
        laid=30,
        taken=8,
        reshuffles=1,
        reshuffled=1,
        longest=17,
        fired={MAUMAU.arcs[0]: 3, MAUMAU.arcs[1]: 1},
        used={},
    )
    text = tables_of(totals.sheet()).text()
    for words in (
        "4 games, the longest of 17 turns",
        "1 2 50.00% 2.50 2 1 25.00% 1.50",
        "turns 40 10.00 cards laid 30 7.50",
        "won 3 75.00% stuck 1 25.00%",
        f"{MAUMAU.arcs[0].description} 3 75.00%",
    ):
        assert words in text


def test_a_chart_a_check_and_a_game_give_a_notebook_text_and_tables() -> None:
    for value in (MAUMAU, Report(MAUMAU, ()), MATCH):
        shown = value._repr_mimebundle_()
        assert shown["text/plain"] == repr(value)
        assert "<table>" in shown["text/html"]


def test_other_values_have_no_form_of_their_own() -> None:
    assert bundle("text") == {}


@pytest.mark.slow
@pytest.mark.usefixtures("pictures")
def test_the_cells_of_a_notebook_show_drawings_and_tables() -> None:
    nbformat = pytest.importorskip("nbformat", reason="a notebook needs nbformat")
    client = pytest.importorskip("nbclient", reason="a notebook needs nbclient")
    pytest.importorskip("ipykernel", reason="a notebook needs ipykernel")
    cells = [
        "from maumau import MauMau\nMauMau.deal(players=2, seed=7)",
        "MauMau.declaration",
        "from maumau import survey\nsurvey(MauMau, 1)",
        "from maumau import bulk\nbulk.total(2, 100, seed=1)",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client.NotebookClient(book, kernel_name="python3", timeout=120).execute()
    game, machine, check, totals = (cell.outputs[0].data for cell in book.cells)
    for shown in (game, machine):
        assert shown["image/svg+xml"].startswith("<svg")
        assert "img" in Html(shown["text/html"]).tags
    assert all("table" in Html(shown["text/html"]).tags for shown in (machine, check, totals))
    assert "every property holds" in Html(check["text/html"]).text()
    assert "100 games, the longest of" in Html(totals["text/html"]).text()
