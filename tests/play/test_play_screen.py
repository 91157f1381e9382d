"""`maumau play` on the screen: whole games by keys and by mouse, narrow terminals, hints, undo, reasons."""

from __future__ import annotations

import asyncio
import io
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import product
from typing import Any

import pytest
from all_games import GAMES
from contrast import READABLE, contrast, luminance
from play_games import seated
from textual.color import Color
from textual.containers import ItemGrid
from textual.pilot import Pilot
from textual.widgets import Label, OptionList, Static
from textual.worker import WorkerCancelled

from fsm import Game
from maumau.play.table import Table
from maumau.play.terminal.cards import drawn
from maumau.play.terminal.cards import draws_signs as draws_signs_of_cards
from maumau.play.terminal.plain import InputEnded, PlainTable
from maumau.play.terminal.screen import CardChoice, TableScreen
from render.text.table import TableText

MAUMAU, UNO, OFFICIAL, MAHJONG, *_ = GAMES
NARROW, WIDE = (40, 24), (100, 32)
SUITS = "diamonds", "hearts", "spades", "clubs"


@pytest.fixture(autouse=True)
def draws_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the terminal draw signs in colours, wherever the tests run."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "__stdout__", io.TextIOWrapper(io.BytesIO(), "utf-8"))


Player = Callable[[TableScreen, Pilot[None]], Awaitable[None]]


async def settled(app: TableScreen, pilot: Pilot[None]) -> None:
    """Wait until nothing happens by itself."""
    await pilot.pause()
    while running := [worker for worker in app.workers if worker.name == "_go_on" and not worker.is_finished]:
        with suppress(WorkerCancelled):
            await running[0].wait()
        await pilot.pause()
    await pilot.pause()


def hinted(app: TableScreen) -> tuple[CardChoice, int]:
    """What the hint presses, and the place of its move there: games are short then."""
    move = app._table.hint(1)["move"]
    choice = next(choice for choice in app.query(CardChoice) if move in choice.moves)
    return choice, list(choice.moves).index(move)


def text_of(app: TableScreen, name: str) -> str:
    return str(app.query_one(name, Static).content)


async def by_keys(app: TableScreen, pilot: Pilot[None]) -> None:
    """Go to a choice with the arrow keys, and press Enter."""
    choice, place = hinted(app)
    for _ in range(60):
        if app.focused is choice:
            break
        await pilot.press("right")
    several = len(choice.moves) > 1
    await pilot.press("enter")
    if several:
        await pilot.pause()
        await pilot.press(*["down"] * place, "enter")


async def by_number(app: TableScreen, pilot: Pilot[None]) -> None:
    """Press the number that `--plain` has for a move, or go to it where it has none."""
    choice, place = hinted(app)
    number = TableText(app._table.game.declaration).moves(app._table.view(1)).index(choice.moves[place]) + 1
    if number > 9:
        await by_keys(app, pilot)
        return
    assert str(choice.label).startswith(f"{number}") or place
    await pilot.press(str(number))


async def by_mouse(app: TableScreen, pilot: Pilot[None]) -> None:
    """Click a choice."""
    choice, place = hinted(app)
    several = len(choice.moves) > 1
    choice.scroll_visible(animate=False, immediate=True)
    await pilot.pause()
    assert await pilot.click(choice)
    if several:
        await pilot.pause()
        await pilot.click(OptionList, offset=(3, 1 + place))


async def played(kind: type[Game], player: Player, size: tuple[int, int], seed: int) -> None:
    """Play a game on the screen to its end."""
    policy = kind.declaration.policies[0].name
    table = Table(seated(kind, kind.declaration.codec.fewest, policy=policy, seed=seed))
    app = TableScreen(table, 1, pace=0)
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        while table.state == "playing":
            before = table.version(1)
            await player(app, pilot)
            await settled(app, pilot)
            assert table.version(1) > before
        assert text_of(app, "#message").startswith(table.view(1)["outcome"]["text"])
        await pilot.press("q")


SHORT = {MAUMAU: 129, UNO: 42, OFFICIAL: 272, MAHJONG: 3}
"""Seeds of games that are over after few moves: a key takes a while."""


QUICK = [(MAUMAU, by_keys, NARROW), (MAUMAU, by_number, NARROW)]


