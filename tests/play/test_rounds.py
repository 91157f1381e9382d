"""What is seen at a table when a trick, a round or a match is over."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from play_games import seated

from examples.go_fish import GoFish
from examples.hearts import Hearts
from examples.kuhn_poker import KuhnPoker
from examples.leduc_poker import LeducPoker
from examples.spades import Spades
from fsm import Game, MauMau, Uno
from fsm.stepping.steps import Move
from maumau import Mahjong
from maumau.play.table import Table
from render.page.play import table_data


def played(table: Table, random: Random | None = None) -> Table:
    """The table at the end of its round: who is asked makes the first legal move, or one at random."""
    while table.state == "playing":
        if not table.advance():
            moves = table.view(table.asked)["question"]["moves"]
            move = random.choice(moves) if random else moves[0]
            table.act(table.asked, move, at=table.version(table.asked))
    return table


# ---------------------------------------------------------------- matches


def decided() -> Table:
    """A table whose first round decides the match."""
    return played(Table(seated(MauMau, 3, people=1, policy="house", seed=4, target=1)))


def test_the_round_that_decides_a_match_ends_it_at_once() -> None:
    table = decided()
    view, outcome = table.view(1), table.game.outcome
    assert outcome is not None
    assert (table.state, view["state"], view["round"]) == ("over", "over", 1)
    assert view["match"]["totals"] == list(outcome.scores)
    assert max(outcome.scores) >= 1
    best = outcome.scores.index(min(outcome.scores)) + 1  # points left are bad
    assert view["match"]["outcome"]["winner"] == best
    *_, ended, match = table.log(1)
    assert (ended["event"], match["event"]) == ("end_round", "end_match")
    assert match["text"].endswith(f"Player {best} wins the match.")
    assert not table.advance()


def test_the_totals_of_a_round_are_seen_before_the_next_one_begins() -> None:
    table = played(Table(seated(MauMau, 3, people=1, policy="house", seed=4, target=500)))
    assert table.game.outcome is not None
    totals = list(table.game.outcome.scores)
    assert (table.state, table.round, table.view(1)["match"]["totals"]) == ("round over", 1, totals)
    assert table.advance()
    assert (table.state, table.round, table.view(1)["match"]["totals"]) == ("playing", 2, totals)


def test_the_table_keeps_the_round_that_is_played_and_of_others_how_they_have_ended() -> None:
    table = Table(seated(MauMau, 3, people=1, policy="house", seed=4, target=100_000))
    ended = []
    for _ in range(5):
        played(table)
        ended.append(table.log(1)[-1])
        assert {entry["event"] for entry in table.log(1)} >= {"begin", "end_round"}
        assert table.advance()
        restored = Table.restore(json.loads(json.dumps(table.save())))
        assert [restored.log(player) for player in (None, 1)] == [table.log(player) for player in (None, 1)]
        assert restored.view(1) == table.view(1)
        assert restored.game.position() == table.game.position()
    *results, begin = table.log(1)
    assert (results, begin["text"]) == (ended, "Round 6.")
    assert table.journal == []
    played(table)
    assert len(table.journal) == len(table.game.history), "nothing of another round"


# ---------------------------------------------------------------- hands that are shown


def bet(kind: type[Game], *moves: str) -> Table:
    """A table of poker after some moves, at which both seats are people's."""
    table = Table(seated(kind, 2, people=2, seed=1))
    for move in moves:
        while table.advance():
            pass
        assert table.asked is not None
        table.act(table.asked, Move(move), at=table.version(table.asked))
    return table


FOLDED = [(KuhnPoker, ("bet", "fold")), (KuhnPoker, ("check", "bet", "fold")), (LeducPoker, ("raise_bet", "fold")),
          (LeducPoker, ("check", "check", "raise_bet", "fold"))]  # fmt: skip
