"""The machine of `transitions` that steps games, with classes that skip the hooks which nobody uses.

The reason is speed. An event with the same guards and effects takes about three times as long on the library's own
classes (`python -m benchmarks.stepping` measures it), which look up, chain and log every list of callbacks, empty or
not; a whole stepped event, with decision and history, would take about twice as long. What is fired, and in which order
hooks are called, is the same. Only public methods are overridden, and nothing private of `transitions` is used.

One thing differs from the library: a hook is called with the model (for games: the game), not with the arguments of
the event. A hook that is given by its name is a method of the model and is called without arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from inspect import ismethod
from itertools import chain
from typing import Any, TypeVar

from transitions import Event, EventData, Machine, State, Transition
from transitions.core import Condition, listify

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.chart import Chart
from fsm.edge.numbers import of_type
from rules.notation import expected_name, shown
from rules.rule import Guard


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

    def has_hooks(self) -> bool:
        """Whether a hook is called when it is fired."""
        machine, (source, dest) = self.machine, self.ends
        return bool(
            self.before or self.after or source.on_exit or dest.on_enter or machine.before_state_change
            or machine.after_state_change or (machine.on_final and dest.final)
        )  # fmt: skip

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
                event_data = None
                if found.has_hooks():
                    event_data = EventData(machine.states[model.phase], self, machine, model, arguments, named)
                    event_data.transition = found
                found.fire(model, table, event_data)
                return True
        return False


class HookList:
    """A list of hooks of a machine. The library has a property here, which is a call more whenever it is read."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.attribute = name

    def __set__(self, machine: Machine, hooks: Any) -> None:
        vars(machine)[self.attribute] = listify(hooks)


def while_made(name: str) -> Callable[..., Any]:
    """The method of the library of a name, which changes states or transitions; refused once the machine is made."""

    def change(machine: FastMachine, *arguments: Any, **named: Any) -> Any:
        if machine.is_made:
            raise TypeError(f"{name}: only a declaration can change this machine; {HOUSE_RULE}")
        return getattr(super(FastMachine, machine), name)(*arguments, **named)

    return change


