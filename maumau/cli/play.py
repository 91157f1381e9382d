"""`maumau play`: play at a table in the terminal, against computer players."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

from fsm.edge.extras import MissingExtra, require
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import checked_players, chosen_policies, chosen_target, refusing
from maumau.cli.interrupt import NO_WINNER, BadInput
from maumau.play.table import Table
from maumau.play.table.hints import background_search
from maumau.play.table.setup import lone_setup, usual_players
from maumau.play.terminal.plain import InputEnded, PlainTable
from rules.errors import raised_as
from rules.notation import many


def run(
    others: str,
    players: int | None,
    seat: int,
    seed: int | None,
    is_match: bool,
    target: int | None,
    plain: bool,
    game: str,
) -> int:
    """Run `maumau play`."""
    kind = game_class(game)
    goal = chosen_target(kind, is_match, target)
    with refusing("--others"):
        table = _table(kind, chosen_policies(others, "--others"), players, seat, seed, goal)
        if plain or not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
            _play_plain(table, seat)
        else:
            _play_on_screen(table, seat)
    outcome = table.game.outcome
    return NO_WINNER if table.state == "over" and outcome is not None and not outcome.winners else 0


def _table(
    kind: type[Game], named: list[str], players: int | None, seat: int, seed: int | None, target: int | None
) -> Table:
    """The table of the options. Raises BadInput."""
    usual = len(named) + 1 if len(named) > 1 else usual_players(kind)
    count = checked_players(kind, usual if players is None else players)
    if seat > count:
        raise BadInput(f"--seat: {seat} is out of range; use 1 to {count}")
    others = named or [kind.declaration.policies[0].name]
    if len(others) not in (1, count - 1):
        raise BadInput(
            f"--others: {many(len(others), 'computer player')} cannot fill the seats; name one, or {count - 1}"
        )
    seated = others * (count - 1) if len(others) == 1 else others
    return Table(lone_setup(kind.declaration.name, seated, seat, seed, target))


def _play_plain(table: Table, seat: int) -> None:
    """Play line by line. Raises BadInput if the input ends before the game, or never comes to a move."""
    in_words = sys.stdout is not None and sys.stdout.isatty()
    with raised_as(BadInput, "<stdin>: ", InputEnded):
        PlainTable(table, seat, _lines(), lambda line: print(line, flush=True), background_search, in_words).play()


def _lines() -> Iterator[str]:
    """The lines of standard input as they come. Raises BadInput if it cannot be read."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:  # it is closed
        return
    text = io.TextIOWrapper(stream, "utf-8-sig", "replace")
    try:
        with raised_as(BadInput, "<stdin>: ", OSError, "give moves, or quit"):
            while line := text.readline(LONGEST_LINE):
                yield line
    finally:
        text.detach()


LONGEST_LINE = 1000
"""Characters of a line of the input; a longer one is read as several."""


def _play_on_screen(table: Table, seat: int) -> None:
    """Play on the screen. Raises BadInput without the library."""
    try:
        require("playing on the screen", "textual")
    except MissingExtra as error:
        raise BadInput(f"{error}, or use --plain") from None
    from maumau.play.terminal.screen import TableScreen

    screen = TableScreen(table, seat, search=background_search)
    screen.run()
    if screen.failure is not None:
        raise screen.failure
