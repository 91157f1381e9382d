"""Functions with what is known put in place: loops written out, conditions decided, functions written in place."""

from __future__ import annotations

import ast
import sys
from types import SimpleNamespace
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from fsm.edge.errors import CompilationError
from maumau.kernels.compiled import given as module
from maumau.kernels.compiled.in_place import in_place
from maumau.kernels.compiler.interpreted import interpreted
from maumau.kernels.compiler.partial import Evaluation

given: Any = module.given


@in_place
def leaf(number: int, tree: Any) -> int:
    """What a decision tree says of a number."""
    if tree[0] == "leaf":
        found: int = tree[1]
        return found
    if tree[0](number):
        return leaf(number, tree[1])
    return leaf(number, tree[2])


def decided(number: int) -> int:
    """What the tree says, with a sign where it is 3."""
    found = leaf(number, given.TREE)
    if found == 3:
        return -3
    return found * 2


def walked(state: int, limit: int) -> tuple[int, int]:
    """Go from state to state."""
    count = 0
    while True:
        for number, is_end, step, following in given.STEPS:
            if state == number:
                if is_end or count >= limit:
                    return state, count
                count += step(count)
                state = following
                break


def swapped(table: Any, one: int, other: int) -> int:
    """Exchange two places of a row, and two names."""
    table.row[one], table.row[other] = table.row[other], table.row[one]
    one, other = other, one
    return one * 100 + other


def sums(table: Any) -> int:
    """Sum up rows, whose name is another one in each round."""
    total = 0
    for name, tests in (("a", (small,)), ("b", ()), ("c", (small, odd))):
        row = getattr(table, name)
        if all(test(row[0]) for test in tests) and not any(test(row[1]) for test in tests):
            total += len(row)
    return total


@in_place
def first_even(numbers: Any) -> int:
    """The first even number."""
    for number in numbers:
        if number % 2 == 0:
            return int(number)
    return -1


@in_place
def last_even(row: Any, start: int) -> int:
    """Where the last even number is from a place on."""
    found = -1
    for place in range(start, len(row)):
        if row[place] % 2 == 0:
            found = place
    return found


def last_after(row: Any) -> int:
    """The last even number, which is found again and again before it is read."""
    first = last_even(row, 0)
    total = 0
    for start in range(3):
        other = last_even(row, start + 1)
        total += other
    return first * 100 + total


def last_within(row: Any) -> int:
    """The same, and it is read before the others are found."""
    first = last_even(row, 0)
    total = start = 0
    while start < 3:
        total += 10 * first
        other = last_even(row, start + 2)
        total += other
        start += 1
    return total


def even(table: Any) -> int:
    """The first even number of a row that is not known."""
    found = first_even(table.row)
    table.row[0] = found
    return found + 1


def small(number: int) -> bool:
    """Whether a number is below 5."""
    return number < 5


def odd(number: int) -> bool:
    """Whether a number is odd."""
    return number % 2 == 1


def one(count: int) -> int:
    """Count by one."""
    return 1


def two(count: int) -> int:
    """Count by two."""
    return 2


TREES = (
    ("leaf", 7),
    (small, ("leaf", 1), ("leaf", 3)),
    (small, (odd, ("leaf", 3), ("leaf", 2)), (odd, ("leaf", 5), ("leaf", 3))),
)


def text_of(function: Any, given: dict[str, Any]) -> str:
    return ast.unparse(ast.fix_missing_locations(Evaluation(given).evaluated(function, {})))


@pytest.mark.parametrize("tree", TREES)
def test_a_decision_tree_is_written_in_place_and_what_follows_is_decided(tree: Any) -> None:
    run = interpreted(decided, {"TREE": tree})

    def says(number: int, tree: Any) -> int:
        return int(tree[1]) if tree[0] == "leaf" else says(number, tree[1 if tree[0](number) else 2])

    for number in range(10):
        found = says(number, tree)
        assert run(number) == (-3 if found == 3 else found * 2)
    text = text_of(decided, {"TREE": (small, ("leaf", 1), ("leaf", 3))})
    assert "found" not in text
    assert "return -3" in text
    assert "return 2" in text


