"""Games side by side, each stepped to the next decision of a learning seat; and the notes that are kept on a game.

Notes are kept after every event from what the event shows (`maumau.agents.layout`).
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D, Array3D
from fsm.edge.numbers import Array, np
from maumau.agents.compiled.given import given
from maumau.kernels.compiled.ends import STUCK, PositionRoom, begin_alone
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.loop import measure, shuffle
from maumau.kernels.compiled.results import ResultRows
from rules.chance import words_of
from rules.ending import Ending

FIRST, END, SEEN, LYING, CHOSEN, LAST = range(6)
"""Indices of the notes: where the discard pile lay in the ring; the cards, as a mask, that all know, and those that lie
face up; how many events players have chosen; from LAST on the number of the event that each seat chose last.
"""


def note(table: Table, notes: Array, discarded: Array, shuffled: int) -> None:
    """Note what an event has shown. shuffled: whether it moved cards by chance."""
    first, end = table.head + table.stock, table.tail
    start, fresh = notes[END], 0
    if first != notes[FIRST] or end < start:
        start = first
        notes[LYING] = 0
        for kind in range(given.KINDS):
            discarded[kind] = 0
    for index in range(start, end):
        card = table.ring[index & len(table.ring) - 1]
        discarded[given.KIND[card]] += 1
        fresh |= 1 << card
    notes[FIRST] = first
    notes[END] = end
    if given.FOLLOWS:
        if given.SHOWS_PILES:
            fresh |= given.shown(table)
        follow(table, notes, first, fresh, shuffled)


def follow(table: Table, notes: Array, first: int, fresh: int, shuffled: int) -> None:
    """Follow cards. first: where the discard pile begins. fresh: the cards that were laid face up."""
    notes[LYING] |= fresh
    if shuffled:
        pile = 0
        for index in range(table.head, first):
            pile |= 1 << table.ring[index & len(table.ring) - 1]
        notes[SEEN] &= ~pile
        for seat in range(table.players):
            notes[given.LEFT + seat] &= ~pile
    notes[SEEN] |= fresh
    for seat in range(table.players):
        held, held_now = notes[given.HELD + seat], given.hand(table, seat)
        notes[given.HELD + seat] = held_now
        gone = held & ~held_now & ~fresh
        if gone != 0:
            notes[SEEN] &= ~held | fresh
            for other in range(table.players):
                notes[given.LEFT + other] &= ~held
            notes[given.LEFT + seat] |= gone


# ---------------------------------------------------------------- batches


LEARNING = 0
"""In place of the number of a policy: the seat's decisions are returned. The policies count from 1."""
PATIENCE = 100_000
"""Games of a slot in a row without a decision of a learning seat after which a batch gives up."""
SEATING = 1 << 31
"""The purpose of the random words that draw who plays at a seat, which are addressed by the seat."""
CERTAIN = 1 << 32
"""The last bound of a seat: random words are below it."""
IDLE = -2
"""In place of a phase: so many games had none."""
CLOSED = -1
"""In place of the seat that acts: the games of the slot are over."""


class SlotArrays(NamedTuple):
    """Games side by side, a row for each slot.

    tables: as they are saved. notes, discarded: what was noted. log, decided: the actions of seats without a policy,
    and how many there are. positions, marks, places, counts: where the return of a position ends a game, the `seen`,
    `hashes` and `slots` of its PositionRoom, and the counts of positions. last_observations: what the first seat that
    learns sees of a game at its end, or where it is broken off. rewards: whole numbers where DECLARES_REWARDS, else the
    bits of 32-bit floating-point numbers. passed_over: games without a decision of a learning seat. fired, used: of the
    game that is played, with TALLIES. deciders: who decides at each seat of the game: LEARNING, the number of a policy,
    or less than LEARNING for a player that is computed in Python; the program returns at the decisions of such players
    as well. learned: how many decisions of learning seats the game has had.
    """

    tables: Array2D[np.uint8]
    phases: Array1D[np.int64]
    notes: Array2D[np.int64]
    discarded: Array2D[np.uint8]
    log: Array2D[np.int16]
    decided: Array1D[np.int64]
    actions: Array1D[np.int64]
    positions: Array3D[np.uint8]
    marks: Array2D[np.int64]
    places: Array2D[np.int64]
    counts: Array2D[np.int64]
    last_observations: Array2D[np.uint8]
    observations: Array2D[np.uint8]
    masks: Array2D[np.uint8]
    rewards: Array2D[np.int32]
    ended: Array1D[np.uint8]
    truncated: Array1D[np.uint8]
    acting: Array1D[np.int64]
    passed_over: Array1D[np.int64]
    fired: Array2D[np.int64]
    used: Array2D[np.int64]
    deciders: Array2D[np.int64]
    learned: Array1D[np.int64]


