"""A game that declares returns is worth what these say, also where all cards are known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import maumau

from fsm import MauMau, game_of
from fsm.stepping.game import Game
from maumau.solve.hands import solve_open, solve_position
from maumau.solve.hidden import solve_hidden
from maumau.solve.players import solution_bytes, solved_policy
from rules.ending import WON
from rules.rule import query

DECK = "DQ HQ DS HS DK SJ"


@query
def three_for_a_win(table: Any, seat: int) -> int:
    if table.ending != WON:
        return 0
    return 3 if table.winner == seat else -3


@query
def cards_left(table: Any, seat: int) -> int:
    """What is left in the other hand is won."""
    return int(table.hands[1 - seat]).bit_count() - int(table.hands[seat]).bit_count()


def with_returns(returns: Any) -> type[Game]:
    declaration = replace(MauMau.declaration, name="for-points", returns=returns, zero_sum=True)
    return game_of(declaration).with_deck(DECK, each=2)


def test_three_for_a_win_is_three_times_the_value() -> None:
    """The known phase of this deck has returning positions, and wins of many moves."""
    plain = solve_hidden(MauMau.with_deck(DECK, each=2), ["house", "random"])
    found = solve_hidden(with_returns(three_for_a_win), ["house", "random"])
    assert found.information_sets == plain.information_sets
    assert found.equilibrium.value == pytest.approx(3 * plain.equilibrium.value, abs=1e-6)
    for number in range(2):
        assert found.judge(number).exploitability == pytest.approx(3 * plain.judge(number).exploitability, abs=1e-6)


def test_open_hands_are_won_by_whom_the_returns_say() -> None:
    plain, found = (
        solve_open(kind, 2, ["house"]) for kind in (MauMau.with_deck(DECK, each=2), with_returns(three_for_a_win))
    )
    assert found.by_deal == plain.by_deal
    assert found.counted(found.following(0, 0)) == plain.counted(plain.following(0, 0))
    assert found.positions.errors(0, found.worth) == plain.positions.errors(0, plain.worth)


def test_what_who_plays_alone_gains_nobody_has_to_lose() -> None:
    """Of six deals the two with both diamonds in the hand and open are won; else the ten is never laid or covered."""
    declaration, codec = MauMau.declaration, replace(MauMau.declaration.codec, players=(1, 2, 3, 4))
    alone = game_of(replace(declaration, name="alone", codec=codec, returns=three_for_a_win))
    found = solve_open(alone.with_deck("DQ DK ST", each=1), 1, ["house"])
    assert found.counted(found.worth) == found.counted(found.following(0, 0)) == (2, 4, 0)
    assert sorted(found.worth.of(found.positions.roots).tolist()) == [0, 0, 0, 0, 3, 3]
    assert found.positions.errors(0, found.worth)["errors"] == 0


def test_every_position_is_worth_the_best_of_its_moves() -> None:
    found = solve_open(with_returns(cards_left))
    positions, (first, moves) = found.positions, found.positions.ways
    values = found.worth.of(moves)
    sides = np.array([1, -1])[positions.movers & 127]
    best = sides * np.maximum.reduceat(values * np.repeat(sides, np.diff(first)), first[:-1])
    assert (best == found.worth.points).all()
    assert len(set(found.worth.points.tolist())) > 3


def test_a_solution_of_it_wins_what_it_is_worth(tmp_path: Path) -> None:
    solved = solve_hidden(with_returns(cards_left))
    (tmp_path / "points.npz").write_bytes(solution_bytes(solved))
    policy = solved_policy(solved.kind.declaration, str(tmp_path / "points.npz"), "")
    judged = solve_hidden(solved.kind, [policy]).judge(0)
    assert judged.exploitability == pytest.approx(0, abs=1e-6)
    assert judged.both == pytest.approx(solved.equilibrium.value, abs=1e-6)


def test_the_moves_of_a_position_are_worth_points() -> None:
    game = with_returns(three_for_a_win).at(
        "await-play player=2 due=0 penalty=0 drawn=- suit=- ending=- winner=- hands=DK/HS,SJ discard=HQ,DQ draw=DS"
    )
    rated = solve_position(game).rated(game)
    assert {each.value for each in rated} <= {-3, 0, 3}
    assert {each.length for each in rated} == {None}


def test_the_command_says_how_much_a_position_gains() -> None:
    """Kuhn poker after a bet: by the rules who calls with the lower card loses two chips, who folds one."""
    position = "after-bet player=2 stakes=2/1 raises=1 acted=1 winners=- ending=- winner=- hands=Q/J discard=- draw=K"
    ran = maumau("solve", "--game", "examples/kuhn_poker.py:KuhnPoker", "--position", position)
    assert ran.stdout.startswith("kuhn-poker: player 1 gains +1; ")
    assert ran.stdout.splitlines()[1:] == ["  * fold: gains -1", "    call: gains -2"]


def test_a_line_that_is_not_a_position_is_refused_with_the_option_alone() -> None:
    refused = maumau("solve", "--position", "BAD")
    assert refused.stderr.startswith("--position: unknown phase 'BAD'; use one of ")
    assert (refused.stdout, refused.returncode) == ("", 2)


@pytest.mark.parametrize("gap", ["nan", "-1", "0"])
def test_a_gap_that_is_not_above_0_is_refused_with_the_option(gap: str) -> None:
    refused = maumau("solve", "--deck", "DQ HQ DT", "--gap", gap)
    assert (refused.stderr, refused.returncode) == (f"--gap: {gap} is not above 0; use a number above 0\n", 2)


def test_games_are_cut_off_after_1_turn_or_more() -> None:
    """0 turns meant that no game is cut off, and the report did not say so."""
    asked = "solve", "--deck", "DQ HQ DS HS DK SJ", "--each", "2", "--turns"
    refused = maumau(*asked, "0")
    assert (refused.stderr, refused.returncode) == ("--turns: 0 is out of range; use 1 or more\n", 2)
    cut = maumau(*asked, "1")
    assert cut.stdout.splitlines()[-1] == "312 lines of play were cut off after 1 turn, without a winner"


def times(most: int) -> type[Game]:
    @query
    def gained(table: Any, seat: int) -> int:
        return most * three_for_a_win(table, seat) // 3

    return with_returns(gained)


@pytest.mark.slow
def test_the_largest_returns_are_counted_exactly() -> None:
    most = 1 << 20
    plain, found = solve_hidden(MauMau.with_deck(DECK, each=2)), solve_hidden(times(most))
    assert found.equilibrium.value == pytest.approx(most * plain.equilibrium.value)


@pytest.mark.parametrize("solve", [solve_open, solve_hidden])
@pytest.mark.parametrize("most", [(1 << 20) + 1, 1_500_000, 3_000_000_000])
def test_returns_that_are_too_large_are_refused(solve: Any, most: int) -> None:
    with pytest.raises(ValueError, match="a player gains more than 1,048,576; count in larger units"):
        solve(times(most))
