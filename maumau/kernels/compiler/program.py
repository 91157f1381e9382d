"""What is compiled to machine code: source, what it is generated for, and the names of rule functions in it.

Rule functions keep their own names where these are free, so that the source is readable. While source is written, a
function is mentioned by a word that nothing else is called. The names are chosen when all of it is there: two functions
of one name, a lambda, or a function called as a variable of the source get their own.

The results of many games that a program plays are here as well: a row for each game, or sums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from keyword import iskeyword
from typing import Any, NamedTuple

from fsm.declaration.arcs import Arc, Offer, Phase, Policy
from fsm.declaration.chain import Counter
from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import LONGEST
from fsm.declaration.facts import ValueKind
from fsm.edge.notebook import Sheet, SheetTable
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.ends import HORIZON, LONG_HORIZON
from maumau.kernels.compiled.results import result_type
from maumau.kernels.compiled.workspace import argument_types
from rules.rule import RuleFunction

_MENTION = re.compile(r"_rule_\d+_")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
"""A name that is not an attribute."""
_NO_CODE = re.compile(r'""".*?"""|#[^\n]*|\'[^\'\n]*\'', re.DOTALL)
"""Docstrings, comments and texts."""


@dataclass(frozen=True)
class KernelSource:
    """Generated source. text: Python. functions: what each name in it stands for that it takes for granted."""

    text: str
    functions: Mapping[str, RuleFunction]

    def in_python(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the names of the module, run by Python, with the compiled functions that it calls or that call it.

        given: what stands in place of the instructions of the compiler, and constants.
        """
        from maumau.kernels.compiler.interpreted import interpreted  # to play, nobody needs what evaluates functions

        names, made = {**given, **self.functions}, dict[Any, Callable[..., Any]]()
        exec(compile(self.text, "<run by Python>", "exec"), names)
        compiled = [name for name, function in self.functions.items() if ".compiled." in function.__module__]
        return names | {name: interpreted(self.functions[name], names, made) for name in compiled}

    @property
    def listing(self) -> str:
        """The source for people: with a comment on where each rule function is defined."""
        from maumau.kernels.compiler.listing import listed

        modules: dict[str, list[str]] = {}
        for name, function in self.functions.items():
            modules.setdefault(function.__module__, []).append(name)
        indices = [f"# {module}: {', '.join(sorted(names))}\n" for module, names in sorted(modules.items())]
        return "".join([*indices, "\n", "\n\n\n".join(listed(self.text, self.functions)), "\n"])


def mention(function: RuleFunction) -> str:
    """The word for a rule function in source that is being written."""
    return f"_rule_{id(function)}_"


def module_source(
    title: str, parts: Iterable[str], functions: Iterable[RuleFunction], compiled: Iterable[RuleFunction] = ()
) -> KernelSource:
    """Source of a module with a docstring, in which each of `functions` that it mentions has a name.

    parts: its definitions; those that are empty are left out. compiled: functions of `maumau.kernels.compiled` that it
    calls or that call it, by their own names.
    """
    body = "\n\n\n".join(filter(None, parts))
    text = f'"""{in_comment(title)}"""\n\n\n{body}\n'
    given = {function.__name__: function for function in compiled}
    taken = given.keys() | set(_NAME.findall(_NO_CODE.sub("", text)))
    mentioned = {mention(function): function for function in functions}
    names: dict[str, str] = {}
    for word in dict.fromkeys(_MENTION.findall(text)):
        names[word] = _free(mentioned[word].__name__, taken)
        taken.add(names[word])
    text = _MENTION.sub(lambda found: names[found[0]], text)
    return KernelSource(text, {name: mentioned[word] for word, name in names.items()} | given)


def in_comment(text: str) -> str:
    """Text as it may stand in a comment or a docstring of generated source: on one line, without quotes."""
    return " ".join(text.split()).replace('"', "'").replace("\\", "/")


