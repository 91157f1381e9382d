"""Piles whose cards lie in an order: put and taken at either end, before each seat and in the middle, open and hidden."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest
from alike import assert_played_alike, explored_alike
from hypothesis import given
from hypothesis import strategies as st
from stacking import STACKING, Stacking

from fsm import Game, PositionError
from fsm.declaration.chart import DeclarationError
from fsm.declaration.facts import Fact
from maumau import Observed
from render.page.faces import notes_of, piles_of
from rules.queues import put_first, put_last, queue_card, queue_cards, queue_size, queues, take_first, take_last


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.booleans()), max_size=150))
def test_cards_are_put_and_taken_at_either_end(moves: list[tuple[int, bool, bool]]) -> None:
    """Next to each other lie three piles; each is compared with a queue of Python's."""
    piles, expected = queues(3)(), [deque[int]() for _ in range(3)]
    left = list(range(50))
    for place, puts, at_top in moves:
        if puts and left:
            card = left.pop()
            (put_first if at_top else put_last)(piles, place, card)
            (expected[place].appendleft if at_top else expected[place].append)(card)
        elif expected[place]:
            card = (take_first if at_top else take_last)(piles, place)
            assert card == (expected[place].popleft if at_top else expected[place].pop)()
            left.append(card)
    fresh = queues(3)()
    for place, pile in enumerate(expected):
        assert queue_size(piles, place) == len(pile)
        assert [queue_card(piles, place, depth) for depth in range(len(pile))] == list(pile)
        assert queue_cards(piles, place) == sum(1 << card for card in pile)
        for card in pile:
            put_last(fresh, place, card)
    assert fresh == piles, "equal piles are equal bytes, whatever lay there before"


def some_turns() -> Game:
    """After eight turns: player 1 has shown two cards, player 2 slipped two and shown one; three were thrown."""
    game = Stacking.deal(3, seed=7)
    game.step()
    for trigger in ("show", "slip", "throw", "show", "slip", "throw", "throw", "show"):
        game.fire(trigger, game.hands[game.player - 1][0])
    return game


def piles(game: Game, seat: int | None) -> str:
    return " ".join(str(game.position(seen_by=seat)).split()[2:6])


def test_each_pile_is_seen_as_its_field_declares() -> None:
    game = some_turns()
    assert piles(game, None) == "shown=5S,8S/QS/- slipped=-/3S,QH/- row=JH,KC aside=5D,8C"
    assert piles(game, 1) == "shown=5S,8S/QS/- slipped=-/?,?/- row=JH,KC aside=?,?"
    assert piles(game, 2) == "shown=5S,8S/QS/- slipped=-/3S,QH/- row=JH,KC aside=?,?"
    assert piles(game, 3) == "shown=5S,8S/QS/- slipped=-/?,?/- row=JH,KC aside=?,?"


def test_cards_lie_in_the_order_in_which_they_were_put() -> None:
    game = some_turns()
    laid = {name: [step.card for step in game.history if step.trigger == name] for name in ("show", "slip")}
    facts = game.view(2).facts
    assert facts["shown"][:2] == (tuple(laid["show"][1::-1]), (laid["show"][2],))
    assert facts["slipped"][1] == tuple(laid["slip"])
    thrown = [step.card for step in game.history if step.trigger == "throw"]
    assert facts["row"] == tuple(thrown[:0:-1])
    assert thrown[0] in game.hands[0]


def test_a_position_with_queues_is_read_again_and_goes_on_alike() -> None:
    game = some_turns()
    again = Stacking.at(str(game.position()))
    assert again.position() == game.position()
    assert again.run() == game.run()


@pytest.mark.slow
def test_both_explorers_see_the_same_sound_positions() -> None:
    pytest.importorskip("llvmlite", reason="the explorer needs llvmlite")
    (small,) = STACKING.small_decks
    assert explored_alike(Stacking, small).positions > 100


def test_both_engines_play_the_same_games() -> None:
    pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")
    assert_played_alike(Stacking, (Stacking.deal(3, 5, number, "random") for number in range(20)), "random", 5)


def test_observations_have_what_is_seen_of_each_pile() -> None:
    observed = Observed(some_turns())
    for seat in range(3):
        found = {}
        line = observed.observation(seat)
        for part in observed.layout.fields:
            labels = zip(part.labels, line[part.start : part.end], strict=True)
            found[part.name] = {label for label, n in labels if n}
        facts = observed.game.view(seat + 1).facts
        assert found["slipped of +0"] == set(facts["slipped"][seat])
        assert found["row"] == set(facts["row"])
        assert [found[f"shown of +{step}"] for step in range(3)] == [
            set(facts["shown"][(seat + step) % 3]) for step in range(3)
        ]
        assert not any("aside" in name and "size" not in name for name in found)
        assert list(line[observed.layout["slipped sizes"].start :][:3]) == [
            len(facts["slipped"][(seat + step) % 3]) for step in range(3)
        ]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (Fact("row", "slipped", "queue"), "a pile in the middle is nobody's own"),
        (Fact("row", "played", "queue"), "played is of another kind than queue"),
        (Fact("row", "hands", "queues"), "hands is of another kind than queues"),
        (Fact("row", "row", "queues"), r"row has room for 1 piles; use queues\(4\)"),
        (Fact("row", "row", "cards"), r"row is of another kind than cards"),
    ],
)
def test_queues_that_cannot_be_are_refused(changed: Fact, told: str) -> None:
    facts = tuple(changed if fact.name == "row" else fact for fact in STACKING.codec.facts)
    with pytest.raises(DeclarationError, match=told):
        replace(STACKING, codec=replace(STACKING.codec, facts=facts))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("row=", "row=QX,", "row: unknown card 'QX'"),
        ("played=8", "played=100", "played='100'; use a number from 0 to 99"),
    ],
)
def test_positions_that_cannot_be_are_refused(old: str, new: str, told: str) -> None:
    with pytest.raises(PositionError, match=told):
        Stacking.at(str(some_turns().position()).replace(old, new))


def test_of_a_pile_that_is_not_seen_is_told_how_many_cards_it_has() -> None:
    facts = some_turns().view(1).facts
    assert [text for text, _ in notes_of(STACKING, facts)] == ["row: JH KC", "aside: 2 cards", "played 8"]
    assert [list(piles_of(STACKING, facts, seat)) for seat in range(3)] == [[], ["slipped: 2 cards"], []]
