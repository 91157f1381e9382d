"""The results of many games: a row for each game, or sums."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.declaration.chain import Counter, fired_of
from fsm.declaration.facts import default_values
from fsm.edge.extras import Array, np
from fsm.edge.kept import kept_weakly

if TYPE_CHECKING:
    from fsm.declaration.arcs import Arc
    from fsm.declaration.declaration import Declaration


MEASURED = ("turns", "laid", "taken", "reshuffles")
"""What is counted in each game: turns, cards laid (with the opening card) and taken, reshuffles."""


COLUMNS = 5
"""Numbers of an event in a log: the arc, the player, the card, the value, and the decision rule."""
RESULT = Struct("=bbh4iI")
"""A record of `result_type`."""


@cache
def result_type() -> np.dtype[Any]:
    """One game's result: ending (rules.ending), winner (seat from 0, -1 for none), winners (a mask of seats, where
    several can win, else 0), what is MEASURED, and the trail, a 32-bit hash of the laid cards.
    """
    counts = [(name, np.int32) for name in MEASURED]
    return np.dtype(
        [("ending", np.int8), ("winner", np.int8), ("winners", np.int16), *counts, ("trail", np.uint32)], align=True
    )


GameResult = namedtuple("GameResult", "ending winner winners turns laid taken reshuffles trail")
"""What is in such a record."""


def has_won(games: Array, seat: int) -> Array:
    """Whether a seat (from 0) has won each game, alone or with others. games: an array of `result_type`."""
    return (games["winner"] == seat) | (games["winners"] >> seat & 1 == 1)  # type: ignore[no-any-return]


@kept_weakly
def table_dtype(table: type) -> np.dtype[Any]:
    """The numpy record of a table class, as a kernel writes it: the integers, then the lists and bytearrays."""
    values = default_values(table)
    scalars: list[Any] = [(name, np.int64) for name, value in values.items() if isinstance(value, int)]
    rows = [
        (name, np.uint8 if isinstance(value, bytearray) else np.int64, len(value))
        for name, value in values.items()
        if not isinstance(value, int)
    ]
    return np.dtype(scalars + rows)


def blank_rows(games: int, players: int) -> tuple[Array, Array]:
    """Room for the results and the scores of `games` games."""
    return np.zeros(games, result_type()), np.zeros((games, players), np.int32)


def numbers(shape: int | tuple[int, int]) -> Array:
    """Zeros: 64-bit integers."""
    return np.zeros(shape, np.int64)


def no_log(game: Declaration) -> tuple[Array, Array, Array]:
    """Empty arrays for the log, its ends and the tables."""
    return np.zeros((0, COLUMNS), np.int16), np.zeros(0, np.int64), np.zeros(0, table_dtype(game.table))


def no_decks() -> Array:
    """An empty array of decks, for a kernel that deals them itself."""
    return np.zeros((0, 0), np.uint8)


@dataclass(frozen=True)
class Results:
    """The results of many games, one row for each game.

    games: an array of `result_type`. scores: points by game and seat. tables: the final tables, if they were kept.
    counted, used: the counters of the game, and how often each decision rule was used in all games, if it was counted;
    where events were kept, no chains are counted. log: a row for each event, if events were kept: the numbers of its
    arc, player, card, value and decision rule. log_ends: the row after the last one of each game.
    """

    games: Array
    scores: Array
    counted: Mapping[Counter, int] | None = None
    used: Mapping[str, int] | None = None
    tables: Array | None = None
    log: Array | None = None
    log_ends: Array | None = None

    def __len__(self) -> int:
        return len(self.games)

    @property
    def fired(self) -> Mapping[Arc, int] | None:
        """How often each arc was fired in all games, if it was counted."""
        return None if self.counted is None else fired_of(self.counted)


class Totals(NamedTuple):
    """Sums over many games.

    games: how many. endings: how many ended in each way. wins, points: by seat. turns, laid, taken, reshuffles: turns,
    cards laid (with the opening card) and taken, and reshuffles of all games. reshuffled: games with a reshuffle.
    longest: the turns of the longest game. fired, used: how often each arc and each decision rule was; empty if they
    were not counted.
    """

    games: int
    endings: Mapping[str, int]
    wins: tuple[int, ...]
    points: tuple[int, ...]
    turns: int
    laid: int
    taken: int
    reshuffles: int
    reshuffled: int
    longest: int
    fired: Mapping[Arc, int]
    used: Mapping[str, int]
