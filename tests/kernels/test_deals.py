"""Machine code deals a small deck in every way, in each way once, and in the order of the stepped explorer."""

from __future__ import annotations

from itertools import permutations

import pytest

pytest.importorskip("llvmlite", reason="the decks are dealt in machine code")

from hypothesis import given
from hypothesis import strategies as st

from fsm.stepping.setup import deals
from maumau import Game, Mahjong, MauMau, Uno
from maumau.kernels.explorer.exhaustive import Deals

Deck = tuple[int, ...]


def all_deals(kind: type[Game], players: int, at_once: int) -> list[Deck]:
    """The decks, some at a time."""
    dealt, found = Deals(kind, players), list[Deck]()
    while len(more := dealt.next(at_once)):
        found += map(tuple, more.tolist())
    return found


def lying(kind: type[Game], players: int, deck: Deck) -> tuple[object, ...]:
    """Where the cards of a deck lie after the deal."""
    table = kind.declaration.table()
    kind.declaration.deal(table, deck, players)
    copies = [tuple(getattr(table, name, ())) for name in ("hands", "twins", "triples", "quadruples")]
    return *copies, *(table.ring[place] for place in range(table.head, table.tail)), table.open_card


@pytest.mark.parametrize(
    ("kind", "cards", "players", "each"),
    [
        (MauMau, "DQ DS HS DE DJ", 2, 1),
        (MauMau, "DQ DS HS DE DJ HJ", 2, 2),
        (Uno, "Y1 Y1 R1 R1 WC WC", 2, 2),
        (Uno, "Y1 Y1 R1 R1 WC WC WC", 3, 1),
        (Mahjong, "1D 1D 1D 2D 2D 3D 3D 3D", 2, 4),
    ],
)
@given(at_once=st.integers(1, 50))
def test_every_way_is_dealt_once(kind: type[Game], cards: str, players: int, each: int, at_once: int) -> None:
    small = kind.with_deck(cards, each)
    found = [lying(small, players, deck) for deck in all_deals(small, players, at_once)]
    assert len(set(found)) == len(found)
    assert set(found) == {lying(small, players, deck) for deck in set(permutations(small.declaration.full_deck()))}


@pytest.mark.parametrize("kind", [MauMau, Uno, Mahjong])
def test_the_order_is_that_of_the_stepped_explorer(kind: type[Game]) -> None:
    small = kind.declaration.small_decks[0]
    made = kind.with_deck(small.cards, small.each)
    may_be = set(deals(made, small.players))
    assert [deck for deck in all_deals(made, small.players, 7) if deck in may_be] == list(deals(made, small.players))