class SeatArrays(NamedTuple):
    """Who plays.

    learning: whether each seat learns, by the number of the game. players: the deciders from which one is drawn for
    each seat that does not, a row for each seat. bounds: the last one of a row is CERTAIN; a player is drawn by random
    words of 32 bits that are below its bound and not below the one before.
    """

    learning: Array2D[np.int64]
    players: Array2D[np.int64]
    bounds: Array2D[np.int64]


class Played(NamedTuple):
    """What belongs to the games of all slots.

    seats: who plays. results, scores, fired, used: with TALLIES, a row for each game, and what is counted in all of
    them.
    """

    seats: SeatArrays
    results: ResultRows
    scores: Array2D[np.int32]
    fired: Array1D[np.int64]
    used: Array1D[np.int64]


def drawn(bounds: Array, seed: int, number: int, seat: int) -> int:
    """The index of the player that is drawn for a seat of a game. bounds: those of the seat (`SeatArrays`)."""
    index = 0
    if bounds[0] < CERTAIN:
        word, _, _, _ = words_of(seed, number, seat, SEATING)
        while bounds[index] <= word:
            index += 1
    return index


def seat_game(slots: SlotArrays, slot: int, seating: SeatArrays, seed: int, number: int) -> None:
    """Note who decides at each seat of game `number` of `seed`."""
    deciders, learning = slots.deciders[slot], seating.learning[number % given.PLAYERS]
    for seat in range(given.PLAYERS):
        deciders[seat] = LEARNING
        if learning[seat] == 0:
            deciders[seat] = seating.players[seat, drawn(seating.bounds[seat], seed, number, seat)]


def clear_notes(notes: Array, discarded: Array) -> None:
    """Note that nothing of a game has been seen."""
    for index in range(given.NOTES):
        notes[index] = 0
    for kind in range(given.KINDS):
        discarded[kind] = 0


def deal_game(
    slots: SlotArrays, slot: int, room: PositionRoom, table: Table, deck: Array, words: Array, seed: int, number: int
) -> None:
    """Make a table the start of game `number` of `seed`, of which nothing is noted, kept or counted yet."""
    shuffle(deck, words, given.PLAYERS, seed, number, 0, 1)
    begin_alone(table, room, slots.counts[slot], deck, given.PLAYERS, seed, number)
    clear_notes(slots.notes[slot], slots.discarded[slot])
    slots.decided[slot] = slots.learned[slot] = 0
    if given.TALLIES:
        clear(slots.fired[slot])
        clear(slots.used[slot])


def step(
    slots: SlotArrays, played: Played, seed: int, stride: int, limit: int, first: int, most: int, again: int
) -> int:
    """Step every game by an action to the next decision; a game that is over is followed by the next one of its slot.

    Returns the slot of a game that cannot go on, or -1. again: games go on in which a player that is computed in Python
    decides, and no others; what ended since the last decisions of learning seats stays marked.

    With TALLIES the games from `first` on have a row of results each, all those of more than `limit` choices or `most`
    events are left running, and not counted, and one in which no arc is enabled has the ending -1. A slot whose games
    are over is CLOSED.
    """
    table = given.make()
    deck, words = given.new_bytes(given.DECK_SIZE), given.new_integers(given.WORDS)
    for slot in range(len(slots.phases)):
        if again == 1 and slots.deciders[slot, slots.acting[slot]] >= LEARNING:
            continue
        saved = slots.tables.ctypes.data + slot * given.TABLE_BYTES
        noted = given.integers_at(slots.notes.ctypes.data + slot * given.NOTES * 8)
        lying = given.row_at(slots.discarded.ctypes.data + slot * given.KINDS)
        arcs, rules = slots.fired[slot], slots.used[slot]
        seen, hashes, places, counts = slots.positions[slot], slots.marks[slot], slots.places[slot], slots.counts[slot]
        room = PositionRoom(seen=seen, hashes=hashes, slots=places)
        action, idle = slots.actions[slot], 0
        given.load(table, saved)
        phase = slots.phases[slot]
        number, dealing = table.number, action < 0
        start(slots, slot, again)
        log(slots, slot, action, again)
        while True:
            if dealing:
                if given.TALLIES and number - first >= len(played.results):
                    slots.acting[slot], slots.actions[slot], table.number = CLOSED, -1, number
                    given.save(table, saved)
                    break
                deal_game(slots, slot, room, table, deck, words, seed, number)
                seat_game(slots, slot, played.seats, seed, number)
                phase, action = given.INITIAL, -1
            phase = given.run_to_decision(
                table, phase, slots.deciders[slot], limit, action, noted, lying, arcs, rules, 1, room, counts
            )
            if not given.TALLIES and (phase == STUCK or idle == PATIENCE):
                slots.phases[slot] = IDLE if idle == PATIENCE else phase
                given.save(table, saved)
                return slot
            seat, line = table.player, slots.observations.ctypes.data
            dealing = phase in (given.FINAL, STUCK) or noted[CHOSEN] >= limit
            if dealing:
                seat = leave(slots, slot, played, number - first, table, phase, most)
                line = slots.last_observations.ctypes.data
                number += stride
            if seat >= 0:  # the only call, so that LLVM writes the function in its place
                given.observe(table, phase, seat, noted, lying, given.row_at(line + slot * given.WIDTH))
            else:
                idle += 1
            if not dealing:
                break
        if given.TALLIES and slots.acting[slot] == CLOSED:
            continue
        numbered = given.write_mask(table, phase, given.row_at(slots.masks.ctypes.data + slot * given.ACTIONS))
        slots.acting[slot] = table.player
        slots.phases[slot] = phase
        given.save(table, saved)
        if not numbered:
            return slot
    return -1


