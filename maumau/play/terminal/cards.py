"""Cards as they are drawn on the screen: the rank and a sign for the suit, each suit in a colour of its own.

A code such as `HT` becomes `10♥` wherever it stands in a text. Signs tell the suits apart without any colour. Cards
whose faces are their names stay as they are.
"""

from __future__ import annotations

import os
import re
import sys

from textual.content import Content

from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept

COLOURS = {
    "H": ("#ff8a8a", "#8f0019"),
    "D": ("#7fbcff", "#084583"),
    "C": ("#7fd992", "#0f5220"),
    "R": ("#ff8a8a", "#8f0019"),
    "Y": ("#ffd75f", "#584300"),
    "G": ("#7fd992", "#0f5220"),
    "B": ("#7fbcff", "#084583"),
    "M": ("#ff8a8a", "#8f0019"),
}
"""The colour of a suit, by its letter, on dark and on light ground; other suits have the colour of the text."""


def draws_signs() -> bool:
    """Return whether the terminal can draw signs in colours.

    Codes stay where NO_COLOR is set, where TERM is `dumb`, and where the encoding of the output is not UTF-8.
    """
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    encoding = getattr(sys.__stdout__, "encoding", None) or "ascii"
    return not plain and encoding.lower().replace("-", "") == "utf8"


@kept
def signs_of(game: Declaration) -> dict[str, str]:
    """Return what the screen draws of each card of a game, by the card's name; cards that stay codes are left out."""
    notation = game.codec.notation
    drawn = {name: game.look.face(notation, name).text for name in dict.fromkeys(notation.cards)}
    return {name: text for name, text in drawn.items() if text}


def _longest_first(game: Declaration) -> list[str]:
    return sorted(signs_of(game), key=lambda name: -len(name))


@kept
def _codes(game: Declaration) -> re.Pattern[str]:
    """Return a pattern that finds the codes of cards, also where several follow each other without a blank."""
    names = "|".join(map(re.escape, _longest_first(game)))
    return re.compile(rf"(?<![\w-])(?:{names})+(?![\w-])")


def drawn(game: Declaration, text: str) -> Content:
    """Return a text in which each code of a card is the card as it is drawn."""
    signs = signs_of(game)
    if not signs:
        return Content(text)
    one = re.compile("|".join(map(re.escape, _longest_first(game))))
    parts: list[Content] = []
    end = 0
    for found in _codes(game).finditer(text):
        cards = [_card(game, name) for name in one.findall(found[0])]
        parts += [Content(text[end : found.start()]), Content(" ").join(cards)]
        end = found.end()
    return Content("").join([*parts, Content(text[end:])])


def _card(game: Declaration, name: str) -> Content:
    """Return a card in the colour of its suit."""
    suit = game.look.face(game.codec.notation, name).suit
    return Content.styled(signs_of(game)[name], f"bold $card-{suit}" if suit in COLOURS else "bold")


def legend(game: Declaration) -> Content:
    """Return a line for each suit, and one for cards without a suit: how each card is drawn, and its code."""
    notation, signs = game.codec.notation, signs_of(game)
    suit_of = {name: game.look.face(notation, name).suit for name in signs}
    lines = []
    for suit in (*notation.suits, ""):
        cards = [Content.assemble(_card(game, name), f" {name}") for name in signs if suit_of[name] == suit]
        if cards:
            lines.append(Content.assemble(f"{notation.suit_name(suit) or 'others'}: ", Content(", ").join(cards)))
    return Content("\n").join(lines)
