"""Games played in lanes: equal to the scalar kernel and to the stepped machine, and handed over where lanes cannot go."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from auction import Auction
from bulk_fixtures import same_results
from rolling import add_two_or_three

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from examples.briscola import Briscola  # noqa: E402
from examples.durak import Durak  # noqa: E402
from examples.euchre import Euchre  # noqa: E402
from examples.go_fish import GoFish  # noqa: E402
from examples.president import President  # noqa: E402
from examples.schnapsen import Schnapsen  # noqa: E402
from examples.scopa import Scopa  # noqa: E402
from examples.spades import SharedSpades, Spades  # noqa: E402
from fsm import Game, MauMau, Policy, Uno, UnoOfficial, game_of, outside, registry  # noqa: E402
from fsm.declaration.declaration import Declaration  # noqa: E402
from fsm.declaration.policy import FIRST_LEGAL, RANDOM  # noqa: E402
from fsm.edge.errors import CompilationWarning  # noqa: E402
from fsm.games.mahjong.game import Mahjong  # noqa: E402
from maumau.kernels import bulk  # noqa: E402
from maumau.kernels.bulk import runner  # noqa: E402
from maumau.kernels.bulk.by_value import histograms  # noqa: E402
from maumau.kernels.compiler import machine_code  # noqa: E402
from maumau.kernels.compiler.objects import Machine, object_code  # noqa: E402
from maumau.kernels.compiler.program import Results, blank_rows  # noqa: E402
from maumau.kernels.lanes import emit, kernel, module, ranges, request, writer  # noqa: E402
from maumau.kernels.lanes.emit import Emitter  # noqa: E402
from maumau.kernels.lanes.firing import PassStep  # noqa: E402
from maumau.kernels.lanes.graph import LaneGraph, LaneRow  # noqa: E402
from maumau.kernels.lanes.kernel import LaneKernel, Worker  # noqa: E402
from maumau.kernels.lanes.module import code_of, machine_of, schedules_of  # noqa: E402
from maumau.kernels.lanes.nodes import Operation, Value  # noqa: E402
from maumau.kernels.lanes.passes import MIN_ENTRIES, PHASE, given_deal  # noqa: E402
from maumau.kernels.lanes.request import (  # noqa: E402
    AVX2,
    AVX512,
    SSE4,
    Request,
    Target,
    UntraceableError,
    lacking,
    why_no_lanes,
)
from maumau.kernels.lanes.widths import Planes, widths  # noqa: E402
from maumau.kernels.lanes.words import explained  # noqa: E402
from rules.chance import WORD  # noqa: E402
from rules.ending import Ending  # noqa: E402
from rules.maumau.game import add_two  # noqa: E402
from rules.rule import effect  # noqa: E402

X86 = sys.platform == "linux" and platform.machine() == "x86_64"
GAME = MauMau.declaration
PLAIN, *_ = schedules_of(GAME)
dealt = GAME.deal
SEED = 7

pytestmark = pytest.mark.skipif(not X86, reason="lanes need Linux on x86-64")


@cache
def shared(request: Request) -> LaneKernel:
    """A kernel that several tests use."""
    return compiled(request)


def compiled(request: Request, schedule: Sequence[PassStep] | None = None) -> LaneKernel:
    """A kernel that is compiled here, and not kept."""
    found = module.module_of(request, tuple(schedule) if schedule else None)
    loaded = kernel._loaded(request, kernel.packed(found.head, code_of(found, request.target)))
    assert isinstance(loaded, LaneKernel)
    return loaded


def made(text: str, target: Target, arguments: int = 2) -> Machine:
    """The function `play` of LLVM text in machine code. arguments: its words."""
    return Machine(object_code(text, machine_of(target)), "play", arguments)


def narrow(game: Declaration = GAME, players: int = 3, policy: int = 0, **options: Any) -> Request:
    """A request for a kernel that every x86-64 processor can run: 16 lanes of 128 bits."""
    return Request(game, players, (game.policies[policy],), target=SSE4, **{"dealing": False, **options})


@dataclass
class Player:
    """A lane kernel in place of the one of this machine."""

    kernel: LaneKernel

    def play(self, decks: Any, players: int, seed: int = 0, first: int = 0) -> tuple[Results, list[int]]:
        """The results of some decks, and the numbers of the games that left. seed, first: the dice of the games."""
        results, scores = blank_rows(len(decks), players)
        worker, counters = Worker(self.kernel, len(decks)), np.zeros(256, np.int64)
        where = {"results": results.ctypes.data, "scores": scores.ctypes.data}
        where |= {"fired": counters.ctypes.data, "used": counters.ctypes.data + 8 * 128}
        left = worker.play(len(decks), decks=decks.ctypes.data, seed=seed, first=first, **where)
        return Results(results, scores), left


@contextmanager
def scalar_only() -> Iterator[None]:
    """All games are played by the scalar kernel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "MIN_GAMES", 1 << 60)
        yield


