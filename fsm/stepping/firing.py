"""What is stepped along a chart, a game or a match: its table, its phase, every event that was fired, and undo."""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from fsm.declaration.arcs import Arc, Phase
from fsm.stepping.fast_machine import FastMachine
from fsm.stepping.moves import IllegalMove
from fsm.table.fields import Snapshot, TableFields

S = TypeVar("S", bound=Any)
"""The type of an event that was fired: it has `source` and `dest`, its phases, and `trigger`."""
NOT_COPIED = ("machine", "in_hook")
"""Attributes that are not copied: the machine with the hooks of one game, and whether a hook is running."""


class Undone(NamedTuple, Generic[S]):
    """An event that was taken back, the table as it was after it, and what else was there besides the table."""

    step: S
    table: Snapshot
    besides: Any = None


class Firing(Generic[S]):
    """A table and a phase, and how they came about. `history` holds all events, the first one first.

    Every event is one `trigger` on the machine, by `_fire`, and events alone change `phase`. All games of a class share
    it, except for those that have hooks of their own.
    """

    what: ClassVar[str] = "game"
    machine: FastMachine
    table: Any
    history: list[S]
    in_hook = False
    _phase: Phase
    _past: list[Snapshot]
    _undone: list[Undone[S]]
    _fired: tuple[Snapshot, str | None] | None = None
    """The table before the event that is being fired, and the decision rule that chose it."""
    layout: ClassVar[TableFields]

    def _refuse_phase(self, phase: object) -> None:
        raise AttributeError("phase: only events change it; fire an event")

    phase: Phase = property(  # type: ignore[assignment]  # quicker than a method that reads it
        attrgetter("_phase"), _refuse_phase, doc="The phase, which events alone change."
    )

    def _begin(self, table: Any, phase: Phase) -> None:
        """Start without events."""
        self.table = table
        self._phase = phase
        self.history, self._past, self._undone = [], [], []

    def undo(self) -> S:
        """Take back the last event and return it. Raises IllegalMove at the start."""
        self._check_no_hook()
        if not self.history:
            raise IllegalMove("nothing to undo: no event has been fired yet")
        step = self.history[-1]
        self._undone.append(Undone(step, self.layout.take(self.table)))
        self._restore(len(self.history) - 1, self._past[-1], step.source)
        return step

    def redo(self) -> S:
        """Fire the event again that was taken back last, and return it; hooks are not called.

        Raises IllegalMove if none was taken back since the last event was fired.
        """
        self._check_no_hook()
        if not self._undone:
            raise IllegalMove("nothing to redo: no event has been taken back since the last one was fired")
        undone = self._undone.pop()
        self._past.append(self.layout.take(self.table))
        self.layout.restore(self.table, undone.table)
        self._phase = undone.step.dest
        self.history.append(undone.step)
        return undone.step

    def clone(self) -> Self:
        """A copy at the same position, with the same history and players, that is independent of this one.

        Faster than dealing and stepping again; `copy.copy` and `copy.deepcopy` do the same. Raises IllegalMove in a
        hook.
        """
        self._check_no_hook()
        other = object.__new__(type(self))
        vars(other).update((name, value) for name, value in vars(self).items() if name not in NOT_COPIED)
        other.table = self.layout.copy(self.table)
        other.history, other._past, other._undone = self.history[:], self._past[:], self._undone[:]
        return other

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()

    # ---------------------------------------------------------------- firing

    def _fire(self, trigger: str, rule: str | None, dice: int = 0) -> S | None:
        """Fire an event whose card and value lie on the table; None, and nothing changed, if no arc is enabled.

        dice: how many were rolled to choose it; the table before it does not count them.
        """
        if self.in_hook:
            self._check_no_hook()
        table, source, events = self.table, self._phase, len(self._past)
        past = self.layout.take(table)
        self._fired = past, rule
        if dice:
            table.rolls += dice
        try:
            fired = self.machine.events[trigger].trigger(self, table)
        except BaseException:  # of a hook
            self._restore(events, past, source)
            raise
        finally:
            self._fired = None
        if not fired:
            if dice or len(self.history) > events:  # a hook for exceptions has taken that of another hook
                self._restore(events, past, source)
            return None
        if self._undone:
            self._undone.clear()
        return self.history[-1]

    def foresee_arc(self, arc: Arc) -> None:
        """Put the step of `arc`, whose event will take place, into the history, where its first hooks find it."""
        if self._fired is None:
            return
        before = self.layout.take(self.table)
        for effect in arc.before:
            effect(self.table)
        self.history.append(self._step_of(arc, *self._fired))
        self.layout.restore(self.table, before)

    def record_arc(self, arc: Arc) -> None:
        """Go on to the phase to which `arc` leads, and put the step of its event into the history."""
        self._phase = arc.dest
        if (fired := self._fired) is None:
            return
        if len(self.history) == len(self._past):
            self.history.append(self._step_of(arc, *fired))
        self._past.append(fired[0])
        self._arrive()

    def _restore(self, events: int, past: Snapshot, source: Phase) -> None:
        """Leave everything as it was after the first `events` events, in the phase `source` with the table `past`."""
        del self.history[events:], self._past[events:]
        self.layout.restore(self.table, past)
        self._phase = source
        self._forget(events)

    def _check_no_hook(self) -> None:
        """Raise IllegalMove while a hook runs: the event that it belongs to is not over."""
        if self.in_hook:
            raise IllegalMove(f"an event is being fired: a hook cannot step or copy the {self.what}; only look at it")

    # ---------------------------------------------------------------- what is kept besides the table

    def _step_of(self, arc: Arc, past: Snapshot, rule: str | None) -> S:
        """The event that fires `arc`, whose effects are on the table. past: the table before it."""
        raise NotImplementedError

    def _arrive(self) -> None:
        """Do what an event does besides its effects, in the phase to which it leads."""

    def _forget(self, events: int) -> None:
        """Take back what came after the first `events` events, besides the table."""


class Repetitions:
    """Remembers the positions at the start of turns, by the number of events before them.

    Unless the rules end a game at once where a position returns, a repeated position proves that the game is endless
    only if all that has happened since it was there last will happen again. Then the number of dice rolled is part of
    the compared position.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, int] = {}
        self._noted: list[tuple[int, Hashable, int | None]] = []

    def clone(self) -> Repetitions:
        """An independent copy."""
        other = Repetitions()
        other._last, other._noted = self._last.copy(), self._noted[:]
        return other

    def note(self, position: Hashable, at: int) -> None:
        """Remember the position after `at` events, once."""
        if not self._noted or self._noted[-1][0] < at:
            self._noted.append((at, position, self._last.get(position)))
            self._last[position] = at

    @property
    def before(self) -> int | None:
        """The number of events after which the position that was noted last was there before; None if it was not."""
        return self._noted[-1][-1] if self._noted else None

    def undo(self, at: int) -> None:
        """Forget what came after the first `at` events."""
        while self._noted and self._noted[-1][0] > at:
            _, position, before = self._noted.pop()
            if before is None:
                del self._last[position]
            else:
                self._last[position] = before
