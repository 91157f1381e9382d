"""What a declaration need not say: a page, a deck and a score are a game; numbers of players are a set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from command import maumau

from fsm import Declaration, DeclarationError, Game, Match, game_of, register
from fsm.check import survey
from fsm.declaration.arcs import Phase, Policy, SmallDeck
from fsm.declaration.codec import Codec
from fsm.declaration.facts import Fact
from fsm.declaration.page import best, forced, lay, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.declaration.scoring import Scoring
from rules.cards import FRENCH, FRENCH_52
from rules.piles import lay_open, trace
from rules.reading import InputError
from rules.rule import among, effect, query
from rules.shedding import last_card, lay_card, next_player, win
from rules.table import FourfoldTable, deal_in_turn_unopened, deal_out, fill_four_times, give_copy, ring_of
from rules.tricks import held
from rules.visibility import discards_seen


class OutPhase(Phase):
    """Cards are laid until somebody has none."""

    INITIAL = "initial"
    LAYING = "laying"
    OVER = "over"


INITIAL, LAYING, OVER = OutPhase
is_held = among(held, "is_held", "{card} is not in the hand", "The card is in the hand.")


@query
def cards_left(table: Any, seat: int) -> int:
    """How many cards are left."""
    return table.hands[seat].bit_count()


def page_of(laid: Any) -> Any:
    return page({
        INITIAL: forced(on("begin", LAYING, rule="Player 1 begins.")),
        LAYING: turn(lay(
            is_held,
            on("play", LAYING, before=(laid, next_player), rule="A card is laid."),
            last=on("play", OVER, conditions=last_card, before=(laid, win), rule="Who has none left wins."),
        )),
    })  # fmt: skip


GOING_OUT = Declaration(title="Going Out", page=page_of(lay_card), deck=FRENCH, score=cards_left)


def test_a_page_a_deck_and_a_score_are_a_game():
    assert (GOING_OUT.name, GOING_OUT.initial, GOING_OUT.final) == ("going-out", INITIAL, OVER)
    assert GOING_OUT.codec.players == (2, 3, 4)
    assert [GOING_OUT.codec.cards_each(players) for players in (2, 3, 4)] == [16, 11, 8]
    assert (GOING_OUT.deck_size, GOING_OUT.deal_each) == (32, deal_out)
    assert GOING_OUT.policies[:2] == (RANDOM, FIRST_LEGAL)
    kind = game_of(GOING_OUT)
    assert kind.deal(2, seed=7).run().winner == 1
    assert kind.deal(3, seed=7).run().scores == (1, 1, 0)  # the last of three is dealt a card less
    assert not survey(kind, 5).failures


def test_the_product_finds_a_lost_card_without_a_word_of_the_game():
    @effect
    def lose_card(table: Any) -> None:
        """The card is in the hand no more, and nowhere."""
        table.hands[table.player] ^= 1 << table.card

    report = survey(game_of(replace(GOING_OUT, page=page_of(lose_card))), 1)
    assert any("card" in str(failure) for failure in report.failures)


def test_a_number_of_cards_and_of_players_is_enough():
    game = Declaration(title="G", page=page_of(lay_card), deck=FRENCH, score=cards_left, players=3, cards_each=5)
    assert (game.codec.players, game.codec.cards_each(3), game.deal_each) == ((3,), 5, deal_in_turn_unopened)
    assert [len(hand) for hand in game_of(game).deal(3, seed=1).hands] == [5, 5, 5]


def test_the_cards_for_each_number_of_players_say_how_many_may_play():
    parts = {"title": "G", "page": page_of(lay_card), "deck": FRENCH, "score": cards_left}
    game = Declaration(**parts, cards_each={2: 7, 4: 5})
    assert game.codec.players == (2, 4)
    assert [len(hand) for hand in game_of(game).deal(4, seed=1).hands] == [5, 5, 5, 5]
    assert Declaration(**parts, cards_each={2: 7, 4: 5}, players=2).codec.players == (2,)


@pytest.mark.parametrize(
    ("numbers", "players", "refusal"),
    [
        ({}, None, "cards_each is {}, expected .* for some"),
        ({2: 7}, (2, 3), "cards_each is {2: 7}, expected .* for 2 and 3"),
        ({2: "7"}, None, "cards_each is {2: '7'}, expected the number of cards by the number of players"),
        ({2: -1}, None, "cards_each is {2: -1}, expected"),
    ],
)
def test_cards_for_other_numbers_of_players_are_refused(numbers: Any, players: Any, refusal: str):
    with pytest.raises(DeclarationError, match=refusal):
        Declaration(
            title="G", page=page_of(lay_card), deck=FRENCH, score=cards_left, cards_each=numbers, players=players
        )


def test_a_deck_of_several_copies_is_filled_and_dealt():
    @effect
    def lay_copy(table: Any) -> None:
        """One copy of the card goes onto the discard pile."""
        give_copy(table, table.player, table.card)
        lay_open(table, table.card)
        trace(table, table.card)

    @dataclass(slots=True)
    class Table(FourfoldTable):
        """Four decks."""

        ring: bytearray = discards_seen(ring_of(128))

    parts = {"deck": FRENCH, "deck_size": 128, "players": (2, 4), "cards_each": 6, "table": Table}
    game = Declaration(title="Going Out", page=page_of(lay_copy), score=cards_left, **parts)
    assert game.fill is fill_four_times
    kind = game_of(game)
    assert [len(hand) for hand in kind.deal(4, seed=1).hands] == [6, 6, 6, 6]


def test_a_deck_without_a_default_is_refused():
    with pytest.raises(DeclarationError, match="going-out: fill is missing; write a function, as fill_once"):
        replace(GOING_OUT, deck_size=33, fill=None)


@query
def negative(players: int) -> int:
    """A number of cards that there cannot be."""
    return -1


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"deck": None}, "Going Out: it has no cards; declare deck="),
        ({"deck": "DQ HQ"}, "^Going Out: deck: 'DQ HQ' is of type str; give a Notation, such as deck=FRENCH_52$"),
        ({"deck_size": "32"}, "^Going Out: deck_size is '32'; use a whole number$"),
        ({"table": 3}, "^Going Out: table: 3 is of type int; give a class of tables, such as table=CardTable$"),
        ({"cards_each": -1}, "^Going Out: cards_each: -1 is too small; use 0 or more$"),
        ({"cards_each": negative}, "^going-out: cards_each of 2 players is -1; use 0 or more$"),
        ({"cards_each": "5"}, "cards_each: '5' is of type str; give a whole number, one for each number of players,"),
        ({"players": "2"}, "^Going Out: players: '2' is of type str; give a whole number$"),
        ({"players": ("2", 3)}, "^going-out: players is '2'; use a whole number, 1 or more$"),
        ({"page": None}, "going-out: nothing happens in it; declare page=page"),
        ({"players": (2, 40)}, "hands has 4 seats, there are up to 40 players"),
        ({"cards_each": 17}, "the hands of 2 players are 34 cards; the deck has only 32"),
        ({"players": (2, 0)}, "players is 0; use a whole number, 1 or more"),
        ({"facts": (Fact("passes"),)}, "fact passes: the table has no field 'passes'"),
        ({"scoring": Scoring(sides=5)}, "5 sides of 2 to 4 players; use sides of equal size"),
    ],
)
def test_what_is_missing_or_wrong_is_named(part: dict[str, Any], message: str):
    with pytest.raises(DeclarationError, match=message):
        Declaration(title="Going Out", score=cards_left, **({"page": page_of(lay_card), "deck": FRENCH} | part))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"title": "Out", "scorr": 1},
            r"^Out: Declaration has no part 'scorr'; did you mean score or scoring\? Use one of score, ",
        ),
        ({"title": "Out", "deck": FRENCH}, r"^Out: score is missing; declare score=\.\.\., see docs/"),
        ({"name": "out", "score": cards_left}, r"^out: title is missing; declare title="),
        ({}, r"^Declaration: title is missing; declare title="),
    ],
)
def test_an_unknown_or_a_missing_part_is_named(given: dict[str, Any], message: str):
    with pytest.raises(DeclarationError, match=message):
        Declaration(**given)


def test_a_part_without_a_name_is_refused():
    make: Any = Declaration
    with pytest.raises(
        DeclarationError, match=r"^Declaration: 'Out' has no name; name each part, such as title='Out'$"
    ):
        make("Out")


class TestNumbersOfPlayers:
    @pytest.fixture
    def kind(self) -> type[Game]:
        """A game of two or four players: two sides, of one seat or of two."""
        game = replace(GOING_OUT, name="two-or-four", codec=None, deck=FRENCH_52, players=(2, 4), cards_each=3,
                       scoring=Scoring(sides=2, target=2, lowest_wins=False), deck_size=None, fill=None,
                       deal=None, deal_each=None,
                       score=points_of_side, small_decks=(SmallDeck("2C 3C 2H 3H", 2, 1),))  # fmt: skip
        return register(game_of(game))

    def test_others_are_refused_wherever_they_are_named(self, kind: type[Game]):
        for players in (1, 3, 5):
            with pytest.raises(ValueError, match=f"{players} player{'s' * (players != 1)} cannot play; use 2 or 4"):
                kind.deal(players, seed=1)
        with pytest.raises(InputError, match="3 players cannot play; use 2 or 4 as the number of players"):
            kind.read(f"1\n3 {' '.join(FRENCH_52.cards)}\n")
        with pytest.raises(ValueError, match="position: hands of 3 players; use 2 or 4"):
            kind.at(kind.deal(2, seed=1).position().replace("hands=", "hands=-/"))
        done = maumau("deal", "--game", "two-or-four", "--players", 3, "--seed", 1)
        assert (done.returncode, done.stderr) == (2, "--players: 3 players cannot play; use 2 or 4\n")
        done = maumau("deal", "--game", "two-or-four", "--seed", 1)
        assert done.stderr == "--players: missing; name the number of players, 2 or 4\n"

    def test_each_number_is_checked(self, kind: type[Game]):
        assert survey(kind, 3).games == 6

    def test_a_deck_that_is_too_small_for_four_is_for_two(self, kind: type[Game]):
        assert kind.with_deck("2C 3C 2H", each=1).declaration.codec.players == (2,)

    def test_a_side_may_be_one_seat_in_a_match(self, kind: type[Game]):
        two, four = (Match(kind, players, seed=1).run() for players in (2, 4))
        assert (two.winner, two.winners) == (1, (1,))
        assert four.winners == (1, 3)


@query
def points_of_side(table: Any, seat: int) -> int:
    """The side of the winner has a point."""
    return 1 if table.winner >= 0 and table.winner % 2 == seat % 2 else 0


def test_players_may_be_a_set():
    codec = Codec(notation=FRENCH, players={4, 2}, cards_each=lambda players: 3)  # type: ignore[arg-type]
    assert (codec.fewest, codec.most, codec.players_text) == (2, 4, "2 or 4")
    assert replace(codec, players=range(3, 6)).players_text == "3 to 5"
    with pytest.raises(TypeError, match=r"players: 3; use the numbers of players, such as \(2, 4\)"):
        Codec(notation=FRENCH, players=3, cards_each=lambda players: 3)  # type: ignore[arg-type]


def test_a_game_of_one_policy_is_checked():
    lowest = Policy("lowest", {LAYING: (best("play", "lowest", held, "the lowest card", lowest=True, always=True),)})
    report = survey(game_of(replace(GOING_OUT, policies=(lowest,))), 4)
    assert (report.games, report.failures) == (12, [])
