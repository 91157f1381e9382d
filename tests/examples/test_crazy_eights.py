"""The example Crazy Eights against OpenSpiel's: the same legal actions in every state, and the same hands at the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import spiel

from examples.crazy_eights import EIGHTS, NOTATION, CrazyEights
from fsm.stepping.steps import Move

DRAW, PASS, NOMINATE = 52, 53, 54
"""OpenSpiel's numbers of actions that are no cards; those of its chance player count from the draw on."""
RECORDED = [(players, number) for players in range(2, 6) for number in range(13)]
"""The players and numbers of the games of seed 1 that are recorded, in their order."""


def spiel_card(name: str) -> int:
    """OpenSpiel's number of a card."""
    return spiel.card_number(name[0], name[1])


def spiel_points(hand: tuple[str, ...]) -> int:
    """What OpenSpiel counts for a hand; of a card from two to ten it adds two to the number of the card, not its rank."""
    total = 0
    for name in hand:
        card = spiel_card(name)
        total += 50 if name[1] == "8" else 10 if name[1] in "JQKA" else card + 2
    return total


def spiel_action(move: Move) -> int:
    """OpenSpiel's number of the first action of a move."""
    return {"take": DRAW, "pass_turn": PASS}[move.trigger] if move.card is None else spiel_card(move.card)


def choices(game: CrazyEights, dice: Random) -> Iterator[tuple[spiel.State, list[int]]]:
    """Play a random game: each state in which somebody chooses, and what follows, up to the next such state: the action
    that is chosen, the suit that is named, the card that is drawn.
    """
    game.open()
    while game.outcome is None:
        moves = game.events().legal
        state = game.player - 1, sorted({spiel_action(move) for move in moves})
        move = dice.choice(moves)
        step = game.fire(*move)
        suit = [NOMINATE + spiel.SUITS.index(move.suit)] if move.suit else []
        drawn = [spiel_card(step.card or "")] if move.trigger == "take" else []
        yield state, [spiel_action(move), *suit, *drawn]


def returns(game: CrazyEights) -> list[int]:
    """What OpenSpiel counts for the players of a game that is over."""
    return [-spiel_points(hand) for hand in game.hands]


def started(game: CrazyEights) -> Any:
    """OpenSpiel's state after the same deal: the last player deals, the first one begins."""
    players = game.players
    state = spiel.new_state("crazy_eights", players=players, max_draw_cards=52, max_turns=10_000, reshuffle=False)
    state.apply_action(state.legal_actions()[-1])
    for code in game.dealt_deck()[: len(game.hands[0]) * players + 1]:
        state.apply_action(spiel_card(NOTATION.cards[code]))
    return state


def judged(players: int, seed: int, number: int) -> str:
    """Play a random game in lock-step with OpenSpiel and compare every state. Returns OpenSpiel's summary."""
    game = CrazyEights.deal(players, seed, number)
    state = started(game)
    states: list[spiel.State] = []
    for seen, actions in choices(game, Random(f"{players} {seed} {number}")):
        states.append((state.current_player(), state.legal_actions()))
        assert states[-1] == seen
        for action in actions:
            assert action < NOMINATE or state.legal_actions() == [NOMINATE + suit for suit in range(4)]
            state.apply_action(action)
    if all(game.hands):  # blocked: OpenSpiel wants one more pass
        assert not state.is_terminal()
        state.apply_action(PASS)
    assert state.is_terminal()
    assert state.returns() == returns(game)
    return spiel.summary(states, state.returns())


@pytest.mark.slow
def test_open_spiel_has_allowed_the_same_actions_and_counted_the_same_hands() -> None:
    for (players, number), line in zip(RECORDED, spiel.recorded("crazy_eights"), strict=True):
        game = CrazyEights.deal(players, 1, number)
        states = [state for state, _ in choices(game, Random(f"{players} 1 {number}"))]
        assert spiel.summary(states, returns(game)) == line


@pytest.mark.thorough
def test_the_record_is_what_open_spiel_says() -> None:
    arguments = [judged(players, 1, number) for players, number in RECORDED]
    assert arguments == spiel.recorded("crazy_eights")


@pytest.mark.thorough
@pytest.mark.parametrize("players", range(2, 6))
def test_open_spiel_agrees_in_thousands_of_games(players: int) -> None:
    for number in range(1000):
        judged(players, 2, number)


def test_the_masks_are_those_of_the_names() -> None:
    assert [NOTATION.cards[code] for code in range(52) if EIGHTS >> code & 1] == ["D8", "H8", "S8", "C8"]
