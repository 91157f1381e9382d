"""Open hands: the expected results of the corpus, which an independent program has found from the rules alone."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outside import command
from solved_decks import SOLVED, name_of

from fsm import MauMau
from fsm.stepping.game import Game
from fsm.stepping.moves import plans_of
from maumau.solve.hands import OpenHands, solve_open

CASES = SOLVED["open"]
LARGE, LARGEST = 1_000_000, 3_000_000
"""Positions of decks that take seconds, and half a minute."""


def cases() -> list[Any]:
    def marks(positions: int) -> list[pytest.MarkDecorator]:
        return [pytest.mark.thorough] if positions > LARGEST else [pytest.mark.slow] if positions > LARGE else []

    return [pytest.param(case, id=name_of(case), marks=marks(case["positions"])) for case in CASES]


def solved(case: dict[str, Any]) -> OpenHands:
    kind = MauMau.with_rules(*case["rules"]).with_deck(case["deck"], each=case["each"])
    return solve_open(kind, case["players"], ["house"])


@pytest.mark.parametrize("case", cases())
def test_values_and_errors_are_those_of_an_independent_program(case: dict[str, Any]) -> None:
    found = solved(case)
    assert found.deals is not None
    assert (len(found.deals), *found.kinds[:2]) == (case["deals"], case["positions"], case["drawn"])
    assert list(found.counted(found.worth)) == case["perfect"]["won_nobody_lost"]
    assert sha256(found.by_deal.encode()).hexdigest() == case["perfect"]["sha256"]
    for name, seats in {"house_first": (0,), "house_second": (1,), "house_both": (0, 1)}.items():
        assert list(found.counted(found.following(0, *seats))) == case[name]["won_nobody_lost"]
    errors = found.positions.errors(0, found.worth)
    names = ["choices_that_matter", "house_errors"]
    names += ["errors_win_to_nobody", "errors_win_to_loss", "errors_nobody_to_loss"]
    assert list(errors.values()) == [case[name] for name in names]


@pytest.mark.parametrize("case", [case for case in CASES if case["positions"] < LARGE], ids=name_of)
def test_the_moves_of_positions_have_the_expected_values(case: dict[str, Any]) -> None:
    found = solved(case)
    for example in case["examples"]:
        game = found.kind.at(example["position"])
        side = 1 if game.player == 1 else -1
        rated = found.rated(game)
        assert {str(each.move): each.value * side for each in rated} == example["moves"]
        assert rated[0].value * side == example["value"]
        assert {str(move) for move in found.best_moves(game)} == {
            move for move, value in example["moves"].items() if value == example["value"]
        }


def test_a_game_knows_its_best_moves_once_its_deck_is_solved() -> None:
    kind = MauMau.with_deck("DQ HQ DT HT DK", each=1)
    with pytest.raises(ValueError, match="has not been solved with this deck"):
        kind.deal(2, 1, 0).best_moves()
    found = solve_open(kind)
    game = kind.deal(2, 1, 0)
    game.step()
    assert game.best_moves() == found.best_moves(game) != ()


def test_who_plays_alone_wins_or_nobody_does(tmp_path: Path) -> None:
    """Of six deals those with the two diamonds in the hand and open; else the ten is never laid, or never covered."""
    alone = "game_of(replace(MAUMAU, name='alone', title='Alone', codec=replace(MAUMAU.codec, players=(1, 2, 3, 4))))"
    imports = "from dataclasses import replace\nfrom fsm import game_of\nfrom fsm.games.maumau import MAUMAU"
    (tmp_path / "alone.py").write_text(f"{imports}\nAlone = {alone}\n")
    asked = ("solve", "--open", "--players", 1, "--deck", "DQ DK ST", "--game", f"{tmp_path / 'alone.py'}:Alone")
    title, perfect, house, errors = command(*asked, "--exploit", "house").out.splitlines()[3:]
    assert title.split() == ["player", "1", "wins", "nobody", "loses"]
    assert perfect.split() == ["perfect", "play", "2", "4", "0"]
    assert house.split() == ["house", "first", "2", "4", "0"]
    assert errors.startswith("house: 0 errors")


def test_the_numbers_of_the_table_stand_below_their_words() -> None:
    asked = "solve", "--open", "--players", 2, "--deck", "DQ HQ DT HT", "--policy", "house"
    title, *rows = command(*asked).out.splitlines()[3:]
    assert [row.startswith("player ") for row in rows] == [False, True, True]
    assert {len(row) for row in rows} == {len(title)}


def test_more_than_two_players_have_best_answers_only() -> None:
    """A seat that plays perfectly against the house gets no less than the house does in its place."""
    found = solve_open(MauMau.with_deck("DQ HQ DS HS DK SJ SE", each=2), 3, ["house"])
    for seat in range(3):
        won, nobody, lost = found.counted(found.against([0, 0, 0], seat))
        all_house = found.positions.values([0, 0, 0], [1 if other == seat else -1 for other in range(3)])
        assert won >= found.counted(all_house)[0]
        assert won + nobody + lost == 630


def best_alone(kind: type[Game], seat: int, policies: tuple[str, ...], start: str) -> int:
    """What a seat can force in stepped games against fixed others: 1, -1, or 0 for no winner and for going on."""
    follows: dict[str, list[str]] = {}
    ended, waiting = {}, [start]
    while waiting:
        here = waiting.pop()
        game = kind.at(here, policies=policies)
        free = game.player == seat + 1 and not any(plans_of(kind.declaration)[game.phase].forced_now(game.table))
        follows[here] = []
        for move in game.events().legal if free else [None]:
            after = kind.at(here, policies=policies)
            _ = after.step() if move is None else after.fire(*move)
            place = str(after.position())
            follows[here].append(place)
            if after.outcome is not None:
                ended[place] = after.outcome.winner
            elif place not in follows:
                waiting.append(place)
    won = {place for place, winner in ended.items() if winner == seat + 1}
    lost = {place for place, winner in ended.items() if winner not in (None, seat + 1)}
    while more := {here for here, there in follows.items() if not won.isdisjoint(there)} - won:
        won |= more
    while more := {here for here, there in follows.items() if lost.issuperset(there)} - lost:
        lost |= more
    return 1 if start in won else -1 if start in lost else 0


def test_a_seat_answers_others_who_differ() -> None:
    """The others are fixed, so that a seat plays alone in the graph of stepped games, which nothing else has found."""
    kind, policies = MauMau.with_deck("DQ HQ DS HS DK SJ", each=1), ("house", "first-legal", "house")
    found = solve_open(kind, 3, ["house", "first-legal"])
    assert found.deals is not None
    for seat in range(3):
        values = np.sign(found.against([0, 1, 0], seat).of(found.positions.roots)).tolist()
        for place in range(0, len(found.deals), 24):
            start = str(kind.of_deck(3, found.deals.decks[place].tolist()).position())
            assert best_alone(kind, seat, policies, start) == values[place]


def test_a_deck_with_too_many_deals_is_refused_before_it_starts() -> None:
    with pytest.raises(ValueError, match=r"about 10\^28 deals, more than .*; use a smaller deck, or solve a position"):
        solve_open(MauMau)
