"""Tournaments: who sits where, the counts of wins, and ratings against figures that can be worked out by hand."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from math import log10

import numpy as np
import pytest
from command import maumau

from examples.kuhn_poker import KuhnPoker
from examples.president import President
from fsm import MauMau
from maumau.kernels.bulk.runner import Runner
from maumau.study import tournament
from maumau.study.tournament import play_tournament, ratings_of, tables_of


def test_every_table_has_as_many_different_players_as_it_can() -> None:
    assert tables_of(("a", "b", "c"), 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert tables_of(("a", "b"), 3) == [("a", "a", "b"), ("a", "b", "b")]


@pytest.mark.parametrize(
    "names", [("house", "random"), pytest.param(("house", "random", "first-legal"), marks=pytest.mark.thorough)]
)
def test_the_wins_are_those_of_the_stepped_games(names: tuple[str, ...]) -> None:
    played = play_tournament(MauMau, players=2, names=names, games=20, seed=7)
    wins: Counter[str] = Counter()
    for seating in permutations(names, 2):
        for number in range(20):
            winner = MauMau.deal(2, 7, number, seating).run().winner
            if winner:
                wins[seating[winner - 1]] += 1
    assert {rated.name: rated.wins for rated in played.rated} == dict(wins)
    others = len(names) - 1
    assert {rated.games for rated in played.rated} == {40 * others}
    assert played.without_winner == 20 * len(names) * others - sum(wins.values())
    assert [rated.rating.value for rated in played.rated] == sorted(
        (r.rating.value for r in played.rated), reverse=True
    )


def test_where_a_game_declares_returns_those_of_the_stepped_games_are_compared() -> None:
    played = play_tournament(KuhnPoker, players=2, names=("random", "house"), games=30, seed=7)
    gained: Counter[str] = Counter()
    for seating in permutations(("random", "house")):
        for number in range(30):
            returns = KuhnPoker.deal(2, 7, number, seating).run().returns
            gained.update({name: int(own) for name, own in zip(seating, returns, strict=True)})
    means = {rated.name: rated.returns and rated.returns.value for rated in played.rated}
    assert means == {name: pytest.approx(total / 60) for name, total in gained.items()}
    assert played.rated[0].name == max(gained, key=lambda name: gained[name])


@pytest.mark.slow
def test_where_a_game_ends_with_places_those_of_the_stepped_games_are_compared() -> None:
    played = play_tournament(President, players=3, names=("random", "house"), games=10, seed=7)
    taken: dict[str, list[int]] = {"random": [], "house": []}
    for table in tables_of(tuple(taken), 3):
        for seating in dict.fromkeys(permutations(table)):
            for number in range(10):
                for name, place in zip(seating, President.deal(3, 7, number, seating).run().scores, strict=True):
                    taken[name].append(place)
    means = {rated.name: rated.place and rated.place.value for rated in played.rated}
    assert means == {name: pytest.approx(sum(places) / len(places)) for name, places in taken.items()}
    assert played.rated[0].name == min(means, key=lambda name: means[name] or 0)
    options = ("tournament", "--game", "examples/president.py:President", "--players", 3, "--games", 10, "--seed", 7)
    lines = maumau(*options, "--policy", "house,random", "--format", "csv").stdout.splitlines()
    assert lines[0].endswith(",returns to,place,place from,place to")
    assert float(lines[1].split(",")[-3]) == means["house"]
    assert "   place  " in maumau(*options, "--policy", "house,random").stdout


def test_the_command_has_columns_of_returns_where_a_game_declares_them() -> None:
    options = ("tournament", "--game", "examples/kuhn_poker.py:KuhnPoker", "--policy", "house,random", "--games", 30)
    best = json.loads(maumau(*options, "--json").stdout)["rated"][0]
    assert best["returns from"] <= best["returns"] <= best["returns to"]
    lines = maumau(*options, "--format", "csv").stdout.splitlines()
    assert lines[0].endswith(",rating to,returns,returns from,returns to")
    assert float(lines[1].split(",")[-3]) == best["returns"]
    assert "   returns  " in maumau(*options).stdout


@pytest.mark.slow
def test_many_decks_are_resampled_in_blocks_of_which_there_are_not_more(monkeypatch: pytest.MonkeyPatch) -> None:
    each = play_tournament(MauMau, players=2, names=("house", "random"), games=700, seed=7)
    monkeypatch.setattr(tournament, "BLOCKS", 300)
    monkeypatch.setattr(tournament, "CHUNK", 100)
    shapes = []
    resampled = tournament.resampled
    monkeypatch.setattr(tournament, "resampled", lambda wins: shapes.append(wins.shape) or resampled(wins))
    blocks = play_tournament(MauMau, players=2, names=("house", "random"), games=700, seed=7)
    assert shapes == [(234, 1, 2)]  # the wins: Mau-Mau has neither returns nor places
    for one, other in zip(each.rated, blocks.rated, strict=True):
        assert (one.name, one.games, one.wins) == (other.name, other.games, other.wins)
        assert (one.share.value, one.rating.value) == (other.share.value, other.rating.value)
        assert one.share.low == pytest.approx(other.share.low, abs=0.01)
        assert one.share.high == pytest.approx(other.share.high, abs=0.01)


def test_no_more_games_are_played_at_a_time_the_more_decks_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of decks may have more games than a chunk: memory must not grow with them."""
    monkeypatch.setattr(tournament, "BLOCKS", 3)
    monkeypatch.setattr(tournament, "CHUNK", 100)
    at_once, play = [], Runner.play
    monkeypatch.setattr(
        Runner, "play", lambda runner, *given, **more: at_once.append(given[2]) or play(runner, *given, **more)
    )
    sums = tournament.sums_of([(MauMau.declaration, ("house", "random"))], 700, 7)[0]
    assert at_once == [100] * 7
    assert sums[:, :3].sum(axis=1).tolist() == [234, 234, 232]


