"""Sets of cards that are named in one move: what is legal, numbered, compiled, recorded and shown."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from alike import assert_played_alike, explored_alike
from melding import MELDING, SETS, Melding

from examples.president import President
from fsm import Game, IllegalMove, Uno, registry
from fsm.declaration.chart import DeclarationError
from fsm.records import record_of, replay
from maumau.agents.actions import action_space
from rules.cards import FRENCH_52
from rules.sets import CardSets, of_a_rank, runs

ORDER = "23456789TJQKA"


def is_set(cards: tuple[str, ...]) -> bool:
    """By the rules of the game: two to four cards of a rank, or three in a row of one suit."""
    ranks, suits = [ORDER.index(card[0]) for card in cards], {card[1] for card in cards}
    in_row = len(cards) == 3 and len(suits) == 1 and sorted(ranks) == list(range(min(ranks), min(ranks) + 3))
    return len(set(ranks)) == 1 or in_row


def legal_sets(game: Game) -> set[frozenset[str]]:
    return {frozenset(str(move.card).split(",")) for move in game.events() if move.trigger == "meld"}


@pytest.mark.parametrize("number", range(30))
def test_the_legal_sets_are_those_of_the_rules(number: int) -> None:
    game = Melding.deal(2, 3, number, "random")
    while game.outcome is None:
        if game.phase is not game.declaration.initial:
            hand = game.hands[game.player - 1]
            found = (cards for size in (2, 3, 4) for cards in combinations(hand, size) if is_set(cards))
            assert legal_sets(game) == set(map(frozenset, found))
        game.step()


def test_every_set_has_a_number_of_its_own() -> None:
    space = action_space(MELDING)
    melds = [space.card_text(number) for number, action in enumerate(space) if action.trigger == "meld"]
    assert len(melds) == len(set(melds)) == 13 * (6 + 4 + 1) + 4 * 11 == len(SETS.masks)
    assert len(space) == len(melds) + 52
    for number in range(len(space)):
        assert space.number(space.move(number, 1, 2), 1, 2) == number
    assert space.text(0).startswith("meld 2")


def test_a_set_is_named_in_any_order_and_told_in_one() -> None:
    game = Melding.at("playing player=1 melded=-/- ending=- winner=- hands=5S,4S,3S,KD/KH,KC discard=- draw=" + rest())
    step = game.fire("meld", "5S,3S,4S")
    assert (step.card, str(step)) == ("3S,4S,5S", "Player 1 melds 3S,4S,5S.")
    assert game.melds == ((("3S", "4S", "5S"),), ())
    assert game.hands[0] == ("KD",)
    assert game.undo() == step
    assert game.hands[0] == ("5S", "4S", "3S", "KD")


def rest() -> str:
    gone = {"5S", "4S", "3S", "KD", "KH", "KC"}
    return ",".join(card for card in FRENCH_52.cards if card not in gone)


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("3S,4S", "'3S,4S' is not a set of this game"),
        ("3S", "'3S' is not a set of this game"),
        ("KH,KC", "player 1 does not hold them"),
        ("3S,3X", "unknown card '3X'"),
        (None, "a card must be named"),
    ],
)
def test_what_is_no_set_is_refused_with_the_legal_ones(cards: str | None, told: str) -> None:
    game = Melding.at("playing player=1 melded=-/- ending=- winner=- hands=5S,4S,3S,KD/KH,KC discard=- draw=" + rest())
    with pytest.raises(IllegalMove, match=f"{told}.*may meld 3S,4S,5S"):
        game.fire("meld", cards)
    with pytest.raises(IllegalMove, match="takes no suit"):
        game.fire("meld", "3S,4S,5S", suit="S")


def test_the_reason_against_a_meld_is_told_where_there_is_none() -> None:
    game = Melding.at(
        "playing player=2 melded=-/- ending=- winner=- hands=5S,4S,3S/KD,AH discard=- draw="
        + ",".join(card for card in FRENCH_52.cards if card not in {"5S", "4S", "3S", "KD", "AH"})
    )
    assert [str(move) for move in game.events()] == ["shed KD", "shed AH"]
    assert game.events().refused["meld"] == "there is no card to name"


def test_both_engines_play_the_same_games() -> None:
    pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")
    for policy in ("house", "random", "first-legal"):
        assert_played_alike(Melding, (Melding.deal(3, 5, number, policy) for number in range(60)), policy, 5)


@pytest.mark.slow
def test_both_explorers_see_the_same_sound_positions() -> None:
    pytest.importorskip("llvmlite", reason="the explorer needs llvmlite")
    (small,) = MELDING.small_decks
    assert explored_alike(Melding, small).never_fired == []


def test_a_record_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, "melding", Melding)
    game = Melding.deal(2, 7, 3, "house")
    game.run()
    record = record_of(game)
    assert "4S,4C" in [event["card"] for event in record["events"]]
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
    codec = replace(Uno.declaration.codec, sets=SETS)
    with pytest.raises(DeclarationError, match="sets of cards are named; use a deck in which every card appears"):
        replace(Uno.declaration, codec=codec)


def test_forms_without_sets_are_refused() -> None:
    with pytest.raises(
        DeclarationError, match="names forms; use it with the lowest cards of sets, and with sets of the"
    ):
        replace(MELDING, codec=replace(MELDING.codec, sets=None))


def test_a_single_card_that_is_not_held_is_one_card() -> None:
    game = President.deal(3, 7)
    while game.forced_events:
        game.step()
    other = game.hands[game.player % 3][0]
    with pytest.raises(IllegalMove, match=f"player {game.player} does not hold it"):
        game.fire("play", other)
    with pytest.raises(IllegalMove, match="'3S,5C' is not a set of this game"):
        game.fire("play", "3S,5C")
