"""`maumau compile`: compile a machine in advance, or print the generated source."""

from __future__ import annotations

import time

import click

from cli.bulk import check_bulk, notify
from cli.failure import BadInput
from cli.options import chosen_game, chosen_policies, game_option, policy_option

HELP = """Compile the declaration to machine code for the policies of --policy, and cache it for later commands.

\b
Examples:
  maumau compile
  maumau compile --show --policy house,random
  maumau compile --show --why
"""


@click.command("compile", help=HELP)
@click.option("--show", is_flag=True, help="Print the generated source without compiling it.")
@click.option("--why", is_flag=True, help="With --show: print which kernel plays, and why.")
@policy_option
@game_option
def compile_(show: bool, why: bool, policy: str, game: str) -> None:
    """Run `maumau compile`."""
    from fsm.compiler import Plan, source_of

    declaration = chosen_game(game).declaration
    try:
        chosen = {declaration.policy(name) for name in chosen_policies(policy)} or {declaration.policies[0]}
    except ValueError as error:
        raise BadInput(f"--policy: {error}") from None
    policies = tuple(each for each in declaration.policies if each in chosen)
    if why and not show:
        raise BadInput("--why: expected together with --show")
    if why:
        from fsm.lanes.explain import explained

        print("\n".join(explained(declaration, policies)))
        return
    if show:
        print(source_of(Plan(declaration, policies)).listing, end="")
        return
    check_bulk()
    from fsm.compiler.cache import cache_folder
    from fsm.compiler.kernel import machine_code
    from fsm.compiler.programs import playing

    started = time.perf_counter()
    for plan in (Plan(declaration, policies, tally=True), Plan(declaration, policies, log=True)):
        machine_code(playing(plan), notify)
    print(f"{declaration.title} is ready in {cache_folder()} ({time.perf_counter() - started:.1f} s)")
