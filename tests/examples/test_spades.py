"""The example Spades, with the edits OPEN_SPIEL, in lock step with OpenSpiel; and where the common rules differ."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import spiel

from examples.spades import NOTATION, OPEN_SPIEL, Spades, Table, leading, leading_plain, score
from fsm import Game

BIDS = 52
"""OpenSpiel's number of the bid of no trick."""
AS_OPEN_SPIEL = Spades.with_rules(OPEN_SPIEL)


def spiel_card(name: str) -> int:
    """OpenSpiel's number of a card, one suit after another."""
    return len(spiel.RANKS) * spiel.SUITS.index(name[1]) + spiel.RANKS.index(name[0])


def spiel_action(move: Any) -> int:
    """OpenSpiel's number of a move or a step."""
    return BIDS + int(move.amount) if move.card is None else spiel_card(move.card)


def dealt(deck: bytes) -> Any:
    """OpenSpiel's state after the deal; each card that is left may be dealt."""
    state = spiel.new_state("spades")
    cards = [spiel_card(NOTATION.cards[code]) for code in deck]
    for index, card in enumerate(cards):
        assert state.legal_actions() == sorted(cards[index:])
        state.apply_action(card)
    return state


def compare_seen(state: Any, game: Game) -> None:
    """Each player sees the own cards, the bids, the cards played and the tricks that each has taken."""
    for player in range(4):
        lines = state.observation_string(player).splitlines()
        cards = {
            rank + line[0] for line in lines[:4] for rank in line[2:] if rank in spiel.RANKS and "none" not in line
        }
        seen = dict(field.split("=") for field in game.position(seen_by=player + 1).split()[1:])
        hands = [set(hand.split(",")) - {"-"} for hand in seen["hands"].split("/")]
        assert hands[player] == cards
        assert all(hand <= {"?"} for seat, hand in enumerate(hands) if seat != player)
        if "Tricks taken:" in lines:
            assert [int(each) for each in lines[-1].split()] == list(game.table.tricks)


def play(seed: int, number: int) -> None:
    """Play a random game in lock step, and compare every state."""
    game, dice = AS_OPEN_SPIEL.deal(4, seed, number), Random(f"{seed} {number}")
    state = dealt(bytes(game.dealt_deck()))

    def choose(actions: list[int]) -> int:
        return dice.choice(actions[:8])  # low bids, so that contracts are made, too

    spiel.play_alike(game, state, spiel_action, choose, lambda: compare_seen(state, game))
    assert list(game.outcome.scores) == state.returns()
    one, other, *_ = state.returns()
    assert game.outcome.returns == (one - other, other - one) * 2
    assert game.outcome.winners == (() if one == other else (1, 3) if one > other else (2, 4))


@pytest.mark.parametrize(
    ("games", "seed"),
    [(10, 1), pytest.param(200, 1, marks=pytest.mark.slow), pytest.param(10_000, 2, marks=pytest.mark.thorough)],
)
def test_open_spiel_agrees_in_random_games(games: int, seed: int) -> None:
    for number in range(games):
        play(seed, number)


@pytest.mark.slow
@pytest.mark.parametrize("games", [200, pytest.param(10_000, marks=pytest.mark.thorough)])
def test_open_spiel_agrees_with_the_compiled_engine(games: int) -> None:
    for played in spiel.play_compiled(AS_OPEN_SPIEL, 4, games // 2, "random", "house"):
        state = dealt(bytes(played.decks[0]))
        spiel.follow(played, state, spiel_action)
        assert list(played.outcome.scores) == state.returns()


def test_by_the_common_rules_partners_may_bid_all_and_spades_may_be_led_once_they_are_broken() -> None:
    for kind, bids in ((Spades, 14), (AS_OPEN_SPIEL, 4)):
        game = kind.deal(4, seed=7)
        game.step()
        for amount in (10, 1):
            game.fire("bid", amount=amount)
        assert len(game.events().legal) == bids
    table = Table(players=4, hands=[sum(1 << NOTATION.card(name) for name in ("5S", "9C")), 0, 0, 0], broken=1)
    assert NOTATION.names([code for code in range(52) if leading(table) >> code & 1]) == ["5S", "9C"]
    assert leading_plain(table) == 1 << NOTATION.card("9C")


@pytest.mark.parametrize(
    ("bids", "tricks", "points"),
    [
        ((3, 4, 2, 4), (3, 4, 2, 4), (50, 80)),  # both make what they have bid
        ((3, 4, 4, 2), (3, 3, 3, 4), (-70, 61)),  # one trick too few; one more than was bid
        ((0, 4, 5, 3), (0, 4, 5, 4), (150, 71)),  # nil is made
        ((0, 4, 5, 3), (1, 4, 5, 3), (-49, 70)),  # nil fails, and its trick is one more
        ((1, 0, 1, 0), (6, 0, 7, 0), (-69, 200)),  # eleven tricks more cost a hundred
        ((0, 7, 0, 6), (0, 7, 0, 6), (200, 130)),
    ],
)
def test_points_of_a_deal(bids: tuple[int, ...], tricks: tuple[int, ...], points: tuple[int, int]) -> None:
    table = Table(players=4, bids=list(bids), tricks=list(tricks))
    assert tuple(score(table, seat) for seat in range(4)) == points * 2
