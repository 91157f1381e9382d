"""How a game goes on from event to event: transitions fire, and policies choose.

`maumau.kernels.compiler.phases` makes the tuples that are known when these functions are compiled. A decision tree is
(NONE, phase) where no transition is enabled, (FIRE, (number, phase, effects, counters)), or (ASK, guard, the tree where
it holds, the tree where it does not).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsm.declaration.facts import NO_VALUE
from fsm.edge.numbers import Array
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.in_place import in_place
from rules.chance import below

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Known
    from maumau.kernels.compiled.interface import Table

Counts = Any
"""An array of counts; None where nothing is counted."""
NONE, FIRE, ASK = range(3)
NOT_FORCED = -2
"""In place of a phase or a transition: nothing is forced, a player chooses, or the game is over."""
NO_RULE = -1
"""In a log: no decision rule, the event was forced."""


# ---------------------------------------------------------------- transitions


@in_place
def first_enabled(table: Table, tree: Known) -> int:
    """Return the number of the first enabled transition of a decision tree, or what it says where there is none."""
    if tree[0] in (NONE, FIRE):
        found: int = tree[1] if tree[0] == NONE else tree[1][0]
        return found
    if tree[1](table):
        return first_enabled(table, tree[2])
    return first_enabled(table, tree[3])


@in_place
def fire_first(table: Table, tree: Known, weight: int, fired: Counts) -> tuple[int, int]:
    """Fire the first enabled transition of a decision tree, and return the phase to which it leads and its number.

    weight: added to its counter in `fired`, if it is counted.
    """
    if tree[0] == NONE:
        return tree[1], -1
    if tree[0] == FIRE:
        number, phase, effects, counters = tree[1]
        count(table, counters, weight, fired)
        for effect in effects:
            effect(table)
        return phase, number
    if tree[1](table):
        return fire_first(table, tree[2], weight, fired)
    return fire_first(table, tree[3], weight, fired)


@in_place
def count(table: Table, counters: Known, weight: int, fired: Counts) -> None:
    """Add to the first counter of a transition that applies; to the last one, if none before it does."""
    for number, conditions, is_last in counters:
        if is_last or all(guard(table) for guard in conditions):
            fired[number] += weight
            break


# ---------------------------------------------------------------- legal moves


def is_enabled(table: Table, arcs: Known) -> bool:
    """Return whether one of some transitions is enabled. arcs: what must hold and what must not, for each."""
    return any(all(ask(table) for ask in when) and not any(ask(table) for ask in unless) for when, unless in arcs)


def count_moves(table: Table, offers: Known) -> int:
    """Return how many moves are legal."""
    card, moves = table.card, 0
    for _, cards, values, _, arcs, _ in offers:
        if cards:
            left = cards(table)
            while left != 0:
                table.card = (left & -left).bit_length() - 1
                left &= left - 1
                moves += max(values(table).bit_count(), 1) if values else 1
            table.card = card
        elif values:
            moves += values(table).bit_count()
        elif is_enabled(table, arcs):
            moves += 1
    return moves


def pick_move(table: Table, offers: Known, chosen: int) -> int:
    """Put the legal move of an index on the table, and return the place of its offer, or STUCK."""
    card = table.card
    for index, cards, values, field, arcs, _ in offers:
        place: int = index
        if cards:
            left = cards(table)
            while left != 0:
                table.card = (left & -left).bit_length() - 1
                left &= left - 1
                named = values(table) if values else 0
                moves = max(named.bit_count(), 1)
                if chosen < moves:
                    setattr(table, field, value_at(named, chosen) if values else NO_VALUE)
                    return place
                chosen -= moves
            table.card = card
        elif values:
            named = values(table)
            moves = named.bit_count()
            if chosen < moves:
                setattr(table, field, value_at(named, chosen))
                return place
            chosen -= moves
        elif is_enabled(table, arcs):
            if chosen < 1:
                return place
            chosen -= 1
    return STUCK


def value_at(values: int, index: int) -> int:
    """Return the code at an index among those of a mask, -1 for none."""
    for _ in range(index):
        values &= values - 1
    return (values & -values).bit_length() - 1


def rolled(table: Table, moves: int) -> int:
    """Return the index of a move by the dice of the game."""
    if moves <= 1:
        return 0
    chosen = below(moves, table.seed, table.number, table.rolls)
    table.rolls += 1
    return chosen


# ---------------------------------------------------------------- how players choose


@in_place
def choose(table: Table, policy: int, policies: Known, weight: int, used: Counts) -> tuple[int, int]:
    """Let a policy put a move on the table, and return the place of its offer, or STUCK, and the decision rule.

    policies: for each its number, whether it is the last one, and how it chooses.
    """
    for number, is_last, how in policies:
        if policy == number or is_last:
            return choose_by(table, how, weight, used)
    return STUCK, -1


@in_place
def choose_by(table: Table, how: Known, weight: int, used: Counts) -> tuple[int, int]:
    """Put a move on the table, and return the place of its offer, or STUCK, and the decision rule.

    how: the decision rules; or, where there are none, the offers among whose moves dice choose, or the first is taken,
    those of them with which cards are laid, which come before the others, and the number of the rule, and the one by
    which it is counted, or -1.
    """
    choices, offers, rolls, laying, rule, counted = how
    if choices:
        return decide(table, choices, weight, used)
    if laying:
        moves = count_moves(table, laying)
        chosen = rolled(table, moves if moves > 0 else count_moves(table, offers))
        event = pick_move(table, laying, chosen) if moves > 0 else pick_move(table, offers, chosen)
    else:
        event = pick_move(table, offers, rolled(table, count_moves(table, offers)) if rolls else 0)
    if counted >= 0 and event != STUCK:
        used[counted] += weight
    return event, rule


@in_place
def decide(table: Table, choices: Known, weight: int, used: Counts) -> tuple[int, int]:
    """Put the move of the first decision rule that applies on the table, and return the place of its offer, or STUCK,
    and the rule.
    """
    for conditions, event, card, field, value, rule, counted in choices:
        if all(guard(table) for guard in conditions):
            if card:
                table.card = card(table)
            if field:
                setattr(table, field, value(table) if value else NO_VALUE)
            if counted >= 0:
                used[counted] += weight
            return event, rule
    return STUCK, -1


# ---------------------------------------------------------------- turns


@in_place
def turn(
    table: Table, forced: Known, seats: Array, policies: Known, offers: Known, weight: int, fired: Counts, used: Counts
) -> tuple[int, int, int]:
    """Fire what is forced or chosen, and return the phase to which it leads, the transition and the decision rule."""
    following, number = fire_forced(table, forced, weight, fired)
    if following != NOT_FORCED:
        return following, number, NO_RULE
    event, rule = choose(table, seats[table.player], policies, weight, used)
    if event == STUCK:
        return STUCK, -1, rule
    for index, is_last, tree in offers:
        if event == index or is_last:
            phase, arc = fire_first(table, tree, weight, fired)
            return phase, arc, rule
    return STUCK, -1, rule


@in_place
def fire_forced(table: Table, tree: Known, weight: int, fired: Counts) -> tuple[int, int]:
    """Fire what is forced, and return the phase to which it leads, or NOT_FORCED, and its number, or -1."""
    if tree:
        return fire_first(table, tree, weight, fired)
    return NOT_FORCED, -1


@in_place
def fire_event(table: Table, event: int, offers: Known) -> int:
    """Fire the transition of the offer at a place, and return the phase to which it leads, or STUCK.

    offers: for each its place, whether it is the last one, and its tree.
    """
    for index, is_last, tree in offers:
        if event == index or is_last:
            phase, _ = fire_first(table, tree, 0, None)
            return phase
    return STUCK
