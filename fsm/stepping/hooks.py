"""Hooks and queries by name, as `transitions` gives them to its models: for all games of a class, or for one game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial, wraps
from inspect import isfunction
from itertools import chain
from typing import Any

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.stepping.events import explained, function, made, parameters, words
from fsm.stepping.fast_machine import FastMachine, fast_machine_of, identifier
from rules.notation import shown

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
    """Give a class of games its methods beside its events, and attach the hooks that its own body defines.

    `game.is_await_play()` is true in that phase, `game.may_play("SS")` if the rules permit the event. Hooks are
    attached by `before_play`, `after_play`, `prepare_play`, `on_enter_await_play` and `on_exit_await_play`: to all
    games of a class with `MauMau.machine.before_play(hook)`, to one game with `game.before_play(hook)`, and by methods
    of these names in a class that derives from a game. Hooks of before and of leaving see the position before the
    event, hooks of entering and of after the one after it, and all of them its step as `history[-1]`. A hook may look
    at the game and must not step it.
    """
    game = kind.declaration
    for name in hook_names(game):
        if not hasattr(kind, name):
            setattr(kind, name, Attach(name))
        elif isfunction(getattr(kind, name)):
            getattr(kind.machine, name)(name)
    for phase in game.phases:
        if not hasattr(kind, name := f"is_{identifier(phase)}"):
            setattr(kind, name, made(_is(phase), kind, name, f"Whether the game is in the phase {phase}."))
    for trigger in game.triggers:
        if not hasattr(kind, name := f"may_{trigger}"):
            texts = [f"Whether the rules permit the event {trigger} now.", *explained(game, trigger)]
            setattr(kind, name, made(_may(trigger, game), kind, name, "\n\n".join(texts)))


class Attach:
    """A method that attaches a hook to one game."""

    def __init__(self, name: str) -> None:
        self.__doc__ = f"Attach a hook to this game: {name}(hook). The hook is called with the game."
        self._method = name

    def __get__(self, game: Any, owner: type) -> Any:
        return self if game is None else partial(self._attach, game)

    def _attach(self, game: Any, hook: Hook) -> None:
        if not callable(hook):
            raise TypeError(
                f"{self._method}: {shown(hook)} of type {type(hook).__name__}, expected a function of the game"
            )
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
    of_phases = [f"{kind}_{identifier(phase)}" for phase in game.phases for kind in OF_PHASE]
    return of_phases + [f"{kind}_{trigger}" for trigger in game.triggers for kind in OF_EVENT]


def _join(mine: Any, common: Any, names: Iterable[str]) -> None:
    for name in names:
        setattr(mine, name, Joined(partial(getattr, common, name)))


def _is(phase: Phase) -> Callable[[Any], bool]:
    def is_phase(self: Any) -> bool:
        return bool(self.phase is phase)

    is_phase.__annotations__ = {"return": bool}
    return is_phase


def _may(trigger: str, game: Declaration) -> Callable[..., bool]:
    names = parameters(game, trigger) or ("card", "suit")
    kinds = dict(zip(words(game, trigger), names, strict=False))

    @wraps(function(game, trigger, bool, "..."))
    def may(self: Any, *named: Any, **by_word: Any) -> bool:
        by_name = {kinds.get(word, word): value for word, value in by_word.items()}
        return bool(self.may_trigger(trigger, **dict(zip(names, named, strict=False)), **by_name))

    return may
