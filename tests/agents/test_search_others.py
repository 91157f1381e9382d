"""Searches that expect other players than the house: nets, and players of whom one is drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from statistics import mean

import pytest
from decisions import decisions
from random_nets import random_net
from worlds import other_world

from examples.kuhn_poker import KuhnPoker
from fsm import MauMau
from maumau import Search, game_of
from maumau.agents.nets.net import shipped_nets
from maumau.agents.opponents import player_of

NET = shipped_nets(MauMau.declaration)[2]


def opening(search: Search, card: str) -> dict[str, float]:
    """What both moves are worth of the first player of Kuhn poker with a card."""
    game = KuhnPoker.parse(" ".join(["2", card, *(each for each in "JQK" if each != card)]))
    game.step()
    return {str(value.move): value.share for value in search.best(game).values}


@pytest.mark.parametrize("tree", [False, True])
@pytest.mark.parametrize("infer", [False, True])
def test_players_alike_play_as_one_does(infer: bool, tree: bool) -> None:
    """Notes are kept then, and games are stepped in another way."""
    policies = MauMau.declaration.policies
    kind = game_of(replace(MauMau.declaration, policies=(*policies, replace(policies[0], name="again"))))
    make = partial(Search, kind, 3, 40, own="first-legal", threads=1, infer=infer, tree=tree)
    plain, drawn = make(), make(others={"house": 0.3, "again": 0.7})
    for game in decisions(kind, 3, games=2):
        assert drawn.best(game) == plain.best(game)


@pytest.mark.parametrize("tree", [False, True])
def test_players_are_drawn_by_their_probabilities(tree: bool) -> None:
    """A bet with the queen: the jack folds for -0.5 against the house, which calls with the king alone; 0.5 against
    random players, who call half the time with both.
    """
    for random, worth in ((0.0, -0.5), (0.25, -0.25), (0.5, 0.0), (1.0, 0.5)):
        others = {"house": 1 - random, "random": random}
        search = Search(KuhnPoker, 2, 4000, others=others, own="first-legal", infer=False, tree=tree, threads=1)
        assert opening(search, "Q")["bet"] == pytest.approx(worth, abs=0.1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tree", [False, True])
def test_a_net_plays_as_it_does_in_stepped_games(seed: int, tree: bool) -> None:
    net = random_net(KuhnPoker.declaration, 2, seed=seed)
    own = "first-legal"
    search = Search(KuhnPoker, 2, 2000, others=net, own=own, infer=False, tree=tree, threads=1)
    for card in "JQK":
        found = opening(search, card)
        for move, worth in found.items():
            played = [stepped(card, other, move, [own, player_of(KuhnPoker.declaration, net)]) for other in "JQK"]
            expected = mean(each for each, other in zip(played, "JQK", strict=True) if other != card)
            assert tree or worth == pytest.approx(expected, abs=0.12)
            assert worth >= expected - 0.12  # a tree may choose better later moves


def stepped(card: str, other: str, move: str, policies: list[object]) -> float:
    """What player 1 gains with a card after a move."""
    rest = [each for each in "JQK" if each not in (card, other)]
    game = KuhnPoker.parse(" ".join(["2", card, other, *rest]) if card != other else "2 J Q K", policies)
    game.step()
    game.fire(next(each for each in game.events().legal if str(each) == move))
    while game.outcome is None:
        game.step()
    return float(game.outcome.returns[0])


@pytest.mark.parametrize("tree", [False, True])
def test_nets_of_others_see_nothing_hidden_and_need_no_threads(tree: bool) -> None:
    make = partial(Search, MauMau, 2, 12, others={NET: 0.5, "house": 0.5}, tree=tree)
    one, two, random, compared = make(threads=1), make(threads=2), Random(3), 0
    for game in decisions(MauMau, 2, games=2):
        assert one.best(game) == two.best(game)
        if (other := other_world(game, 1, random)) is not None:
            assert one.best(other) == one.best(game)
            compared += 1
    assert compared > 2


def test_each_seat_may_have_its_own_player() -> None:
    listed = Search(MauMau, 3, 20, others=["house", "first-legal", "house"], own="house", threads=1)
    seen = [listed.best(game) for game in decisions(MauMau, 3, games=1)]
    assert seen != [Search(MauMau, 3, 20, own="house", threads=1).best(game) for game in decisions(MauMau, 3, games=1)]


def test_by_default_the_own_seat_has_the_net_of_the_others() -> None:
    one = Search(MauMau, 2, 8, others=NET, threads=1)
    two = Search(MauMau, 2, 8, others=NET, own=NET, threads=1)
    for game in decisions(MauMau, 2, games=1):
        assert one.best(game) == two.best(game)


def test_players_that_cannot_play_games_out_are_refused() -> None:
    with pytest.raises(ValueError, match="policy search:10 plays stepped games only; use one of house"):
        Search(MauMau, 2, 10, others={"house": 0.5, "search:10": 0.5})
    with pytest.raises(ValueError, match="others: 2 nets; use one of them, and policies of the game"):
        Search(MauMau, 2, 10, others={NET: 0.5, random_net(MauMau.declaration, 2): 0.5})
    with pytest.raises(ValueError, match=r"others: the probabilities add up to 0\.5; use some that add up to 1"):
        Search(MauMau, 2, 10, others={"house": 0.5})
