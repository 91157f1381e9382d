"""A table line by line: for people who read or hear lines, and for programs, which read and write them.

A question is a numbered line for each move, then a line that begins with `Your move`. It is answered with a number, a
move (`play HJ naming S`), or a card that is meant with one move only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.parts import SET_OF
from fsm.edge.kept import kept
from fsm.stepping.steps import Move
from maumau.play.table import Refused, Table
from maumau.play.table.hints import Searching
from render.text.table import TableText
from rules.notation import shown

COMMANDS = {
    "help": "these commands",
    "table": "the table and your hand again",
    "cards": "your hand in words",
    "hint": "a move and the reason for it",
    "why CARD": "why a card, or a set of cards, cannot be played",
    "undo": "take back your last move",
    "quit": "leave the table",
}
Print = Callable[[str], None]
NO_TEXT = "\ufffd"
"""Stands in a line for bytes that are not UTF-8 text."""
MAX_LINES = 1000
"""Lines of the input from one move to the next; more are a mistake, such as an endless device."""


class InputEnded(Exception):
    """The input ended before the game did, or MAX_LINES lines of it were not moves; the message says which."""


class PlainTable:
    """A table, seen by one player, line by line."""

    def __init__(
        self,
        table: Table,
        player: int,
        lines: Iterable[str],
        write: Print,
        search: Searching | None = None,
        in_words: bool = False,
    ) -> None:
        """search: for hints; without one they are those of the default policy. in_words: whether cards are written in
        words; what is typed are their codes all the same.
        """
        self._table, self._player, self._print, self._search = table, player, write, search
        self._in_words = in_words
        self._lines, self._number = iter(lines), 0
        self._game = table.game.declaration
        self._words = TableText(self._game)

    def play(self) -> bool:
        """Play to the end. Returns False if the player has left. Raises InputEnded."""
        self._greet()
        while self._table.state != "over":
            if self._table.advance():
                self._tell()
            elif not self._answer():
                return False
        return True

    def _greet(self) -> None:
        seats = [f"player {seat['player']} is {seat['name']}" for seat in self._view["seats"]]
        sides = self._game.scoring.sides_among(len(seats))
        for place in range((self._player - 1) % sides, len(seats), sides):
            seats[place] += ", your partner"
        others = seats[: self._player - 1] + seats[self._player :]
        self._write(f"{self._game.title}. You are player {self._player}{'; ' * bool(others)}{', '.join(others)}.")
        self._write("Type help for the commands.")
        if self._in_words:
            for line in key_lines(self._game):
                self._print(line)
        self._tell()

    def _write(self, line: str) -> None:
        """Print a line, with cards in words if they are wanted so."""
        self._print(worded(self._game, line) if self._in_words else line)

    @property
    def _view(self) -> dict[str, Any]:
        return self._table.view(self._player)

    @property
    def _hand(self) -> list[str]:
        return self._words.hand(self._view)

    def _tell(self) -> None:
        """Print what has happened since."""
        for entry in self._table.log(self._player, self._number):
            self._number = entry["number"]
            if entry["text"]:
                self._write(entry["text"])
            if entry["event"] == "end_round" and self._view["match"]:
                self._write_table()

    # ---------------------------------------------------------------- questions and answers

    def _answer(self) -> bool:
        """Ask until a move is made. Returns False if the player leaves."""
        self._show()
        version = self._table.version(self._player)
        lines = 0
        while self._table.version(self._player) == version and self._table.asked == self._player:
            if lines == MAX_LINES:
                raise InputEnded(f"{lines:,} lines without a move; give moves, or quit")
            lines += 1
            last = len(self._moves())
            self._write(f"Your move (1{f'-{last}' if last > 1 else ''}, or help):")
            line = next(self._lines, None)
            if line is None:
                raise InputEnded("ended before the game was over; end it with quit")
            if line.strip().lower() in ("quit", "q"):
                return False
            self._obey(" ".join(line.split()))
        self._tell()
        return True

    def _show(self) -> None:
        self._write_table()
        self._write(f"Your hand: {' '.join(self._hand) or 'empty'}")
        self._list(self._moves())

    def _write_table(self) -> None:
        for line in self._words.lines(self._view):
            self._write(line)

    def _moves(self) -> list[dict[str, Any]]:
        return self._words.moves(self._view)

    def _list(self, moves: Iterable[dict[str, Any]]) -> None:
        every = self._moves()
        for move in moves:
            self._write(f"{every.index(move) + 1} {self._words.move(move)}")

    def _obey(self, line: str) -> None:
        """Do what a line says."""
        if NO_TEXT in line:
            self._write("This line is not UTF-8 text; enter a number, a move or help")
            return
        word, _, rest = line.partition(" ")
        command = {"h": "help", "?": "help", "u": "undo"}.get(word.lower(), word.lower())
        if command == "help":
            for name, what in COMMANDS.items():
                self._write(f"{name}: {what}")
        elif command == "table":
            self._show()
        elif command == "cards":
            for card in self._hand:
                self._print(f"{card}: {self._game.look.face(self._game.codec.notation, card).label}")
        elif command == "hint":
            self._write(self._words.hint(self._table.hint(self._player, self._search)))
        elif command == "why" and rest:
            self._write(self._reason(self._named(rest)[1]))
        elif command == "undo":
            self._try(lambda: self._table.undo(self._player, self._table.version(self._player)))
        else:
            self._move(line)

    def _move(self, line: str) -> None:
        """Make the move that a line names, or say what is wrong with it."""
        moves, (trigger, cards) = self._moves(), self._named(line)
        meant = (
            [move for number, move in enumerate(moves, 1) if line == str(number)]
            or [move for move in moves if line.lower() in self._names(move)]
            or [
                move
                for move in moves
                if cards and cards == self._words.cards(move)
                if trigger is None or (trigger == move["trigger"] and len(cards) > 1)
            ]
        )
        if len(meant) == 1:
            self._try(lambda: self._table.act(self._player, meant[0], self._table.version(self._player)))
        elif meant:
            self._write(f"{line.upper()} can be played in several ways; choose one of:")
            self._list(meant)
        else:
            self._write(self._no_move(line))

    def _names(self, move: dict[str, Any]) -> tuple[str, ...]:
        """What names a move, in small letters: its label, and the move with its cards as codes and in words."""
        text = self._words.move(move)
        return move["label"].lower(), text.lower(), worded(self._game, text).lower()

    def _named(self, line: str) -> tuple[str | None, list[str]]:
        """The event and the cards that a line names, in any order: `meld 4D, 4H 4C`; the event may be left out."""
        trigger, _, rest = line.partition(" ")
        is_named = trigger.lower() in self._game.triggers
        cards = (rest if is_named else line).upper().replace(SET_OF, " ").split()
        return trigger.lower() if is_named else None, sorted(cards)

    def _no_move(self, line: str) -> str:
        trigger, cards = self._named(line)
        if trigger is None and self._holds(cards):
            return self._reason(cards)
        rest = line.partition(" ")[2].upper()
        card = SET_OF.join(cards) if len(cards) > 1 and self._holds(cards) else rest
        refusal = self._table.why(self._player, Move(trigger, card or None)) if trigger else None
        return refusal or f"{shown(line)} is neither a move nor a command; enter a number, a move or help"

    def _holds(self, cards: Collection[str]) -> bool:
        return bool(cards) and set(cards) <= set(self._hand)

    def _reason(self, cards: Sequence[str]) -> str:
        """Why a card, or a set of cards, cannot be played."""
        text = SET_OF.join(cards)
        if not self._holds(cards):
            return f"{shown(text)} is not {'a card' if len(cards) == 1 else 'a set of cards'} of your hand"
        if len(cards) == 1:
            return str(self._view["question"]["unplayable"].get(text, f"{text} can be played"))
        offers = self._game.control[self._table.game.phase].offers
        sets = [offer.trigger for offer in offers if offer.forms and offer.from_hand]
        if not sets:
            return f"{text}: no set of cards is asked for; name one card"
        reasons = [self._table.why(self._player, Move(trigger, text)) for trigger in sets]
        return "; ".join(dict.fromkeys(filter(None, reasons))) if all(reasons) else f"{text} can be played"

    def _try(self, act: Callable[[], None]) -> None:
        """Do something, or print why it is refused."""
        try:
            act()
        except Refused as refusal:
            self._write(f"{refusal}")


# ---------------------------------------------------------------- cards in words


OF = " of "
"""Stands between the rank and the suit of a card in words."""
PRONOUNS = ("A", "I")
"""Words of sentences, which no name of a card stands for."""


@kept
def labels_of(game: Declaration) -> dict[str, str]:
    """Return the cards of a game in words, by name; cards whose words are their names are left out."""
    notation = game.codec.notation
    labels = {name: game.look.face(notation, name).label for name in dict.fromkeys(notation.cards)}
    return {name: label for name, label in labels.items() if label not in ("", name) and name not in PRONOUNS}


@kept
def _patterns(game: Declaration) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern that finds one card, and one that finds cards that follow each other."""
    one = "|".join(map(re.escape, sorted(labels_of(game), key=lambda name: (-len(name), name))))
    return re.compile(one), re.compile(rf"(?<![\w-])(?:{one})+(?:[ ,](?:{one})+)*(?![\w-])")


def worded(game: Declaration, text: str) -> str:
    """Return a text in which codes of cards are words; commas separate cards that follow each other."""
    labels = labels_of(game)
    if not labels:
        return text
    one, row = _patterns(game)
    return row.sub(lambda found: ", ".join(labels[name] for name in one.findall(found[0])), text)


def key_lines(game: Declaration) -> Iterator[str]:
    """Return the key to the codes of the cards: an example, then the letters of suits and ranks, if codes have them."""
    labels = labels_of(game)
    if not labels:
        return
    name = next(iter(labels))
    yield f"Cards are typed as codes, such as {name} for {labels[name]}; cards lists those of your hand."
    if all(label.count(OF) == 1 and len(name) == 2 for name, label in labels.items()):
        suit_of = {name: game.look.face(game.codec.notation, name).suit for name in labels}
        words = {name: label.split(OF) for name, label in labels.items()}
        suits = {suit: words[name][1] for name, suit in suit_of.items()}
        ranks = {name.replace(suit, "", 1): words[name][0] for name, suit in suit_of.items()}
        yield f"Suits: {', '.join(f'{code} {word}' for code, word in suits.items())}."
        yield f"Ranks: {', '.join(f'{code} {word}' for code, word in ranks.items())}."
