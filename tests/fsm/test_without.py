"""Cards that are left out for some numbers of players, in every format and engine."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command import maumau
from test_defaults import cards_left, page_of

from examples.briscola import BRISCOLA, Briscola
from fsm import Declaration, DeclarationError, Match, game_of, register
from fsm.check import survey
from fsm.records import record_of, replay
from fsm.stepping.setup import deals
from maumau.kernels.bulk.runner import rows_with_last
from rules.cards import FRENCH, french_deck
from rules.notation import Notation
from rules.reading import InputError
from rules.rule import effect, query
from rules.shedding import lay_card
from rules.table import deal_in_turn, dealing


@query
def five(players):
    return 5


@effect
def no_change(deck, players, seed, number):
    """Leave a deck as it is."""


NAMES = BRISCOLA.codec.notation.cards
THREE = ["--game", "examples/briscola.py:Briscola", "--players", "3"]


def test_the_card_lies_beside_the_game_for_three_players_only():
    at_three, at_four = Briscola.deal(3, seed=1), Briscola.deal(4, seed=1)
    assert "left_out=2D" in at_three.position()
    assert "left_out=-" in at_four.position()
    assert len(at_three.draw_pile) + 9 + 1 == 39
    at_three.run()
    assert sum(at_three.outcome.scores) == 120
    assert "2D" not in [str(step.card) for step in at_three.history]


def test_a_deck_is_read_with_the_card_anywhere_or_without_it():
    others = [name for name in NAMES if name != "2D"]
    expected = Briscola.parse(f"3 {' '.join(others)}").position()
    for place in (0, 20, 39):
        words = [*others[:place], "2D", *others[place:]]
        assert Briscola.parse(f"3 {' '.join(words)}").position() == expected
        codes = [NAMES.index(word) for word in words]
        assert Briscola.of_deck(3, codes).position() == expected
        assert Briscola.write(3, codes) == f"3 {' '.join(others)} 2D"
    with pytest.raises(InputError, match="39 cards instead of 40; missing: 2D"):
        Briscola.parse(f"2 {' '.join(others)}")
    with pytest.raises(InputError, match="2C appears twice"):
        Briscola.parse(f"3 {' '.join(others[:-1])} 2C")


def test_a_record_is_played_again():
    game = register(Briscola).deal(3, seed=5, policies="random")
    game.run()
    record = record_of(game)
    assert replay(record).outcome == game.outcome
    assert replay({**record, "deck": record["deck"][:-1], "dealt": False}).outcome == game.outcome


def test_a_position_without_the_card_is_refused():
    position = Briscola.deal(3, seed=1).position()
    assert Briscola.at(position).position() == position
    other = position.replace("left_out=2D", "left_out=@").replace("2C", "2D").replace("@", "2C")
    with pytest.raises(ValueError, match="the cards that are left out lie beside the game"):
        Briscola.at(other)


@pytest.mark.slow
def test_stepped_and_compiled_games_are_the_same():
    decks = maumau("deal", *THREE, "--seed", "3", "--games", "100").stdout
    found = {
        maumau("simulate", *THREE[:2], "--json", "--engine", engine, "--policy", "random", "-", data=decks).stdout
        for engine in ("machine", "compiled")
    }
    assert len(found) == 1
    assert all(sum(json.loads(line)["scores"]) == 120 for line in found.pop().splitlines())


def test_rows_of_codes_have_the_card_last():
    numpy = pytest.importorskip("numpy", reason="rows of codes are arrays")
    rows = numpy.array([[3, 0, 2, 1], [0, 1, 2, 3]], numpy.uint8)
    assert rows_with_last([0, 2], rows).tolist() == [[3, 1, 0, 2], [1, 3, 0, 2]]
    assert rows_with_last([], rows) is rows


def going_out(cards: Notation = FRENCH, **parts: Any) -> Declaration:
    return Declaration(title="Going Out", page=page_of(lay_card), deck=cards, score=cards_left, **parts)


def test_the_whole_deck_is_dealt_without_the_cards():
    kind = game_of(going_out(without={3: "DQ HQ"}))
    assert [kind.declaration.codec.cards_each(players) for players in (2, 3, 4)] == [16, 10, 8]
    game = kind.deal(3, seed=1)
    assert [len(hand) for hand in game.hands] == [10, 10, 10]
    assert "left_out=DQ,HQ" in game.position()
    assert not survey(kind, 3).failures


def test_an_open_card_stays_open():
    kind = game_of(going_out(without={3: "DQ HQ"}, deal_each=deal_in_turn, cards_each=5))
    game = kind.deal(3, seed=1)
    assert len(game.draw_pile) == 32 - 2 - 15 - 1
    assert str(game.open_card) == game.position().split("discard=")[1].split()[0]
    assert not survey(kind, 2).failures


def test_a_deck_that_is_listed_whole_leaves_out_the_right_card():
    kind = game_of(going_out(french_deck("7"), without={3: "7D"}))
    assert {deck[-1] for deck in deals(kind, 3)} == {0}
    assert len(list(deals(kind, 3))) == 6
    small = kind.with_deck("7D 7H 7S", 1)
    assert "left_out=-" in small.deal(3, seed=1).position()


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"without": {5: "DQ"}}, "without: 5 players: they cannot play; use 2 to 4"),
        ({"without": {3: "XX"}}, "without: unknown card 'XX'"),
        ({"without": {3: "DQ DQ"}}, "without: 3 players: DQ appears too often"),
        ({"without": {3: "DQ"}, "cards_each": 11}, "the hands of 3 players are 33 cards; the deck has only 31"),
        ({"without": {3: "DQ"}, "cards_each": 5, "deal": dealing(five)}, "use deal_each in place of deal"),
        ({"without": {3: "DQ"}, "amend": no_change}, "amend and without cannot be used together"),
    ],
)
def test_what_cannot_be_left_out_is_refused(parts: dict[str, Any], fault: str):
    with pytest.raises(DeclarationError, match=fault):
        going_out(**parts)


def test_three_play_alone_where_four_are_partners():
    for players, winners in ((3, 1), (4, 2)):
        match = Match.of_decks(Briscola, players, [Briscola.deck_of(players, 1, number) for number in range(20)])
        match.run()
        assert len(match.outcome.winners) == winners
