"""The random player that lays a card wherever it may."""

from __future__ import annotations

from collections import Counter

import pytest

from examples.go_fish import GoFish
from fsm import Game, MauMau, Uno, game_class

OFFICIAL, MAHJONG = game_class("uno-official"), game_class("mahjong")
POLICY = "random-legal-card"


@pytest.mark.parametrize("kind", [MauMau, Uno, OFFICIAL, MAHJONG])
def test_it_lays_a_card_wherever_it_may(kind: type[Game]) -> None:
    for number in range(3):
        game = kind.deal(kind.declaration.codec.most, seed=5, number=number, policies=POLICY)
        while game.outcome is None:
            offers = {offer.trigger: offer for offer in game.declaration.control[game.phase].offers}
            laying = [move for move in game.events().legal if move.trigger in offers and offers[move.trigger].lays]
            forced = not any(move.trigger in offers for move in game.events().legal)
            step = game.step()
            if laying and not forced:
                assert (step.trigger, step.card) in [(move.trigger, move.card) for move in laying]


def test_of_the_cards_that_may_be_laid_each_is_as_likely() -> None:
    position = MauMau.deal(3, seed=7)
    position.run()
    first = Counter[str | None]()
    for seed in range(600):
        game = MauMau.parse(
            "2 SS SN HS CS DA DK HA HK CA CK SA SK HN DN CN HE DE CE SE HT DT CT ST HJ DJ CJ SJ HQ DQ CQ SQ DS", POLICY
        )
        game.table.seed = seed
        while game.player != 1 or not any(offer for offer in game.declaration.control[game.phase].offers):
            game.step()
        laid = [move.card for move in game.events().legal if move.card]
        first[game.step().card] += 1
    assert set(first) == set(laid)
    assert all(600 / len(laid) * 0.6 < count < 600 / len(laid) * 1.4 for count in first.values())


def test_a_game_in_which_no_cards_are_laid_refuses_it() -> None:
    with pytest.raises(ValueError, match="policy random-legal-card: no cards are laid in go-fish"):
        GoFish.deal(3, seed=1, policies=POLICY)


def test_the_policies_of_a_game_that_lays_cards_have_it() -> None:
    assert POLICY in [policy.name for policy in MauMau.declaration.policies]
    assert POLICY not in [policy.name for policy in GoFish.declaration.policies]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["maumau", "uno", "uno-official", "mahjong"])
def test_it_plays_compiled_as_it_is_stepped(game: str) -> None:
    from bulk_fixtures import Task, compare

    players = game_class(game).declaration.codec.most if game == "mahjong" else 3
    assert compare(Task(game, players, (POLICY,), 20)) == []
