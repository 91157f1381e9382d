"""The card that a step reports as taken came off the draw pile and is in the hand of the player who took it, whether
or not the rules of the game note it anywhere.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from all_games import GAMES
from hypothesis import given, settings
from hypothesis import strategies as st

from fsm import Game, game_of, register
from fsm.outside import admit, read_source
from fsm.records import record_of, replay
from fsm.stepping.steps import Step
from rules.cards import FRENCH_52, NO_CARD
from rules.piles import lay_open, take_top, trace
from rules.rule import effect
from rules.seats import seat_after
from rules.shedding import take_card
from rules.table import (
    CardTable,
    TwinTable,
    card_taken,
    copy_taken,
    deal_in_turn_unopened,
    deal_twins_in_turn,
    dealing,
    fill_twice,
    held_with_twins,
    receive,
    receive_twin,
)

FOLLOW_SUIT = Path(__file__).parents[2] / "docs" / "howto" / "follow_suit.py"


@effect
def take_unnoted(table: CardTable) -> None:
    """The top card of the draw pile goes into the hand, and the field `drawn` of the table stays as it is."""
    receive(table, table.player, take_top(table))


def follow_suit() -> type[Game]:
    """Follow Suit, whose rules take a card without a note of it."""
    game = admit(read_source(f"{FOLLOW_SUIT}:FollowSuit")).declaration
    taking = {take_card: take_unnoted}
    arcs = tuple(replace(arc, before=tuple(taking.get(each, each) for each in arc.before)) for arc in game.arcs)
    return register(game_of(replace(game, name="follow-suit-unnoted", arcs=arcs)))


def step_with_taken(game: Game) -> tuple[Step, list[str]]:
    """The next step, and the cards that it took off the draw pile and did not lay open."""
    pile, head, tail = game.draw_pile, game.table.head, game.table.tail
    step = game.step()
    took, laid = game.table.head - head, game.table.tail - tail
    return step, list(pile[: max(0, took - max(0, laid))])


def check_taken(game: Game) -> int:
    """Step a game, and compare what each event reports with the pile and the hand; how many events took a card."""
    count = 0
    while not game.outcome and len(game.history) < 2000:
        step, taken = step_with_taken(game)
        if step.trigger not in game.declaration.card_events:
            held = game.declaration.codec.notation.names(game.declaration.codec.held(game.table, step.player - 1))
            taken = [card for card in taken if card in held]  # others were put on another pile
            assert (step.card in taken) == bool(taken)
            assert (step.card is None) == (not taken)
            count += bool(taken)
    return count


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_card_that_is_reported_as_taken_is_in_the_hand(kind: type[Game], data: st.DataObject) -> None:
    codec, policies = kind.declaration.codec, [policy.name for policy in kind.declaration.policies]
    players = data.draw(st.integers(codec.fewest, min(codec.most, 5)))
    seats = data.draw(st.lists(st.sampled_from(policies), min_size=players, max_size=players))
    check_taken(kind.deal(players, data.draw(st.integers(0, 10**6)), policies=seats))


@pytest.mark.parametrize("policy", ["house", "random"])
def test_a_game_need_not_note_which_card_was_taken(policy: str) -> None:
    kind = follow_suit()
    assert sum(check_taken(kind.deal(3, 7, number, [policy])) for number in range(5)) > 20
    game = kind.deal(3, 7, 0, [policy])
    game.run()
    assert game.table.drawn == NO_CARD
    assert replay(record_of(game)).history == game.history


def test_the_compiled_game_logs_the_same_cards() -> None:
    from interpreted import logged_events

    kind = follow_suit()
    game = kind.deal(3, 7, 0)
    game.run()
    names = kind.declaration.codec.notation.cards
    logged = [
        names[card] if card >= 0 else None for _, _, card, _, _ in logged_events(kind, 3, kind.deck_of(3, 7, 0))[2]
    ]
    assert logged == [step.card for step in game.history]
    assert any(step.trigger == "take" for step in game.history)


def test_of_several_cards_the_last_of_the_hand_is_reported() -> None:
    table = CardTable()
    deal_in_turn_unopened(table, range(52), 2, 1)
    head = table.head
    assert card_taken(table, 0, head) == NO_CARD
    for seat in (0, 0, 1):
        table.hands[seat] |= 1 << take_top(table)
    names = FRENCH_52.cards
    assert [names[card_taken(table, seat, head)] for seat in (0, 1)] == [names[3], names[4]]
    take_top(table)  # onto a pile of its own
    assert names[card_taken(table, 0, head)] == names[3]
    assert card_taken(table, 0, table.head - 1) == NO_CARD


@effect
def turn_up(table: CardTable) -> None:
    """The top card of the draw pile lies open, and the next player takes the one after it."""
    card = take_top(table)
    lay_open(table, card)
    trace(table, card)
    receive_twin(table, seat_after(table.player, table.players), take_top(table))  # type: ignore[arg-type]
    table.turns += 1


def turning_up(deck: list[str]) -> Game:
    """Follow Suit with each card twice, in which a card is turned up at the start, and player 2 takes one.

    deck: the cards of player 1 and 2, the open card, the one that is turned up, the one that is taken, and no more.
    """
    game = follow_suit().declaration
    codec = replace(game.codec, receive=receive_twin, held=held_with_twins)
    arcs = tuple(replace(arc, before=(turn_up,)) if arc.trigger == "open" else arc for arc in game.arcs)
    doubled = replace(game, name="follow-suit-twice", table=TwinTable, codec=codec, arcs=arcs, deck_size=64,
                      fill=fill_twice, deal=dealing(game.codec.cards_each, deal_twins_in_turn),
                      deal_each=deal_twins_in_turn, small_decks=(), postconditions=(), invariants=())  # fmt: skip
    kind = game_of(doubled).with_deck(" ".join(deck), each=1)
    return kind.of_deck(2, [kind.declaration.codec.notation.card(card) for card in deck])


@pytest.mark.parametrize(
    "deck",
    [
        ["SS", "HA", "DQ", "SS", "CK"],  # turned up: player 1 has the other one
        ["CK", "HA", "DQ", "SS", "CK"],  # taken by player 2: player 1 has the other one
    ],
)
def test_of_cards_that_are_there_twice_none_is_reported_that_goes_elsewhere(deck: list[str]) -> None:
    """Who holds the other copy has taken nothing; what all see of the event does not tell who holds it."""
    game = turning_up(deck)
    step = game.step()
    assert (step.player, step.card) == (1, None)
    assert game.view(1).history == game.view(2).history


def test_of_cards_that_are_there_twice_the_one_that_is_taken_is_reported() -> None:
    table = TwinTable()
    table.players, table.stock, table.tail = 2, 3, 3
    table.ring[:3] = bytes((7, 5, 7))
    receive_twin(table, 0, 7)
    before = table.hands[0], table.twins[0]
    receive_twin(table, 0, take_top(table))
    take_top(table)
    gained = table.hands[0] & ~before[0] | table.twins[0] & ~before[1]
    assert copy_taken(table, gained, 0) == 7
    assert copy_taken(table, gained, 1) == NO_CARD
