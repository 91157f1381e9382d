"""What cards and suits look like and are called: the faces that a page draws, and their names for a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

from fsm.declaration import Declaration
from rules.notation import Notation


@dataclass(frozen=True)
class Face:
    """A card. style: how it is drawn (`french`, `uno`, or `plain` with its name on it). suit: a letter, or nothing.

    rank: what stands in its corners. label: its name in words.
    """

    style: str
    rank: str
    suit: str
    label: str


FRENCH_RANKS = {
    **{"S": ("7", "seven"), "E": ("8", "eight"), "N": ("9", "nine"), "T": ("10", "ten")},
    **{"J": ("J", "jack"), "Q": ("Q", "queen"), "K": ("K", "king"), "A": ("A", "ace")},
}
UNO_COLOURS = {"Y": "yellow", "R": "red", "G": "green", "B": "blue"}
UNO_ACTIONS = {"S": "skip", "R": "reverse", "D": "draw two"}
UNO_WILDS = {"WC": "wild", "WF": "wild draw four"}


def faces(game: Declaration) -> dict[str, dict[str, str]]:
    """The face of every card of a game, by the card's name."""
    notation = game.words.notation
    face = _FACES.get(game.name, _plain)
    return {name: asdict(face(notation, name)) for name in dict.fromkeys(notation.cards)}


def suits(game: Declaration) -> dict[str, str]:
    """The word of every suit of a game, by the suit's letter."""
    notation = game.words.notation
    words = _SUITS.get(game.name, {})
    return {letter: words.get(letter, notation.suit_name(letter)) for letter in notation.suits}


def _french(notation: Notation, name: str) -> Face:
    suit, (rank, word) = name[0], FRENCH_RANKS[name[1]]
    return Face("french", rank, suit, f"{word} of {notation.suit_name(suit)}")


def _uno(notation: Notation, name: str) -> Face:
    if name in UNO_WILDS:
        return Face("uno", name, "", UNO_WILDS[name])
    return Face("uno", name[1], name[0], f"{UNO_COLOURS[name[0]]} {UNO_ACTIONS.get(name[1], name[1])}")


def _plain(notation: Notation, name: str) -> Face:
    return Face("plain", name, "", name)


_FACES: Mapping[str, Callable[[Notation, str], Face]] = {"maumau": _french, "uno": _uno}
_SUITS: Mapping[str, Mapping[str, str]] = {"uno": UNO_COLOURS}
