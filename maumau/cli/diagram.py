"""`maumau diagram`: the state diagram as a picture or a table."""

from __future__ import annotations

from dataclasses import replace

from fsm.match.setup import MATCH
from fsm.records.counterexamples import Shown
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import check_seats, checked_players, chosen_policies, refusing
from maumau.cli.games import contest_of, played_game
from maumau.cli.interrupt import BadInput
from maumau.cli.options import given_options
from maumau.cli.output import format_of, notify, refuse_terminal, write_output
from maumau.kernels.bulk.traffic import traffic as traffic_of
from render.diagram import FORMATS, MAX_SCALE, SCALED, SHOWN_BY, Overlay, render
from rules.errors import raised_as

ENDINGS = {".md": "markdown", ".mmd": "mermaid", ".gv": "dot"}
PHASES = "`maumau diagram --format phases`"
"""What lists the phases."""
UNKNOWN_PHASE = "--phase: unknown phase "  # before its name
BINARY = ("png", "pdf")
"""The formats that are not text."""


def run(
    file: str,
    output_format: str | None,
    phase: str | None,
    path: str | None,
    until: int | None,
    number: int,
    marked: bool,
    fold: bool,
    scale: int,
    traffic: int | None,
    players: int | None,
    policy: str,
    seed: int,
    is_match: bool,
    game: str,
) -> None:
    """Run `maumau diagram`."""
    if output_format is None:
        output_format = format_of(file, FORMATS, ENDINGS, "dot")
    if output_format not in FORMATS:
        raise BadInput(f"--format: unknown format {output_format!r}; use one of {', '.join(FORMATS)}")
    _check_shown(output_format)
    if scale > MAX_SCALE:
        raise BadInput(f"--scale: {scale} is out of range; use 1 to {MAX_SCALE}")
    if scale != 1 and output_format not in SCALED:
        raise BadInput(f"--scale: format {output_format} has no size; use {' or '.join(SCALED)}")
    if output_format in BINARY:
        refuse_terminal(file)
    kind, shown = game_class(game), Overlay()
    chart = replace(MATCH, title=f"A match of {kind.declaration.title}") if is_match else kind.declaration
    with raised_as(BadInput, UNKNOWN_PHASE):
        active = None if phase is None else chart.phase_named(phase, PHASES)
    if path is not None:
        played = played_game(contest_of(game), path, number, policy, seed)
        with refusing("--until"):
            shown = Overlay.of_path(played if isinstance(played, Shown) else played.rounds[0].game, until)
        kind, chart = played.kind, played.kind.declaration
        with raised_as(BadInput, UNKNOWN_PHASE):
            active = shown.active if phase is None else chart.phase_named(phase, PHASES)
    elif traffic:
        shown = _traffic(kind, traffic, players, policy, seed)
    if marked:
        shown = _marked(kind, shown)
    write_output(file, render(chart, output_format, replace(shown, active=active, is_folded=fold), scale))


SHOWN = {"--traffic": "traffic", "--marked": "marks", "--fold": "folds"}
"""The options that add to a diagram what not every format shows."""


def _check_shown(output_format: str) -> None:
    """Raise BadInput for options that add what a format does not show."""
    for option in SHOWN.keys() & given_options():
        if output_format not in (formats := SHOWN_BY[SHOWN[option]]):
            raise BadInput(
                f"{option}: format {output_format} shows no {SHOWN[option]}; use one of {', '.join(formats)}"
            )


def _traffic(kind: type[Game], games: int, players: int | None, policy: str, seed: int) -> Overlay:
    """The traffic of dealt games. Raises BadInput."""
    policies = chosen_policies(policy)
    players = checked_players(kind, players)
    check_seats(kind, {players}, policies, compiled=False)
    with refusing("--traffic"):
        fired = traffic_of(kind, players, games, seed, policies, notify)
    return Overlay.of_traffic(fired, games, kind.seated(players, policies), seed)


def _marked(kind: type[Game], shown: Overlay) -> Overlay:
    """The overlay with the marks of the house rules. Raises BadInput."""
    if not kind.rules:
        raise BadInput("--marked requires --with")
    return shown.with_marks(kind.rules, kind.rule_marks)
