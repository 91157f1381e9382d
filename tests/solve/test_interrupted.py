"""An interrupted solution goes on where it was, and finds the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fsm import MauMau, game_of
from fsm.stepping.steps import Move
from fsm.stepping.view import View
from maumau.solve.hidden import HiddenHands, solve_hidden
from rules.errors import Unwritten

KIND = MauMau.with_deck("DQ HQ DS HS DE DJ HJ", each=2)


class Interrupting:
    """Interrupts after so many calls, as Ctrl-C does between two calls of machine code."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, method: str, calls: int) -> None:
        self.calls = calls
        owner, _, name = method.rpartition(".")
        module, _, kind = owner.rpartition(".")
        where = getattr(__import__(module, fromlist=[kind]), kind)
        original = getattr(where, name)

        def called(*arguments: object) -> object:
            self.calls -= 1
            if self.calls == 0:
                raise KeyboardInterrupt
            return original(*arguments)

        monkeypatch.setattr(where, name, called)


@pytest.mark.parametrize(
    ("method", "calls"),
    [
        ("maumau.solve.hidden.HistoryTree._check", 1),
        ("maumau.solve.positions.Positions.grow", 1),
        ("maumau.solve.equilibrium.Matching.step", 40),
    ],
)
def test_it_goes_on_and_finds_the_same(
    method: str, calls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maumau.solve.hidden.LARGEST_PROGRAM", 0)
    whole, file = solve_hidden(KIND), tmp_path / "state.npz"
    with monkeypatch.context() as patch:
        patch.setattr("maumau.solve.hidden.check_size", lambda *given: None)
        Interrupting(patch, method, calls)
        with pytest.raises(KeyboardInterrupt):
            solve_hidden(KIND, state=file)
    assert file.exists()
    found: HiddenHands = solve_hidden(KIND, state=file)
    assert found.information_sets == whole.information_sets
    assert found.equilibrium.value == pytest.approx(whole.equilibrium.value, abs=1e-6)
    assert not file.exists()


def test_players_are_not_asked_again(tmp_path: Path) -> None:
    asked: list[int] = []

    def choose(view: View) -> Move:
        asked.append(view.draw_pile_size)
        if len(asked) == 300:
            raise KeyboardInterrupt
        return view.moves[-1]

    kind, file = MauMau.with_deck("DQ HQ DS HS DK SJ", each=2), tmp_path / "state.npz"
    solved = solve_hidden(kind, [choose], state=file)
    with pytest.raises(KeyboardInterrupt), solved.kept.keeping():
        solved.judge(0)
    found = solve_hidden(kind, [choose], state=file).judge(0)
    in_all = len(asked)
    assert solve_hidden(kind, [choose]).judge(0) == found
    assert in_all <= len(asked) - in_all + 2


def test_the_state_of_another_solution_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "state.npz"
    with monkeypatch.context() as patch:
        patch.setattr("maumau.solve.hidden.check_size", lambda *given: None)
        Interrupting(patch, "maumau.solve.hidden.HistoryTree._check", 1)
        with pytest.raises(KeyboardInterrupt):
            solve_hidden(KIND, state=file)
    with pytest.raises(ValueError, match="it belongs to another solution"):
        solve_hidden(MauMau.with_deck("DQ HQ DT HT DK", each=1), state=file)
    other = game_of(replace(MauMau.with_rules("no-action-last").declaration, name="maumau"))
    with pytest.raises(ValueError, match="it belongs to another solution"):
        solve_hidden(other.with_deck("DQ HQ DS HS DE DJ HJ", each=2), state=file)
    file.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="use the state of a solution"):
        solve_hidden(KIND, state=file)


def test_a_state_that_cannot_be_written_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.solve.hidden.check_size", lambda *given: None)
    Interrupting(monkeypatch, "maumau.solve.hidden.HistoryTree._check", 1)
    with pytest.raises(Unwritten, match=r"state\.npz.*: no such file or directory; name a file that can be written"):
        solve_hidden(KIND, state=tmp_path / "nowhere" / "state.npz")
