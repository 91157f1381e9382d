"""Piles of cards in an order are played in lanes as by the scalar kernel, and moved as by Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bulk_fixtures import same_results

pytest.importorskip("llvmlite", reason="lane kernels need llvmlite")
np = pytest.importorskip("numpy", reason="lane kernels need numpy")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[2]))

from examples.beggar_my_neighbour import BeggarMyNeighbour  # noqa: E402
from maumau.kernels import bulk  # noqa: E402
from maumau.kernels.bulk import runner  # noqa: E402
from maumau.kernels.compiler.machine_code import address_of  # noqa: E402
from maumau.kernels.compiler.objects import Machine, object_code  # noqa: E402
from maumau.kernels.compiler.program import Results  # noqa: E402
from maumau.kernels.lanes import kernel, module  # noqa: E402
from maumau.kernels.lanes.cells import LanePiles  # noqa: E402
from maumau.kernels.lanes.driver import LINE  # noqa: E402
from maumau.kernels.lanes.emit import Emitter  # noqa: E402
from maumau.kernels.lanes.graph import LaneGraph, LaneRow  # noqa: E402
from maumau.kernels.lanes.kernel import LaneKernel  # noqa: E402
from maumau.kernels.lanes.module import code_of, machine_of  # noqa: E402
from maumau.kernels.lanes.passes import reached  # noqa: E402
from maumau.kernels.lanes.request import SSE4, X86, Request, Target, why_no_lanes  # noqa: E402
from maumau.kernels.lanes.trace import trace  # noqa: E402
from maumau.kernels.lanes.widths import Planes, widths  # noqa: E402
from rules.ending import Ending  # noqa: E402
from rules.queues import QUEUE_BYTES, put_first, put_last, take_first, take_last  # noqa: E402
from rules.rule import effect  # noqa: E402

GAME = BeggarMyNeighbour.declaration
pytestmark = pytest.mark.skipif(bool(why_no_lanes(SSE4)), reason="lanes need Linux on x86-64")


@pytest.fixture(scope="module", params=X86, ids=lambda target: target.name)
def target(request: pytest.FixtureRequest) -> Target:
    """A processor that this one can stand for."""
    if missing := why_no_lanes(request.param):
        pytest.skip(missing)
    assert isinstance(request.param, Target)
    return request.param


@cache
def made(policy: str, target: Target, *, dealing: bool) -> LaneKernel:
    """A kernel of lanes that is compiled here, and not kept."""
    request = Request(GAME, 2, (GAME.policy(policy),), tally=True, dealing=dealing, target=target)
    found = module.module_of(request)
    loaded = kernel._loaded(request, kernel.packed(found.head, code_of(found, target)))
    assert isinstance(loaded, LaneKernel)
    return loaded


def both(play: Callable[[], Any], lanes: LaneKernel, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """What comes out in lanes, and of the scalar kernel."""
    monkeypatch.setattr(runner, "lane_kernel", lambda request, notify=None: lanes)
    found = []
    for least in (1, 1 << 60):
        monkeypatch.setattr(runner, "MIN_GAMES", least)
        found.append(play())
    return found[0], found[1]


# ---------------------------------------------------------------- a game


@pytest.mark.parametrize("seed", [0, 7, 2**40])
@pytest.mark.parametrize("policy", ["house", "random", "first-legal"])
def test_piles_are_played_as_by_the_scalar_kernel(
    target: Target, seed: int, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play() -> Results:
        return bulk.play_dealt(2, 3001, seed, 11, (policy,), tally=True, game=BeggarMyNeighbour, threads=1)

    assert same_results(*both(play, made(policy, target, dealing=True), monkeypatch))


def test_games_of_piles_are_added_up_as_by_the_scalar_kernel(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    def total() -> object:
        return bulk.total(2, 2003, 5, 11, game=BeggarMyNeighbour, threads=2)

    found, expected = both(total, made("house", target, dealing=True), monkeypatch)
    assert found == expected


@pytest.mark.thorough
def test_many_decks_are_played_as_by_the_scalar_kernel(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    decks = bulk.deal(2, 200_000, 3, game=BeggarMyNeighbour)
    play = lambda: bulk.play(2, decks, tally=True, game=BeggarMyNeighbour, threads=1)  # noqa: E731
    assert same_results(*both(play, made("house", target, dealing=False), monkeypatch))


ENDLESS_HANDS = "---K---Q-KQAJ-----AAJ--J--", "----------Q----KQ-J-----KA"
"""The cards of both players in a game that never ends, from the top; - is any card that asks for none."""


def endless_deck() -> list[int]:
    """The deck of this game: the players get a card in turn."""
    left = {
        "-": list(range(36)),
        **{rank: [4 * place + suit for suit in range(4)] for place, rank in enumerate("JQKA", 9)},
    }
    return [left[rank].pop() for pair in zip(*ENDLESS_HANDS, strict=True) for rank in pair]


def test_a_game_that_never_ends_leaves_the_lanes(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    """So do some of sorted decks, whose position returns."""
    rows = [np.roll(np.arange(52), turn)[::step] for turn in range(52) for step in (1, -1)]
    decks = np.array([endless_deck(), *rows], np.uint8)
    play = lambda: bulk.play(2, decks, tally=True, game=BeggarMyNeighbour, threads=1)  # noqa: E731
    found, expected = both(play, made("house", target, dealing=False), monkeypatch)
    assert same_results(found, expected)
    assert found.games["ending"][0] == Ending.ENDLESS


def test_piles_are_written_for_other_machines() -> None:
    assert len(module.arm_file(GAME, 2, GAME.policies[0])) > 1000


# ---------------------------------------------------------------- moves


@effect
def take_first_off(piles: bytearray, ring: bytearray, place: int, card: int, head: int, tail: int) -> None:
    take_first(piles, place)


@effect
def take_last_off(piles: bytearray, ring: bytearray, place: int, card: int, head: int, tail: int) -> None:
    take_last(piles, place)


@effect
def put_first_on(piles: bytearray, ring: bytearray, place: int, card: int, head: int, tail: int) -> None:
    put_first(piles, place, card)


@effect
def put_last_on(piles: bytearray, ring: bytearray, place: int, card: int, head: int, tail: int) -> None:
    put_last(piles, place, card)


@effect
def put_all(piles: bytearray, ring: bytearray, place: int, card: int, head: int, tail: int) -> None:
    for at in range(head, tail):
        put_last(piles, place, ring[at & len(ring) - 1])


@effect
def put_all_but_one(piles: bytearray, ring: bytearray, place: int, card: int, head: int, tail: int) -> None:
    if card > 20:
        for at in range(tail - head - 1):
            put_last(piles, place, ring[at + head + 1 & len(ring) - 1])
        take_first(piles, 1 - place)


@effect
def copy_back(piles: bytearray, ring: bytearray, place: int, card: int, head: int, tail: int) -> None:
    for at in range(tail - head - 1, -1, -1):
        piles[place * QUEUE_BYTES + at + 3] = piles[place * QUEUE_BYTES + at + 1]


PILES = 3
"""As many as a row has room for."""
ROWS = {"own": LaneRow("own", PILES * QUEUE_BYTES, (0, 63)), "ring": LaneRow("ring", 32, (0, 63))}
INPUTS = {"place": (0, PILES - 1), "card": (0, 63), "head": (0, 200), "tail": (0, 255)}


@cache
def machine(function: Callable[..., None], target: Target) -> Machine:
    """A function of rows in machine code, and where games leave the lanes: a bit each."""
    graph = LaneGraph()
    inputs = [graph.node("input", (name,), values) for name, values in INPUTS.items()]
    sizes = [graph.node("input", (f"size{place}",), (0, 52)) for place in range(PILES)]
    piles = LanePiles(sizes, ROWS["own"], 52)
    trace(graph, function, [piles, ROWS["ring"], *inputs])
    bad = graph.any_of(mask for mask, _ in graph.violations)
    nodes = reached([*graph.stores, bad, *inputs, *sizes, *piles.values], graph.nodes)
    strides = {name: row.length + LINE for name, row in ROWS.items()}
    emitter = Emitter(
        target, widths(nodes, [(each, 8) for each in (*inputs, *sizes, *piles.values)]), Planes(), strides
    )
    for name in ("places", "cells", "counts"):
        emitter.line(f"%{name} = alloca {emitter.byte}, align {emitter.lanes}")
    for place, each in enumerate([*inputs, *sizes]):
        at = emitter.address_at("%inputs", place * emitter.lanes)
        emitter.name(each, 0, emitter.out(f"load {emitter.byte}, ptr {at}, align 1"), 8)
    emitter.write(nodes)
    for place, size in enumerate(piles.values, len(inputs)):
        at = emitter.address_at("%inputs", place * emitter.lanes)
        emitter.line(f"store {emitter.byte} {emitter.number(size, 8)}, ptr {at}, align 1")
    bits = emitter.out(f"bitcast {emitter.mask_type} {emitter.mask(bad)} to i{emitter.lanes}")
    bits = bits if emitter.lanes == 64 else emitter.out(f"zext i{emitter.lanes} {bits} to i64")
    more = ["declare i64 @llvm.cttz.i64(i64, i1)", "define i64 @play(ptr %inputs, ptr %row_own, ptr %row_ring) {"]
    text = "\n".join([*emitter.declarations, *more, *emitter.lines, f"  ret i64 {bits}", "}"])
    return Machine(object_code(text, machine_of(target)), "play", 3)


@pytest.mark.parametrize(
    "function", [take_first_off, take_last_off, put_first_on, put_last_on, put_all, put_all_but_one, copy_back]
)
@given(seed=st.integers(0, 2**32 - 1), fill=st.integers(0, 63), most=st.integers(1, 52))
def test_moves_are_those_of_python(
    target: Target, function: Callable[..., None], seed: int, fill: int, most: int
) -> None:
    lanes = target.lanes
    rng, own = np.random.default_rng(seed), PILES * QUEUE_BYTES
    piles = rng.integers(0, fill + 1, (lanes + 1, own + LINE), np.uint8)
    sizes = range(0, own, QUEUE_BYTES)
    piles[:, sizes] = rng.integers(0, most + 1, (lanes + 1, PILES))
    ring = rng.integers(0, 64, (lanes + 1, 32 + LINE), np.uint8)
    inputs = np.array([rng.integers(0, high + 1, lanes) for _, high in INPUTS.values()], np.uint8)
    inputs = np.ascontiguousarray(np.concatenate([inputs, piles[:lanes, sizes].T]))
    inputs[3] = np.minimum(inputs[2] + rng.integers(-2, 56, lanes), 255).clip(0, 255)
    expected, leaves = piles.copy(), 0
    for lane in range(lanes):
        row, before = bytearray(expected[lane, :own].tobytes()), bytes(ring[lane, :32])
        with suppress(IndexError, ValueError):
            function(row, before, *(int(each[lane]) for each in inputs[:4]))
            if max(row) < 64:
                expected[lane, :own] = row
                continue
        leaves |= 1 << lane
    left = machine(function, target).call(address_of(inputs), address_of(piles), address_of(ring)) & (1 << lanes) - 1
    assert leaves & ~left == 0
    assert left.bit_count() < lanes or most == 1
    stayed = [lane for lane in range(lanes) if not left >> lane & 1]
    piles[:lanes, sizes] = inputs[4:].T
    assert (piles[stayed, :own] == expected[stayed, :own]).all()
    assert (piles[lanes] == expected[lanes]).all()
