"""The methods of games from their declaration: the events, `game.play("HJ", "C")`, and what `transitions` gives to
its models: hooks and queries by name, for all games of a class or for one game.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from keyword import iskeyword
from typing import Any, NamedTuple

from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.facts import ValueKind
from fsm.edge.numbers import of_type
from fsm.stepping.fast_machine import FastMachine, fast_machine_of
from fsm.stepping.steps import Move, Step

MADE = "made_from_declaration"
OR_NONE = " | None = None"
NAMED = {
    "card": "its name",
    ValueKind.SUIT: "its letter",
    ValueKind.SEAT: "a player, from 1",
    ValueKind.RANK: "its name",
    ValueKind.AMOUNT: "a number",
    ValueKind.ANSWER: "True for yes, False for no",
}
"""What is given for each thing that is named with an event, in its docstring."""


def check_events(game: Declaration, base: type) -> None:
    """Raise DeclarationError for an event that cannot be a method. base: the class of all games, for its names."""
    for trigger in game.triggers:
        if not trigger.isidentifier() or iskeyword(trigger) or trigger.startswith("_"):
            raise DeclarationError(f"{game.name}: event {trigger!r} is not a name for a method; use one like 'play'")
        if hasattr(base, trigger) or any(trigger in inspect.get_annotations(kind) for kind in base.__mro__):
            raise DeclarationError(
                f"{game.name}: event {trigger!r} is the name of a part of every game; use another one"
            )


class Method(NamedTuple):
    """A method that is made. typed: its parameters with their types. texts: the paragraphs of its docstring."""

    name: str
    typed: dict[str, str]
    returned: str
    expression: str
    texts: tuple[str, ...]


def make_methods(kind: Any, methods: Iterable[Method]) -> None:
    """Give a class the methods that it lacks, as if they were written by hand: as the standard library does for
    dataclasses. They are compiled together.
    """
    lacking = [
        each for each in methods if hasattr(getattr(kind, each.name, None), MADE) or not hasattr(kind, each.name)
    ]
    heads = (", ".join(["self", *map(": ".join, each.typed.items())]) for each in lacking)
    sources = (
        f"def {each.name}({head}) -> {each.returned}:\n    return {each.expression}\n"
        for each, head in zip(lacking, heads, strict=True)
    )
    names: dict[str, Any] = {"Step": Step, "Move": Move}
    exec(compile("".join(sources), "<made from the declaration>", "exec", dont_inherit=True), names)
    for each in lacking:
        method = names[each.name]
        method.__qualname__, method.__module__ = f"{kind.__qualname__}.{each.name}", kind.__module__
        method.__doc__ = "\n\n".join(each.texts)
        setattr(method, MADE, True)
        setattr(kind, each.name, method)


def parameters(game: Declaration, trigger: str) -> tuple[str, ...]:
    """What is named with an event, as `Game.fire` calls it: `card`, `suit`, `seat`. A value with a card is optional."""
    card = ("card",) if trigger in game.card_events else ()
    kind = game.value_kinds.get(trigger, ValueKind.FORM)
    return card if kind is ValueKind.FORM else (*card, str(kind))


def words(game: Declaration, trigger: str) -> dict[str, str]:
    """The parameters of an event, by what the game calls them, with their types and defaults."""
    typed: dict[str, str] = {}
    for name in parameters(game, trigger):
        word = name if name == "card" else ValueKind(name).word(game.codec.notation)
        kind = {"card": "str", "suit": "str", "rank": "str", "answer": "bool"}.get(name, "int")
        typed[word] = f"{kind}{OR_NONE}" if typed else kind
    return typed


def explained(game: Declaration, trigger: str) -> list[str]:
    """The parameters of an event in a sentence; none for an event that takes nothing."""
    named = zip(words(game, trigger), parameters(game, trigger), strict=True)
    texts = [f"{word}: {NAMED[name]}" for word, name in named]
    optional = ", where the card asks for one" if len(texts) > 1 else ""
    return [f"{'. '.join(texts)}{optional}."] if texts else []


Hook = Callable[[Any], object]
"""Is called with the game. What it returns does not matter."""

Attached = Callable[[Hook], None] | Any
"""The type of a method that attaches a hook: a class that derives from the game may define the hook in its place."""

OF_EVENT = ("prepare", "before", "after")
OF_PHASE = ("on_enter", "on_exit")
OF_MACHINE = (
    "prepare_event",
    "before_state_change",
    "after_state_change",
    "finalize_event",
    "on_exception",
    "on_final",
)


def name_hooks(kind: Any) -> None:
    """Give a class of games the methods of its declaration, and attach the hooks that its own body defines.

    The method of an event takes what its offers name, and its docstring is made of the sentences of its arcs.

    `game.is_await_play()` is true in that phase, `game.may_play("SS")` if the rules permit the event. Hooks are
    attached by `before_play`, `after_play`, `prepare_play`, `on_enter_await_play` and `on_exit_await_play`: to all
    games of a class with `MauMau.machine.before_play(hook)`, to one game with `game.before_play(hook)`, and by methods
    of these names in a class that derives from a game. Hooks of before and of leaving see the position before the
    event, hooks of entering and of after the one after it, and all of them its step as `history[-1]`. A hook may look
    at the game and must not step it.
    """
    game = kind.declaration
    make_methods(kind, _events(game))
    for name in hook_names(game):
        if not hasattr(kind, name):
            setattr(kind, name, Attach(name))
        elif inspect.isfunction(getattr(kind, name)):
            getattr(kind.machine, name)(name)
    phases = ((f"is_{phase.identifier}", str(phase)) for phase in game.phases)
    texts = ((name, phase, f"Return whether the game is in the phase {phase}.") for name, phase in phases)
    make_methods(kind, (Method(name, {}, "bool", f"self.phase == {phase!r}", (text,)) for name, phase, text in texts))


def _events(game: Declaration) -> Iterator[Method]:
    """The methods of each event: the one that fires it, and the one that tells whether the rules permit it."""
    raised = "Raises IllegalMove, and changes nothing, if the rules refuse it."
    for trigger in game.triggers:
        typed, named = words(game, trigger), explained(game, trigger)
        move = ", ".join([repr(trigger), *map("=".join, zip(parameters(game, trigger), typed, strict=True))])
        sentences = dict.fromkeys(arc.description for arc in game.arcs if arc.trigger == trigger)
        texts = f"Fire the event {trigger}.", *sentences, *named, raised
        yield Method(trigger, typed, "Step", f"self.fire(Move({move}))", texts)
        optional = {word: f"{text.removesuffix(OR_NONE)}{OR_NONE}" for word, text in typed.items()}
        asked = f"Return whether the rules permit the event {trigger} now."
        yield Method(f"may_{trigger}", optional, "bool", f"self.may_trigger({move})", (asked, *named))


class Attach:
    """A method that attaches a hook to one game."""

    def __init__(self, name: str) -> None:
        self.__doc__ = f"Attach a hook to this game: {name}(hook). The hook is called with the game."
        self._method = name

    def __get__(self, game: Any, owner: type) -> Any:
        return self if game is None else partial(self._attach, game)

    def _attach(self, game: Any, hook: Hook) -> None:
        of_type(self._method, hook, Callable, "a function of the game")
        if "machine" not in vars(game):
            game.machine = machine_of_one_game(game)
        getattr(game.machine, self._method)(hook)


class Joined(list[Hook]):
    """The hooks of one game, after those of all games, which `shared` looks up."""

    def __init__(self, shared: Callable[[], Iterable[Hook]]) -> None:
        super().__init__()
        self._shared = shared

    def __iter__(self) -> Iterator[Hook]:
        return chain(self._shared(), super().__iter__())

    def __bool__(self) -> bool:
        return any(True for _ in self)


def machine_of_one_game(game: Any) -> FastMachine:
    """A machine that only `game` uses: hooks of its own are called after those that all games of the class have."""
    shared, own = type(game).machine, fast_machine_of(game.declaration)
    for name, state in own.states.items():
        _join(state, shared.states[name], OF_PHASE)
    for trigger, event in own.events.items():
        for source, transitions in event.transitions.items():
            for mine, common in zip(transitions, shared.events[trigger].transitions[source], strict=True):
                _join(mine, common, OF_EVENT)
    _join(own, shared, OF_MACHINE)
    own.send_event = shared.send_event
    return own


def hook_names(game: Declaration) -> list[str]:
    """The names under which hooks are attached: `before_play`, `on_enter_await_play`."""
    of_phases = [f"{kind}_{phase.identifier}" for phase in game.phases for kind in OF_PHASE]
    return of_phases + [f"{kind}_{trigger}" for trigger in game.triggers for kind in OF_EVENT]


def _join(mine: Any, common: Any, names: Iterable[str]) -> None:
    for name in names:
        setattr(mine, name, Joined(partial(getattr, common, name)))
