"""Players asked, in stepped games, as the strategies that they are: once for each information set.

A player is asked in two games of each information set, with dice of that set: one who moves otherwise in the other one
sees more than its seat. Where all cards are known, a player is asked in the position, without its history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from fsm.declaration.arcs import Policy
from fsm.declaration.policy import Policies, SteppedPolicy
from fsm.edge.numbers import Array, np
from fsm.stepping.game import Game
from fsm.stepping.moves import chosen_move
from maumau.kernels.engine import PythonEngine
from rules.chance import SEED_LIMIT


@runtime_checkable
class DeclaresChances(Protocol):
    """A player who says with what chance it makes each move, so that nothing has to be drawn."""

    def chances_of(self, told: int, count: int) -> Array:
        """The chances of the moves of an information set. told: the hash of what the seat was told."""

    def place_in(self, row: Sequence[int]) -> int:
        """The place of the move that it makes in a position in which all cards are known."""


class Answers:
    """What players have answered, so that nobody is asked twice, even if a solution is interrupted."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Array] = {}

    def of(self, policy: int, place: int, ask: Callable[[], Array]) -> Array:
        """The chances of moves by a policy, by its number. place: the information set, or ~ the position, by number."""
        if (policy, place) not in self._known:
            self._known[policy, place] = ask()
        return self._known[policy, place]

    def saved(self) -> dict[str, Array]:
        """All that has to be kept to go on."""
        each = list(self._known.values())
        return {
            "asked": np.array([(*key, len(each[row])) for row, key in enumerate(self._known)], np.int64).reshape(-1, 3),
            "chances": np.concatenate([np.zeros(0), *each]),
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from what was kept."""
        each = np.split(arrays["chances"], arrays["asked"][:, 2].cumsum())
        keys = ((policy, place) for policy, place, _ in arrays["asked"].tolist())
        self._known = dict(zip(keys, each, strict=False))


def asked_in(kind: type[Game], players: int, policy: Policy, row: Sequence[int], seed: int) -> Array:
    """The chances of the moves of a player in the position of a row. Raises ValueError."""
    phase, table = PythonEngine(kind.declaration).position_of(row, players)
    table.seed, table.number = (hash(tuple(row)) ^ seed) % SEED_LIMIT, 0
    held = [kind.declaration.codec.held(table, seat) for seat in range(table.players)]
    return asked(kind(table, phase, held), policy)


def dealt_after(kind: type[Game], deck: Array, path: Sequence[int], policy: Policies = (), seed: int = 0) -> Game:
    """The game after some moves from a deal, which are named by their places. seed: of the dice."""
    game = kind.of_deck(2, deck.tolist(), seed=seed % SEED_LIMIT, policies=policy)
    _settle(game)
    for place in path:
        game.fire(*game.events().legal[place])
        _settle(game)
    return game


def path_of(trail: Array, last: int) -> tuple[int, list[int]]:
    """The number of the deal, and the places of the moves up to a move that is noted in `trail`."""
    path = []
    while last >= 0:
        last, place = trail[last].tolist()
        path.append(place)
    return -1 - last, path[::-1]


def _settle(game: Any) -> None:
    while game.outcome is None and game.is_forced:
        game.step()


def asked(game: Any, policy: Policy) -> Array:
    """The chances of the moves of a player in a game. Raises ValueError."""
    legal = game.events().legal
    chances: Array = np.zeros(len(legal))
    if policy.lays_first:
        laying = [offer.trigger for offer in game.plans[game.phase].offers if offer.lays]
        chances[[place for place, move in enumerate(legal) if move.trigger in laying] or slice(None)] = 1
        chances /= chances.sum()
        return chances
    assert isinstance(policy, SteppedPolicy)
    move = chosen_move(policy, game)
    if move not in legal:
        raise ValueError(
            f"policy {policy.name} chooses {move}, which is not legal at {game.position()}; fix the policy"
        )
    chances[legal.index(move)] = 1
    return chances
