"""The `transitions` machine of a declaration: one for all games of the kind."""

from __future__ import annotations

from itertools import chain
from typing import Any

from transitions import Event, EventData, Machine, State, Transition

from fsm.arcs import Arc, Phase
from fsm.declaration import Declaration


class ArcState(State):
    """A phase as a state: it keeps its name at hand, and passes through at once where nobody hooks in."""

    name: str = ""  # a property of the base class, looked up at every event

    def __init__(self, name: Phase, *arguments: Any, **options: Any) -> None:
        super().__init__(name, *arguments, **options)
        self.name = name.name

    def enter(self, event_data: EventData) -> None:
        """Run the callbacks of entering, if there are any."""
        if self.on_enter:
            super().enter(event_data)

    def exit(self, event_data: EventData) -> None:
        """Run the callbacks of leaving, if there are any."""
        if self.on_exit:
            super().exit(event_data)


class ArcTransition(Transition):
    """A transition that knows its arc and leaves the arc it fired in the model's `fired`.

    It does what its base class does, in the same order; guards and callbacks are called as the plain functions that
    they are, with the event's arguments, and nothing is looked up or logged for hooks that nobody uses: that takes
    more than half of the time of an event.
    """

    arc: Arc
    ends: tuple[ArcState, ArcState]

    def execute(self, event_data: EventData) -> bool:
        """Fire if the guards let it; whether it was fired."""
        machine = event_data.machine
        arguments = event_data.args
        arc = self.arc
        if self.prepare:
            machine.callbacks(self.prepare, event_data)
        if not arc.enabled(*arguments):
            return False
        if machine.before_state_change:
            machine.callbacks(machine.before_state_change, event_data)
        for callback in self.before:
            callback(*arguments)
        event_data.model.fired = arc
        self._change_state(event_data)
        if self.after or machine.after_state_change:
            machine.callbacks(chain(self.after, machine.after_state_change), event_data)
        return True

    def _change_state(self, event_data: EventData) -> None:
        source, dest = self.ends
        source.exit(event_data)
        event_data.machine.set_state(dest, event_data.model)
        event_data.state = dest
        dest.enter(event_data)
        if dest.final:
            event_data.machine.callbacks(event_data.machine.on_final, event_data)


class ArcEvent(Event):
    """An event that tries its transitions in their order, as its base class does, and goes straight at it where
    there is no queue and nobody wants to hear of errors or of the end of the event.
    """

    def trigger(self, model: Any, *arguments: Any, **named: Any) -> bool:
        """Try the transitions that leave the phase of `model`; whether one was fired.

        Raises MachineError if none leaves it.
        """
        machine = self.machine
        if machine.has_queue or machine.on_exception or machine.finalize_event:
            return bool(super().trigger(model, *arguments, **named))
        event_data = EventData(machine.get_model_state(model), self, machine, model, arguments, named)
        if self._is_valid_source(event_data.state):
            self._process(event_data)
        return bool(event_data.result)

    def _process(self, event_data: EventData) -> None:
        self.machine.callbacks(self.machine.prepare_event, event_data)
        for transition in self.transitions[event_data.state.name]:
            event_data.transition = transition
            if transition.execute(event_data):
                event_data.result = True
                break


class ArcMachine(Machine):
    """A machine without a model of its own: any object with `phase` and `fired` can be stepped along the arcs."""

    state_cls = ArcState
    transition_cls = ArcTransition
    event_cls = ArcEvent

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._by_phase: dict[Phase | str, ArcState] = {}
        super().__init__(*arguments, **options)
        self._by_phase |= {state.value: state for state in self.states.values()}

    def get_state(self, state: Phase | str) -> ArcState:
        """The state of a phase. Raises ValueError if it is none of this machine's."""
        try:
            return self._by_phase[state]
        except KeyError:
            return super().get_state(state)  # type: ignore[no-any-return]

    def get_model_state(self, model: Any) -> ArcState:
        """The state of `model`."""
        return self._by_phase[model.phase]

    def set_state(self, state: Phase | ArcState, model: Any = None) -> None:
        """Put `model` into a state: the one place where a phase is assigned."""
        found = state if isinstance(state, ArcState) else self.get_state(state)
        model.phase = found.value

    def callbacks(self, funcs: Any, event_data: EventData) -> None:
        """Run the callbacks, if there are any."""
        if funcs:
            super().callbacks(funcs, event_data)


def machine_of(game: Declaration) -> ArcMachine:
    """The machine with the phases of `game` as states and its arcs as transitions, in their order.

    Fire its events with `machine.events[trigger].trigger(model, table)`.
    """
    machine = ArcMachine(
        model=None,
        states=game.phases,
        initial=game.initial,
        auto_transitions=False,
        model_attribute="phase",
        name=game.name,
    )
    machine.get_state(game.final).final = True
    for arc in game.arcs:
        machine.add_transition(
            arc.trigger, arc.source, arc.dest, conditions=arc.when, unless=arc.unless, before=arc.then
        )
        transition = machine.events[arc.trigger].transitions[arc.source.name][-1]
        transition.arc = arc
        transition.ends = machine.get_state(arc.source), machine.get_state(arc.dest)
    return machine
