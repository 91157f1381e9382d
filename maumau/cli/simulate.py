"""`maumau simulate`: play the games of an input, or replay records, and print the results."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from maumau.cli.games import (
    PLAYING,
    Contest,
    contest_of,
    match_option,
    number_option,
    played_games,
    replayed_games,
    target_mode,
    target_option,
)
from maumau.cli.interrupt import NO_WINNER
from maumau.cli.modes import modes, not_with, one_of
from maumau.cli.options import Command, Format, Use, game_option, policy_option, seed_option
from maumau.cli.output import read_source

if TYPE_CHECKING:
    from fsm.match.played import Played

ENGINES = {
    "machine": "the stepped machine",
    "compiled": "compiled: the scalar kernel, as the output needs every event, which lanes do not keep",
}


HELP = """Play the games of FILE in the problem's format, or of standard input, and print the problem's output.

\b
Examples:
  maumau simulate games.txt
  maumau simulate --trace - < games.txt
  maumau simulate --events --game uno games.txt
  maumau simulate --json games.txt | maumau simulate --from-json -
  maumau deal --match --players 3 --seed 7 | maumau simulate --match
"""
PLAYED = "--policy SEATS --engine ENGINE --seed SEED --number NUMBER"
OUTPUTS = {
    "": (Format.RESULTS, Format.MATCH_RESULTS),
    "--events": (Format.EVENTS, Format.MATCH_EVENTS),
    "--trace": (Format.TRACES, Format.MATCH_TRACES),
    "--json": (Format.RECORDS, Format.MATCH_RECORDS),
}
"""What the options of the output print of games and of matches."""
USES = tuple(
    use
    for output, (of_game, of_match) in OUTPUTS.items()
    for use in (
        Use(f"{output} {PLAYED} IN", Format.DECKS, of_game),
        Use(f"{output} --from-json IN", Format.RECORDS, of_game),
        Use(f"{output} --match --target TARGET {PLAYED} IN", Format.MATCH_DECKS, of_match),
        Use(f"{output} --match --from-json IN", Format.MATCH_RECORDS, of_match),
    )
)


@click.command(cls=Command, help=HELP, uses=USES)
@modes(
    one_of("--trace", "--events", "--json"),
    target_mode,
    not_with("--from-json", *PLAYING, reason="which reads records of games that have been played"),
)
@click.argument("file", default="-", metavar="[FILE|-]")
@game_option
@click.option("--engine", type=click.Choice(list(ENGINES)), default="machine", show_default=True, help="The engine.")
@click.option("-v", "--verbose", is_flag=True, help="Print on standard error which engine plays.")
@click.option("--trace", is_flag=True, help="Print each game turn by turn, with the reasons.")
@click.option("--events", is_flag=True, help="Print the events of each game on a line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON record per line, for each game.")
@click.option("--from-json", is_flag=True, help="Read records instead, and check them against the rules.")
@policy_option
@seed_option
@number_option
@match_option
@target_option
def simulate(
    file: str,
    game: str,
    engine: str,
    verbose: bool,
    trace: bool,
    events: bool,
    as_json: bool,
    from_json: bool,
    policy: str,
    seed: int,
    number: int,
    is_match: bool,
    target: int | None,
) -> int:
    """Run `maumau simulate`."""
    output = "--trace" if trace else "--events" if events else "--json" if as_json else ""
    contest = contest_of(game, is_match, target)
    data, source = read_source(file)
    if verbose:
        click.echo(f"maumau: engine: {ENGINES['machine' if from_json else engine]}", err=True)
    if from_json:
        games: Iterable[Played] = replayed_games(contest, data, source)
    else:
        games = played_games(contest, data, source, engine, policy, seed, number)
    everybody_won = True
    for index, played in enumerate(games, 1):
        print(_text(contest, played, index, output))
        everybody_won &= played.outcome.winner is not None
    return 0 if everybody_won else NO_WINNER


def _text(contest: Contest, played: Played, number: int, output: str) -> str:
    if output == "--json":
        return json.dumps(contest.record(played))
    if output == "--trace":
        from render.text.trace import trace

        return "\n\n".join(trace(played, f"{contest.one.capitalize()} {number}: {played.players} players")) + "\n"
    from render.text.output import events, result

    return events(played) if output == "--events" else result(played)
