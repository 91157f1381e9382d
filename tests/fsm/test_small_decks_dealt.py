"""Small decks of which no card, or not every one, may lie open at the start: they are refused or made valid, not dealt."""

from __future__ import annotations

import pytest

from fsm import Game, MauMau, Uno, UnoOfficial


@pytest.mark.parametrize(("kind", "cards"), [(Uno, "WC WF WF WC"), (UnoOfficial, "WF WF WF WF")])
def test_a_deck_with_which_no_game_may_start_is_refused(kind: type[Game], cards: str) -> None:
    """No wild lies open in UNO of the problem, no wild draw four in official UNO."""
    with pytest.raises(ValueError, match=f"{cards}: no card may lie open at the start; this must hold: .* wild"):
        kind.with_deck(cards, each=1)


def test_a_deal_after_which_only_wild_draw_fours_are_left_is_refused() -> None:
    """Official UNO puts them under the draw pile until another card lies open."""
    kind, refused = UnoOfficial.with_deck("Y1 R1 WF WF", each=1), 0
    for number in range(40):
        deck = [kind.declaration.codec.notation.cards[code] for code in kind.deck_of(2, 7, number)]
        if set(deck[2:]) == {"WF"}:
            refused += 1
            with pytest.raises(ValueError, match=r"cannot be dealt; this must hold: .* no wild draw four is open"):
                kind.deal(2, seed=7, number=number)
        else:
            assert kind.deal(2, seed=7, number=number).open_card in ("Y1", "R1")
    assert 0 < refused < 40


@pytest.mark.parametrize("count", ["play_dealt", "total", "matches"])
def test_the_compiled_engine_refuses_it_alike(count: str) -> None:
    from maumau import bulk

    kind = UnoOfficial.with_deck("Y1 R1 WF WF", each=1)
    with pytest.raises(
        ValueError, match=r"game 0: the deck cannot be dealt; this must hold: .* no wild draw four is open"
    ):
        getattr(bulk, count)(2, 1, seed=7, game=kind)


def test_a_batch_refuses_it_alike() -> None:
    from maumau import Batch

    kind = UnoOfficial.with_deck("Y1 R1 WF WF", each=1)
    with pytest.raises(
        ValueError, match=r"game 0: the deck cannot be dealt; this must hold: .* no wild draw four is open"
    ):
        Batch(kind, players=2, slots=1, seed=7)


@pytest.mark.parametrize(("kind", "cards"), [(Uno, "Y1 WC WF WF"), (MauMau, "DJ HJ SJ CJ")])
def test_other_decks_are_always_dealt(kind: type[Game], cards: str) -> None:
    small = kind.with_deck(cards, each=1)
    for number in range(20):
        game = small.deal(2, seed=7, number=number)
        assert game.open_card == "Y1" or kind is MauMau
        game.run()
