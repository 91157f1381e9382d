"""The kernel that plays matches: generated from the declaration of a game and the chart of matches."""

from __future__ import annotations

from typing import Any, cast

from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import functions
from fsm.match.chart import MATCH, ROUND
from fsm.match.setup import points_of
from maumau.kernels.compiled.matches import play_matches
from maumau.kernels.compiler.machine_code import no_decks, no_log, numbers
from maumau.kernels.compiler.naming import Source, module_source
from maumau.kernels.compiler.phases import run_source
from maumau.kernels.compiler.plan import Plan
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import blank_rows
from maumau.kernels.compiler.returns import no_positions
from maumau.kernels.compiler.source import compiled_for, constants_of, constants_source, functions_of
from rules.match import MatchTable
from rules.rule import RuleFunction


def playing_matches(plan: Plan) -> Program:
    """A plan's kernel: `play_matches` with the arguments of `no_matches`."""
    makers = (("make_match", MatchTable),)
    return Program("play_matches", source_of, plan, no_matches, plan.game, makers, large=True)


def no_matches(plan: Plan) -> tuple[Any, ...]:
    """Warm-up arguments of a kernel."""
    counts = numbers(len(plan.game.counters)), numbers(len(plan.rules))
    given = no_decks(), numbers(0), 0, 0, 2, numbers(2), 1
    return (*given, *blank_matches(0, 2), *counts, *no_rounds(plan.game), *no_positions(plan))


def blank_matches(matches: int, players: int) -> tuple[Any, Any, Any]:
    """Room for the results, the totals and the numbers of rounds of matches."""
    import numpy as np

    return *blank_rows(matches, players), np.zeros(matches, np.int32)


def no_rounds(game: Declaration) -> tuple[Any, ...]:
    """Empty arrays for the log of rounds: the events, where they end, the tables, results and scores of the rounds, and
    the totals after each.
    """
    return (*no_log(game), *blank_rows(0, 2), blank_matches(0, 2)[1])


def source_of(plan: Plan) -> Source:
    """The source of the kernel's module: `run` steps a table, `run_match` that of the match."""
    game = plan.game
    constants = constants_of(plan) | {
        "LOWEST_WINS": game.scoring.lowest_wins,
        "UNWON_SCORES": game.scoring.unwon_scores,
        "game_points": points_of(game),
    }
    parts = [
        constants_source(constants),
        *functions_of(plan),
        run_source(_match_plan(), "run_match", waits=(ROUND,)),
    ]
    policies = ", ".join(policy.name for policy in plan.policies)
    title = f"Matches of {game.title} compiled for players {policies}: generated from its declaration."
    called = (*functions(game), points_of(game), *_match_functions())
    return module_source(title, parts, called, compiled_for(plan, play_matches))


def _match_plan() -> Plan:
    """The plan for the chart of matches: all its events are forced, so only phases, arcs and who acts are read."""
    return Plan(cast(Declaration, MATCH), ())


def _match_functions() -> tuple[RuleFunction, ...]:
    return tuple(function for arc in MATCH.arcs for function in (*arc.when, *arc.unless, *arc.then))
