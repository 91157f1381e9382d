"""`maumau train`: a player that learns, and the file that keeps it."""

from __future__ import annotations

import math
import os
import time
from shlex import quote

from fsm.outside import options_of
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.agents.nets.net import Net
from maumau.agents.strength import Strength, strength
from maumau.agents.training import SELF, Trainer, rounds
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.commands.analysis import MINUTES
from maumau.cli.interrupt import BadInput
from maumau.cli.output import check_output, notify, print_message, write_output
from rules.notation import many

WRITTEN_EVERY = 30
"""Seconds between two versions of the file."""
TESTED = 10_000
"""Games of the estimate of the strength."""
THREADS = "OPENBLAS_NUM_THREADS"
"""The environment variable for the threads of matrix products: with one, the result does not depend on the cores."""


def run(
    players: int | None,
    games: int | None,
    minutes: float | None,
    others: str | None,
    searched: float,
    worlds: int,
    hidden: int,
    rewards: str | None,
    output: str,
    seed: int,
    game: str,
) -> None:
    """Run `maumau train`."""
    if minutes is not None and not 0 < minutes < math.inf:
        raise BadInput(f"--minutes: {minutes:g} is not above 0; use a number above 0")
    check_output(output)
    os.environ.setdefault(THREADS, "1")

    kind = game_class(game)
    players = checked_players(kind, players)
    limit = None if games else minutes or MINUTES
    options = ["--games", str(games)] if games else ["--minutes", f"{limit:g}"]
    options += ["--seed", str(seed), "--searched", f"{searched:g}", "--worlds", str(worlds), "--hidden", str(hidden)]
    options += ["--others", others] if others else []
    options += ["--rewards", rewards] if rewards else []
    command = " ".join(["maumau train", *map(quote, [*options_of(game), "--players", str(players), *options])])
    _check_others(kind, players, others)
    with refusing("maumau train"):
        trainer = Trainer(
            kind,
            players,
            seed=seed,
            others=others,
            searched=searched,
            worlds=worlds,
            hidden=hidden,
            rewards=rewards,
            command=command,
            notify=notify,
        )

    written = time.monotonic()
    for progress in rounds(trainer, games, limit):
        if time.monotonic() - written > WRITTEN_EVERY:
            written = time.monotonic()
            write_output(output, progress.net.to_bytes())
            share = "" if progress.share != progress.share else f", wins {progress.share:.0%} while it explores"
            print_message(f"{progress.done:.0%}, {progress.games:,} games{share}")
    net = trainer.net.rounded()
    write_output(output, net.to_bytes())
    print(_result(output, net, trainer.games, strength(net, TESTED, seed, others)))


def _check_others(kind: type[Game], players: int, others: str | None) -> None:
    """Load the other players, if a file has them. Raises BadInput for what they cannot be."""
    if others is not None and others != SELF:
        names = chosen_policies(others, "--others")
        if len(names) > 1:
            raise BadInput(f"--others: {others} names {len(names)} players; use one")
        with refusing("--others"):
            kind.declaration.seated(players, names)


def _result(file: str, net: Net, games: int, found: Strength) -> str:
    won = f"wins {found.share:.1%} of {found.games:,} games ({found.low:.1%} to {found.high:.1%})"
    is_shared = net.players > 1 and not net.game.shares_wins  # else nobody's fair share is known
    fair = f"; {1 / net.players:.1%} would be a fair share" if is_shared else ""
    against = f", against {found.others}" if net.players > 1 else ""
    return f"{file}: learned from {games:,} games\n{many(net.players, 'player')}{against}: {won}{fair}"
