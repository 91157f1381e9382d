"""Matches: rounds with cumulative points to a target, the dealer moving on; stepped, and compiled with equal results."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any

import pytest
from dealer_maumau import DEALER_MAUMAU, DealerMauMau
from hypothesis import given
from hypothesis import strategies as st
from plain_match import Played, Scored, play
from plain_maumau import simulate
from test_dealer import seen_from

from examples.spades import Spades
from fsm import Game, IllegalMove, Match, MauMau, Scoring, Uno, game_class, game_of
from fsm.declaration.chart import DeclarationError
from fsm.match.dealt import DealtMatch
from fsm.match.setup import ARCS, DECKS, INITIAL, MATCH, MATCH_OVER
from fsm.match.stepped import MatchStep
from fsm.records import record_of
from maumau.kernels import bulk
from maumau.kernels.bulk.transcripts import play_compiled
from maumau.kernels.compiler.program import has_won
from maumau.kernels.compiler.source import FIRST_ROOM
from rules.ending import NO_WINNER, Ending
from rules.match import MatchEnding, MatchTable, one_is_ahead, somebody_has_target, win_match, winner_takes
from rules.maumau.game import score
from rules.rule import query

Corpus = list[tuple[str, list[str]]]


@query
def zero_sum(table: Any, seat: int) -> int:
    """The points left, less the mean of all seats, times the players: negative for the winner, zero in all."""
    left = 0
    for other in range(table.players):
        left += score(table, other)
    return left - table.players * score(table, seat)


class ZeroSum(DealerMauMau, declaration=replace(DEALER_MAUMAU, scoring=Scoring(zero_sum, 300, lowest_wins=False))):
    """Mau-Mau with a dealer and points that may be negative."""


def played(match: Match) -> Played:
    """What a match came to, in the words of the witness."""
    outcome = match.run()
    winner = None if outcome.winner is None else outcome.winner - 1
    return Played(list(outcome.totals), outcome.rounds, winner, [round.dealer - 1 for round in match.rounds])


# ---------------------------------------------------------------- the rules


class TestTheChart:
    def test_it_is_the_small_machine_of_the_specification(self) -> None:
        arcs = [(str(arc.source), arc.trigger, arc.guards, arc.effects, str(arc.dest)) for arc in ARCS]
        assert arcs == [
            ("initial", "begin", "", "take deck", "round"),
            ("round", "end_round", "round scores", "count round", "score"),
            ("round", "end_round", "not round scores", "count round, score nothing", "score"),
            ("score", "score", "somebody has target, one is ahead", "win match, add points", "match-over"),
            ("score", "score", "somebody has target, not one is ahead", "tie match, add points", "match-over"),
            (
                "score",
                "score",
                "not somebody has target, not deck left",
                "stop without decks, add points",
                "match-over",
            ),
            ("score", "score", "deck left, not somebody has target", "add points, move dealer, take deck", "round"),
        ]

    def test_it_is_sound(self) -> None:
        assert list(MATCH.faults()) == []

    @given(st.data(), st.integers(2, 6), st.booleans(), st.booleans(), st.integers(1, 60))
    def test_any_points_are_counted_as_the_witness_counts_them(
        self, data: st.DataObject, players: int, lowest_wins: bool, unwon_scores: bool, target: int
    ) -> None:
        row = st.tuples(st.booleans(), st.lists(st.integers(-9, 20), min_size=players, max_size=players))
        rounds = data.draw(st.lists(row, min_size=1, max_size=12))
        table = MatchTable(
            players=players,
            sides=players,
            target=target,
            decks=len(rounds),
            lowest_wins=lowest_wins,
            unwon_scores=unwon_scores,
        )
        model = Model(table)
        model.fire("begin")
        dealers = []
        for won, points in rounds:
            dealers.append(table.dealer)
            table.round_winner = 0 if won else NO_WINNER
            table.points[:players] = points
            model.fire("end_round")
            model.fire("score")
            if model.phase is MATCH_OVER:
                break
        scored = [Scored(points if won or unwon_scores else None) for won, points in rounds]
        expected = play(players, [partial(always, each) for each in scored], target, min if lowest_wins else max)
        winner = None if table.winner == NO_WINNER else table.winner
        assert Played(table.totals[:players], table.rounds, winner, dealers) == expected
        assert model.phase is MATCH_OVER
        assert (table.winner >= 0) == (table.ending == MatchEnding.WON)


def always(scored: Scored, dealer: int) -> Scored:
    return scored


class Model:
    """A model of the chart alone, without a game."""

    def __init__(self, table: MatchTable) -> None:
        self.table, self.in_hook = table, False
        Match.machine.set_state(INITIAL, self)

    phase: Any

    def fire(self, trigger: str) -> None:
        assert Match.machine.events[trigger].trigger(self, self.table)


def test_the_winner_takes_what_the_others_are_left_with() -> None:
    takes = winner_takes(lambda table, seat: (0, 14, 45)[seat])
    assert [takes(MauMau.deal(3, seed=7).table, seat) for seat in range(3)] == [0, 0, 0]
    table = MauMau.deal(3, seed=7).table
    table.winner = 0
    assert [takes(table, seat) for seat in range(3)] == [59, 0, 0]


# ---------------------------------------------------------------- against the witness


def plain_round(kind: type[Game], players: int, deck: list[int], points: Callable[..., Any], dealer: int) -> Scored:
    """A round of Mau-Mau by the plain simulator; who sits after the dealer begins, or player 1."""
    names = kind.declaration.codec.notation.names(deck)
    first = (dealer + 1) % players if kind.declaration.knows_dealer else 0
    scores = simulate(players, seen_from(first + 1, players, names)).scores
    return Scored(points([*scores[-first:], *scores[:-first]] if first else scores) if scores else None)


def left(scores: list[int]) -> list[int]:
    return scores


def zeros(scores: list[int]) -> list[int]:
    return [sum(scores) - len(scores) * each for each in scores]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "points", "target", "best"),
    [(MauMau, left, 100, min), (DealerMauMau, left, 100, min), (ZeroSum, zeros, 300, max)],
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_matches_go_as_rounds_of_the_plain_simulator(
    kind: type[Game], points: Any, target: int, best: Any, players: int
) -> None:
    for number in range(12):
        decks = (list(kind.deck_of(players, 11, number * DECKS + round)) for round in range(DECKS))
        rounds = (partial(plain_round, kind, players, deck, points) for deck in decks)
        assert played(Match(kind, players, 11, number)) == play(players, rounds, target, best)


def test_the_totals_are_sums_of_the_points_and_the_dealer_moves_on() -> None:
    match = Match(DealerMauMau, players=3, seed=5, target=300)
    match.run()
    points = [round.points for round in match.rounds]
    sums = accumulate(points, lambda totals, row: tuple(map(sum, zip(totals, row, strict=True))))
    assert [round.totals for round in match.rounds] == list(sums)
    assert [round.dealer for round in match.rounds] == [number % 3 + 1 for number in range(len(points))]
    assert [round.game.dealer for round in match.rounds] == [round.dealer for round in match.rounds]


# ---------------------------------------------------------------- stepped


class TestStepped:
    def test_each_event_by_itself(self) -> None:
        match = Match(MauMau, players=2, seed=7)
        assert match.game is None
        begun = match.step()
        assert isinstance(begun, MatchStep)
        assert (begun.trigger, str(match.phase)) == ("begin", "round")
        assert match.game == MauMau.deal(2, seed=7, number=0)
        assert match.step().trigger == "open"
        match.game.run()
        assert [match.step().trigger, str(match.phase)] == ["end_round", "score"]
        assert [match.step().trigger, str(match.phase)] == ["score", "round"]
        assert match.game == MauMau.deal(2, seed=7, number=1)
        assert match.rounds[0].points == match.totals == match.rounds[0].game.outcome.scores

    def test_a_match_that_is_over(self) -> None:
        match = Match("maumau", players=2, seed=7)
        outcome = match.run()
        assert match.outcome == outcome == match.run()
        assert outcome.ending is MatchEnding.WON
        assert repr(match) == f"<Match of Mau-Mau to 100: {outcome}>"
        with pytest.raises(IllegalMove, match=r"^the match is over: player \d won, totals"):
            match.step()

    def test_a_round_can_be_played_by_hand(self) -> None:
        match = Match(MauMau, players=2, seed=7)
        match.step()
        game = match.game
        assert game is not None
        while game.outcome is None:
            game.fire(game.events()[0])
        assert match.play_round().game is game
        assert match.totals == game.outcome.scores

    def test_a_fresh_seed(self) -> None:
        match = Match(MauMau)
        again = Match(MauMau, 2, match.seed)
        assert match.run() == again.run()

    def test_a_game_with_house_rules(self) -> None:
        kind = MauMau.with_rules("nine-reverses")
        match = Match(kind, players=3, seed=7)
        match.run()
        assert {type(round.game) for round in match.rounds} == {kind}


class TestGivenDecks:
    def decks(self, players: int, count: int) -> list[list[int]]:
        return [list(MauMau.deck_of(players, 3, number)) for number in range(count)]

    def test_nobody_wins_when_the_decks_end(self) -> None:
        outcome = Match.of_decks(MauMau, 2, self.decks(2, 2), target=1000).run()
        assert (outcome.ending, outcome.winner, outcome.rounds) == (MatchEnding.OUT_OF_DECKS, None, 2)
        assert str(outcome).startswith("no winner: out of decks, totals ")

    def test_decks_left_over_are_checked_and_not_played(self) -> None:
        match = Match.of_decks(MauMau, 2, self.decks(2, 40))
        assert match.run().rounds < 40
        with pytest.raises(ValueError, match="deck 40: 31 cards are not the whole deck; use 32"):
            Match.of_decks(MauMau, 2, [*self.decks(2, 39), self.decks(2, 1)[0][1:]])

    @pytest.mark.parametrize("count", [0, 1025])
    def test_the_number_of_decks(self, count: int) -> None:
        with pytest.raises(ValueError, match=f"{count} decks; use 1 to 1,024"):
            Match.of_decks(MauMau, 2, self.decks(2, 1) * count)

    def test_an_endless_round_scores_nothing_and_the_dealer_moves_on(self, corpus: Corpus) -> None:
        (line,) = [line for line, answer in corpus if answer[1] == "No score: endless"]
        endless = MauMau.parse(line)
        decks = [endless.dealt_deck(), self.decks(endless.players, 1)[0]]
        match = Match.of_decks(MauMau, endless.players, decks, target=1000)
        match.run()
        first, second = match.rounds
        assert first.game.outcome is not None
        assert first.game.outcome.ending is Ending.ENDLESS
        assert (first.points, second.dealer) == ((0,) * endless.players, 2)
        assert match.totals == second.points


# ---------------------------------------------------------------- compiled


def test_the_numbers_of_decks_are_documented() -> None:
    """Round k of match m has the deck of game 1024 m + k: no match depends on the length of another."""
    match = Match(Uno, players=3, seed=9, number=5)
    match.run()
    expected = [Uno.deck_of(3, 9, 5 * 1024 + k) for k in range(len(match.rounds))]
    assert [list(deck) for deck in match.decks] == [list(deck) for deck in expected]


def compare_matches(
    kind: type[Game], players: int, policies: tuple[str, ...], matches: int, seed: int = 21, first: int = 4
) -> None:
    """Play matches by both engines: every result, the counts of all arcs."""
    results = bulk.matches(players, matches, seed, first, policies, game=kind, threads=2, tally=True)
    fired: Counter[Any] = Counter()
    for place in range(matches):
        match = Match(kind, players, seed, first + place, policies)
        outcome = match.run()
        row = results.games[place]
        winner = None if row["winner"] < 0 else int(row["winner"]) + 1
        winners = tuple(seat + 1 for seat in range(players) if has_won(row, seat))
        assert (MatchEnding(row["ending"]), winner, winners) == (outcome.ending, outcome.winner, outcome.winners)
        assert (tuple(results.scores[place]), int(results.rounds[place])) == (outcome.totals, outcome.rounds)
        games = [round.game for round in match.rounds]
        assert row["turns"] == sum(game.table.turns for game in games)
        assert row["reshuffles"] == sum(game.table.reshuffles for game in games)
        fired.update(step.arc for game in games for step in game.history)
    assert results.fired == {arc: fired[arc] for arc in kind.declaration.arcs}


def test_partners_win_a_match_together() -> None:
    """Spades to 300: the side with more points wins when one has 300, both players of it."""
    kept = set()
    for number in range(12):
        match = Match(Spades, seed=3, number=number, target=300)
        outcome = match.run()
        one, other = outcome.totals[:2]
        assert outcome.totals == (one, other) * 2
        assert max(one, other) >= 300 > max(match.rounds[-2].totals)
        assert outcome.winners == ((1, 3) if one > other else (2, 4))
        assert (outcome.ending, outcome.winner) == (MatchEnding.WON, None)
        record = record_of(match)
        assert (record["winner"], record["winners"]) == (None, list(outcome.winners))
        kept.add(outcome.told(300).partition(" after")[0])
    assert kept == {f"Players {side} win the match to 300" for side in ("1 and 3", "2 and 4")}


def test_two_sides_with_equal_totals_tie() -> None:
    table = MatchTable(players=4, sides=2, target=50, totals=[0] * 64, points=[60] * 4 + [0] * 60)
    assert somebody_has_target(table)
    assert not one_is_ahead(table)
    table.points[1] = table.points[3] = 61
    assert one_is_ahead(table)
    win_match(table)
    assert (table.winner, table.winners) == (NO_WINNER, 0b1010)


@pytest.mark.parametrize(
    ("sides", "told"), [(1, "1 sides of 4 players"), (3, "3 sides of 4 players"), (8, "8 sides of 4 players")]
)
def test_sides_of_unequal_size_are_refused(sides: int, told: str) -> None:
    scoring = replace(Spades.declaration.scoring, sides=sides)
    with pytest.raises(DeclarationError, match=f"{told}; use sides of equal size"):
        replace(Spades.declaration, scoring=scoring)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "players", "policies", "matches"),
    [
        (MauMau, 3, ("house",), 60),
        pytest.param(Uno, 4, ("house",), 20, marks=pytest.mark.thorough),
        (ZeroSum, 3, ("house",), 40),
        (Spades, 4, ("house",), 10),
        pytest.param(MauMau, 2, ("random", "house"), 12, marks=pytest.mark.thorough),
    ],
)
def test_compiled_matches_are_the_stepped_ones(
    kind: type[Game], players: int, policies: tuple[str, ...], matches: int
) -> None:
    compare_matches(kind, players, policies, matches)


NAMED = ("house", "bluffer", "forgetful")
LONG = [
    *[("maumau", 2 + part % 3, ("house",), 1_000 * part) for part in range(20)],
    *[("uno", players, ("house",), 250 * part) for part, players in enumerate((2, 3, 4, 5, 6, 7, 8, 10))],
    *[
        ("uno-official", players, tuple(NAMED[seat % 3] for seat in range(players)), 250 * part)
        for part, players in enumerate((2, 3, 4, 5, 6, 7, 8, 10))
    ],
    *[("mahjong", 2 + part % 3, ("house",), 250 * part) for part in range(8)],
]
"""Game, players, policies, and the first of 1,000 matches of Mau-Mau or of 250 of another game: 20,000 rounds at least."""


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "players", "policies", "first"), LONG)
def test_20_000_compiled_rounds_of_matches_are_the_stepped_ones(
    game: str, players: int, policies: tuple[str, ...], first: int
) -> None:
    compare_matches(game_class(game), players, policies, 1_000 if game == "maumau" else 250, seed=8, first=first)


@pytest.mark.slow
def test_matches_with_rounds_beyond_the_horizon_are_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.kernels.compiler.program.LONG_HORIZON", 40)
    monkeypatch.setattr("maumau.kernels.compiler.machine_code._ready", {})
    monkeypatch.setattr("maumau.kernels.compiler.machine_code._absent", set())
    monkeypatch.setattr("maumau.kernels.compiler.machine_code.load", lambda name: None)
    monkeypatch.setattr("maumau.kernels.compiler.machine_code.keep", lambda *content: None)
    compare_matches(MauMau, 2, ("random",), 6)


@pytest.mark.slow
def test_the_log_of_a_match_is_whole_where_there_is_room_for_all_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds that get the last room for positions have more events than were known before: the log was cut."""
    monkeypatch.setattr("maumau.kernels.bulk.logged.EVENTS", 1)
    monkeypatch.setattr("maumau.kernels.compiler.source.MAX_ROOM", FIRST_ROOM)
    match = Match(MauMau, 2, 3, 5)
    match.run()
    dealt = [DealtMatch(2, tuple(map(bytes, match.decks)))]
    (played,) = play_compiled(MauMau, dealt, ("house", "house"), 3, 5, match.target)
    assert record_of(played) == record_of(match)


