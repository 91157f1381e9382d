"""The positions to which the events of known positions lead, and of which those that are not known are added.

At each position every conceivable event is tried, each card in hand with each value, and the guards of all its arcs are
evaluated; invariants and postconditions are checked before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fsm.check.properties import BasicProperty
from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.events import FORCED, OFFERED, PLAIN, enabled, fire, name_value, propose
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.known import (
    AGAIN,
    CARD,
    DEAL,
    EVENTS,
    HERE,
    KNOWN,
    LAST,
    LAST_DEAL,
    MOVE,
    PARENT,
    STAGED,
    TRIED,
    VALUE,
    ExploredRows,
    StagedRows,
    has_room,
    settle,
)
from maumau.kernels.compiled.rows import compress, expand, unpack, write_row


class SmallGame(NamedTuple):
    """A game with a small deck, and how its positions are packed.

    decks: the deals. whole: how many cards the deck has, and how often each, a mask for each bit of that number.
    layout, used: how rows are packed, and their bits. players, each: how many play, and how many cards each is dealt.
    """

    decks: Array2D[np.uint8]
    whole: Array1D[np.int64]
    layout: Array2D[np.int64]
    used: Array1D[np.int64]
    players: int
    each: int


class ExplorerRoom(NamedTuple):
    """What an explorer works with. in_use: bits are added to it. events, row: room for those of one position. refused:
    faults of one deal.
    """

    in_use: Array1D[np.int64]
    events: Array2D[np.int64]
    row: Array1D[np.int64]
    refused: Array2D[np.int64]


class Explorer(NamedTuple):
    """What belongs to the position from which is gone on, and where what is found is staged. before, table: the
    position; after: a table to work with.
    """

    small: SmallGame
    room: ExplorerRoom
    staged: StagedRows
    before: Table
    table: Table
    after: Table


def explore(
    small: SmallGame, known: ExploredRows, judged: Array2D[np.uint8], staged: StagedRows, room: ExplorerRoom,
    span: Array1D[np.int64], most: int, rounds: int,
) -> None:  # fmt: skip
    """Stage the positions of deals, unless they are invalid, and those to which the events of positions lead.

    judged: what is found out of the known positions for properties over time. span: where it begins, SPAN numbers.
    most, rounds: so many times what was found is settled and gone on from, as long as it has all its bits in use, there
    is room for it, and fewer than `most` positions were visited.
    """
    table, after, before = given.make(), given.make(), given.make()
    explorer = Explorer(small=small, room=room, staged=staged, before=before, table=table, after=after)
    faults = staged.faults
    while True:
        for deal in range(span[DEAL], span[LAST_DEAL]):
            given.reset(table)
            given.game_deal_each(table, small.decks[deal], small.players, small.each)
            if raised(faults, -1 - deal, -1):
                continue
            hold(table, given.INITIAL, room.refused, -1)
            if may_be_dealt(room.refused) and not stage(explorer, table, given.INITIAL, -1 - deal, -1):
                note_fault(faults, BasicProperty.IN_RANGE, -1 - deal, -1)
        for here in range(span[HERE], span[LAST]):
            expand(known.keys[here], small.layout, room.row)
            phase = unpack(before, room.row, small.players)
            for part in range(judged.shape[1]):
                judged[here, part] = conditions(before, phase, part)
            raised(faults, here, -1)
            if not hold(before, phase, faults, here) or phase == given.FINAL:
                continue
            for again in range(1 + given.RETURNS[phase]):
                before.returned = again
                given.copy(table, before)
                try_events(explorer, phase, here, again)
        rounds -= 1
        if rounds < 0 or widens(room.in_use, small.used) or not has_room(staged.state[STAGED], known):
            return
        settle(span, known, staged)
        span[LAST_DEAL], span[LAST] = min(span[DEAL] + given.BATCH, len(small.decks)), span[HERE]
        if span[LAST_DEAL] == span[DEAL]:
            span[LAST] = min(span[HERE] + given.BATCH, known.total[KNOWN], most)
            if span[LAST] == span[HERE]:
                return


def may_be_dealt(refused: Array) -> bool:
    """Whether no invariant is broken in a position to which a deal leads; one that raises an error is found there."""
    broken = -refused[BasicProperty.NO_ERROR, 0]
    for number in range(len(refused)):
        broken += refused[number, 0]
        refused[number, 0] = 0
    return bool(broken == 0)


def widens(in_use: Array, used: Array) -> bool:
    """Whether more bits are in use than those that are kept."""
    for word in range(len(used)):
        if in_use[word] & ~used[word] != 0:
            return True
    return False


def try_events(explorer: Explorer, phase: int, here: int, again: int) -> None:
    """Try every event at the position of a table, number `here`, and stage those to which they lead.

    again: 1 if the position is taken for one that was there before, else 0.
    """
    table, before, faults, events = explorer.table, explorer.before, explorer.staged.faults, explorer.room.events
    legal = forced = 0
    count, answers, failed = propose(table, phase, events)
    if raised(faults, here, -1):
        return
    for number in range(count):
        pair, card, value, kind = events[number, 0], events[number, 1], events[number, 2], events[number, 3]
        table.card = card if card >= 0 else before.open_card
        name_value(table, before, pair, card, value)
        move = pair | card + 1 << CARD | value + 1 << VALUE | again << AGAIN
        arcs, arc, fails = enabled(table, pair, answers, failed)
        explorer.staged.state[TRIED] += 1
        if fails:
            note_fault(faults, BasicProperty.NO_ERROR, here, move)
            continue
        if not is_legal(kind, arcs, forced):
            if arcs != 0:
                note_fault(faults, BasicProperty.NO_ARC, here, move)
            continue
        legal += 1
        forced += kind == FORCED
        if arcs != 1:
            note_fault(faults, BasicProperty.ONE_ARC, here, move)
            continue
        fire_outcomes(explorer, arc, here, move)
    if forced > 1:
        note_fault(faults, BasicProperty.ONE_FORCED, here, -1)
    if legal == 0 and again == 0:
        note_fault(faults, BasicProperty.CAN_CONTINUE, here, -1)


def fire_outcomes(explorer: Explorer, arc: int, here: int, move: int) -> None:
    """Fire an arc with each outcome of the dice that are rolled, as `Inspector.outcomes`, and stage where it leads."""
    table, after, staged = explorer.table, explorer.after, explorer.staged
    numbers = 1
    for dice in range(given.OUTCOMES):
        if dice == numbers:
            break
        given.copy(after, table)
        after.seed, after.number = given.SEED, dice
        fire(after, arc)
        if raised(staged.faults, here, move):
            break
        numbers = max(numbers, -after.seed)
        if numbers > given.OUTCOMES:
            note_fault(staged.faults, given.FEW, here, move)
            break
        if after.number != 0:
            continue
        staged.fired[arc] += 1
        staged.state[EVENTS] += 1
        if not done(table, after, arc, staged.faults, here, move):
            continue
        if not stage(explorer, after, given.DESTS[arc], here, move):
            note_fault(staged.faults, BasicProperty.IN_RANGE, here, move)


def stage(explorer: Explorer, table: Table, phase: int, parent: int, move: int) -> bool:
    """Stage a position; whether it can be read back."""
    small, room, staged = explorer.small, explorer.room, explorer.staged
    if not given.readable(table, small.whole):
        return False
    write_row(table, phase, table.tail - table.head, room.row)
    place = staged.state[STAGED]
    compress(room.row, small.layout, room.in_use, staged.rows[place])
    staged.notes[place, PARENT] = parent
    staged.notes[place, MOVE] = move
    staged.state[STAGED] = place + 1
    return True


def is_legal(kind: int, arcs: int, forced: int) -> bool:
    """Whether an event is legal of which so many arcs are enabled, where so many others are forced."""
    if forced > 0 and kind != FORCED:
        return False
    if kind in (FORCED, PLAIN):
        return arcs != 0
    return kind == OFFERED


# ---------------------------------------------------------------- the properties of a game


SHIFT = 5
IN_MASK = 1 << SHIFT
"""How many phases or arcs have a bit in a mask; there is one mask after another for all of them."""


def hold(table: Table, phase: int, faults: Array, here: int) -> bool:
    """Return whether all invariants hold; note those that do not. here: the number of the position."""
    sound, word, bit = True, phase >> SHIFT, phase & IN_MASK - 1
    for phases, invariants in given.INVARIANTS:
        if phases[word] >> bit & 1 == 1:
            for number, holds in invariants:
                held = holds(table)
                fails = given.faulted() != 0
                if fails or not held:
                    note_fault(faults, BasicProperty.NO_ERROR if fails else number, here, -1)
                    sound = False
    return sound


def done(before: Table, table: Table, arc: int, faults: Array, here: int, move: int) -> bool:
    """Return whether all postconditions of an arc hold; note those that do not.

    before: the table with the card and the value of the event. here, move: the numbers of the position and the event.
    """
    sound, word, bit = True, arc >> SHIFT, arc & IN_MASK - 1
    for arcs, postconditions in given.POSTCONDITIONS:
        if arcs[word] >> bit & 1 == 1:
            for number, holds in postconditions:
                held = holds(before, table)
                fails = given.faulted() != 0
                if fails or not held:
                    note_fault(faults, BasicProperty.NO_ERROR if fails else number, here, move)
                    sound = False
    return sound


def note_fault(faults: Array, number: int, here: int, move: int) -> None:
    """Count a fault; the position and the event of the first one are kept."""
    fault = faults[number]
    if fault[0] == 0:
        fault[1] = here
        fault[2] = move
    fault[0] += 1


def raised(faults: Array, here: int, move: int) -> bool:
    """Return whether a rule function has done what is an error since this was asked last, which is a fault."""
    if given.faulted() == 0:
        return False
    note_fault(faults, BasicProperty.NO_ERROR, here, move)
    return True


def conditions(table: Table, phase: int, part: int) -> int:
    """Return where in a position responses begin, and where they end: two bits each. part: which responses."""
    judged = 0
    for number, bit, phases, queries in given.RESPONSES:
        if part == number and fulfilled(table, phase, phases, queries):
            judged |= bit
    return judged


def fulfilled(table: Table, phase: int, phases: Sequence[int], queries: Sequence[Callable[[Table], bool]]) -> bool:
    """Return whether a phase is one of some, by their masks, or a query holds."""
    if phases[phase >> SHIFT] >> (phase & IN_MASK - 1) & 1 == 1:
        return True
    for query in queries:
        if query(table):
            return True
    return False
