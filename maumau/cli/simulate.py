"""`maumau simulate`: play the games of an input, or replay records, and print the results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from maumau.cli.games import Contest, contest_of, played_games, replayed_games
from maumau.cli.interrupt import NO_WINNER
from maumau.cli.output import print_message, read_source
from render.text.output import events as events_of
from render.text.output import result
from render.text.output import trace as trace_of
from rules.notation import many

if TYPE_CHECKING:
    from fsm.match.played import Played

ENGINES = {
    "machine": "the stepped machine",
    "compiled": "compiled: the scalar kernel, as the output needs every event, which lanes do not keep",
}


def run(
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
        print_message(f"engine: {ENGINES['machine' if from_json else engine]}")
    if from_json:
        games: Iterable[Played] = replayed_games(contest, data, source, contest.replayed)
    else:
        games = played_games(contest, data, source, engine, policy, seed, number)
    everybody_won = True
    for index, played in enumerate(games, 1):
        print(_text(contest, played, index, output))
        everybody_won &= bool(played.outcome.winners)
    return 0 if everybody_won else NO_WINNER


def _text(contest: Contest, played: Played, number: int, output: str) -> str:
    if output == "--json":
        import json

        return json.dumps(contest.record(played))
    if output == "--trace":
        title = f"{contest.one.capitalize()} {number}: {many(played.players, 'player')}"
        return "\n\n".join(trace_of(played, title)) + "\n"
    return events_of(played) if output == "--events" else result(played)
