"""Plays chunks of games in lanes, and the few games that leave them by other code, with the same results."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

from fsm.arcs import Policy
from fsm.declaration import Declaration
from fsm.lanes.graph import UntraceableError
from fsm.lanes.kernel import LaneKernel, Worker, lane_kernel
from fsm.lanes.request import Request
from rules.chance import shuffle

if TYPE_CHECKING:
    from fsm.compiler.kernel import Notify
    from fsm.compiler.results import Array

LEAST_GAMES = 512
"""Fewer games are played by the scalar kernel: lanes would stand empty."""


def kernel_for(
    game: Declaration,
    players: int,
    policies: tuple[Policy, ...],
    *,
    tally: bool,
    dealing: bool,
    notify: Notify | None = None,
) -> LaneKernel:
    """The lane kernel for games whose seats have these distinct policies.

    Raises UntraceableError, which says why the scalar kernel has to play.
    """
    if len(policies) != 1:
        raise UntraceableError("the seats have different policies")
    return lane_kernel(Request(game, players, policies[0], tally, dealing), notify)


def dealt_deck(game: Declaration, players: int, seed: int, number: int) -> bytearray:
    """The deck of a game of a seed, dealt by the rule functions themselves."""
    deck = bytearray(game.deck_size)
    game.fill(deck)
    shuffle(deck, seed, number)
    if game.amend:
        game.amend(deck, players, seed, number)
    return deck


def address(rows: Array | array[int]) -> int:
    """Where an array lies in memory."""
    return rows.buffer_info()[0] if isinstance(rows, array) else int(rows.ctypes.data)


__all__ = ["LEAST_GAMES", "Callable", "Worker", "address", "dealt_deck", "kernel_for"]
