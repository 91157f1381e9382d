"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cli.failure import BadInput

if TYPE_CHECKING:
    from fsm.stepping.game import Game

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
LARGEST = 2**63 - 1

game_option: Option = click.option(
    "--game", type=click.Choice(["maumau", "uno"]), default="maumau", show_default=True, help="Which game."
)
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
    """The class of the game called `name`."""
    from fsm.registry import game_class

    return game_class(name)


def chosen_policies(names: str) -> list[str]:
    """The policies of an option: `house,random`, or nothing for the default."""
    return [name.strip() for name in names.split(",")] if names else []


def checked_players(kind: type[Game], players: int) -> int:
    """The number of players, if that many can play. Raises BadInput."""
    words = kind.declaration.words
    if not words.fewest <= players <= words.most:
        raise BadInput(f"--players: {players}, expected {words.fewest} to {words.most}")
    return players
