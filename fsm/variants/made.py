"""The classes that house rules make: tables with more fields and enumerations of other phases.

They stand in this module, as long as they are used, under a name made of their content, so that `pickle` finds them
again once the game with the same rules was made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import make_dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from fsm.declaration.arcs import Arc, Invariant, Phase, Postcondition, ScoreInvariant
from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.temporal import Response
from fsm.variants.edits import NAME, Arcs, PhaseName
from rules.visibility import seen_by_all

C = TypeVar("C", bound=Invariant | Postcondition | Response)


def table(base: type, more: Mapping[str, int]) -> type:
    """The class of a table with more integers, seen by all, each with its value on a new table."""
    added = [(name, int, seen_by_all(start)) for name, start in more.items()]
    content = f"{base.__module__}.{base.__qualname__} {tuple(more.items())}"
    return _kept(base.__name__, content, lambda: make_dataclass(base.__name__, added, bases=(base,), slots=True))


def phases(name: str, members: Sequence[tuple[str, str]]) -> type[Phase]:
    """Return the enumeration of these phases: names and values."""
    make: Any = Phase
    return _kept(name, str(tuple(members)), lambda: make(name, list(members)))


_made: WeakValueDictionary[str, type] = WeakValueDictionary()
"""The classes that are in use, by their names in this module."""


def _kept(name: str, content: str, make: Callable[[], type]) -> type:
    name = f"{name}_{sha256(content.encode()).hexdigest()[:16]}"
    made = _made.get(name) or _made.setdefault(name, make())
    made.__module__, made.__qualname__ = __name__, name
    return made


def __getattr__(name: str) -> type:
    """A class that is in use, for `pickle`."""
    try:
        return _made[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


def added_phase(name: str) -> Phase:
    """A phase that no game declares: lower-case words joined by -."""
    return phases("AddedPhase", [(name.replace("-", "_").upper(), name)])(name)


NAMING_PHASES = {
    Invariant: ("phases",),
    ScoreInvariant: ("phases",),
    Postcondition: ("dests", "sources"),
    Response: ("start", "goal"),
}
"""The parts of conditions that name phases."""


def with_phases(condition: C, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> C:
    """A condition with other phases. change: what each part that names phases becomes."""
    parts: dict[str, Any] = {name: change(getattr(condition, name)) for name in NAMING_PHASES[type(condition)]}
    return replace(condition, **parts)


def check_dropped(phase: Phase, game: Declaration) -> None:
    """Raise DeclarationError for a phase of a game that a rule cannot drop: the one in which it begins or ends."""
    for kept, what in ((game.initial, "begins"), (game.final, "ends")):
        if phase is kept:
            told = f"phase {phase} cannot be dropped, because {game.name} {what} in it"
            raise DeclarationError(f"{told}; change its transitions by ChangeArcs or ReplaceArcs")


class KnownPhases:
    """The phases of a game and those that rules add to it, each found by its name.

    A phase that a rule drops stays known: another rule may be about it.
    """

    def __init__(self, phases: Iterable[Phase]) -> None:
        self._phases = {str(phase): phase for phase in phases}

    def add(self, phase: PhaseName) -> Phase:
        """A phase that a rule adds. Raises DeclarationError for a name that cannot be used."""
        if not isinstance(phase, Phase):
            if not re.fullmatch(NAME, phase):
                raise DeclarationError(
                    f"phase name {phase!r} cannot be used; use lower-case words joined by -: 'skip-pending'"
                )
            phase = added_phase(phase)
        return self._phases.setdefault(str(phase), phase)

    def find(self, phase: PhaseName) -> Phase:
        """The phase of this name. Raises DeclarationError, which lists the known ones."""
        try:
            return self._phases[str(phase)]
        except KeyError:
            raise DeclarationError(f"no phase {str(phase)!r}; use one of {', '.join(self._phases)}") from None

    def found(self, phase: PhaseName | None) -> Phase | None:
        """The same for a part of an edit that may be left out."""
        return None if phase is None else self.find(phase)

    def in_pattern(self, where: Arcs) -> Arcs:
        """Which arcs an edit is about, with phases in place of names."""
        but = None if where.but is None else self.in_pattern(where.but)
        return replace(where, source=self.found(where.source), dest=self.found(where.dest), but=but)

    def in_arcs(self, arcs: Iterable[Arc]) -> tuple[Arc, ...]:
        """Arcs with phases in place of names."""
        return tuple(replace(arc, source=self.find(arc.source), dest=self.find(arc.dest)) for arc in arcs)

    def in_condition(self, condition: C) -> C:
        """A condition with phases in place of names."""
        return with_phases(condition, lambda given: tuple(x if callable(x) else self.find(x) for x in given))
