"""Why a game is played in lanes or not, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiler.processor import why_no_lanes
from maumau.kernels.lanes.firing import check_schedule, schedule_of
from maumau.kernels.lanes.graph import UntraceableError
from maumau.kernels.lanes.intervals import width_of
from maumau.kernels.lanes.module import check_seats
from maumau.kernels.lanes.passes import given_deal, outcome_of
from maumau.kernels.lanes.ranges import PASSES, ranges_of
from maumau.kernels.lanes.request import MIXED


def explained(game: Declaration, policies: tuple[Policy, ...]) -> Iterator[str]:
    """Which kernel plays a game, for every number of players: the ranges of the facts, or what stands in the way."""
    if reason := why_no_lanes():
        yield f"the scalar kernel plays: {reason}"
    for policy in policies:
        for players in range(game.codec.fewest, game.codec.most + 1):
            head = f"{players} players, policy {policy.name}"
            try:
                facts = list(_facts(game, players, policy))
            except UntraceableError as error:
                yield f"{head}: the scalar kernel, {error}"
            else:
                yield f"{head}: in lanes"
                yield from (f"    {line}" for line in facts)
    if len(policies) > 1:
        yield f"seats with different policies: the scalar kernel, {MIXED}"


def _facts(game: Declaration, players: int, policy: Policy) -> Iterator[str]:
    """The facts of a running game with their ranges. Raises UntraceableError."""
    check_seats(players)
    schedule = schedule_of(game)
    check_schedule(game, schedule)
    ranges, traced = ranges_of(game, players, policy, schedule, given_deal(game, players, policy))
    outcome = outcome_of(game, players, ranges.facts)
    for name in traced.needed(outcome.facts_read):
        low, high = ranges.facts[name]
        limit = f"; compared with a limit after every {PASSES} passes" if name in ranges.limited else ""
        yield f"{name}: {low} to {high}, {width_of((low, high))} bits{limit}"
    for name, (low, high) in ranges.rows.items():
        yield f"{name}: {low} to {high}, in memory"
    for what in dict.fromkeys(what for _, what in traced.graph.violations):
        yield f"a game leaves the lanes if {what}"
