"""Players who are computed in Python, asked as the strategies that they are: once for each information set.

A player is asked in two games of each information set, with dice of that set: one who moves otherwise in the other one
sees more than its seat. Where all cards are known, a player is asked in the position, without its history.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from fsm.declaration.policy import SteppedPolicy
from fsm.stepping.game import Game
from fsm.stepping.moves import plans_of
from fsm.stepping.steps import Move
from maumau.kernels.compiler.results import Array
from maumau.solve.rows import unpacked
from rules.chance import SEED_LIMIT


@runtime_checkable
class DeclaresChances(Protocol):
    """A player who says with what chance it makes each move, so that nothing has to be drawn."""

    def chances_of(self, told: int, count: int) -> Array:
        """The chances of the moves of an information set. told: the hash of what the seat was told."""

    def place_in(self, row: Sequence[int]) -> int:
        """The place of the move that it makes in a position in which all cards are known."""


def asked_in(kind: type[Game], policy: SteppedPolicy, row: Sequence[int], seed: int) -> int:
    """The place among the moves of what a player chooses in the position of a row. Raises ValueError."""
    if isinstance(policy, DeclaresChances):
        return policy.place_in(row)
    phase, table = unpacked(kind.declaration, row, 2)
    table.seed, table.number = (hash(tuple(row)) ^ seed) % SEED_LIMIT, 0
    return _place(kind(table, phase, [kind.declaration.codec.held(table, seat) for seat in range(2)]), policy)


def asked_after(kind: type[Game], policy: SteppedPolicy, deck: Array, path: Sequence[int], seed: int) -> int:
    """The same after some moves, named by their places, from a deal. seed: of the dice."""
    game = kind.of_deck(2, deck.tolist(), seed=seed % SEED_LIMIT, policies=policy)
    _settle(game)
    for place in path:
        game.fire(*game.events().legal[place])
        _settle(game)
    return _place(game, policy)


def path_of(trail: Array, last: int) -> tuple[int, list[int]]:
    """The number of the deal, and the places of the moves up to a move that is noted in `trail`."""
    path = []
    while last >= 0:
        last, place = trail[last].tolist()
        path.append(place)
    return -1 - last, path[::-1]


def _settle(game: Any) -> None:
    while game.outcome is None and any(plans_of(game.declaration)[game.phase].forced_now(game.table)):
        game.step()


def _place(game: Any, policy: SteppedPolicy) -> int:
    move = Move(*policy.move(game))
    if move not in (legal := game.events().legal):
        raise ValueError(f"policy {policy.name} chooses {move}, which is not legal at {game.position()}")
    return int(legal.index(move))