CALLED = [(KuhnPoker, ("bet", "call")), (KuhnPoker, ("check", "check")),
          (LeducPoker, ("check", "check", "raise_bet", "call"))]  # fmt: skip


@pytest.mark.parametrize(("kind", "moves"), FOLDED)
def test_no_hand_is_shown_where_one_has_folded(kind: type[Game], moves: tuple[str, ...]) -> None:
    table = bet(kind, *moves)
    one, other = map(list, table.game.hands)
    assert table.state == "over"
    assert [table.view(player)["hands"] for player in (1, 2, None)] == [[one, None], [None, other], [None, None]]
    assert table.view(None)["hand_sizes"] == [1, 1]
    seen = str([(table.view(2), table.log(2))])
    assert not re.search(rf"\b{one[0]}\b", seen), "nothing else tells it"


@pytest.mark.parametrize(("kind", "moves"), CALLED)
def test_both_hands_are_shown_at_a_showdown(kind: type[Game], moves: tuple[str, ...]) -> None:
    table = bet(kind, *moves)
    hands = list(map(list, table.game.hands))
    assert table.state == "over"
    assert [table.view(player)["hands"] for player in (1, 2, None)] == [hands] * 3


# ---------------------------------------------------------------- tricks


def tricks_of(game: Game) -> list[list[Any]]:
    """The tricks of a game by its events: of each the player and the card of each card played."""
    tricks: list[list[Any]] = [[]]
    for step in game.history:
        if step.trigger == "play":
            tricks[-1].append([step.player, step.card])
        elif step.trigger == "take_trick":
            tricks.append([])
    return tricks


@pytest.mark.parametrize("kind", [Hearts, Spades])
def test_the_trick_is_seen_and_between_tricks_the_last_one(kind: type[Game]) -> None:
    table = Table(seated(kind, 4, people=1, policy="random", seed=5))
    found = 0
    while table.state == "playing":
        view = table.view(1)
        *_, before, now = [[], *tricks_of(table.game)]
        assert (view["trick"], view["last_trick"]) == (now, [] if now else before)
        found += bool(view["last_trick"])
        if not table.advance():
            table.act(1, view["question"]["moves"][0], at=table.version(1))
    assert found


def test_there_are_no_tricks_in_other_games() -> None:
    table = played(Table(seated(Uno, 3, people=0, seed=1)))
    assert (table.view(None)["trick"], table.view(None)["last_trick"]) == ([], [])


# ---------------------------------------------------------------- what logs tell


def test_a_tile_that_lies_open_again_after_a_claim_is_not_told() -> None:
    table = played(Table(seated(Mahjong, 4, people=0, policy="house", seed=1)), Random(1))
    claims = [entry for entry in table.log(None) if entry["event"] in ("pung", "chow")]
    assert claims
    for entry in claims:
        assert re.search(r": ([1-9][DBM]){3}\.$", entry["text"]), entry["text"]


def test_books_are_no_points_left() -> None:
    table = played(Table(seated(GoFish, 3, people=0, policy="random", seed=1)))
    assert re.search(r"\. Points: player 1 \d+, ", table.log(None)[-1]["text"])
    assert not any("The player" in entry["text"] for entry in table.log(None)), "whose turn it is the table shows"


def test_points_that_are_taken_are_no_points_left() -> None:
    table = played(Table(seated(Hearts, 4, people=0, policy="random", seed=1)))
    assert re.search(r"\. Points: player 1 \d+, ", table.log(None)[-1]["text"])
    assert table_data(Hearts.declaration)["words"]["scores"] == "Points"


def test_the_table_waits_when_the_last_person_is_absent() -> None:
    table = Table(seated(MauMau, 3, people=2, policy="house", seed=1))
    table.leave(1)
    table.leave(2)
    assert [entry["text"] for entry in table.log(None) if entry["event"] == "leave"] == [
        "Ann is absent: a computer player stands in.",
        "Bob is absent: the table waits.",
    ]
