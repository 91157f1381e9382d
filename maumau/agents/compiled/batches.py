"""Games side by side, each stepped to the next decision of a learning seat; and the notes that are kept on a game.

Notes are kept after every event from what the event shows (`maumau.agents.layout`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from maumau.kernels.compiled.ends import STUCK, begin, forget
from maumau.kernels.compiled.loop import measure, shuffle
from rules.ending import Ending

if TYPE_CHECKING:
    from maumau.agents.compiled.given import (
        ACTIONS,
        DECLARES_REWARDS,
        FOLLOWS,
        HELD,
        KIND,
        KINDS,
        LEFT,
        LOST,
        NOTES,
        PLAYERS,
        SHOWS_PILES,
        TABLE_BYTES,
        TALLIES,
        WIDTH,
        WON,
        game_rewards,
        hand,
        observe,
        run,
        shown,
        write_mask,
    )
    from maumau.kernels.compiled.given import (
        DECK_SIZE,
        FINAL,
        INITIAL,
        KEEPS_POSITIONS,
        SHARES_WINS,
        WORDS,
        Array,
        Row,
        Table,
        integers_at,
        load,
        make,
        new_bytes,
        new_integers,
        row_at,
        save,
    )


FIRST, END, SEEN, LYING, CHOSEN, LAST = range(6)
"""Indices of the notes: where the discard pile lay in the ring; the cards, as a mask, that all know, and those that lie
face up; how many events players have chosen; from LAST on the number of the event that each seat chose last.
"""


def note(table: Table, notes: Row, discarded: Row, shuffled: int) -> None:
    """Note what an event has shown. shuffled: whether it moved cards by chance."""
    first, end = table.head + table.stock, table.tail
    start, fresh = notes[END], 0
    if first != notes[FIRST] or end < start:
        start = first
        notes[LYING] = 0
        for kind in range(KINDS):
            discarded[kind] = 0
    for index in range(start, end):
        card = table.ring[index & len(table.ring) - 1]
        discarded[KIND[card]] += 1
        fresh |= 1 << card
    notes[FIRST] = first
    notes[END] = end
    if FOLLOWS:
        if SHOWS_PILES:
            fresh |= shown(table)
        follow(table, notes, first, fresh, shuffled)


def follow(table: Table, notes: Row, first: int, fresh: int, shuffled: int) -> None:
    """Follow cards. first: where the discard pile begins. fresh: the cards that were laid face up."""
    notes[LYING] |= fresh
    if shuffled:
        pile = 0
        for index in range(table.head, first):
            pile |= 1 << table.ring[index & len(table.ring) - 1]
        notes[SEEN] &= ~pile
        for seat in range(table.players):
            notes[LEFT + seat] &= ~pile
    notes[SEEN] |= fresh
    for seat in range(table.players):
        held, held_now = notes[HELD + seat], hand(table, seat)
        notes[HELD + seat] = held_now
        gone = held & ~held_now & ~fresh
        if gone != 0:
            notes[SEEN] &= ~held | fresh
            for other in range(table.players):
                notes[LEFT + other] &= ~held
            notes[LEFT + seat] |= gone


# ---------------------------------------------------------------- batches


LEARNING = 0
"""In place of the number of a policy: the seat's decisions are returned. The policies count from 1."""
PATIENCE = 100_000
"""Games of a slot in a row without a decision of a learning seat after which a batch gives up."""
IDLE = -2
"""In place of a phase: so many games had none."""
CLOSED = -1
"""In place of the seat that acts: the games of the slot are over."""


def deal_game(
    table: Table, deck: Row, words: Row, seed: int, number: int, notes: Row, discarded: Row,
    hashes: Array, rows: Array, known: Array, arcs: Array, rules: Array,
) -> None:  # fmt: skip
    """Make a table the start of game `number` of `seed`, of which nothing is noted, kept or counted yet."""
    shuffle(deck, words, PLAYERS, seed, number, 0, 1)
    begin(table, table, deck, PLAYERS, seed, number, 0)
    for index in range(NOTES):
        notes[index] = 0
    for kind in range(KINDS):
        discarded[kind] = 0
    if KEEPS_POSITIONS:
        forget(hashes, rows, known[0])
        known[0] = 0
    if TALLIES:
        clear(arcs)
        clear(rules)


