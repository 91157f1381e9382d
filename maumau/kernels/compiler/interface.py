"""What the interface of a game (`Interface`) reads of its declaration."""

from __future__ import annotations

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.table.layout import layout_of
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.mixing import mixed
from maumau.kernels.compiled.moves import card_of, move_word, offer_of, value_of, without_value
from maumau.kernels.compiled.rows import pack, unpack
from maumau.kernels.compiled.sights import look
from maumau.kernels.compiled.stepping import STEPPING
from maumau.kernels.compiled.turns import NOT_FORCED
from maumau.kernels.compiler.phases import moves_of, phases_of
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.rows import row_constants
from maumau.kernels.compiler.sights import sight_constants
from maumau.kernels.compiler.source import Constants

CALLED = *STEPPING, move_word, offer_of, card_of, value_of, without_value, mixed, look, pack, unpack
"""The functions of the interface, and those that they call."""


def interface_constants(game: Declaration, policies: tuple[Policy, ...]) -> Constants:
    """Return what the functions of the interface read of a game. policies: those that `choose` knows, by number."""
    numbers = game.phase_numbers
    return (
        sight_constants(game, layout_of(game).hands)
        | row_constants(game)
        | {
            "ARCS": tuple(
                (number, numbers[arc.dest], arc.before, ((arc.conditions, arc.unless),))
                for number, arc in enumerate(game.arcs)
            ),
            "DECLARES_RETURNS": game.returns is not None,
            "FINAL": numbers[game.final],
            "INITIAL": numbers[game.initial],
            "MOVES": tuple((numbers[phase], moves_of(game, phase)) for phase in game.control),
            "NOT_FORCED": NOT_FORCED,
            "PHASES": phases_of(KernelPlan(game, policies)),
            "PHASE_NAMES": tuple(map(str, game.phases)),
            "SHARES_WINS": game.shares_wins,
            "STUCK": STUCK,
            "TURN_STARTS": tuple(int(game.control_of(phase).starts_turn) for phase in game.phases),
            "final_score": game.score,
            **({"returns": game.returns} if game.returns else {}),
            **({"deal_each": game.deal_each} if game.deal_each else {}),
        }
    )
