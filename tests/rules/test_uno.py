"""UNO: each clause of the rules at a small position; the corpus; random decks against the plain simulator."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from plain_uno import CARDS, simulate

from fsm import IllegalMove, PositionError
from fsm.uno import UNO, Uno
from rules.ending import Ending
from rules.uno.cards import FIRST_WILD, UNO_CARDS, points
from rules.uno.problem import read_games, write_line
from rules.uno.table import MOST_PLAYERS, expose_no_wild, fill

CORPUS = Path(__file__).parents[1] / "corpus" / "uno"
DECKS = 60
REST = "..."
PILES = ("hands", "discard", "draw")


def whole(short: str) -> str:
    """The whole position that `short` means: facts left out have their defaults, `...` are all cards not named.

    The direction has turned with the reverses of the discard pile, player 1 has dropped its wilds.
    """
    phase, *fields = short.split()
    given = dict(field.split("=", 1) for field in fields)
    none = ["0"] * given["hands"].count("/")
    piles = {"hands": "", "discard": "-", "draw": "-"} | {name: given[name] for name in PILES if name in given}
    left = Counter(CARDS)
    left.subtract(card for pile in piles.values() for card in pile.replace("/", ",").split(",") if card in left)
    piles = {name: pile.replace(REST, ",".join(left.elements())) for name, pile in piles.items()}
    dropped = piles["discard"].split(",")
    wilds = str(sum(card in ("WC", "WF") for card in dropped))
    facts = {"player": "1", "reversed": str(sum(card[-1] == "R" for card in dropped) % 2), "due": "0", "colour": "-"}
    facts |= {"wilds": "/".join([wilds, *none]), "calls": "/".join(["0", *none]), "ending": "-", "winner": "-"}
    return " ".join([phase, *(f"{name}={value}" for name, value in (facts | given | piles).items())])


def at(short: str, policies: tuple[str, ...] = ()) -> Uno:
    return Uno.at(whole(short), policies)


def refusal(game: Uno, *move: str) -> str:
    before = game.position()
    with pytest.raises(IllegalMove) as refused:
        game.fire(*move)
    assert game.position() == before
    return str(refused.value)


def turn(game: Uno) -> Uno:
    """Step until a player decides, or the game is over."""
    game.step()
    while not game.starts_turn and game.outcome is None:
        game.step()
    return game


def moves(game: Uno) -> list[str]:
    return [str(move) for move in game.events()]


def deck(players: int, opening: str, *top: str) -> str:
    """A case in which `opening` is exposed and `top` lies on the stock."""
    rest = Counter(CARDS)
    rest.subtract([opening, *top])
    cards = sorted(rest.elements())
    dealt = cards[: 7 * players]
    return " ".join([str(players), *dealt, opening, *top, *cards[7 * players :]])


# ---------------------------------------------------------------- the cards and the deal


def test_the_deck_has_one_zero_and_two_of_each_other_card_of_a_colour_and_four_of_each_wild() -> None:
    cards = bytearray(UNO.deck_size)
    fill(cards)
    assert Counter(UNO_CARDS.names(cards)) == Counter(CARDS)


def test_cards_are_numbered_by_points_and_then_against_the_alphabet() -> None:
    coloured = UNO_CARDS.cards[:FIRST_WILD]
    rank_points = {name: points(1 << code) for code, name in enumerate(UNO_CARDS.cards)}
    assert sorted(coloured, key=lambda name: (-rank_points[name], name)) == list(reversed(coloured))
    assert [rank_points[name] for name in ("B0", "R7", "YS", "GD", "BR", "WC", "WF")] == [0, 7, 20, 20, 20, 50, 50]


@pytest.mark.parametrize(
    ("card", "counts"),
    [*((f"{colour}{rank}", int(rank)) for colour in "RGBY" for rank in "0123456789"),
     *((f"{colour}{rank}", 20) for colour in "RGBY" for rank in "SDR"), ("WC", 50), ("WF", 50)],
)  # fmt: skip
def test_a_card_in_hand_counts_its_face_twenty_or_fifty(card: str, counts: int) -> None:
    game = turn(at(f"await-play hands=R4/{card} discard=R3 draw=..."))
    assert game.outcome is not None
    assert game.outcome.scores == (0, counts)


def test_players_take_seven_cards_in_a_row_and_the_next_is_exposed() -> None:
    case = deck(3, "R5", "G1").split()
    game = Uno.parse(" ".join(case))
    assert [list(hand) for hand in game.hands] == [case[1:8], case[8:15], case[15:22]]
    assert (game.open_card, game.discard_pile, list(game.draw_pile)) == ("R5", ("R5",), case[23:])


@pytest.mark.parametrize("players", range(2, 11))
def test_dealt_games_expose_no_wild_and_keep_the_whole_deck(players: int) -> None:
    for number in range(150):
        cards = UNO_CARDS.names(Uno.deck_of(players, 5, number))
        assert Counter(cards) == Counter(CARDS)
        assert cards[7 * players][0] != "W"


def test_a_wild_that_would_be_exposed_changes_places_with_any_other_card() -> None:
    places = set()
    for number in range(2000):
        cards = bytearray(UNO.deck_size)
        fill(cards)
        cards[14], cards[100] = cards[100], cards[14]
        expose_no_wild(cards, 2, 1, number)
        places |= {place for place, card in enumerate(cards) if card >= FIRST_WILD}
    assert len(places) == 107
    assert 14 not in places


def test_a_deck_that_exposes_a_wild_is_no_game() -> None:
    cards = bytearray(UNO.deck_size)
    fill(cards)
    cards[14], cards[100] = cards[100], cards[14]
    with pytest.raises(
        ValueError, match="the deck must not be dealt, expected: colour or rank is matched on what is no wild"
    ):
        Uno.of_deck(2, cards)


# ---------------------------------------------------------------- rule 3: the exposed card


def test_after_an_exposed_number_player_2_is_in_turn() -> None:
    game = turn(Uno.parse(deck(4, "G3")))
    assert (str(game.phase), game.player, game.direction) == ("await-play", 2, 1)


def test_an_exposed_reverse_turns_the_direction_and_the_last_player_is_in_turn() -> None:
    game = turn(Uno.parse(deck(4, "GR")))
    assert (str(game.phase), game.player, game.direction) == ("await-play", 4, -1)


def test_an_exposed_reverse_of_two_players_leaves_player_2_in_turn() -> None:
    assert turn(Uno.parse(deck(2, "GR"))).player == 2


def test_an_exposed_skip_costs_player_2_the_turn() -> None:
    assert turn(Uno.parse(deck(4, "GS"))).player == 3


def test_an_exposed_draw_two_makes_player_2_draw_two_and_lose_the_turn() -> None:
    game = turn(Uno.parse(deck(4, "GD", "Y8", "Y9")))
    assert (game.player, game.hands[1][7:], game.due) == (3, ("Y8", "Y9"), 0)


# ---------------------------------------------------------------- rule 4: what is legal


def test_a_card_fits_by_colour_or_by_rank_and_a_wild_always() -> None:
    game = at("await-play hands=R5,G3,G5,YD,WC/B1 discard=R3 draw=...")
    assert moves(game) == ["play G3", "play R5", *(f"play WC naming {colour}" for colour in "YRGB")]


def test_two_equal_cards_are_one_move() -> None:
    assert moves(at("await-play hands=R5,R5,WF/B1 discard=R3 draw=...")) == ["play R5"]


def test_four_equal_wilds_are_one_move_for_each_colour() -> None:
    assert len(moves(at("await-play hands=WC,WC,WC,WC/B1 discard=R3 draw=..."))) == 4


def test_a_wild_draw_four_fits_only_if_nothing_else_does() -> None:
    assert moves(at("await-play hands=G5,WF/B1 discard=R3 draw=...")) == [f"play WF naming {c}" for c in "YRGB"]
    told = refusal(at("await-play hands=R5,WF/B1 discard=R3 draw=..."), "play", "WF", "R")
    assert told == (
        "player 1 cannot play WF on R3: WF must match the colour or the rank of R3, or be WC; "
        "WF needs that nothing else fits; may play R5"
    )


def test_a_wild_counts_as_legal_so_it_forbids_the_wild_draw_four() -> None:
    assert {move.card for move in at("await-play hands=G5,WF,WC/B1 discard=R3 draw=...").events()} == {"WC"}


def test_after_a_wild_only_the_named_colour_counts() -> None:
    game = at("colour-named colour=G hands=G5,R3,WF/B1 discard=R3,WC draw=...")
    assert moves(game) == ["play G5"]
    assert "R3 must be of the named colour G, or WC" in refusal(game, "play", "R3")


def test_after_a_wild_draw_four_another_one_fits_only_if_the_colour_is_missing() -> None:
    game = at("colour-named colour=G hands=B5,R3,WF,WC/B1 discard=R3,WF draw=...")
    assert {move.card for move in game.events()} == {"WC"}


# ---------------------------------------------------------------- rules 5 and 6: dropping and drawing


def test_who_can_drop_must_not_draw() -> None:
    told = refusal(at("await-play hands=R5,G9/B1 discard=R3 draw=..."), "draw")
    assert told.startswith("player 1 cannot draw: not while a card of the player in turn fits the open card")


@pytest.mark.parametrize(
    ("hand", "dropped"),
    [
        ("R1,R9,R4", "R9"),
        ("R9,RS,RD,RR", "RD"),
        ("R9,G3,B3,Y3", "R9"),
        ("R2,G3,B3,Y3", "B3"),
        ("RD,WC,WF", "WC"),
        ("B9,WF", "WF"),
    ],
)
def test_most_points_are_dropped_first_then_the_first_in_the_alphabet(hand: str, dropped: str) -> None:
    step = at(f"await-play hands={hand},B4/B1 discard=R3 draw=...").step()
    assert (step.card, step.rule) == (dropped, "most points")


def test_who_cannot_drop_draws_one_card_and_does_not_play_it() -> None:
    game = turn(at("await-play hands=B5/B1 discard=R3 draw=R9,..."))
    assert (game.player, game.hands[0], game.open_card) == (2, ("B5", "R9"), "R3")


def test_under_a_named_colour_drawing_lets_the_colour_hold_on() -> None:
    game = turn(at("colour-named colour=Y hands=B5/B1 discard=R3,WC draw=Y9,..."))
    assert (str(game.phase), game.player, game.named_colour) == ("colour-named", 2, "Y")
    assert "not while a card of the player in turn fits the named colour" in refusal(
        at("colour-named colour=Y hands=Y5/B1 discard=R3,WC draw=..."), "draw"
    )


def test_one_of_two_copies_leaves_the_other_in_the_hand() -> None:
    game = at("await-play hands=R5,R5/B1 discard=R3 draw=...")
    game.play("R5")
    assert game.hands[0] == ("R5",)
    assert game.uno_calls == (1, 0)


# ---------------------------------------------------------------- rule 7: naming a colour


@pytest.mark.parametrize(("wilds", "colour"), [(0, "R"), (1, "G"), (2, "B"), (3, "Y"), (4, "R")])
def test_each_player_names_red_green_blue_yellow_red(wilds: int, colour: str) -> None:
    dropped = "WC,WC,WC,WF,WF,WF,WF"
    game = at(f"await-play wilds={wilds}/{7 - wilds} hands=WC,B4/B1 discard={dropped},R3 draw=...")
    assert game.step().suit == colour
    assert game.named_colour == colour
    assert game.table.wilds[:2] == [wilds + 1, 7 - wilds]


def test_wilds_and_wild_draw_fours_are_counted_together() -> None:
    game = at("await-play hands=WC,WF,B4/Y1,Y2 discard=R3 draw=Y3,Y4,Y5,Y6,Y7,...")
    turn(turn(game))
    assert [step.suit for step in game.history if step.trigger == "play"] == ["R"]
    turn(game)
    assert [step.suit for step in game.history if step.trigger == "play"] == ["R", "G"]


def test_other_players_may_name_any_colour_and_must_name_one() -> None:
    game = at("await-play hands=WC,B4/B1 discard=R3 draw=...")
    assert "it must name a colour, one of Y, R, G, B" in refusal(game, "play", "WC")
    assert game.play("WC", "Y").suit == "Y"


def test_a_number_names_no_colour() -> None:
    assert "it names no colour" in refusal(at("await-play hands=R4,B4/B1 discard=R3 draw=..."), "play", "R4", "G")


def test_the_named_colour_ends_with_the_next_card() -> None:
    game = at("colour-named colour=G hands=G5,B4/B1 discard=R3,WC draw=...")
    game.play("G5")
    assert (str(game.phase), game.named_colour) == ("await-play", None)


# ---------------------------------------------------------------- rule 8: effects


def test_a_skip_costs_the_next_player_the_turn() -> None:
    assert turn(at("await-play hands=RS,B4/B1/B2 discard=R3 draw=...")).player == 3


def test_a_reverse_turns_the_direction() -> None:
    game = turn(at("await-play hands=RR,B4/B1/B2 discard=R3 draw=..."))
    assert (game.player, game.direction) == (3, -1)
    game = turn(at("await-play hands=RR,B4/B1/B2 discard=RR,R3 draw=..."))
    assert (game.player, game.direction) == (2, 1)


def test_counter_clockwise_a_skip_skips_the_seat_before() -> None:
    assert turn(at("await-play hands=RS,B4/B1/B2 discard=RR,R3 draw=...")).player == 2


def test_a_reverse_of_two_players_lets_the_other_one_move() -> None:
    assert turn(at("await-play hands=RR,B4/B1 discard=R3 draw=...")).player == 2


def test_a_draw_two_makes_the_next_player_draw_two_and_lose_the_turn_without_an_answer() -> None:
    game = at("await-play hands=RD,B4/GD,WF/B2 discard=R3 draw=Y1,Y2,...")
    game.step()
    assert moves(game) == ["draw"]
    turn(game)
    assert (game.player, game.hands[1]) == (3, ("GD", "WF", "Y1", "Y2"))


def test_a_wild_draw_four_makes_the_next_player_draw_four_and_lose_the_turn() -> None:
    game = turn(at("await-play hands=WF,B4/R1/B2 discard=R3 draw=Y1,Y2,Y3,Y4,..."))
    assert (str(game.phase), game.named_colour, game.player) == ("colour-named", "R", 3)
    assert game.hands[1] == ("R1", "Y1", "Y2", "Y3", "Y4")


# ---------------------------------------------------------------- rule 9: the call


@pytest.mark.parametrize(("hand", "calls"), [("R4,B4", 1), ("R4,B4,B5", 0), ("RD,B4", 1), ("R4,B4,B4", 0), ("R4", 0)])
def test_a_drop_that_leaves_exactly_one_card_calls_uno(hand: str, calls: int) -> None:
    game = at(f"await-play calls=3/0 hands={hand}/B1 discard=R1,R2,R5,R3 draw=...")
    game.step()
    assert game.uno_calls == (3 + calls, 0)


def test_drawing_calls_nothing() -> None:
    assert turn(at("await-play hands=B5/B1 discard=R3 draw=...")).uno_calls == (0, 0)


# ---------------------------------------------------------------- rule 10: the end


@pytest.mark.parametrize("last", ["R4", "RS", "RR", "WC"])
def test_the_last_card_ends_the_game(last: str) -> None:
    outcome = at(f"await-play hands={last}/B1,YS,WF discard=R3 draw=...").run()
    assert outcome == (Ending.WON, 1, (0, 71))


@pytest.mark.parametrize(("last", "drawn"), [("RD", "B7,B8"), ("WF", "B7,B8,WC,Y9")])
def test_the_penalty_of_the_last_card_is_drawn_and_counted(last: str, drawn: str) -> None:
    game = at(f"await-play hands={last}/B1/B2 discard=R3 draw={drawn},...")
    worth = sum(points(1 << UNO_CARDS.card(card)) for card in drawn.split(","))
    assert game.run() == (Ending.WON, 1, (0, 1 + worth, 2))


@pytest.mark.parametrize(("last", "left"), [("RD", ""), ("RD", "B7"), ("WF", ""), ("WF", "B7,B8,WC")])
def test_of_the_penalty_of_the_last_card_as_many_are_drawn_as_are_left(last: str, left: str) -> None:
    game = at(f"await-play hands=B2,YR/B1/{last} player=3 discard=...,R3 draw={left or '-'}")
    worth = sum(points(1 << UNO_CARDS.card(card)) for card in left.split(",") if card)
    assert game.run() == (Ending.WON, 3, (2 + 20, 1 + worth, 0))


def test_the_last_wild_names_no_colour() -> None:
    assert moves(at("await-play hands=WC/B1 discard=R3 draw=...")) == ["play WC"]
    assert "it names no colour" in refusal(at("await-play hands=WF/B1 discard=R3 draw=..."), "play", "WF", "R")


def test_a_turn_that_must_draw_from_an_empty_stock_ends_the_game_and_points_count() -> None:
    game = at("await-play hands=B5/B1 discard=...,R3 draw=-")
    assert game.run() == (Ending.OUT_OF_CARDS, None, (5, 1))


def test_a_penalty_that_finds_the_stock_empty_ends_the_game_and_drawn_cards_stay() -> None:
    game = at("await-play hands=RD,B5/B1/Y7 discard=...,R3 draw=B7")
    assert game.run() == (Ending.OUT_OF_CARDS, None, (5, 8, 7))
    assert game.uno_calls == (1, 0, 0)


def test_the_sample_goes_card_by_card_as_its_hint_tells(played: list[Uno]) -> None:
    sample = played[0]
    told = [(step.trigger, step.player, step.card) for step in sample.history if step.trigger in ("play", "take")]
    laid = ["B0", "B3", "B3", "B2", "B2", "B1", "B1"]
    drawn = ["GD", "GD", "GS", "GS", "GR", "GR"]
    turns = [("play", 2, laid[0])]
    for taken, card in zip(drawn, laid[1:], strict=True):
        turns += [("take", 1, taken), ("play", 2, card)]
    assert sample.opening_card == "G0"
    assert told == turns
    assert results(sample) == ["249 0", "0 1"]


def test_an_empty_stock_alone_ends_nothing() -> None:
    game = turn(at("await-play hands=RD,R5/R1/R7 discard=...,R3 draw=B7,B8"))
    assert (game.outcome, game.draw_pile, game.player) == (None, (), 3)
    assert turn(game).outcome == (Ending.WON, 3, (5, 16, 0))


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize(
    ("short", "fault"),
    [
        ("await-play hands=R1/B1 discard=R3,WC draw=...", "what is no wild"),
        ("await-play colour=R hands=R1/B1 discard=R3 draw=...", "matched on what is no wild"),
        (
            "await-play reversed=2 hands=R1/B1 discard=R3 draw=...",
            "the direction of play is reversed or is not, which is 1 or 0",
        ),
        ("await-play due=1 hands=R1/B1 discard=R3 draw=...", "where nobody draws no card is due"),
        ("await-play hands=R1/- discard=R3 draw=...", "while nobody draws all hold cards"),
        ("await-play wilds=1 hands=R1/B1 discard=R3 draw=...", "expected a number for each of 2 players"),
        ("await-play calls=1/x hands=R1/B1 discard=R3 draw=...", "expected a number from 0"),
        ("await-play hands=R0,R0/B1 discard=R3 draw=...", "R0 is there too often"),
        ("await-play hands=R1/B1 discard=R3 draw=R4", "missing, expected all 108 cards"),
        ("await-play hands=R1 discard=R3 draw=...", "hands of 1 players, expected 2 to 10"),
        ("colour-named hands=R1/B1 discard=R3,WC draw=...", "a colour is named exactly"),
        ("initial hands=R1/B1 discard=WC draw=...", "matched on what is no wild"),
        ("skip-pending hands=R1/B1 discard=R3 draw=...", "an open skip"),
        ("draw-pending due=4 hands=R1/B1 discard=RD draw=...", "two or four cards due"),
        ("draw-pending due=2 hands=-/- discard=R3,RD draw=...", "one card is drawn where none fits"),
        ("draw-pending due=4 hands=R1/B1 discard=R3,WF draw=...", "a colour is named exactly"),
        ("drawing due=2 hands=R1/B1 discard=R3 draw=...", "one card is drawn where none fits"),
        ("drawing due=1 hands=B1/- discard=R3 draw=...", "one card is drawn where none fits"),
        ("game-over hands=R1/- discard=R3 draw=...", "a game that is over has an ending"),
        ("await-play reversed=1 hands=R1/B1 discard=R3 draw=...", "has turned with each reverse"),
        ("await-play reversed=0 hands=R1/B1 discard=R3,RR draw=...", "has turned with each reverse"),
        ("await-play wilds=1/0 hands=R1/B1 discard=R3 draw=...", "with which colours were named lie on the discard"),
        ("await-play wilds=0/0 hands=R1/B1 discard=R3,WC,R4 draw=...", "with which colours were named lie on"),
        ("await-play calls=1/1 hands=R1/B1 discard=R3,R4 draw=...", "who calls has dropped a card"),
        ("initial player=2 hands=R1/B1 discard=R3 draw=...", "player 1 is in turn"),
        ("initial reversed=1 hands=R1/B1 discard=RR draw=...", "player 1 is in turn"),
        ("initial hands=R1/B1,B2 discard=R3 draw=...", "all hold equally many cards"),
        ("initial hands=R1/B1 discard=R3,R4 draw=...", "only the opening card"),
        ("initial hands=R1/B1 discard=R3 draw=...", "newly dealt, expected 7 in each hand"),
        ("drawing due=1 hands=R1/B1 discard=R3 draw=...", "one card is drawn where none fits"),
        ("drawing due=2 colour=G hands=R1/B1 discard=R3,WF draw=...", "what was drawn is in the hand"),
        ("drawing due=0 hands=B1/B1 discard=R3 draw=...", "what was drawn is in the hand"),
        ("draw-pending due=4 colour=G hands=R1/- discard=R3,WF draw=...", "that was not the last card"),
        ("game-over ending=won winner=1 player=2 hands=-/B1 discard=R4,R3 draw=...", "rightly so"),
        ("game-over ending=won winner=1 player=1 hands=-/B1,B2 discard=R3,RD draw=...", "rightly so"),
        ("game-over ending=won winner=1 player=2 due=1 hands=-/B1,B2 discard=R3,RD draw=...", "rightly so"),
        ("game-over ending=won winner=1 hands=-/B1 discard=R3 draw=...", "who calls has dropped a card"),
        ("game-over ending=endless hands=R1/B1 discard=R3 draw=...", "rightly so"),
        ("game-over ending=out-of-cards due=1 hands=B1/B1 discard=R3 draw=...", "rightly so"),
        ("game-over ending=out-of-cards due=1 hands=R1/B1 discard=...,R3 draw=-", "rightly so"),
    ],
)
def test_what_is_no_position_is_refused(short: str, fault: str) -> None:
    with pytest.raises(PositionError, match=fault):
        at(short)


@pytest.mark.parametrize("players", [2, 3, 10])
def test_every_position_of_a_game_round_trips_and_goes_on_in_the_same_way(players: int) -> None:
    game = Uno.deal(players, seed=3, number=players)
    while game.outcome is None:
        again = Uno.at(game.position())
        assert (again, again.position()) == (game, game.position())
        assert again.step().card == game.step().card
        assert again == game


def test_a_seat_sees_its_own_hand_only() -> None:
    told = at("await-play calls=0/1 hands=R5,WC/B1 discard=...,R3 draw=Y1").position(seen_by=1)
    assert "hands=R5,WC/? " in told
    assert told.endswith("draw=?")


def test_undo_takes_everything_back() -> None:
    game = Uno.deal(4, seed=11)
    start = game.position()
    game.run()
    while game.history:
        game.undo()
    assert game.position() == start


# ---------------------------------------------------------------- whole games


def results(game: Uno) -> list[str]:
    """The two lines that the problem wants of a game that is over."""
    assert game.outcome is not None
    return [" ".join(map(str, game.outcome.scores)), " ".join(map(str, game.uno_calls))]


@pytest.fixture(scope="module")
def played() -> list[Uno]:
    games = [Uno.of_deck(*dealt) for dealt in read_games((CORPUS / "cases.in").read_text())]
    for game in games:
        game.run()
    return games


def test_the_machine_plays_every_game_of_the_corpus_right(played: list[Uno]) -> None:
    answers = (CORPUS / "cases.out").read_text().splitlines()
    assert [line for game in played for line in results(game)] == answers
    assert len(played) == 60


def test_the_plain_simulator_plays_every_game_of_the_corpus_right() -> None:
    answers = (CORPUS / "cases.out").read_text().splitlines()
    games = read_games((CORPUS / "cases.in").read_text())
    told = [str(simulate(players, UNO_CARDS.names(cards))) for players, cards in games]
    assert "\n".join(told).splitlines() == answers


def test_every_arc_is_fired_by_a_game_of_the_corpus(played: list[Uno]) -> None:
    fired = Counter(step.arc for game in played for step in game.history)
    assert [str(arc) for arc in UNO.arcs if not fired[arc]] == []


@pytest.mark.parametrize("players", range(2, MOST_PLAYERS + 1))
def test_random_decks_go_as_the_plain_simulator_plays_them(players: int) -> None:
    shuffler = random.Random(players)
    for _ in range(DECKS):
        cards = shuffler.sample(CARDS, len(CARDS))
        while cards[7 * players][0] == "W":
            shuffler.shuffle(cards)
        game, plain = Uno.parse(" ".join([str(players), *cards])), simulate(players, cards)
        outcome = game.run()
        assert "\n".join(results(game)) == str(plain)
        assert (list(game.discard_pile), list(game.draw_pile)) == (plain.laid, plain.stock)
        assert [list(hand) for hand in game.hands] == plain.hands
        assert outcome.winner == (None if plain.winner is None else plain.winner + 1)


@pytest.mark.parametrize("policy", ["random", "first-legal"])
@pytest.mark.parametrize("players", [2, 5, 10])
def test_games_of_other_players_end_with_all_cards_there_and_one_arc_for_each_event(policy: str, players: int) -> None:
    for number in range(15):
        game = Uno.deal(players, 2, number, (policy,))
        game.run()
        names = [card for hand in game.hands for card in hand] + [*game.draw_pile, *game.discard_pile]
        assert Counter(names) == Counter(CARDS)
        while game.history:
            step = game.undo()
            game.table.card, game.table.suit = offered(step.card, step.trigger, game), -1
            assert [arc for arc in UNO.leaving(step.source, step.trigger) if arc.enabled(game.table)] == [step.arc]


def offered(card: str | None, trigger: str, game: Uno) -> int:
    """The code under which the player in turn holds the card that an event names."""
    if card is None or trigger != "play":
        return int(game.table.card)
    return next(code for code in UNO.codec.held(game.table, game.player - 1) if UNO_CARDS.cards[code] == card)


def test_a_written_case_is_read_again_and_goes_the_same_way() -> None:
    for number in range(20):
        cards = Uno.deck_of(3, 1, number)
        ((players, again),) = read_games(f"1\n{write_line(3, cards)}\n")
        assert UNO_CARDS.names(again) == UNO_CARDS.names(cards)
        games = Uno.of_deck(3, cards), Uno.of_deck(players, again)
        assert games[0].run() == games[1].run()
        assert games[0].table.trail == games[1].table.trail
