"""What a study asks: a row of games, who plays, how it is cut into chunks, and when it may stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, Self, SupportsIndex

from fsm.registry import RegistryError, game_class, register
from rules.chance import SEED_LIMIT
from study.errors import StudyError

if TYPE_CHECKING:
    from fsm.stepping.game import Game

CHUNK = 1 << 18
"""Games played for a chunk, if nothing else is said: a fraction of a second of one core, a few megabytes of rows."""


class Chunk(NamedTuple):
    """The unit of work: its place in the study, its first game number and how many games follow it."""

    place: int
    first: int
    games: int


@dataclass(frozen=True)
class StudySpec:
    """All parameters on which the result of a study depends.

    games: game numbers from `first` on, at most so many if `until_width` is given. policies: one name a seat.
    rotate: each deck is played in every seating that moving the policies on by a seat gives.
    chunk: games of a chunk. until_width: stop where the intervals of all wins are no wider. confidence: of intervals.
    Raises StudyError for numbers and names that do not fit.
    """

    game: str
    players: int
    games: int
    seed: int
    policies: tuple[str, ...]
    first: int = 0
    rotate: bool = True
    chunk: int = CHUNK
    until_width: float | None = None
    confidence: float = 0.95

    def __post_init__(self) -> None:
        for name in _WHOLE_NUMBERS:
            object.__setattr__(self, name, _whole_number(name, getattr(self, name)))
        for fault in self._faults():
            raise StudyError(fault)

    @classmethod
    def of(
        cls, game: str | type[Game], players: int, games: int, seed: int, policies: tuple[str, ...] = (), **more: Any
    ) -> Self:
        """A question with the policies of an option: none for the default, one for all, or one a seat.

        game: a registered name, or a class, which is registered.

        Without `chunk` the games of all seatings of a chunk are about CHUNK, so that memory does not grow with them.
        """
        try:
            kind = game_class(game) if isinstance(game, str) else register(game)
            seated = _seated_game(kind.declaration.name, players).seated(players, policies)
        except ValueError as error:
            raise StudyError(str(error)) from None
        asked = cls(kind.declaration.name, players, games, seed, tuple(seated), **more)
        return asked if "chunk" in more else replace(asked, chunk=CHUNK >> (len(asked.seatings) - 1).bit_length())

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """The question that `as_json` told. Raises StudyError for other names or types."""
        if fields.keys() != _TYPES.keys():
            raise StudyError(f"question with {_listed(fields)}, expected {_listed(_TYPES)}")
        for name, types in _TYPES.items():
            if type(fields[name]) not in types:
                expected = " or ".join(each.__name__ for each in types)
                raise StudyError(f"{name} {fields[name]!r}, expected {expected}")
        if not all(type(name) is str for name in fields["policies"]):
            raise StudyError(f"policies {fields['policies']!r}, expected their names")
        return cls(**{**fields, "policies": tuple(fields["policies"])})

    def as_json(self) -> dict[str, Any]:
        """The parameters by name."""
        return {**asdict(self), "policies": list(self.policies)}

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """Who sits where, the seating as given first: one policy a seat, each different seating once."""
        turned = [self.policies[move:] + self.policies[:move] for move in range(self.players if self.rotate else 1)]
        return tuple(dict.fromkeys(turned))

    @property
    def compared(self) -> tuple[str, ...]:
        """The policies that are compared, each once: none if all are the same or keep their seats."""
        distinct = tuple(dict.fromkeys(self.policies))
        return distinct if self.rotate and len(distinct) > 1 else ()

    @property
    def chunks(self) -> int:
        """How many chunks the study has, if it does not stop early."""
        return -(-self.games // self.chunk)

    def cut(self, place: int) -> Chunk:
        """The chunk at a place, from 0."""
        start = place * self.chunk
        return Chunk(place, self.first + start, min(self.chunk, self.games - start))

    def _faults(self) -> Iterator[str]:
        """What is out of range."""
        try:
            kind = _seated_game(self.game, self.players)
            seated = kind.seated(self.players, self.policies)
        except ValueError as error:
            yield str(error)
            return
        if seated != self.policies:
            yield f"{len(self.policies)} policies, expected one for each of {self.players} players"
        if self.games < 1:
            yield f"{self.games} games, expected at least 1"
        if self.chunk < 1:
            yield f"chunks of {self.chunk} games, expected at least 1"
        last = self.first + self.games - 1
        for what, number in (("seed", self.seed), ("first", self.first), ("the last game", last)):
            if not 0 <= number < SEED_LIMIT:
                yield f"{what} {number} is out of range, expected 0 to {SEED_LIMIT - 1}"
        if not 0 < self.confidence < 1:
            yield f"confidence {self.confidence}, expected more than 0 and less than 1"
        if self.until_width is not None and not 0 < self.until_width < 1:
            yield f"width {self.until_width}, expected more than 0 and less than 1"


_TYPES: Mapping[str, tuple[type, ...]] = {
    "game": (str,),
    "players": (int,),
    "games": (int,),
    "seed": (int,),
    "policies": (list,),
    "first": (int,),
    "rotate": (bool,),
    "chunk": (int,),
    "until_width": (float, type(None)),
    "confidence": (float,),
}
"""The exact types of the parameters of a question as JSON."""

_WHOLE_NUMBERS = tuple(name for name, types in _TYPES.items() if types == (int,))


def _seated_game(name: str, players: int) -> type[Game]:
    """The class of a game that so many can play. Raises ValueError."""
    try:
        kind = game_class(name)
    except RegistryError as error:
        raise ValueError(f"{error}; a game of your own is named by --game FILE.py:NAME") from None
    words = kind.declaration.codec
    if not words.fewest <= players <= words.most:
        raise ValueError(f"{players} players, expected {words.fewest} to {words.most}")
    return kind


def _whole_number(name: str, value: SupportsIndex) -> int:
    """The Python integer of any integer, NumPy's too. Raises StudyError."""
    try:
        return index(value)
    except TypeError:
        raise StudyError(f"{name} {value!r}, expected a whole number") from None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
