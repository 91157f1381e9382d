"""The input of the problem: the number of games, then a line for each: the number of players and 32 cards."""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import DECK_SIZE, FRENCH
from rules.maumau.table import FEWEST_PLAYERS, MOST_PLAYERS
from rules.reading import STDIN, Dealt, Fault, InputError, card_codes, counting, read_counted

PLAYERS = f"a number of players from {FEWEST_PLAYERS} to {MOST_PLAYERS}"
ENOUGH = DECK_SIZE + 8
"""Words of a line that are looked at: a line of megabytes is told by its first ones."""


def read_games(text: str, source: str = STDIN) -> list[Dealt]:
    """The games of a whole input. Raises InputError, which tells every bad line."""
    return read_counted(text, source, "games", _read)


def read_line(line: str) -> Dealt:
    """The game of one line. Raises InputError."""
    try:
        return _read(line)
    except ValueError as error:
        raise InputError([Fault(1, str(error))], "line") from None


def write_line(players: int, deck: Sequence[int]) -> str:
    """The line of the input for a game."""
    return " ".join([str(players), *FRENCH.names(deck)])


def _read(line: str) -> Dealt:
    words = line.split(maxsplit=ENOUGH)
    first = words[0] if words else ""
    players = counting(first, PLAYERS)
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(f"{players} players, expected {PLAYERS}")
    if len(words) > ENOUGH:
        raise ValueError(f"more than {ENOUGH} words, expected {PLAYERS} and {DECK_SIZE} cards")
    return Dealt(players, card_codes(words[1:], FRENCH, range(DECK_SIZE)))
