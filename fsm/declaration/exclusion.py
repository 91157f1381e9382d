"""Whether guards that are taken to exclude each other do: they are asked of all cards and of all values that they read.

A guard reads few fields of a table. A field with a bound gets each of its values when it is read. A guard that reads
another field, such as a hand, has no answer there: nothing is proved, and every engine asks the arcs in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from rules.cards import NO_CARD
from rules.rule import RuleFunction

MOST_ANSWERS = 20_000
"""Answers of guards that are looked at for one proof, which needs a few hundred."""

Demands = Sequence[tuple[RuleFunction, bool]]
"""Guards with the answers that are wanted of them."""
Values = Mapping[str, int]
"""Values of fields of a table, by name."""


class Meeting(NamedTuple):
    """Values with which guards may give the answers that are wanted of them. open: guards without an answer there."""

    values: Values
    open: frozenset[RuleFunction]


class _UnreadError(Exception):
    """A field is read that has no value yet."""


class _UnknownError(Exception):
    """A field is read whose values have no bound."""


class _Readable:
    """A table of which a guard reads fields that have values."""

    def __init__(self, values: Values, ranges: Mapping[str, Sequence[int]]) -> None:
        self._values, self._ranges = values, ranges

    def __getattr__(self, field: str) -> int:
        if field in self._values:
            return self._values[field]
        if field in self._ranges:
            raise _UnreadError(field)
        raise _UnknownError(field)


def meetings(demands: Demands, ranges: Mapping[str, Sequence[int]]) -> Iterator[Meeting]:
    """Yield every combination of values with which guards may all answer as wanted; the first guards are asked first.

    ranges: the values that a field can have, by its name; other fields are not read. Raises OverflowError after too
    many answers.
    """
    answers = 0
    waiting: list[tuple[int, Values, frozenset[RuleFunction]]] = [(0, {}, frozenset())]
    while waiting:
        place, values, open_ = waiting.pop()
        while place < len(demands):
            guard, wanted = demands[place]
            answers += 1
            if answers > MOST_ANSWERS:
                raise OverflowError
            try:
                answer = bool(guard(_Readable(values, ranges)))
            except _UnreadError as unread:
                (field,) = unread.args
                waiting += [(place, {**values, field: value}, open_) for value in reversed(ranges[field])]
                break
            except _UnknownError:
                open_ |= {guard}
            except Exception:
                break  # with such values no engine has an answer: the checks note an error where a position has them
            else:
                if answer is not wanted:
                    break
            place += 1
        else:
            yield Meeting(values, open_)


def first_meeting(
    pairs: Sequence[tuple[RuleFunction, RuleFunction]], demands: Demands, ranges: Mapping[str, Sequence[int]]
) -> Meeting | None:
    """Return values with which both guards of each pair hold, and others may answer as wanted; None if there are none.

    pairs: guards that are taken to exclude each other. demands: other guards, with their answers. What a guard reads
    besides `ranges` is unknown: where such a guard of a pair may hold, nothing is shown, and that is not a result.
    """
    taken = dict.fromkeys(guard for pair in pairs for guard in pair)
    asked = [*dict.fromkeys(taken, True).items(), *((guard, wanted) for guard, wanted in demands if guard not in taken)]
    try:
        for meeting in meetings(asked, ranges):
            if meeting.open.isdisjoint(taken) and meeting.values.get("card") != NO_CARD:
                return meeting
    except OverflowError:
        pass
    return None


def may_hold(guard: RuleFunction, ranges: Mapping[str, Sequence[int]]) -> tuple[Values, ...]:
    """Return all values with which a guard may hold; one without fields, which is any, where there are too many."""
    try:
        return tuple(meeting.values for meeting in meetings([(guard, True)], ranges))
    except OverflowError:
        return ({},)


def apart(some: Sequence[Values], others: Sequence[Values]) -> bool:
    """Return whether no fields can have both some values and others."""
    if len({tuple(values) for values in (*some, *others)}) == 1:  # of the same fields, as nearly always
        return {*map(_each, some)}.isdisjoint(map(_each, others))
    return not any(
        all(two.get(field, value) == value for field, value in one.items()) for one, two in product(some, others)
    )


def _each(values: Values) -> tuple[int, ...]:
    return tuple(values.values())
