"""Numbers below 0 in rule functions: in machine code, in lock step too, they are what they are in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fsm import MauMau
from fsm.stepping.game import game_of
from maumau import bulk
from rules.cards import points
from rules.maumau.game import MauMauTable
from rules.rule import query

GAMES = 200
"""Enough to be played in lock step, where that is possible."""


@query
def of_seat_before(table: MauMauTable, seat: int) -> int:
    """The points of the seat before, of the first one those of the last one."""
    return points(table.hands[seat - 1])


@query
def of_named_seat(table: MauMauTable, seat: int) -> int:
    """The same of the seat before that."""
    before = seat
    before -= 2
    return points(table.hands[before])


@query
def of_last_seat(table: MauMauTable, seat: int) -> int:
    """The points of the last place of the list, and of another one."""
    return points(table.hands[-1]) + points(table.hands[-2 + seat % 2])


@query
def bits_below_zero(table: MauMauTable, seat: int) -> int:
    """Bits of the absolute values of negative numbers."""
    return (~table.hands[seat]).bit_count() + (seat - 5).bit_length()


SCORES = of_seat_before, of_named_seat, of_last_seat, bits_below_zero


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.__name__)
def test_numbers_below_zero_are_those_of_python(score: Callable[[Any, int], int]) -> None:
    name = score.__name__.replace("_", "-")
    kind = game_of(replace(MauMau.declaration, name=name, score=score))
    compiled = bulk.play_dealt(players=4, games=GAMES, seed=3, game=kind).scores.tolist()
    assert compiled == [list(kind.deal(players=4, seed=3, number=number).run().scores) for number in range(GAMES)]
