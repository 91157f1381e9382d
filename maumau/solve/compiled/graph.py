"""The graph of positions: those in which a player chooses, with the moves from each to the next one.

Positions are rows in the order in which they were found, as in `maumau.kernels.compiled.rows`; what is forced
between two choices is passed over. An end is a negative number: -1 if nobody wins, -2 - n if seat n does; in a game
that declares returns, what the first seat gains less RETURNED.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.kernels.compiled.rows import equal, hashed, pack, unpack

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


PLACES = 6
DEALS, NEXT, KNOWN, HASHED, MOVES, FAULT = range(PLACES)
"""Places of the numbers that are kept from call to call: how many deals are added, positions expanded, known and in the
hash table, moves found; and 1 + the number of the first position at which the declaration is faulty.
"""
AT_ONCE = 1 << 16
"""Positions that are expanded in one call: a fraction of a second, for no call can be interrupted."""
STARTS = 128
"""Added to the seat that chooses where a turn starts."""
RETURNED = 1 << 21
"""Above the ends by winners and below those by returns, with as much room on both sides."""
NOWHERE = -(1 << 40)
"""In place of a position: the game is stuck, or a fact is out of range."""


def grow(
    decks: Array, players: int, each: int, roots: Array, keys: Array, slots: Array, movers: Array, first: Array,
    moves: Array, policies: int, chosen: Array, events: Array, told: Array, state: Array,
) -> None:  # fmt: skip
    """Add the positions of deals, and those to which the moves of known ones lead; as many as there is room for.

    roots: the position of each deal. movers: the seat that chooses, and whether a turn starts. first: where the moves
    of each position begin among `moves`, which say where they lead. chosen: a row for each policy with the place among
    the moves of the one that it chooses. events, told: room to work in.
    """
    if not hash_more(keys, slots, state):
        return
    table, after = make(), make()
    cards = decks.shape[1]
    last = state[NEXT] + AT_ONCE
    room = min(len(keys), len(slots) // 2) - len(events)
    while state[DEALS] < len(decks) and state[KNOWN] < room:
        reset(table)
        game_deal_each(table, decks[state[DEALS]], players, each)
        roots[state[DEALS]] = entered(table, settle(table, INITIAL, told), keys, slots, movers, state, cards)
        state[DEALS] += 1
    while state[NEXT] < state[KNOWN] < room and state[NEXT] < last and state[MOVES] < len(moves) - len(events):
        here = state[NEXT]
        state[NEXT] += 1
        phase = unpack(table, keys[here], players)
        count = offered(table, phase, events)
        if count == 0:
            fail(state, here)
        for policy in range(policies):
            copy(after, table)
            found = decide(after, phase, policy, events, count)
            chosen[policy, here] = found
            if found < 0:
                fail(state, here)
        for number in range(count):
            copy(after, table)
            reached = act(after, phase, events[number, 0], events[number, 1], events[number, 2], told)
            found = entered(after, settle(after, reached, told), keys, slots, movers, state, cards)
            if found == NOWHERE:
                fail(state, here)
            moves[state[MOVES]] = found
            state[MOVES] += 1
        first[state[NEXT]] = state[MOVES]


def fail(state: Array, here: int) -> None:
    """Note that something is wrong at a position, unless it was so before."""
    if state[FAULT] == 0:
        state[FAULT] = here + 1


def entered(table: Table, phase: int, keys: Array, slots: Array, movers: Array, state: Array, cards: int) -> int:
    """The number of the position of a table, which is added if it is not known; or how the game has ended."""
    if phase == FINAL:
        return int(ended(table))
    known = state[KNOWN]
    if phase < 0 or not pack(table, phase, keys[known], cards):
        return NOWHERE
    slot = hashed(keys[known]) & len(slots) - 1
    while slots[slot] != 0:
        if equal(keys[slots[slot] - 1], keys[known]):
            return int(slots[slot] - 1)
        slot = slot + 1 & len(slots) - 1
    slots[slot] = known + 1
    movers[known] = table.player + TURN_STARTS[phase] * STARTS
    state[KNOWN] = state[HASHED] = known + 1
    return int(known)


def hash_more(keys: Array, slots: Array, state: Array) -> bool:
    """Put positions that are known into the hash table, at most AT_ONCE; whether all of them are there."""
    known = state[KNOWN]
    last: int = min(known, state[HASHED] + AT_ONCE)
    for place in range(state[HASHED], last):
        slot = hashed(keys[place]) & len(slots) - 1
        while slots[slot] != 0:
            slot = slot + 1 & len(slots) - 1
        slots[slot] = place + 1
    state[HASHED] = last
    return bool(last == known)
