"""Small decks of the games for two in examples/ are solved: as a plain minimax over stepped games finds."""

from __future__ import annotations

import pytest

from examples.briscola import Briscola
from examples.durak import Durak
from examples.schnapsen import Schnapsen
from examples.scopa import Scopa
from fsm import Game
from fsm.stepping.setup import deals

DECKS = [
    (Briscola, "2D AD 3C JC 4S 5S", 1),
    (Durak, "6D 7D 6H 8H 7S", 2),
    (Schnapsen, "JD KD TH QH AS", 1),
    (Scopa, "AD AC 2D 2C 3D KC", 1),
]


def worth(game: Game, known: dict[str, int]) -> int:
    """1 where the first player can win with open hands, -1 where the second one can, else 0."""
    while game.outcome is None and game.forced_events:
        game.step()
    if game.outcome is not None:
        return {1: 1, 2: -1}.get(game.outcome.winner or 0, 0)
    place = game.position()
    if place not in known:
        found = []
        for move in game.events().legal:
            after = game.clone()
            after.fire(*move)
            found.append(worth(after, known))
        known[place] = max(found) if game.player == 1 else min(found)
    return known[place]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "deck", "each"), DECKS)
def test_a_small_deck_is_worth_what_minimax_finds(kind: type[Game], deck: str, each: int) -> None:
    pytest.importorskip("llvmlite", reason="the solver needs llvmlite")
    from maumau.solve.hands import solve_open

    small, known = kind.with_deck(deck, each), dict[str, int]()
    values = [worth(small.of_deck(2, dealt), known) for dealt in deals(small, 2)]
    assert {1, -1} <= set(values)
    found = solve_open(small)
    assert found.counted(found.worth) == tuple(values.count(value) for value in (1, 0, -1))
