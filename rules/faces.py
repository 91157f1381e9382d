"""Card faces: what is printed on a card, and its name in words, derived from the card notation."""

from __future__ import annotations

from dataclasses import dataclass

from rules.notation import Notation


@dataclass(frozen=True)
class Face:
    """A card face.

    style: how it is drawn (`french`, `uno`, `tile`, or `plain` with its name on it). suit: a letter, or an empty
    string. rank: the text in the corners. label: the name in words. sign: one character that shows the whole face.
    """

    style: str
    rank: str
    suit: str
    label: str
    sign: str = ""


def plain_face(notation: Notation, name: str) -> Face:
    """A face that shows the name of the card."""
    return Face("plain", name, "", name)


FRENCH_SUITS = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs"}
FRENCH_RANKS = {
    **{"2": ("2", "two"), "3": ("3", "three"), "4": ("4", "four"), "5": ("5", "five"), "6": ("6", "six")},
    **{"7": ("7", "seven"), "8": ("8", "eight"), "9": ("9", "nine"), "T": ("10", "ten"), "10": ("10", "ten")},
    **{"J": ("J", "jack"), "Q": ("Q", "queen"), "K": ("K", "king"), "A": ("A", "ace")},
}


def face_of(notation: Notation, name: str) -> Face:
    """The face of a card: French if its name is a rank and a French suit, else plain."""
    for suit, rank in ((name[-1:], name[:-1]), (name[:1], name[1:])):
        if suit in FRENCH_SUITS and suit in notation.suits and rank in FRENCH_RANKS:
            corner, word = FRENCH_RANKS[rank]
            return Face("french", corner, suit, f"{word} of {FRENCH_SUITS[suit]}")
    return plain_face(notation, name)
