"""Programs of agents, checks and games with kept positions, as blocks and as object files that llvmlite loads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from all_games import OFFICIAL_UNO
from bulk_fixtures import COUNTDOWN
from snatching import Snatching

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from fsm import Game, MauMau, Uno, game_of  # noqa: E402
from maumau import Batch, Search, UnsupportedGame  # noqa: E402
from maumau.kernels import bulk  # noqa: E402
from maumau.kernels.compiler import machine_code as kernel  # noqa: E402
from maumau.kernels.explorer.exhaustive import explore  # noqa: E402

pytestmark = pytest.mark.skipif(not kernel.runs_blocks(), reason="blocks need Linux on x86-64")

RETURNING = game_of(replace(COUNTDOWN, name="returning", title="Returning", return_ends=True))
STEPS, WORLDS, GAMES_PLAYED = 40, 20, 50


def stepped(kind: type[Game], others: str | None) -> list[Any]:
    """All that a batch shows, and where its games stand at the end."""
    batch = Batch(kind, kind.declaration.codec.fewest, 6, seed=5, others=others, limit=200)
    random, shown = np.random.default_rng(1), []
    for _ in range(STEPS):
        shown.append([array.tolist() for array in batch.decisions])
        batch.step((random.random(batch.masks.shape) * batch.masks).argmax(axis=1))
    return [*shown, *(array.tolist() for array in batch.standing)]


def searched(kind: type[Game]) -> list[Any]:
    """What searches find, with inference and without."""
    players = kind.declaration.codec.fewest
    try:
        search = Search(kind, players, WORLDS, threads=1)
    except UnsupportedGame:
        return []
    batch, game = Batch(kind, players, 6, seed=5, limit=200), kind.deal(players, seed=5, number=0)
    found = [search.wins(batch).tolist()]
    while game.outcome is None and len(game.history) < STEPS:
        if search.actions.chooses(game):
            found.append([(str(value.move), value.wins, value.worlds) for value in search.best(game).values])
        game.step()
    return found


def explored(kind: type[Game]) -> list[Any]:
    """What the explorer finds with a small deck, if the game has one."""
    reports = [explore(kind, small, 100_000) for small in kind.declaration.small_decks[:1]]
    return [(report.positions, report.events, report.tried, report.failed, report.fired) for report in reports]


def played(kind: type[Game]) -> list[Any]:
    """Games and their logs between random players."""
    fewest = kind.declaration.codec.fewest
    many, logged = (
        bulk.play_dealt(fewest, GAMES_PLAYED, 5, policies=("random",), game=kind, **{kept: True})
        for kept in ("tally", "log")
    )
    return [many.games.tolist(), many.scores.tolist(), many.fired, logged.games.tolist(), logged.log.tolist()]


def stepped_alone(kind: type[Game]) -> list[Any]:
    return stepped(kind, None)


def stepped_with_others(kind: type[Game]) -> list[Any]:
    return stepped(kind, "random")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Forgets all programs of this process and on disk."""

    def forget() -> None:
        monkeypatch.setattr(kernel, "_ready", {})
        monkeypatch.setattr(kernel, "_absent", set())
        monkeypatch.setattr(kernel, "load", lambda name: None)
        monkeypatch.setattr(kernel, "keep", lambda *content: None)

    return forget


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "results"),
    [(Snatching, each) for each in (stepped_alone, searched, explored, played)]
    + [
        pytest.param(kind, each, marks=pytest.mark.thorough)
        for kind in (RETURNING, MauMau, Uno, OFFICIAL_UNO)
        for each in (stepped_alone, stepped_with_others, searched, explored, played)
    ],
)
def test_object_files_compute_the_same_as_blocks(
    kind: type[Game],
    results: Callable[[type[Game]], list[Any]],
    fresh: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_blocks = results(kind)
    fresh()
    monkeypatch.setattr(kernel, "runs_blocks", lambda: False)
    assert results(kind) == by_blocks
