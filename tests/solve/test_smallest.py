"""Which moves are right, in a game that is solved by hand, and which decks are alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.smallest import Without, decks
from fsm.outside import admit, read_source

KUHN = f"{Path(__file__).parents[2] / 'examples' / 'kuhn_poker.py'}:KuhnPoker"


def test_a_bluff_of_kuhn_poker_is_worth_a_ninth_of_a_chip() -> None:
    """Player 2 bets the jack after a check in one of three games. Without it a bet after a check is a king.

    Then player 1 folds the queen to it, and gains 0 with the queen, 2 + c with the king and at least -2, or -1 - 3 c by
    betting, with the jack, where c is how often the queen calls: in all 1/3 of six deals at c = 1/3, and so 1/18 instead
    of -1/18.
    """
    bluffs = [
        right
        for right in Without(admit(read_source(KUHN))).right()
        if right.what == "mixed moves" and right.game.phase == "after-check" and "J" in right.game.hands[1]
    ]
    assert [right.chances for right in bluffs] == [pytest.approx([2 / 3, 1 / 3], abs=1e-3)]
    assert bluffs[0].costs == pytest.approx(1 / 9)


def test_decks_are_alike_by_suits_and_plain_ranks() -> None:
    """Of one card a seven, an eight, a jack or a plain card; of two cards, too, with one suit or two."""
    assert sorted(card[1] for card in decks(1)) == ["E", "J", "Q", "S"]
    of_two_ranks = 2 * (3 + 3 + 1)  # two ranks that act, one that acts and a plain one, two plain ones: one suit or two
    of_one_rank = 3 + 1
    assert len(list(decks(2))) == of_two_ranks + of_one_rank