@contextmanager
def played_in(made: LaneKernel) -> Iterator[None]:
    """All games are played in lanes by this kernel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "MIN_GAMES", 1)
        patch.setattr(runner, "lane_kernel", lambda request, notify=None: made)
        yield


@cache
def decks_of(players: int, games: int) -> Any:
    return bulk.deal(players, games, SEED)


@cache
def scalar(players: int, games: int) -> Results:
    with scalar_only():
        return bulk.play(players, decks_of(players, games))


def check_alike(made: LaneKernel | None, play: Callable[[], Any]) -> Any:
    """Return what comes out of some games by the scalar kernel, which must be the same in lanes.

    made: the kernel of lanes; None for that of this machine.
    """
    with scalar_only():
        expected = play()
    with played_in(made) if made else nullcontext():
        found = play()
    assert same_results(found, expected) if isinstance(expected, Results) else found == expected
    return expected


def check_values(players: int, games: int, expected: Results) -> None:
    """Games of the seed are counted by value as they are in their rows."""
    counted = runner.Runner(GAME, players, (), SEED, tally=True, log=False, notify=None).by_value(0, games, threads=2)
    assert counted
    of_rows = histograms(expected)
    plain = [{name: row.tolist() for name, row in each.items()} for each in (counted.histograms, of_rows)]
    assert plain[0] == plain[1]
    assert counted.endings.tolist() == [code if code != Ending.WON else 0 for code in expected.games["ending"]]
    assert (counted.counted, counted.used) == (expected.counted, expected.used)


# ---------------------------------------------------------------- equal results


WIDTHS = [
    pytest.param(
        target,
        players,
        policy,
        marks=pytest.mark.thorough if (of_target + of_policy + players) % 3 else pytest.mark.slow,
    )
    for of_target, target in enumerate(request.X86)
    for players in (2, 3, 4)
    for of_policy, policy in enumerate(["house", "first-legal", "random"])
]
"""All combinations; those that are not thorough have every pair of their values."""


@pytest.mark.parametrize(("target", "players", "policy"), WIDTHS, ids=lambda value: getattr(value, "name", str(value)))
def test_lanes_of_every_width_play_as_the_scalar_kernel(target: Target, players: int, policy: str) -> None:
    if missing := why_no_lanes(target):
        pytest.skip(missing)
    made = compiled(Request(GAME, players, (GAME.policy(policy),), dealing=False, target=target))
    check_alike(made, lambda: bulk.play(players, decks_of(players, 10_001), (policy,), seed=3, first=11))


@pytest.mark.slow
def test_lanes_deal_play_and_count_as_the_scalar_kernel() -> None:
    made = shared(narrow(tally=True, dealing=True))
    assert made.deals
    check_alike(made, lambda: bulk.play_dealt(3, 2003, SEED, 11, tally=True, threads=2))
    check_alike(made, lambda: bulk.total(3, 2003, SEED, 11, threads=2))


@pytest.mark.slow
def test_seats_of_different_policies_play_in_lanes_as_in_the_scalar_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORK", 1 << 10)
    names = "house", "random", "first-legal"
    made = compiled(replace(narrow(tally=True, dealing=True), policies=policies_of(GAME, names)))
    for seats in permutations(names):
        check_alike(made, partial(bulk.play_dealt, 3, 503, SEED, 11, seats, tally=True))


@pytest.mark.thorough
@pytest.mark.parametrize("names", [("house", "random"), ("house", "first-legal"), ("random", "random-legal-card")])
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("kind", [MauMau, MauMau.with_rules("nine-reverses", "cover-eight"), Uno])
def test_every_seating_of_two_policies_is_the_same_in_lanes(
    kind: type[Game], players: int, names: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_WORK", 1 << 10)
    game, decks = kind.declaration, bulk.deal(players, 2_000, SEED, game=kind)
    made = compiled(Request(game, players, policies_of(game, names), tally=True, dealing=False, target=AVX2))
    for seats in product(names, repeat=players):
        if len(set(seats)) == 2:
            check_alike(made, partial(bulk.play, players, decks, seats, game=kind, tally=True))


def policies_of(game: Declaration, names: Sequence[str]) -> tuple[Policy, ...]:
    """The policies of these names, in the order of the game."""
    return tuple(policy for policy in game.policies if policy.name in names)


@pytest.mark.slow
@pytest.mark.parametrize("policy", [GAME.policies[0], FIRST_LEGAL, RANDOM])
def test_lanes_play_as_the_stepped_machine(policy: Policy) -> None:
    made = compiled(narrow(players=2, policy=GAME.policies.index(policy)))
    decks = decks_of(2, 60)
    played, _ = Player(made).play(decks, 2, seed=2**40 + 1, first=2**33)
    for row, deck in enumerate(decks):
        outcome = MauMau.of_deck(2, bytes(deck), [policy.name], seed=2**40 + 1, number=2**33 + row).run()
        assert outcome is not None
        assert (int(played.games["ending"][row]), tuple(played.scores[row])) == (outcome.ending, outcome.scores)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["house", "random"])
@pytest.mark.parametrize("kind", [Spades, SharedSpades], ids=lambda kind: kind.declaration.name)
def test_games_that_several_win_together_are_the_same_in_lanes(kind: type[Game], policy: str) -> None:
    """Partners win together: the results have a mask of winners, and each of them counts as a win."""
    game = kind.declaration
    made = shared(Request(game, 4, (game.policy(policy),), tally=True, target=SSE4))
    rows = check_alike(made, lambda: bulk.play_dealt(4, 1003, SEED, 11, (policy,), tally=True, game=kind, threads=1))
    total = check_alike(made, lambda: bulk.total(4, 1003, SEED, 11, (policy,), game=kind, threads=1))
    assert set(rows.games["winners"].tolist()) >= {0b0101, 0b1010}
    assert total.wins == tuple(int((rows.games["winners"] >> seat & 1).sum()) for seat in range(4))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "players", "policy"),
    [
        (Briscola, 3, "house"),
        (Briscola, 2, "random"),
        (Schnapsen, 2, "house"),
        (Schnapsen, 2, "random"),
        (Euchre, 4, "house"),
        (Scopa, 2, "random"),
        (GoFish, 3, "house"),
        (GoFish, 2, "random"),
    ],
)
def test_loops_as_long_as_the_game_says_are_played_in_lanes(kind: type[Game], players: int, policy: str) -> None:
    game = kind.declaration
    made = compiled(Request(game, players, (game.policy(policy),), tally=True, target=SSE4))
    check_alike(made, lambda: bulk.play_dealt(players, 500, SEED, 11, (policy,), tally=True, game=kind, threads=1))
    of_decks = compiled(Request(game, players, (game.policy(policy),), target=SSE4, dealing=False))
    _, left = Player(of_decks).play(bulk.deal(players, 500, SEED, game=kind), players)
    assert len(left) < 50


@pytest.mark.slow
def test_a_game_that_most_leave_is_played_by_the_scalar_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nearly every game of President has a loop that goes on where lanes take it to be over."""
    monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path))
    monkeypatch.setattr(kernel, "ROUNDS", 0)
    game = President.declaration
    for _ in range(2):  # compiled, and from disk
        with pytest.raises(UntraceableError, match="of 64 games of president leave the lanes"):
            kernel.lane_kernel(Request(game, 4, game.policies[:1], target=SSE4))
        kernel._ready.clear()


