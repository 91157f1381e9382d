"""Groups of people who know each other: each answer agrees with an independent search."""

from __future__ import annotations

import json

from fuzz.called import answered, called
from fuzz.near import exchanged

SEEDS = (
    b"3 5\n2 0 3\n1 2\n3 4 3 1\n1 4\n2 0 1\n0 1\n0 0\n",
    b"2 3 2 0 1 2 1 2\n0 0\n",
    b"2 1000\n3 0 1 999\n0\n",
)
WORDS = ("0", "1", "2", "999", "1000", "1001", "0 0\n", "\n", " ")
near = exchanged


def check(data: bytes) -> None:
    """Answer the cases of `data` in each output format."""
    done = called("acquaintance", data=data)
    accepted = answered(done)
    assert answered(called("acquaintance", "--explain", data=data)) == accepted
    records = called("acquaintance", "--json", data=data)
    assert answered(records) == accepted
    if accepted:
        cases = _cases(iter(data.decode("utf-8-sig").split()))
        assert [json.loads(line)["steps"] for line in records.out.splitlines()] == [_steps(*case) for case in cases]
        assert len(done.out.splitlines()) == len(cases)


def _cases(words: object) -> list[tuple[int, list[set[int]]]]:
    """How many people there are in each case, and the groups: words in a row, as the problem has them."""
    numbers = map(int, words)  # type: ignore[call-overload]
    found = []
    for groups in numbers:
        people = next(numbers)
        if groups == people == 0:
            break
        found.append((people, [{next(numbers) for _ in range(next(numbers))} for _ in range(groups)]))
    return found


def _steps(people: int, groups: list[set[int]]) -> int | None:
    """How far the last person is from the first, by circles that grow around it."""
    known, steps = {0}, 0
    while people - 1 not in known:
        more = known.union(*(group for group in groups if group & known))
        if more == known:
            return None
        known, steps = more, steps + 1
    return steps
