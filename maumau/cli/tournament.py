"""`maumau tournament`: players against each other, and their ratings."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from maumau.cli.bulk import check_bulk, notify
from maumau.cli.modes import modes, one_of
from maumau.cli.options import (
    LARGEST,
    Command,
    Format,
    Use,
    checked_players,
    chosen_game,
    chosen_policies,
    game_option,
    policy_option,
    refusing_players,
    seed_option,
    threads_option,
)

if TYPE_CHECKING:
    from maumau.study.tournament import Rated, Tournament

HELP = """Let players play against each other, and rate them.

Every table of the players of --policy plays the same decks in all seatings. If there are fewer players than seats, each
table has all of them, some more than once. Ratings are on Elo's scale: who is 400 points better is ten times as strong,
and the mean is 0. The intervals are 95 % intervals.

\b
Examples:
  maumau tournament --policy house,random,first-legal --games 1000
  maumau tournament --players 3 --policy house,search:100 --games 200 --json
"""
COLUMNS = ("player", "games", "wins", "share", "from", "to", "rating", "rating from", "rating to")

USES = (Use("--players COUNT --games GAMES --seed SEED --policy NAMES --json", writes=Format.RATINGS),)


@click.command(cls=Command, help=HELP, uses=USES)
@modes(one_of("--json", "--csv"))
@click.option("--players", type=int, help="Players in a game (default: as few as can play).")
@click.option(
    "--games", type=click.IntRange(1, LARGEST), default=1000, show_default=True, help="Decks that each seating plays."
)
@seed_option
@policy_option
@threads_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@game_option
def tournament(
    players: int | None,
    games: int,
    seed: int,
    policy: str,
    threads: int | None,
    as_json: bool,
    as_csv: bool,
    game: str,
) -> None:
    """Run `maumau tournament`."""
    check_bulk()
    from maumau.study.tournament import play_tournament

    kind = chosen_game(game)
    players = checked_players(kind, players)
    with refusing_players():
        played = play_tournament(kind, players, chosen_policies(policy), games, seed, threads, notify)
    if as_json:
        print(json.dumps(_record(played)))
    elif as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([COLUMNS, *map(_row, played.rated)])
    else:
        print("\n".join(_listing(played)))


def _listing(played: Tournament) -> Iterator[str]:
    decks = f"{played.games:,} decks in {played.seatings} seatings of {played.players} players"
    yield f"{played.game}: {decks}, seed {played.seed}"
    if played.without_winner:
        yield f"{played.without_winner:,} games without a winner"
    width = max(len(rated.name) for rated in played.rated)
    yield f"\n{'player':{width}} {'games':>9} {'wins':>9}   {'share':22}   rating"
    for rated in played.rated:
        share = f"{rated.share.value:6.2%} [{rated.share.low:.2%}, {rated.share.high:.2%}]"
        rating = f"{rated.rating.value:+6.0f} [{rated.rating.low:+.0f}, {rated.rating.high:+.0f}]"
        yield f"{rated.name:{width}} {rated.games:9,} {rated.wins:9,}   {share:22}   {rating}"


def _row(rated: Rated) -> tuple[Any, ...]:
    return rated.name, rated.games, rated.wins, *rated.share, *rated.rating


def _record(played: Tournament) -> dict[str, Any]:
    """A tournament as one JSON object."""
    return asdict(played) | {"rated": [dict(zip(COLUMNS, _row(rated), strict=True)) for rated in played.rated]}
