"""Games whose piles lie in an order, or whose hands differ in size, are worth what trying all moves finds."""

from __future__ import annotations

import pytest
from stacking import Stacking

from examples.beggar_my_neighbour import BeggarMyNeighbour
from fsm import Game
from fsm.stepping.setup import deals
from maumau.solve.hands import solve_open
from maumau.solve.hidden import solve_hidden


def worth(game: Game) -> int:
    """What a game is worth to player 1: 1, 0 or -1."""
    if game.outcome is not None:
        return {(1,): 1, (2,): -1}.get(game.outcome.winners, 0)
    moves = game.events().legal
    if len(moves) == 1:
        game.fire(moves[0])
        return worth(game)
    tried = []
    for move in moves:
        other = game.clone()
        other.fire(move)
        tried.append(worth(other))
    return max(tried) if game.player == 1 else min(tried)


@pytest.mark.parametrize(
    ("kind", "deck", "each", "step"),
    [
        (BeggarMyNeighbour, "2S JS 3S QS 4S", 0, 1),
        (Stacking, "2D 2H 3D 3H 4D 4H", 2, 20),
    ],
)
def test_open_hands(kind: type[Game], deck: str, each: int, step: int) -> None:
    small = kind.with_deck(deck, each)
    found = solve_open(small)
    assert found.deals is not None
    decks = found.deals.decks.tolist()
    assert len(decks) == len(list(deals(small, 2)))
    assert found.by_deal[::step] == "".join("0+-"[worth(small.of_deck(2, deck))] for deck in decks[::step])


def test_hidden_hands_of_a_game_without_choices_are_worth_what_games_show() -> None:
    small = BeggarMyNeighbour.with_deck("2S JS 3S QS 4S", 0)
    won = [worth(small.of_deck(2, deck)) for deck in deals(small, 2)]
    assert solve_hidden(small).equilibrium.value == pytest.approx(sum(won) / len(won))
