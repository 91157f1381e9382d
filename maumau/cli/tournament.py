"""`maumau tournament`: players against each other, and their ratings."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fsm.registry import game_class
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.output import notify
from maumau.study.tournament import RatedPlayer, Tournament, play_tournament
from rules.notation import many

COLUMNS = ("player", "games", "wins", "share", "from", "to", "rating", "rating from", "rating to")
OF_RETURNS = ("returns", "returns from", "returns to")
"""More columns, of a game that declares returns."""
OF_PLACES = ("place", "place from", "place to")
"""More columns, of a game that ends with places."""


def run(
    players: int | None,
    games: int,
    seed: int,
    policy: str,
    threads: int | None,
    output_format: str | None,
    as_json: bool,
    game: str,
) -> None:
    """Run `maumau tournament`."""
    kind = game_class(game)
    players = checked_players(kind, players)
    with refusing():
        played = play_tournament(kind, players, chosen_policies(policy), games, seed, threads, notify)
    if as_json or output_format == "json":
        rated = [dict(zip(_columns(played), _row(each), strict=True)) for each in played.rated]
        print(json.dumps(asdict(played) | {"rated": rated}))
    elif output_format == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows([_columns(played), *map(_row, played.rated)])
    else:
        print("\n".join(_listing(played)))


def _listing(played: Tournament) -> Iterator[str]:
    decks = f"{played.games:,} decks in {played.seatings} seatings of {many(played.players, 'player')}"
    yield f"{played.game}: {decks}, seed {played.seed}"
    if played.without_winner:
        yield f"{played.without_winner:,} games without a winner"
    width = max(len(rated.name) for rated in played.rated)
    returns = f"   {'returns':24}" if played.rated[0].returns else ""
    place = f"   {'place':18}" if played.rated[0].place else ""
    yield f"\n{'player':{width}} {'games':>9} {'wins':>9}   {'share':22}{returns}{place}   rating"
    for rated in played.rated:
        share = f"{rated.share.value:6.2%} [{rated.share.low:.2%}, {rated.share.high:.2%}]"
        rating = f"{rated.rating.value:+6.0f} [{rated.rating.low:+.0f}, {rated.rating.high:+.0f}]"
        if rated.returns:
            value, low, high = rated.returns
            share = f"{share:22}   {f'{value:+.3f} [{low:+.3f}, {high:+.3f}]':24}"
        if rated.place:
            value, low, high = rated.place
            share = f"{share:22}   {f'{value:.2f} [{low:.2f}, {high:.2f}]':18}"
        yield f"{rated.name:{width}} {rated.games:9,} {rated.wins:9,}   {share:22}   {rating}"


def _columns(played: Tournament) -> tuple[str, ...]:
    best = played.rated[0]
    return (*COLUMNS, *(OF_RETURNS if best.returns else ()), *(OF_PLACES if best.place else ()))


def _row(rated: RatedPlayer) -> tuple[Any, ...]:
    return (
        rated.name,
        rated.games,
        rated.wins,
        *rated.share,
        *rated.rating,
        *(rated.returns or ()),
        *(rated.place or ()),
    )
