"""`maumau check`: the machine validated, listed and tried."""

from __future__ import annotations

import click

from cli.failure import NO_WINNER
from cli.options import chosen_game, game_option, seed_option


@click.command()
@click.option(
    "--games", type=click.IntRange(0), default=200, show_default=True, help="Games for each number of players."
)
@seed_option
@game_option
def check(games: int, seed: int, game: str) -> int:
    """Validate the declaration, print its phases and arcs, and how often each arc fired over dealt games.

    At each event of these games it is checked that the guards let exactly one arc be fired. Exit status 1 if not.

    \b
    Example:
      maumau check --games 1000
    """
    from fsm.check import survey

    kind = chosen_game(game)
    declaration = kind.declaration
    seen = survey(kind, games, seed)
    print(f"{declaration.title}: {len(declaration.phases)} phases, {len(declaration.arcs)} arcs, valid")
    print("\nphases")
    for phase in declaration.phases:
        acting = declaration.acting.get(phase)
        print(f"  {phase:16} {acting.told if acting else 'final'}")
    print(f"\narcs, and how often each fired in {seen.games} games")
    for arc in declaration.arcs:
        print(f"  {seen.fired[arc]:9,}  {arc}")
    for fault in seen.faults:
        print(f"not exactly one arc enabled: {fault}")
    return NO_WINNER if seen.faults else 0
