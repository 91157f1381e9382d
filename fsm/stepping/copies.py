"""Independent copies of a game: clones, and games that are pickled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, Self

from fsm.declaration.arcs import Arc, Policy
from fsm.declaration.policy import FunctionPolicy, RecordedPolicy
from fsm.stepping.history import SEEN, Undone
from fsm.stepping.snapshot import Snapshot
from fsm.stepping.stepped import Stepped
from fsm.stepping.steps import Scene, Step, told_from_past

NOT_COPIED = ("machine", "in_hook", SEEN)
"""Attributes that are not copied: the machine with the hooks of one game, whether a hook is running, what seats saw."""

StepState = tuple[int, int, str | None, dict[str, Any], str | None]
"""A step with the number of its arc: arc, player, card, value, rule."""


class Copies(Stepped):
    """How a game is copied. The hooks of one game are not copied, those of its class hold for every game."""

    def clone(self) -> Self:
        """A copy at the same position, with the same history and players, that is independent of this one.

        Faster than dealing and stepping again; `copy.copy` and `copy.deepcopy` do the same. Raises IllegalMove in a
        hook.
        """
        self._check_no_hook()
        other = object.__new__(type(self))
        vars(other).update((name, value) for name, value in vars(self).items() if name not in NOT_COPIED)
        other.table = self._snapshots.copy(self.table)
        other.history, other._past, other._undone = self.history[:], self._past[:], self._undone[:]
        other.policies, other._hands = self.policies[:], self._hands[:]
        other._repetitions = self._repetitions.clone()
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: arcs by their numbers in the declaration, policies by name, or as functions."""
        self._check_no_hook()
        numbers = {arc: number for number, arc in enumerate(self.declaration.arcs)}
        state = {name: value for name, value in vars(self).items() if name not in NOT_COPIED}
        del state["_scene"]
        state["history"] = [_state_of(step, numbers) for step in self.history]
        state["_undone"] = [(_state_of(step, numbers), table) for step, table in self._undone]
        state["policies"] = pickled_policies(self.policies)
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self.policies = [self.declaration.policy(name) for name in state["policies"]]
        self._scene = Scene(self.declaration, self.opening_card, tuple(policy.name for policy in self.policies))
        after = [table for _, table in state["_undone"]]
        before = [*after, self._snapshots.take(self.table)][1:]
        self.history = self._steps_of(state["history"], self._past)
        self._undone = list(map(Undone, self._steps_of([step for step, _ in state["_undone"]], before), after))

    def _steps_of(self, states: Sequence[StepState], before: Sequence[Snapshot]) -> list[Step]:
        """Steps from their pickled states, and the table before each."""
        scenes = (
            map(self._scene.after, before) if told_from_past(self.declaration) else repeat(self._scene, len(states))
        )
        return [_step_of(state, self.declaration.arcs, scene) for state, scene in zip(states, scenes, strict=True)]


def pickled_policies(policies: Iterable[Policy]) -> list[Any]:
    """What is pickled in place of policies: their names, or what only this process or a record knows."""
    return list(map(_pickled, policies))


def _pickled(policy: Policy) -> Any:
    if isinstance(policy, FunctionPolicy) and not policy.content:
        return policy.decide
    return policy if isinstance(policy, RecordedPolicy) else policy.name


def _state_of(step: Step, numbers: Mapping[Arc, int]) -> StepState:
    return numbers[step.arc], step.player, step.card, _value_of(step), step.rule


def _value_of(step: Step) -> dict[str, Any]:
    return {str(kind): value for kind, value in step.named.items()}


def _step_of(state: StepState, arcs: tuple[Arc, ...], scene: Scene) -> Step:
    number, player, card, value, rule = state
    arc = arcs[number]
    step = Step(arc.trigger, arc.source, arc.dest, player, card, None, arc, rule, scene)
    return step._replace(**value) if value else step
