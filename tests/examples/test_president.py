"""The example President against a plain program: every list of legal moves, every hand, every place, every exchange."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from beside_plain import follow, play_beside
from plain_president import PASS, PlainPresident
from play_games import seated

from examples.president import PRESIDENT, President
from fsm import Game, IllegalMove, Match, Move, Step, game_of, register
from fsm.check import survey
from fsm.declaration.arcs import Postcondition
from fsm.match.dealt import DealtMatch
from fsm.records import record_of, replay
from maumau.kernels.bulk.transcripts import play_compiled
from maumau.play.table import Table
from maumau.play.terminal.plain import PlainTable
from rules.reading import Dealt
from rules.rule import query


def text(move: Move | Step) -> str:
    """A move or a step as the plain program writes it."""
    return move.card or PASS


@query
def must_fail(before: Any, after: Any) -> bool:
    """Nothing fits."""
    return False


def names_of(deck: Any) -> list[str]:
    """The names of the cards of a deck."""
    return President.declaration.codec.notation.names(deck)


def play(game: Game, before: list[int], dice: Random) -> list[int]:
    """Play a round at random beside the plain program. before: the order of the round before. Returns the order."""
    plain = PlainPresident(game.players, names_of(game.dealt_deck()), before)

    def choose(moves: dict[str, Move]) -> str:
        laying = [name for name in moves if name != PASS]
        return dice.choice(laying if laying and dice.random() < 0.8 else list(moves))

    play_beside(game, plain, choose, text)
    assert plain.over
    assert game.outcome is not None
    places = [plain.order.index(seat) + 1 for seat in plain.seats]
    assert list(game.outcome.scores) == places
    assert game.outcome.winner == plain.order[0]
    assert list(game.outcome.returns) == [game.players + 1 - 2 * place for place in places]
    return plain.order


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_rounds_are_those_of_the_plain_program(players: int) -> None:
    for number in range(3):
        play(President.deal(players, 1, number), [], Random(number))


def play_match(players: int, number: int, target: int = 11) -> Match:
    """Play a match at random, with an exchange from the second round on."""
    match, order, dice = Match(President, players, 5, number, target=target), [], Random(number)
    while match.outcome is None:
        step = match.step()
        if step.trigger in ("begin", "score") and match.outcome is None and match.game is not None:
            order = play(match.game, order, dice)
    return match


@pytest.mark.parametrize("players", [3, 5])
def test_rounds_of_a_match_begin_with_the_exchange(players: int) -> None:
    register(President)
    match = play_match(players, 1, target=2 * players)
    assert len(match.rounds) > 1
    assert replay(record_of(match), of=Match).totals == match.totals


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_hundreds_of_random_rounds_are_those_of_the_plain_program(players: int) -> None:
    for number in range(12):
        assert play_match(players, number).outcome is not None


def follow_round(played: Any, before: list[int]) -> list[int]:
    """Follow a round of the compiled engine. Returns the order of the places."""
    plain = PlainPresident(played.players, names_of(played.deck), before)
    follow(played.steps, plain, ["play", "give", "pass_turn"], text)
    assert [plain.order.index(seat) + 1 for seat in plain.seats] == list(played.outcome.scores)
    return plain.order


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_compiled_rounds_are_those_of_the_plain_program(players: int) -> None:
    decks = [Dealt(players, bytes(President.deck_of(players, 3, number))) for number in range(60)]
    for policy in ("random", "house"):
        for played in play_compiled(President, decks, (policy,), 3):
            follow_round(played.rounds[0].game, [])


@pytest.mark.slow
def test_compiled_matches_are_those_of_the_plain_program_and_of_the_stepped_engine() -> None:
    decks = tuple(bytes(President.deck_of(4, 3, number)) for number in range(12))
    for played in play_compiled(President, [DealtMatch(4, decks)], ("random",), 3, 0, 9):
        order: list[int] = []
        for each in played.rounds:
            order = follow_round(each.game, order)
        assert len(played.rounds) > 1
        stepped = Match.of_decks(President, 4, decks, ("random",), 3, 0, 9)
        stepped.run()
        assert record_of(stepped) == record_of(played)


def test_the_reason_of_a_refused_set_is_the_sentence_of_the_guard() -> None:
    game = President.deal(3, seed=7)
    game.step()
    game.play("2D,2S")
    with pytest.raises(
        IllegalMove, match="KC,KH on 2S: KC,KH is not a set of as many cards of a higher rank; may pass"
    ):
        game.play("KC,KH")
    with pytest.raises(IllegalMove, match="4H is not a set of as many cards of a higher rank; may pass_turn"):
        game.play("4H")


def answers(read: list[str]) -> Iterator[str]:
    """The first of the moves that a table shows, over and over; at the end the table is read no more."""
    while not (read and "wins the match" in read[-1]):
        yield "1\n"


def test_a_table_carries_the_places_to_the_next_round_also_when_it_is_restored() -> None:
    table, read = Table(seated(President, 3, policy="house", seed=3, target=5)), list[str]()
    PlainTable(table, 1, answers(read), read.append).play()
    given = [index for index, line in enumerate(read) if " gives " in line]
    assert len(given) % 4 == 0
    assert given[0] > read.index("Round 2.")
    restored = Table.restore(json.loads(json.dumps(table.save())))
    assert restored.game.position() == table.game.position()
    assert restored.game.carried == table.game.carried
    assert sorted(table.game.carried["places"]) == [1, 2, 3]


@pytest.mark.parametrize(
    ("carried", "message"),
    [
        ({"place": [1, 2, 3]}, "carried: 'place' is not carried; use places"),
        ({"places": [1, 2]}, "carried: places is .1, 2.; use a list of 3 numbers"),
        ({"places": 3}, "carried: places is 3; use a list of 3 numbers"),
        ({"places": [1, 2, "3"]}, "carried: places"),
    ],
)
def test_what_is_not_carried_is_refused(carried: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        President.of_deck(3, President.deck_of(3, 1), carried=carried)


def test_a_check_plays_the_exchange() -> None:
    report = survey(President, 4)
    assert not report.failures
    assert report.never_fired == []


def test_a_fault_of_the_exchange_is_found_and_can_be_stepped() -> None:
    wrong = Postcondition("nobody gives a card", must_fail, ("give",))
    faulty = replace(PRESIDENT, postconditions=(*PRESIDENT.postconditions, wrong))
    report = survey(game_of(faulty), 4)
    assert list(report.failures) == ["nobody gives a card"]
    found = next(iter(report.examples.values()))
    assert sorted(found.carried["places"]) == [1, 2, 3]
    game = President.of_deck(*President.deck_format().read_line(found.line), carried=found.carried)
    for move in found.events:
        game.fire(*move)
    assert game.position().split(" hands=")[0] == found.position.split(" hands=")[0]
    assert str(game.phase.value) == "giving"
