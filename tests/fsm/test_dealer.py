"""Who the dealer is, is a parameter of a deal where a game knows a dealer."""

from __future__ import annotations

import json
import random

import pytest
from dealer_maumau import DealerMauMau
from plain_maumau import CARDS, simulate

from fsm import MauMau, Uno, register
from fsm.records import RecordError, record_of, replay


def seen_from(first: int, players: int, deck: list[str]) -> list[str]:
    """The same deal for a table at which the player `first` sits in the first seat."""
    dealt = players * (9 - players)
    rows = [deck[start : start + players] for start in range(0, dealt, players)]
    return [card for row in rows for card in row[first - 1 :] + row[: first - 1]] + deck[dealt:]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_seat_after_the_dealer_begins(players: int) -> None:
    shuffler = random.Random(players)
    for dealer in range(1, players + 1):
        first = dealer % players + 1
        deck = shuffler.sample(CARDS, len(CARDS))
        game = DealerMauMau.of_deck(players, MauMau.parse(" ".join([str(players), *deck])).dealt_deck(), dealer=dealer)
        assert (game.dealer, game.player) == (dealer, first)
        scores = simulate(players, seen_from(first, players, deck)).scores
        outcome = game.run()
        assert scores is not None
        assert outcome.scores[first - 1 :] + outcome.scores[: first - 1] == tuple(scores)


def test_player_1_is_the_dealer_of_a_game_that_is_played_by_itself() -> None:
    assert DealerMauMau.deal(3, seed=7).dealer == 1
    assert DealerMauMau.deal(3, seed=7) == DealerMauMau.deal(3, seed=7, dealer=1)
    assert MauMau.deal(3, seed=7).dealer is None


def test_a_dealer_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="dealer: 4 is out of range; use 1 to 3"):
        DealerMauMau.deal(3, seed=7, dealer=4)
    with pytest.raises(ValueError, match="dealer: 0 is out of range; use 1 to 3"):
        DealerMauMau.deal(3, seed=7, dealer=0)
    with pytest.raises(ValueError, match="dealer 2: UNO has no dealer; leave it out"):
        Uno.deal(3, seed=7, dealer=2)
    with pytest.raises(TypeError, match="dealer: '2' is of type str"):
        DealerMauMau.deal(3, seed=7, dealer="2")  # type: ignore[arg-type]


def test_the_dealer_survives_undo_a_restart_a_position_and_a_copy() -> None:
    game = DealerMauMau.deal(3, seed=7, dealer=3)
    start = game.position()
    assert "dealer=3" in start
    game.run()
    for same in (game.restarted(), DealerMauMau.at(start), game.clone().restarted()):
        assert (same.dealer, same.player) == (3, 1)
        assert same.run() == game.outcome


def test_a_record_has_the_dealer_of_a_game_that_knows_one() -> None:
    register(DealerMauMau)
    game = DealerMauMau.deal(3, seed=7, dealer=3)
    game.run()
    record = json.loads(json.dumps(record_of(game)))
    assert record["dealer"] == 3
    assert replay(record) == game
    with pytest.raises(RecordError):
        replay(record | {"dealer": 2})
    with pytest.raises(RecordError, match="dealer: '3' is not a whole number"):
        replay(record | {"dealer": "3"})


def test_a_record_of_a_game_without_a_dealer_has_no_such_field() -> None:
    game = MauMau.deal(3, seed=7)
    game.run()
    assert "dealer" not in record_of(game)
