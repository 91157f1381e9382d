"""The compiled engine against the stepped one: the same decks, the same events, the same ends, whoever plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from answered_eights import AnsweredEights
from bulk_fixtures import Task, compare, differences
from hypothesis import given, settings
from hypothesis import strategies as st

from fsm import MauMau, Uno
from rules.chance import SEED_LIMIT
from rules.ending import Ending

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from maumau.kernels import bulk  # noqa: E402
from maumau.kernels.bulk import chunks, runner  # noqa: E402

pytest_plugins = ["bulk_fixtures"]

HOUSE, RANDOM, FIRST = "house", "random", "first-legal"
ALL = (HOUSE, RANDOM, FIRST)
# ---------------------------------------------------------------- decks

LARGE = [0, 1, 2**31, 2**32 - 3, 2**32, 2**62, SEED_LIMIT - 9]


@pytest.mark.parametrize("kind", [MauMau, Uno])
@pytest.mark.parametrize("seed", LARGE)
@pytest.mark.parametrize("first", LARGE)
def test_row_k_is_the_deck_of_game_first_plus_k(kind: Any, seed: int, first: int) -> None:
    game = kind.declaration.name
    for players in (2, 4):
        decks = bulk.deal(players, 8, seed, first, game=game)
        assert decks.tolist() == [list(kind.deck_of(players, seed, first + row)) for row in range(8)]


@settings(max_examples=30)
@given(
    players=st.integers(2, 10),
    seed=st.integers(0, SEED_LIMIT - 1),
    first=st.integers(0, SEED_LIMIT - 50),
    cut=st.integers(0, 40),
)
def test_a_deck_does_not_depend_on_those_dealt_with_it(players: int, seed: int, first: int, cut: int) -> None:
    decks = bulk.deal(players, 40, seed, first, game="uno")
    parts = (
        bulk.deal(players, cut, seed, first, game="uno"),
        bulk.deal(players, 40 - cut, seed, first + cut, game="uno"),
    )
    assert (np.concatenate(parts) == decks).all()
    assert decks[17].tolist() == list(Uno.deck_of(players, seed, first + 17))


# ---------------------------------------------------------------- one game, many ways to ask for it


def plain(results: Any) -> Any:
    return results.games.tolist(), results.scores.tolist(), results.fired, results.used


@pytest.mark.slow
@pytest.mark.parametrize(("policies", "players"), [((HOUSE,), 3), (ALL, 3)], ids=str)
def test_dealt_given_counted_and_threaded_games_are_the_same(policies: tuple[str, ...], players: int) -> None:
    games, seed, first = 3001, 2**62 + 5, 2**40
    decks = bulk.deal(players, games, seed, first)
    requested = {"policies": policies, "tally": True}
    results = bulk.play_dealt(players, games, seed, first, threads=1, **requested)
    assert plain(bulk.play_dealt(players, games, seed, first, threads=2, **requested)) == plain(results)
    assert plain(bulk.play_dealt(players, games, seed, first, threads=7, **requested)) == plain(results)
    assert plain(bulk.play(players, decks, seed=seed, first=first, **requested)) == plain(results)
    logged = bulk.play(players, decks, seed=seed, first=first, policies=policies, log=True)
    assert plain(logged) == plain(results)
    once, twice = (bulk.total(players, games, seed, first, policies, threads=threads) for threads in (1, 2))
    assert once == twice
    assert (once.fired, once.used, once.games) == (results.fired, results.used, games)
    assert once.points == tuple(results.scores.sum(axis=0))
    assert once.wins == tuple((results.games["winner"] == seat).sum() for seat in range(players))
    assert tuple(once.endings.values()) == tuple((results.games["ending"] == ending).sum() for ending in (1, 2, 3))
    sums = [results.games[name].sum() for name in ("turns", "laid", "taken", "reshuffles")]
    assert [once.turns, once.laid, once.taken, once.reshuffles] == sums
    assert (once.reshuffled, once.longest) == ((results.games["reshuffles"] > 0).sum(), results.games["turns"].max())


def test_many_chunks_are_counted_like_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bulk.total(2, 5000, 3)
    monkeypatch.setattr(runner, "CHUNK", 77)
    assert bulk.total(2, 5000, 3, threads=2) == whole


@given(games=st.integers(1, 3_000_000), workers=st.integers(1, 64), most=st.sampled_from([1, 100, 1 << 14, 1 << 16]))
def test_chunks_follow_each_other_and_the_last_ones_of_several_workers_are_small(
    games: int, workers: int, most: int
) -> None:
    size = chunks.chunk_size(games, workers, most)  # of arrays that a worker has for a chunk
    found: list[tuple[int, int]] = []
    chunks.each_chunk(lambda worker, start, end: found.append((start, end)), games, 1, most=size)
    assert [start for start, _ in found] == [0, *(end for _, end in found[:-1])]
    assert found[-1][1] == games
    several = list(chunks._chunks(games, workers, most))
    assert [start for start, _ in several] == [0, *(end for _, end in several[:-1])]
    assert several[-1][1] == games
    assert all(0 < end - start <= size for start, end in several)
    if workers > 1:
        assert all(end - start <= max(chunks.MIN_CHUNK, (games - start) // workers) for start, end in several)


def test_zero_games_are_allowed() -> None:
    assert bulk.deal(2, 0, 7).shape == (0, 32)
    for log in (False, True):
        assert len(bulk.play_dealt(2, 0, 7, log=log)) == len(bulk.play(2, bulk.deal(2, 0, 7), log=log)) == 0
    assert bulk.total(2, 0, 7).games == 0


@pytest.mark.parametrize(("players", "turns", "reshuffled"), [(2, 22.1, 0.078), (3, 26.55, 0.303), (4, 27.5, 0.465)])
def test_games_of_mau_mau_are_as_long_as_others_found(players: int, turns: float, reshuffled: float) -> None:
    """The means of hundreds of millions of games of other programs; 200,000 games come within 0.2 turns and 0.5 %."""
    totals = bulk.total(players, 200_000, seed=8)
    assert totals.turns / totals.games == pytest.approx(turns, abs=0.2)
    assert totals.reshuffled / totals.games == pytest.approx(reshuffled, abs=0.005)
    assert totals.endings["won"] >= 199_990


# ---------------------------------------------------------------- games without a winner


@pytest.fixture(scope="module")
def by_players(corpus: list[tuple[str, list[str]]]) -> list[list[MauMau]]:
    """The games of the corpus, for 2, 3 and 4 players."""
    lines = [line for line, _ in corpus]
    dealt = [
        [MauMau.deck_format().read_line(line) for line in lines if line[0] == str(players)] for players in (2, 3, 4)
    ]
    return [[MauMau.of_deck(*game, number=number) for number, game in enumerate(row)] for row in dealt]


def decks_of(games: list[MauMau]) -> Any:
    return np.array([list(game.dealt_deck()) for game in games], np.uint8)


@pytest.mark.slow
def test_every_game_of_the_corpus_has_the_same_result(by_players: list[list[MauMau]]) -> None:
    endings = set()
    for games in by_players:
        players, decks = games[0].players, decks_of(games)
        results = bulk.play(players, decks, log=True)
        assert differences(MauMau, results, games) == []
        assert plain(bulk.play(players, decks, tally=True, threads=1)) == plain(results)
        endings |= set(results.games["ending"].tolist())
    assert endings == {1, 2, 3}


def test_a_log_that_is_too_short_grows(by_players: list[list[MauMau]]) -> None:
    endless = next(game for games in by_players for game in games if str(game.restarted().run().ending) == "endless")
    results = bulk.play(endless.players, decks_of([endless]), first=endless.table.number, log=True)
    assert differences(MauMau, results, [endless]) == []
    assert len(results.log) == results.log_ends[-1] > 256


@pytest.mark.thorough
def test_endless_first_legal_games_are_found_and_have_the_same_results() -> None:
    found = 0
    for players in (2, 3, 4):
        results = bulk.play_dealt(players, 100_000, 1, 0, (FIRST,), tally=True, threads=1)
        assert set(results.games["ending"].tolist()) <= {1, 2, 3}
        endless = (results.games["ending"] == 3).nonzero()[0].tolist()
        long = (results.games["turns"] > 512).nonzero()[0].tolist()
        found += len(endless)
        for number in dict.fromkeys([*endless[:2], *long[:2]]):
            assert compare(Task("maumau", players, (FIRST,), 1, first=number, seed=1)) == []
            alone = bulk.play_dealt(players, 1, 1, number, (FIRST,), tally=True)
            logged = bulk.play_dealt(players, 1, 1, number, (FIRST,), log=True)
            assert plain(alone) == plain(logged)
            assert alone.games[0] == results.games[number]
    print(f"{found} endless games")


@pytest.mark.parametrize("compiled", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_threads_that_meet_endless_games_at_once_do_not_disturb_each_other(
    by_players: list[list[MauMau]], tmp_path: Any, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """compiled: whether the kernels that both need at once are in the cache, or have to be compiled."""
    from maumau.kernels.compiler import machine_code as kernel

    endless = next(game for games in by_players for game in games if str(game.restarted().run().ending) == "endless")
    decks = np.repeat(decks_of([endless]), 4, axis=0)
    bulk.play(endless.players, decks, threads=1, tally=True)
    monkeypatch.setattr(kernel, "_ready", {})
    if not compiled:
        monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path))
    assert bulk.play(endless.players, decks, threads=2, tally=True).games["ending"].tolist() == [3] * 4


# ---------------------------------------------------------------- refusals


def decks_with(change: Any) -> Any:
    decks = bulk.deal(2, 3, 7).astype(np.int64)
    change(decks)
    return decks


def twice(decks: Any) -> None:
    decks[1, 0] = decks[1, 1]


def beyond(decks: Any) -> None:
    decks[1][decks[1] == 0] = 256


def negative(decks: Any) -> None:
    decks[1][decks[1] == 31] = 31 - 256


@pytest.mark.parametrize("change", [twice, beyond, negative])
def test_a_row_that_is_not_the_whole_deck_is_refused(change: Any) -> None:
    with pytest.raises(ValueError, match="deck 1 is not a whole deck; use each of the 32 cards once"):
        bulk.play(2, decks_with(change))


@pytest.mark.slow
@pytest.mark.parametrize("log", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_a_deck_that_may_not_be_dealt_is_reported_by_its_index(log: bool) -> None:
    decks = bulk.deal(2, 40_000, 7, game="uno")
    names = Uno.declaration.codec.notation.cards
    wild = next(place for place, card in enumerate(decks[39_000]) if names[card].startswith("W"))
    decks[39_000][[14, wild]] = decks[39_000][[wild, 14]]
    with pytest.raises(
        ValueError,
        match="deck 39000: the deck cannot be dealt; this must hold: colour or rank is matched on a card that is not a wild",
    ):
        bulk.play(2, decks, game="uno", log=log, first=5, threads=2)


def test_cards_that_are_no_codes_are_refused() -> None:
    with pytest.raises(TypeError, match="decks: the numbers are of type float64; give whole numbers"):
        bulk.play(2, bulk.deal(2, 3, 7) + 0.25)


@pytest.mark.parametrize("truth", [True, np.True_])
def test_truth_values_are_no_cards(truth: Any) -> None:
    decks = [[truth if card == 1 else card for card in deck] for deck in bulk.deal(2, 3, 7).tolist()]
    with pytest.raises(TypeError, match=r"decks: True is of type bool.*; give a whole number"):
        bulk.play(2, decks)


def test_masked_cards_are_refused() -> None:
    decks = np.ma.masked_equal(bulk.deal(2, 3, 7), 5)
    with pytest.raises(ValueError, match="decks: some numbers are masked; give an array without a mask"):
        bulk.play(2, decks)
    assert len(bulk.play(2, np.ma.masked_array(bulk.deal(2, 3, 7)))) == 3


@pytest.mark.parametrize("shape", [(32,), (3, 31), (3, 33), (3, 108), (0,), (1, 1, 32)])
def test_decks_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"decks: the shape is .*; use \(games, 32\)"):
        bulk.play(2, np.zeros(shape, np.uint8))


@pytest.mark.parametrize("ask", [bulk.deal, bulk.play_dealt, bulk.total])
def test_the_last_game_has_a_number_in_range(ask: Any) -> None:
    with pytest.raises(ValueError, match="the last game: 9223372036854775810 is out of range"):
        ask(2, 5, 7, 2**63 - 2)


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        (["clever"], "unknown policy 'clever'; use one of house, random, first-legal"),
        ([HOUSE, HOUSE], "2 policies for 3 players; use one or one for each"),
        ([HOUSE] * 4, "4 policies for 3 players"),
    ],
)
def test_policies_that_do_not_fit_are_refused(policies: list[str], message: str) -> None:
    for ask in (bulk.play_dealt, bulk.total):
        with pytest.raises(ValueError, match=message):
            ask(3, 5, 7, 0, policies)
    with pytest.raises(ValueError, match=message):
        bulk.play(3, bulk.deal(3, 5, 7), policies)


SIZES = pytest.mark.parametrize("games", [3, 700], ids=["scalar kernel", "lanes"])
"""Few games, and so many that they are played in lanes."""


def strided(array: Any) -> Any:
    return np.repeat(array, 2, axis=0)[::2]


def read_only(array: Any) -> Any:
    copied = array.copy()
    copied.flags.writeable = False
    return copied


def unaligned(array: Any) -> Any:
    memory = np.zeros(array.nbytes + 1, np.uint8)
    return memory[1:].view(array.dtype).reshape(array.shape)


UNFIT = {
    "strided": (strided, ValueError, r"strides are \(.*\); give an aligned array in C order"),
    "reversed": (lambda array: array[::-1], ValueError, r"strides are \(-"),
    "unaligned": (unaligned, ValueError, "strides"),
    "read-only": (read_only, ValueError, "the array is read-only; give one that can be written to"),
    "too short": (lambda array: array[:1].copy(), ValueError, r"shape is \(1.*\); give one of shape \("),
    "too long": (lambda array: np.concatenate([array, array]), ValueError, r"shape is \(.*\); give one of shape \("),
    "another shape": (
        lambda array: array.reshape(-1, 1, 1),
        ValueError,
        r"shape is \(.*, 1, 1\); give one of shape \(",
    ),
    "narrow numbers": (lambda array: np.zeros(array.shape, "i1"), ValueError, "the numbers are of type int8; give"),
    "big-endian": (lambda array: array.astype(array.dtype.newbyteorder(">")), ValueError, "of type .*>i4"),
    "masked": (np.ma.masked_array, TypeError, "is of type MaskedArray; give a NumPy array"),
    "a list": (lambda array: array.tolist(), TypeError, "is of type list; give a NumPy array"),
    "nothing": (lambda array: None, TypeError, "is of type NoneType; give a NumPy array"),
}
"""Arrays that cannot take results: how they are made, and what is wrong with them."""


@SIZES
@pytest.mark.parametrize("field", ["games", "scores"])
@pytest.mark.parametrize(("change", "kind", "message"), UNFIT.values(), ids=UNFIT)
def test_results_are_written_into_no_array_that_cannot_take_them(
    change: Any, kind: type[Exception], message: str, field: str, games: int
) -> None:
    decks = bulk.deal(3, games, 7)
    earlier = bulk.play(3, decks[::-1].copy())
    before = plain(earlier)
    into = replace(earlier, **{field: change(getattr(earlier, field))})
    with pytest.raises(kind, match=f"into.{field}.*{message}"):
        bulk.play(3, decks, into=into)
    assert plain(earlier) == before


def test_results_are_written_into_no_array_that_overlaps_another() -> None:
    decks = bulk.deal(2, 12, 7)
    room = np.zeros(12 * 32, np.uint8)
    earlier = bulk.play(2, decks)
    games = room[:288].view(earlier.games.dtype)
    scores = room[280:376].view(np.int32).reshape(12, 2)
    overlaps = {
        "into.games shares memory with into.scores": (decks, games, scores),
        "into.games shares memory with decks": (room.reshape(12, 32), games, earlier.scores),
        "into.scores shares memory with decks": (room.reshape(12, 32), earlier.games, scores),
    }
    for message, (cards, some_games, some_scores) in overlaps.items():
        with pytest.raises(ValueError, match=f"{message}; use arrays that do not overlap"):
            bulk.play(2, cards, into=replace(earlier, games=some_games, scores=some_scores))


def test_results_are_written_into_nothing_else() -> None:
    with pytest.raises(TypeError, match="into: it is of type tuple; give Results"):
        bulk.play(2, bulk.deal(2, 3, 7), into=(1, 2))  # type: ignore[arg-type]


@SIZES
@pytest.mark.parametrize("tally", [False, True])
def test_results_are_written_into_memory_maps_and_parts_of_larger_arrays(
    games: int, tally: bool, tmp_path: Path
) -> None:
    decks = bulk.deal(3, games, 7)
    expected = bulk.play(3, decks, tally=tally)
    mapped = np.memmap(tmp_path / "games", expected.games.dtype, "w+", shape=games)
    larger = np.full((games + 2, 3), -7, np.int32)
    again = bulk.play(3, decks, tally=tally, into=replace(expected, games=mapped, scores=larger[1:-1]))
    assert plain(again) == plain(expected)
    assert (again.games is mapped, larger[[0, -1]].tolist()) == (True, [[-7] * 3] * 2)
    records = replace(expected, games=np.zeros(games, expected.games.dtype).view(np.recarray))
    assert plain(bulk.play(3, decks, tally=tally, into=records)) == plain(expected)


@pytest.mark.parametrize("threads", [0, -1, 1025, 2**70])
def test_no_thread_and_too_many_are_refused(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads: {threads} is out of range; use 1 to 1,024"):
        bulk.total(2, 5, 7, threads=threads)


@pytest.mark.slow
@pytest.mark.parametrize("games", [100, pytest.param(10_000, marks=pytest.mark.thorough)])
def test_a_turn_that_starts_without_a_stop_does_not_end_a_long_game(games: int) -> None:
    played = bulk.play_dealt(2, games, 7, policies=[RANDOM], game=AnsweredEights)
    assert (played.games["ending"] == Ending.ENDLESS).sum() == 0
    long = (played.games["turns"] > 512).nonzero()[0]
    assert len(long)
    for number in long[:5].tolist():
        stepped = AnsweredEights.deal(2, 7, number, [RANDOM])
        assert stepped.run().scores == tuple(played.scores[number].tolist())
        assert stepped.table.turns == played.games["turns"][number]
