"""A stepped game whose moves are numbers, with what each seat observes or saw; and players that choose by these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm import Game, IllegalMove
from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import SteppedPolicy
from fsm.declaration.rewards import Reward
from fsm.edge.kept import kept
from fsm.edge.numbers import Array, Notify, as_int, np, of_type
from fsm.stepping.steps import Step
from maumau.agents.actions import ActionSpace, UnsupportedGame, action_space, check_actions
from maumau.agents.compiled.batches import CHOSEN, LAST, note
from maumau.agents.compiled.past import keep_event
from maumau.agents.layout import (
    ObservationLayout,
    following,
    layout,
    notes_of,
    observing,
)
from maumau.kernels.compiler.observing import ObservingPlan
from rules.notation import shown

if TYPE_CHECKING:
    from maumau.agents.batched import BatchedGames


class Functions(NamedTuple):
    """The functions that keep the notes of a game and write observations: those that batches compile, run by Python."""

    plan: ObservingPlan
    observe: Callable[..., None]
    note: Callable[..., None]
    keep: Callable[..., None] | None = None

    def note_step(self, step: Step, table: Any, notes: list[int], discarded: bytearray) -> None:
        """Note an event, and whether a player chose it. table: as it is after the event."""
        game = self.plan.game
        if (step.source, step.trigger) in game.offered:
            space, seat = action_space(game), step.player - 1
            if self.keep:
                number = space.number(step.move(game), step.player, table.players)
                seen_by = self.plan.audience(step.source, step.trigger)
                self.keep(notes, seat, *space.factors[number].tolist(), *seen_by)
            notes[CHOSEN] += 1
            if (step.source, step.trigger) in game.seen_by_all:
                notes[LAST + seat] = 1 + space.triggers.index(step.trigger)
        self.note(table, notes, discarded, int(step.arc in game.rolling_arcs))


@kept
def functions_of(game: Declaration, players: int, memory: bool = True, events: int = 0, /) -> Functions:
    """The functions of a game with a number of players. memory, events: as for `layout`."""
    plan = observing(layout(game, players, memory, events))
    constants = {"KIND": plan.kinds, **following(game, events)}
    return Functions(plan, *plan.in_python(constants, note, *([keep_event] if events else [])))


class Observed:
    """A stepped game with what its seats know.

    game: the game; step it only by the methods of this class. actions, layout: what numbers and observations mean.

    >>> from fsm import MauMau
    >>> observed = Observed(MauMau.deal(players=3, seed=7))
    >>> observed.advance()
    >>> [observed.actions.text(number) for number in observed.legal()]
    ['play HK', 'play SE', 'play CE', 'draw']
    >>> observed.act(observed.legal()[0]).card
    'HK'
    """

    def __init__(self, game: Game, memory: bool = True, events: int = 0) -> None:
        """Take over a game, with its history. memory, events: as for `layout`. Raises TypeError, ValueError."""
        of_type("game", game, Game, "a stepped game")
        shape = layout(game.declaration, game.players, memory, events)
        self.__setstate__((game, *notes_of_game(game, shape.events), shape.memory, shape.events))

    def clone(self) -> Observed:
        """Return an independent copy, as `Game.clone` does; `copy.copy` and `copy.deepcopy` do the same."""
        return deepcopy(self)

    __copy__ = clone

    def __getstate__(self) -> tuple[Game, list[int], bytearray, bool, int]:
        return self.game, self._notes, self._discarded, self.layout.memory, self.layout.events

    def __setstate__(self, state: tuple[Game, list[int], bytearray, bool, int]) -> None:
        """Take over a game with the notes on its history."""
        self.game, self._notes, self._discarded, memory, events = state
        game = self.game
        self.actions: ActionSpace = action_space(game.declaration)
        self.layout: ObservationLayout = layout(game.declaration, game.players, memory, events)
        self._functions = functions_of(game.declaration, game.players, memory, events)

    @property
    def seat(self) -> int:
        """The seat that acts, from 0."""
        return self.game.player - 1

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.phase is self.game.declaration.final

    @property
    def chosen(self) -> int:
        """How many events the players have chosen."""
        return self._notes[CHOSEN]

    def legal(self) -> list[int]:
        """Return the numbers of the legal actions, ascending; empty where nobody chooses."""
        return self.actions.legal(self.game)

    def mask(self) -> bytes:
        """Return 1 for each legal action, 0 for the others."""
        legal = set(self.legal())
        return bytes(number in legal for number in range(len(self.actions)))

    def observation(self, seat: int, acts: bool = True) -> bytes:
        """Return what `seat` (from 0) sees and knows: a number for each index of the layout.

        acts: whether it sees that it is asked, where it is. Raises TypeError, or ValueError for a seat that is not
        there.
        """
        seat = as_int("seat", seat, 0, self.game.players - 1)
        line = bytearray(self.layout.width)
        game, table = self.game.declaration, self.game.table
        phase = game.phase_numbers[game.phase_seen(self.game.phase, acts=acts and seat == table.player)]
        self._functions.observe(table, phase, seat, self._notes, self._discarded, line)
        return bytes(line)

    def act(self, number: int) -> Step:
        """Fire action `number` of the player who acts.

        Raises IllegalMove with the reason, TypeError for anything but a whole number.
        """
        if not 0 <= (number := as_int("action", number)) < len(self.actions):
            raise IllegalMove(f"action {shown(number)} is out of range; use 0 to {len(self.actions) - 1}")
        move = self.actions.move(number, self.game.player, self.game.players)
        return self._noted(self.game.fire(move))

    def step(self) -> Step:
        """Fire the next event: what is forced, or what the policy of the player chooses."""
        return self._noted(self.game.step())

    def advance(self) -> None:
        """Fire what is forced, up to the next choice or the end."""
        while not self.over and not self.actions.chooses(self.game):
            self.step()

    def _noted(self, step: Step) -> Step:
        self._functions.note_step(step, self.game.table, self._notes, self._discarded)
        return step


def notes_of_game(game: Game, events: int = 0) -> tuple[list[int], bytearray]:
    """The notes of a stepped game, and how often each card lies on the discard pile, from all events of its history.

    events: as for `layout`.
    """
    functions, tables = functions_of(game.declaration, game.players, True, events), game.tables()
    notes, discarded = (
        [0] * notes_of(game.declaration, events).length,
        bytearray(len(action_space(game.declaration).cards)),
    )
    functions.note(next(tables), notes, discarded, 0)
    for step, table in zip(game.history, tables, strict=True):
        functions.note_step(step, table, notes, discarded)
    return notes, discarded


def returns(game: Game, reward: Reward | None = None) -> list[float]:
    """The rewards of the seats: zeros while the game goes on. reward: by default that of the game."""
    if game.outcome is None:
        return [0.0] * game.players
    return [*game.declaration.rewards(game.table, reward)]


def observed_deal(kind: type[Game], players: int, seed: int, number: int = 0) -> Observed:
    """Game `number` of `seed`, at its first choice. Raises ValueError."""
    observed = Observed(kind.deal(kind.declaration.player_count(players), seed, number))
    observed.advance()
    return observed


class ObservingPolicy(SteppedPolicy):
    """A policy that chooses by the observation of the seat that acts and by the legal actions.

    A class that derives from it says how in `choose_actions`, for many games at once. name, description: as for any
    policy. choices: none. content: a hash of the file that it comes from, if it was admitted from one.

    >>> import numpy as np
    >>> from fsm import MauMau
    >>> class Eager(ObservingPolicy):
    ...     def choose_actions(self, players, observations, masks):
    ...         return masks.argmax(axis=1)  # the legal action with the smallest number
    >>> MauMau.deal(2, seed=7, policies=(Eager("eager"), "house")).run().winner
    2
    """

    def choose_actions(self, players: int, observations: Array, masks: Array) -> Array:
        """Return the action for each row, in games of `players`: integers, shape (rows,).

        observations, masks: those of `Batch`. Each action must depend only on its own row.
        """
        raise NotImplementedError

    def actions(self, players: int, observations: Array, masks: Array) -> Array:
        """Return what `choose_actions` chooses, checked against the masks.

        players: how many. observations: a row for each game. masks: 1 for each legal action, a row for each game.
        Raises IllegalMove for an action that is not legal, and what `choose_actions` raises, by way of `guard`.
        """
        with self.guard():
            chosen = self.choose_actions(players, observations, masks.copy())
            check_actions(self.name, chosen, masks)
        return chosen

    def choose(self, game: Any) -> Any:
        """Return the move that this policy chooses in the stepped game `game`."""
        observed = Observed(game)
        observation, mask = (
            np.array([[*line]], np.uint8) for line in (observed.observation(observed.seat), observed.mask())
        )
        (action,) = self.actions(game.players, observation, mask)
        return observed.actions.move(int(action), game.player, game.players)

    def side_by_side(
        self, game: Declaration, players: int, policies: Sequence[Policy], seed: int, notify: Notify | None = None
    ) -> BatchedGames | None:
        """Return what plays these policies with those of the game; None with others, and without llvmlite.

        game: the declaration. players: how many. policies: that of each seat. seed: of the decks and the dice. notify:
        called when machine code has to be compiled.
        """
        from maumau.agents.batched import BatchedGames
        from maumau.kernels.compiler.machine_code import why_no_compiler

        if not all(isinstance(policy, ObservingPolicy) or policy in game.policies for policy in policies):
            return None
        if why_no_compiler():
            return None
        try:
            action_space(game), layout(game, players)
        except UnsupportedGame:
            return None
        return BatchedGames(game, players, policies, seed, notify)
