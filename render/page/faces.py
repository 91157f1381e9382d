"""What cards and suits look like and are called on a page, and by a screen reader."""

from __future__ import annotations

from dataclasses import asdict

from fsm.declaration.declaration import Declaration


def faces(game: Declaration) -> dict[str, dict[str, str]]:
    """The face of every card of a game, by the card's name; pages draw it, so the sign for plain text is left out."""
    notation = game.codec.notation
    shown = {name: asdict(game.look.face(notation, name)) for name in dict.fromkeys(notation.cards)}
    return {name: {part: text for part, text in face.items() if part != "sign"} for name, face in shown.items()}


def suits(game: Declaration) -> dict[str, str]:
    """The word of every suit of a game, by the suit's letter."""
    notation = game.codec.notation
    return {letter: game.look.suits.get(letter, notation.suit_name(letter)) for letter in notation.suits}
