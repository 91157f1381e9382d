"""A table as a screen of the terminal: the table, the log with the reasons, the hand, and the keys.

A wide terminal has the log beside the table. Everything is a button that keyboard and mouse press. Cards that can be
played stand in brackets, so that no colour is needed; pressing another card says why it cannot be played.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ItemGrid, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Label, OptionList, Static

from fsm.declaration.parts import SET_OF
from maumau.play.table import Refused, Table
from maumau.play.table.hints import Searching
from maumau.play.terminal.cards import COLOURS, drawn, draws_signs, legend, signs_of
from render.text.table import TableText

PACE = 0.5
"""Seconds between two events, so that they can be followed."""
WIDE = 120
"""Columns of a terminal from which on the log stands beside the table."""
KEYS = 9
"""Moves that have a key of their own."""
Moves = Sequence[dict[str, Any]]
HELP = (
    "Tab and the arrow keys go from card to card, Enter plays. A card in brackets can be played, also by the number "
    "before it; another one says why not. h: hint, u: undo, n: next round, ?: keys and signs, q: leave."
)


class CardChoice(Button):
    """A card of the hand, or a move without one: what it plays, or why it cannot be played."""

    def __init__(self, text: Content, moves: Moves, keys: str = "", reason: str = "") -> None:
        """keys: those of the moves, from the first to the last."""
        before, after = (f"{keys} [".lstrip(), "]") if moves else (" ", " ")
        super().__init__(Content.assemble(before, text, after), compact=True)
        self.styles.line_pad = 0  # which style sheets refuse
        self.moves, self.reason = moves, reason
        self.set_class(not moves, "refused")


class Chooser(ModalScreen[int | None]):
    """A choice among the moves with one card."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Back")]
    CSS = """
    Chooser { align: center middle; }
    Chooser OptionList { width: auto; max-width: 90%; height: auto; max-height: 80%; }
    """

    def __init__(self, texts: Sequence[Content]) -> None:
        super().__init__()
        self._texts = texts

    def compose(self) -> ComposeResult:
        """The moves, one a line."""
        yield OptionList(*self._texts)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the index of the move."""
        self.dismiss(event.option_index)


class Legend(ModalScreen[None]):
    """The keys, and what the signs on the cards mean."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,enter,q", "dismiss", "Back")]
    CSS = """
    Legend { align: center middle; background: $background; }
    Legend VerticalScroll { width: 90%; max-width: 90; height: auto; max-height: 90%; padding: 1 2;
      border: round $primary; background: $surface; }
    """

    def __init__(self, text: Content) -> None:
        super().__init__()
        self._words = text

    def compose(self) -> ComposeResult:
        """The keys and the legend."""
        with VerticalScroll():
            yield Static(self._words, id="legend")


