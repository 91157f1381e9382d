"""Events with which a seat, a rank, an amount, an answer or a suit is named, with a card or alone."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from auction import ANSWER, AUCTION, BIDDING, GIVING, INITIAL, PARTNER, Auction, higher_bids, other_seats

from fsm import (
    Choice,
    Control,
    Declaration,
    DeclarationError,
    IllegalMove,
    MauMau,
    Offer,
    Policy,
    Uno,
    register,
)
from fsm.check import survey
from fsm.check.stepped import explore_stepped
from fsm.match.transcript import play_stepped
from fsm.records import RecordError, record_of, replay
from fsm.stepping.steps import Move
from maumau.kernels.bulk.transcripts import play_compiled
from maumau.play.server import requests
from maumau.play.server.games import GameBounds, LiveGame
from maumau.play.server.guard import BadRequest
from rules.reading import Dealt
from rules.table import CardTable

INTEGERS = sorted({np.dtype(code).type for code in np.typecodes["AllInteger"]}, key=str)
HANDS = "hands=2D,2C,3D/3C,4H,4S"
SMALL = Auction.with_deck("2D 2C 3D 3C 4H 4S", 3)
MOVES = [
    ("bidding player=1 bid=1 bidder=2 trump=- partner=- wanted=-", ["bid 2", "bid 3", "pass_turn"]),
    ("bidding player=1 bid=3 bidder=2 trump=- partner=- wanted=-", ["pass_turn"]),
    ("trump player=1 bid=1 bidder=1 trump=- partner=- wanted=-", [f"name_trump {suit}" for suit in "DHSC"]),
    ("partner player=1 bid=1 bidder=1 trump=S partner=- wanted=-", ["choose 2"]),
    ("rank player=1 bid=1 bidder=1 trump=S partner=2 wanted=-", [f"wish {rank}" for rank in "23456789TJQKA"]),
    (
        "giving player=1 bid=1 bidder=1 trump=S partner=2 wanted=4",
        ["give 2D naming 2", "give 2C", "give 3D naming 2"],
    ),
    ("answer player=2 bid=1 bidder=1 trump=S partner=2 wanted=4", ["answer no", "answer yes"]),
    ("answer player=2 bid=1 bidder=1 trump=S partner=2 wanted=A", ["answer no"]),
]
"""Positions of players who hold HANDS, with all that may be done."""


def at(start: str) -> Any:
    return SMALL.at(f"{start} ending=- winner=- {HANDS} discard=- draw=-")


def games(policy: str, count: int = 20) -> Iterator[Any]:
    """Whole games, with two to four players."""
    for number in range(count):
        game = Auction.deal(2 + number % 3, 5, number, policy)
        game.run()
        yield game


# ------------------------------------------------------------------ legal moves and refusals


@pytest.mark.parametrize(("position", "moves"), MOVES)
def test_legal_moves(position: str, moves: list[str]) -> None:
    game = at(position)
    assert [str(move) for move in game.events()] == moves
    for move in game.events():
        step = game.fire(move)
        assert (step.card, step.named) == (move.card, move.named)
        game.undo()
    assert game == at(position)


@pytest.mark.parametrize("integer", INTEGERS, ids=lambda integer: integer.__name__)
@pytest.mark.parametrize(
    ("position", "event", "named"), [(0, "bid", {"amount": 2}), (3, "choose", {"seat": 2})], ids=["amount", "seat"]
)
def test_a_number_of_numpy_names_the_same(position: int, event: str, named: dict[str, int], integer: Any) -> None:
    game, expected = at(MOVES[position][0]), at(MOVES[position][0])
    of_numpy = {name: integer(number) for name, number in named.items()}
    step = game.fire(Move(event, **of_numpy))
    assert (step, game) == (expected.fire(Move(event, **named)), expected)
    assert [type(value) for value in step.named.values()] == [int]
    game.undo()
    assert getattr(game, f"may_{event}")(*of_numpy.values())
    assert getattr(game, event)(*of_numpy.values()) == step


@pytest.mark.parametrize(
    ("position", "method", "named", "message"),
    [
        (0, "bid", (1,), "player 1 cannot bid 1: it must name an amount, one of 2, 3; may bid 2, 3 or pass_turn"),
        (0, "bid", (63,), "player 1 cannot bid 63: unknown amount 63; use a number from 0 to 62; may "),
        (0, "bid", ("2",), "unknown amount '2'; use a number from 0 to 62"),
        (0, "bid", (True,), "unknown amount True; use a number from 0 to 62"),
        (0, "bid", (np.float64(2),), "unknown amount np.float64(2.0); use a number from 0 to 62"),
        (0, "bid", (2**70,), "unknown amount 1180591620717411303424; use a number from 0 to 62"),
        (3, "choose", (np.True_,), "unknown seat np.True_; use a number from 1 to 2"),
        (1, "bid", (3,), "player 1 cannot bid 3: there is no amount to name; may pass_turn"),
        (2, "name_trump", ("X",), "unknown suit 'X'; use one of D, H, S, C; may name_trump D, H, S or C"),
        (3, "choose", (1,), "player 1 cannot choose 1: it must name a seat, one of 2; may choose 2"),
        (3, "choose", (0,), "player 1 cannot choose 0: unknown seat 0; use a number from 1 to 2; may choose 2"),
        (4, "wish", ("1",), "unknown rank '1'; use one of 2, 3, 4, 5, 6, 7, 8, 9, T, J, Q, K, A"),
        (5, "give", ("2D",), "it must name a seat, one of 2; may give 2D or 3D naming 2; or give 2C"),
        (5, "give", ("2C", 2), "player 1 cannot give 2C: it names no seat; may "),
        (5, "give", ("4H", 2), "player 1 cannot give 4H: player 1 does not hold it; may "),
        (6, "answer", (1,), "unknown answer 1; use True (yes) or False (no); may answer no or yes"),
        (7, "answer", (True,), "player 2 cannot answer yes: it must name an answer, one of no; may answer no"),
    ],
)
def test_what_may_not_be_named_is_refused(position: int, method: str, named: tuple[Any, ...], message: str) -> None:
    game = at(MOVES[position][0])
    table = game.layout.take(game.table)
    with pytest.raises(IllegalMove) as caught:
        getattr(game, method)(*named)
    assert message in str(caught.value)
    assert game.layout.take(game.table) == table
    assert not getattr(game, f"may_{method}")(*named)


@pytest.mark.parametrize(
    ("position", "move", "message"),
    [
        (0, Move("bid"), "an amount must be named"),
        (0, Move("bid", seat=2), "bid takes no seat"),
        (0, Move("bid", "2D", amount=2), "bid takes no card"),
        (0, Move("pass_turn", amount=2), "pass_turn takes no amount"),
        (0, Move("pass_turn", "2D"), "pass_turn takes neither a card nor a suit"),
        (2, Move("name_trump"), "a suit must be named"),
        (5, Move("give", seat=2), "a card must be named"),
        (5, Move("give", "2D", suit="D"), "give takes no suit"),
        (3, Move("bid", amount=2), "not an event of partner, which accepts choose"),
    ],
)
def test_events_take_what_they_concern_and_nothing_else(position: int, move: Move, message: str) -> None:
    with pytest.raises(IllegalMove, match=f": {message}; may "):
        at(MOVES[position][0]).fire(move)


def test_an_event_without_a_value_to_name_is_listed_as_refused() -> None:
    assert at(MOVES[1][0]).events().refused["bid"] == "there is no amount to name"


def test_methods_have_the_parameters_of_their_events() -> None:
    signatures = {name: str(inspect.signature(getattr(Auction, name))) for name in AUCTION.triggers}
    signatures = {name: text.replace("fsm.stepping.steps.", "") for name, text in signatures.items()}
    assert signatures == {
        "open": "(self) -> Step",
        "bid": "(self, amount: int) -> Step",
        "pass_turn": "(self) -> Step",
        "name_trump": "(self, suit: str) -> Step",
        "choose": "(self, seat: int) -> Step",
        "wish": "(self, rank: str) -> Step",
        "give": "(self, card: str, seat: int | None = None) -> Step",
        "answer": "(self, answer: bool) -> Step",
    }


def test_a_game_fired_by_hand_reads_as_it_was_played() -> None:
    game = at("bidding player=1 bid=1 bidder=2 trump=- partner=- wanted=-")
    output = [game.bid(3), game.pass_turn(), game.name_trump(suit="H"), game.choose(seat=2), game.wish("4")]
    output += [game.give("2D", 2), game.answer(True)]
    assert [str(step) for step in output] == [
        "Player 1 bids 3.",
        "Player 2 passes.",
        "Player 1 names trump hearts.",
        "Player 1 chooses player 2.",
        "Player 1 wishes 4.",
        "Player 1 gives 2D and names player 2.",
        "Player 2 answers yes.",
    ]
    assert str(game.outcome) == "player 1 won, scores 3 0"
    assert repr(output[3]).endswith("rule=None, seat=2)")


def test_may_and_trigger_take_values() -> None:
    game = at(MOVES[3][0])
    assert game.may_choose(2)
    assert game.may_choose(seat=2)
    assert not game.may_choose()
    assert game.may_trigger("choose", seat=2)
    assert not game.may_trigger("choose", "2D")
    assert not game.trigger("choose", seat=1)
    assert game.trigger("choose", seat=2)


# ------------------------------------------------------------------ history, records, positions, copies


def test_hands_follow_cards_that_change_hands() -> None:
    for game in games("random"):
        codec = AUCTION.codec
        for seat, hand in enumerate(game.hands):
            assert sorted(hand) == sorted(codec.notation.names(codec.held(game.table, seat)))


def test_records_have_a_field_for_each_kind_of_the_game() -> None:
    register(Auction)
    for game in games("random"):
        record = json.loads(json.dumps(record_of(game)))
        assert list(record["events"][0])[6:] == ["rule", "seat", "rank", "amount", "answer"]
        named = [
            {kind: event[kind] for kind in ("suit", "seat", "rank", "amount", "answer")} for event in record["events"]
        ]
        assert [{kind: value for kind, value in each.items() if value is not None} for each in named] == [
            step.named for step in game.history
        ]
        assert replay(record).history == game.history


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_records_of_games_of_the_package_have_no_such_fields(kind: Any) -> None:
    game = kind.deal(3, 7)
    game.run()
    for event in record_of(game)["events"]:
        assert list(event) == ["event", "source", "dest", "player", "card", "suit", "rule"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("amount", 9, "event 2: player 1 cannot bid 9: it must name an amount, one of 1, 2, 3"),
        ("amount", True, "event 2: amount: True is not a whole number"),
        ("seat", 2, "event 2: player 1 cannot bid 2 1: bid takes no seat"),
        ("amount", None, "event 2: player 1 cannot bid: an amount must be named"),
    ],
)
def test_a_record_with_another_value_is_refused(field: str, value: object, message: str) -> None:
    game = register(Auction).deal(2, 7)
    game.open()
    game.bid(1)
    game.run()
    record = record_of(game)
    record["events"][1][field] = value
    with pytest.raises(RecordError) as caught:
        replay(record)
    assert str(caught.value).startswith(message)


def test_a_position_names_ranks() -> None:
    with pytest.raises(ValueError, match="position: wanted: unknown rank 'X'; use one of 2, 3"):
        at("answer player=2 bid=1 bidder=1 trump=S partner=2 wanted=X")


# ------------------------------------------------------------------ what others see, and functions that play


def test_a_value_is_seen_by_others_if_its_field_is_declared_so() -> None:
    game = next(games("house"))
    seen = game.view(1 + game.history[-1].player % 2).history
    assert [step.amount for step in seen] == [step.amount for step in game.history]
    assert (game.history[-1].answer, seen[-1].answer) == (True, "?")


def test_a_function_may_play() -> None:
    def last(view: Any) -> Move:
        return view.moves[-1]

    def by_hand(view: Any) -> tuple[Any, ...]:
        return ("choose", None, None, 2) if str(view.phase) == "partner" else view.moves[0]

    game = Auction.deal(3, 7, policies=[last, by_hand, last])
    game.run()
    assert [step.amount for step in game.history if step.trigger == "bid"] == [3]
    refused = Auction.deal(3, 7, policies=lambda view: Move("bid", amount=9))
    refused.open()
    with pytest.raises(IllegalMove, match="policy <lambda> of player 1: player 1 cannot bid 9: it must name an amount"):
        refused.step()


def test_a_live_game_offers_and_takes_values() -> None:
    live = LiveGame(Auction.deal(3, 7), "a deal", GameBounds())
    now = live.step(0, 1)["state"]
    assert now["legal"][0] == ["bid", None, None, {"amount": 1}]
    output = live.fire(now["version"], requests.move({"trigger": "bid", "amount": 2}))
    assert "Player 1 bids 2" in output["sentences"]
    with pytest.raises(BadRequest, match="player 2 cannot bid 2: it must name an amount, one of 3"):
        live.fire(2, requests.move({"trigger": "bid", "amount": 2}))


# ------------------------------------------------------------------ compiled and checked


ALL = ("house", "random", "first-legal")


@pytest.mark.parametrize(
    ("players", "policies"),
    [
        (3, ALL),
        (3, ("random", "first-legal", "house")),
        *(pytest.param(players, (policy,), marks=pytest.mark.thorough) for policy in ALL for players in (2, 3, 4)),
    ],
)
def test_compiled_games_of_all_policies_are_the_same(players: int, policies: tuple[str, ...]) -> None:
    dealt = [Dealt(players, bytes(Auction.deck_of(players, 3, number))) for number in range(60)]
    both = [engine(Auction, dealt, policies, 3) for engine in (play_stepped, play_compiled)]
    for stepped, compiled in zip(*both, strict=True):
        assert compiled.steps == stepped.steps
        assert record_of(compiled) == record_of(stepped)


def test_both_explorers_find_the_same_positions_and_no_fault() -> None:
    from maumau.kernels.explorer.exhaustive import explore

    small = AUCTION.small_decks[0]
    compiled, stepped = explore(Auction, small), explore_stepped(Auction, small, most=3000)
    assert not compiled.failed
    assert not stepped.failed
    assert compiled.complete
    assert all(compiled.fired[arc] for arc in AUCTION.arcs)


@pytest.mark.thorough
def test_both_explorers_visit_all_positions() -> None:
    from alike import explored_alike

    explored_alike(Auction, AUCTION.small_decks[0])


def test_whole_games_keep_what_must_hold() -> None:
    report = survey(Auction, 10)
    assert not report.failed


def test_an_arc_that_ignores_the_value_is_found() -> None:
    (bid,) = AUCTION.leaving(BIDDING, "bid")
    arcs = tuple(replace(arc, before=arc.before[1:]) if arc is bid else arc for arc in AUCTION.arcs)

    class Forgetful(Auction, declaration=replace(AUCTION, arcs=arcs)):
        """The bid is forgotten."""

    report = explore_stepped(Forgetful, AUCTION.small_decks[0], first=True)
    assert report.failed
    (found,) = report.examples.values()
    assert str(found.event) == "bid 1"


# ------------------------------------------------------------------ declarations


@dataclass(slots=True)
class Without(CardTable):
    """A table without a field for seats."""


def refused(**changes: Any) -> str:
    with pytest.raises(DeclarationError) as caught:
        replace(AUCTION, **changes)
    return str(caught.value)


def with_offer(phase: Any, *offers: Offer) -> str:
    return refused(control={**AUCTION.control, phase: Control(offers=offers)})


def test_an_offer_names_one_kind_of_value() -> None:
    output = with_offer(PARTNER, Offer("choose", seats=other_seats, amounts=higher_bids))
    assert output == "auction: phase partner: offer 'choose' names seats and amounts; use one kind of value"


def test_the_table_has_the_field_of_the_kind() -> None:
    output = refused(table=Without)
    expected = "names amounts, but the table has no such field; declare amount: int = seen_by_all(-1)"
    assert output == f"auction: phase bidding: offer 'bid' {expected}"


def test_all_offers_of_an_event_name_the_same() -> None:
    arcs = tuple(replace(arc, trigger="bid") if arc.trigger == "answer" else arc for arc in AUCTION.arcs)
    output = refused(arcs=arcs, control={**AUCTION.control, ANSWER: Control(offers=(Offer("bid", seats=other_seats),))})
    assert output == "auction: phase answer: offer 'bid' names seats, its other offer amounts; use the same in both"


def test_an_event_that_names_something_is_nowhere_forced() -> None:
    arcs = tuple(replace(arc, trigger="bid") if arc.trigger == "open" else arc for arc in AUCTION.arcs)
    output = refused(arcs=arcs, control={**AUCTION.control, INITIAL: Control(forced=("bid",))})
    assert "phase bidding: offer 'bid' names amounts, but the event is forced in another phase" in output


def test_what_is_named_is_marked_as_a_query() -> None:
    output = with_offer(PARTNER, Offer("choose", seats=lambda table: 1))
    assert output == "auction: phase partner: offer 'choose': <lambda> is not marked; use a query (@query)"


@pytest.mark.parametrize(
    ("phase", "changes", "message"),
    [
        (PARTNER, {"seat": None}, "'choose' picks nothing; the offer names seats"),
        (GIVING, {"amount": higher_bids}, "'give': higher_bids is marked as a query; use a choice (@choice)"),
        (BIDDING, {"suit": "suit"}, "'bid' picks a value of the kind suit; the offer names amounts"),
    ],
)
def test_a_decision_rule_picks_what_the_offer_names(phase: Any, changes: dict[str, Any], message: str) -> None:
    house = AUCTION.policies[0]
    suit = house.choices["trump"][0].suit
    changes = {name: suit if value == "suit" else value for name, value in changes.items()}
    *others, last = house.choices[phase]
    choices = {**house.choices, phase: (*others, replace(last, **changes))}
    output = refused(policies=(Policy("house", choices),))
    assert output == f"auction: policy house: phase {phase}: {message}"


def test_a_suit_with_a_card_is_as_it_was() -> None:
    assert isinstance(MauMau.declaration, Declaration)
    assert MauMau.declaration.own_kinds == Uno.declaration.own_kinds == ()
    assert Choice("play").picks == {}
    assert str(Move("play", "HJ", "C")) == "play HJ naming C"
    assert repr(Move("play", "HJ", "C")) == "Move(trigger='play', card='HJ', suit='C')"


def test_moves_are_listed_in_the_order_of_their_codes() -> None:
    game = next(games("random"))
    while game.history:
        game.undo()
        values = [tuple(move.named.values()) for move in game.events() if move.trigger == "bid"]
        assert all(one < other for one, other in pairwise(values))
