"""The positions in which a player chooses, with the moves from each to the next one (`explorer.graph`).

What is forced between two choices is passed over. An end is a negative number: -1 if nobody wins, -2 - n if seat n
does; in a game that declares returns, what the first seat gains less RETURNED.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import np
from maumau.kernels.compiled.interface import Interface, Table
from maumau.kernels.compiled.known import known_as, look_for
from maumau.kernels.compiled.rows import compress, expand

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


class KnownGraph(NamedTuple):
    """The known positions.

    keys, slots: the positions, packed by `layout`, and the hash table of their numbers. movers: the seat that chooses,
    and whether a turn starts. row: room for one. in_use: bits are added to it. state: the numbers at PLACES.
    """

    keys: Array2D[np.int64]
    slots: Array1D[np.uint32]
    movers: Array2D[np.int32]
    layout: Array2D[np.int64]
    row: Array1D[np.int64]
    in_use: Array1D[np.int64]
    state: Array1D[np.int64]


class Growth(NamedTuple):
    """Deals, and the moves of known positions.

    decks: a row for each deal. roots: the position of each. first: where the moves of each position begin among
    `moves`, which say where they lead. chosen: for each policy the place among the moves of the one that it chooses.
    legal: room for the moves of a position. players, each: how many play, and how many cards each is dealt.
    """

    decks: Array2D[np.int64]
    roots: Array1D[np.int64]
    first: Array1D[np.int64]
    moves: Array1D[np.int32]
    chosen: Array2D[np.uint8]
    legal: Array1D[np.int64]
    players: int
    each: int


def grow(game: Interface, known: KnownGraph, growth: Growth, fixed: int, room: int) -> None:
    """Add the positions of deals, and those to which the moves of known ones lead, until `room` positions are known.

    fixed: a mask of seats, which make the moves of the first policy alone, or the first moves if there is none.
    Positions are staged behind the known ones until memory has the slots in which they may be.
    """
    table, after, state = game.make(), game.make(), known.state
    cards, policies, last = growth.decks.shape[1], growth.chosen.shape[1], state[NEXT] + AT_ONCE
    deal_roots(game, known, growth, table, room)
    most, staged, begun, is_due = len(growth.moves) - len(growth.legal), 0, state[MOVES], False
    while True:
        is_full = state[KNOWN] + staged >= room or state[NEXT] >= last or state[MOVES] >= most
        if staged > 0 and (is_full or is_due or state[NEXT] == state[KNOWN]):
            enter_staged(known, growth.moves, begun)
            staged, begun, is_due = 0, state[MOVES], False
            continue
        if is_full or state[NEXT] == state[KNOWN]:
            return
        here = state[NEXT]
        state[NEXT] += 1
        expand(known.keys[here], known.layout, known.row)
        phase = game.unpack(table, known.row, growth.players)
        count = game.moves(table, phase, growth.legal)
        if count == 0:
            state[FAULT] = FAULTY
        for policy in range(policies):
            game.copy(after, table)
            found = decided(game, after, phase, policy, growth.legal, count)
            growth.chosen[here, policy] = found
            if found < 0:
                state[FAULT] = FAULTY
        begin, end = 0, count
        if fixed >> table.player & 1 == 1:
            if policies > 0:
                begin = growth.chosen[here, 0]
            end = begin + 1
        for number in range(begin, end):
            game.copy(after, table)
            reached = game.act(after, phase, growth.legal[number])
            if reached != game.STUCK:
                reached = game.settle(after, reached)
            place = state[KNOWN] + staged
            way = write_key(game, known, after, reached, cards, place)
            growth.moves[state[MOVES]] = way
            if way == place:
                staged += 1
                is_due = look_for(known.keys[place], known.slots, staged)
            state[MOVES] += 1
        growth.first[state[NEXT]] = state[MOVES]


def deal_roots(game: Interface, known: KnownGraph, growth: Growth, table: Table, room: int) -> None:
    """Add the positions of deals until `room` positions are known."""
    state, cards = known.state, growth.decks.shape[1]
    while state[DEALS] < len(growth.decks) and state[KNOWN] < room:
        game.reset(table)
        game.deal_each(table, growth.decks[state[DEALS]], growth.players, growth.each)
        phase = game.settle(table, game.INITIAL)
        growth.roots[state[DEALS]] = entered(game, known, table, phase, cards)
        state[DEALS] += 1


def enter_staged(known: KnownGraph, moves: Array1D[np.int32], begun: int) -> None:
    """Add the new ones of the positions that are staged, in their order. begun: the first move that may lead to one."""
    state, keys, movers, before = known.state, known.keys, known.movers, known.state[KNOWN]
    for way in range(begun, state[MOVES]):
        place, number = moves[way], state[KNOWN]
        if place < before:
            continue
        for word in range(keys.shape[1]):
            keys[number, word] = keys[place, word]
        movers[number, 0] = movers[place, 0]
        found = known_as(keys[number], number, keys, known.slots)
        moves[way] = found
        if found == number:
            state[KNOWN] = number + 1


def decided(game: Interface, table: Table, phase: int, policy: int, legal: Array1D[np.int64], count: int) -> int:
    """The place among `count` legal moves of the one that a policy chooses; -1 for none of them.

    What the policy names is left on the table. A move that names no value is one with any value.
    """
    move = game.choose(table, phase, policy)
    for place in range(count if move != game.STUCK else 0):
        if legal[place] in (move, game.without_value(move)):
            return place
    return -1


def ended(game: Interface, table: Table) -> int:
    """The number of the end of a game that is over, NOWHERE if a seat gains too much."""
    if game.DECLARES_RETURNS:
        gain = game.returns(table, 0)
        return gain - RETURNED if -MOST_GAINED <= gain <= MOST_GAINED else NOWHERE
    return -2 - table.winner if table.winner >= 0 else -1


def entered(game: Interface, known: KnownGraph, table: Table, phase: int, cards: int) -> int:
    """The number of the position of a table, which is added if it is not known; or how the game has ended."""
    number = known.state[KNOWN]
    found = write_key(game, known, table, phase, cards, number)
    if found != number:
        return found
    found = known_as(known.keys[number], number, known.keys, known.slots)
    if found == number:
        known.state[KNOWN] = number + 1
    return found


def write_key(game: Interface, known: KnownGraph, table: Table, phase: int, cards: int, place: int) -> int:
    """Write the position of a table, and who chooses in it, to a place behind the known ones; return the place.

    If the game is over, return how it has ended instead.
    """
    if phase == game.FINAL:
        end = ended(game, table)
        if end == NOWHERE:
            known.state[FAULT] = TOO_MUCH
        return end
    if phase == game.STUCK or not game.pack(table, phase, known.row, cards):
        known.state[FAULT] = FAULTY
        return NOWHERE
    compress(known.row, known.layout, known.in_use, known.keys[place])
    known.movers[place, 0] = table.player + game.TURN_STARTS[phase] * STARTS
    return place
