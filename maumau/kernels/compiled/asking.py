"""The interface of a game, asked one question at a time from Python."""

from __future__ import annotations

from fsm.edge.arrays import Bytes, Integers
from maumau.kernels.compiled.interface import Interface

SETTLE, FORCED, MOVES, PUT, ACT, CHOSEN, CHOOSE, PLAY, ENABLED, FIRE = range(10)
"""The questions: the functions of the interface."""


def ask(game: Interface, question: int, record: Bytes, phase: int, number: int, out: Integers) -> int:
    """Call a function of the interface for the table saved in `record`, which is saved again.

    number: what the function takes besides the table and the phase: a move, a policy or a transition. out: room for
    moves.
    """
    table, found = game.make(), 0
    game.load(table, record.ctypes.data)
    if question == SETTLE:
        found = game.settle(table, phase)
    elif question == FORCED:
        found = game.forced(table, phase)
    elif question == MOVES:
        found = game.moves(table, phase, out)
    elif question == PUT:
        game.put(table, phase, number)
    elif question == ACT:
        found = game.act(table, phase, number)
    elif question == CHOSEN:
        found = game.chosen(table, phase, number)
    elif question == CHOOSE:
        found = game.choose(table, phase, number)
    elif question == PLAY:
        found = game.play(table, phase, number)
    elif question == ENABLED:
        found = int(game.enabled(table, number))
    else:
        found = game.fire(table, number)
    game.save(table, record.ctypes.data)
    return found
