"""Games from decks in machine code: they are the stepped games, also when they are copied."""

from __future__ import annotations

import pickle
from copy import deepcopy
from random import Random

import pytest

pytest.importorskip("llvmlite")

from all_games import GAMES

from fsm import Game, IllegalMove, MauMau
from fsm.declaration.rewards import Reward
from maumau.agents.deals import CompiledDeal, DealtKind, SteppedDeal, deal

by_game = pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)


def check_alike(kind: type[Game], players: int, limit: int, events: int, number: int) -> int:
    """Play a game at random both ways, with copies that go on otherwise. Returns how many decisions it had."""
    given = DealtKind(kind, players, limit, Reward.named(kind.declaration, None), events)
    deck, random, decisions = kind.deck_of(players, 5, number), Random(number), 0
    compiled, stepped = deal(given, deck), SteppedDeal(given, deck)
    assert isinstance(compiled, CompiledDeal)
    while True:
        assert (compiled.done, compiled.legal()) == (stepped.done, stepped.legal())
        assert compiled.returns() == stepped.returns()
        for seat in (None, *range(players)):
            assert compiled.observation(seat).tolist() == stepped.observation(seat).tolist()
        if compiled.done:
            break
        assert compiled.seat == stepped.seat
        if random.random() < 0.3:
            old, compiled = compiled, random.choice([deepcopy, lambda game: pickle.loads(pickle.dumps(game))])(compiled)
            old.act(random.choice(old.legal()))
            assert old.observed.chosen == decisions + 1
        if random.random() < 0.2:
            assert compiled.observed.game.position() == stepped.observed.game.position()
        action = random.choice(compiled.legal())
        compiled.act(action), stepped.act(action)
        decisions += 1
    return decisions


@by_game
def test_a_compiled_deal_is_the_stepped_game(kind: type[Game]) -> None:
    for number, players in enumerate({kind.declaration.codec.fewest, kind.declaration.codec.most}):
        assert check_alike(kind, players, 25, 2 * number, number) > 0


@pytest.mark.slow
@by_game
def test_a_compiled_deal_is_the_stepped_game_to_its_end(kind: type[Game]) -> None:
    for number in range(4):
        check_alike(kind, kind.declaration.codec.fewest, 300, 0, number)


def test_an_illegal_action_of_a_compiled_deal_says_why() -> None:
    game = deal(DealtKind(MauMau, 2, 50, Reward.WIN), MauMau.deck_of(2, 7))
    before = game.legal()
    for action, why in ((99, "action 99 is out of range; use 0 to 49"), (0, "does not hold it")):
        with pytest.raises(IllegalMove, match=why):
            game.act(action)
    assert game.legal() == before
    while not game.done:
        game.act(game.legal()[0])
    with pytest.raises(IllegalMove):
        game.act(before[0])
