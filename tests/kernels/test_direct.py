"""Programs in machine code compute what Python computes, and source that has anything else is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from python_says import BY_ZERO

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from fsm import MauMau, Uno, UnoOfficial  # noqa: E402
from fsm.declaration.policy import RANDOM  # noqa: E402
from fsm.edge.errors import CompilationError  # noqa: E402
from fsm.games.mahjong.game import Mahjong  # noqa: E402
from maumau.agents.batch_source import (  # noqa: E402
    ILLEGAL_ACTION,
    stepping,
)
from maumau.agents.plan import AgentPlan  # noqa: E402
from maumau.agents.search.source import inferring, searching  # noqa: E402
from maumau.kernels.bulk.by_value import COUNT_VALUES, SPREAD  # noqa: E402
from maumau.kernels.bulk.counts import ADD_UP  # noqa: E402
from maumau.kernels.compiler.direct.building import module_text  # noqa: E402
from maumau.kernels.compiler.machine_code import NativeCode  # noqa: E402
from maumau.kernels.compiler.objects import LOADED, Machine, object_code, target_machine  # noqa: E402
from maumau.kernels.compiler.program import KernelPlan, KernelSource, Program  # noqa: E402
from maumau.kernels.compiler.source import checking, dealing, playing  # noqa: E402
from maumau.kernels.explorer.source import exploring  # noqa: E402
from maumau.study.counts import BY_POLICY, MOMENTS  # noqa: E402
from rules.chance import philox  # noqa: E402
from rules.rule import effect, query, rule  # noqa: E402

PRIMES = 2, 3, 5, 7, 11, 13
PAIRS = (1, 10), (2, 20), (3, 30)
numbers = st.integers(-(1 << 31), 1 << 31)


@query
def arithmetic(a: int, b: int) -> int:
    return (a + b * 3 ^ a & ~b | b >> 3) - (a << 2) + abs(b) + min(a, b, 7) * 5 + max(a, -b)


@query
def divided(a: int, b: int) -> int:
    return a // b * 1000003 + a % b if b else a // 7 * 31 + a % 7 + a // -3 + a % -5


@query
def compared(a: int, b: int) -> int:
    found = 1 if a < b else 2
    if not (a == b or a > 5) and b != 3:
        found += 10
    found += 0 <= a <= 100
    found += (a in (1, 2, b)) * 100 + (b not in PRIMES) * 1000
    return found + 10000 * (a or b) + (a and 7)


@query
def looped(a: int, b: int) -> int:
    total = 0
    for number in range(a % 20, b % 50, 3):
        if number == 11:
            continue
        if number > 40:
            break
        total += number * number
    for prime in PRIMES:
        total = total * 3 + prime % (1 + b % 3)
    for one, other in PAIRS:
        total ^= one * other + a
    for number in range(10, a % 10, -1):
        total += number
    return total


@query
def counted(a: int, b: int) -> int:
    word, rounds = a & 0xFFFF, 0
    while True:
        if word == 0:
            break
        word &= word - 1
        rounds += 1
    while rounds < b % 8:
        rounds += 1
    return rounds + (a & 0xFFFFFF).bit_length() * 100 + (b & 0xFFFF).bit_count() * 10000


@query
def dispatched(a: int, b: int) -> int:
    state, rounds = a % 3, 0
    while True:
        if state == True:  # noqa: E712
            rounds += 1
            state = 0 if rounds > b % 5 else 2
        elif state == False:  # noqa: E712
            return rounds
        elif state == 2:
            rounds += 10
            state = 1


@query
def both_ends(a: int, b: int) -> tuple[int, bool]:
    if a > b:
        return b, True
    return a, False


@query
def summed(pair: tuple[int, int], others: tuple[int, ...]) -> int:
    first, second = pair
    return first * 3 + second + others[1] + len(others) + len(pair)


@query
def of_tuples(a: int, b: int) -> int:
    least, swapped = both_ends(a, b)
    if swapped:
        return PRIMES[a % 6] - least
    first, second = PAIRS[b % 3]
    return first + second + least + both_ends(b=3, a=a)[0] + summed((a, b), PRIMES)


@query
def random_words(a: int, b: int) -> int:
    first, second, third, fourth = philox(a & 0xFFFFFFFF, b & 0xFFFFFFFF, 3, 4, 5, 6)
    return first ^ second << 1 ^ third << 2 ^ fourth << 3


OFFSET = 5


def adding(number: int) -> Callable[[int, int], int]:
    """A function that reads a name of the function around it."""

    @query
    def added(a: int, b: int) -> int:
        return a + b * number + OFFSET

    return added


@query
def with_defaults(a: int, b: int = 3, c: int = 4) -> int:
    return a * 5 + b * 7 + c


@query
def of_known(a: int, b: int) -> int:
    """Numbers that are known, and signs."""
    total = len(PRIMES) + PRIMES[2] + (3 - 5) * 2 + (1 if OFFSET > 1 else 0) - -a + +b
    total += -(2**4) + ~3 + (not 0) + (7 in PRIMES)
    total += "SHDC".index("D") + PRIMES.index(11) + PRIMES.count(2) + (6).bit_count()
    total = total + (not a) + (not b > 2) + int(a > 3) + bool(b) + (a > 0 and b > 0) + (a > 5 or b > 5)
    if OFFSET < 9 and not a:
        total -= 1
    else:
        total += with_defaults(a) + with_defaults(a, c=b)
    kept: int = (a if a > b else b) % 1000
    total -= kept
    return total * (a != b) + (a in (b, 7) or b not in (a, 3)) + PRIMES[-1] + PRIMES[a % 3 - 1]


@query
def left_early(a: int, b: int) -> int:
    """Loops that are left in different ways, over tuples whose items have several parts."""
    found = 0
    for one, other in PAIRS:
        if one > a % 4:
            return found + other
        while True:
            found += 1
            if found % 3 == b % 3:
                break
            if found > 50:
                return found
        for number in PRIMES:
            if number > b % 9:
                continue
            found += number
    return found


@query
def of_equal_tuples(a: int, b: int) -> int:
    one, other = both_ends(a, b), both_ends(b, a)
    return (one == other) + (one != other) * 2 + ((a % 4, a % 4 * 10) == PAIRS[0]) * 4 + (PAIRS[1] != (b % 3, 20)) * 8


@query
def shifted_beyond_all_bits(a: int, b: int) -> int:
    return (a >> 70) + (b << 64) + (a >> 63)


NAMED = ("sum", adding(7), 1), ("defaults", with_defaults, 3), ("sum", adding(-2), 2)


@query
def over_functions(a: int, b: int) -> int:
    """A loop that is written out, for its tuple has functions and texts."""
    found = 0
    for name, function, times in NAMED:
        value = 0
        if name == "sum":
            value = function(a, b)
        elif times == 1:
            continue
        elif name != "defaults" or a > b:
            break
        for number in range(times if name == "sum" else 2):
            if number == b % 2:
                continue
            found += value * times + number
        found += function(b, a) if name == "defaults" else 100
    for _ in ():
        found += nowhere  # noqa: F821
    return found


FUNCTIONS = [
    arithmetic,
    divided,
    compared,
    looped,
    counted,
    dispatched,
    of_tuples,
    random_words,
    adding(7),
    of_known,
    left_early,
    of_equal_tuples,
    shifted_beyond_all_bits,
    over_functions,
]


def machine_code_of(program: Program) -> NativeCode:
    text = module_text(program, program.write(None))
    return NativeCode(Machine(object_code(text, target_machine(**LOADED))), program.example)


def program_of(function: Callable[..., Any]) -> Program:
    source = KernelSource("def run(a, b):\n    return computed(a, b)\n", {"computed": function})
    return Program("run", lambda subject: source, None, lambda subject: (0, 0))


@cache
def compiled(function: Callable[..., Any]) -> NativeCode:
    program = program_of(function)
    return machine_code_of(program)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@given(a=numbers, b=numbers)
@example(a=0, b=0)
@example(a=-(1 << 63), b=-1)
@example(a=-7, b=3)
def test_functions_compute_what_python_computes(function: Callable[[int, int], int], a: int, b: int) -> None:
    expected = function(a, b)
    assert (compiled(function)(a, b) - expected) % (1 << 64) == 0


def test_a_number_divided_by_zero_is_zero() -> None:
    @query
    def quotient(a: int, b: int) -> int:
        return a // b * 10 + a % b

    assert compiled(quotient)(5, 0) == 0


# ---------------------------------------------------------------- what is written


def refused(function: Callable[..., Any]) -> str:
    program = program_of(function)
    with pytest.raises(CompilationError) as caught:
        module_text(program, program.write(None))
    return str(caught.value)


@query
def by_text(a: int, b: int) -> int:
    return len(f"{a}") + b


@query
def by_itself(a: int, b: int) -> int:
    return by_itself(a - 1, b) if a > 0 else b


@rule
def by_nothing(a: int, b: int) -> int | None:
    if a > b:
        return a
    return None


@query
def by_assertion(a: int, b: int) -> int:
    assert a > b, "a is greater"
    return a


@query
def by_half(a: int, b: int) -> float:
    return a / b


def unmarked(a: int) -> int:
    return a


@query
def by_unmarked(a: int, b: int) -> int:
    return unmarked(a) + b


@query
def by_argument_list(a: int, *more: int) -> int:
    return a + len(more)


@query
def by_star(a: int, b: int) -> int:
    return by_argument_list(a, b)


@query
def by_few_arguments(a: int, b: int) -> int:
    return with_defaults(b=b) + a


@query
def by_unknown_name(a: int, b: int) -> int:
    return a + b + nowhere  # noqa: F821


@query
def by_unassigned(a: int, b: int) -> int:
    total = a + unset  # noqa: F821
    unset = b
    return total + unset


@query
def by_kinds(a: int, b: int) -> int:
    value = PRIMES
    if a > b:
        value = PAIRS
    return len(value)


@query
def by_changed_kind(a: int, b: int) -> int:
    value = a
    value = PRIMES
    return len(value) + b


@query
def by_length(a: int, b: int) -> int:
    first, second = PRIMES
    return first + second + a + b


@query
def by_unequal_lengths(a: int, b: int) -> bool:
    return (a, b) == PRIMES


@query
def by_words(a: int, b: int) -> int:
    return ("one", "two")[a] + b


@query
def by_target(a: int, b: int) -> int:
    for name, _, times in NAMED:
        times += len(name)  # noqa: PLW2901
        a += times
    return a + b


@query
def by_target_after_it(a: int, b: int) -> int:
    for name, _, _ in NAMED:
        a += len(name)
    return a + b + len(name)


@query
def by_name_of_a_field(a: int, b: int) -> int:
    return a + getattr(b, NAMED[0][0])


@query
def by_index(a: int, b: int) -> int:
    return a[0] + b


@query
def by_text_index(a: int, b: int) -> int:
    return len("text"[0]) + a + b


@query
def by_step(a: int, b: int) -> int:
    total = 0
    for number in range(0, 10, a):
        total += number
    return total + b


@query
def by_loop(a: int, b: int) -> int:
    total = b
    for number in a:
        total += number
    return total


@query
def by_else(a: int, b: int) -> int:
    for number in range(a):
        if number == b:
            break
    else:
        return 1
    return 2


@query
def by_method(a: int, b: int) -> int:
    return a.conjugate() + b


@query
def by_known_method(a: int, b: int) -> int:
    return a + b + len("SHDC".lower())


@query
def by_absence(a: int, b: int) -> int:
    return a + b + PRIMES.index(4)


@effect
def by_field(a: int, b: int) -> None:
    a.field = b


@query
def by_known_error(a: int, b: int) -> int:
    return a + b + 1 // 0


@query
def by_large_number(a: int, b: int) -> int:
    return a + b + (1 << 70)


@query
def by_returned_function(a: int, b: int) -> Any:
    return by_argument_list


@query
def by_slice(a: int, b: int) -> int:
    return len(PRIMES[a:b])


@query
def by_comprehension(a: int, b: int) -> int:
    return sum(number for number in range(a)) + b


@query
def by_float(a: int, b: int) -> int:
    return a + b + 1.5


REASONS = {
    by_text: "JoinedStr is not known here",
    by_itself: "by_itself calls itself",
    by_nothing: "it returns different kinds of values",
    by_assertion: "Assert is not known here",
    by_half: "a value is returned that is not an integer",
    by_unmarked: "unmarked is called, but is not a rule function",
    by_star: "the arguments of by_argument_list are not plain ones",
    by_few_arguments: "the arguments of with_defaults are not plain ones",
    by_unknown_name: "nowhere is not known",
    by_unassigned: "unset may be read before it is assigned",
    by_kinds: "value has values of different kinds",
    by_changed_kind: "value has values of different kinds",
    by_length: "a tuple of another length",
    by_unequal_lengths: "a tuple of another length",
    by_words: "an index into a tuple of values that are not numbers",
    by_target: "times has values of different kinds",
    by_target_after_it: "name may be read before it is assigned",
    by_name_of_a_field: "sum is not a field",
    by_index: "a[0] is not known here",
    by_text_index: "'text'[0] is not known here",
    by_step: "the step of a range is not known",
    by_loop: "a loop over something that is not a range, row, array of one axis or tuple",
    by_else: "a loop with else is not known here",
    by_method: "a.conjugate is not known here",
    by_known_method: "'SHDC'.lower is not known here",
    by_absence: "tuple.index(x): x not in tuple",
    by_field: "a.field is not a number in memory",
    by_known_error: BY_ZERO,
    by_large_number: "1180591620717411303424 has more than 64 bits",
    by_returned_function: "a value is returned that is not an integer",
    by_slice: "PRIMES[a:b] is not known here",
    by_comprehension: "GeneratorExp is not known here",
    by_float: "a value is returned that is not an integer",
}


@pytest.mark.parametrize("function", REASONS, ids=lambda function: function.__name__)
def test_what_is_not_known_is_named(function: Callable[..., Any]) -> None:
    assert refused(function).endswith(REASONS[function])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MauMau, Uno, UnoOfficial, Mahjong])
def test_the_programs_of_every_game_are_written(kind: Any) -> None:
    game = kind.declaration
    house, seats = game.policies[:1], {"players": game.codec.fewest}
    plans = [
        KernelPlan(game, house, log=True),
        KernelPlan(game, house, repetition=True),
        KernelPlan(game, (RANDOM,), tally=True),
    ]
    searched = AgentPlan(game, house, **seats, searches=True)
    programs = [stepping(AgentPlan(game, house, **seats)), searching(searched), inferring(searched), exploring(game)]
    for program in (dealing(game), checking(game), *map(playing, plans), *programs):
        assert "define i64 @native" in module_text(program, program.write(program.subject))


@pytest.mark.parametrize(
    "program",
    [ADD_UP, COUNT_VALUES, SPREAD, BY_POLICY, MOMENTS, ILLEGAL_ACTION],
    ids=lambda program: program.entry,
)
def test_the_programs_that_work_on_results_are_written(program: Program) -> None:
    assert "define i64 @native" in module_text(program, program.write(program.subject))


def test_the_words_of_arguments_are_arrays_with_their_lengths() -> None:
    """Elements of arrays by one and by two indices, of different types, also counted from the end."""
    text = """def run(numbers, rows, small):
    total = 0
    for place in range(len(numbers)):
        total += numbers[place] * 3
        numbers[place] += rows[0, place] - small[-1]
    return total + rows[-1, 1] + len(rows)
