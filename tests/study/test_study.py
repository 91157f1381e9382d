"""A study tells what its games tell: against games played one by one, and whatever the order in which they are."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fsm import Game, MauMau, MauMauPhase, Uno
from maumau.cli.main import app
from maumau.kernels import bulk
from maumau.kernels.bulk.by_value import CELLS, histograms
from maumau.kernels.compiler.program import Results, blank_rows
from maumau.study.counts import LISTED, Counts, StudyProgress, Unwon
from maumau.study.playing import PlayedChunk, Threads, count, play
from maumau.study.run import Interrupted, run
from maumau.study.spec import Chunk, StudyError, StudySpec
from maumau.study.summary import Difference, Summary, summary
from rules.ending import Ending
from rules.errors import Explained

MIXED = ("house", "random")


def answer(spec: StudySpec, threads: int = 2) -> Summary:
    return summary(run(spec, Threads(threads)))


def stepped(kind: type[Game], spec: StudySpec) -> Iterator[tuple[tuple[str, ...], Game]]:
    """The games of a question, one by one, and who sat where."""
    for seating in spec.seatings:
        for number in range(spec.first, spec.first + spec.games):
            game = kind.deal(spec.players, spec.seed, number, seating)
            game.run()
            yield seating, game


class TestAgainstGamesPlayedOneByOne:
    @pytest.mark.parametrize(
        ("kind", "players", "policies", "games"),
        [(MauMau, 2, MIXED, 60), (MauMau, 4, ("house",), 100), (Uno, 3, ("house",), 30)],
    )
    def test_every_figure(self, kind: type[Game], players: int, policies: tuple[str, ...], games: int) -> None:
        name = kind.declaration.name
        spec = StudySpec.of(name, players, games, 5, policies, first=1000, chunk=17)
        summary = answer(spec)
        known = list(stepped(kind, spec))
        assert summary.played == len(known)
        for seating in summary.seatings:
            played = [game for policies, game in known if policies == seating.policies]
            tables = [game.table for game in played]
            for seat in seating.seats:
                assert seat.policy == seating.policies[seat.seat - 1]
                assert seat.wins.count == sum(game.outcome.winner == seat.seat for game in played if game.outcome)
                points = [game.outcome.scores[seat.seat - 1] for game in played if game.outcome]
                assert seat.points.mean == pytest.approx(np.mean(points))
                assert seat.points.deviation == pytest.approx(np.std(points, ddof=1))
            turns, _, _, reshuffles = seating.histograms
            assert Counter(dict(enumerate(turns.histogram))) == Counter(table.turns for table in tables)
            assert Counter(dict(enumerate(reshuffles.histogram))) == Counter(table.reshuffles for table in tables)
            assert seating.reshuffled.count == sum(table.reshuffles > 0 for table in tables)
            assert turns.quantiles["median"] == sorted(table.turns for table in tables)[(len(tables) - 1) // 2]
            assert (turns.least, turns.most) == (min(t.turns for t in tables), max(t.turns for t in tables))
            assert sum(each.count for each in seating.endings.values()) == games
        steps = [step for _, game in known for step in game.history]
        assert summary.fired == dict.fromkeys(kind.declaration.arcs, 0) | Counter(step.arc for step in steps)
        assert summary.used == dict.fromkeys(set(kind.declaration.rule_names) - {"random-legal-card"}, 0) | Counter(
            step.rule for step in steps if step.rule
        )

    def test_chains_of_sevens_are_as_long_as_they_were_laid(self) -> None:
        spec = StudySpec.of("maumau", 3, 300, 8)
        lengths: Counter[int] = Counter()
        for _, game in stepped(MauMau, spec):
            chain = 0
            for step in game.history:
                if step.source is MauMauPhase.PENALTY_PENDING and step.trigger != "play":
                    lengths[chain] += 1
                    chain = 0
                elif MauMauPhase.PENALTY_PENDING in (step.source, step.dest):
                    chain += 1
                    if step.dest is MauMauPhase.GAME_OVER:
                        lengths[chain] += 1
        summary = answer(spec).chains
        assert summary is not None
        assert summary.lengths == {length: lengths[length] for length in (1, 2, 3, 4)}
        assert summary.lengths[2] > 0
        assert summary.mean == pytest.approx(sum(n * lengths[n] for n in lengths) / lengths.total())

    def test_chains_are_counted_whoever_plays(self) -> None:
        """Stepped games, a player who searches among them, count the chains that the events show."""
        spec = StudySpec.of("maumau", 3, 4, 5, ("search:2", "house", "house"))
        lengths: Counter[int] = Counter()
        for _, game in stepped(MauMau, spec):
            chain = 0
            for step in game.history:
                chain += step.trigger in ("open", "play") and step.card is not None and step.card[1] == "S"
                if step.source is MauMauPhase.PENALTY_PENDING and step.dest is not MauMauPhase.PENALTY_PENDING:
                    lengths[chain] += 1
                    chain = 0
        found = answer(spec)
        assert found.chains is not None
        assert +Counter(found.chains.lengths) == lengths
        assert found.seatings[0].policies == ("search:2", "house", "house")

    def test_uno_has_no_chains(self) -> None:
        assert answer(StudySpec.of("uno", 2, 5, 1)).chains is None

    def test_counting_chains_changes_nothing(self) -> None:
        spec = StudySpec.of("maumau", 4, 3000, 3, ("house",))
        (own,) = play(spec, Chunk(0, 0, 3000))
        known = bulk.play_dealt(4, 3000, 3, 0, spec.policies, tally=True)
        assert (own.games == known.games).all()
        assert (own.scores == known.scores).all()
        assert own.counted == known.counted
        assert own.used == known.used


class TestComparing:
    @pytest.mark.slow
    def test_it_is_the_paired_test_of_what_happened_on_each_deck(self) -> None:
        spec = StudySpec.of("maumau", 4, 500, 2, ("house", "random", "random", "house"), chunk=77)
        assert len(spec.seatings) == 4
        wins = {each: np.zeros((500, 4)) for each in MIXED}
        points = {each: np.zeros((500, 4)) for each in MIXED}
        for seating in spec.seatings:
            played = bulk.play_dealt(4, 500, 2, 0, seating)
            for seat, policy in enumerate(seating):
                wins[policy][:, seat] += (played.games["winner"] == seat) / 2
                points[policy][:, seat] += played.scores[:, seat] / 2
        summary = {(each.seat, each.measure): each for each in answer(spec).differences}
        assert len(summary) == 10
        for (seat, measure), each in summary.items():
            of = {"wins": wins, "points": points}[measure]
            one, other = (of[name].mean(axis=1) if seat == 0 else of[name][:, seat - 1] for name in MIXED)
            expected = stats.ttest_rel(one, other)
            assert (each.one, each.other) == MIXED
            assert each.difference.mean == pytest.approx((one - other).mean())
            assert each.difference.deviation == pytest.approx((one - other).std(ddof=1))
            assert (each.difference.low, each.difference.high) == pytest.approx(tuple(expected.confidence_interval()))
            assert each.p_value == pytest.approx(expected.pvalue)
            assert each.adjusted is not None
            assert each.p_value is not None
            assert each.adjusted >= each.p_value

    def test_the_luck_of_the_deck_cancels(self) -> None:
        """House rules against themselves under other names would differ by nothing; here: the seat, on equal decks."""
        spec = StudySpec.of("maumau", 2, 2000, 4, MIXED)
        summary = answer(spec)
        overall = next(each for each in summary.differences if (each.seat, each.measure) == (0, "points"))
        seats = {seat.policy: seat.points for seat in summary.seatings[0].seats}
        unpaired = sum(points.deviation**2 for points in seats.values()) ** 0.5
        assert overall.difference.deviation < unpaired

    def test_seatings(self) -> None:
        def seatings(*policies: str, rotate: bool = True) -> tuple[tuple[str, ...], ...]:
            return StudySpec.of("maumau", len(policies), 1, 0, policies, rotate=rotate).seatings

        assert seatings("house", "random") == (("house", "random"), ("random", "house"))
        assert seatings("house", "random", rotate=False) == (("house", "random"),)
        assert seatings("house", "house", "house") == (("house",) * 3,)
        assert len(seatings("house", "random", "house", "random")) == 2
        assert len(seatings("house", "house", "house", "random")) == 4

    def test_without_rotation_nothing_is_compared(self) -> None:
        summary = answer(StudySpec.of("maumau", 2, 50, 4, MIXED, rotate=False))
        assert summary.differences == ()
        assert len(summary.seatings) == 1

    def test_deviations_are_not_negative_where_all_decks_agree(self) -> None:
        summary = answer(StudySpec.of("maumau", 2, 1, 4, MIXED))
        assert all(isinstance(each, Difference) and each.p_value is None for each in summary.differences)


rows = st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(-(10**9), 10**9), max_size=4), max_size=3)
unwon = st.lists(st.tuples(st.integers(2, 3), st.integers(0, 50), st.integers(0, 1)), max_size=5, unique=True)


@st.composite
def counts(draw: Any) -> Counts:
    sums = {name: np.array(row, np.int64) for name, row in draw(rows).items()}
    return Counts(sums, tuple(Unwon(*game) for game in sorted(draw(unwon))))


def padded(one: Counts) -> dict[str, Any]:
    """What is counted, however long its rows are."""
    sums = {name: np.trim_zeros(row, "b").tolist() for name, row in one.sums.items()}
    return {"sums": {name: row for name, row in sums.items() if row}, "unwon": one.unwon}


class TestCounts:
    @given(counts(), counts(), counts())
    def test_they_add_up_in_any_order(self, one: Counts, two: Counts, three: Counts) -> None:
        assert one + two == two + one
        assert (one + two) + three == one + (two + three)
        assert one + Counts() == one

    def test_of_many_games_without_a_winner_the_first_are_kept(self) -> None:
        early, late = (Counts({}, tuple(Unwon(2, start + n, 0) for n in range(LISTED))) for start in (0, 10 * LISTED))
        endless = Counts({}, (Unwon(3, 10**9, 1),))
        for whole in (early + endless + late, late + early + endless):
            assert whole.unwon == (*early.unwon, *endless.unwon)

    @given(st.lists(st.integers(1, 399), max_size=4, unique=True))
    def test_it_does_not_matter_where_a_study_is_cut(self, cuts: list[int]) -> None:
        spec = StudySpec.of("maumau", 3, 400, 6)
        ends = [*sorted(cuts), 400]
        parts = [
            Chunk(place, start, end - start) for place, (start, end) in enumerate(zip([0, *ends], ends, strict=False))
        ]
        whole = Counts()
        for part in reversed(parts):
            whole += count(spec, part, play(spec, part))
        only = Chunk(0, 0, 400)
        assert padded(whole) == padded(count(spec, only, play(spec, only)))


VALUE = st.one_of(st.integers(0, 3), st.integers(CELLS - 4, CELLS + 2), st.integers(0, 5000))
SCORE = st.one_of(VALUE, st.integers(-1, 0), st.integers(-5000, 0))
RESULT = st.tuples(st.integers(1, 3), st.integers(-1, 2), VALUE, SCORE)


class TestSpreads:
    @given(st.lists(RESULT, max_size=6), st.integers(0, 2**32 - 1))
    def test_every_value_is_counted_however_large(self, given_results: list[tuple[int, ...]], trail: int) -> None:
        games, scores = blank_rows(len(given_results), 3)
        for row, (ending, winner, turns, points) in enumerate(given_results):
            games[row]["ending"], games[row]["winner"], games[row]["trail"] = ending, winner, trail
            games[row]["turns"] = games[row]["taken"] = turns
            scores[row] = points, 0, 1
        summary = histograms(Results(games, scores))
        assert summary["trails"].tolist() == [trail * len(given_results)]
        assert summary["endings"].tolist() == [sum(one[0] == ending for one in given_results) for ending in Ending]
        assert summary["wins"].tolist() == [sum(one[1] == seat for one in given_results) for seat in range(3)]
        columns = {name: games[name] for name in ("turns", "laid", "taken", "reshuffles")}
        columns |= {f"score {seat + 1}": scores[:, seat] for seat in range(3)}
        for name, column in columns.items():
            values = Counter(column.tolist())
            assert summary[name].dtype == np.int64
            assert trimmed(summary[name]) == trimmed([values[value] for value in range(5001)])
            losses = summary.get(name.replace("score", "loss"), ()) if min(values, default=0) < 0 else ()
            assert trimmed(losses) == trimmed([0, *(values[-value] for value in range(1, 5001))])


def trimmed(counts: Sequence[int]) -> list[int]:
    """Counts without the zeros at their end."""
    return np.trim_zeros(np.array(counts, np.int64), "b").tolist()


class Shuffled:
    """Workers that hand chunks back in a given order, three at a time."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.order = order

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        waiting: list[PlayedChunk] = []
        for chunk in chunks:
            waiting.append(PlayedChunk(chunk, count(spec, chunk, play(spec, chunk)), None))
            if len(waiting) == len(self.order):
                yield from (waiting[place] for place in self.order)
                waiting.clear()
        yield from waiting


