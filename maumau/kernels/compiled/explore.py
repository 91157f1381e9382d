"""Every position that can be reached from given deals is visited.

At each one every conceivable event is tried, each card in hand with each value, and the guards of all its arcs are
evaluated; invariants and postconditions are checked before and after. Positions are stored as rows in the order in
which they were found, which is also the queue of those to visit, with a hash table of their numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fsm.check.packing import PER_WORD
from fsm.check.properties import CAN_CONTINUE, IN_RANGE, NO_ARC, ONE_ARC, ONE_FORCED

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        DESTS,
        FINAL,
        INITIAL,
        RETURNS,
        Array,
        Row,
        Table,
        copy,
        done,
        enabled,
        fire,
        game_deal_each,
        hold,
        in_range,
        make,
        name_value,
        pack_heads,
        pack_lists,
        propose,
        reset,
        unpack_heads,
        unpack_lists,
    )


FORCED, PLAIN, OFFERED, REFUSED = range(4)
"""The kind of an event before the guards of its arcs are evaluated: forced, or a choice without a card, one that is
offered, or one with a card that is not."""
PLACES = 6
DEALS, NEXT, KNOWN, HASHED, EVENTS, TRIED = range(PLACES)
"""Places of the numbers that are preserved from call to call: how many deals are added, positions visited, known and in
the hash table, events fired and tried."""
AT_ONCE = 1 << 17
"""Positions that are visited, or put into a larger hash table, in one call: a fraction of a second, for no call can be
interrupted."""


def explore(
    decks: Array, players: int, each: int, keys: Array, slots: Array, parents: Array, moves: Array, events: Array,
    state: Array, fired: Array, faults: Array,
) -> None:  # fmt: skip
    """Visit positions, first those of the deals; at most AT_ONCE, and as many as there is room for.

    each: cards that each player is dealt. keys, parents, moves: of each position its row, from which one it was found,
    or -1 - n for deal n, and by which event. slots: the hash table: 1 + the number of a position, or 0. events: room
    for those of one position. state: the numbers at PLACES. fired: how often each arc was. faults: of each property how
    often it failed, and where first: the position and the event, or -1.
    """
    if not hash_more(keys, slots, state):
        return
    table, after, before = make(), make(), make()
    cards = decks.shape[1]
    last = state[NEXT] + AT_ONCE
    room = min(len(keys), len(slots) // 2) - len(events)
    while state[DEALS] < len(decks) and state[KNOWN] < room:
        reset(table)
        game_deal_each(table, decks[state[DEALS]], players, each)
        if pack(table, INITIAL, keys[state[KNOWN]], cards):
            add(keys, slots, parents, moves, state, -1 - state[DEALS], -1)
        state[DEALS] += 1
    while state[NEXT] < state[KNOWN] < room and state[NEXT] < last:
        here = state[NEXT]
        state[NEXT] += 1
        phase = unpack(table, keys[here], players)
        if not hold(table, phase, faults, here) or phase == FINAL:
            continue
        for again in range(1 + RETURNS[phase]):
            unpack(table, keys[here], players)
            table.returned = again
            try_events(
                table, after, before, cards, phase, here, again,
                keys, slots, parents, moves, events, state, fired, faults,
            )  # fmt: skip
    state[HASHED] = state[KNOWN]


def try_events(
    table: Table, after: Table, before: Table, cards: int, phase: int, here: int, again: int,
    keys: Array, slots: Array, parents: Array, moves: Array, events: Array, state: Array, fired: Array, faults: Array,
) -> None:  # fmt: skip
    """Try every event at the position of `table`, number `here`, and add those to which they lead.

    after, before: tables to work with. cards: those of the deck. again: 1 if the position is taken for one that was
    there before, else 0.
    """
    count = propose(table, phase, events)
    copy(before, table)
    legal = forced = 0
    for number in range(count):
        pair, card, value, kind = events[number, 0], events[number, 1], events[number, 2], events[number, 3]
        table.card = card if card >= 0 else before.open_card
        name_value(table, before, pair, card, value)
        move = pair | card + 1 << 16 | value + 1 << 32 | again << 48
        arcs, place = enabled(table, pair)
        state[TRIED] += 1
        if not is_legal(kind, arcs, forced):
            if arcs != 0:
                note_fault(faults, NO_ARC, here, move)
            continue
        legal += 1
        forced += kind == FORCED
        if arcs != 1:
            note_fault(faults, ONE_ARC, here, move)
            continue
        copy(after, table)
        arc = fire(after, pair, place)
        fired[arc] += 1
        state[EVENTS] += 1
        if not done(table, after, arc, faults, here, move):
            continue
        if pack(after, DESTS[arc], keys[state[KNOWN]], cards):
            add(keys, slots, parents, moves, state, here, move)
        else:
            note_fault(faults, IN_RANGE, here, move)
    if forced > 1:
        note_fault(faults, ONE_FORCED, here, -1)
    if legal == 0 and again == 0:
        note_fault(faults, CAN_CONTINUE, here, -1)


def is_legal(kind: int, arcs: int, forced: int) -> bool:
    """Whether an event is legal of which so many arcs are enabled, where so many others are forced."""
    if forced > 0 and kind != FORCED:
        return False
    if kind in (FORCED, PLAIN):
        return arcs != 0
    return kind == OFFERED


def note_fault(faults: Array, number: int, here: int, move: int) -> None:
    """Count a fault; the position and the event of the first one are kept."""
    if faults[number, 0] == 0:
        faults[number, 1] = here
        faults[number, 2] = move
    faults[number, 0] += 1


# ---------------------------------------------------------------- known positions


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


def add(keys: Array, slots: Array, parents: Array, moves: Array, state: Array, parent: int, move: int) -> None:
    """Add the position that lies in the first row that is free, unless it is known already."""
    known = state[KNOWN]
    slot = hashed(keys[known]) & len(slots) - 1
    while slots[slot] != 0:
        if same_row(keys, slots[slot] - 1, known):
            return
        slot = slot + 1 & len(slots) - 1
    slots[slot] = known + 1
    parents[known] = parent
    moves[known] = move
    state[KNOWN] = known + 1


def hashed(row: Array) -> int:
    """A hash of a position."""
    mixed = 0
    for word in row:
        mixed = (mixed ^ word) * 0x1E3779B97F4A7C15
        mixed ^= mixed >> 29
    return mixed


def same_row(keys: Array, one: int, other: int) -> bool:
    """Whether two rows are equal."""
    for word in range(keys.shape[1]):
        if keys[one, word] != keys[other, word]:
            return False
    return True


# ---------------------------------------------------------------- events that are proposed


def write(events: Array, count: int, pair: int, card: int, value: int, kind: int) -> int:
    """Write one event down after `count` others; how many there are now. card, value: -1 for none."""
    events[count, 0] = pair
    events[count, 1] = card
    events[count, 2] = value
    events[count, 3] = kind
    return count + 1


def write_values(events: Array, count: int, pair: int, card: int, values: int) -> int:
    """Write an event down with each value that is offered; how many there are now."""
    while values != 0:
        count = write(events, count, pair, card, (values & -values).bit_length() - 1, OFFERED)
        values &= values - 1
    return count


def write_cards(
    table: Table, events: Array, count: int, pair: int, offered: int, values: Callable[[Table], int]
) -> int:
    """Write an event down with each card in hand or offered, and with the values that are offered with it; how many
    there are now. A card that is not offered is refused, whatever guards say.
    """
    open_card = table.card
    held = table.hands[table.player] | offered
    while held != 0:
        table.card = (held & -held).bit_length() - 1
        held &= held - 1
        if offered >> table.card & 1 == 0:
            count = write(events, count, pair, table.card, -1, REFUSED)
            continue
        named = values(table)
        if named == 0:
            count = write(events, count, pair, table.card, -1, OFFERED)
        count = write_values(events, count, pair, table.card, named)
    table.card = open_card
    return count


def no_values(table: Table) -> int:
    """Nothing is named with a card."""
    return 0


# ---------------------------------------------------------------- positions in rows: equal rows are equal positions

SMALL = 0x7F
"""The bits of a small number or of a card."""


def pack(table: Table, phase: int, row: Array, cards: int) -> bool:
    """Write a position into `row`; whether all facts are in range, and no more than `cards` lie in the piles."""
    size = table.tail - table.head
    if not (in_range(table) and 0 <= table.stock <= size <= cards):
        return False
    pack_heads(table, phase, size, row)
    at = pack_lists(table, row)
    for word in range(at, len(row)):
        row[word] = 0
    for place in range(size):
        card = table.ring[table.head + place & len(table.ring) - 1]
        row[at + place // PER_WORD] |= card << 8 * (place % PER_WORD)
    return True


def unpack(table: Table, row: Array, players: int) -> int:
    """Set a table to the position of `row`; its phase. Counters start anew, the open card lies there to be played."""
    phase: int = row[0] & SMALL
    reset(table)
    table.players = players
    size = unpack_heads(table, row)
    at = unpack_lists(table, row)
    for place in range(size):
        table.ring[place] = row[at + place // PER_WORD] >> 8 * (place % PER_WORD) & SMALL
    table.tail, table.bottom = size, table.stock
    table.open_card = table.card = table.ring[size - 1] if size > table.stock else -1
    return phase


def put(row: Array, at: int, values: Row, players: int) -> int:
    """Write the numbers of all seats into `row`, from word `at` on; the word after them."""
    for seat in range(players):
        row[at + seat] = values[seat]
    return at + players


def get(row: Array, at: int, values: Row, players: int) -> int:
    """Read the numbers of all seats from where `put` wrote them; the word after them."""
    for seat in range(players):
        values[seat] = row[at + seat]
    return at + players
