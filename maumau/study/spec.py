"""The specification of a study: games, policies, chunks, and when the study stops."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from fsm import outside
from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import RULES_AFTER
from fsm.declaration.scoring import TARGET_LIMIT
from fsm.edge.numbers import as_bool, as_int, bounds, real
from fsm.match.setup import SeriesUnit, unit_of
from fsm.registry import game_class, names, register
from fsm.stepping.game import Game
from maumau.agents.intervals import CONFIDENCE
from maumau.agents.observed import ObservingPolicy
from rules.chance import SEED_LIMIT
from rules.errors import Explained, Unwritten, raised_as
from rules.notation import shown


class StudyError(Explained, RuntimeError):
    """A study cannot be started or continued; the message gives the reason and the remedy."""


class SpecError(StudyError, ValueError):
    """The parameters of a study are out of range, or do not fit each other."""


class NotWritten(StudyError, Unwritten):
    """A file of a study could not be written."""


class NoStudy(StudyError):
    """A folder contains no study."""


class Unplayable(StudyError):
    """Games of a study cannot be played or counted, however often it is begun."""


class Damaged(StudyError):
    """A file of a study is not as it was written; its games can be played again."""


CHUNK = 1 << 18
"""The default number of games in a chunk: a fraction of a second of one core, a few megabytes of rows."""


MIN_CONFIDENCE = 1e-6
"""Intervals of less confidence would be narrower than their figures are exact."""
MATCHES = 1 << 14
"""The same of a study of matches, each of which has many rounds."""
STEPPED, SIDE_BY_SIDE, STEPPED_MATCHES = 1 << 8, 1 << 13, 1 << 5
"""The same of a study with players that are computed in Python: of games that are stepped, or played side by side, and
of matches.
"""


class Chunk(NamedTuple):
    """The unit of work: its number in the study, from 0, its first game number and its number of games."""

    number: int
    first: int
    games: int


@dataclass(frozen=True)
class StudySpec:
    """All parameters on which the result of a study depends.

    game: a registered name. players: how many. seed: of the decks and the dice.
    games: game numbers from `first` on, at most that many if `until_width` is given. policies: one name per seat.
    rotate: each deck is played in every rotation of the policies over the seats.
    chunk: games in a chunk. until_width: stop when no interval of wins is wider. confidence: of intervals.
    compared_with: the game with other rules that also plays each deck, in the same seating; then `until_width` is that
    of the differences of wins. target: that of matches, if matches are studied: each number is that of a match, and
    `games` are matches, also where rules are compared.

    Numbers and truth values may be of NumPy. Raises TypeError for other types, SpecError for numbers out of range,
    unknown names and games of different decks.
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
    confidence: float = CONFIDENCE
    compared_with: str | None = None
    target: int | None = None

    def __post_init__(self) -> None:
        with raised_as(SpecError):
            for name in _PLAIN:
                object.__setattr__(self, name, _plain(name, getattr(self, name)))
            kinds = [
                _seated_game(name, self.players, option)
                for name, option in zip(self.game_names, ("--with", "--compare-rules"), strict=False)
            ]
            seated = [kind.seated(self.players, self.policies) for kind in kinds]
        if faults := [fault for holds, fault in self._demands(kinds, seated[0]) if not holds]:
            raise SpecError("\n".join(faults))

    @classmethod
    def of(
        cls, game: str | type[Game], players: int, games: int, seed: int, policies: tuple[str, ...] = (), **more: Any
    ) -> Self:
        """Return a specification with the policies of an option.

        game: a registered name, or a class, which is registered. players, games: how many. seed: of the decks and the
        dice. policies: none for the default, one for all, or one per seat. more: other fields.

        Without `chunk`, all plays of a chunk together have about CHUNK games, so memory does not grow with seatings.
        """
        with raised_as(SpecError):
            kind = game_class(game) if isinstance(game, str) else register(game)
            players = _plain("players", players)
            seated = _seated_game(kind.declaration.name, players, "--with").seated(players, policies)
        spec = cls(kind.declaration.name, players, games, seed, tuple(seated), **more)
        if "chunk" in more:
            return spec
        usual = CHUNK if spec.target is None else MATCHES
        if stepped := spec.stepped:
            usual = STEPPED if spec.target is None else STEPPED_MATCHES
            if spec.target is None and all(isinstance(each, ObservingPolicy) for each in stepped):
                usual = SIDE_BY_SIDE
        return replace(spec, chunk=usual >> (len(spec.plays) - 1).bit_length())

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Return the specification from `fields`, the output of `as_json`.

        Raises SpecError for other names or types.
        """
        if not _PLAIN.keys() - OPTIONAL <= fields.keys() <= _PLAIN.keys():
            there, expected = (", ".join(sorted(names)) for names in (fields, _PLAIN))
            raise SpecError(f"specification with {there}; use {expected}")
        with raised_as(SpecError, of=TypeError):
            return cls(**fields)

    def resume_command(self, path: Path) -> str:
        """Return the command that continues this study; what is from outside is named by its source.

        path: of the folder of the study.
        """
        line = outside.options_of(self.game) if outside.origins_of(self.game) else []
        line += ["--policy", ",".join(self.policies)] if outside.origins_of(players=self.policies) else []
        if self.compared_with and outside.origins_of(self.compared_with):
            line += ["--compare-rules", outside.options_of(self.compared_with)[-1]]
        return " ".join([f"maumau study --out {shlex.quote(str(path))} --resume", *map(shlex.quote, line)])

    def as_json(self) -> dict[str, Any]:
        """Return the parameters by name; those of a comparison of rules and of matches only if this is one."""
        plain = {**asdict(self), "policies": list(self.policies)}
        return {name: value for name, value in plain.items() if name not in OPTIONAL or value is not None}

    @property
    def unit(self) -> SeriesUnit:
        """What is counted: games or matches."""
        return unit_of(self.target)

    @property
    def decks(self) -> str:
        """What is played in every way, in the plural: decks, or matches, each with the decks of its rounds."""
        return "decks" if self.target is None else "matches"

    @property
    def stepped(self) -> list[Policy]:
        """The players that are computed in Python."""
        policies = map(game_class(self.game).declaration.policy, self.policies)
        return [policy for policy in policies if policy.is_computed]

    @property
    def game_names(self) -> tuple[str, ...]:
        """The names of the games: one, or two if rules are compared."""
        return (self.game,) if self.compared_with is None else (self.game, self.compared_with)

    @property
    def plays(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each way in which every deck is played, a game with one policy per seat: the seatings, or the two games that
        are compared.
        """
        return tuple((game, policies) for game in self.game_names for policies in self.seatings)

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """The distinct seatings, each with one policy per seat; the given one is first."""
        turned = [self.policies[move:] + self.policies[:move] for move in range(self.players if self.rotate else 1)]
        return tuple(dict.fromkeys(turned))

    @property
    def compared(self) -> tuple[str, ...]:
        """The policies that are compared: none if all are equal or the seats are not rotated."""
        distinct = tuple(dict.fromkeys(self.policies))
        return distinct if self.rotate and len(distinct) > 1 else ()

    @property
    def chunks(self) -> int:
        """The number of chunks, if the study does not stop early."""
        return -(-self.games // self.chunk)

    def cut(self, index: int) -> Chunk:
        """Return the chunk at `index`, from 0."""
        start = index * self.chunk
        return Chunk(index, self.first + start, min(self.chunk, self.games - start))

    def _demands(self, kinds: Sequence[type[Game]], seated: Sequence[str]) -> Iterator[tuple[bool, str]]:
        """What must hold of the parameters, each with the message if it does not. seated: the policies of all seats."""
        yield seated == self.policies, f"{len(self.policies)} policies; use one for each of {self.players} players"
        decks = f"{self.game} and {self.compared_with} are played with different decks; compare games of one deck"
        yield kinds[0].full_deck() == kinds[-1].full_deck(), decks
        differ = self.compared_with is None or kinds[0].declaration.name != kinds[1].declaration.name
        yield differ, f"compared_with: {kinds[0].declaration.name} is the game itself; name other rules"
        seatings = len(self.seatings)
        yield self.compared_with is None or seatings == 1, f"{seatings} seatings; use one where rules are compared"
        yield self.games >= 1, f"games: {shown(self.games)} is too small; use 1 or more"
        yield self.chunk >= 1, f"chunk: {shown(self.chunk)} is too small; use 1 or more"
        last = self.first + max(self.games, 1) - 1
        most = self.unit.limit
        beyond = f"{shown(self.games)} {self.unit.many} from {shown(self.first)} on go beyond the last number"
        yield last < most or self.first >= most, f"games: {beyond}; use numbers up to {most - 1:,}"
        numbers = ("seed", self.seed, SEED_LIMIT), ("first", self.first, most)
        for what, number, limit in numbers:
            yield 0 <= number < limit, f"{what}: {shown(number)} is out of range; use {bounds(0, limit - 1)}"
        if self.target is not None:
            fits = 1 <= self.target < TARGET_LIMIT
            yield fits, f"target: {shown(self.target)} is out of range; use {bounds(1, TARGET_LIMIT - 1)}"
        sure = f"confidence: {self.confidence} is out of range; use at least {MIN_CONFIDENCE} and less than 1"
        yield MIN_CONFIDENCE <= self.confidence < 1, sure
        width = self.until_width
        yield width is None or 0 < width < 1, f"until_width: {width} is out of range; use more than 0 and less than 1"


OPTIONAL = {"compared_with", "target"}
"""The parameters that only a comparison of rules, or a study of matches has."""


def _seated_game(name: str, players: int, option: str) -> type[Game]:
    """The class of a game for this number of players. option: names its rules. Raises ValueError."""
    try:
        kind = game_class(name)
    except ValueError as error:
        plain, *rules = name.split(RULES_AFTER)
        option, what = (option, "rule") if rules and plain in names() else ("--game", "game")
        raise ValueError(f"{error}; {option} FILE.py:NAME names a {what} of your own") from None
    kind.declaration.player_count(players)
    return kind


def _plain(name: str, value: Any) -> Any:
    """A parameter in the type in which it is stored. Raises TypeError, ValueError."""
    return None if value is None and name in ("until_width", *OPTIONAL) else _PLAIN[name](name, value)


def _name(what: str, name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{what}: {shown(name)}; give a name")
    return name


def _names(what: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names of policies. Raises TypeError."""
    plain = () if isinstance(names, str) or not isinstance(names, Iterable) else tuple(names)
    if not plain or not all(isinstance(name, str) for name in plain):
        raise TypeError(f"{what}: {shown(names)}; give a name for each seat")
    return plain


_PLAIN: Mapping[str, Callable[[str, Any], Any]] = {
    "game": _name,
    "players": as_int,
    "games": as_int,
    "seed": as_int,
    "policies": _names,
    "first": as_int,
    "rotate": as_bool,
    "chunk": as_int,
    "until_width": real,
    "confidence": real,
    "compared_with": _name,
    "target": as_int,
}
"""What turns each parameter into plain data. Raises TypeError, ValueError."""
