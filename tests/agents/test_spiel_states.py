"""States of OpenSpiel: how chance deals, and what Python computes in place of the base class."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from all_games import GAMES
from spiel import load_own

from examples.briscola import Briscola
from examples.crazy_eights import CrazyEights
from fsm import Game, MauMau, Uno


def test_chance_deals_no_deck_that_must_not_be_dealt() -> None:
    state = load_own(CrazyEights, 2).new_initial_state()
    for _ in range(14):
        state.apply_action(state.chance_outcomes()[0][0])
    names = CrazyEights.declaration.codec.notation.cards
    outcomes = state.chance_outcomes()
    assert not [names[code] for code, _ in outcomes if names[code].endswith("8")]
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)


def test_chance_deals_all_decks_that_may_be_dealt_equally_often() -> None:
    """Of the orders of five cards of which two are eights, three fifths may be dealt: no eight begins."""
    small = CrazyEights.with_deck("S8 SQ HQ HK H8", each=1)
    found, states = [], [(load_own(small, 2).new_initial_state(), 1.0)]
    while states:
        state, chance = states.pop()
        if state.is_chance_node():
            states += [(state.child(code), chance * part) for code, part in state.chance_outcomes()]
        else:
            found.append(chance)
    assert found == [pytest.approx(1 / 72)] * 72


def test_cards_that_are_left_out_come_last() -> None:
    """With three players a card of briscola is left out."""
    state, random = load_own(Briscola, 3).new_initial_state(), Random(7)
    (left_out,) = Briscola.declaration.left_out[3]
    for _ in range(39):
        assert left_out not in state.legal_actions()
        state.apply_action(random.choice(state.legal_actions()))
    assert state.chance_outcomes() == [(left_out, 1.0)]
    assert state.legal_actions() == [left_out]


def test_a_card_that_is_not_left_is_refused() -> None:
    import pyspiel

    for kind, code, copies in ((MauMau, 7, 1), (Uno, 7, 2)):
        state = load_own(kind, 2).new_initial_state()
        assert Counter(kind.full_deck())[code] == copies
        for _ in range(copies):
            state.apply_action(code)
        before = state.chance_outcomes()
        for wrong in (code, 200):
            with pytest.raises(pyspiel.SpielError, match=f"action {wrong}: this card is not left in the deck"):
                state.clone().apply_action(wrong)
        assert state.chance_outcomes() == before


def check_base(game: Any, state: Any) -> None:
    """Compare what a state computes in Python with what the base class computes by way of C++."""
    import pyspiel

    base, players, acting = pyspiel.State, range(state.num_players()), state.current_player()
    assert state.is_chance_node() == base.is_chance_node(state)
    assert state.legal_actions() == base.legal_actions(state)
    assert state.legal_actions_mask() == base.legal_actions_mask(state)
    for player in (*players, pyspiel.PlayerId.CHANCE):  # as the games of OpenSpiel in C++
        assert state.legal_actions(player) == (state.legal_actions() if player == acting else [])
        mask = state.legal_actions_mask(player)
        assert [action for action, legal in enumerate(mask) if legal] == state.legal_actions(player)
        assert len(mask) == (state.num_distinct_actions() if player in players else game.max_chance_outcomes())
    for player in players:
        seen = state.observation_tensor(player)
        assert seen == base.observation_tensor(state, player)
        assert {*map(type, seen)} == {float}
    if not state.is_chance_node():
        return
    assert state.legal_actions() == [code for code, _ in state.chance_outcomes()]
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)
def test_a_state_computes_what_the_base_class_computes(kind: type[Game]) -> None:
    players, random = kind.declaration.codec.most, Random(3)
    game = load_own(kind, players, limit=30)
    state = game.new_initial_state()
    while not state.is_terminal():
        check_base(game, state)
        if random.random() < 0.1:
            state = state.clone()
        state.apply_action(random.choice(state.legal_actions()))
    check_base(game, state)


def test_lists_of_a_state_are_the_callers_own() -> None:
    state = load_own(MauMau, 2).new_initial_state()
    for code in (None, *MauMau.deck_of(2, seed=7)):
        if code is not None:
            state.apply_action(code)
        before = state.legal_actions()
        state.legal_actions().clear()
        assert state.legal_actions() == before != []


def test_a_copy_of_a_state_in_the_deal_goes_on_by_itself() -> None:
    state = load_own(Uno, 2).new_initial_state()
    for code in Uno.deck_of(2, seed=7):
        copied, before = state.clone(), state.chance_outcomes()
        copied.apply_action(copied.legal_actions()[0])
        assert state.chance_outcomes() == before
        state.apply_action(code)
    assert state.legal_actions() != []
