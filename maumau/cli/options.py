"""How commands are declared: their options, in which modes each has an effect, and in which formats they hand games on.

A declaration imports nothing of what carries a command out, so a page of help takes no longer than click itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from maumau.cli import SUMMARIES
from maumau.cli.interrupt import BadInput

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # generic since click 8.2
LARGEST = 2**63 - 1
DEFAULT_GAME = "maumau"
OTHER_PLAYERS = "net, net:FILE, search:WORLDS[:OWN][:tree], solved:FILE, FILE.py:NAME"
"""How players are named, beside the policies of a game."""
POLICIES = f"house, random, random-legal-card, first-legal, {OTHER_PLAYERS}"
"""How players of most games are named; some games have other policies of their own."""


class GameName(ParamType):
    """The name of a registered game; `FILE.py:NAME` or `MODULE:NAME` registers one for this process."""

    name = "game"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """The placeholder in the help."""
        return "NAME|FILE.py:NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The registered name. Raises BadInput. A file is not executed during shell completion."""
        if value == DEFAULT_GAME or (ctx is not None and ctx.resilient_parsing):
            return str(value)
        from maumau.cli.chosen import registered_game

        assert ctx
        return registered_game(value, param.opts[0] if isinstance(param, click.Option) else ctx.command_path)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The registered names that match, else files."""
        from click.shell_completion import CompletionItem

        from fsm import registry

        matching = [CompletionItem(name) for name in registry.names() if name.startswith(incomplete)]
        return matching or [CompletionItem(incomplete, type="file")]


COMPLETED = {
    "--with": "rules",
    "--compare-rules": "rules",
    "--policy": "policies",
    "--exploit": "policies",
    "--others": "policies",
    "--phase": "phases",
    "--format": "formats",
}
"""The options whose values a shell completes, each with the function of `maumau.cli.candidates` that lists them."""


def completing(function: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Return what completes the values of a parameter by a function of `maumau.cli.candidates`."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found: list[CompletionItem] = getattr(import_module("maumau.cli.candidates"), function)(context, incomplete)
        return found

    return complete


class Number(ParamType):
    """A number from `least` to `most`, where there are such limits; a whole one unless `kind` is float."""

    name = "n"  # the placeholder in the help, in capitals

    def __init__(self, least: float | None = None, most: float | None = None, kind: type[int | float] = int) -> None:
        self._least, self._most, self._kind = least, most, kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Raises BadInput."""
        from rules.notation import shown

        assert param
        least = -inf if self._least is None else self._least
        most = inf if self._most is None else self._most
        expected = "a whole number" if self._kind is int else "a number"
        try:
            number = self._kind(value)
        except (ValueError, OverflowError):
            raise BadInput(f"{param.opts[0]}: {shown(value)} is not {expected}") from None
        if least <= number <= most or (least, most) == (-inf, inf):  # the latter if it is not a number
            return number
        is_low = most == LARGEST and number < least
        remedy = f"use {least:,} or more" if most == inf or is_low else f"use {least:,} to {most:,}"
        raise BadInput(f"{param.opts[0]}: {shown(number)} is out of range; {remedy}")


