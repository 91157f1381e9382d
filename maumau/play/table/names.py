"""What people and computer players are called in a room, and codes that nobody guesses."""

from __future__ import annotations

import re
from collections.abc import Collection
from secrets import choice

from maumau.play.table.setup import MAX_LETTERS
from maumau.play.table.view import Refused
from rules.notation import shown
from rules.reading import plain_name

NAMES = "Pip", "Juno", "Basil", "Fern", "Ziggy", "Wanda", "Monty", "Tilda", "Rufus", "Odette"
"""Those of computer players; where there are more, they are numbered."""
NOT_FOR_PEOPLE = re.compile(rf"({'|'.join(('player', *NAMES))})\W*\d*", re.IGNORECASE)
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Those of codes: none looks like another."""
CODE_LETTERS = 8


def computer_name(place: int) -> str:
    """The name of a computer player. place: among the players, from 0."""
    number, index = divmod(place, len(NAMES))
    return f"{NAMES[index]} {number + 1}" if number else NAMES[index]


def checked_name(name: str, policies: Collection[str], people: Collection[str]) -> str:
    """A name as it is shown, if neither a computer player nor somebody among `people` is called so. Raises Refused."""
    plain = plain_name(name)
    if not 0 < len(plain) <= MAX_LETTERS or not plain.isprintable():
        raise Refused(f"name {shown(name)} cannot be used; use 1 to {MAX_LETTERS} printable characters")
    if NOT_FOR_PEOPLE.fullmatch(plain) or plain.casefold() in policies:
        raise Refused(f"name {plain!r}: a computer player has this name; choose another one")
    if plain.casefold() in map(str.casefold, people):
        raise Refused(f"name {plain!r}: somebody in this room has this name; choose another one")
    return plain


def fresh_code(letters: int = CODE_LETTERS) -> str:
    """A code that nobody guesses."""
    return "".join(choice(LETTERS) for _ in range(letters))


def plain_code(given: str) -> str:
    """A code as it is kept, however it was typed."""
    return given.replace("-", "").replace(" ", "").lower()
