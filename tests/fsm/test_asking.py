"""Phases in which seats are asked one after another: who acts, who is passed over, what is refused, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from alike import explored_alike
from snatching import ASKING, SNATCHING, TURN, Snatching

from fsm import DeclarationError, IllegalMove
from fsm.check import explore_stepped
from fsm.declaration.arcs import Control
from maumau.kernels import bulk

AT = "turn player=2 turn=2 ending=- winner=- hands={}/{}/{} discard=- draw={}"


def standing(*hands: str) -> Snatching:
    """A game in which player 2 is to discard."""
    held = [card for hand in hands for card in hand.split(",")]
    rest = [card for card in SNATCHING.codec.notation.cards if card not in held]
    return Snatching.at(AT.format(*hands, ",".join(rest)))


def test_the_others_are_asked_from_the_next_seat_on_and_the_turn_stays() -> None:
    game = standing("2C,5D", "2D,4H", "2H,6D")
    game.discard("2D")
    assert (game.phase, game.player, game.turn) == (ASKING, 3, 2)
    game.decline()
    assert (game.phase, game.player, game.turn) == (ASKING, 1, 2)
    assert game.decline().dest is TURN
    assert (game.player, game.turn) == (3, 3)


def test_who_has_nothing_to_choose_is_passed_over() -> None:
    game = standing("2C,5D", "2D,4H", "7H,6D")
    game.discard("2D")
    assert [str(move) for move in game.events()] == ["pass_over"]
    assert (game.step().trigger, game.player) == ("pass_over", 1)
    assert [str(move) for move in game.events()] == ["snatch", "decline"]


def test_the_first_who_wants_it_ends_the_asking() -> None:
    game = standing("2C,5D", "2D,4H", "2H,6D")
    game.discard("2D")
    game.snatch()
    assert game.outcome is not None
    assert game.outcome.winner == 3


def test_a_refusal_names_who_is_asked_and_not_who_is_in_turn() -> None:
    game = standing("2C,5D", "2D,4H", "2H,6D")
    game.discard("2D")
    with pytest.raises(IllegalMove) as refused:
        game.discard("4H")
    assert str(refused.value) == (
        "player 3 cannot discard 4H on 2D: not an event of asking, where player 3 is asked to snatch or decline; "
        "may snatch or decline"
    )


def test_undo_asks_the_same_seat_again() -> None:
    game = standing("2C,5D", "2D,4H", "2H,6D")
    game.discard("2D")
    before = game.position()
    game.decline()
    game.undo()
    assert (game.position(), game.player, game.turn) == (before, 3, 2)


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


@pytest.mark.thorough
def test_both_explorers_see_the_same() -> None:
    (small,) = SNATCHING.small_decks
    explored_alike(Snatching, small)


ALL = ("house", "modest", "random", "first-legal")


@pytest.mark.parametrize("policies", [ALL, *(pytest.param([name], marks=pytest.mark.thorough) for name in ALL)])
def test_the_compiled_engine_asks_as_the_stepped_one(policies: Sequence[str]) -> None:
    decks = bulk.deal(4, 200, 5, game=Snatching)
    results = bulk.play(4, decks, policies, seed=5, game=Snatching)
    for number, row in enumerate(results.games):
        outcome = Snatching.deal(4, 5, number, policies).run()
        assert (outcome.winner, list(outcome.scores)) == (row["winner"] + 1, results.scores[number].tolist())


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
