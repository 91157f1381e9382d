"""UNO, rule 9: the call of a player with one card left."""

from __future__ import annotations

import pytest
from uno_games import at, turn


@pytest.mark.parametrize(("hand", "calls"), [("R4,B4", 1), ("R4,B4,B5", 0), ("RD,B4", 1), ("R4,B4,B4", 0), ("R4", 0)])
def test_a_drop_that_leaves_exactly_one_card_calls_uno(hand: str, calls: int) -> None:
    game = at(f"await-play calls=3/0 hands={hand}/B1 discard=R1,R2,R5,R3 draw=...")
    game.step()
    assert game.uno_calls == (3 + calls, 0)


def test_drawing_calls_nothing() -> None:
    assert turn(at("await-play hands=B5/B1 discard=R3 draw=...")).uno_calls == (0, 0)