@hypothesis.given(
    st.lists(st.tuples(st.booleans(), st.sampled_from([one, two]), st.integers(0, 4)), min_size=5, max_size=5),
    st.integers(0, 4),
    st.integers(0, 9),
)
def test_a_loop_over_states_goes_from_one_to_the_next(parts: Any, state: int, limit: int) -> None:
    steps = tuple((number, *part) for number, part in enumerate(parts))
    expected, count = state, 0
    while not (steps[expected][1] or count >= limit):
        _, _, step, following = steps[expected]
        count, expected = count + step(count), following
    assert interpreted(walked, {"STEPS": steps})(state, limit) == (expected, count)


def test_exchanges_stay_exchanges() -> None:
    table = SimpleNamespace(row=[1, 2, 3])
    assert interpreted(swapped, {})(table, 0, 2) == 200
    assert table.row == [3, 2, 1]


@pytest.mark.parametrize("function", [last_after, last_within])
@hypothesis.given(row=st.lists(st.integers(0, 9), max_size=6))
def test_what_a_function_returns_stays_when_it_is_written_again_in_a_loop(function: Any, row: list[int]) -> None:
    assert interpreted(function, {})(row) == function(row)


@in_place
def same(row: Any, number: int) -> int:
    """A number, returned at two places."""
    if row:
        return number
    return number


def more(row: Any, start: int) -> int:
    """A number that is assigned where what it is given to returns."""
    count = same(row, start + 1)
    count += 1
    count = same(row, count)
    return count  # noqa: RET504


def test_an_argument_is_known_after_a_branch_that_returns() -> None:
    assert [interpreted(more, {})(row, 3) for row in ([], [1])] == [5, 5]


@in_place
def within(row: Any, number: int) -> int:
    """A number, returned within a branch of which another one goes on."""
    if row:
        if row[0]:
            return number
        row[0] = 1
    return number


def once(row: Any, start: int) -> int:
    """A number that is given to what returns it, and returned."""
    count = start + 1
    count = within(row, count)
    return count  # noqa: RET504


def test_an_argument_is_known_after_a_branch_within_which_another_one_returns() -> None:
    assert [interpreted(once, {})(row, 3) for row in ([], [0], [1])] == [4, 4, 4]


def put(row: Any, number: int) -> int:
    """Put what a function returns in a row, and return."""
    row[0] = same(row, number)
    return number


def put_if(row: Any, number: int) -> int:
    """Put it there, before a condition that it does not change."""
    row[0] = same(row, number)
    if MANY:
        return row[0] + 1  # type: ignore[no-any-return]
    return number


def push(row: Any, number: int) -> Any:
    """Call what a function returns."""
    row = pushed(row, number)
    return number


@in_place
def pushed(row: Any, number: int) -> Any:
    """What is called where this returns."""
    return row.append(number)


MANY = True


@pytest.mark.parametrize("function", [put, put_if, push])
def test_what_a_function_returns_is_put_in_a_row_before_a_return(function: Any) -> None:
    one, other = [1], [1]
    assert (interpreted(function, {})(one, 3), one) == (function(other, 3), other)


AMOUNT = 5


def amount() -> int:
    """What a name of the module stands for."""
    return AMOUNT


def test_names_of_the_module_stand_for_what_they_do_when_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "return 5" in text_of(amount, {})
    monkeypatch.setattr(sys.modules[__name__], "AMOUNT", 6)
    assert "return 6" in text_of(amount, {})


def test_rounds_have_names_of_their_own_and_quantifiers_are_written_out() -> None:
    table = SimpleNamespace(a=[1, 9], b=[0, 0, 0], c=[3, 8, 1, 1])
    assert interpreted(sums, {})(table) == sums(table) == 9
    text = text_of(sums, {})
    assert "getattr" not in text
    assert "row_2 = table.b" in text


def test_a_function_that_returns_from_within_a_loop_is_not_written_in_place() -> None:
    with pytest.raises(CompilationError, match="first_even returns from within a loop, but is written in place"):
        Evaluation({}).evaluated(even, {})  # type: ignore[arg-type]


def counted(values: Any, log: Any) -> int:
    unread, twice, left = 0, 0, 0
    for value in values:
        if value > 3:
            unread = value
            twice = unread * 2
        elif value > 2:
            twice += 1
        else:
            kept = log(value)  # noqa: F841
        left += value
    return left


def test_what_nothing_reads_is_left_out_unless_it_calls_something() -> None:
    seen: list[int] = []
    assert interpreted(counted, {})([1, 2, 3, 4], seen.append) == 10
    assert seen == [1, 2]
    text = text_of(counted, {})
    assert "unread" not in text
    assert "twice" not in text
    assert "kept = log(value)" in text
