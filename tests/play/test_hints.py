"""Hints: the best move by search with the values of others, and the move of the default policy where nothing is searched."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest
from all_games import GAMES
from command import maumau_process
from play_games import seated

from fsm import Game
from fsm.declaration.policy import SteppedPolicy
from fsm.stepping.steps import Move
from maumau import UnsupportedGame
from maumau.agents.search.results import Found, Value
from maumau.play.table import Table
from maumau.play.table.hints import _prepare, _prepared, advice, background_search
from render.text.table import TableText

MAUMAU, _, _, MAHJONG, *_ = GAMES


def at_a_question(table: Table, moves: range) -> Table:
    """The table where its person is asked and has so many legal moves."""
    while table.advance() or len(table.game.events().legal) not in moves:
        if table.asked and len(table.game.events().legal) not in moves:
            table.act(1, table.hint(1)["move"], at=table.version(1))
        assert table.state == "playing"
    return table


ONE, SEVERAL = range(1, 2), range(2, 100)


def found(game: Game) -> Found:
    """As if the last legal move won 60 of 80 games, and each other one 20."""
    *others, best = game.events().legal
    return Found(best, (Value(best, 60, 80, 0.6, 0.8), *(Value(move, 20, 80, 0.2, 0.3) for move in others)))


def test_a_hint_by_search_is_the_best_move_with_the_values_of_others() -> None:
    table = at_a_question(Table(seated(MAUMAU, 2, policy="house", seed=7)), SEVERAL)
    hint = table.hint(1, found)
    labels = [move["label"] for move in table.view(1)["question"]["moves"]]
    assert hint["move"]["label"] == labels[-1]
    assert hint["values"][0] == {"move": labels[-1], "share": 0.75, "text": "75%"}
    assert hint["found"] == "it wins 75% of 80 games played on with the hidden cards dealt again"
    assert f"dealt again, {labels[0]} 25%" in TableText(table.game.declaration).hint(hint)


def test_a_search_that_fails_leaves_hints_to_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> None:
        raise OSError("no memory is left")

    monkeypatch.setattr("maumau.agents.search.Search", failing)
    future: Future[object] = Future()
    with pytest.raises(OSError, match="no memory is left"):
        _prepare(future, MAUMAU.declaration, 2)
    assert future.result(0) is None


class LastLegal(SteppedPolicy):
    """Plays the last legal move."""

    def choose(self, game: Game) -> Move:
        return game.events()[-1]


def test_players_without_decision_rules_advise_without_a_reason() -> None:
    game = at_a_question(Table(seated(MAUMAU, 2, policy="house", seed=7)), SEVERAL).game
    assert advice(game, game.declaration.policy("random")) == (game.events()[0], "")
    assert advice(game, LastLegal("last-legal")) == (game.events()[-1], "")


def test_where_search_and_the_default_policy_agree_both_reasons_are_given() -> None:
    table = at_a_question(Table(seated(MAUMAU, 2, policy="house", seed=7)), SEVERAL)
    by_policy = table.hint(1)
    agreed = next(move for move in table.game.events().legal if str(move) == by_policy["move"]["label"])
    hint = table.hint(1, lambda game: Found(agreed, (Value(agreed, 3, 4, 0.0, 1.0),)))
    assert (hint["why"], hint["found"][:11]) == (by_policy["why"], "it wins 75%")


def test_the_only_legal_move_is_not_searched_for() -> None:
    table = at_a_question(Table(seated(MAUMAU, 2, policy="house", seed=7)), ONE)
    assert table.hint(1, lambda game: pytest.fail("it was searched for"))["values"] == []


def test_where_a_game_cannot_be_searched_the_hint_is_that_of_the_default_policy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(game: object) -> None:
        raise UnsupportedGame("a fact is hidden")

    monkeypatch.setattr("maumau.agents.search.check_game", refuse)
    future: Future[object] = Future()
    _prepare(future, MAHJONG.declaration, 2)
    assert future.result(0) is None
    table = at_a_question(Table(seated(MAHJONG, 2, policy="house", seed=7)), SEVERAL)
    assert table.hint(1, lambda game: None) == table.hint(1)


@pytest.mark.thorough
def test_a_search_in_the_background_is_used_once_its_program_is_compiled() -> None:
    table = at_a_question(Table(seated(MAUMAU, 3, policy="house", seed=7)), SEVERAL)
    before = table.game.position(), table.view(1), len(table.journal)
    assert _prepared(table.game.declaration, 3).result(300) is not None
    values = table.hint(1, background_search)["values"]
    assert {value["move"] for value in values} == {str(move) for move in table.game.events().legal}
    assert (table.game.position(), table.view(1), len(table.journal)) == before


@pytest.mark.slow
def test_a_process_that_ends_while_a_search_is_compiled_waits_for_it(tmp_path: Path) -> None:
    """Else LLVM is torn down while it works, and sometimes aborts the process; no half a file is left. On a machine that is
    so busy that the process ends before it has begun to compile, there is none.
    """
    done = maumau_process("play", "--plain", "--seed", 7, data="hint\nquit\n", env={"MAUMAU_CACHE": str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, "")
    assert "Hint: play CK" in done.stdout
    assert {file.suffix for file in tmp_path.iterdir()} <= {".kernel"}
