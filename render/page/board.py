"""The table of a game as self-contained HTML: hands, open card, sizes of the piles and facts, without a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from fsm.stepping.game import Game
from render.page.faces import count_text
from render.page.frame import notes
from rules.faces import Face

SUITS = {"H": "♥", "D": "♦", "S": "♠", "C": "♣"}
TEXT_STYLE = "\N{VARIATION SELECTOR-15}"
"""Keeps a browser from drawing the sign before it as a coloured picture."""


def board(game: Game) -> str:
    """The table of `game` as it is now, all hands open. Every text of the game is escaped; all sizes are in cards."""
    parts = _Board(game)
    rows = [parts.heading(), *(parts.seat(seat) for seat in range(game.players)), parts.piles(), parts.facts()]
    return f'<style>{_style()}</style><div class="maumau-board">{"".join(rows)}</div>'


class _Board:
    """The parts of the table of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._notation = game.declaration.codec.notation

    def heading(self) -> str:
        game = self._game
        state = str(game.outcome) if game.outcome else game.who_acts
        return _row("heading", f"<b>{escape(game.declaration.title)}</b> · {escape(f'{game.phase} · {state}')}")

    def seat(self, seat: int) -> str:
        hand = self._game.hands[seat]
        label = f"player {seat + 1} · {self._many(hand)}"
        turn = " turn" if self._in_turn(seat) else ""
        melds = "".join(self._row_of_cards(meld) for meld in self._game.melds[seat]) if self._game.melds else ""
        laid_out = f'<div class="melds">{melds}</div>' if melds else ""
        return _row("seat", f'<span class="label{turn}">{label}</span>{self._row_of_cards(hand)}{laid_out}')

    def _many(self, cards: Sequence[str]) -> str:
        return count_text(len(cards), self._notation.card_word)

    def piles(self) -> str:
        game = self._game
        look, word = game.declaration.look, self._notation.card_word
        sizes = f"{look.draw_pile}: {self._many(game.draw_pile)} · {look.discard_pile}: {self._many(game.discard_pile)}"
        opened = self._row_of_cards([game.open_card]) if game.open_card else ""
        return _row("piles", f"{escape(sizes)}{f' · open {word}:' if opened else ''}{opened}")

    def facts(self) -> str:
        """What holds beside the cards; empty if nothing does."""
        texts = [*(text for text, _ in notes(self._game)), *self._counts()]
        return _row("facts", escape(" · ".join(texts))) if texts else ""

    def _counts(self) -> Iterable[str]:
        """The facts with a number for each seat, those that are zero for all left out."""
        game = self._game
        for fact in game.declaration.codec.facts:
            if fact.kind == "counts" and any(values := getattr(game.table, fact.field)[: game.players]):
                yield f"{fact.name}: {'/'.join(map(str, values))}"

    def _in_turn(self, seat: int) -> bool:
        return self._game.outcome is None and seat + 1 == self._game.player

    def _row_of_cards(self, names: Iterable[str]) -> str:
        return f'<div class="cards">{" ".join(map(self._card, names))}</div>'

    def _card(self, name: str) -> str:
        face = self._game.declaration.look.face(self._notation, name)
        kinds, sign = _face(face)
        label, below = escape(face.label), "" if sign == name else f'<span class="name">{escape(name)}</span>'
        shown = f'<span class="face">{escape(sign)}</span>{below}'
        return f'<span class="{escape(kinds)}" title="{label}" role="img" aria-label="{label}">{shown}</span>'


def _face(face: Face) -> tuple[str, str]:
    """The classes of a face in the style sheet, and what stands on it."""
    suit = f"{SUITS.get(face.suit, face.suit)}{TEXT_STYLE}" if face.style == "french" else ""
    return f"card {face.style} suit-{face.suit}", face.sign or f"{face.rank}{suit}"


def _row(kind: str, content: str) -> str:
    return f'<div class="{kind}">{content}</div>'


@cache
def _style() -> str:
    return (files(__package__) / "assets" / "board.css").read_text(encoding="utf-8")
