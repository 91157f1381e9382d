"""What is stepped along a chart, a game or a match: its table, its phase, every event that was fired, and undo.

The events and transitions of its machine are those of `transitions`, without what takes time where nobody has a hook:
see `fsm.stepping.fast_machine`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from transitions import Event, EventData, Machine, State, Transition
from transitions.core import Condition

from fsm.declaration.arcs import Arc, Phase
from fsm.stepping.moves import IllegalMove
from fsm.table.fields import Snapshot, TableFields
from rules.rule import Guard

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
    machine: Machine
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


# ---------------------------------------------------------------- how the enabled arc of an event is found


class FastState(State):
    """A phase as a state."""

    value: Phase = None  # type: ignore[assignment]  # set by `fast_machine_of`


class FastCondition(Condition):
    """A guard that is evaluated on the table of the event or, where the event has none, of the model."""

    def check(self, event_data: EventData) -> bool:
        """Whether the guard answers as the arc demands."""
        return bool(self.func(event_data.args[0] if event_data.args else event_data.model.table)) is self.target


HOUSE_RULE = "use a house rule with ChangeArcs, AddArcs, DropArcs or AddPhase"
HOOKS_OF_EVENT = frozenset(Transition.dynamic_methods)


class Declared(tuple[FastCondition, ...]):
    """The conditions of a transition that a declaration has made, which nobody can add to."""

    __slots__ = ()

    def append(self, condition: object) -> None:
        """Raise TypeError: the guards are those of the arc."""
        raise TypeError(f"conditions: only a declaration sets the guards of this transition; {HOUSE_RULE}")

    insert = extend = append


class FastTransition(Transition):
    """A transition that calls guards and effects of its arc directly.

    `before` holds hooks only. The effects and the change of phase take place at once, after all hooks of before and of
    leaving and before all others. A model that keeps a history is told twice: `foresee_arc(arc)` before the first hook
    of an event that will take place, and `record_arc(arc)`, which changes its phase, as soon as it has taken place.
    """

    condition_cls = FastCondition
    arc: Arc
    machine: Machine
    ends: tuple[FastState, FastState]
    is_made = False

    def __setattr__(self, name: str, value: object) -> None:
        if self.is_made and name not in HOOKS_OF_EVENT:
            raise TypeError(f"{name}: only a declaration can change this transition; {HOUSE_RULE}")
        super().__setattr__(name, value)

    def execute(self, event_data: EventData) -> bool:
        """Fire the arc if its guards permit it; whether it was fired."""
        if self.prepare:
            event_data.machine.callbacks(self.prepare, event_data)
        table = event_data.args[0] if event_data.args else event_data.model.table
        if not self.arc.enabled(table):
            return False
        self.fire(event_data.model, table, event_data)
        return True

    def fire(self, model: Any, table: Any, event_data: EventData | None) -> None:
        """Fire the arc, which is enabled on `table`. event_data: None if no hook is called."""
        machine, arc, (source, dest) = self.machine, self.arc, self.ends
        if event_data is not None:
            if foresee := getattr(model, "foresee_arc", None):
                foresee(arc)
            machine.callbacks(chain(machine.before_state_change, self.before, source.on_exit), event_data)
        for effect in arc.before:
            effect(table)
        if record := getattr(model, "record_arc", None):
            record(arc)
        else:
            machine.set_state(dest, model)
        if event_data is not None:
            event_data.state = dest
            of_end = machine.on_final if dest.final else ()
            machine.callbacks(chain(dest.on_enter, of_end, self.after, machine.after_state_change), event_data)


Answers = dict[Guard[Any], bool]


class Question(dict[bool, Any]):
    """A guard, and by whether it refuses what follows: another question, the transition that is fired, or None.

    Many arcs of an event have the same guards, of which each is asked once. What follows is found at the first answer.
    """

    def __init__(self, guard: Guard[Any], transitions: Sequence[FastTransition], known: Answers) -> None:
        self.guard, self._transitions, self._known = guard, transitions, known

    def __missing__(self, refuses: bool) -> Question | FastTransition | None:
        self[refuses] = following = question(self._transitions, {**self._known, self.guard: not refuses})
        return following


def question(transitions: Sequence[FastTransition], known: Answers) -> Question | FastTransition | None:
    """What is asked first to find the first of some transitions whose guards permit it. known: answers, by guard."""
    for transition in transitions:
        arc = transition.arc
        demanded = dict.fromkeys(arc.conditions, True) | dict.fromkeys(arc.unless, False)
        if all(known.get(guard, answer) is answer for guard, answer in demanded.items()):
            unknown = next((guard for guard in demanded if guard not in known), None)
            return transition if unknown is None else Question(unknown, transitions, known)
    return None


NO_WAY = None, None


class FastEvent(Event):
    """An event that finds the arc that is enabled, without a detour where no hook is for errors."""

    ways: dict[str, tuple[Sequence[FastTransition] | None, Question | FastTransition | None]]
    """The transitions that leave each phase, and what is asked first to find the one that is fired."""

    def trigger(self, model: Any, *arguments: Any, **named: Any) -> bool:
        """Try the transitions that leave the phase of `model`; whether one was fired.

        Raises MachineError if none leaves it.
        """
        machine = self.machine
        leaving, found = self.ways.get(model.phase, NO_WAY)
        if leaving is None or machine.prepare_event or machine.finalize_event or machine.on_exception:
            return bool(super().trigger(model, *arguments, **named))
        table = arguments[0] if arguments else model.table
        while found.__class__ is Question:
            found = found[not found.guard(table)]
        for transition in leaving:
            if transition.prepare:
                return bool(super().trigger(model, *arguments, **named))
            if transition is found:
                (source, dest), event_data = found.ends, None
                if (
                    found.before or found.after or source.on_exit or dest.on_enter or machine.before_state_change
                    or machine.after_state_change or (machine.on_final and dest.final)
                ):  # fmt: skip
                    event_data = EventData(machine.states[model.phase], self, machine, model, arguments, named)
                    event_data.transition = found
                found.fire(model, table, event_data)
                return True
        return False