def step(
    tables: Array, phases: Array, notes: Array, discarded: Array, log: Array, decisions: Array, actions: Array,
    positions: Array, marks: Array, places: Array, counts: Array, last: Array, observations: Array, masks: Array,
    rewards: Array, ended: Array, truncated: Array, acting: Array, passed: Array, fired_here: Array, used_here: Array,
    seats: Array, seed: int, stride: int, limit: int,
    first: int, results: Array, scores: Array, fired: Array, used: Array, most: int,
) -> int:  # fmt: skip
    """Step every game by an action to the next decision; a game that is over is followed by the next one of its slot.

    rewards: whole numbers where DECLARES_REWARDS, else the bits of 32-bit floating-point numbers. last: what the first
    seat that learns sees of a game at its end, or where it is broken off. Returns the slot of a game that cannot go on,
    or -1.

    With TALLIES the games from `first` on have a row of results each, all those of more than `limit` choices or `most`
    events are left running, and not counted, and one in which no arc is enabled has the ending -1. A slot whose games
    are over is CLOSED.
    """
    table, other = make(), make()
    deck, words = new_bytes(DECK_SIZE), new_integers(WORDS)
    for slot in range(len(phases)):
        saved = tables.ctypes.data + slot * TABLE_BYTES
        noted = integers_at(notes.ctypes.data + slot * NOTES * 8)
        lying = row_at(discarded.ctypes.data + slot * KINDS)
        arcs, rules = fired_here[slot], used_here[slot]
        seen, hashes, rows, known = positions[slot], marks[slot], places[slot], counts[slot]
        action, idle = actions[slot], 0
        load(table, saved)
        phase = phases[slot]
        number, dealing = table.number, action < 0
        start(slot, rewards, ended, truncated)
        if not dealing:
            log[slot, decisions[slot]] = action
            decisions[slot] += 1
        while True:
            if dealing:
                if TALLIES and number - first >= len(results):
                    acting[slot], actions[slot], table.number = CLOSED, -1, number
                    save(table, saved)
                    break
                deal_game(table, deck, words, seed, number, noted, lying, hashes, rows, known, arcs, rules)
                decisions[slot] = 0
                phase, action = INITIAL, -1
            phase = run(
                table, phase, seats[number % PLAYERS], limit, action, noted, lying, arcs, rules, 1,
                other, seen, hashes, rows, known,
            )  # fmt: skip
            if not TALLIES and (phase == STUCK or idle == PATIENCE):
                phases[slot] = IDLE if idle == PATIENCE else phase
                save(table, saved)
                return slot
            if phase not in (FINAL, STUCK) and noted[CHOSEN] < limit:
                break
            if TALLIES:
                row = number - first
                close(table, phase, results[row], scores[row], arcs, rules, fired, used, most)
            elif decisions[slot] == 0:
                passed[slot] += 1
                idle += 1
            else:
                end(table, phase, slot, rewards, ended, truncated)
                learner = first_learner(seats[number % PLAYERS])
                observe(table, phase, learner, noted, lying, row_at(last.ctypes.data + slot * WIDTH))
            number, dealing = number + stride, True
        if TALLIES and acting[slot] == CLOSED:
            continue
        observe(table, phase, table.player, noted, lying, row_at(observations.ctypes.data + slot * WIDTH))
        numbered = write_mask(table, phase, row_at(masks.ctypes.data + slot * ACTIONS))
        acting[slot] = table.player
        phases[slot] = phase
        save(table, saved)
        if not numbered:
            return slot
    return -1


def start(slot: int, rewards: Array, ended: Array, truncated: Array) -> None:
    """Mark a game that goes on, without rewards."""
    ended[slot] = truncated[slot] = 0
    for seat in range(PLAYERS):  # known to the compiler, unlike the length of a row
        rewards[slot, seat] = 0


def end(table: Table, phase: int, slot: int, rewards: Array, ended: Array, truncated: Array) -> None:
    """Mark a game that is over, with its rewards, none without a winner; or mark that it is broken off."""
    if phase == FINAL:
        ended[slot] = 1
        if DECLARES_REWARDS:
            for seat in range(PLAYERS):
                rewards[slot, seat] = game_rewards(table, seat)
        elif SHARES_WINS:
            winning = table.winners.bit_count()
            won = WON if winning < PLAYERS or PLAYERS == 1 else 0
            for seat in range(PLAYERS):
                rewards[slot, seat] = won if table.winners >> seat & 1 == 1 else LOST[winning]
        elif table.winner >= 0:
            for seat in range(PLAYERS):
                rewards[slot, seat] = WON if seat == table.winner else LOST[1]
    else:
        truncated[slot] = 1


def first_learner(seats: Array) -> int:
    """The first seat that learns."""
    learner = 0
    while seats[learner] != LEARNING:
        learner += 1
    return learner


def first_illegal(actions: Array, masks: Array) -> int:
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


def close(
    table: Table,
    phase: int,
    result: Any,
    scores: Array,
    arcs: Array,
    rules: Array,
    fired: Array,
    used: Array,
    most: int,
) -> None:
    """Write the result of a game that is over; what it has counted is added up, unless it is left running."""
    events = 0
    for arc in range(len(arcs)):
        events += arcs[arc]
    if phase == STUCK:
        result.ending = -1
    elif phase == FINAL and events <= most:
        result.ending = table.ending
        measure(result, scores, table, PLAYERS)
        add(fired, arcs)
        add(used, rules)
    else:
        result.ending = int(Ending.RUNNING)
