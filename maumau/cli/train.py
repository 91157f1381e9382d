"""`maumau train`: a player that learns, and the file that keeps it."""

from __future__ import annotations

import math
import os
import shlex
import time
from typing import TYPE_CHECKING

import click

from maumau.cli.bulk import check_bulk, notify, print_message
from maumau.cli.interrupt import BadInput
from maumau.cli.modes import modes, not_with, one_of
from maumau.cli.options import checked_players, chosen_game, game_option, seed_option
from maumau.cli.output import check_output, write_output

if TYPE_CHECKING:
    from maumau.agents.nets.net import Net
    from maumau.agents.training import Progress, Strength

HELP = """Train a player, and write it to a file: --policy net:FILE then names it in every command.

Where only cards are hidden, it first learns from searches what moves are worth, then from its own games. The file is
written anew every half minute, so Ctrl-C leaves the last whole one. With --games the same command gives the same file
on the same machine; with --minutes the file depends on the speed of the machine.

\b
Examples:
  maumau train --minutes 3 -o me.net
  maumau train --game uno --players 3 --games 300000 --seed 7 -o uno.net
  maumau tournament --policy net:me.net,house
"""
MINUTES = 5.0
"""How long it learns, if nothing is said."""
WRITTEN_EVERY = 30
"""Seconds between two versions of the file."""
TESTED = 10_000
"""Games of the estimate of the strength."""
THREADS = "OPENBLAS_NUM_THREADS"
"""The environment variable for the threads of matrix products: with one, the result does not depend on the cores."""


@click.command(help=HELP)
@modes(
    one_of("--games", "--minutes"),
    not_with("--searched", "--worlds", value=0, reason="with which nothing is searched"),
)
@click.option("--players", type=int, help="Players in a game (default: as few as can play).")
@click.option("--games", type=click.IntRange(1), help="Games that it learns from, at least.")
@click.option("--minutes", type=float, help=f"Time in which it learns (default: {MINUTES:g}).")
@click.option("--others", metavar="NAME", help="The other players: a policy of the game (default: its first), or self.")
@click.option(
    "--searched",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="The part of the training that learns from searches, where the game can be searched; the rest from games.",
)
@click.option(
    "--worlds", type=click.IntRange(1, 255), default=16, show_default=True, help="Worlds of each of these searches."
)
@click.option(
    "--hidden", type=click.IntRange(1, 1024), default=128, show_default=True, help="The width of the hidden layers."
)
@click.option("-o", "--output", metavar="FILE", required=True, help="The file to write.")
@seed_option
@game_option
def train(
    players: int | None,
    games: int | None,
    minutes: float | None,
    others: str | None,
    searched: float,
    worlds: int,
    hidden: int,
    output: str,
    seed: int,
    game: str,
) -> None:
    """Run `maumau train`."""
    if minutes is not None and not 0 < minutes < math.inf:
        raise BadInput(f"--minutes: {minutes:g}, expected more than 0")
    check_output(output)
    check_bulk()
    os.environ.setdefault(THREADS, "1")
    from maumau.agents.training import Trainer, rounds, strength

    kind = chosen_game(game)
    players = checked_players(kind, players)
    limit = None if games else minutes or MINUTES
    options = ["--games", str(games)] if games else ["--minutes", f"{limit:g}"]
    options += ["--seed", str(seed), "--searched", f"{searched:g}", "--worlds", str(worlds), "--hidden", str(hidden)]
    options += ["--others", others] if others else []
    command = _command(game, players, options)
    try:
        trainer = Trainer(
            kind,
            players,
            seed=seed,
            others=others,
            searched=searched,
            worlds=worlds,
            hidden=hidden,
            command=command,
            notify=notify,
        )
    except ValueError as error:
        raise BadInput(f"maumau train: {error}") from None
    written = time.monotonic()
    for progress in rounds(trainer, games, limit):
        if time.monotonic() - written > WRITTEN_EVERY:
            written = time.monotonic()
            write_output(output, progress.net.to_bytes())
            print_message(_state(progress))
    net = trainer.net.rounded()
    write_output(output, net.to_bytes())
    print(_result(output, net, trainer.games, strength(net, TESTED, seed, others)))


def _command(game: str, players: int, options: list[str]) -> str:
    """The command that trains a net, but for the file."""
    from fsm.outside import options_of

    return " ".join(["maumau train", *map(shlex.quote, [*options_of(game), "--players", str(players), *options])])


def _state(progress: Progress) -> str:
    share = "" if progress.share != progress.share else f", wins {progress.share:.0%} while it explores"
    return f"{progress.done:.0%}, {progress.games:,} games{share}; written"


def _result(file: str, net: Net, games: int, found: Strength) -> str:
    won = f"wins {found.share:.1%} of {found.games:,} games ({found.low:.1%} to {found.high:.1%})"
    fair = f"{1 / net.players:.1%} would be a fair share"
    return f"{file}: learned from {games:,} games\n{net.players} players, against {found.others}: {won}; {fair}"
