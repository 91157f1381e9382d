"""Card faces: what is printed on a card, and its name in words, derived from the card notation."""

from __future__ import annotations

from dataclasses import dataclass

from rules.notation import Notation


@dataclass(frozen=True)
class Face:
    """A card face.

    style: how it is drawn (`french`, `italian`, `uno`, `tile`, or `plain` with its name on it). suit: a letter, or an
    empty string. rank: the text in the corners. label: the name in words. sign: one character that shows the whole
    face. text: the rank with a sign for the suit, as a terminal shows it (`10♥`), or an empty string.
    """

    style: str
    rank: str
    suit: str
    label: str
    sign: str = ""
    text: str = ""


FRENCH_SIGNS = {"H": "♥", "D": "♦", "S": "♠", "C": "♣"}


ITALIAN_SIGNS = {"D": "●", "C": "Ψ", "S": "†", "B": "♣"}
SIGNS = {"french": FRENCH_SIGNS, "italian": ITALIAN_SIGNS}
"""The sign of each suit, by the style in which its cards are drawn."""


def french_face(rank: str, suit: str, label: str) -> Face:
    """Return the face of a French card."""
    return Face("french", rank, suit, label, text=f"{rank}{FRENCH_SIGNS[suit]}")


def plain_face(notation: Notation, name: str) -> Face:
    """A face that shows the name of the card."""
    return Face("plain", name, "", name)


FRENCH_SUITS = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs"}
FRENCH_RANKS = {
    **{"2": ("2", "two"), "3": ("3", "three"), "4": ("4", "four"), "5": ("5", "five"), "6": ("6", "six")},
    **{"7": ("7", "seven"), "8": ("8", "eight"), "9": ("9", "nine"), "T": ("10", "ten"), "10": ("10", "ten")},
    **{"J": ("J", "jack"), "Q": ("Q", "queen"), "K": ("K", "king"), "A": ("A", "ace")},
}


ITALIAN_SUITS = {"D": "coins", "C": "cups", "S": "swords", "B": "clubs"}
ITALIAN_RANKS = {
    **{rank: FRENCH_RANKS[rank] for rank in "23456789JKA"},
    **{"T": ("10", "ten"), "10": ("10", "ten"), "N": ("N", "knight")},
}


def face_of(notation: Notation, name: str) -> Face:
    """The face of a card: French or Italian if each card of the game is a rank and such a suit by its name, else
    plain.
    """
    for make in (_french_face, _italian_face):
        first, *others = (make(notation, card) for card in dict.fromkeys((name, *notation.cards)))
        if first and all(others):
            return first
    return plain_face(notation, name)


def _french_face(notation: Notation, name: str) -> Face | None:
    """The face of a card whose name is a rank and a French suit; none if the game calls the suit something else."""
    for suit, rank in ((name[-1:], name[:-1]), (name[:1], name[1:])):
        word = FRENCH_SUITS.get(suit, "")
        if word and suit in notation.suits and rank in FRENCH_RANKS and notation.suit_name(suit) in (suit, word):
            corner, value = FRENCH_RANKS[rank]
            return french_face(corner, suit, f"{value} of {word}")
    return None


def _italian_face(notation: Notation, name: str) -> Face | None:
    """The face of a card whose name is a rank and an Italian suit; none if the game calls the suit something else."""
    rank, suit = name[:-1], name[-1:]
    word = ITALIAN_SUITS.get(suit, "")
    if word and suit in notation.suits and rank in ITALIAN_RANKS and notation.suit_name(suit) == word:
        corner, value = ITALIAN_RANKS[rank]
        return Face("italian", corner, suit, f"{value} of {word}", text=f"{corner}{ITALIAN_SIGNS[suit]}")
    return None