@pytest.mark.slow
def test_rounds_are_computed_of_loops_that_most_games_go_on_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path))
    game = President.declaration
    kernel._ready.clear()
    made = kernel.lane_kernel(Request(game, 4, game.policies[:1], tally=True, target=SSE4))
    check_alike(made, lambda: bulk.play_dealt(4, 1001, SEED, 11, tally=True, game=President, threads=1))
    one = compiled(Request(game, 4, game.policies[:1], dealing=False, target=SSE4, rounds=1))
    assert len(Player(one).play(bulk.deal(4, 100, SEED, game=President), 4)[1]) > 50
    kernel._ready.clear()


def test_loops_whose_rounds_change_rows_often_are_not_computed() -> None:
    reason = refused(replace(narrow(Durak.declaration, 2), rounds=4))
    assert reason.startswith("loops read or change rows ")
    assert reason.endswith(" times, which costs more than lanes save")


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["house", "first-legal"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_million_games_are_the_same_in_lanes(players: int, policy: str) -> None:
    decks = bulk.deal(players, 1_000_000, SEED)
    check_alike(None, lambda: bulk.play(players, decks, (policy,), tally=True))
    check_alike(None, lambda: bulk.total(players, 1_000_000, 9, 0, (policy,)))


@pytest.mark.slow
def test_a_few_games_are_played_in_lanes_too() -> None:
    made = shared(narrow())
    for games in (1, 5, 16, 17):
        played, _ = Player(made).play(decks_of(3, 3001)[:games], 3)
        assert played.games.tobytes() == scalar(3, 3001).games[:games].tobytes()


# ---------------------------------------------------------------- dice


@cache
def random_players() -> LaneKernel:
    return compiled(narrow(policy=GAME.policies.index(RANDOM), tally=True, dealing=True))


@pytest.mark.slow
def test_random_players_roll_the_same_dice_in_lanes() -> None:
    made, seats = random_players(), (RANDOM.name,)
    check_alike(made, lambda: bulk.play(3, decks_of(3, 1501), seats, seed=2**40, first=2**33, tally=True))
    check_alike(made, lambda: bulk.play_dealt(3, 1501, SEED, 11, seats, tally=True, threads=2))
    check_alike(made, lambda: bulk.total(3, 1501, SEED, 11, seats, threads=2))


@pytest.mark.slow
def test_a_game_whose_deck_is_dealt_by_the_rule_functions_has_its_own_dice() -> None:
    results, scores = blank_rows(20000, 3)
    counters = np.zeros(256, np.int64)
    where = {"results": results.ctypes.data, "scores": scores.ctypes.data}
    where |= {"fired": counters.ctypes.data, "used": counters.ctypes.data + 8 * 128}
    left = Worker(random_players(), 20000).play(20000, seed=SEED, **where)
    games = [-1 - mark for mark in left if mark < 0]
    assert games
    for number in (games[0], games[-1]):
        for play in (partial(bulk.play_dealt, tally=True), bulk.total):
            check_alike(random_players(), partial(play, 3, 200, SEED, number - 100, (RANDOM.name,)))


@pytest.mark.slow
def test_random_players_name_cards_amounts_suits_seats_ranks_and_answers_in_lanes() -> None:
    game = Auction.declaration
    decks = bulk.deal(4, 600, SEED, game=Auction)
    made = compiled(narrow(game, 4, game.policies.index(RANDOM), tally=True))
    check_alike(made, lambda: bulk.play(4, decks, (RANDOM.name,), seed=3, tally=True, game=Auction))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "players"), [(MauMau, 2), (MauMau, 3), (MauMau, 4), *((Uno, players) for players in range(2, 8))]
)
def test_20_000_games_of_random_players_are_the_same_in_lanes(kind: type[Game], players: int) -> None:
    decks, seats = bulk.deal(players, 20_000, SEED, game=kind), (RANDOM.name,)
    check_alike(None, lambda: bulk.play(players, decks, seats, seed=3, first=2**32 - 10_000, tally=True, game=kind))
    check_alike(None, lambda: bulk.total(players, 20_000, 9, 0, seats, game=kind))


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["house", "random"])
def test_dice_of_a_rule_are_rolled_in_lanes(policy: str) -> None:
    game = with_effect(add_two_or_three)
    kind, chosen = game_of(game), [each.name for each in game.policies].index(policy)
    made = compiled(narrow(game, policy=chosen, tally=True))
    check_alike(made, lambda: bulk.play(3, decks_of(3, 1501), (policy,), seed=3, first=5, tally=True, game=kind))


