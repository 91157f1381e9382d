"""`maumau train`: a player that learns, and the file that keeps it."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is imported

import time
from pathlib import Path
from shlex import quote

from fsm.outside import options_of
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.agents.curve import TrainingCurve
from maumau.agents.nets.net import Net
from maumau.agents.strength import strength
from maumau.agents.training import SELF, Trainer, TrainingSettings
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.commands.analysis import MINUTES
from maumau.cli.interrupt import BadInput
from maumau.cli.output import check_output, notify, print_message, put_file, write_output

WRITTEN_EVERY = 30
"""Seconds between two versions of the file, and two points of the curve."""
TESTED = 10_000
"""Games of the estimate of the strength."""


def run(
    players: int | None,
    games: int | None,
    minutes: float | None,
    others: str | None,
    searched: float,
    worlds: int,
    hidden: int | None,
    rewards: str | None,
    start: str | None,
    curve: str | None,
    output: str,
    seed: int,
    game: str,
) -> None:
    """Run `maumau train`."""
    for file in (output, *([] if curve is None else [curve])):
        check_output(file)
    if curve is not None and Path(curve).resolve() == Path(output).resolve():
        raise BadInput(f"--curve and --output: both name {output}; use two files")

    kind = game_class(game)
    with refusing("--from"):
        net = None if start is None else Net.load(start, kind)
    players = checked_players(kind, net.players if players is None and net else players)
    limit = None if games else minutes or MINUTES
    options = ["--games", str(games)] if games else ["--minutes", f"{limit:g}"]
    options += ["--seed", str(seed), "--searched", f"{searched:g}", "--worlds", str(worlds)]
    named = {"--hidden": hidden, "--others": others, "--rewards": rewards, "--from": start}
    options += [text for name, value in named.items() if value is not None for text in (name, str(value))]
    command = " ".join(["maumau train", *map(quote, [*options_of(game), "--players", str(players), *options])])
    _check_others(kind, players, others)
    with refusing("maumau train" if net is None else "--from"):
        settings = TrainingSettings(searched, worlds, hidden, rewards)
        trainer = Trainer(
            kind, players, seed=seed, others=others, settings=settings, start=net, command=command, notify=notify
        )
    trained, written, last = TrainingCurve(seed, others), time.monotonic(), None
    try:
        for last in trainer.rounds(games, limit):
            trained.note(last)
            if time.monotonic() - written > WRITTEN_EVERY:
                put_file(output, last.net.to_bytes())
                print_message(str(trained.measure(last)))
                if curve is not None:
                    put_file(curve, trained.csv().encode())
                written = time.monotonic()
    except KeyboardInterrupt:
        if trainer.games:
            write_output(output, trainer.net.to_bytes())
        raise
    found = strength(trainer.net.rounded(), TESTED, seed, others)
    if last:
        trained.add(last, found, done=1.0)
    write_output(output, trainer.net.to_bytes())
    if curve is not None:
        write_output(curve, trained.csv())
    print(f"{output}: {found.of_net(trainer.net)}")


def _check_others(kind: type[Game], players: int, others: str | None) -> None:
    """Load the other players, if a file has them. Raises BadInput for what they cannot be."""
    if others is not None and others != SELF:
        names = chosen_policies(others, "--others")
        if len(names) > 1:
            raise BadInput(f"--others: {others} names {len(names)} players; use one")
        with refusing("--others"):
            kind.declaration.seated(players, names)
