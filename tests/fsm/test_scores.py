"""Points are stated from the rules without the function that counts them: each fault in that function is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import FunctionType
from typing import Any

import pytest

from fsm import Game, game_of
from fsm.check import explore_stepped
from fsm.declaration.arcs import SmallDeck
from fsm.games.mahjong.game import Mahjong
from fsm.games.maumau.game import MauMau
from fsm.games.uno.game import Uno
from fsm.games.uno_official.game import UnoOfficial
from rules.cards import JACK, rank_of
from rules.cards import points as values
from rules.ending import WON
from rules.mahjong import winning
from rules.mahjong.invariants import worth_of_hand
from rules.mahjong.items import ScoringItem, score_of
from rules.mahjong.tiles import TILES
from rules.match import winner_takes
from rules.maumau.game import score as game_score
from rules.rule import query
from rules.uno.cards import points as uno_points

Score = Callable[[Any, int], int]


def jack_counts(times: int) -> Score:
    @query
    def score(table: Any, seat: int) -> int:
        is_jack = table.ending == WON and rank_of(table.open_card) == JACK
        return values(table.hands[seat]) * (times if is_jack else 1)

    return score


def other_value(rank: int, more: int) -> Score:
    """One rank has another value."""

    @query
    def score(table: Any, seat: int) -> int:
        left = game_score(table, seat)
        return left + more * (table.hands[seat] >> 4 * rank & 15).bit_count()

    return score


@query
def always_doubled(table: Any, seat: int) -> int:
    return 2 * values(table.hands[seat])


@query
def of_next_seat(table: Any, seat: int) -> int:
    return game_score(table, (seat + 1) % table.players)


@query
def winner_gains(table: Any, seat: int) -> int:
    return game_score(table, seat) + (seat == table.winner)


@query
def twins_forgotten(table: Any, seat: int) -> int:
    return uno_points(table.hands[seat])


def card_counts(card: int, more: int) -> Score:
    @query
    def score(table: Any, seat: int) -> int:
        held = (table.hands[seat] >> card & 1) + (table.twins[seat] >> card & 1)
        return uno_points(table.hands[seat]) + uno_points(table.twins[seat]) + more * held

    return score


@query
def all_pay(table: Any, seat: int) -> int:
    """Who discarded does not pay alone."""
    if table.winner < 0:
        return 0
    return int(table.score) * (table.players - 1 if seat == table.winner else -1)


@query
def paid_once(table: Any, seat: int) -> int:
    """The winner gains what one player pays."""
    return min(winning.score(table, seat), table.score)


@query
def nobody_pays(table: Any, seat: int) -> int:
    return max(winning.score(table, seat), 0)


MAUMAU = {
    **{f"a jack counts {times} times": jack_counts(times) for times in (1, 3, 7)},
    **{f"rank {rank} is worth {more} more": other_value(rank, more) for rank in range(8) for more in (-1, 1)},
    "all is doubled": always_doubled,
    "the seats are mixed up": of_next_seat,
    "the winner has a point": winner_gains,
}
UNO = {
    "the second card of a kind does not count": twins_forgotten,
    **{f"card {card} is worth {more} more": card_counts(card, more) for card in range(60) for more in (-1, 1)},
}
MAHJONG = {"all pay for a discard": all_pay, "the winner gains once": paid_once, "nobody pays": nobody_pays}


@cache
def ends(kind: type[Game]) -> list[Any]:
    """The tables with which games end, of house players."""
    found = []
    for number in range(150):
        game = kind.deal(2 + number % 3, 9, number)
        game.run()
        found.append(game.table)
    return found


def found_by(kind: type[Game], **changes: Any) -> set[str]:
    """What is found wrong at the ends of games with other functions that count points."""
    game = replace(kind.declaration, **changes)
    broken = (game.broken_invariant(game.final, table) for table in ends(kind))
    return {each.description for each in broken if each}


JACK_WINS = SmallDeck("DQ DS HS DE DJ", 2, 1)


@pytest.mark.parametrize("times", [1, 3, 7])
def test_a_wrong_factor_for_a_jack_is_found_with_the_first_small_deck(times: int) -> None:
    faulty = game_of(replace(MauMau.declaration, score=jack_counts(times)))
    assert explore_stepped(faulty, JACK_WINS).failures == [
        "every player scores the values of the cards in hand, twice if the last card was a jack"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("fault", MAUMAU)
def test_each_fault_in_the_points_of_maumau_is_found(fault: str) -> None:
    assert found_by(MauMau, score=MAUMAU[fault]) == {
        "every player scores the values of the cards in hand, twice if the last card was a jack"
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Uno, UnoOfficial])
def test_each_fault_in_the_points_of_uno_is_found(kind: type[Game]) -> None:
    for fault, score in UNO.items():
        assert found_by(kind, score=score) == {"every player is left with the points of the cards in hand"}, fault


@query
def winner_scores_nothing(table: Any, seat: int) -> int:
    return 0


@query
def held_twice(table: Any, seat: int) -> int:
    return 2 * uno_points(table.hands[seat]) + 2 * uno_points(table.twins[seat])


@pytest.mark.slow
@pytest.mark.parametrize("points", [winner_scores_nothing, winner_takes(held_twice), winner_takes(twins_forgotten)])
def test_faults_in_what_a_round_of_uno_scores_in_a_match_are_found(points: Score) -> None:
    for kind in (Uno, UnoOfficial):
        scoring = replace(kind.declaration.scoring, points=points)
        assert found_by(kind, scoring=scoring) == {"in a match the winner scores the points of all other hands"}


@pytest.mark.slow
@pytest.mark.parametrize("fault", MAHJONG)
def test_faults_in_who_pays_are_found(fault: str) -> None:
    assert found_by(Mahjong, score=MAHJONG[fault]) == {"the winner gains what the others pay: the worth of the hand"}


@pytest.mark.slow
def test_the_worth_of_a_hand_is_what_its_best_split_scores() -> None:
    """Two ways to the same number, in all winning hands of 300 games."""
    scores = set()
    for number in range(300):
        game = Mahjong.deal(2 + number % 3, 3, number)
        game.run()
        for seat in range(game.players):
            assert worth_of_hand(game.table, seat) == winning.best_score(game.table, seat)
        scores.add(game.table.score)
    assert len(scores) > 4


HANDS = {
    "base": ("1D 2D 3D 3D 4D 5D 6B 6B 6B 2B 3B 4B 5B 5B", 1),
    "gang": ("1D 1D 1D 1D 2D 3D 4D 4D 4D 6B 7B 8B 5B 5B", 2),
    "one suit": ("1D 2D 3D 3D 4D 5D 6D 6D 6D 7D 8D 9D 5D 5D", 3),
    "seven pairs": ("1D 1D 2D 2D 3D 3D 4D 4D 6D 6D 7D 7D 8B 8B", 3),
    "all triplets": ("1D 1D 1D 3D 3D 3D 6D 6D 6D 7B 7B 7B 9B 9B", 2),
    "two five eight": ("2D 2D 2D 5D 5D 5D 8D 8D 8D 2B 2B 2B 5B 5B", 4),
    "ones and nines": ("1D 2D 3D 7D 8D 9D 1B 2B 3B 9B 9B 9B 1D 1D", 3),
}
"""For each scoring item a hand that has it, and its worth by the rules."""


@pytest.mark.parametrize("item", winning.ITEMS, ids=lambda item: item.name)
def test_the_worth_of_a_hand_is_not_that_of_an_item_with_other_points(item: ScoringItem) -> None:
    tiles, worth = HANDS[item.name]
    table = Mahjong.declaration.table()
    table.players = 2
    for tile in tiles.split():
        Mahjong.declaration.codec.receive(table, 0, TILES.card(tile))
    wrong = tuple(replace(each, points=each.points + (each is item)) for each in winning.ITEMS)
    assert worth_of_hand(table, 0) == winning.best_score(table, 0) == worth
    assert scored_by(score_of(wrong), table) == worth + 1


def scored_by(score: Any, table: Any) -> int:
    """What `best_score` gives with another function that adds the items up."""
    names = {**winning.best_score.__globals__, "SCORE": score}
    return int(FunctionType(winning.best_score.__code__, names)(table, 0))