class Pressing:
    """Workers during whose second chunk Ctrl-C is pressed, while an object of a library is finalized."""

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        class Finalized:
            def __del__(self) -> None:
                signal.raise_signal(signal.SIGINT)

        for chunk in chunks:
            if chunk.number == 1:
                Finalized()
            yield PlayedChunk(chunk, count(spec, chunk, play(spec, chunk)), None)


def test_ctrl_c_that_a_finalizer_would_swallow_is_not_lost(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(Interrupted) as interrupted:
        run(StudySpec.of("maumau", 2, 400, 9, chunk=100), Pressing())
    assert interrupted.value.progress.chunks == 2
    assert "ignored" not in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is before


class TestStoppingEarly:
    QUESTION = StudySpec.of("maumau", 2, 40_000, 9, until_width=0.06, chunk=500)

    def test_it_stops_when_the_intervals_are_narrow(self) -> None:
        summary = answer(self.QUESTION)
        assert summary.stopped
        assert summary.finished
        assert summary.games % 500 == 0
        assert all(seat.wins.high - seat.wins.low <= 0.06 for seat in summary.seatings[0].seats)
        before = answer(StudySpec.of("maumau", 2, summary.games - 500, 9, until_width=0.06, chunk=500))
        assert not before.stopped
        assert any(seat.wins.high - seat.wins.low > 0.06 for seat in before.seatings[0].seats)
        assert "valid at every look" in summary.method

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_where_it_stops_does_not_depend_on_the_order(self, order: tuple[int, ...]) -> None:
        known = run(self.QUESTION, Threads(1))
        shuffled = run(self.QUESTION, Shuffled(order))
        assert (shuffled.games, shuffled.narrow) == (known.games, True)
        assert shuffled.counts == known.counts

    def test_it_ends_with_the_last_game_otherwise(self) -> None:
        summary = answer(StudySpec.of("maumau", 2, 900, 9, until_width=0.001, chunk=500))
        assert (summary.games, summary.stopped, summary.finished) == (900, False, True)


def test_the_number_of_threads_changes_nothing() -> None:
    spec = StudySpec.of("maumau", 4, 20_000, 1, chunk=1000)
    known = run(spec, Threads(1))
    for threads in (2, 3, 7):
        assert run(spec, Threads(threads)).counts == known.counts


@pytest.mark.slow
def test_games_without_a_winner_are_found_again_by_the_printed_command() -> None:
    summary = answer(StudySpec.of("maumau", 4, 400, 7, ("random", "random", "house", "house"), first=100))
    for each in summary.unfinished[:3]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        line = ["bash", "-c", each.command]
        done = subprocess.run(line, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
        assert done.returncode == 1
        assert f"Nobody wins: {each.ending}." in done.stdout
    assert "--number" in summary.unfinished[0].command


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"players": 5}, "5 players cannot play; use 2 to 4"),
        ({"players": 10**12}, "1000000000000 players cannot play; use 2 to 4"),
        *[({"seed": value}, "seed: .* is of type .*; give a whole number") for value in (1.0, True, "1", None, [1])],
        *[
            ({name: value}, f"{name}: .* is of type .*; give a whole number")
            for name in ("players", "games", "first", "chunk", "target")
            for value in (True, 2.0, "2", np.float64(2), np.True_)
        ],
        *[
            ({name: value}, f"{name}: .* is of type .*; give a number")
            for name in ("confidence", "until_width")
            for value in (True, "0.5", 0.5j, [0.5], np.True_)
        ],
        *[({"rotate": value}, "rotate: .* is of type .*; give True or False") for value in (1, "yes", None, [True])],
        *[({"compared_with": value}, "compared_with: .*; give a name") for value in (1, ["maumau"])],
        ({"games": 0}, "games: 0 is too small; use 1 or more"),
        *[({name: 10**9999}, "number of too many digits.*; use") for name in ("players", "games", "seed", "target")],
        ({"chunk": -(10**9999)}, "chunk: a number of too many digits is too small; use 1 or more"),
        ({"confidence": 10**9999}, "number of too many digits is not finite; give a finite number"),
        ({"seed": -1}, "seed: -1 is out of range"),
        ({"first": 2**63 - 5}, "games: 10 games from 9223372036854775803 on go beyond the last number"),
        ({"policies": ("house", "foo")}, "unknown policy 'foo'; use one of house, random, first-legal"),
        ({"policies": ("house",) * 3}, "3 policies for 2 players"),
        ({"confidence": 1.0}, "confidence: 1.0 is out of range; use at least 1e-06 and less than 1"),
        ({"until_width": 0.0}, "until_width: 0.0 is out of range; use more than 0"),
        ({"until_width": float("nan")}, "until_width: nan is not finite; give a finite number"),
        ({"chunk": 0}, "chunk: 0 is too small"),
    ],
)
def test_a_specification_that_contradicts_itself_is_refused(parameters: dict[str, Any], message: str) -> None:
    wrong_type = "of type" in message or message.endswith("give a name")
    with pytest.raises(TypeError if wrong_type else ValueError, match=message) as caught:
        StudySpec.of(**({"game": "maumau", "players": 2, "games": 10, "seed": 0} | parameters))
    assert wrong_type or isinstance(caught.value, StudyError)


