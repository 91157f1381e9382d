"""The interface of a game in machine code, asked one question at a time from Python."""

from __future__ import annotations

from typing import Any

from fsm.declaration.arcs import Arc, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.edge.arrays import Array1D
from fsm.edge.numbers import Array, Notify, np
from fsm.stepping.moves import Code, plans_of
from fsm.table.layout import layout_of
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.interface import Interface
from maumau.kernels.compiled.stepping import card_of, move_word, offer_of, value_of
from maumau.kernels.compiler.machine_code import NativeCode
from maumau.kernels.engine import MAX_MOVES, program_of

SETTLE, FORCED, MOVES, PUT, ACT, CHOSEN, CHOOSE, PLAY, ENABLED, FIRE = range(10)
"""The questions: the functions of the interface."""


def ask(
    game: Interface, question: int, record: Array1D[np.uint8], phase: int, number: int, out: Array1D[np.int64]
) -> int:
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


class Engine:
    """The interface of a game, asked from Python.

    A table is a record: the bytes of all its fields, which `record_of` makes of a table in Python, and every question
    changes as the function of the interface does.
    """

    def __init__(self, game: Declaration, policies: tuple[Policy, ...], notify: Notify | None = None) -> None:
        """Compile the interface. policies: those that `choose` knows. notify: called when it has to be compiled.

        Raises MissingExtra without llvmlite.
        """
        self.game, self.policies, self._phases = game, policies, tuple(game.phases)
        self._layout, self._plans = layout_of(game), plans_of(game)
        self._code: NativeCode = program_of(ask, game, policies).code(notify)
        self._out = np.zeros(MAX_MOVES, np.int64)

    def record_of(self, table: Any) -> Array:
        """Return the record of a table: bytes, shape (size of a table,)."""
        return np.frombuffer(self._layout.packed(self._layout.take(table)), np.uint8).copy()

    def table_of(self, record: Array) -> Any:
        """Return a new table with the values of a record."""
        return self._layout.restored(self._layout.unpacked(record.tobytes()))

    def settle(self, record: Array, phase: Phase) -> Phase | None:
        """Fire what is forced; the phase in which a player chooses or the game is over, None if it is stuck."""
        return self._phase(self._ask(SETTLE, record, phase))

    def forced(self, record: Array, phase: Phase) -> Arc | None:
        """Return the transition that is forced; None where a player chooses, the game is over, or it is stuck."""
        return self._arc(self._ask(FORCED, record, phase))

    def moves(self, record: Array, phase: Phase) -> list[Code]:
        """Return the legal moves of a phase in which nothing is forced, as `PhasePlan.moves` does."""
        count = self._ask(MOVES, record, phase)
        return [self._code_of(phase, move) for move in self._out[:count].tolist()]

    def put(self, record: Array, phase: Phase, move: Code) -> None:
        """Put the card and the value of a move on the table."""
        self._ask(PUT, record, phase, self._word(phase, move))

    def act(self, record: Array, phase: Phase, move: Code) -> Phase | None:
        """Put a legal move and fire its transition; the phase to which it leads, None if none is enabled."""
        return self._phase(self._ask(ACT, record, phase, self._word(phase, move)))

    def chosen(self, record: Array, phase: Phase, move: Code) -> Arc | None:
        """Return the transition of a legal move that is on the table; None if none is enabled."""
        return self._arc(self._ask(CHOSEN, record, phase, self._word(phase, move)))

    def choose(self, record: Array, phase: Phase, policy: Policy) -> Code | None:
        """Return the move that a policy chooses where nothing is forced, None if it has none."""
        move = self._ask(CHOOSE, record, phase, self.policies.index(policy))
        return None if move == STUCK else self._code_of(phase, move)

    def play(self, record: Array, phase: Phase, policy: Policy) -> Phase | None:
        """Let a policy choose where nothing is forced, and fire it; the phase to which it leads, None if stuck."""
        return self._phase(self._ask(PLAY, record, phase, self.policies.index(policy)))

    def enabled(self, record: Array, arc: Arc) -> bool:
        """Return whether the guards of a transition hold."""
        return bool(self._ask(ENABLED, record, arc.source, self.game.arcs.index(arc)))

    def fire(self, record: Array, arc: Arc) -> Phase | None:
        """Call the effects of a transition; the phase to which it leads."""
        return self._phase(self._ask(FIRE, record, arc.source, self.game.arcs.index(arc)))

    def _ask(self, question: int, record: Array, phase: Phase, number: int = 0) -> int:
        return self._code(question, record, self.game.phase_numbers[phase], number, self._out)

    def _phase(self, number: int) -> Phase | None:
        return None if number == STUCK else self._phases[number]

    def _arc(self, number: int) -> Arc | None:
        return self.game.arcs[number] if number >= 0 else None

    def _word(self, phase: Phase, move: Code) -> int:
        trigger, card, value = move
        offers = [offer.trigger for offer in self._plans[phase].offers]
        return move_word(offers.index(trigger), card, value)

    def _code_of(self, phase: Phase, move: int) -> Code:
        return self._plans[phase].offers[offer_of(move)].trigger, card_of(move), value_of(move)