def _free(name: str, taken: set[str]) -> str:
    """`name`, as far as it is one, or the next of `name_2`, `name_3`, ... that nothing is called."""
    plain = name if name.isidentifier() else re.sub(r"\W", "", name)
    plain = plain if plain.isidentifier() and not iskeyword(plain) else f"function_{plain}"
    numbered = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
    return next(each for each in numbered if each not in taken)


@dataclass(frozen=True)
class Program:
    """Source to compile, and how its machine code is called.

    entry: the function to call; its annotations say which arguments it takes. write, subject: the source is
    `write(subject)`. game: the game whose tables and decks it works on, if any. makers: the names of functions that
    make tables of other classes, with these classes. large: whether it takes seconds to compile, so that users are
    notified. small: whether it is made small, without operations on vectors, which takes half the time to compile where
    functions are many and long; loops over seats are too short for vectors. checked: whether it notes what Python would
    raise an error for (`Module`), in rule functions and in source that is written.
    """

    entry: Callable[..., object]
    write: Callable[[Any], KernelSource]
    subject: Any
    game: Declaration | None = None
    makers: tuple[tuple[str, type], ...] = ()
    large: bool = False
    small: bool = False
    checked: bool = False

    @property
    def name(self) -> str:
        """The name of the game, for people."""
        return self.game.name if self.game else "results"

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The types of the arguments that it takes."""
        return argument_types(self.entry)


def source_of_entry(entry: Callable[..., object]) -> KernelSource:
    """The source of a program that is one function, which calls nothing that is written."""
    return KernelSource("", {entry.__name__: entry})


def of_any_game(entry: Callable[..., object]) -> Program:
    """A program that is the same for all games: one function of `maumau.kernels.compiled`, or of a package like it."""
    return Program(entry, source_of_entry, entry)


@dataclass(frozen=True)
class KernelPlan:
    """What a kernel is generated for.

    game: the declaration. policies: the distinct policies that seats may have, in the order of the seats' numbers.
    tally: whether it counts arcs and decision rules. log: whether it writes down every event and the final tables, and
    asks every guard; else it takes a policy's word that what it chooses is legal, and asks only which arc that is.
    matches: whether it plays matches, with a target, not games.
    repetition: whether it finds out where a position returns, if by the rules one may; else it leaves games of more
    than `horizon` stops running, for a kernel that does: they are so rare that the code for them is compiled only when
    it is needed. A kernel that logs looks for it, too, and plays decks that it is given; others can deal.
    """

    game: Declaration
    policies: tuple[Policy, ...]
    tally: bool = False
    log: bool = False
    repetition: bool = False
    matches: bool = False

    @property
    def returning(self) -> tuple[Phase, ...]:
        """The phases in which a position may return."""
        return tuple(phase for phase, control in self.game.control.items() if control.may_return)

    @property
    def may_return(self) -> bool:
        """Whether positions are compared by the rules; else a game stops in every phase, so that it can be given up."""
        return bool(self.returning)

    @property
    def keeps_positions(self) -> bool:
        """Whether all positions are kept: dice are rolled, and a position that returns ends the game nevertheless."""
        rolls = bool(self.game.rolling_arcs) or any(policy.rolls_dice for policy in self.policies)
        return self.game.return_ends and rolls

    @property
    def horizon(self) -> int:
        """Stops after which a game is looked through for a position that returned: random players play long games.

        Where none can return, the stops after which to give up.
        """
        are_random = bool(self.policies) and all(
            policy.rolls_dice and not policy.lays_first for policy in self.policies
        )
        return LONG_HORIZON if self.may_return and are_random else self.usual_horizon

    @property
    def usual_horizon(self) -> int:
        """The horizon of players who are not all random."""
        return HORIZON if self.may_return else LONGEST

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of decision rules by number."""
        return self.game.rule_names


Naming = tuple[bool, ValueKind]
"""What is named with an event: whether a card is, and the kind of the value."""


def namings(game: Declaration) -> tuple[Naming, ...]:
    """What is named with the events of a game: the number of each, from 1 on, tells `note` what to write down."""
    found: list[Naming] = [(True, ValueKind.SUIT)]
    for control in game.control.values():
        found += [naming for offer in control.offers if (naming := naming_of(game, offer))]
    return tuple(dict.fromkeys(found))