@pytest.mark.parametrize(
    ("kind", "player", "size"),
    [
        pytest.param(*each, marks=pytest.mark.slow if each in QUICK else pytest.mark.thorough)
        for each in product(GAMES, (by_keys, by_number, by_mouse), (NARROW, WIDE))
    ],
    ids=lambda part: getattr(part, "__name__", str(part)),
)
def test_every_game_is_played(kind: type[Game], player: Player, size: tuple[int, int]) -> None:
    asyncio.run(played(kind, player, size, SHORT.get(kind, 5)))


@asynccontextmanager
async def on_screen(table: Table | None = None, size: Any = WIDE) -> AsyncIterator[tuple[TableScreen, Pilot[None]]]:
    """The screen of a table at its first question."""
    app = TableScreen(Table(seated(MAUMAU, 3, policy="house", seed=7)) if table is None else table, 1, pace=0)
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        yield app, pilot


async def test_cards_that_can_be_played_are_marked_without_colour_and_others_say_why() -> None:
    async with on_screen() as (app, pilot):
        hand = {str(choice.label).strip() for choice in app.query_one("#hand", ItemGrid).query(CardChoice)}
        assert hand == {"7♦", "7♠", "1 [Q♣]", "K♠", "K♦", "2 [K♣]"}
        assert app.focused is next(choice for choice in app.query(CardChoice) if choice.moves), (
            "a card before the draw pile"
        )
        assert app.focused.styles.text_style.underline, "by the style of the screen, not by that of every button"
        refused = next(choice for choice in app.query(CardChoice) if not choice.moves)
        assert await pilot.click(refused)
        await pilot.pause()
        assert text_of(app, "#message") == "K♦ fits neither the suit nor the rank of 8♣."
        assert app._table.game.history[-1].player != 1


@pytest.mark.slow
async def test_the_hand_lies_in_order_and_a_long_hint_is_shown_whole() -> None:
    async with on_screen(size=NARROW) as (app, pilot):
        hand = [
            str(choice.label).strip(" []").removeprefix("1 [").removeprefix("2 [")
            for choice in app.query_one("#hand", ItemGrid).query(CardChoice)
        ]
        assert hand == ["Q♣", "K♣", "K♦", "7♦", "K♠", "7♠"], "by suit, then as the game orders them"
        await pilot.press("h")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert len(text_of(app, "#message")) > NARROW[0]
        assert app.query_one("#message").size.height == 2


@pytest.mark.slow
async def test_hint_undo_and_help_have_keys_that_are_shown_where_they_do_something() -> None:
    async with on_screen() as (app, pilot):
        assert (app.check_action("hint", ()), app.check_action("undo", ())) == (True, False)
        await pilot.press("h")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert text_of(app, "#message") == "Hint: play K♣: the fitting card of the highest value."
        before = app._table.view(1)["hands"]
        await pilot.press("enter")
        await settled(app, pilot)
        assert app._table.view(1)["hands"] != before
        assert app.check_action("undo", ())
        await pilot.press("u")
        await settled(app, pilot)
        assert app._table.view(1)["hands"] == before


def log_of(app: TableScreen) -> list[str]:
    told = app.query_one("#told")
    return [line.text.rstrip() for line in told.render_lines(told.size.region)]


@pytest.mark.slow
async def test_the_keys_and_the_log_are_read_whole_when_the_window_becomes_narrow() -> None:
    async with on_screen() as (app, pilot):
        app.action_hint()
        await app.workers.wait_for_complete()
        told = " ".join(log_of(app)).split()
        for size in (NARROW, WIDE, NARROW):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.pause()
            assert " ".join(log_of(app)).split() == told
            assert max(map(len, log_of(app))) <= size[0] - 2
        assert app.query_one("#log").is_vertical_scroll_end
        assert text_of(app, "#message").startswith("Hint: ")
        message = app.query_one("#message")
        assert message.virtual_size.height <= message.size.height, "all of it is shown"