def test_a_match_does_not_depend_on_its_place() -> None:
    whole = bulk.matches(3, 40, 7, tally=True)
    part = bulk.matches(3, 10, 7, first=25, threads=1, tally=True)
    assert (part.games == whole.games[25:35]).all()
    assert (part.scores == whole.scores[25:35]).all()
    assert bulk.matches(3, 0, 7, tally=True).scores.shape == (0, 3)


def test_another_target() -> None:
    results = bulk.matches(3, 10, 7, target=20, tally=True)
    for place in range(10):
        assert tuple(results.scores[place]) == Match(MauMau, 3, 7, place, target=20).run().totals


def test_the_last_match_has_a_number_in_range() -> None:
    with pytest.raises(ValueError, match="the last match: 9007199254740992 is out of range"):
        bulk.matches(2, 2, 0, 2**53 - 1)


def test_a_game_that_declares_no_scoring_counts_its_own_points() -> None:
    kind = game_of(replace(MauMau.declaration, name="plain-points", scoring=Scoring()))
    assert Match(kind, 2, 7).run() == Match(MauMau, 2, 7).run()
    assert MauMau.declaration.scoring == Scoring(points=None, target=100, lowest_wins=True, unwon_scores=False)


# ---------------------------------------------------------------- undo, redo and copies


