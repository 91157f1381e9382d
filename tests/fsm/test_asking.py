"""Phases in which seats are asked one after another: who acts, who is passed over, what is refused, and by whom."""

from __future__ import annotations

from dataclasses import replace

import pytest
from snatching import ASKING, SNATCHING, Snatching

from fsm import DeclarationError
from fsm.check import explore_stepped
from fsm.declaration.arcs import Control

AT = "turn player=2 turn=2 ending=- winner=- hands={}/{}/{} discard=- draw={}"


def standing(*hands: str) -> Snatching:
    """A game in which player 2 is to discard."""
    held = [card for hand in hands for card in hand.split(",")]
    rest = [card for card in SNATCHING.codec.notation.cards if card not in held]
    return Snatching.at(AT.format(*hands, ",".join(rest)))


def test_who_has_nothing_to_choose_is_passed_over() -> None:
    game = standing("2C,5D", "2D,4H", "7H,6D")
    game.discard("2D")
    assert [str(move) for move in game.events()] == ["pass_over"]
    assert (game.step().trigger, game.player) == ("pass_over", 1)
    assert [str(move) for move in game.events()] == ["snatch", "decline"]


def test_what_a_seat_sees_has_moves_only_for_the_seat_that_is_asked() -> None:
    game = standing("2C,5D", "2D,4H", "2H,6D")
    game.discard("2D")
    assert [len(game.view(player).moves) for player in (1, 2, 3)] == [0, 0, 2]
    assert game.view(1).turn == 2


def test_a_game_in_which_only_the_player_in_turn_acts_has_a_turn_too() -> None:
    from fsm import MauMau

    game = MauMau.deal(players=3, seed=7)
    game.step()
    assert game.turn == game.player


@pytest.mark.slow
def test_all_positions_of_a_small_deck_are_sound_and_every_arc_is_fired() -> None:
    (small,) = SNATCHING.small_decks
    report = explore_stepped(Snatching, small)
    assert report.failed == {}
    assert all(report.fired[arc] for arc in SNATCHING.arcs)


def test_a_phase_that_asks_needs_events_with_which_seats_decline() -> None:
    control = dict(SNATCHING.control) | {ASKING: replace(SNATCHING.control[ASKING], declines=("pass",))}
    with pytest.raises(DeclarationError, match="phase asking: event 'pass' declines nothing"):
        replace(SNATCHING, control=control)


def test_a_game_that_asks_needs_a_field_for_whose_turn_it_is() -> None:
    from fsm import MauMau

    game = MauMau.declaration
    phase = game.phases("skip-pending")
    control = dict(game.control) | {phase: Control(forced=("skip",), declines=("skip",))}
    with pytest.raises(DeclarationError, match="but the table has no field for whose turn it is; declare turn: int"):
        replace(game, control=control)
