"""The machine of `transitions` that steps games, with the classes of `firing`, which skip hooks that nobody uses.

The reason is speed. An event with the same guards and effects takes about three times as long on the library's own
classes (`python -m benchmarks.stepping` measures it), which look up, chain and log every list of callbacks, empty or
not; a whole stepped event, with decision and history, would take about twice as long. What is fired, and in which order
hooks are called, is the same. Only public methods are overridden, and nothing private of `transitions` is used.

One thing differs from the library: a hook is called with the model (for games: the game), not with the arguments of
the event. A hook that is given by its name is a method of the model and is called without arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from inspect import ismethod
from typing import Any, TypeVar

from transitions import EventData, Machine, State, Transition
from transitions.core import listify

from fsm.declaration.arcs import Phase
from fsm.declaration.chart import Chart
from fsm.edge.numbers import of_type
from fsm.stepping.firing import HOUSE_RULE, Declared, FastEvent, FastState, FastTransition, question
from rules.notation import expected_name, shown


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
