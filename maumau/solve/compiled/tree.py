"""The tree of a game with hidden cards: which information sets there are, and how the game ends after which moves.

What a seat has seen is a hash over all that it was told, one event after another, so a position of the tree is reached
with the same hash exactly if the seat cannot tell it from another one. A sequence is a move in an information set;
with perfect recall the last one of a seat says all that the seat has done. A game that is over, or in which all cards
are known, is an end: a row with the last sequences of both seats, and the number of its position, or of its end, in the
graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.kernels.compiled.known import enter, number_in, slot_of
from maumau.kernels.compiled.rows import hashed, pack, unpack
from maumau.solve.compiled.graph import KNOWN, NOWHERE, entered

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        FINAL,
        INITIAL,
        Array,
        Row,
        Table,
        copy,
        game_deal_each,
        make,
        new_integers,
        reset,
    )
    from maumau.solve.compiled.given import FOLLOWS, TURN_STARTS, act, decide, look, offered, settle

PLACES = 11
DEALS, DEPTH, INFOS, ENDS, FIRST, SECOND, FAULT, CUT, NODES, AT, TRAILS = range(PLACES)
"""Places of the numbers that are kept from call to call: deals begun, positions on the stack, information sets known,
ends, sequences of the first and of the second seat, what is wrong, ends that are cut off, positions visited, the row of
the stack at which something is wrong, and moves that are noted.
"""
AT_ONCE = 1 << 16
"""Positions that are visited in one call: a fraction of a second, for no call can be interrupted."""
STUCK_HERE, RETURNS, FORGETS = 1, 2, 3
"""What may be wrong: no move is legal, play goes on and on, or two positions that look alike have other moves."""
LONGEST = 2000
"""Moves on one line of play after which a position must have returned."""
TOLD, TOLD_2, LAST, LAST_2, FRESH, WEIGHT, TURNS, MOVED, TRAIL = range(9)
"""Columns of the stack behind the row of a position: what both seats were told, their last sequences, cards of the
first draw pile that are left, how many orders of the deck the deal stands for, turns and moves since the deal, and the
number of the last move that is noted.
"""
COLUMNS = 9
SEAT, KNOWN_AS = range(2)
"""What an information set is known by: the seat, and the hash of what it was told."""
PARENT, BEGIN, COUNT, ALIKE, EARLIEST, LATEST, CHOICES = range(7)
"""Columns of an information set: the last sequence of the seat, its first one here, how many it has, a hash of the
moves, the moves that led to the first and to the last position that was found in it, and the place of the move that
each policy chooses.
"""
BITS = 20
"""Those of the weight of an end; its place stands above them."""
BY_ITSELF = 1 << 20
"""What the other seat is told of a move that passes by itself."""


def unfold(
    decks: Array, weights: Array, players: int, each: int, turns: int, informed: int, stack: Array, heard: Array,
    slots: Array, infos: Array, ends: Array, trail: Array, policies: int, fixed: int, events: Array, told: Array,
    state: Array, keys: Array, places: Array, movers: Array, layout: Array, whole: Array, in_use: Array, graph: Array,
) -> None:  # fmt: skip
    """Visit the tree from each deal, as far as there is room.

    turns: after how many turns a game is cut off; 0 for never. informed: the seat that is told the number of the deal;
    -1 for none. trail: for each move the one before it and its place among the moves; without room none is noted.
    heard, slots: what information sets are known by, and the hash table.
    told: room for what both seats are told. fixed, keys, places, movers, layout, whole, in_use, graph: as in
    `maumau.solve.compiled.graph`, of the positions in which all cards are known.
    """
    known = graph[KNOWN] + AT_ONCE
    table, after = make(), make()
    row, frame = new_integers(COLUMNS), new_integers(COLUMNS)
    cards = decks.shape[1]
    last, spare = state[NODES] + AT_ONCE, len(events)
    while state[NODES] < last and state[FAULT] == 0:
        if state[INFOS] >= len(infos) - 1 or state[ENDS] >= len(ends) - spare or graph[KNOWN] >= known - spare:
            return
        if state[DEPTH] >= len(stack) - spare or 0 < len(trail) <= state[TRAILS] + spare:
            return
        if state[DEPTH] > 0:
            state[NODES] += 1
            state[DEPTH] -= 1
            expand(
                table, after, row, frame, turns, players, stack, heard, slots, infos, ends, trail, policies, fixed,
                events, told, state, keys, places, movers, layout, whole, in_use, graph, cards,
            )  # fmt: skip
            continue
        if state[DEALS] == len(decks):
            return
        reset(table)
        game_deal_each(table, decks[state[DEALS]], players, each)
        told[0] = told[1] = 0
        if informed >= 0:
            mix(told, informed, 1 + state[DEALS])
        look(table, INITIAL, 0, told)
        look(table, INITIAL, 1, told)
        for column in range(COLUMNS):
            frame[column] = 0
        frame[FRESH] = table.bottom
        frame[WEIGHT] = weights[state[DEALS]]
        frame[TRAIL] = -1 - state[DEALS]
        state[DEALS] += 1
        phase = settle(table, INITIAL, told)
        reach(
            table, phase, told, frame, stack, ends, turns, state, keys, places, movers, layout, whole, in_use, graph,
            cards,
        )  # fmt: skip


def expand(
    table: Table, after: Table, row: Row, frame: Row, turns: int, players: int, stack: Array, heard: Array,
    slots: Array, infos: Array, ends: Array, trail: Array, policies: int, fixed: int, events: Array, told: Array,
    state: Array, keys: Array, places: Array, movers: Array, layout: Array, whole: Array, in_use: Array, graph: Array,
    cards: int,
) -> None:  # fmt: skip
    """Visit the position above the top of the stack: make each move."""
    here, width = state[DEPTH], len(whole)
    phase = unpack(table, stack[here], players)
    for column in range(COLUMNS):
        row[column] = stack[here, width + column]
    count, begin = offered(table, phase, events), -1
    first, last = 0, count
    if count > 1:
        begin = informed(table, after, phase, row, heard, slots, infos, policies, events, count, state)
    if count == 0:
        state[FAULT] = STUCK_HERE
    if row[MOVED] > LONGEST:
        state[FAULT] = RETURNS
    if state[FAULT] != 0:
        state[AT] = here
        return
    if fixed >> table.player & 1 == 1:
        if count > 1 and policies > 0:
            copy(after, table)
            first = max(decide(after, phase, 0, events, count), 0)
        last = first + 1
    for number in range(first, last):
        for column in range(COLUMNS):
            frame[column] = row[column]
        if count > 1:
            frame[LAST + table.player] = begin + number
        frame[MOVED] += 1
        if len(trail) > 0:
            trail[state[TRAILS], 0], trail[state[TRAILS], 1] = row[TRAIL], number
            frame[TRAIL] = state[TRAILS]
            state[TRAILS] += 1
        told[0], told[1] = row[TOLD], row[TOLD_2]
        if passes_by_itself(phase, events, count):
            mix(told, 1 - table.player, BY_ITSELF)
        copy(after, table)
        reached = act(after, phase, events[number, 0], events[number, 1], events[number, 2], told)
        reached = settle(after, reached, told)
        reach(
            after, reached, told, frame, stack, ends, turns, state, keys, places, movers, layout, whole, in_use, graph,
            cards,
        )  # fmt: skip


def reach(
    table: Table, phase: int, told: Array, frame: Row, stack: Array, ends: Array, turns: int, state: Array,
    keys: Array, places: Array, movers: Array, layout: Array, whole: Array, in_use: Array, graph: Array, cards: int,
) -> None:  # fmt: skip
    """Put a position on the stack, or among the ends."""
    frame[FRESH] = max(frame[FRESH] - table.head, 0)
    frame[TURNS] += table.turns
    is_known = phase == FINAL or (FOLLOWS and frame[FRESH] == 0)
    here, width = state[DEPTH], len(whole)
    if is_known or 0 < turns <= frame[TURNS]:
        place = -1
        if is_known:
            place = entered(table, phase, keys, places, movers, layout, whole, in_use, graph, cards)
        else:
            state[CUT] += 1
        ends[state[ENDS], 0] = frame[LAST] << 32 | frame[LAST_2]
        ends[state[ENDS], 1] = place << BITS | frame[WEIGHT]
        state[ENDS] += 1
        if place != NOWHERE:
            return
    if is_known or phase < 0 or not pack(table, phase, stack[here], cards):
        state[FAULT] = STUCK_HERE
        return
    for column in range(COLUMNS):
        stack[here, width + column] = frame[column]
    stack[here, width + TOLD] = told[0]
    stack[here, width + TOLD_2] = told[1]
    state[DEPTH] += 1


def informed(
    table: Table, after: Table, phase: int, row: Row, heard: Array, slots: Array, infos: Array, policies: int,
    events: Array, count: int, state: Array,
) -> int:  # fmt: skip
    """The first sequence of the information set in which the seat is, which is added if it is not known."""
    seat = table.player
    told, alike = row[TOLD + seat], count
    for number in range(count):
        for column in range(3):
            alike = mixed(alike, events[number, column])
    info = state[INFOS]
    heard[info, SEAT], heard[info, KNOWN_AS] = seat, told
    key = hashed(heard[info])
    slot = slot_of(heard[info], key, heard, slots)
    known = slots[slot] != 0
    if known:
        info = number_in(slots, slot)
    else:
        enter(slots, slot, key, info)
        infos[info, PARENT] = row[LAST + seat]
        infos[info, BEGIN] = state[FIRST + seat]
        infos[info, COUNT] = count
        infos[info, ALIKE] = alike
        infos[info, EARLIEST] = row[TRAIL]
        state[FIRST + seat] += count
        state[INFOS] += 1
    if infos[info, PARENT] != row[LAST + seat] or infos[info, ALIKE] != alike:
        state[FAULT] = FORGETS
    infos[info, LATEST] = row[TRAIL]
    for policy in range(policies):
        copy(after, table)
        choice = decide(after, phase, policy, events, count)
        if not known:
            infos[info, CHOICES + policy] = choice
        elif infos[info, CHOICES + policy] != choice:
            infos[info, CHOICES + policy] = -2
    return int(infos[info, BEGIN])


def passes_by_itself(phase: int, events: Array, count: int) -> bool:
    """Whether nothing is chosen and nothing named within a turn: a drawn card that does not fit passes."""
    return count == 1 and TURN_STARTS[phase] == 0 and events[0, 1] < 0 and events[0, 2] < 0


def mix(told: Array, seat: int, word: int) -> None:
    """Add a number to what a seat was told."""
    told[seat] = mixed(told[seat], word)


def mixed(one: int, other: int) -> int:
    """A hash of two numbers."""
    found = (one ^ other) * 0x1E3779B97F4A7C15
    found ^= found >> 29
    found *= 0x3F58476D1CE4E5B9
    return int(found ^ found >> 32)