class FastMachine(Machine):
    """A machine without a model of its own: any object with `phase` and `table` can be registered and stepped.

    Each method takes a phase, or its name as positions and diagrams write it: `await-play`. In the name of a method it
    is an identifier: `on_enter_await_play`.
    """

    state_cls = FastState
    transition_cls = FastTransition
    event_cls = FastEvent

    prepare_event = HookList()
    before_state_change = HookList()
    after_state_change = HookList()
    finalize_event = HookList()
    on_exception = HookList()

    states: dict[str, FastState]
    is_made = False

    @property
    def initial(self) -> str:
        """The name of the initial phase."""
        return str(super().initial)

    @initial.setter
    def initial(self, phase: str) -> None:
        if self.is_made:
            raise TypeError(f"initial: only a declaration can change this machine; {HOUSE_RULE}")
        Machine.initial.fset(self, phase)

    add_states, add_transition, remove_transition = map(
        while_made, ("add_states", "add_transition", "remove_transition")
    )

    def __getattr__(self, name: str) -> Any:
        """What attaches a hook: `after_play`, or `on_enter_await_play` for the phase await-play."""
        for kind in ("enter", "exit"):
            if name.startswith(f"on_{kind}_"):
                for state in self.states.values():
                    if name == f"on_{kind}_{state.value.identifier}":
                        return partial(state.add_callback, kind)
                raise AttributeError(f"{name}: unknown phase; use one of {', '.join(self.states)}")
        return super().__getattr__(name)

    def get_state(self, state: Phase | str) -> FastState:
        """The state of a phase. Raises TypeError, or ValueError if it is none of this machine's."""
        of_type("phase", state, str, "a phase or its name")
        if state not in self.states:
            raise ValueError(f"unknown phase {shown(state)}{expected_name(state, self.states)}")
        return self.states[state]

    def is_state(self, state: Phase | str, model: Any) -> bool:
        """Whether `model` is in a phase. Raises ValueError if it is none of this machine's."""
        return self.get_state(model.phase) is self.get_state(state)

    def get_triggers(self, *phases: Phase | str | State) -> list[str]:
        """The events that leave any of some phases. Raises ValueError for a phase that is none of this machine's."""
        names = [self._state_of(phase).name for phase in phases]
        return [trigger for trigger, event in self.events.items() if any(name in event.transitions for name in names)]

    def get_transitions(
        self, trigger: str = "", source: Phase | str | State = "*", dest: Phase | str | State = "*"
    ) -> list[Transition]:
        """The transitions of an event, from a phase, to a phase, as far as they are named.

        Raises ValueError for an event or a phase that is none of this machine's.
        """
        of_type("event", trigger, str, "the name of an event")
        if trigger and trigger not in self.events:
            raise ValueError(f"unknown event {shown(trigger)}; use one of {', '.join(self.events)}")
        ends = [end if isinstance(end, str) and end == "*" else self._state_of(end).name for end in (source, dest)]
        return super().get_transitions(trigger, *ends)  # type: ignore[no-any-return]

    def _state_of(self, phase: Phase | str | State) -> State:
        return phase if isinstance(phase, State) else self.get_state(phase)

    def set_state(self, state: Phase | str | FastState, model: Any = None) -> None:
        """Put `model` into a state. Raises TypeError for a game, whose phase is that of its position."""
        found = state if isinstance(state, FastState) else self.get_state(state)
        for each in self.models if model is None else (model,):
            if not isinstance(getattr(type(each), "phase", None), property):
                each.phase = found.value
            elif each.phase is not found.value:
                kind = type(each).__name__
                raise TypeError(
                    f"set_state: a {kind} changes its phase only by events; use {kind}.at(position), the game "
                    "at any position"
                )

    def add_model(self, model: Any, initial: Phase | str | None = None) -> None:
        """Register one model or a list of them, as the library does; existing attributes of a model stay.

        A model keeps its phase, unless `initial` names another; one without a phase is put into the
        initial one. In the names of methods a phase is an identifier: `is_await_play`, `on_enter_await_play`.
        """
        for each in listify(model):
            super().add_model([each], initial or getattr(each, "phase", None))
            for phase, state in self.states.items():
                vars(each).pop(f"is_{self.model_attribute}_{phase}", None)  # the name that the library gives
                name = state.value.identifier
                if not hasattr(each, f"is_{name}"):
                    setattr(each, f"is_{name}", partial(self.is_state, state.value, each))
                for hooks, method in ((state.on_enter, f"on_enter_{name}"), (state.on_exit, f"on_exit_{name}")):
                    if ismethod(getattr(each, method, None)) and method not in hooks:
                        hooks.append(method)

    def callbacks(self, funcs: Iterable[Any], event_data: EventData) -> None:
        """Call hooks, each with the model, whose `in_hook` is true meanwhile."""
        event_data.model.in_hook = True
        try:
            for hook in funcs:
                self.callback(hook, event_data)
        finally:
            event_data.model.in_hook = False

    def callback(self, func: Any, event_data: EventData) -> None:
        """Call one hook with the model, or with the whole event if the machine is set to `send_event`."""
        hook = self.resolve_callable(func, event_data)
        if self.send_event:
            hook(event_data)
        elif isinstance(func, str):
            hook()
        else:
            hook(event_data.model)


def fast_machine_of(game: Chart) -> FastMachine:
    """The machine of `game` by which all games of a class are stepped."""
    machine = machine_of(game, FastMachine)
    for phase in game.phases:
        machine.states[phase].value = phase
    for trigger, event in machine.events.items():
        event.ways = {}
        for source, row in event.transitions.items():
            for transition, arc in zip(row, game.leaving(source, trigger), strict=True):
                transition.arc, transition.machine = arc, machine
                transition.ends = machine.states[arc.source], machine.states[arc.dest]
                transition.before = []  # the arc calls its effects
                transition.conditions = Declared(transition.conditions)
                transition.is_made = True
            event.ways[machine.states[source].value] = row, question(row, {})
    machine.is_made = True
    return machine


M = TypeVar("M", bound=Machine)


def machine_of(game: Chart, machine_class: type[M]) -> M:
    """The machine of `game`: its phases are the states, its arcs the transitions, in their order.

    A state is named as positions and diagrams write its phase: `await-play`.
    The machine has no model of its own; any object with an attribute `phase` can be stepped along the arcs. The guards
    of an arc become conditions, its effects callbacks before the change of state. Both take the table, which is
    therefore the argument of every event: `machine.events["draw"].trigger(model, table)`.
    """
    roles = ("trigger", "conditions", "unless", "before")
    machine: M = machine_class(
        model=None,
        states=[{"name": str(phase), "final": phase is game.final} for phase in game.phases],
        transitions=[
            {"source": str(arc.source), "dest": str(arc.dest)} | {role: getattr(arc, role) for role in roles}
            for arc in game.arcs
        ],
        initial=str(game.initial),
        auto_transitions=False,
        model_attribute="phase",
        name=game.name,
    )
    return machine