@pytest.fixture(params=request.X86, ids=lambda target: target.name)
def target(request: pytest.FixtureRequest) -> Target:
    """A processor that this one can stand for."""
    if missing := why_no_lanes(request.param):
        pytest.skip(missing)
    assert isinstance(request.param, Target)
    return request.param


@pytest.mark.parametrize("size", [5, 17, 64])
def test_a_small_table_is_looked_up_in_registers(size: int, target: Target) -> None:
    entries = [(number * 2654435761 >> 7) % 65536 for number in range(size)]
    graph = LaneGraph()
    index = graph.node("input", ("index",), (0, size - 1))
    value = graph.look_up(entries, index)
    assert isinstance(value, Operation)
    given = np.array([place * 37 % size for place in range(target.lanes)], np.uint8)
    for bits in (8, 16, 32):
        assert in_lanes(target, {index: given}, value, bits) == [entries[place] % (1 << bits) for place in given]


def in_lanes(target: Target, given: dict[Operation, Any], value: Value, bits: int) -> list[int]:
    """What a value of a graph is for numbers that are given, one in each lane."""
    nodes = sorted(set(reachable(value)), key=lambda node: node.number)
    emitter, lanes = Emitter(target, widths(nodes, [(value, bits)]), Planes()), target.lanes
    for number, (field, numbers) in enumerate(given.items()):
        wide = 8 * numbers.itemsize
        row = emitter.out(f"load ptr, ptr {emitter.address_at('%0', number, 64)}")
        at = emitter.address_at(row, "%2", wide)
        emitter.name(field, 0, emitter.out(f"load <{lanes} x i{wide}>, ptr {at}, align 1"), wide)
    at, kind = emitter.address_at("%1", "%2", bits), f"<{lanes} x i{bits}>"
    emitter.line(f"store {kind} {emitter.number(value, bits)}, ptr {at}, align 1")
    head = [*emitter.declarations, "define i64 @play(ptr %0, ptr %1, i64 %2) {"]
    machine = made("\n".join([*head, *emitter.lines, "  ret i64 0", "}"]), target, 3)
    addresses = np.array([numbers.ctypes.data for numbers in given.values()], np.int64)
    count = len(next(iter(given.values())))
    read = np.zeros(count, f"u{bits // 8}")
    for first in range(0, count, lanes):
        machine.call(addresses.ctypes.data, read.ctypes.data, first)
    return read.tolist()  # type: ignore[no-any-return]


def reachable(value: Value) -> Iterator[Operation]:
    """A node, and all that it is computed from."""
    if isinstance(value, Operation):
        yield value
        for arg in value.args:
            yield from reachable(arg)


