"""What cards and suits look like and are called on a page, and by a screen reader."""

from __future__ import annotations

from dataclasses import asdict

from fsm.declaration import Declaration


def faces(game: Declaration) -> dict[str, dict[str, str]]:
    """The face of every card of a game, by the card's name."""
    notation = game.codec.notation
    return {name: asdict(game.look.face(notation, name)) for name in dict.fromkeys(notation.cards)}


def suits(game: Declaration) -> dict[str, str]:
    """The word of every suit of a game, by the suit's letter."""
    notation = game.codec.notation
    return {letter: game.look.suits.get(letter, notation.suit_name(letter)) for letter in notation.suits}
