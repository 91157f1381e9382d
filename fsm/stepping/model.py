"""A game for any machine class of `transitions`: its configuration as plain data, and the model that it steps.

from transitions import Machine

model = MauMau.model(MauMau.deck_of(players=3, seed=7), players=3)
machine = Machine(model, **MauMau.machine_config())
model.open(), model.play("HK"), model.state
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, ClassVar

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import ValueKind
from fsm.declaration.parts import SET_OF
from fsm.edge.kept import kept
from fsm.stepping.firing import Repetitions
from fsm.stepping.hooks import parameters
from fsm.stepping.moves import plans_of
from fsm.stepping.stepped import put_move
from fsm.stepping.steps import Move
from fsm.stepping.why import EventRefused
from fsm.table.fields import Snapshot
from fsm.table.layout import layout_of
from rules.rule import RuleFunction

Config = dict[str, Any]


class Model:
    """A table with the guards and effects of a game as methods, for a machine made of `machine_config`.

    The machine adds `state` (a phase as positions and diagrams write it: `await-play`), a method for each event
    (`play("SS")`, `play("5H,5S")` for a set of cards, `play("HJ", "C")` where a suit must be named, `ask(seat=2)` where
    another value must be), `may_play("SS")` and `trigger("play", "SS")`. `is_await_play()` is true in that phase.
    An event that the rules refuse answers False and changes nothing; an unknown card raises ValueError. Nothing is
    fired by itself: forced events, such as `open`, `take` and `skip`, are for the caller as well. A whole position that
    returns lets the game be abandoned.

    table: the table on which guards and effects work. kind: the class of the game.
    """

    declaration: ClassVar[Declaration]
    position_key: ClassVar[Callable[[Any], Snapshot]]
    state: str

    def __init__(self, table: Any, kind: Any) -> None:
        self.table, self._kind = table, kind
        self._repetitions = Repetitions()
        self._events = 0
        self._named: tuple[str | None, dict[str, Any]] = None, {}

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        return self.declaration.phases(self.state)

    def __reduce__(self) -> Any:
        """How a model is pickled: its class, which can be of any rules and any deck, by the class of the game."""
        state = {name: value for name, value in vars(self).items() if name != "_kind"}
        players = int(self.table.players)
        return self._kind.model, (self._kind.deck_of(players, seed=0), players), state

    def take_move(self, card: str | None = None, suit: str | None = None, **value: Any) -> None:
        """Before the guards of an event are evaluated: note its card and value. Raises ValueError for unknown ones."""
        codec, table = self.declaration.codec, self.table
        notation = codec.notation
        values = value if suit is None else {"suit": suit, **value}
        self._named = card, values
        if card is not None:
            for name in card.split(SET_OF) if codec.sets and isinstance(card, str) else [card]:
                notation.card(name)
        for kind in (ValueKind.SUIT, *self.declaration.own_kinds):
            if kind in values:
                kind.to_code(notation, values[kind], table.players)
        if self.declaration.control[self.phase].may_return:
            self._repetitions.note((self.phase, type(self).position_key(table)), self._events)
            table.returned = int(self._repetitions.before is not None)

    def count_event(self, *named: Any, **value: Any) -> None:
        """After an event: count it."""
        self._events += 1

    def names_nothing(self, *named: Any, **value: Any) -> bool:
        """Whether neither a card nor a value is named with an event that takes none."""
        return self._named == (None, {})

    def _names_what_it_takes(self, trigger: str) -> bool:
        """Whether what is named may be meant with the event, whose card and value then lie on the table."""
        card, values = self._named
        game = self.declaration
        try:
            put_move(game, plans_of(game)[self.phase], self.table, Move(trigger, card, **values))
        except (EventRefused, TypeError):  # a value of a kind that no game names
            return False
        return True


@kept
def model_class(game: Declaration) -> type[Model]:
    """The class of the models of `game`: `Model` with a method for each guard and effect."""
    methods: dict[str, Any] = {_naming(game, trigger): _naming_method(trigger) for trigger in _naming_events(game)}
    methods |= {f"is_{phase.identifier}": _is(phase) for phase in game.phases if "-" in phase}
    methods |= {name: _method(function) for function, name in method_names(game).items()}
    facts = {
        "declaration": game,
        "position_key": staticmethod(layout_of(game).returning_key()),
        "__doc__": Model.__doc__,
    }
    return type(f"{re.sub(r'[^0-9A-Za-z]', '', game.title)}Model", (Model,), methods | facts)


def machine_config(game: Declaration) -> Config:
    """The keyword arguments that make a machine of `game`: plain data, with guards and effects as method names.

    States are named as positions and diagrams write phases: `await-play`. Each transition has besides the guards of its
    arc one that looks at what is named with the event.
    """
    names = method_names(game)
    return {
        "states": [{"name": str(phase), "final": phase is game.final} for phase in game.phases],
        "initial": str(game.initial),
        "transitions": [
            {
                "trigger": arc.trigger,
                "source": str(arc.source),
                "dest": str(arc.dest),
                "conditions": [_named_with(game, arc.source, arc.trigger), *(names[guard] for guard in arc.conditions)],
                "unless": [names[guard] for guard in arc.unless],
                "before": [names[effect] for effect in arc.before],
            }
            for arc in game.arcs
        ],
        "prepare_event": ["take_move"],
        "after_state_change": ["count_event"],
        "auto_transitions": False,
        "send_event": False,
    }


def method_names(game: Declaration) -> dict[RuleFunction, str]:
    """The method of each guard and effect: its name, and more where an event, a question or another rule has it.

    The guard `may_draw` becomes `may_draw_guard`, as `may_draw` returns whether the event `draw` is permitted.
    """
    taken = {*dir(Model), "state", *game.triggers, *(_naming(game, trigger) for trigger in _naming_events(game))}
    taken |= {f"{kind}_{phase.identifier}" for phase in game.phases for kind in ("is", "on_enter", "on_exit")}
    taken |= {f"may_{trigger}" for trigger in (*game.triggers, "trigger")} | {"trigger"}
    names: dict[RuleFunction, str] = {}
    for arc in game.arcs:
        for function in (*arc.conditions, *arc.unless, *arc.before):
            if function not in names:
                role = "effect" if function in arc.before else "guard"
                names[function] = next(name for name in _candidates(function, role) if name not in taken)
                taken.add(names[function])
    return names


def _candidates(function: RuleFunction, role: str) -> Iterator[str]:
    name = re.sub(r"\W", "", function.__name__)
    yield name
    yield f"{name}_{role}"
    yield from (f"{name}_{role}_{number}" for number in count(2))


def _method(function: RuleFunction) -> Callable[..., Any]:
    def method(self: Model, *named: Any, **value: Any) -> Any:
        return function(self.table)

    method.__doc__ = function.__doc__
    return method


def _is(phase: Phase) -> Callable[[Model], bool]:
    def is_phase(self: Model) -> bool:
        return self.phase is phase

    is_phase.__doc__ = f"Return whether the game is in the phase {phase}."
    return is_phase


def _naming(game: Declaration, trigger: str) -> str:
    return f"{trigger}_names_a_{parameters(game, trigger)[0]}"


def _naming_method(trigger: str) -> Callable[..., bool]:
    def names_what_it_takes(self: Model, *named: Any, **value: Any) -> bool:
        return self._names_what_it_takes(trigger)

    names_what_it_takes.__doc__ = Model._names_what_it_takes.__doc__
    return names_what_it_takes


def _naming_events(game: Declaration) -> list[str]:
    """The events with which a card or a value is named."""
    return [trigger for trigger in game.triggers if parameters(game, trigger)]


def _named_with(game: Declaration, phase: Phase, trigger: str) -> str:
    """The guard for what is named with an event in a phase."""
    offer = plans_of(game)[phase].offer.get(trigger)
    return _naming(game, trigger) if offer and offer.named else "names_nothing"
