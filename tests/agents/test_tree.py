"""A search with a tree: it finds what its player gains by its own later moves, by what the player sees alone."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from decisions import decisions
from random_nets import random_net
from worlds import other_world

from examples.kuhn_poker import KuhnPoker
from fsm import Game, MauMau, Move, UnoOfficial
from maumau import Batch, Search
from maumau.agents.compiled import tree
from maumau.agents.nets.net import shipped_nets

WORLDS = 40


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(MauMau, players=2, worlds=WORLDS, tree=True, threads=1)


# ---------------------------------------------------------------- what it finds


def test_a_card_that_wins_at_once_is_worth_all(search: Search) -> None:
    rest = "SQ,CQ,DK,HK,CK,DS,HS,SS,CS,DE,HE,SE,CE,DN,HN,SN,CN,DT,HT,ST,CT,DA,HA,CA,DJ,HJ,SJ,CJ,DQ,HQ"
    facts = "player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=-"
    game = MauMau.at(f"await-play {facts} hands=SA/{rest[-2:]} discard=SK draw={rest[:-3]}")
    found = search.best(game)
    assert str(found.move) == "play SA"
    assert found.values[0].wins == found.values[0].worlds == WORLDS
    assert all(value.worlds < WORLDS for value in found.values[1:])


@pytest.mark.parametrize(("card", "best", "worth"), [("J", "bet", -0.5), ("Q", "check", 0.0), ("K", "bet", 1.0)])
def test_later_moves_of_the_player_are_chosen_by_what_it_sees(card: str, best: str, worth: float) -> None:
    """In Kuhn poker against the house, which bets and calls with the king alone, whatever the own policy would do.

    With the jack, a bet wins a chip against the queen and loses two against the king, and a check loses one against
    both. With the queen, a check wins a chip against the jack, and loses one against the king, whose bet is not called:
    a search that plays the rest at random calls it half the time, and finds -0.25. With the king both win a chip.
    """
    others = [each for each in "JQK" if each != card]
    tree = Search(KuhnPoker, players=2, worlds=4000, own="random", tree=True, threads=1)
    found = {str(value.move): value for value in _opening(tree, card, others)}
    assert found[best].share == pytest.approx(worth, abs=0.08)
    assert found[best].worlds > 3900
    flat = Search(KuhnPoker, players=2, worlds=4000, own="random", threads=1)
    shares = {str(value.move): value.share for value in _opening(flat, card, others)}
    assert card != "Q" or shares["check"] == pytest.approx(-0.25, abs=0.08)


def _opening(search: Search, card: str, others: list[str]) -> tuple:  # type: ignore[type-arg]
    """The values of the first decision of a game in which player 1 holds a card."""
    game = KuhnPoker.parse(" ".join(["2", card, *others]))
    game.step()
    return search.best(game).values


def _own_move(game: Game) -> Move:
    """The move that the policy of the player who acts makes."""
    return game.clone().step().move(game.declaration)


def test_few_games_do_not_speak_against_the_own_policy(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    differing = [search.best(game).move != _own_move(game) for game in decisions(MauMau, 2, games=2)]
    assert any(differing)
    assert not all(differing)
    monkeypatch.setattr("maumau.agents.search.tree.LEAD", 1e6)
    assert all(search.best(game).move == _own_move(game) for game in decisions(MauMau, 2, games=2))


def test_where_dice_choose_no_move_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    make = partial(Search, KuhnPoker, 2, WORLDS, own="random", tree=True, threads=1)
    found = [make().best(game) for game in decisions(KuhnPoker, 2, games=6)]
    monkeypatch.setattr("maumau.agents.search.tree.LEAD", 1e6)
    assert found == [make().best(game) for game in decisions(KuhnPoker, 2, games=6)]
    assert all(one.values[0].share == max(value.share for value in one.values) for one in found)


def test_games_that_look_the_same_are_searched_with_the_same_result(search: Search) -> None:
    random, compared = Random(2), 0
    for game in decisions(MauMau, 2, games=4):
        other = other_world(game, 1, random)
        if other is not None:
            assert search.best(other) == search.best(game)
            compared += 1
    assert compared > 5


# ---------------------------------------------------------------- determined, for any game


def test_neither_threads_nor_other_decisions_change_anything(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.agents.search.SHORT", 0)
    threads = Search(MauMau, players=2, worlds=WORLDS, tree=True, threads=3)
    found = [(game.clone(), search.best(game)) for game in decisions(MauMau, 2, games=1)]
    for game, before in reversed(found):
        assert threads.best(game) == search.best(game) == before


def test_a_batch_is_searched_as_its_games_are() -> None:
    batch = Batch("maumau", players=2, slots=4, seed=5, others="house")
    plain = Search(MauMau, players=2, worlds=WORLDS, tree=True, threads=2, infer=False)
    for _ in range(3):
        chosen, visits, wins = plain.choose(batch), plain.visits(batch), plain.wins(batch)
        for slot in range(4):
            game = batch.game(slot)
            for value in plain.best(game).values:
                action = batch.actions.number(value.move, game.player, 2)
                assert (visits[slot, action], wins[slot, action]) == (value.worlds, value.wins)
            assert batch.actions.move(int(chosen[slot]), game.player, 2) == plain.best(game).move
        batch.step(chosen)


def test_time_may_be_limited(search: Search) -> None:
    patient = Search(MauMau, players=2, worlds=100_000, tree=True, threads=1)
    game = next(decisions(MauMau, 2, games=1))
    patient.best(game, seconds=0.0)  # loads the machine code
    assert 2 * 64 < patient.best(game, seconds=0.05).values[0].worlds < 100_000
    assert search.best(game, seconds=0.0) == search.best(game)


def test_the_player_goes_on_by_a_net_outside_of_the_tree() -> None:
    net = shipped_nets(MauMau.declaration)[2]
    one, two = (Search(MauMau, players=2, worlds=4, own=net, tree=True, threads=number) for number in (1, 2))
    for game in decisions(MauMau, 2, games=1):
        assert one.best(game) == two.best(game)


@pytest.mark.thorough
def test_other_games_are_searched_with_a_net() -> None:
    net = random_net(UnoOfficial.declaration, 2)
    one, two = (Search(UnoOfficial, 2, worlds=10, own=net, tree=True, threads=number) for number in (1, 2))
    for game in decisions(UnoOfficial, 2, games=1):
        assert one.best(game) == two.best(game)


@pytest.mark.thorough
def test_a_tree_wins_more_than_a_flat_search_with_as_many_worlds() -> None:
    """Of 600 games, 400 worlds each; measured over 3,000 games: docs/howto/agents.md."""
    wins = []
    for by_tree in (False, True):
        search, won = Search(MauMau, players=2, worlds=400, tree=by_tree), 0
        for number in range(300):
            for seat in (1, 2):
                game = MauMau.deal(2, seed=5, number=number)
                while game.outcome is None:
                    chooses = game.player == seat and len(game.events().legal) > 1
                    _ = game.fire(search.best(game).move) if chooses else game.step()
                won += seat in game.outcome.winners
        wins.append(won)
    assert wins[1] > wins[0]


@pytest.mark.slow
@pytest.mark.parametrize("infer", [False, True])
def test_a_tree_that_is_not_explored_finds_what_a_flat_search_finds(
    infer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each action is tried in each world, and the seat goes on by its policy: the wins are the same numbers."""
    monkeypatch.setattr(tree, "RIPE", 10**6)
    monkeypatch.setattr(tree, "SURE", 1e6)
    monkeypatch.setattr("maumau.agents.search.tree.LEAD", 0)
    make = partial(Search, MauMau, 3, 50, own="first-legal", threads=1, infer=infer)  # no other test compiles this
    flat, grown = make(), make(tree=True)
    for game in decisions(MauMau, 3, games=3):
        assert grown.best(game) == flat.best(game)
