"""What a player sees, and players that are Python functions of it."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from fsm import Game, IllegalMove, MauMau, Uno, View
from fsm import MauMauPhase as Phase
from fsm.declaration.declaration import Declaration
from fsm.records import record_of, replay
from fsm.stepping import course
from fsm.stepping.steps import Move, Step
from fsm.stepping.view import seen_step
from maumau.kernels import bulk

AT = (
    "drawing player=2 due=0 penalty=0 drawn=HK suit=- ending=- winner=- hands=SS,SN/HA,HK discard=CS "
    "draw=DQ,HQ,SQ,CQ,DK,SK,CK,DS,HS,DE,HE,SE,CE,DN,HN,CN,DT,HT,ST,CT,DA,SA,CA,DJ,HJ,SJ,CJ"
)


def test_a_player_sees_the_own_hand_and_how_many_cards_others_hold() -> None:
    view = MauMau.at(AT).view(1)
    assert view.hand == ("SS", "SN")
    assert view.hand_sizes == (2, 2)
    assert view.draw_pile_size == 27
    assert view.discard_pile == ("CS",)
    assert (view.viewer, view.player, view.phase) == (1, 2, Phase.DRAWING)


def test_only_the_player_in_turn_sees_the_drawn_card_and_may_choose() -> None:
    game = MauMau.at(AT)
    assert game.view(2).drawn == "HK"
    assert game.view(2).moves == (Move("pass_turn"),)
    assert game.view(1).moves == ()
    with pytest.raises(AttributeError, match="a view has no 'drawn', or player 1 does not see it"):
        _ = game.view(1).drawn


def test_a_game_in_which_only_the_player_in_turn_acts_has_a_turn_too() -> None:
    game = MauMau.deal(players=3, seed=7)
    game.step()
    assert game.turn == game.player


def test_facts_are_values() -> None:
    view = Uno.deal(3, seed=7).view(1)
    assert view.facts["player"] == 1
    assert view.wilds == (0, 0, 0)
    assert view.colour is None
    assert view.ending is None


def test_a_player_who_is_not_there_sees_nothing() -> None:
    with pytest.raises(ValueError, match="player 5 sees nothing; use 1 to 4"):
        MauMau.deal(4, seed=7).view(5)


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_cards_that_others_take_are_hidden_and_cards_that_are_played_are_not(kind: type[Game]) -> None:
    game = kind.deal(3, seed=7)
    game.run()
    for seen, step in zip(game.view(2).history, game.history, strict=True):
        hidden = step.trigger == "take" and step.player != 2
        assert seen.card == ("?" if hidden else step.card)
        assert seen.suit == step.suit
        assert seen.rule == (step.rule if step.player == 2 else None)


# ---------------------------------------------------------------- players that are functions


def last(view: View) -> Move:
    """The last legal move; it may look at nothing but the view."""
    assert isinstance(view, View)
    assert view.player == view.viewer
    return view.moves[-1]


def test_a_function_plays_beside_named_policies() -> None:
    game = MauMau.deal(3, seed=7, policies=[last, "house", "random"])
    assert game.run().ending
    chosen = [step for step in game.history if step.player == 1 and step.source is Phase.AWAIT_PLAY]
    assert chosen
    assert all(step.rule is None for step in chosen)
    assert game.restarted().run() == game.outcome


def test_a_record_with_a_function_is_replayed_without_it() -> None:
    game = MauMau.deal(3, seed=7, policies=[last, "house", "random"])
    game.run()
    record = record_of(game)
    assert record["policies"] == ["last", "house", "random"]
    assert replay(record).outcome == game.outcome


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (Move("play", "CN"), "player 1 cannot play CN on HE: CN fits neither the suit nor the rank of HE; may play "),
        (Move("fly"), "player 1 cannot fly: "),
        ("play HK", "it returned 'play HK'; return a Move, one of those in view.moves"),
        (None, "it returned None; return a Move, one of those in view.moves"),
        ((), "it returned (); return a Move, one of those in view.moves"),
        ((3, 4), "player 1 cannot 3 4 on HE: "),
    ],
)
def test_what_is_no_legal_move_is_refused_with_the_name_of_the_player(move: Any, message: str) -> None:
    def wrong(view: View) -> Any:
        return move

    hands = "hands=HK,CN/SA,SK discard=HE"
    rest = "DQ,HQ,SQ,CQ,DK,CK,DS,HS,SS,CS,DE,SE,CE,DN,HN,SN,DT,HT,ST,CT,DA,HA,CA,DJ,HJ,SJ,CJ"
    line = f"await-play player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=- {hands} draw={rest}"
    game = MauMau.at(line, policies=[wrong, "house"])
    before = game.position()
    with pytest.raises(IllegalMove, match=re.escape(f"policy wrong of player 1: {message}")):
        game.step()
    assert game.position() == before


def test_compiled_play_refuses_a_function() -> None:
    output = "policy last plays stepped games only; use one of house, random, first-legal"
    with pytest.raises(ValueError, match=output):
        bulk.total(players=3, games=10, seed=7, policies=[last, "house", "random"])


def test_what_was_seen_of_an_event_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(declaration: Declaration, step: Step, seat: int) -> Step | None:
        asked.append(seat)
        return seen_step(declaration, step, seat)

    monkeypatch.setattr(course, "seen_step", counted)
    game = MauMau.deal(3, 7, policies=lambda view: view.moves[0])
    game.run()
    assert len(asked) <= 3 * len(game.history)


def test_what_was_seen_is_forgotten_where_it_is_taken_back() -> None:
    game = MauMau.deal(3, 7)
    for _ in range(12):
        game.step()

    def seen(of: Game) -> list[tuple[Step | None, ...]]:
        steps = [[seen_step(of.declaration, step, seat) for step in of.history] for seat in range(3)]
        return [tuple(filter(None, each)) for each in steps]

    def viewed(of: Game) -> list[tuple[Step | None, ...]]:
        return [of.view(player).history for player in (1, 2, 3)]

    assert viewed(game) == seen(game)
    other = game.clone()
    while game.history:
        game.undo()
        assert viewed(game) == seen(game)
    while len(game.history) < 6:
        game.redo()
    assert viewed(game) == seen(game)
    game.fire(game.events()[-1])
    for each in (game, other, pickle.loads(pickle.dumps(other))):
        assert viewed(each) == seen(each)
        each.step()
        assert viewed(each) == seen(each)
