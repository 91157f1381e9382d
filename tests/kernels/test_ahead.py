"""Kernels that are made ahead for the playground count what the engine of this machine counts."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from command import maumau

pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from fsm import Game, MauMau, game_class
from maumau.kernels import bulk
from maumau.kernels.bulk.ahead import wasm_of
from maumau.kernels.bulk.counts import parts_of, totals_of
from maumau.kernels.compiled.results import result_type
from maumau.kernels.compiler.program import Totals

SCRIPT = Path(__file__).parents[1] / "support" / "million.mjs"
ENDLESS = MauMau.with_deck("DQ HQ DN HN", each=1)
"""A deck of which one game in three is endless, as unit 5 of the course proves."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
]


def counted_by_node(kind: type[Game], players: int, games: int, seed: int, file: Path) -> Totals:
    """The totals of games that a WebAssembly module plays and adds up."""
    parts = [[part.start, part.stop - part.start] for part in parts_of(kind.declaration, players)]
    counters = {"words": sum(parts[-1]), "parts": parts}
    question = {"players": players, "seed": seed, "games": games, "counters": counters}
    given = json.dumps({**question, "result": result_type().itemsize})
    done = subprocess.run(["node", SCRIPT, file], input=given, capture_output=True, text=True, check=True)
    return totals_of(kind.declaration, players, games, json.loads(done.stdout))


@pytest.mark.parametrize(
    ("kind", "players", "games"),
    [
        (MauMau, 4, 40_000),
        (ENDLESS, 2, 3_000),
        *(
            pytest.param(game_class(name), players, games, marks=pytest.mark.thorough)
            for name, players, games in (
                ("uno", 3, 20_000),
                ("uno-official+jump-in", 4, 20_000),
                ("mahjong", 4, 1_000),
                ("maumau+lively", 4, 20_000),
            )
        ),
    ],
)
def test_a_webassembly_kernel_counts_the_same_games(kind: type[Game], players: int, games: int, tmp_path: Path) -> None:
    seed = 2**52 + 1
    file = tmp_path / "game.wasm"
    file.write_bytes(wasm_of(kind.declaration))
    found = counted_by_node(kind, players, games, seed, file)
    assert found == bulk.total(players, games, seed, game=kind)
    if kind is ENDLESS:
        assert found.endings["endless"] > 900  # a third of them


@pytest.mark.thorough
def test_the_command_writes_a_module_for_players_of_other_policies(tmp_path: Path) -> None:
    file, policy = tmp_path / "game.wasm", MauMau.declaration.policy("random")
    done = maumau("compile", "--target", "wasm32", "--policy", "random", "-o", str(file))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert file.read_bytes() == wasm_of(MauMau.declaration, (policy,))
    found = counted_by_node(MauMau, 3, 20_000, 5, file)
    assert found == bulk.total(3, 20_000, 5, policies=("random",))
