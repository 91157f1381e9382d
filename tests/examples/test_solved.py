"""Small decks of the games in examples/ are solved: as a plain minimax over stepped games finds."""

from __future__ import annotations

import pytest

from examples.briscola import Briscola
from examples.durak import Durak
from examples.euchre import Euchre
from examples.president import President
from examples.schnapsen import Schnapsen
from examples.scopa import Scopa
from fsm import Game
from fsm.stepping.setup import deals

DECKS = [
    (Briscola, "2D AD 3C JC 4S 5S", 1, 2),
    (Briscola, "2D AD 3C JC 4S", 1, 4),
    (Durak, "6D 7D 6H 8H 7S", 2, 2),
    (Euchre, "9D JH 9S AC TD", 1, 4),
    (Schnapsen, "JD KD TH QH AS", 1, 2),
    (Scopa, "AD AC 2D 2C 3D KC", 1, 2),
]
"""Games for two players, or for two sides: those who sit at odd places are the first one."""


def worth(game: Game, known: dict[str, int]) -> int:
    """1 where the first side can win with open hands, -1 where the second one can, else 0."""
    while game.outcome is None and game.forced_events:
        game.step()
    if game.outcome is not None:
        return 0 if not game.outcome.winners else 1 if 1 in game.outcome.winners else -1
    place = game.position()
    if place not in known:
        found = []
        for move in game.events().legal:
            after = game.clone()
            after.fire(*move)
            found.append(worth(after, known))
        known[place] = max(found) if game.player % 2 else min(found)
    return known[place]


def wins_against_house(game: Game, seat: int) -> bool:
    """Whether a player can win with open hands against others who play as the house does."""
    while game.outcome is None and (game.forced_events or game.player != seat):
        game.step()
    if game.outcome is not None:
        return game.outcome.winner == seat
    for move in game.events().legal:
        after = game.clone()
        after.fire(*move)
        if wins_against_house(after, seat):
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "deck", "each", "players"), DECKS)
def test_a_small_deck_is_worth_what_minimax_finds(kind: type[Game], deck: str, each: int, players: int) -> None:
    from maumau.solve.hands import solve_open

    small, known = kind.with_deck(deck, each), dict[str, int]()
    values = [worth(small.of_deck(players, dealt), known) for dealt in deals(small, players)]
    assert {1, -1} <= set(values)
    found = solve_open(small, players)
    assert found.counted(found.worth) == tuple(values.count(value) for value in (1, 0, -1))


@pytest.mark.slow
def test_each_of_three_players_wins_as_often_against_the_house_as_all_lines_of_play_say() -> None:
    from maumau.solve.hands import solve_open

    small = President.with_deck("3C 3D 4C 4D 5C 6C", 2)
    dealt = list(deals(small, 3))
    found = solve_open(small, 3, ["house"])
    for seat in range(3):
        wins = sum(wins_against_house(small.of_deck(3, deck), seat + 1) for deck in dealt)
        assert 0 < wins < len(dealt)
        assert found.counted(found.against([0, 0, 0], seat)) == (wins, 0, len(dealt) - wins)