def test_sums_and_differences_of_bytes_are_compared_also_where_they_are_no_bytes(target: Target) -> None:
    graph, rng = LaneGraph(), np.random.default_rng(SEED)
    one, two, three = (graph.node("input", (name,), (0, 255)) for name in ("one", "two", "three"))
    several = graph.binary("add", graph.binary("add", two, three), 1)
    difference = graph.binary("sub", one, two)
    answers = [
        graph.compare("gt", one, several),
        graph.compare("lt", several, one),
        graph.compare("gt", several, one),
        graph.compare("gt", difference, three),
        graph.compare("lt", difference, 1),
        graph.compare("eq", difference, 1),
        graph.compare("eq", difference, three),
        graph.compare("eq", several, one),
    ]
    asked = 0
    for place, answer in enumerate(answers):
        asked = graph.binary("or", asked, graph.select(answer, 1 << place, 0))
    edges, others = rng.choice([0, 1, 2, 127, 128, 253, 254, 255], (3, 1024)), rng.integers(0, 256, (3, 1024))
    numbers = np.concatenate([edges, others], axis=1).astype(np.uint8)
    expected = [
        (x > y + z + 1, y + z + 1 < x, y + z + 1 > x, x - y > z, x - y < 1, x - y == 1, x - y == z, y + z + 1 == x)
        for x, y, z in zip(*numbers.tolist(), strict=True)
    ]
    found = in_lanes(target, dict(zip((one, two, three), numbers, strict=True)), asked, 8)
    assert found == [sum(answer << place for place, answer in enumerate(each)) for each in expected]


def test_a_choice_by_a_small_number_is_looked_up_with_it(target: Target) -> None:
    graph = LaneGraph()
    seat = graph.node("input", ("seat",), (0, 3))
    following = graph.binary("add", seat, 1)
    last, first = graph.compare("eq", following, 4), graph.compare("eq", seat, 0)
    value = graph.select(graph.either(last, first), 9, following)
    assert isinstance(value, Operation)
    assert Planes().leaf(value) is seat
    seats = np.arange(64, dtype=np.uint8) % 4
    assert in_lanes(target, {seat: seats}, value, 8) == [9, 2, 3, 9] * 16


@pytest.mark.parametrize("factor", [3, 31, 255, 0xD2511F53])
def test_both_words_of_a_product_are_computed(factor: int, target: Target) -> None:
    graph, rng = LaneGraph(), np.random.default_rng(SEED)
    word = graph.node("input", ("word",), (0, WORD))
    numbers = rng.integers(0, WORD, 256, np.uint32, endpoint=True)
    numbers[:2] = 0, WORD
    product = graph.binary("mul", word, factor)
    upper, lower = graph.binary("shr", product, 32), graph.binary("and", product, WORD)
    products = [number * factor for number in numbers.tolist()]
    both = graph.binary("xor", upper, lower)
    assert in_lanes(target, {word: numbers}, both, 32) == [each >> 32 ^ each & WORD for each in products]
    assert in_lanes(target, {word: numbers}, upper, 8) == [each >> 32 & 255 for each in products]


@pytest.mark.parametrize("length", [16, 32, 64, 128])
@pytest.mark.parametrize("gathers", [True, False])
def test_every_lane_reads_its_own_row(
    target: Target, length: int, gathers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emit, "gathers", lambda: gathers)
    graph, rng, stride, lanes = LaneGraph(), np.random.default_rng(SEED), length + MIN_ENTRIES, target.lanes
    index = graph.node("input", ("index",), (0, length - 1))
    value = graph.load(LaneRow("ring", length, (0, 255)), index)
    emitter = Emitter(target, widths([index, value], [(value, 8)]), Planes(), {"ring": stride})
    for name in ("places", "cells"):
        emitter.line(f"%{name} = alloca {emitter.byte}, align {lanes}")
    emitter.name(index, 0, emitter.out(f"load {emitter.byte}, ptr %0, align 1"), 8)
    emitter.line(f"store {emitter.byte} {emitter.number(value, 8)}, ptr %1, align 1")
    head = [*emitter.declarations, "define i64 @play(ptr %0, ptr %1, ptr %row_ring) {"]
    machine = made("\n".join([*head, *emitter.lines, "  ret i64 0", "}"]), target, 3)
    rows = rng.integers(0, 256, (lanes + 1, stride), np.uint8)  # words are loaded from a few bytes before a row on
    places, read = rng.integers(0, length, lanes, np.uint8), np.zeros(lanes, np.uint8)
    machine.call(places.ctypes.data, read.ctypes.data, rows[1:].ctypes.data)
    assert read.tolist() == [row[place] for row, place in zip(rows[1:].tolist(), places.tolist(), strict=True)]


# ---------------------------------------------------------------- what is handed over


@pytest.mark.slow
def test_games_that_take_too_long_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_CALLS", 6)
    made = compiled(narrow(tally=True, dealing=True))
    _, left = Player(made).play(decks_of(3, 1501), 3)
    assert 100 < len(left) < 1400
    check_alike(made, lambda: bulk.total(3, 1501, SEED))
    expected = check_alike(made, lambda: bulk.play(3, decks_of(3, 1501), tally=True))
    with played_in(made):
        check_values(3, 1501, expected)


