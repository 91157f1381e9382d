"""`maumau compile`: compile a machine in advance, or print the generated source."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from maumau.cli.bulk import check_bulk, notify
from maumau.cli.interrupt import BadInput, CannotWrite
from maumau.cli.modes import modes, one_of, only_with
from maumau.cli.options import (
    checked_players,
    chosen_game,
    chosen_policies,
    game_option,
    policy_option,
    refusing_players,
)
from maumau.cli.output import write_output

if TYPE_CHECKING:
    from fsm.declaration.arcs import Policy
    from fsm.stepping.game import Game
    from maumau.kernels.compiler import Plan

HELP = """Compile the declaration to machine code for the policies of --policy, and cache it for later commands.

\b
Examples:
  maumau compile
  maumau compile --show --policy house,random
  maumau compile --show --why
  maumau compile --target wasm32 --players 3 -o game.wasm
"""

TARGETS = ("wasm32",)


@click.command("compile", help=HELP)
@modes(
    one_of("--show", "--target"),
    only_with("--show", "--why", reason="which does not compile"),
    only_with("--target", "--players", "--output", reason="without which no kernel is written"),
    only_with("--players", "--target", reason="the number for which the kernel is made"),
)
@click.option("--show", is_flag=True, help="Print the generated source without compiling it.")
@click.option("--why", is_flag=True, help="With --show: print which kernel plays, and why.")
@click.option(
    "--target", type=click.Choice(TARGETS), help="Write the lane kernel for another machine, needs --players."
)
@click.option("--players", type=int, help="With --target: the number of players.")
@click.option(
    "--output", "-o", "file", default="-", metavar="FILE", help="With --target: the file; - is standard output."
)
@policy_option
@game_option
def compile_(show: bool, why: bool, target: str | None, players: int | None, file: str, policy: str, game: str) -> None:
    """Run `maumau compile`."""
    from maumau.kernels.compiler import Plan, source_of

    kind = chosen_game(game)
    declaration = kind.declaration
    with refusing_players():
        names = chosen_policies(policy)
        chosen = {declaration.seated(1, name, compiled=True)[0] for name in names or (None,)}
    policies = tuple(each for each in declaration.policies if each in chosen)
    if why:
        from maumau.kernels.lanes.module import explained

        print("\n".join(explained(declaration, policies)))
        return
    if show:
        print(source_of(Plan(declaration, policies)).listing, end="")
        return
    if target is not None and players is not None:
        write_output(file, _for_target(kind, policies, target, players))
        return
    check_bulk()
    from maumau.kernels.compiler.cache import cache_folder

    started = time.perf_counter()
    _store(Plan(declaration, policies, tally=True))
    print(f"{declaration.title} is ready in {cache_folder()} ({time.perf_counter() - started:.1f} s)")


def _store(plan: Plan) -> None:
    """Compile the kernels of a plan that are not in the cache. Raises CannotWrite if they cannot be stored there."""
    from maumau.kernels.compiler.cache import NotStoredWarning
    from maumau.kernels.compiler.machine_code import machine_code
    from maumau.kernels.compiler.source import playing

    with warnings.catch_warnings():
        warnings.simplefilter("error", NotStoredWarning)
        try:
            for program in (playing(plan), playing(replace(plan, tally=False, log=True))):
                machine_code(program, notify)
        except NotStoredWarning as warning:
            raise CannotWrite(str(warning)) from None


def _for_target(kind: type[Game], policies: tuple[Policy, ...], target: str, players: int) -> bytes:
    """The lane kernel for another machine. Raises BadInput where there is none."""
    from maumau.kernels.lanes import building
    from maumau.kernels.lanes.graph import UntraceableError

    check_bulk()
    checked_players(kind, players)
    if len(policies) != 1:
        raise BadInput("--policy: expected one policy for all seats, see --target")
    try:
        return building.TARGETS[target](kind.declaration, players, policies[0])
    except UntraceableError as error:
        raise BadInput(f"{kind.declaration.name}, {players} players: {error}") from None
