"""Source of a program that plays games side by side to their ends, up to each decision of seats that choose outside.

It shares the functions that step a game with the program of batches, and counts arcs and decision rules as the kernel
of `maumau.kernels.compiler` does.
"""

from __future__ import annotations

from typing import Any

from fsm.declaration.functions import functions
from maumau.agents.batch_source import BatchPlan, arrays, deal_source, functions_of, parts_of
from maumau.kernels.compiler.loop import filled, measured_source
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, mention, module_source
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import blank_rows
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken

LIMIT = 2000
"""Events that players choose in one game before it is left to be stepped: players may go round in circles for ever."""
UNNUMBERED = -1
"""In place of how many games are open: a legal move has no number."""


def finishing(plan: BatchPlan) -> Program:
    """`finish`, with the arguments of `no_games`. The plan must count arcs and decision rules."""
    return Program("finish", source_of, plan, no_games, plan.game, large=True)


def source_of(plan: BatchPlan) -> Source:
    """The source of the module whose `finish` plays games to their ends."""
    names = ", ".join(policy.name for policy in plan.policies) or "no other policies"
    title = f"{plan.game.title} for {plan.players} players side by side to the end, with {names}: generated from it."
    parts = [*functions_of(plan), deal_source(plan), _finish_source(plan)]
    return module_source(title, parts, functions(plan.game))


def _finish_source(plan: BatchPlan) -> str:
    parts = parts_of(plan) | {
        "RUNNING": int(Ending.RUNNING),
        "UNNUMBERED": UNNUMBERED,
        "LAID": mention(cards_laid),
        "TAKEN": mention(cards_taken),
        "SCORE": mention(plan.game.score),
    }
    return filled(FINISH.replace("$MEASURED", measured_source("result", 16)), parts).rstrip()


FINISH = '''def finish(
    tables, phases, notes, discarded, actions, positions, marks, places, counts, observations, masks, acting,
    open_slots, fired_here, used_here, results, scores, fired, used, seats, seed, first, started, opened, limit, most,
):
    """Step each open game by an action to its next decision; a game that has ended is followed by the next one.

    open_slots: the slots of the open games, `opened` of them, whose actions, observations and masks are in the same
    order. started: how many games were started before. Returns how many games are open. A game of more than `limit`
    choices or `most` events is left running, and not counted; one in which no arc is enabled has the ending -1.
    """
    table = make()
    deck = new_bytes($CARDS)
    words = new_integers($WORDS)
$OTHER    left = 0
    for place in range(opened):
        slot = open_slots[place]
        saved = tables.ctypes.data + slot * $TABLE
        noted = integers_at(notes.ctypes.data + slot * $NOTES)
        lying = row_at(discarded.ctypes.data + slot * $KINDS)
        arcs, rules = fired_here[slot], used_here[slot]
$ROWS        action, phase = actions[place], phases[slot]
        dealing, closed = action < 0, False
        if not dealing:
            load(table, saved)
        while True:
            if dealing:
                if started[0] == len(results):
                    closed = True
                    break
                deal_game(table, deck, words, seed, first + started[0], noted, lying)
                started[0] += 1
$FORGET                phase, action = $INITIAL, -1
                for arc in range(len(arcs)):
                    arcs[arc] = 0
                for rule in range(len(rules)):
                    rules[rule] = 0
            phase = run(table, phase, seats, limit, action, noted, lying, arcs, rules, 1$KEPT)
            if phase != $FINAL and phase != $STUCK and noted[$CHOSEN] < limit:
                break
            result = results[table.number - first]
            events = 0
            for arc in range(len(arcs)):
                events += arcs[arc]
            if phase == $STUCK:
                result.ending = -1
            elif phase == $FINAL and events <= most:
                result.ending = table.ending
$MEASURED                for seat in range($PLAYERS):
                    scores[table.number - first, seat] = $SCORE(table, seat)
                for arc in range(len(arcs)):
                    fired[arc] += arcs[arc]
                for rule in range(len(rules)):
                    used[rule] += rules[rule]
            else:
                result.ending = $RUNNING
            dealing = True
        if closed:
            continue
        open_slots[left] = slot
        observe(table, phase, table.player, noted, lying, row_at(observations.ctypes.data + left * $WIDTH))
        if not write_mask(table, phase, row_at(masks.ctypes.data + left * $ACTIONS)):
            return $UNNUMBERED
        acting[left] = table.player
        phases[slot] = phase
        save(table, saved)
        left += 1
    return left
'''


def no_games(plan: BatchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `finish`: no games."""
    counts = numbers(len(plan.game.counters)), numbers(len(plan.rules))
    where = numbers(plan.players), 0, 0, numbers(1), 0, 1, 1
    return (*rows_of(plan, slots=0), *blank_rows(0, plan.players), *counts, *where)


def rows_of(plan: BatchPlan, slots: int) -> tuple[Any, ...]:
    """The arrays of `finish` with a row for each slot, in the order of its parameters."""
    import numpy as np

    kept = arrays(plan, slots, LIMIT if plan.game.return_ends else 0)
    counted = numbers((slots, len(plan.game.counters))), numbers((slots, len(plan.rules)))
    return (
        *(kept.tables, kept.phases, kept.notes, kept.discarded, kept.actions),
        *(kept.positions, kept.marks, kept.places, kept.counts),
        *(kept.observations, kept.masks, kept.acting, np.arange(slots), *counted),
    )
