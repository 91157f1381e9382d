"""Piles beside the hands, the draw pile and the discard pile: before each seat, in the middle, open and hidden.

The cards of Tucking's piles lie in no order, those of Stacking's in one: put and taken at either end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import pytest
from alike import explored_alike
from hypothesis import given
from hypothesis import strategies as st
from stacking import STACKING, Stacking
from tucking import TUCKING, Tucking

from fsm import Game, PositionError, Uno
from fsm.declaration.chart import DeclarationError
from fsm.declaration.facts import Fact
from maumau import Observed
from render.notebook import board
from render.page.faces import notes_of, piles_of
from rules.queues import put_first, put_last, queue_card, queue_cards, queue_size, queues, take_first, take_last


def some_turns() -> Game:
    """After five turns: one card was shown, one tucked away by each of two players, two thrown into the middle."""
    game = Tucking.deal(3, seed=7)
    game.step()
    for trigger in ("show", "tuck", "throw", "tuck", "throw"):
        game.fire(trigger, game.hands[game.player - 1][0])
    return game


def stacked() -> Game:
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
    assert piles(game, None) == "shown=8S/-/- tucked=5S/3S/- pot=QH kitty=5D,8C"
    assert piles(game, 1) == "shown=8S/-/- tucked=5S/?/- pot=QH kitty=?,?"
    assert piles(game, 2) == "shown=8S/-/- tucked=?/3S/- pot=QH kitty=?,?"
    assert piles(game, 3) == "shown=8S/-/- tucked=?/?/- pot=QH kitty=?,?"
    facts = game.view(2).facts
    assert (facts["shown"], facts["tucked"]) == ((("8S",), (), ()), (("?",), ("3S",), ()))
    assert (facts["pot"], facts["kitty"]) == (("QH",), ("?", "?"))


def test_each_queue_is_seen_as_its_field_declares() -> None:
    game = stacked()
    assert piles(game, None) == "shown=5S,8S/QS/- slipped=-/3S,QH/- row=JH,KC aside=5D,8C"
    assert piles(game, 1) == "shown=5S,8S/QS/- slipped=-/?,?/- row=JH,KC aside=?,?"
    assert piles(game, 2) == "shown=5S,8S/QS/- slipped=-/3S,QH/- row=JH,KC aside=?,?"
    assert piles(game, 3) == "shown=5S,8S/QS/- slipped=-/?,?/- row=JH,KC aside=?,?"


def test_a_card_of_the_middle_comes_into_the_hand() -> None:
    """Player 3 has thrown 9D, player 2 then QH: QH lies there, and 9D came into the hand of player 2."""
    game = some_turns()
    thrown = [step.card for step in game.history if step.trigger == "throw"]
    assert piles(game, None).split()[2] == f"pot={thrown[1]}"
    assert thrown[0] in game.hands[1]


def test_cards_lie_in_the_order_in_which_they_were_put() -> None:
    game = stacked()
    laid = {name: [step.card for step in game.history if step.trigger == name] for name in ("show", "slip")}
    facts = game.view(2).facts
    assert facts["shown"][:2] == (tuple(laid["show"][1::-1]), (laid["show"][2],))
    assert facts["slipped"][1] == tuple(laid["slip"])
    thrown = [step.card for step in game.history if step.trigger == "throw"]
    assert facts["row"] == tuple(thrown[:0:-1])
    assert thrown[0] in game.hands[0]


@pytest.mark.parametrize(
    ("turns", "old", "new", "told"),
    [
        (some_turns, "shown=8S/-/-", "shown=8S/-", "shown='8S/-'; use the cards for each of 3 players"),
        (some_turns, "pot=QH", "pot=QH/-", "pot='QH/-'; use the cards of one pile"),
        (some_turns, "pot=QH", "pot=QX", "pot: unknown card 'QX'"),
        (some_turns, "pot=QH", "pot=8S", "8S appears too often"),
        (some_turns, "pot=QH", "pot=-", "QH missing; use all 52 cards"),
        (
            some_turns,
            "kitty=5D,8C",
            "kitty=?,?",
            "the cards called [?] must be known before it can be stepped; name them",
        ),
        (
            some_turns,
            "kitty=5D,8C",
            "kitty=?",
            "the cards called [?] must be known before it can be stepped; name them",
        ),
        (stacked, "row=", "row=QX,", "row: unknown card 'QX'"),
        (stacked, "played=8", "played=100", "played='100'; use a number from 0 to 99"),
    ],
)
def test_positions_that_cannot_be_are_refused(turns: Callable[[], Game], old: str, new: str, told: str) -> None:
    game = turns()
    with pytest.raises(PositionError, match=told):
        type(game).at(str(game.position()).replace(old, new))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (Fact("pot", "tucked", "pile"), "a pile in the middle is nobody's own"),
        (Fact("pot", "played", "pile"), "played is not a list, but the kind is pile"),
        (Fact("row", "slipped", "queue"), "a pile in the middle is nobody's own"),
        (Fact("row", "played", "queue"), "played is of another kind than queue"),
        (Fact("row", "hands", "queues"), "hands is of another kind than queues"),
        (Fact("row", "row", "queues"), r"row has room for 1 piles; use queues\(4\)"),
        (Fact("row", "row", "cards"), r"row is of another kind than cards"),
    ],
)
def test_piles_that_cannot_be_are_refused(changed: Fact, told: str) -> None:
    game = TUCKING if changed.name == "pot" else STACKING
    facts = tuple(changed if fact.name == changed.name else fact for fact in game.codec.facts)
    with pytest.raises(DeclarationError, match=told):
        replace(game, codec=replace(game.codec, facts=facts))


def test_cards_that_are_there_twice_lie_in_no_such_pile() -> None:
    codec = replace(Uno.declaration.codec, facts=(*Uno.declaration.codec.facts, Fact("pile", "hands", "cards")))
    with pytest.raises(DeclarationError, match="use a deck in which every card appears once"):
        replace(Uno.declaration, codec=codec)


@pytest.mark.parametrize("kind", [Tucking, pytest.param(Stacking, marks=pytest.mark.slow)])
def test_both_explorers_see_the_same_sound_positions(kind: type[Game]) -> None:
    (small,) = kind.declaration.small_decks
    assert explored_alike(kind, small).positions > 100


def test_observations_have_what_is_seen_of_each_pile() -> None:
    observed = Observed(some_turns())
    for seat, own in ((0, {"5S"}), (1, {"3S"}), (2, set())):
        found = {}
        line = observed.observation(seat)
        for field in observed.layout.fields:
            found[field.name] = {
                label for label, n in zip(field.labels, line[field.start : field.end], strict=True) if n
            }
        assert found["tucked of +0"] == own
        assert found["pot"] == {"QH"}
        assert found[f"shown of +{(3 - seat) % 3}"] == {"8S"}
        assert not any("kitty" in name and "size" not in name for name in found)
        assert found["known in draw pile"] == set()


def test_a_terminal_and_a_board_show_the_piles() -> None:
    game = some_turns()
    table = str(game)
    assert "player 1: JH | 8S" in table
    assert "tucked:       5S / 3S / -" in table
    assert "pot: QH" in board(game)


def test_observations_have_what_is_seen_of_each_queue() -> None:
    observed = Observed(stacked())
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


def test_of_a_pile_that_is_not_seen_is_told_how_many_cards_it_has() -> None:
    facts = stacked().view(1).facts
    assert [text for text, _ in notes_of(STACKING, facts)] == ["row: JH KC", "aside: 2 cards", "played 8"]
    assert [list(piles_of(STACKING, facts, seat)) for seat in range(3)] == [[], ["slipped: 2 cards"], []]


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
