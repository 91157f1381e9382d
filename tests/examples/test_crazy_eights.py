"""The example Crazy Eights against OpenSpiel's: the same legal actions in every state, and the same hands at the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from examples.crazy_eights import EIGHTS, NOTATION, CrazyEights
from fsm import Move

pyspiel = pytest.importorskip("pyspiel", reason="the judge needs open_spiel")

DRAW, PASS, NOMINATE, DEALER = 52, 53, 54, 0
"""OpenSpiel's numbers of actions that are no cards; those of its chance player count from the draw on."""
SPIEL_SUITS, SPIEL_RANKS = "CDHS", "23456789TJQKA"


def spiel_card(name: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * SPIEL_RANKS.index(name[1]) + SPIEL_SUITS.index(name[0])


def spiel_points(hand: tuple[str, ...]) -> int:
    """What OpenSpiel counts for a hand; of a card from two to ten it adds two to the number of the card, not its rank."""
    total = 0
    for name in hand:
        card = spiel_card(name)
        total += 50 if name[1] == "8" else 10 if name[1] in "JQKA" else card + 2
    return total


def started(game: CrazyEights) -> Any:
    """OpenSpiel's state after the same deal: the last player deals, the first one begins."""
    parameters = {"players": game.players, "max_draw_cards": 52, "max_turns": 10_000, "reshuffle": False}
    state = pyspiel.load_game("crazy_eights", parameters).new_initial_state()
    state.apply_action(state.legal_actions()[-1])
    for code in game.dealt_deck()[: len(game.hands[0]) * game.players + 1]:
        state.apply_action(spiel_card(NOTATION.cards[code]))
    return state


def spiel_action(move: Move) -> int:
    """OpenSpiel's number of the first action of a move."""
    return {"take": DRAW, "pass_turn": PASS}[move.trigger] if move.card is None else spiel_card(move.card)


def apply(state: Any, move: Move, taken: str | None) -> None:
    """Do with OpenSpiel's state what was done with the game."""
    state.apply_action(spiel_action(move))
    if move.suit:
        assert state.legal_actions() == [NOMINATE + suit for suit in range(4)]
        state.apply_action(NOMINATE + SPIEL_SUITS.index(move.suit))
    if taken:
        state.apply_action(spiel_card(taken))


def play_in_lock_step(players: int, seed: int, number: int) -> None:
    """One random game; it is compared in every state and at its end."""
    game = CrazyEights.deal(players, seed, number)
    state, dice = started(game), Random(f"{players} {seed} {number}")
    game.open()
    while game.outcome is None:
        moves = game.events().legal
        assert state.current_player() == game.player - 1
        assert state.legal_actions() == sorted({spiel_action(move) for move in moves})
        move = dice.choice(moves)
        step = game.fire(*move)
        apply(state, move, step.card if move.trigger == "take" else None)
    if all(game.hands):  # blocked: OpenSpiel wants one more pass
        assert not state.is_terminal()
        state.apply_action(PASS)
    assert state.is_terminal()
    assert state.returns() == [-spiel_points(hand) for hand in game.hands]


@pytest.mark.parametrize("players", range(2, 6))
def test_open_spiel_allows_the_same_actions_and_counts_the_same_hands(players: int) -> None:
    for number in range(13):
        play_in_lock_step(players, 1, number)


@pytest.mark.thorough
@pytest.mark.parametrize("players", range(2, 6))
def test_open_spiel_agrees_in_thousands_of_games(players: int) -> None:
    for number in range(1000):
        play_in_lock_step(players, 2, number)


def test_the_masks_are_those_of_the_names() -> None:
    assert [NOTATION.cards[code] for code in range(52) if EIGHTS >> code & 1] == ["D8", "H8", "S8", "C8"]
