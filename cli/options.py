"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from cli.failure import BadInput

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

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What stands for it in the help."""
        return "NAME|FILE.py:NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The registered name. Raises BadInput; a file is not executed while a shell asks for completions."""
        if value == DEFAULT_GAME or (ctx is not None and ctx.resilient_parsing):
            return str(value)
        from fsm import registry
        from fsm.outside import OutsideError, admit, is_reference, read_source

        try:
            kind = admit(read_source(value)) if is_reference(value) else registry.game_class(value)
        except OutsideError as error:
            raise BadInput(f"--game: {error}") from None
        except registry.RegistryError as error:
            raise BadInput(f"--game: {error}, or FILE.py:NAME for a game of your own") from None
        return kind.declaration.name

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The registered names; files where none fits."""
        from fsm import registry

        fitting = [CompletionItem(name) for name in registry.names() if name.startswith(incomplete)]
        return fitting or [CompletionItem(incomplete, type="file")]


plain_game_option: Option = click.option(
    "--game",
    type=GameName(),
    default=DEFAULT_GAME,
    show_default=True,
    help="Which game.",
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
    """Give a command the option --game with --with: its parameter `game` is the name of the game with its rules."""

    @plain_game_option
    @rules_option
    @wraps(function)
    def command(*arguments: Any, game: str, rules: str, **options: Any) -> Any:
        return function(*arguments, game=game_with_rules(game, rules), **options)

    return command


def game_with_rules(game: str, rules: str) -> str:
    """The name of a game with the house rules of the option: names or places of rules, with commas between them.

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
        raise BadInput(f"--with: {error}") from None


seed_option: Option = click.option(
    "--seed", type=click.IntRange(0, LARGEST), default=0, show_default=True, help="The row of games to deal from."
)
policy_option: Option = click.option(
    "--policy",
    default="",
    metavar="NAME[,NAME...]",
    help="How players choose, one name for all or one a seat: house, random, first-legal.",
)


def chosen_game(name: str) -> type[Game]:
    """The class of the game that the option names."""
    from fsm.registry import game_class

    return game_class(name)


def chosen_policies(names: str) -> list[str]:
    """The policies of an option: `house,random`, or nothing for the default."""
    return [name.strip() for name in names.split(",")] if names else []


def checked_players(kind: type[Game], players: int) -> int:
    """The number of players, if that many can play. Raises BadInput."""
    words = kind.declaration.codec
    if not words.fewest <= players <= words.most:
        raise BadInput(f"--players: {players}, expected {words.fewest} to {words.most}")
    return players
