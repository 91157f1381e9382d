"""What must hold of mahjong at the table: true in games, and false as soon as a tile, a seat or a pile is wrong."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from fsm.games.mahjong import MAHJONG
from fsm.games.mahjong.game import Mahjong
from rules.mahjong import invariants as what
from rules.mahjong import postconditions as events
from rules.mahjong.game import NOBODY, MahjongTable, copies_laid
from rules.mahjong.tiles import TILES
from rules.table import copies_held

Change = Callable[[Any], None]
Pair = tuple[MahjongTable, MahjongTable]


@cache
def played() -> dict[str, Pair]:
    """Of each event one: the table before and after it. A meld is claimed from another's discard."""
    found: dict[str, Pair] = {}
    for number in range(40):
        game = Mahjong.deal(4, 7, number)
        while game.outcome is None:
            before = deepcopy(game.table)
            event = game.step().trigger
            after = deepcopy(game.table)
            before.card = after.card
            found.setdefault(event if event != "gang" or before.turn != before.player else "own gang", (before, after))
    return found


def has_one_more(tile: int, seat: int) -> Change:
    return lambda table: MAHJONG.codec.receive(table, seat, tile)


def set_to(**values: int) -> Change:
    def change(table: Any) -> None:
        for name, value in values.items():
            setattr(table, name, value)

    return change


def moved_on(field: str) -> Change:
    return lambda table: setattr(table, field, (getattr(table, field) + 1) % table.players)


def spare_tile(table: Any, seat: int) -> int:
    """A tile of which the seat has none and another one is there."""
    laid = table.melds[seat]
    return next(tile for tile in range(27) if copies_held(table, seat, tile) + copies_laid(laid, tile) == 0)


# ---------------------------------------------------------------- positions


def too_many(table: MahjongTable) -> None:
    has_one_more(spare_tile(table, 2), 2)(table)


