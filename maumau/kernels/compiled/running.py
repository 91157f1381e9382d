"""The loop that steps a table from event to event, by the policies of its seats."""

from __future__ import annotations

from fsm.edge.numbers import Array
from maumau.kernels.compiled.given import Known, given
from maumau.kernels.compiled.in_place import in_place
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.loop import note
from maumau.kernels.compiled.turns import turn
from rules.table import card_taken, copy_taken


def run(
    table: Table, phase: int, stops: int, seats: Array, weight: int, fired: Array, used: Array, log: Array, logged: int
) -> tuple[int, int]:  # fmt: skip
    """Step a table from `phase` to the end, or to a stop: where a position may return, after `stops` such places.

    Return the phase there, or STUCK, and how many events are written down.
    """
    if given.LOGS:
        return steps_noted(table, phase, stops, seats, weight, fired, used, log, logged)
    reached = steps(table, phase, stops, seats, weight, fired, used, given.PHASES)
    return reached, logged


def run_match(match: Table, phase: int, stops: int, seats: Array, fired: Array, used: Array) -> int:
    """Step the table of a match up to a round, after so many, or to its end, and return the phase there."""
    return steps(match, phase, stops, seats, 1, fired, used, given.MATCH_PHASES)


def run_by_policies(table: Table, phase: int, stops: int, seats: Array) -> int:
    """Step a table by policies alone to the end or to a stop, and return the phase there, or STUCK."""
    return steps(table, phase, stops, seats, 0, seats, seats, given.PHASES_BY_POLICIES)


@in_place
def steps(
    table: Table, phase: int, stops: int, seats: Array, weight: int, fired: Array, used: Array, phases: Known
) -> int:  # fmt: skip
    """Step a table to the end or to a stop, and return the phase there, or STUCK."""
    while True:
        for number, is_end, may_stop, forced, policies, offers in phases:
            if phase == number:
                if is_end:
                    return phase
                if may_stop:
                    if stops == 0:
                        return phase
                    stops -= 1
                phase, _, _ = turn(table, forced, seats, policies, offers, weight, fired, used)
                break


@in_place
def steps_noted(
    table: Table, phase: int, stops: int, seats: Array, weight: int, fired: Array, used: Array, log: Array, logged: int
) -> tuple[int, int]:  # fmt: skip
    """Do the same, and write each event down: before the next one, as it shows which card was taken."""
    arc, player, head, rule = -1, 0, 0, 0
    held = given.new_integers(max(len(given.COPIES), 1))
    while True:
        if arc >= 0:
            taken = card_taken(table, player, head)
            if given.COPIES:
                gained = 0
                for index, name in given.COPIES:
                    gained |= getattr(table, name)[player] & ~held[index]
                taken = copy_taken(table, gained, head)
            logged = note(log, logged, arc, player, table, given.PLAYED[arc], taken, rule)
        player, head = table.player, table.head
        for index, name in given.COPIES:
            held[index] = getattr(table, name)[player]
        for number, is_end, may_stop, forced, policies, offers in given.PHASES:
            if phase == number:
                if is_end:
                    return phase, logged
                if may_stop:
                    if stops == 0:
                        return phase, logged
                    stops -= 1
                phase, arc, rule = turn(table, forced, seats, policies, offers, weight, fired, used)
                break
