"""`maumau play`: play at a table in the terminal, against computer players."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from maumau.cli.games import check_target, target_mode, target_option
from maumau.cli.interrupt import NO_WINNER, BadInput
from maumau.cli.modes import modes
from maumau.cli.options import (
    LARGEST,
    OTHER_PLAYERS,
    checked_players,
    chosen_game,
    chosen_policies,
    game_option,
    refusing_players,
)
from rules.notation import reason

if TYPE_CHECKING:
    from fsm.stepping.game import Game
    from maumau.play.table import Seat, Setup, Table

HELP = """Play at a table in the terminal, against computer players.

The screen shows the table, your hand, the log and the keys. With --plain, and where standard input or output is no
terminal, the table is shown line by line; a program can play through a pipe.

\b
Examples:
  maumau play
  maumau play --game uno-official --against house,bluffer --match
  maumau play --with sevens-draw-3 --players 4 --plain
"""
PLAYERS = 3
"""The number of players, if nothing is said about it and the game allows it."""


@click.command(help=HELP)
@modes(target_mode)
@game_option
@click.option(
    "--against",
    default="",
    metavar="NAME[,NAME...]",
    help=f"The computer players, one for all or one per seat: house, random, {OTHER_PLAYERS}.",
)
@click.option("--players", type=int, help="The number of players with you. [default: 3 where the game allows it]")
@click.option("--seat", type=click.IntRange(1), default=1, show_default=True, help="Your seat.")
@click.option("--seed", type=click.IntRange(0, LARGEST), help="The seed of the cards. [default: a fresh one]")
@click.option("--match", "is_match", is_flag=True, help="Play rounds until somebody has the target.")
@target_option
@click.option("--plain", is_flag=True, help="Line by line: for screen readers and programs.")
def play(
    against: str,
    players: int | None,
    seat: int,
    seed: int | None,
    is_match: bool,
    target: int | None,
    plain: bool,
    game: str,
) -> int:
    """Run `maumau play`."""
    from maumau.play.table import Table

    check_target(target)
    kind = chosen_game(game)
    goal = (kind.declaration.scoring.target if target is None else target) if is_match else None
    with refusing_players("--against"):
        table = Table(_setup(kind, chosen_policies(against, "--against"), players, seat, seed, goal))
        if plain or not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
            _play_plain(table, seat)
        else:
            _play_on_screen(table, seat)
    outcome = table.game.outcome
    return NO_WINNER if table.state == "over" and outcome is not None and outcome.winner is None else 0


def _setup(
    kind: type[Game], against: list[str], players: int | None, seat: int, seed: int | None, target: int | None
) -> Setup:
    """The table of the options. Raises BadInput."""
    from fsm.stepping.game import fresh_seed
    from maumau.play.table import Computer, Person, Setup

    codec = kind.declaration.codec
    usual = len(against) + 1 if len(against) > 1 else min(max(PLAYERS, codec.fewest), codec.most)
    count = checked_players(kind, usual if players is None else players)
    if seat > count:
        raise BadInput(f"--seat: {seat}, expected 1 to {count}")
    others = against or [kind.declaration.policies[0].name]
    if len(others) not in (1, count - 1):
        raise BadInput(f"--against: {len(others)} computer players, expected one or {count - 1}, one for each seat")
    seats = [Computer(name) for name in (others * (count - 1) if len(others) == 1 else others)]
    name = kind.declaration.name
    every: tuple[Seat, ...] = (*seats[: seat - 1], Person("you"), *seats[seat - 1 :])
    return Setup(game=name, seats=every, seed=fresh_seed() if seed is None else seed, target=target)


def _play_plain(table: Table, seat: int) -> None:
    """Play line by line. Raises BadInput if the input ends before the game, or never comes to a move."""
    from maumau.play.table.hints import background_search
    from maumau.play.terminal.plain import InputEnded, NoMoveError, PlainTable

    try:
        PlainTable(table, seat, _lines(), lambda line: print(line, flush=True), background_search).play()
    except InputEnded:
        raise BadInput("<stdin>: ended before the game was over, expected a move, or quit") from None
    except NoMoveError as error:
        raise BadInput(f"<stdin>: {error}") from None


def _lines() -> Iterator[str]:
    """The lines of standard input as they come. Raises BadInput if it cannot be read."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:  # it is closed
        return
    try:
        while line := stream.readline(LONGEST_LINE):
            yield line.decode("utf-8", "replace")
    except OSError as error:
        raise BadInput(f"<stdin>: {reason(error)}, expected a move, or quit") from None


LONGEST_LINE = 1000
"""Bytes of a line of the input; a longer one is read as several."""


def _play_on_screen(table: Table, seat: int) -> None:
    """Play on the screen. Raises BadInput without the library."""
    from fsm.edge.extras import missing_packages

    if message := missing_packages("playing on the screen", "play", "textual"):
        raise BadInput(f"{message}, or play with --plain")
    from maumau.play.table.hints import background_search
    from maumau.play.terminal.screen import TableScreen

    screen = TableScreen(table, seat, search=background_search)
    screen.run()
    if screen.failure is not None:
        raise screen.failure
