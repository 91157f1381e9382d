"""One game from a deck that is given: dealt, stepped by the actions of all seats, and looked at by any of them."""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import np
from maumau.agents.compiled.batches import CHOSEN, clear_notes, pay
from maumau.agents.compiled.given import given
from maumau.kernels.compiled.ends import STUCK, PositionRoom, begin_alone
from maumau.kernels.compiled.interface import Table

PHASE, SEAT, DONE, WHAT, NUMBER, LIMIT = range(6)
"""Places of the state: the phase, the seat that acts, and whether the game is over, or has come to the limit; then what
is asked, one of DEALT, ACTED and LOOKED, with the number of the action or of the seat, and the limit.
"""
DEALT, ACTED, LOOKED = range(3)
"""What is asked."""


class DealArrays(NamedTuple):
    """A game.

    deck: from which it is dealt. table, notes, discarded: as in batches. observation: what a seat sees that has looked.
    mask: the legal actions. rewards: at the end, as in batches. positions, marks, places, counts: where the return of a
    position ends a game. seats: all learn. fired, used: nothing is counted.
    """

    deck: Array1D[np.uint8]
    table: Array1D[np.uint8]
    state: Array1D[np.int64]
    notes: Array1D[np.int64]
    discarded: Array1D[np.uint8]
    observation: Array1D[np.uint8]
    mask: Array1D[np.uint8]
    rewards: Array1D[np.int32]
    positions: Array2D[np.uint8]
    marks: Array1D[np.int64]
    places: Array1D[np.int64]
    counts: Array1D[np.int64]
    seats: Array1D[np.int64]
    fired: Array1D[np.int64]
    used: Array1D[np.int64]


def answer(game: DealArrays) -> int:
    """Do what is asked; 0, or STUCK for a game that cannot go on."""
    table, state = given.make(), game.state
    room = PositionRoom(seen=game.positions, hashes=game.marks, slots=game.places)
    if state[WHAT] == DEALT:
        begin_alone(table, room, game.counts, game.deck, given.PLAYERS, 0, 0)
        clear_notes(game.notes, game.discarded)
        return go_on(game, room, table, given.INITIAL, -1)
    given.load(table, game.table.ctypes.data)
    if state[WHAT] == ACTED:
        return go_on(game, room, table, state[PHASE], state[NUMBER])
    phase, seat = state[PHASE], state[NUMBER]
    seen = phase if seat == table.player else given.PHASES_SEEN[phase]
    given.observe(table, seen, max(seat, 0), game.notes, game.discarded, game.observation)
    return 0


def go_on(game: DealArrays, room: PositionRoom, table: Table, phase: int, action: int) -> int:
    """Step a game by an action, or none for -1, to the next decision, the end or the limit."""
    state = game.state
    phase = given.run_to_decision(
        table, phase, game.seats, state[LIMIT], action, game.notes, game.discarded, game.fired, game.used, 1,
        room, game.counts,
    )  # fmt: skip
    if phase == STUCK:
        return STUCK
    state[PHASE], state[SEAT], state[DONE] = phase, table.player, 0
    given.save(table, game.table.ctypes.data)
    if phase == given.FINAL:
        pay(game.rewards, table)
    if phase == given.FINAL or game.notes[CHOSEN] >= state[LIMIT]:
        state[DONE] = 1
        for index in range(given.ACTIONS):
            game.mask[index] = 0
    else:
        given.write_mask(table, phase, game.mask)
    return 0
