"""What a query of the table may answer where only some fields of it are known, found by calling it.

All others are numbers that nobody knows, and so is what is computed with them. Where the query asks whether such a
number is so, both answers are followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

MAX_ASKED = 8
"""A query that asks more often in one call may answer any number."""


class AnyNumberError(Exception):
    """Too little is known to tell what a query may answer."""


class Unknown:
    """A number of which nothing is known. ask: answers whether it is so."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask

    def __bool__(self) -> bool:
        return self._ask()

    def __index__(self) -> int:
        raise AnyNumberError

    def _computed(self, *others: object) -> Unknown:
        return self

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _computed  # type: ignore[assignment]
    __add__ = __sub__ = __mul__ = __floordiv__ = __mod__ = __pow__ = __lshift__ = __rshift__ = _computed
    __radd__ = __rsub__ = __rmul__ = __rfloordiv__ = __rmod__ = __rpow__ = __rlshift__ = __rrshift__ = _computed
    __and__ = __or__ = __xor__ = __rand__ = __ror__ = __rxor__ = __neg__ = __invert__ = __abs__ = _computed
    bit_count = bit_length = _computed


class UnknownRow:
    """A list of numbers of which nothing is known. number: any of them. length: how many there are."""

    def __init__(self, number: Unknown, length: int) -> None:
        self._number, self._length = number, length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int | Unknown) -> Unknown:
        if isinstance(index, int) and index >= self._length:
            raise IndexError  # ends a loop over the list
        return self._number


def answers(query: Callable[[Any], int], defaults: Mapping[str, Any], **known: int) -> set[int] | None:
    """All whole numbers from 0 on that a query may answer; None if it may be any.

    query: of a table. defaults: the value of each field of a new table. known: the fields that are known.
    """
    found, paths = set[int](), list[list[bool]]([[]])
    while paths:
        path, given = paths.pop(), list[bool]()

        def ask(path: list[bool] = path, given: list[bool] = given) -> bool:
            if len(given) == MAX_ASKED:
                raise AnyNumberError
            if len(given) >= len(path):
                paths.append([*given, True])
            given.append(len(given) < len(path) and path[len(given)])
            return given[-1]

        number = Unknown(ask)
        fields = {name: number if isinstance(value, int) else UnknownRow(number, len(value))
                  for name, value in defaults.items()}  # fmt: skip
        try:
            answer = query(SimpleNamespace(**{**fields, **known}))
            if isinstance(answer, Unknown) or answer < 0:
                return None
        except (AnyNumberError, ArithmeticError, LookupError, TypeError, ValueError):
            return None
        found.add(int(answer))
    return found
