"""Sets of cards that are named in one move: what is legal, numbered, compiled, recorded and shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from examples.president import PRESIDENT, President
from fsm import IllegalMove, Uno, register
from fsm.declaration.chart import DeclarationError
from fsm.records import record_of, replay
from maumau.agents.actions import action_space
from rules.cards import FRENCH_52
from rules.sets import CardSets, of_a_rank, runs

LEADING = (
    "leading player=1 size=0 rank=- last=- places=0/0/0 former=0/0/0 given=0 ending=- winner=- "
    "hands=7S,7C,7D,KD/KH,KC/3C,4C discard={rest} draw=-"
)
"""Player 1 holds three sevens and a king, and leads."""


def leading() -> President:
    held = {"7S", "7C", "7D", "KD", "KH", "KC", "3C", "4C"}
    rest = ",".join(card for card in PRESIDENT.codec.notation.cards if card not in held)
    return President.at(LEADING.format(rest=rest))


def test_every_set_has_a_number_of_its_own() -> None:
    space = action_space(PRESIDENT)
    sets = [space.card_text(number) for number, action in enumerate(space) if action.trigger == "play"]
    assert len(sets) == len(set(sets)) == 13 * (4 + 6 + 4 + 1) == len(PRESIDENT.codec.sets.masks)


def test_a_set_is_named_in_any_order_and_told_in_one() -> None:
    game = leading()
    before = game.hands[0]
    step = game.fire("play", "7S,7C,7D")
    assert (step.card, str(step)) == ("7C,7D,7S", "Player 1 plays 7C,7D,7S. A set is led.")
    assert game.hands[0] == ("KD",)
    assert game.undo() == step
    assert game.hands[0] == before


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("7S,KD", "'7S,KD' is not a set of this game"),
        ("KH,KC", "player 1 does not hold them"),
        ("KC", "player 1 does not hold it"),
        ("7S,7X", "unknown card '7X'"),
        (None, "a card must be named"),
    ],
)
def test_what_is_no_set_is_refused_with_the_legal_ones(cards: str | None, told: str) -> None:
    game = leading()
    with pytest.raises(IllegalMove, match=f"{told}.*may play 7C"):
        game.fire("play", cards)
    with pytest.raises(IllegalMove, match="takes no suit"):
        game.fire("play", "7C,7S", suit="S")


def test_the_reason_against_a_set_is_told_where_there_is_none() -> None:
    game = leading()
    game.fire("play", "7C,7D")
    game.fire("play", "KC,KH")
    assert [str(move) for move in game.events()] == ["pass_turn"]
    assert game.events().refused["play"] == "there is no card to name"


def test_a_record_is_replayed() -> None:
    register(President)
    game = President.deal(3, 7, 3, "house")
    game.run()
    record = record_of(game)
    assert any(event["card"] and "," in event["card"] for event in record["events"])
    assert not any("form" in event for event in record["events"])
    assert replay(record).history == game.history


def test_sets_are_masks_of_a_card_or_more_with_few_forms() -> None:
    assert CardSets((1, 2, 3)).named(2) == (1, 0)
    for masks in ((), (0,), (3, 0)):
        with pytest.raises(ValueError, match="a card or more"):
            CardSets(masks)
    with pytest.raises(ValueError, match="63 forms"):
        CardSets(tuple(1 | 1 << shift for shift in range(1, 64)))
    assert len(of_a_rank(FRENCH_52, (3, 4)) + runs(FRENCH_52, (3, 4, 5))) == 185  # as in Gin Rummy


def test_sets_need_a_deck_in_which_every_card_is_there_once() -> None:
    codec = replace(Uno.declaration.codec, sets=PRESIDENT.codec.sets)
    with pytest.raises(DeclarationError, match="sets of cards are named; use a deck in which every card appears"):
        replace(Uno.declaration, codec=codec)


def test_forms_without_sets_are_refused() -> None:
    with pytest.raises(
        DeclarationError, match="names forms; use it with the lowest cards of sets, and with sets of the"
    ):
        replace(PRESIDENT, codec=replace(PRESIDENT.codec, sets=None))