@pytest.mark.slow
async def test_a_number_means_the_same_move_as_line_by_line() -> None:
    table = Table(seated(MAUMAU, 3, policy="house", seed=20))
    async with on_screen(table) as (app, pilot):
        written: list[str] = []
        with suppress(InputEnded):
            PlainTable(table, 1, [], written.append).play()
        assert [line for line in written if line[:1].isdigit()] == [
            "1 play CA",
            *(f"{number} play HJ naming {suit}" for number, suit in enumerate(SUITS, 2)),
            "6 draw",
        ]
        shown = [str(choice.label).strip() for choice in app.query(CardChoice) if choice.moves]
        assert shown == ["1 [A♣]", "2-5 [J♥]", "6 [draw]"]
        await pilot.press("4")
        await settled(app, pilot)
        assert any("plays HJ and names" in entry["text"] and SUITS[2] in entry["text"] for entry in table.log(1))


SIZES = [
    pytest.param(size, marks=[pytest.mark.thorough] if size != NARROW else []) for size in (NARROW, (60, 16), WIDE)
]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", [MAUMAU, MAHJONG], ids=lambda kind: kind.__name__)
async def test_every_choice_can_be_reached_on_a_terminal_of_any_size(kind: type[Game], size: tuple[int, int]) -> None:
    async with on_screen(Table(seated(kind, 3, policy="house", seed=7)), size) as (app, pilot):
        for choice in list(app.query(CardChoice))[::3]:
            choice.scroll_visible(animate=False, immediate=True)
            await pilot.pause()
            assert choice.region.width >= len(str(choice.label))
            assert app.screen.region.contains_region(choice.region), choice
        assert app.query_one("#log").size.height >= 2
        assert app.query_one("#message", Label).region.width > 0


@pytest.mark.slow
async def test_a_question_offers_what_is_asked_in_words() -> None:
    table = Table(seated(OFFICIAL, 2, policy="house", seed=1))
    async with on_screen(table) as (app, pilot):
        while not any(move["trigger"] == "call" for move in table.view(1)["question"]["moves"]):
            await by_keys(app, pilot)
            await settled(app, pilot)
        offered = [str(choice.label) for choice in app.query_one("#moves", ItemGrid).query(CardChoice)]
        assert offered == ['1 [say "Uno!"]', "2 [say nothing]"]


@pytest.mark.thorough
async def test_the_next_round_waits_for_a_key() -> None:
    table = Table(seated(MAUMAU, 2, policy="house", key="short 72", target=500))
    async with on_screen(table) as (app, pilot):
        while table.state == "playing":
            await by_keys(app, pilot)
            await settled(app, pilot)
        assert text_of(app, "#message").endswith("n: the next round.")
        await pilot.press("n")
        await settled(app, pilot)
        assert table.view(1)["round"] == 2
        assert table.state == "playing"


