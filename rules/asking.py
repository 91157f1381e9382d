"""Seats are asked one after another, while the turn stays: `player` is the seat that acts, `turn` whose turn it is."""

from __future__ import annotations

from typing import Protocol

from rules.rule import effect, guard
from rules.seats import seat_after


class Asked(Protocol):
    """The fields of a table at which others than the player in turn act."""

    players: int
    player: int
    turn: int


@effect
def ask_first(table: Asked) -> None:
    """The seat after the player in turn is asked."""
    table.player = seat_after(table.turn, table.players)


@effect
def ask_next(table: Asked) -> None:
    """The following seat is asked."""
    table.player = seat_after(table.player, table.players)


@guard("all other seats were asked")
def another_to_ask(table: Asked) -> bool:
    """Another seat is left to be asked."""
    return seat_after(table.player, table.players) != table.turn


@effect
def turn_resumes(table: Asked) -> None:
    """The player in turn acts again."""
    table.player = table.turn


@effect
def take_turn(table: Asked) -> None:
    """It is the turn of the seat that acts."""
    table.turn = table.player
