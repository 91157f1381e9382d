"""The closed-loop matrix: what one command writes another one reads, with every kind of player, game and engine.

Nothing of it is typed here: the commands declare what they read and write, the games are those that are built in or lie
in `examples/` with the house rules there and the profiles, the players are the policies that the games declare, the
forms of names, and a player of a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click
from command import command_group, maumau

from fsm import Game, Match, game_class
from fsm.variants import Variant

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GAMES, SEED, NUMBER = 2, 7, 3
DECKS = 16
"""The decks of a match that are kept: more than it needs. To read 1024 of them takes longer than all else."""
KERNEL = 2
"""What a kernel costs, in combinations of values."""
SEATS = 2
"""As few as in most other tests: kernels of searches belong to a number of players."""
FORMS = ("net", "search:2", "search:2:net")
OF_A_FILE = f"{ROOT / 'tests' / 'support' / 'middle_move.py'}:choose"
RANDOM = "random"
COUNTEREXAMPLES = "counterexamples"
FAILING = ("--with", f"{ROOT / 'tests' / 'support' / 'unending.py'}:UNENDING")
"""The house rule that counterexamples are about."""


# ---------------------------------------------------------------- the values


@dataclass(frozen=True)
class Call:
    """One use of a command, as it declares it."""

    command: str
    arguments: str
    reads: str | None
    writes: str | None

    def __str__(self) -> str:
        return f"{self.command} {self.arguments}"

    def names(self, word: str) -> bool:
        """Whether a placeholder is among the arguments."""
        return word in self.arguments.split()

    @property
    def plays(self) -> bool:
        """Whether players are named."""
        return self.names("SEATS") or self.names("NAMES")


def calls() -> list[Call]:
    """Every use that a command declares."""
    return [
        Call(name, use.arguments, use.reads, use.writes)
        for name, command in command_group().commands.items()
        for use in getattr(command, "uses", ())
    ]


COMPILED = "compiled"
"""The engine that plays with compiled players only."""


@cache
def engines() -> list[str]:
    """The values of `--engine`, the default first."""
    found: dict[str, None] = {}
    for call in calls():
        for option in command_group().commands[call.command].params:
            if "--engine" in option.opts and isinstance(option.type, click.Choice):
                found |= dict.fromkeys([str(option.default), *map(str, option.type.choices)])
    return list(found)


class Loop(NamedTuple):
    """A use that writes a format, and one that reads it; None where no command does."""

    writer: Call
    reader: Call | None

    @property
    def chain(self) -> tuple[Call, ...]:
        """All calls, from the one that reads nothing on."""
        return (*_before(self.writer), self.writer, *filter(None, [self.reader]))


def _before(call: Call) -> tuple[Call, ...]:
    """The calls that make what a call reads: the first that write it, each of another format."""
    if call.reads is None:
        return ()
    maker = next(each for each in calls() if each.writes == call.reads != each.reads)
    return (*_before(maker), maker)


def loops() -> list[Loop]:
    """Every pair of a writer and a reader of its format; writers of what no command reads, unless they read something."""
    found = []
    for writer in filter(lambda call: call.writes, calls()):
        readers = [call for call in calls() if call.reads == writer.writes]
        found += [Loop(writer, reader) for reader in readers]
        if not readers and writer.reads is None:
            found.append(Loop(writer, None))
    return found


@dataclass(frozen=True)
class Played:
    """A game with its house rules. arguments: how commands name it. kind: its class, imported here."""

    name: str
    arguments: tuple[str, ...]
    kind: type[Game]

    def __str__(self) -> str:
        return self.name

    @property
    def seats(self) -> int:
        codec = self.kind.declaration.codec
        return min(max(codec.fewest, SEATS), codec.most)

    @cached_property
    def declared(self) -> tuple[str, ...]:
        """The policies of the game."""
        return tuple(policy.name for policy in self.kind.declaration.policies)

    @cached_property
    def target(self) -> int:
        """A target that takes more than one round in one of the matches, and few in all."""
        firsts = (Match(self.kind, self.seats, SEED, number, target=1).run() for number in range(NUMBER + GAMES))
        return min(max(match.totals) for match in firsts) + 1

    def seated(self, player: str) -> list[str]:
        """A player, also as partners, with others: the default of the game, or random ones where that is the player."""
        usual, sides = self.declared[0], self.kind.declaration.scoring.sides or self.seats
        other = RANDOM if player == usual else usual
        return [other if seat % sides else player for seat in range(self.seats)]


def of_file(name: str) -> bool:
    return ".py:" in name


def games() -> list[Played]:
    """The games that are built in or lie in a file of `examples/`; those with a profile, or a rule of a file."""
    plain = [Played(name, ("--game", name), game_class(name)) for name in registered()]
    found = []
    for file in sorted(EXAMPLES.glob("*.py")):
        rules_of = plain[0]
        for name, value in vars(import_module(f"examples.{file.stem}")).items():
            place = f"{file}:{name}"
            if isinstance(value, type) and issubclass(value, Game) and value.__module__ == f"examples.{file.stem}":
                rules_of = Played(f"{file.stem}.py:{name}", ("--game", place), value)
                plain.append(rules_of)
            elif isinstance(value, Variant):
                arguments = (*(rules_of.arguments if rules_of is not plain[0] else ()), "--with", place)
                found.append(Played(f"with {file.stem}.py:{name}", arguments, rules_of.kind.with_rules(value)))
    for game in plain:
        for profile in game.kind.rulebook().profiles:
            arguments = (*game.arguments, "--with", profile.name)
            found.append(Played(f"{game.name} with {profile.name}", arguments, game.kind.with_rules(profile.name)))
    return plain + found


@cache
def registered() -> tuple[str, ...]:
    """The names of the games that the command knows, as it tells them who asks for another one."""
    refusal = maumau("rules", "--game", "no-such-game").stderr
    return tuple(refusal.partition("use one of ")[2].partition(", or FILE")[0].split(", "))


def players(of: Iterable[Played]) -> list[str]:
    """The policies that any of the games declares, the forms of names, and a player of a file."""
    declared = dict.fromkeys(name for game in of for name in game.declared)
    return [*declared, *FORMS, OF_A_FILE]


# ---------------------------------------------------------------- the cells


class Cell(NamedTuple):
    """One combination."""

    loop: Loop
    game: Played
    player: str
    engine: str

    def __str__(self) -> str:
        lines = [f"maumau {call.command} {call.arguments}" for call in self.loop.chain]
        return f"{self.game}, {self.player}, {self.engine}: {' | '.join(lines)}"


def plays(cell: Cell) -> bool:
    """Whether the game has such a player, and the engine plays with one who is not compiled."""
    return cell.player in cell.game.declared or (cell.engine != COMPILED and knows(cell.game, cell.player))


@cache
def knows(game: Played, player: str) -> bool:
    """Whether the game can have a player who is stepped, by the class alone."""
    if of_file(player):
        return True
    maumau("compile", "--show", "--policy", FORMS[0])  # the forms of names are known from then on
    try:
        game.kind.deal(game.seats, SEED, NUMBER, game.seated(player))
    except ValueError:
        return False
    return True


def cells(of: Sequence[Played]) -> list[Cell]:
    """Every combination; one engine and one player where none can be named."""
    everybody, found = players(of), []
    for loop in loops():
        seated = everybody if any(call.plays for call in loop.chain) else everybody[:1]
        by = engines() if any(call.names("ENGINE") for call in loop.chain) else engines()[:1]
        found += [Cell(loop, game, player, engine) for game in of for player in seated for engine in by]
    return found


def covering(cells: Iterable[Cell], strength: int) -> list[Cell]:
    """Some of the cells, in which every combination of so many values is that any cell has.

    Those that are refused are chosen for what no one that is played has. Cells with most new combinations come first;
    one for which another kernel has to be compiled counts as if it had fewer.
    """
    cells = list(cells)
    Random(0).shuffle(cells)
    numbers = list(zip(cells, numbered(cells), strict=True))
    covered: set[Any] = set()
    chosen = []
    for is_played in (True, False):
        left = [(cell, row) for cell, row in numbers if plays(cell) == is_played]
        missing = {part for _, row in left for part in parts(row, strength)} - covered
        covered |= missing
        chosen += _covering(left, missing, strength)
    return chosen


def _covering(left: Sequence[tuple[Cell, tuple[int, ...]]], missing: set[Any], strength: int) -> list[Cell]:
    """Some of the cells, in which all of these combinations are."""
    chosen = []
    compiled = set()
    rows = [(cell, row, (*row[1:3], is_compiled(cell))) for cell, row in left]
    for wanted in range(comb(len(Cell._fields), strength), -KERNEL, -1):
        useful = []
        for cell, row, kernel in rows:
            new = missing.intersection(parts(row, strength))
            if new and len(new) - KERNEL * (kernel not in compiled) >= wanted:
                chosen.append(cell)
                compiled.add(kernel)
                missing -= new
            elif new:
                useful.append((cell, row, kernel))
        rows = useful
    return chosen


def is_compiled(cell: Cell) -> bool:
    """Whether the games are played in machine code: by that engine, or by a call that plays what none has dealt."""
    return cell.engine != engines()[0] or any(call.plays and call.reads is None for call in cell.loop.chain)


def numbered(rows: Sequence[Cell]) -> list[tuple[int, ...]]:
    """The rows with a number in place of each value, which is faster to look up."""
    numbers = [
        {value: number for number, value in enumerate(dict.fromkeys(values))} for values in zip(*rows, strict=True)
    ]
    return [tuple(known[value] for known, value in zip(numbers, row, strict=True)) for row in rows]


def parts(row: Sequence[Any], strength: int) -> Iterator[tuple[tuple[int, Any], ...]]:
    """All combinations of so many values of a row, with their places."""
    return combinations(enumerate(row), strength)


# ---------------------------------------------------------------- what is played


@dataclass
class Made:
    """What a call has made: a file or a folder, unless it was refused."""

    path: Path
    is_refused: bool = False


@dataclass
class Trial:
    """The calls of one game, each made once; what they tell about the same thing must be the same.

    texts, facts, refusals: what was told, with the command that told it first.
    """

    game: Played
    folder: Path
    faults: list[str] = field(default_factory=list)
    made: dict[Any, Made] = field(default_factory=dict)
    texts: dict[Any, tuple[str, bytes]] = field(default_factory=dict)
    facts: dict[Any, tuple[str, Any]] = field(default_factory=dict)
    refusals: dict[Any, tuple[str, str]] = field(default_factory=dict)
    stepped: dict[Any, dict[str, Any]] = field(default_factory=dict)

    def run(self, cell: Cell) -> None:
        """Run the calls of a cell that have not been run for another one."""
        made = self.make(cell.loop.chain, cell.player, cell.engine)
        if made.is_refused == plays(cell):
            self.faults.append(f"{'refused' if made.is_refused else 'accepted'}\n    {cell}")

    def make(self, chain: tuple[Call, ...], player: str, engine: str) -> Made:
        """What the last call of a chain makes of what the others have made."""
        is_played, has_engine = any(call.plays for call in chain), any(call.names("ENGINE") for call in chain)
        numbered = all(call.names("NUMBER") for call in chain if call.plays or call.reads is None)
        settled = player if is_played else "", engine if has_engine else engines()[0], NUMBER if numbered else 0
        key = chain, settled
        if key not in self.made:
            *before, call = chain
            source = self.make(tuple(before), player, engine) if before else None
            self.made[key] = source if source and source.is_refused else self._called(call, source, *settled)
        return self.made[key]

    def _called(self, call: Call, source: Made | None, player: str, engine: str, number: int) -> Made:
        """What one call makes of what was made before it."""
        folder = self.folder / str(len(self.made))
        folder.mkdir()
        path = folder / "games"
        arguments = self._arguments(call, source, path, player, engine, number)
        shown = " ".join(["maumau", *arguments])
        try:
            done = maumau(*arguments)
        except Exception as error:
            self.faults.append(f"{shown}\n    {type(error).__name__}: {error}")
            return Made(path, is_refused=True)
        if done.returncode not in (0, 1):
            stepped = engine == engines()[0]
            self._same(self.refusals, (player, stepped), shown, "refused", done.stderr)
            return Made(path, is_refused=True)
        if not path.exists():
            path.write_text(done.stdout)
        if call.writes:
            _cut(call.writes, path)
            self._compare(call.writes, shown, path, player, number)
        return Made(path)

    def _arguments(
        self, call: Call, source: Made | None, path: Path, player: str, engine: str, number: int
    ) -> list[str]:
        """The arguments of a call."""
        seated = self.game.seated(player)
        small = self.game.kind.declaration.small_decks[0]
        values = {
            "DECK": small.cards,
            "EACH": small.each,
            "SEATS": ",".join(seated),
            "NAMES": ",".join(dict.fromkeys(seated)),
            "COUNT": self.game.seats,
            "GAMES": GAMES,
            "SEED": SEED,
            "NUMBER": number,
            "TARGET": self.game.target,
            "ENGINE": engine,
            "IN": source and source.path,
            "OUT": path,
        }
        rules = FAILING if COUNTEREXAMPLES in (call.reads, call.writes) else ()
        return [
            call.command,
            *self.game.arguments,
            *rules,
            *(str(values.get(word, word)) for word in call.arguments.split()),
        ]

    def _compare(self, format: str, shown: str, path: Path, player: str, first: int) -> None:
        """Compare what a call has written with what others have."""
        if path.is_file():
            self._same(self.texts, (format, player, first), shown, f"{format} differ", path.read_bytes())
        of_match = format in OF_MATCHES
        for number, told in enumerate(TOLD[format](path, self.game) if format in TOLD else (), first):
            about = "match" if of_match else "game", number, player
            for name, value in self._expected(of_match, number, player).items():
                self.facts.setdefault((about, name), ("by stepping", value))
            for name, value in told.items():
                self._same(self.facts, (about, name), shown, f"{about}: {name}", value)

    def _expected(self, of_match: bool, number: int, player: str) -> dict[str, Any]:
        """What stepping tells about a game or a match, if the players are declared by the game."""
        about = of_match, number, player
        if about not in self.stepped:
            self.stepped[about] = self._stepped(*about)
        return self.stepped[about]

    def _stepped(self, of_match: bool, number: int, player: str) -> dict[str, Any]:
        kind, seats = self.game.kind, self.game.seats
        cards = {} if of_match else {"cards": kind.write(seats, kind.deck_of(seats, SEED, number)).split()}
        if player not in self.game.declared:
            return {"number": number, **cards}
        policies = self.game.seated(player)
        if of_match:
            match = Match(kind, seats, SEED, number, policies, self.game.target).run()
            return {"number": number} | _ended(match, match.totals)
        outcome = kind.deal(seats, SEED, number, policies).run()
        return {"number": number, **cards} | _ended(outcome, outcome.scores)

    def _same(self, known: dict[Any, tuple[str, Any]], about: Any, shown: str, what: str, value: Any) -> None:
        """Note a fault if something else is known about the same thing."""
        by, before = known.setdefault(about, (shown, value))
        if before != value:
            one, other = _differing(value, before)
            self.faults.append(f"{what}\n    {shown}\n        {one}\n    {by}\n        {other}")


def _ended(outcome: Any, scores: Sequence[int]) -> dict[str, Any]:
    """How a game or a match has ended."""
    return {"ending": str(outcome.ending), "winner": outcome.winner, "scores": list(scores)}


def _differing(one: Any, other: Any) -> list[str]:
    """Two values as texts, from shortly before the place on where they differ."""
    texts = [value.decode() if isinstance(value, bytes) else str(value) for value in (one, other)]
    same = (place for place, letters in enumerate(zip(*texts, strict=False)) if letters[0] != letters[1])
    start = max(0, next(same, min(map(len, texts))) - 60)
    return [text[start : start + 300] for text in texts]


# ---------------------------------------------------------------- what the formats tell

OF_MATCHES = {"decks of matches", "records of matches", "studies of matches"}


def _cut(format: str, path: Path) -> None:
    """Leave the first decks of each match."""
    if format != "decks of matches":
        return
    count, *lines = path.read_text().splitlines()
    kept = [count]
    while lines:
        seats, decks = lines[0].split()
        kept += [f"{seats} {DECKS}", *lines[1 : DECKS + 1]]
        lines = lines[int(decks) + 1 :]
    path.write_text("\n".join([*kept, ""]))


def _decks(path: Path, game: Played) -> list[dict[str, Any]]:
    _, *words = path.read_text().split()
    size = game.kind.declaration.deck_size + 1
    return [{"cards": words[place : place + size]} for place in range(0, len(words), size)]


def _records(path: Path, game: Played) -> list[dict[str, Any]]:
    return [
        {
            "number": record["number"],
            "ending": record["outcome"],
            "winner": record["winner"],
            "scores": record["totals" if "totals" in record else "scores"],
        }
        | ({"cards": [str(record["players"]), *record["deck"]]} if "deck" in record else {})
        for record in map(json.loads, path.read_text().splitlines())
    ]


def _studies(path: Path, game: Played) -> list[dict[str, Any]]:
    from pyarrow import parquet

    rows = [row for file in sorted((path / "games").iterdir()) for row in parquet.read_table(file).to_pylist()]
    return [
        {
            "number": row["number"],
            "ending": row["ending"],
            "winner": row["winner"],
            "scores": [row[f"score_{seat}"] for seat in range(1, game.seats + 1)],
        }
        for row in rows
    ]


TOLD = {
    "decks": _decks,
    "records": _records,
    "records of matches": _records,
    "studies": _studies,
    "studies of matches": _studies,
}
"""What a file, or a folder, tells about each of its games, in order. Of other formats only the whole text is compared."""
