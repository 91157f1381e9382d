"""A game in a notebook: its table as cards, and beside it the diagram with the active phase highlighted.

The table is self-contained HTML: hands, open card, sizes of the piles and facts, without a script.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from html import escape

from fsm.declaration.declaration import Declaration
from fsm.stepping.game import Game
from render.diagram.dot import svg
from render.diagram.model import DiagramError, Overlay, extract
from render.page.document import asset
from render.page.faces import cards_text, count_text
from render.page.story import calls_made, counts, laid_before, notes
from rules.faces import FRENCH_SIGNS

TEXT_STYLE = "\N{VARIATION SELECTOR-15}"
"""Keeps a browser from drawing the sign before it as a coloured picture."""


def board(game: Game) -> str:
    """The table of `game` as it is now, all hands open. Every text of the game is escaped; all sizes are in cards."""
    rows = [_heading(game), *_seats(game), _piles(game), _facts(game)]
    return f'<style>{asset("board.css")}</style><div class="maumau-board">{"".join(rows)}</div>'


def _heading(game: Game) -> str:
    state = str(game.outcome) if game.outcome else game.who_acts
    return _row("heading", f"<b>{escape(game.declaration.title)}</b> · {escape(f'{game.phase} · {state}')}")


def _seats(game: Game) -> Iterator[str]:
    """A row for each seat."""
    for seat, (calls, counted) in enumerate(zip(calls_made(game), counts(game), strict=True)):
        called, hand = count_text(calls, "call") if calls else "", game.hands[seat]
        turn = " turn" if game.outcome is None and seat + 1 == game.player else ""
        words = " · ".join(filter(None, [f"player {seat + 1}", cards_text(game.declaration, hand), called, counted]))
        label = f'<span class="label{turn}">{escape(words)}</span>'
        melds = "".join(_cards(game, meld) for meld in laid_before(game)[seat])
        laid_out = f'<div class="melds">{melds}</div>' if melds else ""
        yield _row("seat", f"{label}{_cards(game, hand)}{laid_out}")


def _piles(game: Game) -> str:
    look = game.declaration.look
    piles = {look.draw_pile: game.draw_pile, look.discard_pile: game.discard_pile}
    shown = {name: pile for name, pile in piles.items() if pile or not game.declaration.is_of_tricks}
    sizes = " · ".join(f"{name}: {cards_text(game.declaration, pile)}" for name, pile in shown.items())
    word = game.declaration.codec.notation.card_word
    opened = f" · open {word}:{_cards(game, [game.open_card])}" if game.open_card else ""
    return _row("piles", f"{escape(sizes)}{opened}")


def _facts(game: Game) -> str:
    """What holds beside the cards; empty if nothing does."""
    texts = [text for text, _ in notes(game)]
    return _row("facts", escape(" · ".join(texts))) if texts else ""


def _cards(game: Game, names: Iterable[str]) -> str:
    """A row of cards."""
    return f'<div class="cards">{" ".join(_card(game.declaration, name) for name in names)}</div>'


def _card(game: Declaration, name: str) -> str:
    face = game.look.face(game.codec.notation, name)
    suit = f"{FRENCH_SIGNS.get(face.suit, face.suit)}{TEXT_STYLE}" if face.style == "french" else ""
    kinds, sign = f"card {face.style} suit-{face.suit}", face.sign or f"{face.rank}{suit}"
    label, below = escape(face.label), "" if sign == name else f'<span class="name">{escape(name)}</span>'
    shown = f'<span class="face">{escape(sign)}</span>{below}'
    return f'<span class="{escape(kinds)}" title="{label}" role="img" aria-label="{label}">{shown}</span>'


def _row(kind: str, content: str) -> str:
    return f'<div class="{kind}">{content}</div>'


SIDE = '<div style="flex:1 1 20em;min-width:0">{}</div>'
SHEET = '<img style="max-width:100%;background:#ffffff;border-radius:8px" alt="{}" src="data:image/svg+xml;base64,{}">'


def bundle(game: Game) -> dict[str, str]:
    """What a notebook shows of `game`, by MIME type.

    text/html: the table with the diagram beside it. image/svg+xml: the diagram alone. Where nothing is installed that
    draws it, there is the table alone.
    """
    words = f"State diagram of {game.declaration.title}; the active phase is {game.phase}"
    sides, drawn = [board(game)], {}
    with suppress(DiagramError):
        drawn["image/svg+xml"] = picture = svg(extract(game.declaration, Overlay(active=game.phase)))
        # as an image its ids clash with those of no other output of the notebook, and it runs no script
        sides.append(SHEET.format(escape(words), b64encode(picture.encode()).decode()))
    shown = "".join(SIDE.format(side) for side in sides)
    html = f'<div style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start">{shown}</div>'
    return {"text/html": html, **drawn}
