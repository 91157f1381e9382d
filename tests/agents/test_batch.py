"""Batches: equal to the stepped game at every decision, and independent of how the games are arranged."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
from all_games import GAMES, HOUSE_RULES, OFFICIAL_UNO
from auction import Auction
from bulk_fixtures import COUNTDOWN
from mirror import Mirror
from waiting import PASSING, SOME_END, UNCOVERING

from fsm import Game, IllegalMove, MauMau, Uno, UnoOfficial, game_of
from fsm.declaration.declaration import Declaration
from fsm.stepping.steps import Move
from maumau import Batch, Mahjong, Observed
from rules.ending import Ending


def in_turn(players: int) -> Callable[[int], int]:
    return lambda number: number % players


def mirrored(
    kind: type[Game],
    players: int,
    games: int,
    *,
    others: str | None,
    slots: int,
    watched: bool,
    laying: bool = False,
    seed: int = 5,
) -> Mirror:
    """Random learners beside a batch. laying: they lay a card wherever they can, which ends games sooner."""
    batch = Batch(kind, players, slots, seed=seed, others=others, limit=300)
    learner = None if others is None else in_turn(players)
    mirror = Mirror(batch, [others] if others else [], learner, watched)
    random = np.random.default_rng(seed - 4)
    preferred = [place for place, action in enumerate(batch.actions) if laying and action.card is not None]
    while mirror.seen["ended"] < games:
        mirror.compare()
        mirror.step(random, preferred)
    return mirror


KINDS = [
    *((MauMau, others, 8) for others in (None, "house")),
    *(pytest.param(kind, "random", 8, marks=pytest.mark.thorough) for kind in (MauMau, Uno)),
    *(pytest.param(MauMau.with_rules(rule), "random", 60, id=rule, marks=pytest.mark.thorough) for rule in HOUSE_RULES),
]


@pytest.mark.slow
@pytest.mark.parametrize("rewards", [None, "win", "score", "match"])
@pytest.mark.parametrize("slots", [3, pytest.param(8, marks=pytest.mark.thorough)])
def test_rewards_are_those_of_the_stepped_games(slots: int, rewards: str | None) -> None:
    batch = Batch(Mahjong, 3, slots, seed=5, others=None, rewards=rewards)
    random, ended = np.random.default_rng(5), 0
    while ended < slots:
        games = [batch.game(slot) for slot in range(slots)]
        numbers = batch.decisions.numbers.copy()
        actions = [int(random.choice(mask.nonzero()[0])) for mask in batch.masks]
        decisions = batch.step(actions)
        for slot in decisions.ended.nonzero()[0]:
            game = games[slot]
            assert game.table.number == numbers[slot]
            game.fire(batch.actions.move(actions[slot], game.player, 3))
            assert tuple(decisions.rewards[slot]) == game.declaration.rewards(finished(game).table, batch.reward)
            ended += 1


def finished(game: Game) -> Game:
    while game.outcome is None:
        game.step()
    return game


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "others", "games"), KINDS)
def test_a_batch_is_the_stepped_game(kind: type[Game], others: str | None, games: int) -> None:
    mirrored(kind, 3, games, others=others, slots=8, watched=True)


@pytest.mark.thorough
@pytest.mark.parametrize("others", [None, "house", "random"])
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("most", [False, True])
def test_a_batch_of_any_game_is_the_stepped_game(kind: type[Game], others: str | None, most: bool) -> None:
    codec = kind.declaration.codec
    if (kind, others, most) == (Auction, "house", True):  # the house never lets some seats decide
        with pytest.raises(ValueError, match="auction: no learning seat decided anything in 100,000 games"):
            Batch(kind, codec.most, 8, seed=5, others=others)
        return
    mirrored(kind, codec.most if most else codec.fewest, 60, others=others, slots=8, watched=True)


@pytest.mark.thorough
@pytest.mark.parametrize("others", [None, "house"])
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("part", range(10))
def test_a_batch_is_the_stepped_game_in_100_000_games(kind: type[Game], others: str | None, part: int) -> None:
    """In all parts 50,000 games in which all learn, and 50,000 against the house; 1,000 of each are wholly random."""
    players = kind.declaration.codec.fewest
    for games, laying in ((100, False), (4_900, True)):
        mirrored(kind, players, games, others=others, slots=64, watched=False, laying=laying, seed=5 + part)


def ended_by_returns(kind: type[Game], others: str | None, passing: tuple[str, ...]) -> Counter[Ending]:
    """How games end in which learners take the actions of `passing` wherever they can; all stood as stepped ones."""
    learner = None if others is None else in_turn(2)
    mirror = Mirror(Batch(kind, 2, 3, seed=5, others=others), [others] if others else [], learner)
    preferred = [place for place, action in enumerate(mirror.batch.actions) if action.trigger in passing]
    while mirror.seen["ended"] < 6:
        mirror.compare()
        mirror.step(np.random.default_rng(1), preferred)
    return mirror.endings


@pytest.mark.slow
def test_a_position_that_returns_ends_a_game_whose_rules_say_so() -> None:
    """When nothing is left to take, who waits only turns the count from odd to even and back."""
    kind = game_of(replace(COUNTDOWN, name="returning", title="Returning", return_ends=True))
    assert ended_by_returns(kind, None, ("wait",)) == {Ending.ENDLESS: 6}


@pytest.mark.parametrize("declaration", [UNCOVERING, SOME_END], ids=attrgetter("name"))
def test_a_position_returns_whose_draw_pile_was_smaller_in_between(declaration: Declaration) -> None:
    assert ended_by_returns(game_of(declaration), None, ("uncover", "cover")) == {Ending.ENDLESS: 6}


def test_a_game_is_broken_off_that_has_more_turns_than_positions_are_kept() -> None:
    batch = Batch(game_of(PASSING), 2, 8, seed=5, limit=5)
    lays = [place for place, action in enumerate(batch.actions) if action.trigger == "lay"]
    for _ in range(3):
        assert batch.masks[:, lays].any(axis=1).all()
        decisions = batch.step(batch.masks[:, lays].argmax(axis=1) + lays[0])
        assert decisions.truncated.all()
        assert not decisions.ended.any()


@pytest.mark.parametrize("others", [None, pytest.param("random", marks=pytest.mark.thorough)])
def test_official_uno_ends_where_a_position_returns(others: str | None) -> None:
    """Who only draws soon holds all cards: when neither pile has one, the next round of turns changes nothing."""
    endings = ended_by_returns(OFFICIAL_UNO, others, ("draw", "keep"))
    assert others or endings == {Ending.ENDLESS: 6}


def first_actions(batch: Batch, steps: int) -> dict[int, list[Any]]:
    """What the games show, by number, when the first legal action is always taken."""
    shown: dict[int, list[Any]] = {}
    for _ in range(steps):
        decisions = batch.decisions
        for slot in range(batch.slots):
            row = decisions.observations[slot].tobytes(), decisions.masks[slot].tobytes(), int(decisions.acting[slot])
            shown.setdefault(int(decisions.numbers[slot]), []).append(row)
        batch.step(decisions.masks.argmax(axis=1))
    return shown


@pytest.mark.parametrize(("slots", "threads"), [(1, 1), (5, 1), (8, 3), (4, None)])
def test_games_do_not_depend_on_slots_or_threads(slots: int, threads: int | None) -> None:
    reference = first_actions(Batch(MauMau, 3, 16, seed=5), 60)
    batch = Batch(MauMau, 3, slots, seed=5, threads=threads)
    shown = first_actions(batch, 120)
    batch.close()
    common = set(shown) & set(reference)
    assert len(common) >= 3
    for number in common:
        length = min(len(shown[number]), len(reference[number]))
        assert shown[number][:length] == reference[number][:length]


def test_slots_play_every_game_of_the_seed_once() -> None:
    batch = Batch(MauMau, 3, 4, seed=5)
    shown = first_actions(batch, 150)
    assert batch.passed_over == 0
    assert set(range(8)) <= set(shown)


@pytest.mark.slow
def test_a_batch_goes_on_however_many_games_had_no_decision_if_they_do_not_follow_each_other() -> None:
    """Two of three learners decide something. After 100,000 others in a row the batch gives up."""
    batch = Batch(Auction, 3, slots=1, seed=5, others="house")
    while batch.passed_over < 100_001:
        numbers = batch.decisions.numbers.copy()
        decisions = batch.step(batch.masks.argmax(axis=1))
        assert decisions.numbers[0] - numbers[0] <= 9
    batch.reset(6)
    assert batch.decisions.numbers[0] < 3


def test_an_illegal_action_is_refused_before_anything_moves() -> None:
    batch = Batch(MauMau, 3, 4, seed=7)
    before = batch.observations.copy(), batch.masks.copy(), [game.position() for game in map(batch.game, range(4))]
    actions = batch.masks.argmax(axis=1)
    actions[2] = batch.masks[2].argmin()
    with pytest.raises(IllegalMove, match=r"slot 2: player \d cannot play .* does not hold it"):
        batch.step(actions)
    assert (batch.observations == before[0]).all()
    assert (batch.masks == before[1]).all()
    assert [game.position() for game in map(batch.game, range(4))] == before[2]


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0, 0], ValueError, r"actions: the shape is \(2,\); use \(4,\)"),
        ([0.5] * 4, TypeError, "actions: the numbers are of type float64; give whole numbers"),
        ([-1] * 4, IllegalMove, "slot 0: action -1 is out of range; use 0 to 49"),
        ([50] * 4, IllegalMove, "slot 0: action 50 is out of range; use 0 to 49"),
    ],
)
def test_what_is_no_action_is_refused(actions: list[Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Batch(MauMau, 3, 4, seed=7).step(actions)


def test_the_game_of_a_slot_is_the_stepped_game_with_its_history() -> None:
    batch = Batch(MauMau, 3, 4, seed=5, others="house")
    for _ in range(7):
        batch.step(batch.masks.argmax(axis=1))
    for slot in range(4):
        game = batch.game(slot)
        assert np.flatnonzero(batch.masks[slot]).tolist() == batch.actions.legal(game)
        assert game.player - 1 == batch.decisions.acting[slot]
        assert game.history


def test_a_game_at_the_limit_is_truncated_and_not_ended() -> None:
    batch = Batch(MauMau, 3, 2, seed=5, limit=5)
    batch.step(batch.masks.argmax(axis=1))
    batch.shorten(4)
    for _ in range(2):
        decisions = batch.step(batch.masks.argmax(axis=1))
        assert not decisions.truncated.any()
    decisions = batch.step(batch.masks.argmax(axis=1))
    assert decisions.truncated.all()
    assert not decisions.ended.any()
    assert not decisions.rewards.any()
    assert decisions.numbers.tolist() == [2, 3]


def test_arrays_are_not_copied() -> None:
    batch = Batch(MauMau, 3, 2, seed=5)
    observations, masks = batch.observations, batch.masks
    decisions = batch.step(masks.argmax(axis=1))
    assert decisions.observations is observations
    assert decisions.masks is masks


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_games_of_another_seed_are_dealt_again(threads: int) -> None:
    batch = Batch(MauMau, 3, 6, seed=5, others="house", threads=threads)
    observations = batch.observations
    for seed in (8, None, np.int32(5)):
        batch.step(batch.masks.argmax(axis=1))
        again, fresh = batch.reset(seed), Batch(MauMau, 3, 6, seed=batch.seed, others="house")
        assert again.observations is observations
        for _ in range(20):
            for one, other in zip(batch.decisions, fresh.decisions, strict=True):
                assert (one == other).all()
            assert [batch.game(slot) for slot in range(6)] == [fresh.game(slot) for slot in range(6)]
            assert observed_numbers(batch, 0) == batch.observations[0].tobytes()
            batch.step(batch.masks.argmax(axis=1))
            fresh.step(fresh.masks.argmax(axis=1))
    assert (batch.seed, type(batch.seed)) == (5, int)


def observed_numbers(batch: Batch, slot: int) -> bytes:
    """What the seat that acts sees and knows in the stepped game of a slot."""
    observed = Observed(batch.game(slot))
    return observed.observation(observed.seat)


def test_after_a_seed_that_is_none_the_games_go_on() -> None:
    batch = Batch(MauMau, 3, 2, seed=5)
    batch.step(batch.masks.argmax(axis=1))
    before = [batch.game(slot) for slot in range(2)]
    for seed in (-1, 2**63, 2**70):
        with pytest.raises(ValueError, match=f"seed: {seed} is out of range"):
            batch.reset(seed)
    with pytest.raises(TypeError, match="seed: True is of type bool; give a whole number"):
        batch.reset(True)
    with pytest.raises(AttributeError):
        batch.seed = 8  # type: ignore[misc]
    assert [batch.game(slot) for slot in range(2)] == before


@pytest.mark.parametrize("actions", [[True, 22, 3], [np.True_, 22, 3], (np.int64(3), 22, False)])
def test_truth_values_are_no_actions(actions: Any) -> None:
    batch = Batch(MauMau, 3, 3, seed=5)
    with pytest.raises(TypeError, match=r"actions: (True|False) is of type bool.*; give a whole number"):
        batch.step(actions)


def test_one_player_may_always_learn() -> None:
    batch = Batch(MauMau, 3, 6, seed=5, others="house", learner=2)
    for _ in range(20):
        assert set(batch.step(batch.masks.argmax(axis=1)).acting.tolist()) == {1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "5 players cannot play; use 2 to 4"),
        ({"slots": 0}, "slots: 0 is out of range; use 1 to 2,147,483,647"),
        ({"others": "nobody"}, "unknown policy 'nobody'"),
        ({"slots": 2**70}, "slots: 1180591620717411303424 is out of range; use 1 to 2,147,483,647"),
        ({"others": "house", "learner": 4}, "learner: 4 is out of range; use 1 to 3"),
        ({"learner": 1}, "learner 1 without others; give the policies of the others"),
        ({"threads": 2**70}, "threads: 1180591620717411303424 is out of range; use 1 to 1,024"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch(MauMau, **{"players": 3, "slots": 2, "seed": 5} | options)


@pytest.mark.slow
def test_a_batch_of_a_small_deck_plays_its_games() -> None:
    small = MauMau.with_deck("SS SN HA HQ CS DA SA CJ", 2)
    batch = Batch(small, players=2, slots=4, seed=7)
    for _ in range(6):
        for slot in range(4):
            observed = Observed(batch.game(slot))
            assert observed.observation(observed.seat) == batch.observations[slot].tobytes()
            assert observed.mask() == batch.masks[slot].tobytes()
        batch.step(batch.masks.argmax(axis=1))


# ---------------------------------------------------------------- the game of a slot


def rows(batch: Batch, slot: int) -> list[list[int]]:
    """What a slot shows."""
    return [np.atleast_1d(array[slot]).tolist() for array in batch.decisions]


def first_legal(batch: Batch, steps: int) -> None:
    for _ in range(steps):
        batch.step(batch.masks.argmax(axis=1))


@pytest.mark.parametrize("others", [None, "house"])
def test_a_slot_that_is_loaded_goes_on_as_the_saved_one(others: str | None) -> None:
    batch, again = (Batch("maumau", 3, slots=4, seed=seed, others=others, learner=others and 1) for seed in (7, 8))
    first_legal(batch, 5)
    again.load(2, pickle.loads(pickle.dumps(batch.save(1))))
    batch.clone(1, 0)
    while True:
        assert rows(again, 2) == rows(batch, 1) == rows(batch, 0)
        assert again.game(2).position() == batch.game(1).position() == batch.game(0).position()
        ended = batch.step(batch.masks.argmax(axis=1)).ended
        again.step(again.masks.argmax(axis=1))
        if ended[1]:
            break
    assert ended[0]
    assert rows(again, 2)[4:] == rows(batch, 1)[4:]


def test_a_slot_is_set_to_a_position_and_to_a_deck() -> None:
    batch = Batch("maumau", 2, slots=3, seed=7)
    rest = "SQ,CQ,DK,HK,CK,DS,HS,SS,CS,DE,HE,SE,CE,DN,HN,SN,CN,DT,HT,ST,CT,DA,HA,CA,DJ,HJ,SJ,CJ"
    facts = "player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=-"
    position = f"await-play {facts} hands=SA/DQ,HQ discard=SK draw={rest}"
    batch.put(1, MauMau.at(position))
    assert batch.game(1).position() == position
    winning = batch.actions.number(Move("play", "SA"), 1, 2)
    assert batch.masks[1, winning] == 1
    decisions = batch.step(np.where(np.arange(3) == 1, winning, batch.masks.argmax(axis=1)))
    assert (decisions.ended[1], decisions.rewards[1].tolist(), decisions.numbers[1]) == (True, [1, -1], 4)
    deck = MauMau.deck_of(2, seed=99)
    batch.put(2, MauMau.of_deck(2, deck))
    other = Batch("maumau", 2, slots=1, seed=99)
    assert batch.observations[2].tolist() == other.observations[0].tolist()
    for _ in range(8):
        assert batch.game(2).dealt_deck() == list(deck)
        assert rows(batch, 2)[:3] == rows(other, 0)[:3]
        first_legal(batch, 1)
        first_legal(other, 1)


def test_a_batch_is_pickled_with_its_games() -> None:
    batch = Batch("maumau", 3, slots=4, seed=7, others="house", threads=2)
    first_legal(batch, 6)
    batch.put(3, MauMau.deal(3, seed=5))
    again = pickle.loads(pickle.dumps(batch))
    for _ in range(30):
        assert [rows(again, slot) for slot in range(4)] == [rows(batch, slot) for slot in range(4)]
        first_legal(batch, 1)
        first_legal(again, 1)
    assert [again.game(slot).position() for slot in range(4)] == [batch.game(slot).position() for slot in range(4)]


def test_games_that_do_not_fit_a_slot_are_refused() -> None:
    batch = Batch("maumau", 3, slots=2, seed=7)
    with pytest.raises(ValueError, match="a game of maumau with 2 players; use one of maumau with 3"):
        batch.put(0, MauMau.deal(2, seed=5))
    with pytest.raises(ValueError, match="no learning seat decides anything"):
        batch.put(0, finished(MauMau.deal(3, seed=5)))
    with pytest.raises(IndexError, match="slot 2 is out of range; use 0 to 1"):
        batch.put(2, MauMau.deal(3, seed=5))
    with pytest.raises(ValueError, match="the same limit"):
        batch.load(0, Batch("maumau", 3, slots=1, limit=50).save(0))


@pytest.mark.slow
def test_a_slot_of_official_uno_is_loaded_and_not_set() -> None:
    batch = Batch("uno-official", 2, slots=2, seed=7)
    first_legal(batch, 5)
    batch.clone(0, 1)
    first_legal(batch, 10)
    assert rows(batch, 0)[:2] == rows(batch, 1)[:2]
    with pytest.raises(ValueError, match="load a saved slot"):
        batch.put(0, UnoOfficial.deal(2, seed=5))