"""
    example = np.arange(3), np.arange(6).reshape(2, 3), np.array([7, 250], np.uint8)
    entry = entry_of(text, *example)
    values = np.array([5, 6, 7]), np.array([[1, 2, 3], [4, 9, 6]]), np.array([1, 200], np.uint8)
    assert entry(*values) == 3 * 18 + 9 + 2
    assert values[0].tolist() == [5 + 1 - 200, 6 + 2 - 200, 7 + 3 - 200]


def entry_of(text: str, *example: Any) -> NativeCode:
    program = Program("run", lambda subject: KernelSource(text, {}), None, lambda subject: example)
    return machine_code_of(program)


def test_a_part_of_an_array_is_an_array() -> None:
    """A row of rows, by its number or counted from the end, is looped over, changed, and given to functions."""
    text = """def sum_of(row):
    total = 0
    for number in row:
        total = total * 10 + number
    return total


def run(cubes, found):
    for place in range(len(cubes)):
        layer = cubes[place]
        layer[1, 0] += 1
        found[place] = sum_of(layer[-1]) * 1000 + sum_of(cubes[place, 0]) + len(layer)
    return sum_of(found)
"""
    cubes, found = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 0]]], np.int16), np.zeros(2, np.int64)
    assert entry_of(text, cubes, found)(cubes, found) == 44014 * 10 + 80058
    assert found.tolist() == [44 * 1000 + 12 + 2, 80 * 1000 + 56 + 2]
    assert cubes.tolist() == [[[1, 2], [4, 4]], [[5, 6], [8, 0]]]


def test_rows_of_a_known_length_lie_on_the_stack() -> None:
    text = """def run(number):
    integers, small = new_integers(3), new_bytes(2)
    for place in range(len(integers)):
        integers[place] = number + place
    small[0], small[1] = number, integers[2]
    return integers[0] + integers[2] * 10 + small[0] * 100 + small[1] * 1000