class PositiveNumber(Number):
    """A number above 0, up to `most` where there is such a limit."""

    def __init__(self, most: float | None = None) -> None:
        super().__init__(most=most, kind=float)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Raises BadInput."""
        assert param
        most = inf if self._most is None else self._most
        number = Number(kind=float).convert(value, param, ctx)
        if not number > 0:  # nan is refused, too
            raise BadInput(f"{param.opts[0]}: {number:g} is not above 0; use a number above 0")
        if number > most:
            raise BadInput(f"{param.opts[0]}: {number:g} is out of range; use a number up to {most:,}")
        return number


def option(*names: str, **attributes: Any) -> click.Option:
    """An option of a command, which a shell completes if it is one of COMPLETED and its type lists no choices."""
    for name in COMPLETED.keys() & {*names} if "type" not in attributes else ():
        attributes["shell_complete"] = completing(COMPLETED[name])
    return click.Option(names, **attributes)


def flag(*names: str, help: str) -> click.Option:
    """An option without a value."""
    return click.Option(names, is_flag=True, help=help)


def _thread_count(context: click.Context, parameter: click.Parameter, threads: int | None) -> int | None:
    """A number of threads, None for the default. Raises BadInput."""
    from fsm.edge.numbers import thread_count

    try:
        return None if threads is None else thread_count(threads)
    except ValueError as error:
        raise BadInput(f"--{error}") from None  # which names `threads`


FILE = click.Argument(["file"], default="-", metavar="[FILE|-]")
PLAIN_GAME = option("--game", type=GameName(), default=DEFAULT_GAME, show_default=True, help="The game.")
GAME = (
    PLAIN_GAME,
    option(
        *("--with", "--rules", "rules"),
        default="",
        metavar="NAME[,NAME...]",
        help="House rules: names of rules or profiles (maumau rules lists them), or FILE.py:NAME.",
    ),
)
"""The options of a game with its house rules, which are one argument of what carries the command out: `game`."""
THREADS = option(
    "--threads", type=Number(), callback=_thread_count, help="Threads on this machine.  [default: one per core]"
)
SEED = option("--seed", type=Number(0, LARGEST), default=0, show_default=True, help="The seed of the games.")
NUMBER = option(
    "--number",
    type=Number(0, LARGEST),
    default=0,
    show_default=True,
    help="The number of the first game, from 0. Game N of a seed always has the same deck and dice.",
)
NUMBER_IN_FILE = option(
    "--number",
    type=Number(0, LARGEST),
    default=0,
    show_default=True,
    help="The number of the game in FILE, from 0. Random players use the dice of this game of --seed.",
)
POLICY = option(
    "--policy",
    default="",
    metavar="NAME[,NAME...]",
    help=f"The policies of the seats, one for all or one for each: {POLICIES}.",
)
PLAYERS = option("--players", type=Number(), help="Players in a game.  [default: the fewest that can play]")
PLAYERS_UNLESS_ONE = option(
    "--players", type=Number(), help="Players in a game. Required unless the game has only one number of players."
)
JSON = flag("--json", "as_json", help="Print one JSON object.")
JSON_FORMAT = flag("--json", "as_json", help="Short for --format json.")
MATCH = flag("--match", "is_match", help="Matches: rounds with cumulative points; the dealer moves on.")
TARGET = option("--target", type=Number(), metavar="POINTS", help="Points that end a match.  [default: by the game]")


# ---------------------------------------------------------------- modes

Given = Mapping[str, Any]
"""The options that are given, by their long names, with their values."""
Rule = Callable[[Given], Iterable[str]]
"""What is wrong with the options that are given: who gives one that has no effect expects that it does something."""


def only_with(mode: str | tuple[str, ...], *options: str) -> Rule:
    """Require the option `mode`, or one of several, with each of these options."""
    modes = (mode,) if isinstance(mode, str) else mode
    text = f" requires {' or '.join(modes)}"
    return lambda given: () if given.keys() & modes else _each(given, options, text)


def not_with(mode: str, *options: str, value: object = None, without: str = "") -> Rule:
    """Refuse these options together with the option `mode`, or with this value of it.

    without: an option with which they may be used together.
    """
    text = f" and {mode if value is None else f'{mode} {value}'} cannot be used together"
    text += f" without {without}" if without else ""
    return lambda given: (
        _each(given, options, text) if mode in given and without not in given and value in (None, given[mode]) else ()
    )


def one_of(*options: str) -> Rule:
    """Refuse more than one of these options, each of which decides alone what the command does."""

    def faults(given: Given) -> list[str]:
        found = _each(given, options, "")
        return [f"{' and '.join(found)} cannot be used together"] if len(found) > 1 else []

    return faults


def refuse_given(reason: str, *options: str) -> None:
    """Refuse options that have no effect with this input, which is known only when it is read. Raises BadInput."""
    _refuse(_each(given_options(), options, f" {reason}"))


def given_options() -> Given:
    """The options that are given to the command that runs; those that have their default without are none."""
    context = click.get_current_context()
    return {
        min(parameter.opts, key=lambda name: not name.startswith("--")): context.params.get(str(parameter.name))
        for parameter in context.command.params
        if context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT
    }


def _each(given: Given, options: Iterable[str], text: str) -> list[str]:
    """Return each of the options that are given with the text after it."""
    return [f"{option}{text}" for option in options if option in given]


def _refuse(faults: Iterable[str]) -> None:
    """Raise BadInput if there is a fault."""
    if text := "\n".join(faults):
        raise BadInput(text)


TARGET_MODE = only_with("--match", "--target")


# ---------------------------------------------------------------- formats and commands


UNBROKEN = "\u2011"
"""The hyphen at which no line is broken."""


class Formatter(click.HelpFormatter):
    """Write help in which no name of an option, a policy or a rule is broken at a hyphen."""

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(text.replace("-", UNBROKEN))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of terms with their descriptions."""
        super().write_dl([(term, text.replace("-", UNBROKEN)) for term, text in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        """Return the help."""
        return super().getvalue().replace(UNBROKEN, "-")


class HelpContext(click.Context):
    """The context of a command, whose help a `Formatter` writes."""

    formatter_class = Formatter


class CommandUse(NamedTuple):
    """One way to call a command.

    arguments: those that it is called with, beside `--game` and `--with`. Words in capitals stand for values: `IN` and
    `OUT` for the names of what is read and written (standard output without `OUT`), others for the value of the option
    before them. reads, writes: the formats of what goes in and comes out, by their names in the documentation.
    """

    arguments: str
    reads: str | None = None
    writes: str | None = None


class Command(click.Command):
    """A command, which is carried out by the function `run` of the module of `maumau.cli` that has its name.

    help: what follows the first sentence, which `maumau.cli` has. modes: in which its options have an effect,
    checked before it does anything. uses: the ways to call it in which it hands games on. requires: packages of an
    extra without which it does nothing.
    """

    context_class = HelpContext

    def __init__(
        self,
        name: str,
        help: str,
        *params: click.Parameter,
        modes: Iterable[Rule] = (),
        uses: Iterable[CommandUse] = (),
        requires: Iterable[str] = (),
    ) -> None:
        super().__init__(name, params=list(params), help=f"{SUMMARIES[name]}\n\n{help}")
        self.modes, self.uses, self.requires = modes, tuple(uses), tuple(requires)

    def invoke(self, ctx: click.Context) -> Any:
        """Carry the command out. Raises BadInput for options that have no effect, MissingExtra for packages that are
        not installed, and what the command raises.
        """
        given = given_options()
        for rule in self.modes:
            _refuse(rule(given))
        warnings.formatwarning = lambda message, *where, **more: f"maumau: {' '.join(str(message).split())}\n"
        arguments = dict(ctx.params)
        if "rules" in arguments:
            from maumau.cli.chosen import game_with_rules

            arguments["game"] = game_with_rules(arguments["game"], arguments.pop("rules"))
        from fsm.edge.extras import naming_extras, require

        require(ctx.command_path, *self.requires)
        with naming_extras(ctx.command_path):
            return import_module(f"maumau.cli.{self.name}").run(**arguments)
