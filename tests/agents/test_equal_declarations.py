"""Two declarations with equal parts are the same game for everything that plays it: kernels, players, studies, tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import maumau.agents.players  # noqa: F401  (the forms of names `search:` and `net`)
from fsm import Game, MauMau, registry
from fsm.stepping.game import game_of
from maumau import Batch, Search
from maumau.kernels import bulk
from maumau.play.table import Computer, Person, Setup, Table
from maumau.play.table.hints import _prepared
from maumau.study.playing import Threads
from maumau.study.run import run
from maumau.study.spec import StudySpec
from maumau.study.tournament import play_tournament

pytestmark = pytest.mark.slow
PLAYERS = 3


@pytest.fixture
def same(monkeypatch: pytest.MonkeyPatch) -> type[Game]:
    """Mau-Mau by a declaration of its own, which is what the name stands for now."""
    kind = game_of(replace(MauMau.declaration))
    assert kind.declaration is not MauMau.declaration
    assert kind.declaration == MauMau.declaration
    assert hash(kind.declaration) == hash(MauMau.declaration)
    monkeypatch.setitem(registry._registered, "maumau", kind)
    return kind


def test_bulk_plays_the_same(same: type[Game]) -> None:
    decks = bulk.deal(PLAYERS, 20, seed=7, game=same)
    one, other = (bulk.play(PLAYERS, decks, ["random"], seed=7, game=kind) for kind in (MauMau, same))
    assert (decks == bulk.deal(PLAYERS, 20, seed=7, game=MauMau)).all()
    assert (one.games == other.games).all()
    assert (one.scores == other.scores).all()


def test_batches_are_the_same_and_one_search_serves_both(same: type[Game]) -> None:
    search = Search(MauMau, PLAYERS, worlds=4, threads=1)
    one, other = (Batch(kind, PLAYERS, 4, seed=7) for kind in (MauMau, same))
    for _ in range(5):
        assert (one.observations == other.observations).all()
        assert (one.masks == other.masks).all()
        actions = search.choose(one)
        assert (search.choose(other) == actions).all()
        one.step(actions)
        other.step(actions)


def studied(policies: tuple[str, ...]) -> Any:
    return run(StudySpec.of("maumau", PLAYERS, 4, 7, policies), Threads(1)).counts


@pytest.mark.parametrize("policies", [("house", "random", "house"), ("search:4", "house", "house")], ids=",".join)
def test_studies_count_the_same(policies: tuple[str, ...], request: pytest.FixtureRequest) -> None:
    counts = studied(policies)
    kind = request.getfixturevalue("same")
    assert registry.game_class("maumau") is kind
    assert studied(policies) == counts


def test_tournaments_have_the_same_results(same: type[Game]) -> None:
    names = ("house", "search:4")
    one, other = (play_tournament(kind, players=PLAYERS, names=names, games=2, seed=7) for kind in (MauMau, same))
    assert [(rated.name, rated.wins, rated.games) for rated in one.rated] == [
        (rated.name, rated.wins, rated.games) for rated in other.rated
    ]
    assert one.without_winner == other.without_winner


def test_hints_are_the_same(request: pytest.FixtureRequest) -> None:
    setup = Setup(game="maumau", seats=(Person("Ann"), Computer("house"), Computer("house")), seed=7)
    search = Search(MauMau, PLAYERS, worlds=4, by_deal=False, threads=1)

    def hint() -> Any:
        table = Table(setup)
        while table.advance():
            pass
        return type(table.game), table.hint(1), table.hint(1, search.best)

    plain, *hints = hint()
    kind = request.getfixturevalue("same")
    again, *others = hint()
    assert (plain, again) == (MauMau, kind)
    assert others == hints
    assert _prepared(kind.declaration, PLAYERS) is _prepared(MauMau.declaration, PLAYERS)
