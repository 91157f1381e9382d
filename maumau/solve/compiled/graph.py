"""The positions in which a player chooses, with the moves from each to the next one (`explorer.graph`).

What is forced between two choices is passed over. An end is a negative number: -1 if nobody wins, -2 - n if seat n
does; in a game that declares returns, what the first seat gains less RETURNED.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.kernels.compiled.known import enter, number_in, slot_of
from maumau.kernels.compiled.rows import compress, expand, hashed, pack, unpack

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        FINAL,
        INITIAL,
        Array,
        Table,
        copy,
        game_deal_each,
        make,
        reset,
    )
    from maumau.solve.compiled.given import TURN_STARTS, act, decide, ended, offered, settle


PLACES = 5
DEALS, NEXT, KNOWN, MOVES, FAULT = range(PLACES)
"""Places of the numbers that are kept from call to call: how many deals are added, positions expanded and known, moves
found; and what is wrong.
"""
AT_ONCE = 1 << 16
"""Positions for which there is room in each call: a fraction of a second, for no call can be interrupted."""
STARTS = 128
"""Added to the seat that chooses where a turn starts."""
RETURNED = 1 << 21
"""Above the ends by winners and below those by returns, with as much room on both sides."""
MOST_GAINED = RETURNED >> 1
"""What a seat gains or loses at most."""
FAULTY, TOO_MUCH = 1, 2
"""What may be wrong: no rule says what happens, or a seat gains more than MOST_GAINED."""
NOWHERE = -(1 << 40)
"""In place of a position: the game is stuck, a fact is out of range, or a seat gains too much."""


def grow(
    decks: Array, players: int, each: int, roots: Array, keys: Array, slots: Array, movers: Array, layout: Array,
    row: Array, in_use: Array, first: Array, moves: Array, policies: int, chosen: Array, events: Array, told: Array,
    fixed: int, room: int, state: Array,
) -> None:  # fmt: skip
    """Add the positions of deals, and those to which the moves of known ones lead, until `room` positions are known.

    roots: the position of each deal. keys, slots: the known positions, packed by `layout`. movers: the seat that
    chooses, and whether a turn starts. first: where the moves of each position begin among `moves`, which say where
    they lead. chosen: for each policy the place among the moves of the one that it chooses. row, events, told: room to
    work in. in_use: bits are added to it. fixed: a mask of seats, which make the moves of the first
    policy alone, or the first moves if there is none.
    """
    table, after = make(), make()
    cards, last = decks.shape[1], state[NEXT] + AT_ONCE
    while state[DEALS] < len(decks) and state[KNOWN] < room:
        reset(table)
        game_deal_each(table, decks[state[DEALS]], players, each)
        phase = settle(table, INITIAL, told)
        roots[state[DEALS]] = entered(table, phase, keys, slots, movers, layout, row, in_use, state, cards)
        state[DEALS] += 1
    while state[NEXT] < state[KNOWN] < room and state[NEXT] < last and state[MOVES] < len(moves) - len(events):
        here = state[NEXT]
        state[NEXT] += 1
        expand(keys[here], layout, row)
        phase = unpack(table, row, players)
        count = offered(table, phase, events)
        if count == 0:
            state[FAULT] = FAULTY
        for policy in range(policies):
            copy(after, table)
            found = decide(after, phase, policy, events, count)
            chosen[here, policy] = found
            if found < 0:
                state[FAULT] = FAULTY
        begin, end = 0, count
        if fixed >> table.player & 1 == 1:
            if policies > 0:
                begin = chosen[here, 0]
            end = begin + 1
        for number in range(begin, end):
            copy(after, table)
            reached = act(after, phase, events[number, 0], events[number, 1], events[number, 2], told)
            reached = settle(after, reached, told)
            moves[state[MOVES]] = entered(after, reached, keys, slots, movers, layout, row, in_use, state, cards)
            state[MOVES] += 1
        first[state[NEXT]] = state[MOVES]


def entered(
    table: Table, phase: int, keys: Array, slots: Array, movers: Array, layout: Array, row: Array, in_use: Array,
    state: Array, cards: int,
) -> int:  # fmt: skip
    """The number of the position of a table, which is added if it is not known; or how the game has ended."""
    if phase == FINAL:
        end = int(ended(table))
        if end == NOWHERE:
            state[FAULT] = TOO_MUCH
        return end
    known = state[KNOWN]
    if phase < 0 or not pack(table, phase, row, cards):
        state[FAULT] = FAULTY
        return NOWHERE
    compress(row, layout, in_use, keys[known])
    mixed = hashed(keys[known])
    slot = slot_of(keys[known], mixed, keys, slots)
    if slots[slot] == 0:
        enter(slots, slot, mixed, known)
        movers[known, 0] = table.player + TURN_STARTS[phase] * STARTS
        state[KNOWN] = known + 1
    return number_in(slots, slot)
