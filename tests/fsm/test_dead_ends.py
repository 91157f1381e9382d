"""A game in which players come to a position without a way on: the checks report it, and go on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fsm import MauMau, game_of
from fsm.check import explore_stepped, survey
from fsm.check.properties import GENERALLY, BasicProperty, properties
from fsm.check.stepped import shrunk
from fsm.declaration.arcs import SmallDeck
from fsm.variants import Arcs, ChangeArcs, Means, Variant
from maumau import MauMauPhase
from rules.maumau.game import fitting
from rules.rule import guard, query

WAY_ON = "every position before the end has a legal event"


@guard("nobody is skipped by the rules of this test")
def never(table: Any) -> bool:
    """Never."""
    return False


STUCK = MauMau.with_rules(Variant("stuck", "Nobody is skipped.", (ChangeArcs(Arcs("skip"), conditions=(never,)),)))


def test_a_game_with_the_whole_deck_that_is_stuck_is_an_example() -> None:
    report = survey(STUCK, 4)
    assert report.games == 12
    assert report.failures == [WAY_ON]
    (found,) = report.examples.values()
    assert "skip-pending" in found.position


def test_a_deck_is_not_made_too_small_for_its_players() -> None:
    small, number = SmallDeck("DE DQ DK DA", 3, 1), properties(STUCK.declaration).index(WAY_ON)
    assert explore_stepped(STUCK, small).failed[number]
    assert shrunk(STUCK, small, number) is None


@query
def anything(table: Any) -> int:
    """A complement without a hand: all cards, and no end."""
    return ~0


def test_a_mask_without_an_end_is_found() -> None:
    kind = MauMau.with_rules(Variant("anything", "Every card fits.", (Means(fitting, anything),)))
    found = explore_stepped(kind, SmallDeck("DE DQ DK", 2, 1)).examples[BasicProperty.NO_ERROR]
    assert "mask -1 is negative; use 0 or more" in found.error


@query
def one_that_fits(table: Any) -> int:
    return fitting(table) & -fitting(table)


def test_where_guards_permit_a_card_that_is_not_offered_that_is_said() -> None:
    """A declaration that contradicts itself, as the check finds: DQ and HK fit DK, and one of them is offered."""
    game, turn = MauMau.declaration, MauMauPhase.AWAIT_PLAY
    offers = (replace(each, cards=one_that_fits) if each.cards else each for each in game.control[turn].offers)
    control = {**game.control, turn: replace(game.control[turn], offers=tuple(offers))}
    kind = game_of(replace(game, name="one-card", control=control))
    faulty = kind.with_deck("DQ DS HS DE DJ DK HQ HK", each=2).parse("2 HK DS DQ HQ DK HS DE DJ")
    faulty.step()
    assert faulty.open_card == "DK"
    events = faulty.events()
    assert [move.card for move in events if move.trigger == "play"] == ["DQ"]
    assert events.refused["play HK"].startswith("it is not offered, though its guards permit it: one-card is declared")
    assert GENERALLY[BasicProperty.NO_ARC] in explore_stepped(kind, SmallDeck("DQ DK DA HQ HK", 2, 1)).failures
