"""Playouts: a position played to its end again and again, after each of its legal moves."""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import np
from maumau.kernels.compiled.interface import Interface, Table

UNFINISHED = -2
"""In place of the last phase: so many moves were chosen that the game is given up."""


class Playouts(NamedTuple):
    """A position and what is counted of its legal moves.

    table: as it is saved. policies: the number of that of each seat. moves: room for the legal moves. ended, won: how
    many games ended, and how many the player who acts won. gained: what the player gained in them, and the sum of the
    squares, where the game declares returns.
    """

    table: Array1D[np.uint8]
    policies: Array1D[np.int64]
    moves: Array1D[np.int64]
    ended: Array1D[np.int64]
    won: Array1D[np.int64]
    gained: Array2D[np.int64]


def play_out_moves(game: Interface, work: Playouts, phase: int, seed: int, first: int, games: int, most: int) -> int:
    """Play games `first`, `first` + 1, ... of `seed` after each legal move; how many moves are legal, or STUCK.

    most: moves that are chosen in a game before to give up.
    """
    table, after = game.make(), game.make()
    game.load(table, work.table.ctypes.data)
    count = game.moves(table, phase, work.moves)
    for index in range(count):
        for number in range(first, first + games):
            game.copy(after, table)
            after.seed, after.number, after.rolls = seed, number, 0
            end = play_out(game, work, after, game.act(after, phase, work.moves[index]), most)
            if end == game.STUCK:
                return game.STUCK
            if end == game.FINAL:
                note_result(game, work, after, table.player, index)
    return count


def play_out(game: Interface, work: Playouts, table: Table, phase: int, most: int) -> int:
    """Play a game to its end by the policies of the seats; the last phase, STUCK or UNFINISHED."""
    for _ in range(most):
        if phase != game.STUCK:
            phase = game.settle(table, phase)
        if phase in (game.FINAL, game.STUCK):
            return phase
        phase = game.play(table, phase, work.policies[table.player])
    return UNFINISHED


def note_result(game: Interface, work: Playouts, table: Table, seat: int, index: int) -> None:
    """Count a game that is over for the player who made the move at an index."""
    work.ended[index] += 1
    if game.SHARES_WINS:
        work.won[index] += table.winners >> seat & 1
    else:
        work.won[index] += table.winner == seat
    if game.DECLARES_RETURNS:
        gain = game.returns(table, seat)
        work.gained[index, 0] += gain
        work.gained[index, 1] += gain * gain
