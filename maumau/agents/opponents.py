"""Who plays the seats that do not learn: policies of the game in machine code, all other players in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, TypeAlias

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import SteppedPolicy
from fsm.edge.numbers import Array, Notify, np, of_type, real
from maumau.agents.compiled.batches import CERTAIN, LEARNING, SeatArrays, SlotArrays, drawn
from maumau.agents.layout import ObservationLayout, layout
from maumau.agents.observed import ObservingPolicy
from rules.notation import shown

Player: TypeAlias = Any
"""A player, as `player_of` takes it."""
Seated: TypeAlias = Player | Mapping[Player, float]
"""Who plays at a seat: a player, or several with the probability of each."""
Players: TypeAlias = Seated | Sequence[Seated]
"""Who plays: one for all seats, or one for each."""
ASKED_PATIENCE = 1_000
"""Games of a slot in a row without a decision of a learning seat after which a batch with such players gives up."""
CLOSE_TO_ONE = 1e-6
"""How far the sum of probabilities may be from 1."""


class Opponents:
    """The players of the seats that do not learn.

    At a seat with several players one of them is drawn for each game, by its number and the seed. compiled: the
    policies that choose in machine code. asked: the players that choose in Python. players: how many seats there are.
    given: what they were made of.
    """

    def __init__(self, game: Declaration, players: int, others: Players) -> None:
        """Find the players of a game. others: `player_of` says what names one. Raises TypeError, ValueError."""
        self.players, self.given = players, others
        listed = isinstance(others, Sequence) and not isinstance(others, str)
        each: Any = others if listed else [others]
        chances = [_chances(game, seated) for seated in each or [None]]
        game.seated(players, [next(iter(one)) for one in chances])
        self._chances = chances * players if len(chances) == 1 else chances
        distinct = dict.fromkeys(policy for one in chances for policy in one)
        self.asked = tuple(policy for policy in distinct if isinstance(policy, SteppedPolicy))
        self.compiled = tuple(policy for policy in distinct if policy not in self.asked)
        for policy in self.asked:
            policy.check_players(players)
        self._bounds = [_bounds([*one.values()]) for one in self._chances]

    @property
    def observe(self) -> bool:
        """Whether all choose by what they observe, so that they make the same moves when a game is played again."""
        return all(isinstance(policy, ObservingPolicy) for policy in self.asked)

    @property
    def only(self) -> Policy | None:
        """The policy that all seats have in every game, if it is one that chooses in machine code."""
        return self.compiled[0] if len(self.compiled) == 1 and not self.asked else None

    def __str__(self) -> str:
        """The names of the players, with their probabilities where one is drawn; those of the seats, if they differ."""
        each = []
        for one in self._chances:
            names = (f"{policy.name} ({chance:.3g})" if len(one) > 1 else policy.name for policy, chance in one.items())
            each.append(" or ".join(names))
        return ", ".join(each if len(set(each)) > 1 else each[:1])

    def prepare(self, notify: Notify | None) -> None:
        """Do what takes time before the first game, such as compiling a search. notify: called before that."""
        for policy in self.asked:
            policy.prepare(self.players, notify)

    def policies(self, seed: int, number: int) -> list[Policy]:
        """Return the policy of each seat in game `number` of `seed`."""
        return [
            [*one][drawn(bounds, seed, number, seat)]
            for seat, (one, bounds) in enumerate(zip(self._chances, self._bounds, strict=True))
        ]

    def deciders(self, seed: int, number: int) -> list[int]:
        """Return who decides at each seat in game `number` of `seed`, as batches read it."""
        return [self._decider(policy) for policy in self.policies(seed, number)]

    def seats(self, learner: int | None) -> SeatArrays:
        """Return who plays, as batches read it. learner: the seat that learns, from 0; None: the seats in turn."""
        most, seats = max(map(len, self._bounds)), self.players
        players, bounds = np.zeros((seats, most), np.int64), np.full((seats, most), CERTAIN)
        for seat, one in enumerate(self._chances):
            players[seat, : len(one)] = [self._decider(policy) for policy in one]
            bounds[seat, : len(one)] = self._bounds[seat]
        learning = np.eye(seats, dtype=np.int64)
        return SeatArrays(learning if learner is None else learning[[learner] * seats], players, bounds)

    def _decider(self, policy: Policy) -> int:
        if isinstance(policy, SteppedPolicy):
            return LEARNING - 1 - self.asked.index(policy)
        return LEARNING + 1 + self.compiled.index(policy)

    def ask(self, slots: SlotArrays, shape: ObservationLayout, step: Callable[[int], int]) -> int:
        """Write the actions of players that are computed in Python; how many there are.

        slots: the games. shape: what is observed; those who choose by it see it without the last events. step: lets the
        player choose in the stepped game of a slot, and returns the action. Raises what a player raises, and
        IllegalMove for an action that is not legal.
        """
        deciders = slots.deciders[np.arange(len(slots.acting)), slots.acting]
        for decider in np.unique(deciders[deciders < LEARNING]):
            policy, rows = self.asked[LEARNING - 1 - decider], (deciders == decider).nonzero()[0]
            if isinstance(policy, ObservingPolicy):
                seen = shape.without_past(slots.observations[rows])
                slots.actions[rows] = policy.actions(self.players, seen, slots.masks[rows])
            else:
                slots.actions[rows] = [step(int(row)) for row in rows]
        return int((deciders < LEARNING).sum())


def opponents_of(
    game: Declaration, players: int, others: Players | Opponents, shape: ObservationLayout | None = None
) -> Opponents | None:
    """Return the players of the seats that do not learn; None for None. shape: what is observed, if not the usual.

    Raises TypeError, ValueError.
    """
    found = others if others is None or isinstance(others, Opponents) else Opponents(game, players, others)
    reads = [each.name for each in found.asked if isinstance(each, ObservingPolicy)] if found and shape else []
    if reads and shape and shape.fields != layout(game, players, events=shape.events).fields:
        raise ValueError(f"others: {reads[0]} reads observations with memory=True; use this or another player")
    return found


def player_of(game: Declaration, player: Player) -> Policy:
    """Return the policy of a game that a player stands for.

    player: a name, as on the command line, also `FILE.py:NAME`; a policy; a function of a view that returns a move; a
    `Net`; a `Search`; None for the default. Raises TypeError, or ValueError, which lists what may be used.
    """
    if isinstance(player, str) and all(player != policy.name for policy in game.policies):
        from fsm.outside import named_player  # with all that edits games

        player = named_player(player)
    return game.policy(player, more=", FILE.py:NAME, a Net or a Search")


def _chances(game: Declaration, seated: Any) -> dict[Policy, float]:
    """The players of a seat, with the probability of each. Raises TypeError, ValueError."""
    if not isinstance(seated, Mapping):
        return {player_of(game, seated): 1.0}
    found = dict(_checked(game, seated))
    if abs(sum(found.values()) - 1) > CLOSE_TO_ONE:
        raise ValueError(f"others: the probabilities add up to {sum(found.values()):g}; use some that add up to 1")
    return {policy: chance for policy, chance in found.items() if chance > 0}


def _checked(game: Declaration, seated: Mapping[Any, Any]) -> Iterator[tuple[Policy, float]]:
    for player, chance in seated.items():
        of_type("others", chance, (int, float, np.number), "a probability of each player")
        if not (isfinite(chance) and 0 <= (plain := real("others", chance)) <= 1):
            raise ValueError(f"others: the probability {chance} of {shown(player)} is out of range; use 0 to 1")
        yield player_of(game, player), plain


def _bounds(chances: Sequence[float]) -> Array:
    """The bounds of `SeatArrays` for players with these probabilities."""
    sums = np.cumsum(chances) / sum(chances)
    return np.array([*(int(each * CERTAIN) for each in sums[:-1]), CERTAIN], np.int64)
