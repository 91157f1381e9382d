"""Rule functions rebuilt so that in them, and in all that they call, some names mean something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import CellType, CodeType, FunctionType, MappingProxyType
from typing import Any, TypeVar

from fsm.declaration.introspection import closure, names_read
from fsm.edge.kept import kept
from rules.rule import Reason, RuleFunction, give_reasons, mark_of

Levels = frozenset[tuple[RuleFunction, int]]
"""Inside a new meaning: which of the meanings of a function it finds under the old name."""
F = TypeVar("F", bound="RuleFunction | None")


class Meanings:
    """What stands for rule functions.

    meanings: for a function its new meanings, each of which may call the one before by the name of the function.
    constants: of names that rule functions read, the value that is replaced, and the one in its place. reasons: of
    guards, why they refuse. used: the functions with new meanings or reasons that were called by what a meaning was
    asked for so far.
    """

    def __init__(
        self,
        meanings: Mapping[RuleFunction, tuple[RuleFunction, ...]],
        constants: Mapping[str, tuple[object, object]],
        reasons: Mapping[RuleFunction, tuple[Reason, ...]] = MappingProxyType({}),
    ) -> None:
        self._meanings, self._constants, self._reasons = dict(meanings), dict(constants), dict(reasons)
        self.used: set[RuleFunction] = set()

    def __call__(self, function: F) -> F:
        """What stands for `function`: itself, if nothing that it reaches has another meaning."""
        return function if function is None else self._at(function, frozenset())  # type: ignore[return-value]

    @kept
    def reaches(self, function: RuleFunction) -> frozenset[RuleFunction]:
        """All functions that `function` calls, directly or not, itself and new meanings included."""
        found, waiting = {function}, [function]
        while waiting:
            now = waiting.pop()
            new = {*called(now).values(), *self._meanings.get(now, ())} - found
            found |= new
            waiting += new
        return frozenset(found)

    def read(self, name: str, functions: Iterable[RuleFunction]) -> dict[str, object]:
        """The values of a constant of this name that `functions`, or those that they call, read, by their modules."""
        reached = frozenset[RuleFunction]().union(*map(self.reaches, functions))
        reading = (each for each in reached if name in global_names(each.__code__) and name in each.__globals__)
        return {each.__module__: each.__globals__[name] for each in sorted(reading, key=lambda each: each.__module__)}

    def _at(self, function: RuleFunction, levels: Levels) -> RuleFunction:
        known = dict(levels)
        stack = self._meanings.get(function, ())
        if stack or function in self._reasons:
            self.used.add(function)
        level = known.get(function, len(stack))
        if level:
            return self._at(stack[level - 1], frozenset((known | {function: level - 1}).items()))
        reached = self.reaches(function)
        return self._rebuilt(function, frozenset(item for item in levels if item[0] in reached))

    @kept
    def _rebuilt(self, function: RuleFunction, levels: Levels) -> RuleFunction:
        changed: dict[str, object] = {
            name: self._at(old, levels) for name, old in called(function).items() if self._at(old, levels) is not old
        }
        used = global_names(function.__code__)
        changed |= {
            name: new
            for name, (old, new) in self._constants.items()
            if name in used and name in function.__globals__ and function.__globals__[name] == old
        }
        if not changed and function not in self._reasons:
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
        if function in self._reasons:
            give_reasons(made, self._reasons[function])
        return made


@kept
def global_names(code: CodeType) -> frozenset[str]:
    """The global names that code reads, functions within it included, and those from its closure.

    Fields are not among them: a rule function may be called as a field that it reads.
    """
    return frozenset((*(name for name, *_ in names_read(code)), *code.co_freevars))


@kept
def called(function: RuleFunction) -> Mapping[str, RuleFunction]:
    """The marked functions that a function calls by a global name or from its closure, by name."""
    return {name: value for name, value in _read(function) if mark_of(value) is not None}


def _read(function: RuleFunction) -> Iterator[tuple[str, Any]]:
    for name in global_names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    yield from zip(function.__code__.co_freevars, closure(function), strict=True)