def contrasts(app: TableScreen) -> dict[str, float]:
    """The contrast of each piece of text on the screen, but for the line of keys and the lines between parts."""
    found: dict[str, float] = {}
    for strip in app.screen._compositor.render_strips()[:-1]:
        for piece in strip:
            if piece.text.strip(" │─▌╭╮╰╯━▁▂▃▄▅▆▇█▔") and piece.style and piece.style.color and piece.style.bgcolor:
                colours = (Color.from_rich_color(each).rgb for each in (piece.style.color, piece.style.bgcolor))
                found[piece.text] = min(found.get(piece.text, 99), contrast(*map(luminance, colours)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize("kind", [MAUMAU, UNO, MAHJONG], ids=lambda kind: kind.__name__)
async def test_every_text_has_a_contrast_of_four_and_a_half(kind: type[Game], theme: str) -> None:
    async with on_screen(Table(seated(kind, 3, policy="house", seed=7))) as (app, pilot):
        app.theme = theme
        await pilot.pause()
        for shown in ("table", "legend"):
            found = contrasts(app)
            assert len(found) > 10
            assert {text: ratio for text, ratio in found.items() if ratio < READABLE} == {}, shown
            await pilot.press("question_mark")
            await pilot.pause()


@pytest.mark.slow
async def test_the_four_suits_have_four_colours() -> None:
    async with on_screen() as (app, pilot):
        await pilot.press("question_mark")
        await pilot.pause()
        pieces = [piece for strip in app.screen._compositor.render_strips() for piece in strip if piece.style]
        by_suit = {
            suit: {piece.style.color for piece in pieces if re.fullmatch(rf"(10|[2-9JQKA]){suit}", piece.text)}
            for suit in "♠♥♦♣"
        }
        assert [len(colours) for colours in by_suit.values()] == [1] * 4
        assert len(set.union(*by_suit.values())) == 4


async def test_a_question_mark_shows_the_keys_and_what_the_signs_mean() -> None:
    async with on_screen(Table(seated(UNO, 2, policy="house", seed=7))) as (app, pilot):
        await pilot.press("question_mark")
        await pilot.pause()
        lines = str(app.screen.query_one("#legend", Static).content).splitlines()
        assert "Enter plays" in lines[0]
        assert lines[2:] == [
            "yellow: ★0 Y0, ★1 Y1, ★2 Y2, ★3 Y3, ★4 Y4, ★5 Y5, ★6 Y6, ★7 Y7, ★8 Y8, ★9 Y9, ★skip YS, ★reverse YR, ★+2 YD",
            "red: ▲0 R0, ▲1 R1, ▲2 R2, ▲3 R3, ▲4 R4, ▲5 R5, ▲6 R6, ▲7 R7, ▲8 R8, ▲9 R9, ▲skip RS, ▲reverse RR, ▲+2 RD",
            "green: ■0 G0, ■1 G1, ■2 G2, ■3 G3, ■4 G4, ■5 G5, ■6 G6, ■7 G7, ■8 G8, ■9 G9, ■skip GS, ■reverse GR, ■+2 GD",
            "blue: ●0 B0, ●1 B1, ●2 B2, ●3 B3, ●4 B4, ●5 B5, ●6 B6, ●7 B7, ●8 B8, ●9 B9, ●skip BS, ●reverse BR, ●+2 BD",
            "others: wild+4 WF, wild WC",
        ]
        await pilot.press("escape")
        await pilot.pause()
        assert len(app.screen_stack) == 1


async def test_a_wide_terminal_has_the_log_beside_the_table() -> None:
    async with on_screen(size=(160, 40)) as (app, _):
        log, table, hand = (app.query_one(name).region for name in ("#log", "#table", "#hand"))
        assert log.x >= table.right
        assert log.x >= hand.right
        assert log.height >= 30


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
async def test_codes_stay_where_the_terminal_draws_no_colours(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    async with on_screen() as (app, _):
        assert {"DS", "SS", "1 [CQ]"} < {str(choice.label).strip() for choice in app.query(CardChoice)}
        assert not set("♠♥♦♣") & set(text_of(app, "#table") + text_of(app, "#told") + text_of(app, "#message"))


def test_codes_stay_where_the_terminal_has_no_such_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stdout__", io.TextIOWrapper(io.BytesIO(), "latin-1"))
    assert not draws_signs_of_cards()


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        (MAUMAU, "player 1 plays HT (DS-DE?)", "player 1 plays 10♥ (DS-DE?)"),
        (OFFICIAL, "player 2: R5 WF, GR.", "player 2: ▲5 wild+4, ■reverse."),
        (MAHJONG, "with the 5D: 1D2D3D 5M5M", "with the 5●: 1● 2● 3● 5萬 5萬"),
    ],
)
def test_codes_in_a_text_become_cards(kind: type[Game], text: str, shown: str) -> None:
    assert drawn(kind.declaration, text).plain == shown


async def test_a_computer_player_that_fails_ends_the_screen_with_its_message() -> None:
    from fsm.declaration.policy import admit_policy

    admit_policy("failing-at-a-table", lambda view: None, "")
    table = Table(seated(MAUMAU, 2, policy="failing-at-a-table", seed=7))
    app = TableScreen(table, 1, pace=0)
    async with app.run_test() as pilot:
        while app.failure is None:
            await pilot.press("enter")
            await pilot.pause()
    assert "return a Move" in str(app.failure)


def test_the_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from maumau.cli.interrupt import BadInput
    from maumau.cli.play import _play_on_screen

    monkeypatch.setattr("fsm.edge.extras.find_spec", lambda name: None)
    with pytest.raises(
        BadInput,
        match=r"playing on the screen requires textual; run pip install -e '.\[play\]' .* or use --plain",
    ):
        _play_on_screen(Table(seated(MAUMAU, 2)), 1)
