"""Rule functions rebuilt so that in them, and in all that they call, some names mean something else."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import CellType, CodeType, FunctionType
from typing import Any, TypeVar

from fsm.edge.kept import kept_weakly
from rules.rule import RuleFunction, mark_of

Levels = frozenset[tuple[RuleFunction, int]]
"""Inside a new meaning: which of the meanings of a function it finds under the old name."""
F = TypeVar("F", bound="RuleFunction | None")


class Meanings:
    """What stands for rule functions.

    meanings: for a function its new meanings, each of which may call the one before by the name of the function.
    constants: values for names that rule functions read.
    """

    def __init__(
        self, meanings: Mapping[RuleFunction, tuple[RuleFunction, ...]], constants: Mapping[str, object]
    ) -> None:
        self._meanings, self._constants = dict(meanings), dict(constants)
        self._used: set[RuleFunction] = set()
        self._made: dict[tuple[RuleFunction, Levels], RuleFunction] = {}
        self._reach: dict[RuleFunction, frozenset[RuleFunction]] = {}

    def __call__(self, function: F) -> F:
        """What stands for `function`: itself, if nothing that it reaches has another meaning."""
        return function if function is None else self._at(function, frozenset())  # type: ignore[return-value]

    def all(self, functions: Iterable[Any]) -> tuple[Any, ...]:
        """What stands for each of `functions`."""
        return tuple(map(self, functions))

    def reaches(self, function: RuleFunction) -> frozenset[RuleFunction]:
        """All functions that `function` calls, directly or not, itself and new meanings included."""
        if function not in self._reach:
            found, waiting = {function}, [function]
            while waiting:
                now = waiting.pop()
                new = {*called(now).values(), *self._meanings.get(now, ())} - found
                found |= new
                waiting += new
            self._reach[function] = frozenset(found)
        return self._reach[function]

    def unused(self) -> tuple[RuleFunction, ...]:
        """The functions with new meanings that nothing has called for which a meaning was asked so far."""
        return tuple(function for function in self._meanings if function not in self._used)

    def reads(self, name: str, functions: Iterable[RuleFunction]) -> bool:
        """Whether one of `functions`, or one that it calls, reads a constant of this name."""
        return any(
            name in global_names(each.__code__) and name in each.__globals__
            for function in functions
            for each in self.reaches(function)
        )

    def _at(self, function: RuleFunction, levels: Levels) -> RuleFunction:
        known = dict(levels)
        stack = self._meanings.get(function, ())
        if stack:
            self._used.add(function)
        level = known.get(function, len(stack))
        if level:
            return self._at(stack[level - 1], frozenset((known | {function: level - 1}).items()))
        reached = self.reaches(function)
        key = function, frozenset(item for item in levels if item[0] in reached)
        if key not in self._made:
            self._made[key] = self._rebuilt(function, key[1])
        return self._made[key]

    def _rebuilt(self, function: RuleFunction, levels: Levels) -> RuleFunction:
        changed: dict[str, object] = {
            name: self._at(old, levels) for name, old in called(function).items() if self._at(old, levels) is not old
        }
        used = global_names(function.__code__)
        changed |= {
            name: value for name, value in self._constants.items() if name in used and name in function.__globals__
        }
        if not changed:
            return function
        code = function.__code__
        cells = tuple(
            CellType(changed[name]) if name in changed else cell
            for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
        )
        made = FunctionType(
            code, {**function.__globals__, **changed}, function.__name__, function.__defaults__, cells or None
        )
        made.__kwdefaults__, made.__doc__ = function.__kwdefaults__, function.__doc__
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        vars(made).update(vars(function))
        return made


@cache
def global_names(code: CodeType) -> frozenset[str]:
    """The global names that code reads, and those from its closure, functions within it included.

    Fields are not among them: a rule function may be called as a field that it reads.
    """
    inner = (global_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    read = (step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    return frozenset((*read, *code.co_freevars)).union(*inner)


@kept_weakly
def called(function: RuleFunction) -> Mapping[str, RuleFunction]:
    """The marked functions that a function calls by a global name or from its closure, by name."""
    return {name: value for name, value in _read(function) if mark_of(value) is not None}


def _read(function: RuleFunction) -> Iterator[tuple[str, Any]]:
    for name in global_names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue
