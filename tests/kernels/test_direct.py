"""Programs in machine code compute what Python computes, and source that has anything else is refused."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

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
from maumau.kernels.bulk import FIRST_WRONG  # noqa: E402
from maumau.kernels.bulk.by_value import COUNT_VALUES, SPREAD  # noqa: E402
from maumau.kernels.bulk.counts import ADD_UP  # noqa: E402
from maumau.kernels.compiler.direct.building import module_text  # noqa: E402
from maumau.kernels.compiler.machine_code import NativeCode  # noqa: E402
from maumau.kernels.compiler.objects import Machine, loadable_code  # noqa: E402
from maumau.kernels.compiler.program import KernelPlan, KernelSource, Program  # noqa: E402
from maumau.kernels.compiler.source import dealing, playing  # noqa: E402
from maumau.kernels.explorer.source import exploring  # noqa: E402
from maumau.study.counts import BY_POLICY, MOMENTS  # noqa: E402
from rules.chance import philox  # noqa: E402
from rules.rule import query, rule  # noqa: E402

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


ROWS = (1, (2, 3, 5)), (4, (7,)), (6, (11, 13, 17))


@query
def over_rows_of_rows(a: int, b: int) -> int:
    """A loop that is written out, for its tuple has neither numbers nor rows of numbers alone."""
    found = 0
    for number, primes in ROWS:
        if a % 7 == number:
            break
        for prime in primes:
            found += prime * b + primes[a % len(primes)]
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
    over_rows_of_rows,
]


def machine_code_of(program: Program) -> NativeCode:
    text = module_text(program, program.write(None))
    return NativeCode(Machine(loadable_code(text)), program.arguments)


def run_for(*example: Any) -> Callable[..., Any]:
    """A function called `run`, annotated with the types of some arguments."""

    def run() -> None:
        pass

    types = [Annotated[Any, each.dtype, each.ndim] if hasattr(each, "dtype") else int for each in example]
    run.__annotations__ = {f"argument_{place}": kind for place, kind in enumerate(types)}
    return run


def program_of(function: Callable[..., Any]) -> Program:
    source = KernelSource("def run(a, b):\n    return computed(a, b)\n", {"computed": function})
    return Program(run_for(0, 0), lambda subject: source, None)


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


def unmarked(a: int) -> int:
    return a


@query
def of_any_number(a: int, *more: int) -> int:
    return a + len(more)


REASONS = {
    "return len(f'{a}') + b": "JoinedStr is not known here",
    "return f(a - 1, b) if a > 0 else b": "f calls itself",
    "if a > b:\n  return a\n return None": "it returns different kinds of values",
    "assert a > b, 'a is greater'\n return a": "Assert is not known here",
    "return a / b": "a value is returned that is not an integer",
    "return unmarked(a) + b": "unmarked is called, but is not a rule function",
    "return of_any_number(a, b)": "the arguments of of_any_number are not plain ones",
    "return with_defaults(b=b) + a": "the arguments of with_defaults are not plain ones",
    "return a + b + nowhere": "nowhere is not known",
    "total = a + unset\n unset = b\n return total": "unset may be read before it is assigned",
    "value = PRIMES\n if a > b:\n  value = PAIRS\n return len(value)": "value has values of different kinds",
    "value = a\n value = PRIMES\n return len(value) + b": "value has values of different kinds",
    "first, second = PRIMES\n return first + second + a + b": "a tuple of another length",
    "return (a, b) == PRIMES": "a tuple of another length",
    "return ('one', 'two')[a] + b": "an index into a tuple of values that are not numbers",
    "for name, _, times in NAMED:\n  times += len(name)\n  a += times\n return a + b": "times has values of different kinds",
    "for name, _, _ in NAMED:\n  a += len(name)\n return a + b + len(name)": "name may be read before it is assigned",
    "return a + getattr(b, NAMED[0][0])": "sum is not a field",
    "return a[0] + b": "a[0] is not known here",
    "return len('text'[0]) + a + b": "'text'[0] is not known here",
    "total = b\n for n in range(0, 10, a): total += n\n return total": "the step of a range is not known",
    "for n in a: b += n\n return b": "a loop over something that is not a range, row, array of one axis or tuple",
    "for n in range(a):\n  break\n else:\n  return 1\n return 2": "a loop with else is not known here",
    "return a.conjugate() + b": "a.conjugate is not known here",
    "return a + b + len('SHDC'.lower())": "'SHDC'.lower is not known here",
    "return a + b + PRIMES.index(4)": "tuple.index(x): x not in tuple",
    "a.field = b": "a.field is not a number in memory",
    "return a + b + 1 // 0": BY_ZERO,
    "return a + b + (1 << 70)": "1180591620717411303424 has more than 64 bits",
    "return of_any_number": "a value is returned that is not an integer",
    "return len(PRIMES[a:b])": "PRIMES[a:b] is not known here",
    "return sum(n for n in range(a)) + b": "GeneratorExp is not known here",
    "return a + b + 1.5": "a value is returned that is not an integer",
}
"""What follows `def f(a, b):`, and why it is refused."""


@pytest.mark.parametrize("body", REASONS)
def test_what_is_not_known_is_named(body: str) -> None:
    source = f"def f(a, b):\n {body}\n"
    linecache.cache["<refused>"] = (len(source), None, source.splitlines(keepends=True), "<refused>")
    names = dict(globals())
    exec(compile(source, "<refused>", "exec"), names)
    names["f"] = rule(names["f"])
    assert refused(names["f"]).endswith(REASONS[body])


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
    for program in (dealing(game), *map(playing, plans), *programs):
        assert "define i64 @native" in module_text(program, program.write(program.subject))


@pytest.mark.parametrize(
    "program",
    [ADD_UP, COUNT_VALUES, SPREAD, BY_POLICY, MOMENTS, ILLEGAL_ACTION, FIRST_WRONG],
    ids=lambda program: program.entry.__name__,
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
    program = Program(run_for(*example), lambda subject: KernelSource(text, {}), None)
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