def start(slots: SlotArrays, slot: int, again: int) -> None:
    """Mark a game that goes on, without rewards, unless it does so `again` since the last decision of the learner."""
    if again == 0:
        slots.ended[slot] = slots.truncated[slot] = 0
        for seat in range(given.PLAYERS):  # known to the compiler, unlike the length of a row
            slots.rewards[slot, seat] = 0


def log(slots: SlotArrays, slot: int, action: int, again: int) -> None:
    """Keep an action, if it is one: of a learning seat, or with `again`, of a player that is computed in Python."""
    if action >= 0:
        slots.log[slot, slots.decided[slot]] = action
        slots.decided[slot] += 1
        slots.learned[slot] += 1 - again


def leave(slots: SlotArrays, slot: int, played: Played, row: int, table: Table, phase: int, most: int) -> int:
    """Mark what a game came to, and return the seat that observes its end, the first one that learns; -1 if none does:
    with TALLIES, or if the game is passed over, because no learning seat has decided anything in it.
    """
    if given.TALLIES:
        close(slots, slot, played, row, table, phase, most)
        return -1
    if slots.learned[slot] == 0:
        slots.passed_over[slot] += 1
        return -1
    end(slots, slot, table, phase)
    return first_learner(slots.deciders[slot])


def end(slots: SlotArrays, slot: int, table: Table, phase: int) -> None:
    """Mark a game that is over, with its rewards; or mark that it is broken off."""
    if phase == given.FINAL:
        slots.ended[slot] = 1
        pay(slots.rewards[slot], table)
    else:
        slots.truncated[slot] = 1


def pay(rewards: Array, table: Table) -> None:
    """Write the rewards of a game that is over, none without a winner."""
    if given.DECLARES_REWARDS:
        for seat in range(given.PLAYERS):
            rewards[seat] = given.game_rewards(table, seat)
    elif given.SHARES_WINS:
        winning = table.winners.bit_count()
        won = given.WON if winning < given.PLAYERS or given.PLAYERS == 1 else 0
        for seat in range(given.PLAYERS):
            rewards[seat] = won if table.winners >> seat & 1 == 1 else given.LOST[winning]
    elif table.winner >= 0:
        for seat in range(given.PLAYERS):
            rewards[seat] = given.WON if seat == table.winner else given.LOST[1]


def first_learner(seats: Array) -> int:
    """The first seat that learns."""
    learner = 0
    while seats[learner] != LEARNING:
        learner += 1
    return learner


def first_illegal(actions: Array1D[np.int64], masks: Array2D[np.uint8]) -> int:
    """The first slot whose action is not marked in its mask, or -1."""
    for slot in range(len(actions)):
        action = actions[slot]
        if action < 0 or action >= masks.shape[1] or masks[slot, action] == 0:
            return slot
    return -1


def clear(row: Array) -> None:
    """Set all numbers of a row to 0."""
    for index in range(len(row)):
        row[index] = 0


def add(row: Array, other: Array) -> None:
    """Add the numbers of another row."""
    for index in range(len(row)):
        row[index] += other[index]


def close(slots: SlotArrays, slot: int, played: Played, row: int, table: Table, phase: int, most: int) -> None:
    """Write the result of a game that is over; what it has counted is added up, unless it is left running."""
    result, arcs, events = played.results[row], slots.fired[slot], 0
    for arc in range(len(arcs)):
        events += arcs[arc]
    if phase == STUCK:
        result.ending = -1
    elif phase == given.FINAL and events <= most:
        result.ending = table.ending
        measure(result, played.scores[row], table, given.PLAYERS)
        add(played.fired, arcs)
        add(played.used, slots.used[slot])
    else:
        result.ending = int(Ending.RUNNING)