def test_all_that_is_wrong_with_a_specification_is_told_at_once() -> None:
    with pytest.raises(StudyError) as caught:
        StudySpec("maumau", 2, 0, -1, ("house", "house"), chunk=0, confidence=1.0, until_width=2.0)
    assert str(caught.value).splitlines() == [
        "games: 0 is too small; use 1 or more",
        "chunk: 0 is too small; use 1 or more",
        "seed: -1 is out of range; use 0 to 9,223,372,036,854,775,807",
        "confidence: 1.0 is out of range; use at least 1e-06 and less than 1",
        "until_width: 2.0 is out of range; use more than 0 and less than 1",
    ]


def test_a_question_survives_as_text() -> None:
    spec = StudySpec.of("uno", 3, 10, 1, until_width=0.5)
    assert StudySpec.from_json(json.loads(json.dumps(spec.as_json()))) == spec
    with pytest.raises(
        StudyError, match="specification with policies, wrong; use chunk, compared_with, confidence, first"
    ):
        StudySpec.from_json({"policies": [], "wrong": 1})


def test_numbers_may_be_of_numpy() -> None:
    plain = {"players": 3, "games": 100, "seed": 5, "first": 9, "chunk": 10}
    for kind in (np.uint8, np.int32, np.int64, np.uint64):
        spec = StudySpec.of("maumau", **{name: kind(value) for name, value in plain.items()})
        assert spec == StudySpec.of("maumau", **plain)
        assert StudySpec.from_json(json.loads(json.dumps(spec.as_json()))) == spec
    for small in (np.int32, np.uint8, np.int64):
        match = StudySpec.of("maumau", **plain, target=small(30))
        assert StudySpec.from_json(json.loads(json.dumps(match.as_json()))) == match
    for real in (np.float16, np.float32, np.float64):
        spec = StudySpec.of("maumau", **plain, until_width=real(0.5), confidence=real(0.75), rotate=np.False_)
        assert (spec.until_width, spec.confidence, spec.rotate) == (0.5, 0.75, False)
        assert StudySpec.from_json(json.loads(json.dumps(spec.as_json()))) == spec


