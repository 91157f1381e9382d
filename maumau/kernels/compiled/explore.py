"""The positions to which the events of known positions lead.

At each position every conceivable event is tried, each card in hand with each value, and the guards of all its arcs are
evaluated; invariants and postconditions are checked before and after.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fsm.check.properties import CAN_CONTINUE, IN_RANGE, NO_ARC, ONE_ARC, ONE_FORCED
from maumau.kernels.compiled.rows import compress, expand, pack, unpack

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        DESTS,
        FINAL,
        INITIAL,
        RETURNS,
        Array,
        Table,
        conditions,
        copy,
        done,
        enabled,
        fire,
        game_deal_each,
        hold,
        make,
        name_value,
        propose,
        reset,
    )


FORCED, PLAIN, OFFERED, REFUSED = range(4)
"""The kind of an event before the guards of its arcs are evaluated: forced, or a choice without a card, one that is
offered, or one with a card that is not."""
PLACES = 3
STAGED, EVENTS, TRIED = range(PLACES)
"""Places of the numbers that are counted: positions that are staged, events fired and tried."""
NOTES = 2
PARENT, MOVE = range(NOTES)
"""What is noted of a position: the number of the one from which it was found, or -1 - n for deal n, and the event."""
CARD, VALUE, AGAIN = 16, 23, 30
"""The bits of a move from which on its parts lie: first the number of the phase and event, then 1 + the card and
1 + the value, which are 0 for none, and whether the position is taken for one that was there before."""


def explore(
    decks: Array, dealt: int, keys: Array, first: int, players: int, each: int, layout: Array,
    staged: Array, notes: Array, events: Array, row: Array, refused: Array,
    in_use: Array, state: Array, fired: Array, faults: Array,
) -> None:  # fmt: skip
    """Stage the positions of deals, unless they are invalid, and those to which the events of positions lead.

    dealt, first: the numbers of the first deal and of the first position. each: cards that each player is dealt.
    keys, layout: packed rows, and how they are. staged, notes: of each position that is staged its packed row, and
    its PARENT and MOVE. events: room for those of one position.
    row: room for a row. refused: like faults, of invalid deals. in_use: bits are added to it.
    state: the numbers at PLACES. fired: how often each arc was. faults: of each property how often it failed, and where
    first: the position and the event, or -1.
    """
    table, after, before = make(), make(), make()
    cards = decks.shape[1]
    for deal in range(len(decks)):
        reset(table)
        game_deal_each(table, decks[deal], players, each)
        if hold(table, INITIAL, refused, -1):
            stage(table, INITIAL, cards, -1 - dealt - deal, -1, layout, staged, notes, row, in_use, state)
    for place in range(len(keys)):
        expand(keys[place], layout, row)
        phase = unpack(before, row, players)
        if not hold(before, phase, faults, first + place) or phase == FINAL:
            continue
        for again in range(1 + RETURNS[phase]):
            before.returned = again
            copy(table, before)
            try_events(
                table, after, before, cards, phase, first + place, again, layout,
                staged, notes, events, row, in_use, state, fired, faults,
            )  # fmt: skip


def try_events(
    table: Table, after: Table, before: Table, cards: int, phase: int, here: int, again: int, layout: Array,
    staged: Array, notes: Array, events: Array, row: Array, in_use: Array, state: Array, fired: Array, faults: Array,
) -> None:  # fmt: skip
    """Try every event at the position of `table`, number `here`, and stage those to which they lead.

    after: a table to work with. before: one like `table`. cards: those of the deck. again: 1 if the position is taken
    for one that was there before, else 0.
    """
    legal = forced = 0
    for number in range(propose(table, phase, events)):
        pair, card, value, kind = events[number, 0], events[number, 1], events[number, 2], events[number, 3]
        table.card = card if card >= 0 else before.open_card
        name_value(table, before, pair, card, value)
        move = pair | card + 1 << CARD | value + 1 << VALUE | again << AGAIN
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
        if not stage(after, DESTS[arc], cards, here, move, layout, staged, notes, row, in_use, state):
            note_fault(faults, IN_RANGE, here, move)
    if forced > 1:
        note_fault(faults, ONE_FORCED, here, -1)
    if legal == 0 and again == 0:
        note_fault(faults, CAN_CONTINUE, here, -1)


def stage(
    table: Table, phase: int, cards: int, parent: int, move: int, layout: Array, staged: Array, notes: Array,
    row: Array, in_use: Array, state: Array,
) -> bool:  # fmt: skip
    """Stage a position; whether all facts are in range."""
    if not pack(table, phase, row, cards):
        return False
    place = state[STAGED]
    compress(row, layout, in_use, staged[place])
    notes[place, PARENT] = parent
    notes[place, MOVE] = move
    state[STAGED] = place + 1
    return True


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


# ---------------------------------------------------------------- what holds over time, in the graph of all positions

# Positions are passed through backwards, as most events lead to positions that were found later. The ways of position n
# lead to `targets` from place `first[n]` to before place `first[n + 1]`.


def judge(keys: Array, layout: Array, row: Array, players: int, part: int, judged: Array) -> None:
    """Judge positions by a part of the responses. keys, layout: packed rows, and how they are. row: room for a row."""
    table = make()
    for place in range(len(keys)):
        expand(keys[place], layout, row)
        judged[place] = conditions(table, unpack(table, row, players), part)


def leave_out(first: Array, targets: Array, left: Array) -> int:
    """Leave out positions that have ways, of which none leads to one that is left; how many."""
    gone = 0
    for back in range(len(left)):
        place = len(left) - 1 - back
        if left[place] != 0 and first[place] < first[place + 1] and not leads(first, targets, left, place):
            left[place] = 0
            gone += 1
    return gone


def take_in(first: Array, targets: Array, allowed: Array, left: Array) -> int:
    """Take in positions that are allowed and from which a way leads to one that is left; how many."""
    taken = 0
    for back in range(len(left)):
        place = len(left) - 1 - back
        if left[place] == 0 and allowed[place] != 0 and leads(first, targets, left, place):
            left[place] = 1
            taken += 1
    return taken


def leads(first: Array, targets: Array, left: Array, place: int) -> bool:
    """Whether a way leads from a position to one that is left."""
    for way in range(first[place], first[place + 1]):
        if left[targets[way]] != 0:
            return True
    return False
