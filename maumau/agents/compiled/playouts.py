"""What plays a world out: an action, and then the choices of all seats up to the end of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.agents.compiled.notes import CHOSEN
from maumau.agents.compiled.scoring import best_action
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.plan import HORIZON

if TYPE_CHECKING:
    from maumau.agents.compiled.given import (
        ACTIONS,
        BY_NET,
        HELD,
        KINDS,
        LEFT,
        NOTES,
        PLAYOUT_STOPS,
        WIDTH,
        act,
        hand,
        observe,
        run,
        run_by_policies,
        write_mask,
    )
    from maumau.kernels.compiled.given import FINAL, Array, Row, Table, new_integers


def play_out(
    table: Table, phase: int, action: int, seats: Row, noted: Row, lying: Row, kept: Row, kept_lying: Row,
    line: Row, choices: Row, hidden: int, weights: Array, room: Array,
) -> int:  # fmt: skip
    """Play an action of the player who acts and then the game, by policies and perhaps a net; the last phase.

    noted, lying: the notes and the cards that are discarded. kept, kept_lying, line, choices, room: memory.
    """
    if BY_NET:
        return play_out_by_net(
            table, phase, action, seats, noted, lying, kept, kept_lying, line, choices, hidden, weights, room
        )
    phase = act(table, phase, action)
    if phase not in (FINAL, STUCK):
        nothing = new_integers(0)
        phase, _ = run_by_policies(table, phase, PLAYOUT_STOPS, seats, 0, nothing, nothing, nothing, 0)
    return phase


def play_out_by_net(
    table: Table, phase: int, action: int, seats: Row, noted: Row, lying: Row, kept: Row, kept_lying: Row,
    line: Row, choices: Row, hidden: int, weights: Array, room: Array,
) -> int:  # fmt: skip
    """The same where a net chooses for the seat that searches: its number is LEARNING."""
    seat, nothing = table.player, new_integers(0)
    for index in range(NOTES):
        kept[index] = noted[index]
    for kind in range(KINDS):
        kept_lying[kind] = lying[kind]
    for other in range(table.players):
        kept[HELD + other] = hand(table, other)
        if other != seat:
            kept[LEFT + other] = 0
    limit = kept[CHOSEN] + HORIZON
    while True:
        phase = run(
            table, phase, seats, limit, action, kept, kept_lying,
            nothing, nothing, 0, table, nothing, nothing, nothing, nothing,
        )  # fmt: skip
        if phase in (FINAL, STUCK) or kept[CHOSEN] >= limit:
            return phase
        observe(table, phase, seat, kept, kept_lying, line)
        write_mask(table, phase, choices)
        action = best_action(line, choices, WIDTH, ACTIONS, hidden, weights, room)
