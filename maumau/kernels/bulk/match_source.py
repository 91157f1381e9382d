"""The kernel that plays matches: generated from the declaration of a game and the chart of matches."""

from __future__ import annotations

from textwrap import indent
from typing import Any, cast

from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import functions
from fsm.match.chart import INITIAL, MATCH, MATCH_OVER, ROUND
from fsm.match.setup import DECKS, points_of
from maumau.kernels.compiler.choosing import moves_functions
from maumau.kernels.compiler.decks import dealt
from maumau.kernels.compiler.loop import ROOM, filled, measured_source, note_source, parts_of
from maumau.kernels.compiler.machine_code import no_decks, no_log, numbers
from maumau.kernels.compiler.naming import Source, mention, module_source
from maumau.kernels.compiler.phases import run_source
from maumau.kernels.compiler.plan import Plan
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import blank_rows
from maumau.kernels.compiler.returns import (
    functions_source,
    no_positions,
    parameters_source,
    room_source,
    stepping_source,
)
from rules.ending import Ending
from rules.match import MatchTable
from rules.rule import RuleFunction

AHEAD = 8
"""Rounds of a match whose random words are drawn at a time."""
TRAIL_STEP = 31
"""The trail of a match mixes those of its rounds: it is multiplied by this before each is added."""


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
    """The source of the kernel's module: `run` steps a table, `run_match` that of the match, around it the loop."""
    parts = [
        *moves_functions(plan),
        run_source(plan),
        *functions_source(plan),
        run_source(_match_plan(), "run_match", waits=(ROUND,)),
        note_source(plan.game).rstrip() * plan.log,
        _loop(plan),
    ]
    policies = ", ".join(policy.name for policy in plan.policies)
    title = f"Matches of {plan.game.title} compiled for players {policies}: generated from its declaration."
    called = (*functions(plan.game), points_of(plan.game), *_match_functions())
    return module_source(title, parts, called)


def _match_plan() -> Plan:
    """The plan for the chart of matches: all its events are forced, so only phases, arcs and who acts are read."""
    return Plan(cast(Declaration, MATCH), ())


def _match_functions() -> tuple[RuleFunction, ...]:
    return tuple(function for arc in MATCH.arcs for function in (*arc.when, *arc.unless, *arc.then))


def _loop(plan: Plan) -> str:
    """The loop over matches, and in each over its rounds."""
    game = plan.game
    size = game.deck_size
    dealing = indent(dealt(game, "match.rounds", "number", AHEAD), "    ")
    given = f"deck = row_at(decks.ctypes.data + (first_deck + match.rounds) * {size})"
    deck = f"if len(decks) == 0:\n{dealing}\nelse:\n    {given}"
    start = f"phase = {plan.phases.index(game.initial)}\nreset(table)\n"
    start += "table.dealer = match.dealer\n" * game.knows_dealer
    start += f"{mention(game.deal)}(table, deck, players)\ntable.seed, table.number = seed, number"
    of_match = list(MATCH.phases)
    text = LOOP.replace("$START", indent(start, " " * 12).lstrip()).replace("$DECK", indent(deck, " " * 12).lstrip())
    text = text.replace("$STEPPING", indent(stepping_source(plan, start), "    ")).replace("$ROOM", ROOM)
    text = text.replace("$WATCHED", room_source(plan)).replace("$KEEP", KEEP if plan.log else "")
    text = text.replace("$MEASURED", measured_source("kept", 16))
    text = text.replace("$SUM", SUM if plan.log else "")
    parts = {
        "MOST": DECKS,
        "POSITIONS": parameters_source(plan),
        "POINTS": mention(points_of(game)),
        "LEFT": mention(game.score),
        "LOWEST_WINS": int(game.scoring.lowest_wins),
        "UNWON_SCORES": int(game.scoring.unwon_scores),
        "TRAIL_STEP": TRAIL_STEP,
        "BEGIN": of_match.index(INITIAL),
        "ROUND": of_match.index(ROUND),
        "MATCH_OVER": of_match.index(MATCH_OVER),
        "RUNNING": int(Ending.RUNNING),
    }
    return filled(text, parts_of(plan) | parts).rstrip()


# The names of variables are others than those in the statements of maumau.kernels.compiler.returns, which may stand
# inside.
LOOP = '''def play_matches(
    decks, deck_ends, seed, first, players, seats, target, results, totals, rounds, fired, used,
    log, log_ends, tables, round_results, round_scores, round_totals$POSITIONS
):
    """Play match after match: with the decks given, those of a match up to its end in `deck_ends`, or, where there are
    none, with those of `seed`, from match `first` on.
    """
    table = make()
    match = make_match()
$ROOM$WATCHED    logged = kept_rounds = next_deck = 0
    for game in range(len(results)):
        reset(match)
        match.players, match.target, match.decks = players, target, $MOST
        match.lowest_wins, match.unwon_scores = $LOWEST_WINS, $UNWON_SCORES
        first_deck = next_deck
        if len(decks) > 0:
            next_deck = deck_ends[game]
            match.decks = next_deck - first_deck
        phase = $FINAL
        turns = laid = taken = reshuffles = trail = 0
        match_phase = run_match(match, $BEGIN, 0, seats, 1, fired, used, log, logged)
        while match_phase == $ROUND:
            number = (first + game) * $MOST + match.rounds
            $DECK
            weight, stops = 1, $LIMIT
            $START
$STEPPING
            if phase != $FINAL:
                break
            turns += table.turns
            laid += $LAID(table)
            taken += $TAKEN(table)
            reshuffles += table.reshuffles
            trail = trail * $TRAIL_STEP + table.trail & 0xFFFFFFFF
$KEEP            kept_rounds += 1
            match.round_winner = table.winner
            for seat in range(players):
                match.points[seat] = $POINTS(table, seat)
            match_phase = run_match(match, match_phase, 1, seats, 1, fired, used, log, logged)
$SUM        result = results[game]
        result.ending = match.ending if match_phase == $MATCH_OVER else -1 if phase == $STUCK else $RUNNING
        result.winner = match.winner
        result.turns = turns
        result.laid = laid
        result.taken = taken
        result.reshuffles = reshuffles
        result.trail = trail
        rounds[game] = match.rounds
        for seat in range(players):
            totals[game, seat] = match.totals[seat]
'''

SUM = """\
            if kept_rounds <= len(log_ends):
                for seat in range(players):
                    round_totals[kept_rounds - 1, seat] = match.totals[seat]
"""

KEEP = """\
            if kept_rounds < len(log_ends):
                log_ends[kept_rounds] = logged
                save(table, tables.ctypes.data + kept_rounds * tables.itemsize)
                kept = round_results[kept_rounds]
                kept.ending = table.ending
$MEASURED                for seat in range(players):
                    round_scores[kept_rounds, seat] = $LEFT(table, seat)
"""
