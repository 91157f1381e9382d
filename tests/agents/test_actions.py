"""Numbered actions: every legal move has one number, which says the same everywhere."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest
from all_games import GAMES, HOUSE_RULES, OFFICIAL_UNO, UNO_HOUSE_RULES
from auction import Auction
from command import maumau

from docs.howto.follow_suit import FollowSuit
from examples.go_fish import GoFish
from fsm import Game, MauMau, Uno, game_of
from fsm.check.stepped import VisitedPosition, Walk
from fsm.declaration.facts import ValueKind, default_values
from fsm.declaration.policy import RANDOM
from fsm.stepping.steps import Move
from maumau import Action, action_space
from maumau.agents.possible import answers
from rules.rule import query
from rules.table import CardTable
from rules.visibility import seen_by_all


class Numbering(Walk):
    """A walk through the positions of a small deck that numbers the moves of each."""

    def _visit(self, found: VisitedPosition) -> None:
        game = self.kind(found.table, found.phase, [[]] * self.players)
        space = action_space(self.kind.declaration)
        moves = set(game.view(game.player).moves) if found.phase is not self.kind.declaration.final else set()
        numbers = {move: space.number(move, game.player, self.players) for move in moves}
        assert max(Counter(numbers.values()).values(), default=1) == 1
        assert all(space.move(number, game.player, self.players) == move for move, number in numbers.items())
        assert space.legal(game) == sorted(numbers.values())
        super()._visit(found)


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_every_legal_move_of_a_small_deck_has_one_number(kind: type[Game]) -> None:
    small = kind.declaration.small_decks[0]
    assert Numbering(kind, small, 800).run().positions > 20


@pytest.mark.thorough
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_every_legal_move_of_all_small_decks_has_one_number(kind: type[Game]) -> None:
    for small in kind.declaration.small_decks:
        Numbering(kind, small, 100_000).run()


@pytest.mark.parametrize(
    "kind",
    [*map(MauMau.with_rules, HOUSE_RULES), *map(OFFICIAL_UNO.with_rules, UNO_HOUSE_RULES)],
    ids=lambda kind: kind.declaration.name,
)
def test_every_legal_move_under_a_house_rule_has_one_number(kind: type[Game]) -> None:
    small = kind.declaration.small_decks[-1]
    Numbering(kind, small, 150).run()


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_every_move_of_whole_games_has_a_number(kind: type[Game]) -> None:
    space = action_space(kind.declaration)
    for number in range(3):
        game = kind.deal(kind.declaration.codec.most, seed=3, number=number, policies="random")
        for _ in range(100):
            if game.outcome:
                break
            moves = game.view(game.player).moves
            named = [space.move(each, game.player, game.players) for each in space.legal(game)]
            assert set(named) == set(moves)
            game.step()


def test_cards_that_name_no_suit_have_one_action_and_jacks_one_for_each_suit_and_the_last_card() -> None:
    space = action_space(MauMau.declaration)
    assert Counter(action.card for action in space) == {None: 2} | dict.fromkeys(space.cards, 1) | {
        f"{suit}J": 5 for suit in "DHSC"
    }
    assert space.text(space.number(Move("play", "HJ", "S"), player=1, players=2)) == "play HJ naming S"


def test_copies_of_a_card_are_one_action() -> None:
    space = action_space(Uno.declaration)
    assert Counter(action.card for action in space)["R7"] == 1
    assert [space.text(number) for number in range(len(space)) if space[number].card == "WF"] == [
        "play WF",
        *(f"play WF naming {colour}" for colour in "YRGB"),
    ]


def test_seats_count_from_the_player_who_acts() -> None:
    space = action_space(GoFish.declaration)
    assert space[0] == Action("ask", kind=ValueKind.SEAT, value=1)
    assert space.move(0, player=3, players=3) == Move("ask", seat=1)
    assert space.number(Move("ask", seat=2), player=3, players=3) == 1
    assert [space.text(number) for number in (0, 1)] == ["ask +1", "ask +2"]


def test_values_that_depend_on_more_than_the_hand_may_all_be_named() -> None:
    """With a red card the partner is named, who is known only in the game; with a black one nobody is."""
    named = Counter(action.card for action in action_space(Auction.declaration))
    assert (named["AH"], named["AC"]) == (1 + Auction.declaration.codec.most, 1)


def test_a_move_of_another_game_is_no_action() -> None:
    with pytest.raises(ValueError, match="play R7 is not an action of Mau-Mau"):
        action_space(MauMau.declaration).number(Move("play", "R7"), player=1, players=2)


def test_where_nobody_chooses_nothing_is_legal() -> None:
    space = action_space(MauMau.declaration)
    game = MauMau.deal(3, seed=7)
    assert space.legal(game) == []
    game.run()
    assert space.legal(game) == []


# ---------------------------------------------------------------- the command


def test_the_command_lists_actions_and_fields() -> None:
    done = maumau("actions", "--players", 3)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[:2] == ["Mau-Mau: 50 actions", "    0  play DQ"]
    assert "   49  pass_turn" in lines
    assert any(line.startswith("     0-31  hand ") for line in lines)


def test_the_command_prints_the_same_as_json() -> None:
    done = maumau("actions", "--game", "uno", "--json")
    printed = json.loads(done.stdout)
    assert (printed["game"], printed["players"], len(printed["actions"])) == ("uno", 2, 63)
    assert printed["actions"][-1] == {"number": 62, "event": "draw"}
    starts = [field["start"] for field in printed["observation"]]
    ends = [field["start"] + len(field["labels"]) for field in printed["observation"]]
    assert starts == [0, *ends[:-1]]


def test_house_rules_have_actions_of_their_own() -> None:
    done = maumau("actions", "--with", "eights-answered")
    assert "Mau-Mau" in done.stdout.splitlines()[0]
    assert any(line.endswith("  skip") for line in done.stdout.splitlines())


def test_the_command_refuses_a_number_of_players() -> None:
    done = maumau("actions", "--players", 5)
    assert (done.returncode, done.stderr) == (2, "--players: 5 players cannot play; use 2 to 4\n")


@query
def cards_held_besides(table: Counted) -> int:
    """The number of cards that are held besides the one that is played."""
    return 1 << table.hands[table.player].bit_count() - 1


@dataclass(slots=True)
class Counted(CardTable):
    """The number of cards that is said."""

    amount: int = seen_by_all(-1)


def test_a_number_that_the_whole_hand_determines_has_an_action_for_each_hand() -> None:
    """Who lays a card in Follow Suit says how many are left: 0 to 30, as many as the deck of 32 leaves in a hand."""
    game = FollowSuit.declaration
    offers = {phase: replace(control, offers=tuple(
        replace(offer, amounts=cards_held_besides) if offer.cards else offer for offer in control.offers))
        for phase, control in game.control.items()}  # fmt: skip
    counted = replace(game, name="counted", table=Counted, control=offers, policies=(RANDOM,), small_decks=())
    space = action_space(counted)
    named = {action.value for action in space if action.card == "DQ"}
    assert named >= set(range(31))
    played = game_of(counted).deal(players=3, seed=7)
    while not played.outcome:
        assert [space.move(number, played.player, 3) for number in space.legal(played)] == [
            move for move in played.events() if space.chooses(played)
        ]
        played.step()


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (lambda table: 15 if table.card == 3 and table.due > 0 else 0, {0, 15}),
        (lambda table: 15 if table.card == 4 and table.due > 0 else 0, {0}),
        (lambda table: 1 << table.due, None),
        (lambda table: (table.due > 0) + (table.hands[table.player] != 0) * 2, None),
        (lambda table: 1 if table.hands[3] in (1, 2) else 2 if table.due >= 4 else 4, {1, 2, 4}),
        (lambda table: max(5, min(3, table.card)), {5}),
        (lambda table: sum(1 for seat in range(table.players) if seat != table.player), {0, 1, 2}),
        (lambda table: sum(1 for hand in table.hands if hand), {0, 1, 2, 3, 4}),
        (lambda table: sum(1 for byte in table.ring if byte), None),
        (lambda table: range(table.due), None),
        (lambda table: -1 if table.due else 1, None),
    ],
)
def test_what_a_query_may_answer_where_only_the_card_is_known(asked: Any, expected: set[int] | None) -> None:
    assert answers(asked, default_values(CardTable), card=3, players=2) == expected