"""
    assert entry_of(text, 0)(257) == 257 + 259 * 10 + 1 * 100 + 3 * 1000


MIXED = """def hashed(row):
    mixed = 0
    for word in row:
        mixed = (mixed ^ word) * 0x1E3779B97F4A7C15
        mixed ^= mixed >> 29
    return mixed


def run(rows, small, found):
    counts, flags = new_integers(16), new_bytes(4)
    for place in range(len(counts)):
        counts[place] = 0
    for place in range(len(rows)):
        counts[small[place, -1] % 16] += hashed(rows[place])
        flags[place % 4] = counts[place % 16] // 3 % 7
        found[place] = counts[-small[place, 0] % 16] - flags[place % 4]
        rows[place, small[place, 0] % 5] //= 3
    return hashed(found)
"""


def test_arrays_are_changed_as_numpy_changes_them() -> None:
    random = np.random.default_rng(1)

    def arguments() -> tuple[Any, ...]:
        return random.integers(-99, 99, (40, 5)), random.integers(0, 99, (40, 2), np.uint8), np.zeros(40, np.int64)

    names: dict[str, Any] = {"np": np, "new_integers": lambda size: np.zeros(size, np.int64), "new_bytes": bytearray}
    exec(MIXED, names)
    direct = entry_of(MIXED, *arguments())
    for _ in range(50):
        given = arguments()
        others = [array.copy() for array in given]
        others[1] = others[1].astype(np.int64)  # sums of small integers are integers of 64 bits
        with np.errstate(over="ignore"):  # sums wrap
            assert direct(*given) == names["run"](*others)
        assert [array.tolist() for array in given] == [array.tolist() for array in others]


def test_rows_whose_length_is_not_known_are_refused() -> None:
    with pytest.raises(CompilationError, match="the length of a row is not known"):
        entry_of("def run(number):\n    return len(new_integers(number))\n", 0)


def test_an_index_must_fit_the_axes_of_an_array() -> None:
    for index, problem in (("0, 0, 0", "an index of more axes than the array has"), ("0", "not a number in memory")):
        with pytest.raises(CompilationError, match=problem):
            entry_of(f"def run(rows):\n    rows[{index}] = 1\n", np.zeros((2, 2), np.int64))


@pytest.mark.parametrize("name", [rule.name for rule in MauMau.rulebook().rules])
def test_the_kernel_of_every_house_rule_is_written(name: str) -> None:
    game = MauMau.with_rules(name).declaration
    program = playing(KernelPlan(game, game.policies[:1], log=True))
    assert module_text(program, program.write(program.subject))