@pytest.mark.parametrize("number", [True, -1, 0, 2.0, "2"])
def test_a_number_of_threads(number: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="threads"):
        Threads(number)
    assert Threads(np.int32(2)).number == 2
    assert Threads().number >= 1


@pytest.mark.parametrize("command", ["study", "tournament"])
@pytest.mark.parametrize("number", [-1, 0, 5000])
def test_a_number_of_threads_on_the_command_line(command: str, number: int) -> None:
    with pytest.raises(Explained, match=f"^--threads: {number} is out of range; use 1 to 1,024"):
        app([command, "--players", "2", "--games", "1", "--threads", str(number)], standalone_mode=False)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_a_time_limit_of_chunks(seconds: str) -> None:
    with pytest.raises(Explained, match=f"--chunk-timeout: {seconds} is not above 0; use a number above 0"):
        app(
            ["study", "--players", "2", "--games", "1", "--cluster", "local", "--chunk-timeout", seconds],
            standalone_mode=False,
        )


def test_policies_are_names() -> None:
    assert StudySpec("maumau", 2, 10, 0, ["house", "random"]) == StudySpec("maumau", 2, 10, 0, ("house", "random"))
    for policies in ("house", (), ("house", 1), (None, None)):
        with pytest.raises(TypeError, match="give a name for each seat"):
            StudySpec("maumau", 2, 10, 0, policies)  # type: ignore[arg-type]


def test_progress_counts_what_waits() -> None:
    progress = StudyProgress(StudySpec.of("maumau", 2, 25, 0, chunk=10))
    progress.add(2, Counts())
    assert (progress.games, progress.done, progress.finished) == (0, 5, False)
    progress.add(0, Counts())
    progress.add(1, Counts())
    assert (progress.games, progress.done, progress.finished) == (25, 25, True)