POSITIONS: dict[str, tuple[Callable[[MahjongTable], bool], Change]] = {
    "more tiles in the wall than there are": (what.piles_are_sound, set_to(stock=137)),
    "another tile is open": (what.piles_are_sound, lambda table: setattr(table, "open_card", table.open_card ^ 1)),
    "a hand with a tile too many": (what.hands_are_even, too_many),
    "the turn of nobody": (what.turn_is_a_seat, set_to(turn=4)),
    "somebody pays already": (what.nothing_is_paid, set_to(payer=2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", POSITIONS)
def test_a_position_with_a_fault_is_found_wrong(fault: str) -> None:
    holds, change = POSITIONS[fault]
    table = deepcopy(played()["discard"][1])
    assert holds(table)
    change(table)
    assert not holds(table)


# ---------------------------------------------------------------- events


def others_change(table: MahjongTable) -> None:
    other = (table.player + 1) % table.players
    has_one_more(spare_tile(table, other), other)(table)


def others_lay_out(table: MahjongTable) -> None:
    table.melds[(table.player + 1) % table.players] ^= 1


def nothing_laid_out(table: MahjongTable) -> None:
    table.melds[table.player] = 0


EVENTS: dict[str, tuple[str, Callable[[MahjongTable, MahjongTable], bool], Change]] = {
    "a draw into two hands": ("take", events.others_keep_their_tiles, others_change),
    "a draw while another lays out": ("take", events.others_keep_their_tiles, others_lay_out),
    "a draw after which another acts": ("take", events.tile_is_taken, moved_on("player")),
    "a discard after which nobody else is asked": ("discard", events.tile_is_discarded, moved_on("player")),
    "a discard that ends the turn": ("discard", events.tile_is_discarded, moved_on("turn")),
    "a pung without the turn": ("pung", events.pung_is_laid, moved_on("turn")),
    "a pung that is not laid out": ("pung", events.meld_is_claimed, nothing_laid_out),
    "a chow without the turn": ("chow", events.run_is_laid, moved_on("turn")),
    "a claimed gang without the turn": ("gang", events.gang_is_laid, moved_on("turn")),
    "an own gang without the turn": ("own gang", events.gang_is_laid, moved_on("turn")),
    "a win of nobody": ("win", events.who_acts_wins, set_to(winner=NOBODY)),
    "a win after which the turn moves": ("win", events.who_acts_wins, moved_on("turn")),
    "a seat that is left out": ("pass_over", events.next_seat_is_asked, moved_on("player")),
    "an opening that moves the turn": ("open", events.nothing_moves, moved_on("turn")),
    "an opening after which another acts": ("open", events.same_player, moved_on("player")),
}


@pytest.mark.parametrize("fault", EVENTS)
def test_an_event_with_a_fault_is_found_wrong(fault: str) -> None:
    event, holds, change = EVENTS[fault]
    before, after = played()[event]
    assert holds(before, after)
    wrong = deepcopy(after)
    change(wrong)
    assert not holds(before, wrong)


def test_a_chow_must_be_a_row_with_the_open_tile() -> None:
    before, after = played()["chow"]
    for first in {0, 7, 8, 16, 26, before.open_card + 1} - {before.card}:
        other = deepcopy(before)
        other.card = first
        assert not events.run_is_laid(other, after)


# ---------------------------------------------------------------- winning


def holding(tiles: str) -> MahjongTable:
    table = MahjongTable()
    table.players = 2
    for tile in tiles.split():
        MAHJONG.codec.receive(table, 0, TILES.card(tile))
    return table


@pytest.mark.parametrize(
    ("tiles", "wins"),
    [
        ("1D 1D 1D 2D 3D 4D 5D 6D 7D 9B 9B 9B 5B 5B", True),
        ("1D 1D 1D 1D 2D 3D 5D 6D 7D 9B 9B 9B 5B 5B", True),  # three equal tiles and a row share a kind
        ("1D 1D 3D 3D 5D 5D 7D 7D 9D 9D 2B 2B 4B 4B", True),  # seven pairs
        ("1D 1D 3D 3D 5D 5D 7D 7D 9D 9D 2B 2B 4M 4M", False),  # of three suits
        ("1D 1D 3D 3D 5D 5D 7D 7D 9D 9D 2B 2B 4B 5B", False),
        ("1D 1D 1D 2D 3D 4D 5D 6D 7D 9B 9B 9B 4M 4M", False),
        ("1D 1D 1D 2D 3D 4D 5D 6D 8D 9B 9B 9B 5B 5B", False),
        ("8D 9D 1B 2D 3D 4D 5D 6D 7D 9B 9B 9B 5B 5B", False),  # a row does not go on in the next suit
    ],
)
def test_a_hand_wins_with_four_groups_and_a_pair_or_seven_pairs_of_at_most_two_suits(tiles: str, wins: bool) -> None:
    assert what.is_winning(holding(tiles), 0, NOBODY) is wins
    *held, last = tiles.split()
    assert what.is_winning(holding(" ".join(held)), 0, TILES.card(last)) is wins


@pytest.mark.parametrize(
    ("tiles", "tile", "run", "both"),
    [
        ("1D 2D", "3D", True, False),
        ("2D 4D", "3D", True, False),
        ("4D 5D", "3D", True, False),
        ("2D 5D", "3D", False, False),
        ("8D 9D", "1B", False, False),
        ("3D 3D", "3D", False, True),
        ("3D 4B", "3D", False, False),
    ],
)
def test_two_tiles_claim_a_discard(tiles: str, tile: str, run: bool, both: bool) -> None:
    table = holding(tiles)
    table.open_card, table.turn = TILES.card(tile), 1
    assert (events.could_claim_run(table, table), events.could_claim_set(table, table)) == (run, both)
    assert (events.could_not_claim_run(table, table), events.could_not_claim_set(table, table)) == (not run, not both)
