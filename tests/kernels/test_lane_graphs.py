"""Graphs of lanes compute what rule functions compute, and their ranges hold every value."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from graph_values import computed
from hypothesis import given
from hypothesis import strategies as st

from maumau.kernels.lanes.cells import Cells, TracedTable, forbidden
from maumau.kernels.lanes.graph import LaneGraph
from maumau.kernels.lanes.intervals import BINARY, UNARY, Range, width_of
from maumau.kernels.lanes.nodes import Operation, range_of
from maumau.kernels.lanes.options import index_of
from maumau.kernels.lanes.request import UntraceableError
from maumau.kernels.lanes.trace import trace
from rules.rule import rule

pytest_plugins: list[str] = []
NUMBERS = st.integers(-70, 70) | st.integers(-(2**40), 2**40)
SMALL = st.integers(0, 40)


def ranges(low: int = -70, high: int = 70) -> st.SearchStrategy[tuple[Range, int]]:
    """A range, and a number in it."""
    numbers = st.integers(low, high)
    return st.tuples(numbers, numbers, numbers).map(sorted).map(lambda three: ((three[0], three[2]), three[1]))


# ---------------------------------------------------------------- ranges


@pytest.mark.parametrize("op", ["add", "sub", "mul", "and", "or", "xor"])
@given(one=ranges(), other=ranges())
def test_the_range_of_an_operation_holds_its_result(op: str, one: tuple[Range, int], other: tuple[Range, int]) -> None:
    graph = LaneGraph()
    values = graph.node("input", ("one",), one[0]), graph.node("input", ("other",), other[0])
    low, high = BINARY[op](one[0], other[0])
    assert low <= computed(graph.node(op, values, (low, high)), {"one": one[1], "other": other[1]}) <= high


@pytest.mark.parametrize("op", ["shl", "shr"])
@given(one=ranges(), other=ranges(-3, 12))
def test_the_range_of_a_shift_holds_its_result(op: str, one: tuple[Range, int], other: tuple[Range, int]) -> None:
    low, high = BINARY[op](one[0], other[0])
    value, amount = one[1], other[1]
    shifted = 0 if amount < 0 else value << amount if op == "shl" else value >> amount
    assert low <= shifted <= high


@pytest.mark.parametrize("op", ["mod", "div"])
@given(one=ranges(0, 90), other=ranges(1, 20))
def test_the_range_of_a_division_holds_its_result(op: str, one: tuple[Range, int], other: tuple[Range, int]) -> None:
    low, high = BINARY[op](one[0], other[0])
    assert low <= (one[1] % other[1] if op == "mod" else one[1] // other[1]) <= high


@given(one=ranges(), counted=ranges(0, 300))
def test_the_range_of_an_operation_on_one_number_holds_its_result(
    one: tuple[Range, int], counted: tuple[Range, int]
) -> None:
    results = {"neg": -one[1], "inv": ~one[1], "popcount": counted[1].bit_count(), "length": counted[1].bit_length()}
    for op, result in results.items():
        low, high = UNARY[op](one[0] if op in ("neg", "inv") else counted[0])
        assert low <= result <= high


@given(bits=st.tuples(*[st.integers(0, 2**40 - 1)] * 3), number=st.integers(0, 400))
def test_a_move_is_found_by_its_number(bits: tuple[int, int, int], number: int) -> None:
    masks = dict(zip((1, 2, 4), bits, strict=True))
    moves = [
        (place, move)
        for place in range(40)
        for move in range(sum(power for power, mask in masks.items() if mask >> place & 1))
    ]
    graph = LaneGraph()
    places = {power: graph.node("input", (f"mask {power}",), (0, 2**40 - 1)) for power in masks}
    found = index_of(graph, places, graph.node("input", ("number",), (0, 400)))
    fields = {f"mask {power}": mask for power, mask in masks.items()} | {"number": number}
    values = tuple(computed(value, fields) for value in found)
    assert 0 <= values[0] < 40
    assert range_of(found[0]) == (0, 39)
    if number < len(moves):
        assert values == moves[number]


@given(one=ranges(0, 90), other=ranges(0, 90))
def test_the_range_of_a_difference_is_known_where_the_numbers_were_compared(
    one: tuple[Range, int], other: tuple[Range, int]
) -> None:
    graph = LaneGraph()
    first, second = graph.node("input", ("one",), one[0]), graph.node("input", ("other",), other[0])
    less = graph.compare("lt", first, second)
    rest = graph.select(less, 0, graph.binary("sub", first, second))
    low, high = range_of(rest)
    assert 0 <= low <= computed(rest, {"one": one[1], "other": other[1]}) <= high


@pytest.mark.parametrize("op", ["mod", "div"])
def test_a_number_is_divided_by_a_small_one_by_looking_it_up(op: str) -> None:
    graph = LaneGraph()
    for limit in (3, 60, 1000):
        divisor = graph.field(f"divisor {limit}", (1, limit))
        value = graph.binary(op, 1 << 32, divisor)
        for number in range(1, limit + 1):
            expected = (1 << 32) % number if op == "mod" else (1 << 32) // number
            assert computed(value, {f"divisor {limit}": number}) == expected


@given(mask=st.integers(0, 2**20 - 1), number=st.integers(0, 2**20 - 1))
def test_a_part_of_a_mask_has_no_more_bits_than_the_mask(mask: int, number: int) -> None:
    graph = LaneGraph()
    bits = graph.unary("popcount", graph.binary("and", graph.field("number", (0, 2**20 - 1)), mask))
    assert range_of(bits)[1] == mask.bit_count()
    assert computed(bits, {"number": number}) == (number & mask).bit_count()


def test_a_register_holds_signed_or_unsigned_numbers() -> None:
    assert [width_of(values) for values in ((0, 255), (-1, 127), (-1, 128), (0, 2**64 - 1), (-1, 2**63))] == [
        8, 8, 16, 64, 0]  # fmt: skip


# ---------------------------------------------------------------- traces


@rule
def clamped(number: int, low: int, high: int) -> int:
    if number < low:
        return low
    if number > high:
        return high
    return number


@rule
def bits(one: int, two: int, three: int) -> int:
    total = (one & 255).bit_count() - (two & 4095).bit_length()
    total += (one ^ two) & ~three
    total -= max(one, two, 3) * (min(two, three) | 1)
    return total if one > two or not three else -total


@rule
def chained(one: int, two: int, three: int) -> int:
    inside = 1 if one < two <= three else 0
    left = one in (1, 2, 30)
    return inside + 2 * left + 4 * (two % 8 if two >= 0 else 7) + (abs(three) // 3)


@rule
def counted_down(one: int, two: int, three: int) -> int:
    left, found = 6, 0
    while left > 0:
        found += clamped(one, left, left + 3) << left
        left -= 2
    pair = (two, three) if one > 3 else (three, two)
    return found + pair[0] - 2 * pair[1] - bool(two)


@rule
def powers(one: int, two: int, three: int) -> int:
    return one**3 - (two % 4) ** 2 + three**0 - (one > two) ** 1


@rule
def with_defaults(one: int, two: int, three: int = 2, four: int = 9) -> int:
    """A function that is called with fewer arguments than it has."""
    found: int = +one
    for place, (weight, number) in ((0, (1, two)), (1, (2, three))):
        found += place + weight * number
    return found - four if found not in (3, four) else four


@rule
def calls_with_defaults(one: int, two: int, three: int) -> int:
    factor = with_defaults(one, two)
    return factor * 2 if with_defaults(two, three, one) > 5 and not one < two else -factor


@rule
def changes_nothing(one: int, two: int, three: int) -> int:
    """Branches that end without a value, and one that is known when it is traced."""
    if len((1, 2)) > 2:
        return one
    if one > two:
        pass
    elif three == 2:
        two = 5
    return one + two


PAIRS = ((3, 30), (4, 40), (7, 70))


@rule
def as_scalar_code(one: int, two: int, three: int) -> int:
    """What scalar code could do before lanes could: keywords, equal tuples, rows of pairs, methods of constants."""
    found = with_defaults(one, four=two, two=three)
    found += PAIRS[two & 1][1] + PAIRS.index((4, 40)) + max(PAIRS[0])
    found += ((one & 3, two) == (3, 5)) * 100 + ((one, two) != (two, one)) * 1000
    return found


FUNCTIONS = [clamped, bits, chained, counted_down, calls_with_defaults, changes_nothing, powers, as_scalar_code]


@pytest.mark.parametrize("function", FUNCTIONS)
@given(numbers=st.tuples(*[st.integers(-40, 60)] * 3))
def test_a_trace_computes_what_the_function_computes(
    function: Callable[..., int], numbers: tuple[int, int, int]
) -> None:
    graph = LaneGraph()
    fields = {name: graph.field(name, (-40, 60)) for name in ("one", "two", "three")}
    found = trace(graph, function, list(fields.values()))
    result = computed(found, dict(zip(fields, numbers, strict=True)))
    low, high = range_of(found)
    assert result == function(*numbers)
    assert low <= result <= high


@given(numbers=st.tuples(*[st.integers(-3, 12)] * 3))
def test_loops_are_left_and_continued_where_the_game_says_so(numbers: tuple[int, int, int]) -> None:
    def plain(one: int, two: int, three: int) -> int:
        for place, number in enumerate((one, two, three)):
            if number > 7:
                return place
            if number == 5:
                return -1
        return -2

    @rule
    def unrolled(one: int, two: int, three: int) -> int:
        found = -2
        for place in range(3):
            number = one if place == 0 else two if place == 1 else three
            if number < 0:
                continue
            if number > 7:
                return place
            if number == 5:
                found = -1
                break
        return found

    graph = LaneGraph()
    fields = {name: graph.field(name, (-3, 12)) for name in ("one", "two", "three")}
    found = trace(graph, unrolled, list(fields.values()))
    assert computed(found, dict(zip(fields, numbers, strict=True))) == plain(*numbers)


@rule
def summed(one: int, two: int, three: int) -> int:
    total = 0
    for number in range(one, two):
        total = 3 * total + number
        for other in range(number, number + 2):
            total += other & three
    return total


@rule
def counted_back(one: int, two: int, three: int) -> int:
    found = 0
    for number in range(two, one, -1):
        if number == three:
            continue
        found += number
        if found > 20:
            break
        found += 1
    return found


@rule
def first_of(one: int, two: int, three: int) -> int:
    for number in range(one - two, one):
        if number * number > three:
            return number
        if number == 5:
            break
    for number in range(two):
        if number == three:
            return -number
    return -100


@pytest.mark.parametrize("function", [summed, counted_back, first_of])
@given(numbers=st.tuples(*[st.integers(-3, 7)] * 3))
def test_a_loop_goes_on_as_long_as_the_game_says(function: Callable[..., int], numbers: tuple[int, int, int]) -> None:
    graph = LaneGraph()
    fields = {name: graph.field(name, (-3, 7)) for name in ("one", "two", "three")}
    found = trace(graph, function, list(fields.values()))
    assert computed(found, dict(zip(fields, numbers, strict=True))) == function(*numbers)
    assert not graph.violations


@given(one=ranges(-300, 300), other=ranges(-3, 40))
def test_a_division_is_rounded_down_and_one_by_nothing_leaves_the_lanes(
    one: tuple[Range, int], other: tuple[Range, int]
) -> None:
    @rule
    def divided(one: int, other: int) -> tuple[int, int]:
        return one // other, one % other

    graph = LaneGraph()
    fields = graph.field("one", one[0]), graph.field("other", other[0])
    found, numbers = trace(graph, divided, fields), {"one": one[1], "other": other[1]}
    assert any(computed(mask, numbers) for mask, _ in graph.violations) is (other[1] < 1)
    if other[1] > 0:
        assert tuple(computed(value, numbers) for value in found) == divided(one[1], other[1])


@given(index=ranges(-9, 9).filter(lambda index: index[0][0] < index[0][1]))
def test_an_index_that_is_beyond_a_tuple_leaves_the_lanes(index: tuple[Range, int]) -> None:
    @rule
    def entry(index: int) -> int:
        return (3, 1, 4, 1, 5)[index]

    graph = LaneGraph()
    found, numbers = trace(graph, entry, [graph.field("index", index[0])]), {"index": index[1]}
    assert any(computed(mask, numbers) for mask, _ in graph.violations) is not (-5 <= index[1] < 5)
    if -5 <= index[1] < 5:
        assert computed(found, numbers) == entry(index[1])


@given(player=st.integers(0, 2), card=st.integers(0, 20), hands=st.tuples(*[st.integers(0, 2**21 - 1)] * 3))
def test_effects_change_a_table_as_the_function_does(player: int, card: int, hands: tuple[int, int, int]) -> None:
    @rule
    def effect(table: Any) -> None:
        table.hands[table.player] ^= 1 << table.card
        if table.hands[table.player] == 0:
            table.winner = table.player
        elif table.card > 9:
            table.player = 0 if table.player == 2 else table.player + 1

    plain = SimpleNamespace(hands=list(hands), player=player, card=card, winner=-1)
    effect(plain)
    graph = LaneGraph()
    fields = {f"hands{seat}": graph.field(f"hands{seat}", (0, 2**21 - 1)) for seat in range(3)}
    traced = TracedTable({
        "hands": Cells(fields.values()),
        "player": graph.field("player", (0, 2)),
        "card": graph.field("card", (0, 20)),
        "winner": graph.field("winner", (-1, 2)),
    })  # fmt: skip
    trace(graph, effect, [traced])
    given_values = {f"hands{seat}": hand for seat, hand in enumerate(hands)}
    given_values |= {"player": player, "card": card, "winner": -1}
    after = traced.fields["hands"]
    assert isinstance(after, Cells)
    assert [computed(hand, given_values) for hand in after.values] == plain.hands
    for name in ("player", "winner"):
        value = traced.fields[name]
        assert isinstance(value, int | Operation)
        assert computed(value, given_values) == getattr(plain, name)
    assert range_of(traced.fields["player"]) == (0, 2)  # type: ignore[arg-type]


@given(seat=st.integers(0, 2), hands=st.tuples(*[SMALL] * 3))
def test_what_is_added_to_an_element_may_depend_on_the_table(seat: int, hands: tuple[int, int, int]) -> None:
    """The place is found before the number that is added, by a function that has choices to make."""

    @rule
    def bonus(table: Any) -> int:
        total = 0
        for other in range(3):
            if table.hands[other] > 20:
                total += other + 1
        return total

    @rule
    def add_bonus(table: Any) -> None:
        table.hands[table.player] += bonus(table)

    plain = SimpleNamespace(hands=list(hands), player=seat)
    add_bonus(plain)
    graph = LaneGraph()
    cells = Cells([graph.field(f"hand{place}", (0, 40)) for place in range(3)])
    trace(graph, add_bonus, [TracedTable({"hands": cells, "player": graph.field("player", (0, 2))})])
    given_values = {f"hand{place}": hand for place, hand in enumerate(hands)} | {"player": seat}
    assert [computed(value, given_values) for value in cells.values] == plain.hands


@given(numbers=st.tuples(st.integers(0, 2), st.integers(0, 255), st.integers(0, 255)), hands=st.tuples(*[SMALL] * 3))
def test_what_is_put_at_a_place_is_read_there_and_not_at_the_next(
    numbers: tuple[int, int, int], hands: tuple[int, int, int]
) -> None:
    @rule
    def put_and_read(hands: list[int], seat: int, one: int, two: int) -> tuple[int, int, int]:
        if one > 100:
            hands[seat] |= one
        found = hands[seat]
        if two > 100:
            hands[seat] = two & found
        following = 0 if seat == 2 else seat + 1
        return hands[seat], hands[following], found

    seat, one, two = numbers
    graph, plain = LaneGraph(), list(hands)
    fields = {"seat": graph.field("seat", (0, 2))} | {name: graph.field(name, (0, 255)) for name in ("one", "two")}
    given_values = dict(zip(fields, numbers, strict=True)) | {f"hand{place}": hand for place, hand in enumerate(hands)}
    cells = Cells([graph.field(f"hand{place}", (0, 40)) for place in range(3)])
    found = trace(graph, put_and_read, [cells, *fields.values()])
    assert tuple(computed(value, given_values) for value in found) == put_and_read(plain, seat, one, two)
    assert [computed(value, given_values) for value in cells.values] == plain


@given(number=st.integers(0, 70) | st.integers(0, 2**40 - 1), bit=st.integers(0, 39))
def test_a_number_of_one_bit_has_no_other_bit(number: int, bit: int) -> None:
    graph = LaneGraph()
    field = graph.field("number", (0, 2**40 - 1))
    others = graph.binary("and", field, graph.binary("sub", field, 1))
    for value in (number, 1 << bit, 0):
        assert computed(graph.compare("eq", others, 0), {"number": value}) == (value.bit_count() < 2)


@given(one=ranges(-300, 300), other=ranges(-300, 300), constant=st.integers(-700, 700))
def test_sums_and_differences_are_compared_as_numbers_are(
    one: tuple[Range, int], other: tuple[Range, int], constant: int
) -> None:
    graph = LaneGraph()
    first, second = graph.node("input", ("one",), one[0]), graph.node("input", ("other",), other[0])
    fields = {"one": one[1], "other": other[1]}
    chosen = graph.select(graph.compare("lt", first, second), graph.binary("add", first, 300), second)
    for value in (graph.binary("sub", first, second), graph.binary("add", graph.binary("add", first, 256), 7), chosen):
        plain = computed(value, fields)
        for op, expected in (("eq", plain == constant), ("lt", plain < constant), ("gt", plain > constant)):
            assert computed(graph.compare(op, value, constant), fields) == expected


def test_an_index_that_may_be_outside_of_a_list_is_a_violation() -> None:
    @rule
    def read(table: object) -> int:
        return table.hands[table.player]  # type: ignore[attr-defined, no-any-return]

    graph = LaneGraph()
    seat = graph.field("player", (0, 3))
    found = trace(graph, read, [TracedTable({"hands": Cells([7, 8, 9]), "player": seat})])
    (mask, what), *others = graph.violations
    assert not others
    assert what == "an index in read is outside of its list"
    assert [bool(computed(mask, {"player": player})) for player in range(4)] == [False, False, False, True]
    assert computed(found, {"player": 1}) == 8


def test_a_loop_whose_end_depends_on_the_game_is_a_violation_where_it_goes_on() -> None:
    @rule
    def halved(number: int) -> int:
        while number > 8:
            number >>= 1
        return number

    graph = LaneGraph()
    found = trace(graph, halved, [graph.field("number", (0, 20))])
    ((mask, what),) = graph.violations
    assert what == "a loop of halved goes on"
    assert bool(computed(mask, {"number": 9}))
    assert not computed(mask, {"number": 8})
    assert computed(found, {"number": 8}) == 8


def test_an_assertion_is_a_violation_where_it_fails() -> None:
    @rule
    def checked(number: int) -> int:
        assert number < 9, "a number below nine"
        assert True
        return number

    graph = LaneGraph()
    found = trace(graph, checked, [graph.field("number", (0, 20))])
    ((mask, what),) = graph.violations
    assert what == "an assertion of checked fails"
    assert bool(computed(mask, {"number": 9}))
    assert not computed(mask, {"number": 8})
    assert computed(found, {"number": 8}) == 8


def test_a_function_that_cannot_be_traced_is_named_with_its_line() -> None:
    @rule
    def joined(table: object) -> str:
        return "a" + "b"

    with pytest.raises(
        UntraceableError, match=r"test_lane_graphs\.py:\d+: joined: a value that is not an integer is used"
    ):
        trace(LaneGraph(), joined, [TracedTable({})])


@rule
def without_end(number: int) -> int:
    return without_end(number) + 1


@rule
def of_no_field(table: object) -> int:
    return table.no_field  # type: ignore[attr-defined, no-any-return]


@rule
def far_too_long(number: int) -> int:
    for _ in range(10**9):
        number += 1
    return number


@pytest.mark.parametrize("function", [without_end, of_no_field, far_too_long])
def test_whatever_goes_wrong_in_a_trace_makes_the_function_untraceable(function: Callable[..., int]) -> None:
    argument = TracedTable({}) if function is of_no_field else 1
    with pytest.raises(UntraceableError, match=rf"test_lane_graphs\.py:\d+: {function.__name__}: "):
        trace(LaneGraph(), function, [argument])


@rule
def long_row(number: int) -> int:
    total = number
    for factor in range(3, 253):
        total = total * factor + number & 1023
    return total


def test_operations_that_wait_for_each_other_in_a_long_row_are_refused() -> None:
    graph = LaneGraph()
    with pytest.raises(UntraceableError, match=r"long_row: more than 500 operations in a row"):
        trace(graph, long_row, [graph.field("number", (0, 9))])


# ---------------------------------------------------------------- what cannot be traced

REFUSED = {
    "def f(table, *, due): return due": "the arguments of f are not plain ones",
    "def f(table, *due): return due": "the arguments of f are not plain ones",
    "def f(table, due): return due": "the arguments of f are not plain ones",
    "def f(table):\n for n in (1, 2):\n  pass\n else:\n  return 1": "a loop with else",
    "def f(table):\n while table.due > 9:\n  pass\n else:\n  return 1": "a loop with else",
    "def f(table):\n while True:\n  break": "a while loop with break or continue",
    "def f(table):\n for n in range(9 * table.due): pass": "a loop of up to 81 rounds, as many as the game says",
    "def f(table):\n for n in range(0, table.due, 2): pass": "with a step that is not 1 or -1",
    "def f(table):\n for n in table.due: pass": "a loop whose range depends on the game",
    "def f(table):\n for n in range(4000):\n  n = 1": "more than 4,096 statements in a row",
    "def f(table): del table.due": "Delete is not known here",
    "def f(table): table.hands = 3": "hands is assigned to, but is not a number of the table",
    "def f(table): table.due[0] = 3": "table.due[0] is not a number in memory",
    "def f(table):\n one, *rest = (1, 2)": "*rest is not a number in memory",
    "def f(table):\n if table.due:\n  found = 1\n return found": "found may be read before it is assigned",
    "def f(table): return (1, 'a')[table.due]": "an index into a tuple of values that are not numbers",
    "def f(table): return table.hands if table.due else 1": "a choice between two values that are not integers",
    "def f(table): return [n for n in (1, 2)]": "ListComp is not known here",
    "def f(table): return table.due is None": "Is is not known here",
    "def f(table): return table.due / 2": "Div is not known here",
    "def f(table): return table.due.real": "table.due.real is not known here",
    "def f(table): return max(table.due, 1, default=0)": "max is called, but is not a rule function",
    "def f(table): return table.seed": "seed: the dice are not known",
    "def f(table): return sum((1, 2))": "sum is called, but is not a rule function",
}
"""Functions of a table with a number, `due`, a list, `hands`, and a field that cannot be read, and why they are refused."""


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_known_to_traces_is_refused(source: str) -> None:
    names: dict[str, Callable[..., int]] = {}
    lines = source.splitlines(keepends=True)
    linecache.cache["<refused>"] = (len(source), None, lines, "<refused>")
    exec(compile(source, "<refused>", "exec"), names)
    graph = LaneGraph()
    table = TracedTable(
        {"due": graph.field("due", (0, 9)), "hands": Cells([1, 2]), "seed": forbidden("the dice are not known")}
    )
    with pytest.raises(UntraceableError, match=re.escape(REFUSED[source])):
        trace(graph, names["f"], [table])


def test_a_function_without_a_source_of_its_own_is_refused() -> None:
    names: dict[str, Any] = {}
    exec("def f():\n    return 1", names)
    with pytest.raises(UntraceableError, match="f: its source cannot be read from <string>"):
        trace(LaneGraph(), names["f"], [])