def state_of(match: Match) -> tuple[Any, ...]:
    """All that can be seen of a match."""
    game = match.game and (match.game.position(), len(match.game.history))
    rounds = [(each.number, each.dealer, str(each.game.outcome), each.points, each.totals) for each in match.rounds]
    return match.phase, match.dealer, match.totals, rounds, list(match.history), match.outcome, game


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "policy"), [(MauMau, "random"), (DealerMauMau, "house")])
def test_a_match_is_taken_back_event_by_event_and_goes_on_as_before(kind: type[Game], policy: str) -> None:
    match = Match(kind, 2, 3, policies=policy, target=100)
    states, steps = [state_of(match)], []
    while match.outcome is None:
        steps.append(match.step())
        states.append(state_of(match))
    assert len(match.rounds) > 1
    for state, step in zip(reversed(states[:-1]), reversed(steps), strict=True):
        assert str(match.undo()) == str(step)
        assert state_of(match) == state
    with pytest.raises(IllegalMove, match="nothing to undo: no event has been fired yet"):
        match.undo()
    for state, step in zip(states[1:], steps, strict=True):
        assert str(match.redo()) == str(step)
        assert state_of(match) == state
    with pytest.raises(IllegalMove, match="nothing to redo"):
        match.redo()


def test_what_was_taken_back_is_not_redone_after_another_event() -> None:
    match = Match(MauMau, 2, 3)
    first = match.play_round()
    assert [match.undo().trigger for _ in range(2)] == ["score", "end_round"]
    assert (match.rounds, match.game) == ([], first.game)
    assert [match.redo().trigger, match.undo().trigger] == ["end_round"] * 2
    events = [step.trigger for step in first.game.history]
    place = len(events) - events[::-1].index("play") - 1
    while len(first.game.history) > place:
        match.undo()
    first.game.draw()
    first.game.run()
    with pytest.raises(IllegalMove, match="nothing to redo: no event has been taken back since the last one was fired"):
        match.redo()
    assert match.run().rounds == len(match.rounds)


@pytest.mark.parametrize("copied", [Match.clone, copy, deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
@pytest.mark.parametrize("steps", [0, 1, 20, 60])
def test_a_copy_of_a_match_is_independent_and_goes_on_alike(copied: Callable[[Match], Match], steps: int) -> None:
    match = Match(MauMau.with_rules("five-each"), 3, 5, policies=("house", "random", "first-legal"), target=20)
    for _ in range(steps):
        match.step()
    if steps:
        match.undo()
    before, other = state_of(match), copied(match)
    assert (type(other), other.kind, state_of(other)) == (Match, match.kind, before)
    if steps:
        assert str(other.redo()) == str(match.clone().redo())
        other.undo()
    ended = other.run()
    assert state_of(match) == before
    while other.history:
        other.undo()
    assert (state_of(match), match.run(), match.policies) == (before, ended, other.policies)