def test_ratings_of_two_players_are_the_logarithm_of_their_wins() -> None:
    """Bradley and Terry: strengths are as 300 to 100, half a win added to each."""
    high, low = ratings_of(np.array([[300, 100]]), np.array([[1, 1]]))
    assert high - low == pytest.approx(400 * log10(300.5 / 100.5), abs=1e-4)
    assert high + low == pytest.approx(0, abs=1e-6)


def test_ratings_at_a_table_of_three_count_every_seat() -> None:
    """Two seats of a player of equal strength win twice as often as one seat of the other."""
    first, second = ratings_of(np.array([[200_000, 100_000]]), np.array([[2, 1]]))
    assert first == pytest.approx(second, abs=0.01)
    first, second = ratings_of(np.array([[500_000, 500_000]]), np.array([[2, 1]]))
    assert second - first == pytest.approx(400 * log10(2), abs=0.01)


def test_ratings_of_three_players_fit_all_pairs() -> None:
    """Strengths 4, 2 and 1: each pair is won in their proportion."""
    wins = np.array([[40_000, 20_000, 0], [48_000, 0, 12_000], [0, 40_000, 20_000]])
    found = ratings_of(wins, np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]]))
    assert found == pytest.approx([400 * log10(2), 0, -400 * log10(2)], abs=0.1)


def test_the_command_prints_a_table_json_and_csv() -> None:
    options = ("tournament", "--policy", "house,random", "--games", 30, "--seed", 7)
    record = json.loads(maumau(*options, "--json").stdout)
    assert [rated["player"] for rated in record["rated"]] == ["house", "random"]
    best = record["rated"][0]
    assert best["from"] <= best["share"] <= best["to"]
    assert best["rating from"] <= best["rating"] <= best["rating to"]
    lines = maumau(*options, "--format", "csv").stdout.splitlines()
    assert lines[0] == "player,games,wins,share,from,to,rating,rating from,rating to"
    assert lines[1].split(",")[:3] == ["house", "60", str(best["wins"])]
    table = maumau(*options)
    assert table.stdout.startswith("maumau: 30 decks in 2 seatings of 2 players, seed 7\n")
    assert (table.returncode, table.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--policy: missing; name two or more policies"),
        (["--policy", "house"], "--policy: 'house' is the only player; name two or more"),
        (["--policy", "house,house"], "--policy: 'house' is the only player; name two or more"),
        (["--policy", "house,random,house"], "--policy: 'house' is named twice; name each player once"),
        (["--policy", "house,house,best"], "--policy: unknown policy 'best'; use one of house, random, "),
        (["--policy", "house,best"], "--policy: unknown policy 'best'; use one of house, random, "),
        (
            ["--policy", "house,random", "--games", "9" * 18],
            f"--games: {'9' * 18} is out of range; use 1 to 1,000,000,000",
        ),
        (["--policy", "house,random", "--players", "9"], "--players: 9 players cannot play; use 2 to 4"),
        (["--policy", "house,random", "--json", "--format", "csv"], "--format and --json cannot be used together"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], message: str) -> None:
    done = maumau("tournament", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)


def test_the_same_tournament_has_the_same_result() -> None:
    first, again = (
        play_tournament(MauMau, 2, ("house", "random"), games=10, seed=3, threads=threads) for threads in (1, 2)
    )
    assert first == again
