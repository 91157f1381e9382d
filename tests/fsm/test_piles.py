"""Piles beside the hands, the draw pile and the discard pile: before each seat, in the middle, open and hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest
from alike import assert_played_alike, explored_alike
from tucking import TUCKING, Tucking

from fsm import Game, PositionError, Uno
from fsm.declaration.chart import DeclarationError
from fsm.declaration.facts import Fact
from maumau import Observed
from render.notebook import board


def some_turns() -> Game:
    """After five turns: one card was shown, one tucked away by each of two players, two thrown into the middle."""
    game = Tucking.deal(3, seed=7)
    game.step()
    for trigger in ("show", "tuck", "throw", "tuck", "throw"):
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


def test_a_card_of_the_middle_comes_into_the_hand() -> None:
    """Player 3 has thrown 9D, player 2 then QH: QH lies there, and 9D came into the hand of player 2."""
    game = some_turns()
    thrown = [step.card for step in game.history if step.trigger == "throw"]
    assert piles(game, None).split()[2] == f"pot={thrown[1]}"
    assert thrown[0] in game.hands[1]


def test_a_position_with_piles_is_read_again_and_goes_on_alike() -> None:
    game = some_turns()
    again = Tucking.at(str(game.position()))
    assert again.position() == game.position()
    assert again.run() == game.run()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("shown=8S/-/-", "shown=8S/-", "shown='8S/-'; use the cards for each of 3 players"),
        ("pot=QH", "pot=QH/-", "pot='QH/-'; use the cards of one pile"),
        ("pot=QH", "pot=QX", "pot: unknown card 'QX'"),
        ("pot=QH", "pot=8S", "8S appears too often"),
        ("pot=QH", "pot=-", "QH missing; use all 52 cards"),
        ("kitty=5D,8C", "kitty=?,?", "the cards called [?] must be known before it can be stepped; name them"),
        ("kitty=5D,8C", "kitty=?", "the cards called [?] must be known before it can be stepped; name them"),
    ],
)
def test_positions_that_cannot_be_are_refused(old: str, new: str, told: str) -> None:
    with pytest.raises(PositionError, match=told):
        Tucking.at(str(some_turns().position()).replace(old, new))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (Fact("pot", "tucked", "pile"), "a pile in the middle is nobody's own"),
        (Fact("pot", "played", "pile"), "played is not a list, but the kind is pile"),
    ],
)
def test_piles_that_cannot_be_are_refused(changed: Fact, told: str) -> None:
    facts = tuple(changed if fact.name == "pot" else fact for fact in TUCKING.codec.facts)
    with pytest.raises(DeclarationError, match=told):
        replace(TUCKING, codec=replace(TUCKING.codec, facts=facts))


def test_cards_that_are_there_twice_lie_in_no_such_pile() -> None:
    codec = replace(Uno.declaration.codec, facts=(*Uno.declaration.codec.facts, Fact("pile", "hands", "cards")))
    with pytest.raises(DeclarationError, match="use a deck in which every card appears once"):
        replace(Uno.declaration, codec=codec)


def test_both_explorers_see_the_same_sound_positions() -> None:
    pytest.importorskip("llvmlite", reason="the explorer needs llvmlite")
    (small,) = TUCKING.small_decks
    assert explored_alike(Tucking, small).positions > 100


def test_both_engines_play_the_same_games() -> None:
    pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")
    assert_played_alike(Tucking, (Tucking.deal(3, 5, number, "random") for number in range(20)), "random", 5)


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
