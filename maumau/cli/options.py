"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from maumau.cli.interrupt import BadInput

if TYPE_CHECKING:
    from fsm.stepping.game import Game

    ParamType = click.ParamType[str]
else:
    ParamType = click.ParamType  # generic since click 8.2

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
LARGEST = 2**63 - 1
DEFAULT_GAME = "maumau"


class GameName(ParamType):
    """The name of a registered game; `FILE.py:NAME` or `MODULE:NAME` registers one for this process."""

    name = "game"

    def __init__(self, option: str = "--game") -> None:
        self._option = option

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """The placeholder in the help."""
        return "NAME|FILE.py:NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The registered name. Raises BadInput. A file is not executed during shell completion."""
        if value == DEFAULT_GAME or (ctx is not None and ctx.resilient_parsing):
            return str(value)
        from fsm import registry
        from fsm.outside import OutsideError, admit, is_reference, read_source

        try:
            kind = admit(read_source(value)) if is_reference(value) else registry.game_class(value)
        except OutsideError as error:
            raise BadInput(f"{self._option}: {error}") from None
        except registry.RegistryError as error:
            raise BadInput(f"{self._option}: {error}, or FILE.py:NAME for a game of your own") from None
        return kind.declaration.name

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The registered names that match, else files."""
        from fsm import registry

        matching = [CompletionItem(name) for name in registry.names() if name.startswith(incomplete)]
        return matching or [CompletionItem(incomplete, type="file")]


plain_game_option: Option = click.option(
    "--game",
    type=GameName(),
    default=DEFAULT_GAME,
    show_default=True,
    help="The game.",
)
rules_option: Option = click.option(
    "--with",
    "--rules",
    "rules",
    default="",
    metavar="NAME[,NAME...]",
    help="House rules: names of rules or profiles (see maumau rules), or FILE.py:NAME.",
)


def game_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --game and --with to a command; its parameter `game` is the name of the game with its rules."""

    @plain_game_option
    @rules_option
    @wraps(function)
    def command(*arguments: Any, game: str, rules: str, **options: Any) -> Any:
        return function(*arguments, game=game_with_rules(game, rules), **options)

    return command


def game_with_rules(game: str, rules: str, option: str = "--with") -> str:
    """The name of a game with the house rules of `option`: names or references of rules, separated by commas.

    Raises BadInput.
    """
    if not rules:
        return game
    from fsm.outside import admit_rule, is_reference, read_source

    kind = chosen_game(game)
    names = [name.strip() for name in rules.split(",")]
    try:
        chosen = [admit_rule(read_source(name), kind).name if is_reference(name) else name for name in names]
        return kind.with_rules(*chosen).declaration.name
    except ValueError as error:
        raise BadInput(f"{option}: {error}") from None


def _thread_count(context: click.Context, parameter: click.Parameter, threads: int | None) -> int | None:
    """A number of threads, None for the default. Raises BadInput."""
    from fsm.edge.numbers import thread_count

    try:
        return None if threads is None else thread_count(threads)
    except ValueError as error:
        raise BadInput(f"--threads: {error}") from None


threads_option: Option = click.option(
    "--threads", type=int, callback=_thread_count, help="Threads on this machine.  [default: one per core]"
)
seed_option: Option = click.option(
    "--seed", type=click.IntRange(0, LARGEST), default=0, show_default=True, help="The seed of the games."
)
OTHER_PLAYERS = "net, net:FILE, search:WORLDS, FILE.py:NAME"
"""How players are named, beside the policies of a game."""
policy_option: Option = click.option(
    "--policy",
    default="",
    metavar="NAME[,NAME...]",
    help=f"The policies of the players, one for all or one per seat: house, random, first-legal, {OTHER_PLAYERS}.",
)


def chosen_game(name: str) -> type[Game]:
    """The class of the game that the option names."""
    from fsm.registry import game_class

    return game_class(name)


def chosen_policies(names: str, option: str = "--policy") -> list[str]:
    """The policies of an option: `house,search:100`, or nothing for the default; a function that one names is loaded.

    Raises BadInput.
    """
    return [_policy_name(name.strip(), option) for name in names.split(",")] if names else []


def _policy_name(name: str, option: str) -> str:
    """The name of a policy; players of `agents`, and `FILE.py:NAME`, are known by their names from then on."""
    import maumau.agents.players  # noqa: F401  # it registers the forms of their names
    from fsm.declaration.policy import forms, is_of_form
    from fsm.outside import OutsideError, admit_player, is_reference, read_source

    if is_of_form(name) or not is_reference(name):
        return name
    try:
        return admit_player(read_source(name))
    except OutsideError as error:
        raise BadInput(f"{option}: {error}; other players are {', '.join(map(str, forms()))}") from None


def check_seats(kind: type[Game], tables: Set[int], policies: list[str], *, compiled: bool) -> None:
    """Raise BadInput for unknown policies, and for those that cannot play at tables of so many players."""
    declaration = kind.declaration
    with refusing_players():
        for name in policies:
            declaration.policy(name)
        for players in sorted(tables):
            declaration.seated(players, policies, compiled=compiled)


@contextmanager
def refusing_players(option: str = "--policy") -> Iterator[None]:
    """Report what is wrong with a policy of an option, or with what it chooses. Raises BadInput."""
    try:
        yield
    except ValueError as error:  # such as IllegalMove and OutsideError
        raise BadInput(f"{option}: {error}") from None


def checked_players(kind: type[Game], players: int | None) -> int:
    """The number of players, if the game allows it; None: as few as can play. Raises BadInput."""
    codec = kind.declaration.codec
    players = codec.fewest if players is None else players
    if not codec.fewest <= players <= codec.most:
        raise BadInput(f"--players: {players}, expected {codec.fewest} to {codec.most}")
    return players


class Format(StrEnum):
    """What a command can write or read, by its name in the documentation."""

    DECKS = "decks"
    RECORDS = "records"
    RESULTS = "results"
    EVENTS = "events"
    TRACES = "traces"
    PAGES = "pages"
    PATHS = "paths in DOT"
    TRAFFIC = "traffic in DOT"
    STUDIES = "studies"
    REPORTS = "reports in JSON"
    RATINGS = "ratings in JSON"
    MATCH_DECKS = "decks of matches"
    MATCH_RECORDS = "records of matches"
    MATCH_RESULTS = "results of matches"
    MATCH_EVENTS = "events of matches"
    MATCH_TRACES = "traces of matches"
    MATCH_PAGES = "pages of matches"
    MATCH_STUDIES = "studies of matches"
    MATCH_REPORTS = "reports of matches in JSON"


@dataclass(frozen=True)
class Use:
    """One way to call a command.

    arguments: those that it is called with, beside `--game` and `--with`. Words in capitals stand for values: `IN` and
    `OUT` for the names of what is read and written (standard output without `OUT`), others for the value of the option
    before them. reads, writes: the formats of what goes in and comes out. compiled: whether only machine code plays, so
    that players who are stepped are refused.
    """

    arguments: str
    reads: Format | None = None
    writes: Format | None = None
    compiled: bool = False


class Command(click.Command):
    """A command that says in which formats it hands games on. uses: the ways to call it so."""

    def __init__(self, *arguments: Any, uses: tuple[Use, ...], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.uses = uses