class TableScreen(App[None]):
    """A table, seen by one player. pace: seconds between events. failure: what ended the screen early, if anything."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("n", "next_round", "Next round"),
        Binding("question_mark", "help", "Help"),
        Binding("q", "quit", "Quit"),
        Binding("right,down", "app.focus_next", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        *(Binding(str(number), f"press({number})", show=False) for number in range(1, KEYS + 1)),
    ]
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #left { height: 1fr; }
    #table { height: auto; max-height: 45%; padding: 0 1; }
    #log { height: 1fr; min-height: 3; padding: 0 1; border-top: solid $primary; border-bottom: solid $primary;
      overflow-x: hidden; scrollbar-size-vertical: 1; }
    #message { width: 100%; height: auto; max-height: 6; padding: 0 1; text-style: bold; }
    ItemGrid { height: auto; max-height: 40%; padding: 0 1; grid-gutter: 0 1; overflow-y: auto; }
    CardChoice { width: 100%; min-width: 4; }
    CardChoice, CardChoice:hover { background: $background; color: $foreground; }
    CardChoice:focus, CardChoice.refused:focus { text-style: bold underline; background: $panel; }
    .-wide #log { dock: right; width: 45%; height: 100%; border: none; border-left: solid $primary; }
    .-wide #table { max-height: 60%; }
    .-wide #message { margin: 1 0; }
    """

    def __init__(self, table: Table, player: int, pace: float = PACE, search: Searching | None = None) -> None:
        """search: for hints; without one they are those of the default policy."""
        self._has_signs = draws_signs()
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self.failure: Exception | None = None
        self._table, self._player, self._pace, self._search = table, player, pace, search
        self._game = table.game.declaration
        self._words = TableText(self._game)
        self._number, self._goes_on = 0, False
        self._told: list[Content] = []
        self._moves: Moves = ()
        self._useful: dict[str, bool] = {}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of the suits on the ground of the theme, as variables of style sheets: `card-H`."""
        return {f"card-{suit}": pair[not self.current_theme.dark] for suit, pair in COLOURS.items()}

    def compose(self) -> ComposeResult:
        """The table, the log, what is asked, the hand, and the moves without a card of it."""
        signs = signs_of(self._game).values() if self._has_signs else ()
        with Vertical(id="left"):
            yield Static(id="table", markup=False)
            yield VerticalScroll(Static(id="told", markup=False), id="log", can_focus=False)
            yield Label(id="message", markup=False)
            yield ItemGrid(id="hand", min_column_width=max(8, *(len(sign) + 6 for sign in signs), 0))
            yield ItemGrid(id="moves", min_column_width=14)
        yield Footer()

    def on_mount(self) -> None:
        """Begin."""
        self.title = self._game.title
        self.query_one("#log").anchor()
        self._write(f"{self._game.title}. You are player {self._player}. {HELP}")
        self._go_on()

    # ---------------------------------------------------------------- what happens

    @work(exclusive=True)
    async def _go_on(self) -> None:
        """Fire what needs no person, one event after another, and show it."""
        try:
            while self._table.state != "round over" or self._goes_on:
                self._goes_on = False
                if not await asyncio.to_thread(self._table.advance):
                    break
                if self._tell():
                    await self._show()
                    await asyncio.sleep(self._pace)
        except ValueError as error:  # of a computer player
            self.failure = error
            self.exit()
            return
        await self._show()

    def _tell(self) -> bool:
        """Log what has happened since. Returns whether there was something."""
        told = False
        for entry in self._table.log(self._player, self._number):
            self._number = entry["number"]
            why = f" ({entry['why']})" if entry.get("why") and entry["why"] not in entry["text"] else ""
            if entry["text"]:
                self._write(entry["text"] + why)
                told = True
        return told

    def _write(self, text: str) -> None:
        self._told.append(self._drawn(text))
        self.query_one("#told", Static).update(Content("\n").join(self._told))

    def _drawn(self, text: str) -> Content:
        """A text with its cards as this terminal draws them."""
        return drawn(self._game, text) if self._has_signs else Content(text)

    async def _show(self) -> None:
        """Show the table as it is now."""
        view = self._table.view(self._player)
        self.query_one("#table", Static).update(self._drawn("\n".join(self._words.lines(view))))
        self._say(self._asked(view))
        hand, self._moves = self._words.hand(view), self._words.moves(view)
        unplayable = view["question"]["unplayable"] if view["question"] else {}
        cards = [
            self._choice(
                card,
                [move for move in self._moves if card in self._words.cards(move)],
                unplayable.get(card, "it is not your turn"),
            )
            for card in hand
        ]
        await self._put("#hand", cards)
        others = [move for move in self._moves if move.get("card") not in hand]
        refused = view["question"]["refused"].items() if view["question"] else ()
        sets = [self._choice(event, [], reason) for event, reason in refused if SET_OF in event]
        await self._put("#moves", [*(self._choice(self._words.move(move), [move]) for move in others), *sets])
        own, over = view["question"] is not None, view["state"] == "round over"
        self._useful = {"hint": own, "undo": view["undo"], "next_round": over}
        self.refresh_bindings()
        if first := next((choice for choice in self.query(CardChoice) if choice.moves), None):
            first.focus()

    def _choice(self, text: str, moves: Moves, reason: str = "") -> CardChoice:
        numbers = [self._moves.index(move) + 1 for move in moves]
        keys = [str(number) for number in numbers if number <= KEYS]
        return CardChoice(self._drawn(text), moves, "-".join(dict.fromkeys((*keys[:1], *keys[-1:]))), reason)

    async def _put(self, where: str, choices: Sequence[CardChoice]) -> None:
        """Replace the buttons of a row."""
        row = self.query_one(where)
        async with row.batch():
            await row.remove_children()
            await row.mount_all(choices)

    def _asked(self, view: dict[str, Any]) -> str:
        """What is asked, or who acts."""
        if view["state"] == "over":
            return f"{(view['match'] or view)['outcome']['text']} q: leave."
        if view["state"] == "round over":
            return f"{view['outcome']['text']} n: the next round."
        return "Your move:" if view["question"] else f"{view['who'].capitalize()}."

    def _say(self, text: str) -> None:
        self.query_one("#message", Label).update(self._drawn(text))

    # ---------------------------------------------------------------- what the player does

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether a key does something now; others are not shown."""
        return self._useful.get(action, True)

    @work
    async def on_button_pressed(self, event: Button.Pressed) -> None:
        """Play what was pressed; ask where it can be played in several ways; say why it cannot be played."""
        choice = event.button
        if not isinstance(choice, CardChoice):
            return
        if not choice.moves:
            self._say(f"{choice.reason}.")
            return
        index: int | None = 0
        if len(choice.moves) > 1:
            index = await self.push_screen_wait(Chooser([self._drawn(self._words.move(move)) for move in choice.moves]))
        if index is not None:
            self._act(choice.moves[index])

    def _act(self, move: dict[str, Any]) -> None:
        self._try(self._table.act, self._player, move, self._table.version(self._player))

    def _try(self, act: Any, *arguments: Any) -> None:
        """Do something, and go on; or say why it is refused."""
        try:
            act(*arguments)
        except Refused as refusal:
            self._say(f"{refusal}.")
            return
        self._tell()
        self._go_on()

    @work
    async def action_hint(self) -> None:
        """Say which move is the best, and why."""
        version = self._table.version(self._player)
        hint = await asyncio.to_thread(self._table.hinting(self._player, self._search))
        if self._table.version(self._player) == version:
            self._say(self._words.hint(hint))

    def action_press(self, number: int) -> None:
        """Make a move by its number."""
        if number <= len(self._moves):
            self._act(self._moves[number - 1])

    def action_undo(self) -> None:
        """Take back the last move."""
        self._try(self._table.undo, self._player, self._table.version(self._player))

    def action_next_round(self) -> None:
        """Deal the next round."""
        self._goes_on = True
        self._go_on()

    def action_help(self) -> None:
        """Show the keys, and what the signs on the cards mean."""
        signs = legend(self._game) if self._has_signs else Content("")
        self.push_screen(Legend(Content("\n\n").join([Content(HELP), signs]) if signs else Content(HELP)))
