"""`maumau diagram`: the state diagram as a picture or a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from maumau.cli.bulk import notify
from maumau.cli.games import games_of, index_option, number_option, played_game
from maumau.cli.interrupt import BadInput
from maumau.cli.modes import given_options, modes, not_with, one_of, only_with
from maumau.cli.options import (
    LARGEST,
    Command,
    Format,
    Use,
    check_seats,
    checked_players,
    chosen_game,
    chosen_policies,
    game_option,
    policy_option,
    seed_option,
)
from maumau.cli.output import write_output

if TYPE_CHECKING:
    from fsm.declaration.arcs import Phase
    from fsm.declaration.chart import Chart
    from fsm.stepping.game import Game
    from fsm.stepping.transcript import Transcript
    from render.diagram import Overlay


HELP = """Draw the state diagram of a game.

\b
Examples:
  maumau diagram -o maumau.svg
  maumau diagram --format events
  maumau diagram --match -o match.svg
  maumau diagram -o maumau.scxml    a state chart for other interpreters
  maumau diagram --format xstate -o maumau.json
  maumau diagram --with nine-reverses --marked -o nine.svg
  maumau diagram --traffic 1000000 --players 4 -o traffic.svg
  maumau deal --players 3 --seed 7 | maumau diagram --path - --until 12 -o path.svg
"""
USES = (
    Use("--path IN --policy SEATS --seed SEED --number NUMBER --format dot", Format.DECKS, Format.PATHS),
    Use("--path IN --format dot", Format.RECORDS, Format.PATHS),
    Use("--traffic GAMES --players COUNT --policy SEATS --seed SEED --format dot", writes=Format.TRAFFIC),
)


@click.command(cls=Command, help=HELP, uses=USES)
@modes(
    one_of("--path", "--traffic"),
    only_with("--path", "--until", "--game-index", "--number", reason="which shows a game of a file"),
    only_with("--traffic", "--players", reason="which plays games"),
    only_with(("--path", "--traffic"), "--policy", "--seed", reason="which play games"),
    not_with("--match", "--path", "--traffic", "--marked", "--fold", reason="which draws no game"),
)
@click.option("--output", "-o", "file", default="-", metavar="FILE", help="Where to write; - is standard output.")
@click.option(
    "--format",
    "output_format",
    help="dot, svg, png, pdf; mermaid, markdown for a page with it and all tables; scxml, xstate; table for all "
    "tables, phases or events for one; by default by the ending of FILE.",
)
@click.option("--phase", help="Highlight this phase.")
@click.option("--path", metavar="FILE", help="Show the path of a game of FILE (as for replay): its arcs in order.")
@click.option("--until", type=click.IntRange(0), metavar="EVENT", help="Show the path up to this event.")
@index_option
@click.option("--marked", is_flag=True, help="Mark the arcs that house rules (--with) added, changed and removed.")
@click.option("--fold", is_flag=True, help="Fold the phases in which seats are asked one after another.")
@click.option(
    "--traffic",
    type=click.IntRange(1, LARGEST),
    metavar="GAMES",
    help="Show how often each arc is fired in this number of games.",
)
@click.option("--players", type=int, default=2, show_default=True, help="Players in each game of the traffic.")
@policy_option
@seed_option
@number_option
@click.option("--match", "is_match", is_flag=True, help="Draw the machine of matches of the game instead.")
@game_option
def diagram(
    file: str,
    output_format: str | None,
    phase: str | None,
    path: str | None,
    until: int | None,
    game_index: int,
    marked: bool,
    fold: bool,
    traffic: int | None,
    players: int,
    policy: str,
    seed: int,
    number: int,
    is_match: bool,
    game: str,
) -> None:
    """Run `maumau diagram`."""
    from fsm.match.setup import MATCH
    from render.diagram import FORMATS, PLAIN, render

    output_format = _format_of(file) if output_format is None else output_format
    if output_format not in FORMATS:
        raise BadInput(f"--format: {output_format!r}, expected one of {', '.join(FORMATS)}")
    _check_shown(output_format)
    kind, shown = chosen_game(game), PLAIN
    chart: Chart = kind.declaration
    if is_match:
        chart = replace(MATCH, title=f"A match of {chart.title}")
    active = _phase(chart, phase)
    if path is not None:
        played = played_game(games_of(game), path, game_index, policy, seed, number)
        kind, shown = played.kind, _path(played, until)
        chart = kind.declaration
        active = _phase(chart, phase) or shown.active
    elif traffic:
        shown = _traffic(kind, traffic, players, policy, seed)
    if marked:
        shown = _marked(kind, shown)
    write_output(file, render(chart, output_format, replace(shown, active=active, is_folded=fold)))


SHOWN = {"--traffic": "traffic", "--marked": "marks", "--fold": "folds"}
"""The options that add to a diagram what not every format shows."""


def _check_shown(output_format: str) -> None:
    """Raise BadInput for options that add what a format does not show."""
    from render.diagram import formats_with

    for option in SHOWN.keys() & given_options():
        if output_format not in (formats := formats_with(SHOWN[option])):
            raise BadInput(
                f"{option}: format {output_format} shows no {SHOWN[option]}, expected one of {', '.join(formats)}"
            )


def _phase(chart: Chart, name: str | None) -> Phase | None:
    """The phase called `name`, with hyphens or underscores. Raises BadInput."""
    if name is None:
        return None
    phases = list(chart.phases)
    for phase in phases:
        if str(phase) == name.lower().replace("_", "-"):
            return phase
    raise BadInput(f"--phase: {name!r}, expected one of {', '.join(map(str, phases))}")


def _path(played: Transcript, until: int | None) -> Overlay:
    """The path of a game, and the phase to which it leads. Raises BadInput."""
    from render.diagram import Overlay

    steps = played.steps[:until]
    if until is not None and until > len(played.steps):
        raise BadInput(f"--until: {until}, expected 0 to {len(played.steps)}: the game has no more events")
    active = steps[-1].dest if steps else played.kind.declaration.initial
    note = f"the path of a game of {played.players} players: {len(steps)} of its {len(played.steps)} events"
    return Overlay(active, path=[step.arc for step in steps], note=note)


def _traffic(kind: type[Game], games: int, players: int, policy: str, seed: int) -> Overlay:
    """The traffic of dealt games. Raises BadInput."""
    from maumau.kernels.bulk.traffic import traffic
    from render.diagram import Overlay, traffic_note

    policies = chosen_policies(policy)
    checked_players(kind, players)
    check_seats(kind, {players}, policies, compiled=False)
    try:
        fired = traffic(kind, players, games, seed, policies, notify)
    except ValueError as error:
        raise BadInput(f"--traffic: {error}") from None
    return Overlay(traffic=fired, note=traffic_note(games, kind.seated(players, policies), seed, sum(fired.values())))


def _marked(kind: type[Game], shown: Overlay) -> Overlay:
    """The overlay with the marks of the house rules. Raises BadInput."""
    from render.diagram import rules_note

    if not kind.rules:
        raise BadInput("--marked: expected house rules with it (--with)")
    note = " ".join([*filter(None, [shown.note]), rules_note(kind.rules, kind.rule_marks)])
    return replace(shown, marks=kind.rule_marks, note=note)


def _format_of(file: str) -> str:
    endings = {".md": "markdown", ".mmd": "mermaid", ".gv": "dot"}
    ending = Path(file).suffix.lower()
    return endings.get(ending, ending[1:]) or "dot"