@pytest.mark.slow
def test_games_beyond_the_limit_of_a_fact_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "LIMITS", {40: 12})
    monkeypatch.setattr(ranges, "BEYOND", 160)
    made = compiled(narrow(tally=True))
    _, left = Player(made).play(decks_of(3, 1501), 3)
    assert left
    check_alike(made, lambda: bulk.play(3, decks_of(3, 1501), tally=True))


def test_a_deck_whose_shuffle_is_repeated_is_dealt_by_other_code() -> None:
    made = shared(narrow(tally=True, dealing=True))
    results, scores = blank_rows(20000, 3)
    counters = np.zeros(256, np.int64)
    where = {"results": results.ctypes.data, "scores": scores.ctypes.data}
    where |= {"fired": counters.ctypes.data, "used": counters.ctypes.data + 8 * 128}
    left = Worker(made, 20000).play(20000, seed=SEED, **where)
    assert left
    assert all(mark < 0 for mark in left)
    check_alike(made, lambda: bulk.total(3, 20000, SEED))
    expected = check_alike(made, lambda: bulk.play_dealt(3, 20000, SEED, tally=True))
    with played_in(made):
        check_values(3, 20000, expected)


def test_games_that_left_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    play, left = Worker.play, list[int]()

    def leaving(worker: Worker, games: int, **where: int) -> list[int]:
        """Some games are said to have left at their end: lanes have counted all of their events."""
        marks = play(worker, games, **where)
        if games > 100:
            left.extend(more := [0, games // 2, games - 1])
            return [*marks, *more]
        return marks

    monkeypatch.setattr(Worker, "play", leaving)
    check_alike(shared(narrow(tally=True, dealing=True)), lambda: bulk.play_dealt(3, 2000, SEED, tally=True))
    assert left


def test_a_deck_that_is_not_whole_is_refused_while_it_is_played() -> None:
    decks = decks_of(3, 1501).copy()
    decks[777, 3] = decks[777, 4]
    decks[1200] = 255
    with (
        played_in(shared(narrow())),
        pytest.raises(ValueError, match=r"^deck 777 is not a whole deck; use each of the 32 cards once$"),
    ):
        bulk.play(3, decks)


def test_results_are_written_into_earlier_ones() -> None:
    decks = decks_of(3, 1501)
    with played_in(shared(narrow())):
        earlier = bulk.play(3, decks[::-1].copy())
        again = bulk.play(3, decks, into=earlier)
        assert again.games is earlier.games
        assert same_results(again, scalar(3, 1501))
        with pytest.raises(ValueError, match=r"into.games: the shape is \(1501,\); give one of shape \(1500,\)"):
            bulk.play(3, decks[1:], into=earlier)


# ---------------------------------------------------------------- seeded faults


def prepared() -> tuple[Any, ranges.Ranges, Any]:
    """The deal, the proved ranges and the pass of a game."""
    deal = given_deal(GAME, 3, GAME.policies[:1])
    found, traced = ranges.ranges_of(GAME, 3, GAME.policies[:1], PLAIN, deal, longest=60)
    return deal, found, traced


def test_every_range_that_is_too_narrow_is_refused() -> None:
    deal, found, traced = prepared()
    wanted = [name for name in traced.needed({"ending", "winner", "turns"}) if name != PHASE]
    assert len(wanted) > 10
    for name in wanted:
        low, high = found.facts[name]
        for narrower in ((low, high - 1), (low + 1, high)):
            if name in found.limited or narrower[0] > narrower[1]:
                continue
            if name in found.bounds and narrower[0] == low:
                continue  # the upper end is a threshold, which no value need reach
            faulty = replace(found, facts={**found.facts, name: narrower})
            with pytest.raises(ranges.RangeError, match=f"^{name} may be from"):
                ranges.prove(faulty, deal, traced)


def test_a_fact_that_is_not_limited_though_it_grows_is_refused() -> None:
    deal, found, traced = prepared()
    for name in found.limited:
        with pytest.raises(ranges.RangeError, match=name):
            ranges.prove(replace(found, limited=found.limited - {name}), deal, traced)


def test_a_limit_without_slack_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    deal, found, traced = prepared()
    monkeypatch.setattr(ranges, "LIMITS", dict.fromkeys(ranges.LIMITS, 1))
    with pytest.raises(ranges.RangeError):
        ranges.prove(found, deal, traced)


@pytest.mark.parametrize(
    "game", [each.declaration for each in (MauMau, Uno, UnoOfficial, Mahjong)], ids=lambda game: game.name
)
def test_every_event_has_a_step(game: Declaration) -> None:
    for steps in schedules_of(game):
        for phase in game.phases:
            here = [step for step in steps if phase in step.phases]
            if phase in (game.initial, game.final):
                assert here == []
            else:
                assert any(step.forces for step in here) or not game.control[phase].forced
                assert all(any(step.chosen(offer.trigger) for step in here) for offer in game.control[phase].offers)


def test_games_that_a_faulty_schedule_never_moves_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_CALLS", 40)
    offers, forced = PLAIN
    phases = tuple(phase for phase in forced.phases if phase.name != "RESHUFFLE")
    made = compiled(narrow(), [offers, replace(forced, phases=phases)])
    _, left = Player(made).play(decks_of(3, 1501), 3)
    assert 0 < len(left) < 1000
    check_alike(made, lambda: bulk.play(3, decks_of(3, 1501)))


# ---------------------------------------------------------------- why not


def refused(request: Request) -> str:
    with pytest.raises(UntraceableError) as caught:
        module.module_of(request)
    return str(caught.value)


def with_effect(function: Callable[[Any], None]) -> Declaration:
    """The game with another effect in place of that of a seven."""

    def changed(arc: Any) -> Any:
        return replace(arc, before=tuple(function if each is add_two else each for each in arc.before))

    return replace(GAME, arcs=tuple(map(changed, GAME.arcs)))


def test_games_of_many_seats_are_played_by_the_scalar_kernel() -> None:
    assert refused(narrow(Uno.declaration, 8)) == "the hands of more than 7 seats do not fit into the registers"


def test_what_cannot_be_traced_is_named_with_its_line() -> None:
    @effect
    def by_name(table: Any) -> None:
        table.due = len(f"{table.due}")

    with pytest.warns(CompilationWarning, match="'by name' cannot be compiled: JoinedStr is not known there"):
        game = with_effect(by_name)
    assert ": by_name: JoinedStr is not known here" in refused(narrow(game))


def test_a_number_that_grows_beyond_all_limits_is_not_played_in_lanes() -> None:
    @effect
    def squared(table: Any) -> None:
        table.turns = table.turns * table.turns + 2

    assert "grows beyond all limits" in refused(narrow(with_effect(squared)))


@pytest.mark.parametrize("times", [3, 40])
def test_games_in_which_a_fact_grows_beyond_what_it_declares_leave_the_lanes(times: int) -> None:
    """Of a fact the declaration says how great it is in a position; after 2 sevens in a row 40 * 2 + 2 cards are due."""

    @effect
    def multiplied(table: Any) -> None:
        table.due = times * table.due + 2

    game = with_effect(multiplied)
    made, decks = compiled(narrow(game)), decks_of(3, 1501)
    _, left = Player(made).play(decks, 3)
    assert (len(left) > 20) is (times == 40)
    assert "a game leaves the lanes if due is not from 0 to 99" in "\n".join(explained(game, game.policies[:1], (3,)))
    check_alike(made, lambda: bulk.play(3, decks, game=game_of(game)))


def test_dice_are_not_rolled_in_a_deal() -> None:
    @effect
    def deal(table: Any, deck: Any, players: int) -> None:
        dealt(table, deck, players)
        table.due = table.number & 1

    assert "number: the dice of a game are rolled after its deal" in refused(narrow(replace(GAME, deal=deal)))


def test_a_deal_that_depends_on_the_cards_is_not_played_in_lanes() -> None:
    reason = "the deal depends on the order of the cards: a loop of expose goes on"
    assert [refused(narrow(UnoOfficial.declaration, players)) for players in (2, 5)] == [reason, reason]
    assert reason in "\n".join(explained(UnoOfficial.declaration, UnoOfficial.declaration.policies[:1], range(2, 11)))


def test_what_melds_are_laid_out_is_no_number_for_lanes() -> None:
    assert refused(narrow(Mahjong.declaration)).startswith("melds.0 grows beyond all limits: after ")


def test_different_policies_whose_choices_cost_more_than_lanes_save_are_not_played_in_lanes() -> None:
    house_and_random = policies_of(GAME, ("house", "random"))
    reason = refused(replace(narrow(), policies=house_and_random))
    assert reason.startswith("the choices of different policies need ")
    assert reason.endswith(", which cost more than 16 lanes save")
    assert module.module_of(replace(narrow(), policies=house_and_random, target=AVX512)).head["rolls"]


def test_a_processor_without_the_instructions_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "processor", lambda: ("some", "+sse4.2,+popcnt,+avx2,-bmi"))
    assert why_no_lanes() == ""
    assert request.best() is SSE4
    assert lacking(AVX2) == ["bmi", "bmi2", "fma"]
    monkeypatch.setattr(request, "processor", lambda: ("some", "-sse4.2,+avx2,+avx512f"))
    assert why_no_lanes() == "the processor lacks sse4.2, popcnt"
    assert why_no_lanes(AVX512).startswith("the processor lacks avx512bw, avx512vl, ")


# ---------------------------------------------------------------- machine code


def test_machine_code_is_called_with_words() -> None:
    text = "define i64 @play(i64 %a, i64 %b) {\n  %c = sub i64 %a, %b\n  ret i64 %c\n}\n"
    assert made(text, SSE4).call(5, 12) == -7


COUNTED = """from rules.rule import effect


@effect
def add_two_each(table):
    for _ in range(table.due + 1):
        table.due += 2
"""


def test_the_lines_of_one_checkout_are_not_shown_in_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of a kernel is the same where comments differ, and wherever the file lies."""
    monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kernel, "_ready", {})
    requests, messages = [], []
    for checkout, text in (("one", COUNTED), ("two", f"# the rules of our house\n{COUNTED}")):
        file = tmp_path / checkout / "our_rules.py"
        file.parent.mkdir()
        file.write_text(text)
        spec = spec_from_file_location("our_rules", file)
        assert spec is not None
        assert spec.loader is not None
        rules = module_from_spec(spec)
        spec.loader.exec_module(rules)
        requests.append(narrow(with_effect(rules.add_two_each)))
        assert str(file) in refused(requests[-1])
        with pytest.raises(UntraceableError) as caught:
            kernel.lane_kernel(requests[-1])
        messages.append(str(caught.value))
    assert len(set(map(kernel.key_of, requests))) == 1
    assert messages == ["maumau is not played in lanes: 'maumau compile --show --why' prints the reason"] * 2
    (file,) = (tmp_path / "cache").iterdir()
    assert str(tmp_path).encode() not in file.read_bytes()


def test_the_key_of_a_kernel_depends_on_what_it_plays() -> None:
    keys = {
        kernel.key_of(request)
        for request in (
            narrow(),
            narrow(tally=True),
            narrow(dealing=True),
            narrow(players=2),
            narrow(policy=2),
            replace(narrow(), policies=GAME.policies[:2]),
            narrow(with_effect(by_two)),
            replace(narrow(), target=AVX2),
        )
    }
    assert len(keys) == 8


def test_the_key_of_a_kernel_depends_on_what_compiles_and_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel.key_of(narrow())
    with monkeypatch.context() as patch:
        patch.setattr(machine_code, "processor", lambda: ("another", ""))
        assert kernel.key_of(narrow()) != before
    monkeypatch.setattr(np, "__version__", "99.9")
    assert kernel.key_of(narrow()) != before


@effect
def by_two(table: Any) -> None:
    """Two more cards are due, but not more than eight."""
    table.due = min(table.due + 2, 8)


# ---------------------------------------------------------------- house rules


HOUSE_RULES = [rule.name for rule in MauMau.rulebook().rules]


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_every_house_rule_of_this_package_is_traced(name: str) -> None:
    assert module.module_of(narrow(MauMau.with_rules(name).declaration, 2)).head["room"] > 100


@pytest.mark.thorough
@pytest.mark.parametrize(("policy", "players"), [("house", 2), ("house", 3), ("house", 4), ("random", 3)])
@pytest.mark.parametrize("name", HOUSE_RULES)
def test_games_by_a_house_rule_are_the_same_in_lanes(name: str, policy: str, players: int) -> None:
    kind = MauMau.with_rules(name)
    game, decks = kind.declaration, bulk.deal(players, 20_000, SEED, game=kind)
    made = compiled(Request(game, players, (game.policy(policy),), tally=True, dealing=False, target=AVX2))
    check_alike(made, lambda: bulk.play(players, decks, (policy,), game=kind, tally=True))


# ---------------------------------------------------------------- games and house rules of files

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(params=["crazy_eights.py:CrazyEights", "tens_skip.py:TENS"])
def of_file(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Game]]:
    """A game of a file, or Mau-Mau with a house rule of one; both are forgotten after the test, others during it."""
    known = {name: kind for name, kind in registry._registered.items() if not kind.__module__.startswith("examples")}
    monkeypatch.setattr(registry, "_registered", known)
    own = MauMau.rulebook()._own
    others = dict(own)
    own.clear()
    monkeypatch.setattr(outside, "_admitted", {})
    source = outside.read_source(f"{EXAMPLES}/{request.param}")
    is_rule = source.name.isupper()
    yield MauMau.with_rules(outside.admit_rule(source, MauMau)) if is_rule else outside.admit(source)
    own.clear()
    own.update(others)


@pytest.mark.slow
def test_games_and_house_rules_of_files_are_traced(of_file: type[Game]) -> None:
    for policy in (0, of_file.declaration.policies.index(RANDOM)):
        assert module.module_of(narrow(of_file.declaration, policy=policy)).head["room"] > 100


@pytest.mark.thorough
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_and_house_rules_of_files_are_the_same_in_lanes(of_file: type[Game], players: int) -> None:
    decks = bulk.deal(players, 20_000, SEED, game=of_file)
    for number, policy in enumerate(of_file.declaration.policies):
        made = compiled(narrow(of_file.declaration, players, number, tally=True))
        check_alike(made, partial(bulk.play, players, decks, (policy.name,), game=of_file, tally=True))