def naming_of(game: Declaration, offer: Offer) -> Naming | None:
    """What is named with the event of an offer, if anything is."""
    return (offer.cards is not None, game.value_kind(offer.trigger)) if offer.named else None


# ---------------------------------------------------------------- results


COLUMNS = 5
"""Numbers of an event in a log: the arc, the player, the card, the value, and the decision rule."""


def has_won(games: Array, seat: int | Array) -> Array:
    """Whether a seat (from 0), one for all or one for each, has won each game, alone or with others.

    games: an array of `result_type`.
    """
    return (games["winner"] == seat) | (games["winners"] >> seat & 1 == 1)  # type: ignore[no-any-return]


def blank_rows(games: int, players: int) -> tuple[Array, Array]:
    """Room for the results and the scores of `games` games."""
    return np.zeros(games, result_type()), np.zeros((games, players), np.int32)


def numbers(shape: int | tuple[int, int]) -> Array:
    """Zeros: 64-bit integers."""
    return np.zeros(shape, np.int64)


@dataclass(frozen=True)
class Results:
    """The results of many games or matches, one row for each.

    games: an array of `result_type`; of a match, `ending` is a `rules.match.MatchEnding`, and the measures are sums
    over the rounds. scores: points by game and seat, or the totals of a match. tables: the final tables, if they were
    kept. counted, used: the counters of the game, and how often each decision rule was used in all games, if it was
    counted; where events were kept, no chains are counted. log: a row for each event, if events were kept: the numbers
    of its transition, player, card, value and decision rule. log_ends: the row after the last one of each game. rounds:
    how many were played in each match; None for games, which are of one round.
    """

    games: Array
    scores: Array
    counted: Mapping[Counter, int] | None = None
    used: Mapping[str, int] | None = None
    tables: Array | None = None
    log: Array | None = None
    log_ends: Array | None = None
    rounds: Array | None = None

    def __len__(self) -> int:
        return len(self.games)

    def won(self, seat: int) -> Array:
        """Return whether a seat has won each game, alone or with others. seat: from 0."""
        return has_won(self.games, seat)

    @property
    def fired(self) -> Mapping[Arc, int] | None:
        """How often each transition was fired in all games, if it was counted."""
        return None if self.counted is None else Counter.fired(self.counted)


class Totals(NamedTuple):
    """Sums over many games.

    games: how many. endings: how many ended in each way. wins, points: by seat. turns, laid, taken, reshuffles: turns,
    cards laid (with the opening card) and taken, and reshuffles of all games. reshuffled: games with a reshuffle.
    longest: the turns of the longest game. fired, used: how often each transition and each decision rule was; empty if
    they were not counted.
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

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return self.sheet().bundle(repr(self))

    def sheet(self) -> Sheet:
        """Return the tables that a notebook shows."""
        games = max(self.games, 1)
        sums = {"turns": self.turns, "cards laid": self.laid, "cards taken": self.taken, "reshuffles": self.reshuffles}
        seats = enumerate(zip(self.wins, self.points, strict=True), 1)
        places = [(seat, wins, f"{wins / games:.2%}", f"{points / games:.2f}") for seat, (wins, points) in seats]
        fired = sum(self.fired.values())
        arcs = [
            (arc.trigger, str(arc.source), str(arc.dest), arc.description, count, f"{count / fired:.2%}")
            for arc, count in self.fired.items()
            if count
        ]
        tables = [
            SheetTable(("seat", "wins", "share of games", "points a game"), places),
            SheetTable(
                ("figure", "all games", "a game"), [(name, sum, f"{sum / games:.2f}") for name, sum in sums.items()]
            ),
            SheetTable(("end", "games", "share"), [(end, n, f"{n / games:.2%}") for end, n in self.endings.items()]),
            SheetTable(("event", "from", "to", "rule", "fired", "share"), arcs),
        ]
        title = f"{self.games:,} games, the longest of {self.longest:,} turns"
        return Sheet(title, tables if arcs else tables[:-1])
