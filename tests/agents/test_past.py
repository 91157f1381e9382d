"""The last events in observations: the same stepped and in batches, what the seat saw of them, and nothing hidden."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest
from all_games import GAMES, HOUSE_RULES, MAHJONG, OFFICIAL_UNO, UNO_HOUSE_RULES
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import other_world

from examples.hearts import Hearts
from fsm import Game, MauMau
from fsm.declaration.declaration import Declaration
from fsm.stepping.moves import plans_of
from fsm.stepping.steps import Step
from fsm.stepping.view import seen_step
from maumau import Observed, layout
from maumau.agents.layout import PAST
from maumau.kernels.compiler.observing import ObservingPlan
from rules.notation import UNKNOWN

by_game = pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)
WITH_RULES = [
    *(MauMau.with_rules(rule) for rule in HOUSE_RULES),
    *(OFFICIAL_UNO.with_rules(rule) for rule in UNO_HOUSE_RULES),
]


def labels(observed: Observed, seat: int) -> list[list[str]]:
    """The last events as a seat observes them, in words, the oldest first; none where there was none."""
    field, events = observed.layout[PAST], observed.layout.events
    line = observed.observation(seat)[field.start : field.end]
    width = field.width // events
    found = []
    for row in range(events):
        places = range(row * width, (row + 1) * width)
        marked = [field.labels[place] for place in places if line[place]]
        assert all(label.startswith(f"-{events - row} ") for label in marked)
        found.append([label.partition(" ")[2] for label in marked])
    return found


def expected(game: Declaration, step: Step, seat: int, players: int) -> list[str] | None:
    """What a seat is shown of an event, by what it sees of the event in its view; None if it is not shown."""
    if step.trigger not in plans_of(game)[step.source].offer:
        return None
    seen = seen_step(game, step, seat)
    if seen is None or (seen.trigger, seen.source) != (step.trigger, step.source):
        return None
    if step.player != seat + 1 and (step.source, step.trigger) not in game.seen_by_all:
        return None
    words = [f"+{(step.player - 1 - seat) % players}", step.trigger]
    move = seen.move(game)
    if step.trigger in game.card_events and move.card and UNKNOWN not in move.card:
        names_sets = any(each.trigger == step.trigger and each.forms for each in game.control[step.source].offers)
        words.append("set" if names_sets else move.card)
    for kind, value in move.named.items():
        if value != UNKNOWN:
            code = f"+{(int(value) - step.player) % players}" if str(kind) == "seat" else value
            words.append(f"{kind} {({True: 'yes', False: 'no'}[code]) if isinstance(code, bool) else code}")
    return words


def check_shows_what_was_seen(kind: type[Game], players: int, events: int, seed: int, most: int = 60) -> None:
    """Step a game at random, and compare what each seat is shown with what it sees in its view."""
    game, random = kind.declaration, Random(seed)
    observed = Observed(kind.deal(players, seed), events=events)
    for _ in range(most):
        observed.advance()
        if observed.over:
            break
        observed.act(random.choice(observed.legal()))
        for seat in range(players):
            shown = [each for step in observed.game.history if (each := expected(game, step, seat, players))]
            found = labels(observed, seat)
            assert found[: max(0, events - len(shown))] == [[]] * max(0, events - len(shown))
            for one, other in zip(found[-len(shown) :] if shown else [], shown[-events:], strict=False):
                assert (one[:2], "form" in str(one)) == (other[:2], "set" in other)
                assert "set" in other or one == other


@by_game
def test_a_seat_is_shown_what_it_has_seen(kind: type[Game]) -> None:
    for players in {kind.declaration.codec.fewest, kind.declaration.codec.most}:
        check_shows_what_was_seen(kind, players, 4, seed=7)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from([*GAMES, *WITH_RULES]), events=st.integers(1, 12), seed=st.integers(0, 2**62), more=st.data()
)
def test_a_seat_is_shown_what_it_has_seen_in_any_game(kind: type[Game], events: int, seed: int, more: Any) -> None:
    check_shows_what_was_seen(kind, more.draw(st.sampled_from(kind.declaration.codec.players)), events, seed, most=30)


@by_game
def test_in_worlds_that_looked_the_same_the_past_is_the_same(kind: type[Game]) -> None:
    """Hidden cards were dealt differently, and the seat has seen the same: so it is shown the same."""
    random, found, players = Random(5), 0, kind.declaration.codec.fewest
    for number in range(6):
        observed = Observed(kind.deal(players, 11, number), events=6)
        for decision in range(60):
            observed.advance()
            if observed.over:
                break
            if decision % 6 == 3 and (world := other_world(observed.game, observed.seat + 1, random)):
                assert Observed(world, events=6).observation(observed.seat) == observed.observation(observed.seat)
                found += 1
            observed.act(random.choice(observed.legal()))
    assert found > 0


def test_a_planted_leak_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """All see every card that is passed."""
    monkeypatch.setattr(ObservingPlan, "audience", lambda plan, phase, trigger: (2, 2, 2))
    with pytest.raises(AssertionError):
        check_shows_what_was_seen(Hearts, 4, 4, seed=7)
    with pytest.raises(AssertionError):
        check_shows_what_was_seen(MAHJONG, 4, 4, seed=7)


def test_a_card_that_is_passed_face_down_is_shown_to_its_player_alone() -> None:
    observed = Observed(Hearts.deal(4, seed=3, number=0), events=2)
    observed.advance()
    step = observed.act(observed.legal()[0])
    shown = [labels(observed, seat)[-1] for seat in range(4)]
    assert shown.count(["+0", "pass_card", str(step.card)]) == 1
    assert sorted(each[1:] for each in shown) == [["pass_card"]] * 3 + [["pass_card", str(step.card)]]


def test_without_events_an_observation_is_what_it_was() -> None:
    plain, shape = layout(MauMau.declaration, 3), layout(MauMau.declaration, 3, events=2)
    assert plain.fields == shape.fields[:-1] == layout(MauMau.declaration, 3, events=0).fields
    assert shape[PAST].labels[:5] == ("-2 +0", "-2 +1", "-2 +2", "-2 play", "-2 draw")
    with pytest.raises(KeyError, match="no field 'past'"):
        plain.past(None)
    for wrong in (-1, 1001):
        with pytest.raises(ValueError, match=f"events: {wrong} is out of range; use 0 to 1,000"):
            layout(MauMau.declaration, 3, events=wrong)
    with pytest.raises(TypeError, match="events: "):
        layout(MauMau.declaration, 3, events=2.5)  # type: ignore[arg-type]


def test_a_copy_goes_on_alike() -> None:
    observed = Observed(MauMau.deal(3, seed=7, policies="random"), events=3)
    for _ in range(20):
        observed.step()
    for other in (observed.clone(), pickle.loads(pickle.dumps(observed)), Observed(observed.game.clone(), events=3)):
        assert [other.observation(seat) for seat in range(3)] == [observed.observation(seat) for seat in range(3)]


# ---------------------------------------------------------------- batches


def check_batch(kind: type[Game], players: int, events: int, seed: int, others: str | None = None) -> None:
    """Compare a batch with the stepped games at every decision, and at the ends of games."""
    np = pytest.importorskip("numpy")
    from maumau import Batch

    batch, random = Batch(kind, players, slots=3, seed=seed, others=others, events=events), np.random.default_rng(1)
    plain = Batch(kind, players, slots=3, seed=seed, others=others)
    for _ in range(40):
        for slot in range(3):
            seen = Observed(batch.game(slot), events=events).observation(int(batch.decisions.acting[slot]))
            assert bytes(batch.observations[slot]) == seen
        assert np.array_equal(batch.observations[:, : plain.layout.width], plain.observations)
        actions = [random.choice(mask.nonzero()[0]) for mask in batch.masks]
        batch.step(actions), plain.step(actions)


@pytest.mark.parametrize("others", [None, "house", "random"])
def test_a_batch_shows_what_the_stepped_game_shows(others: str | None) -> None:
    check_batch(MauMau, 3, 5, seed=3, others=others)


@pytest.mark.slow
@by_game
def test_a_batch_of_any_game_shows_what_the_stepped_game_shows(kind: type[Game]) -> None:
    check_batch(kind, kind.declaration.codec.most, 4, seed=5)


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(
    kind=st.sampled_from([*GAMES, *WITH_RULES]),
    events=st.sampled_from([1, 7]),
    seed=st.integers(0, 2**62),
    others=st.sampled_from([None, "random", "first-legal"]),
    more=st.data(),
)
def test_any_batch_shows_what_the_stepped_game_shows(
    kind: type[Game], events: int, seed: int, others: str | None, more: Any
) -> None:
    check_batch(kind, more.draw(st.sampled_from(kind.declaration.codec.players)), events, seed, others)


def test_slots_with_events_are_set_saved_and_pickled() -> None:
    from maumau import Batch

    batch = Batch(MauMau, 3, slots=4, seed=5, events=3)
    for _ in range(12):
        batch.step(batch.masks.argmax(axis=1))
    past = batch.layout.past(batch.observations)
    assert past.shape == (4, 3, 3 + len(batch.actions.triggers) + 32 + 4)
    assert past[0, -1].sum() in (2, 3, 4)
    again = pickle.loads(pickle.dumps(batch))
    assert (again.layout, again.observations.tolist()) == (batch.layout, batch.observations.tolist())
    assert batch.put(0, batch.game(1)).observations[0].tolist() == batch.observations[1].tolist()
    assert batch.clone(2, to=3).observations[3].tolist() == batch.observations[2].tolist()


def test_a_net_chooses_without_the_last_events() -> None:
    from random_nets import random_net

    from maumau import Batch

    net = random_net(MauMau.declaration, 3)
    plain, longer = (Batch(MauMau, 3, slots=4, seed=5, events=events) for events in (0, 3))
    for _ in range(20):
        assert longer.layout.without_past(longer.observations).tolist() == plain.observations.tolist()
        actions = net.choose(longer)
        assert actions.tolist() == net.choose(plain).tolist()
        plain.step(actions), longer.step(actions)
    assert plain.layout.without_past(plain.observations) is plain.observations


@pytest.mark.parametrize("tree", [False, True])
def test_a_search_finds_in_a_batch_with_the_last_events_what_it_finds_without(tree: bool) -> None:
    from maumau import Batch, Search

    search = Search(MauMau, 2, worlds=8, tree=tree)
    plain, longer = (Batch(MauMau, 2, slots=8, seed=3, events=events) for events in (0, 3))
    for _ in range(4):
        assert search.wins(longer).tolist() == search.wins(plain).tolist()
        actions = plain.masks.argmax(axis=1)
        plain.step(actions), longer.step(actions)


def test_a_vector_environment_shows_the_last_events() -> None:
    gym = pytest.importorskip("gymnasium") and pytest.importorskip("maumau.agents.adapters.gym")
    envs = gym.ManyGames("maumau", players=3, num_envs=4, events=2, flat=True)
    seen, infos = envs.reset(seed=7)
    assert envs.observation_space.contains(seen)
    seen, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert envs.batch.layout.past(seen).shape[:2] == (4, 2)
