"""A game in which chance does more than deal: a die says how many cards a seven draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fsm import MauMau, game_of
from rules.chance import below
from rules.maumau.game import add_two
from rules.rule import effect


@effect
def add_two_or_three(table: Any) -> None:
    """A seven in place of that of the rules: a die says how many cards."""
    table.due += 2 + below(2, table.seed, table.number, table.rolls)
    table.rolls += 1


ROLLING = game_of(
    replace(
        MauMau.declaration,
        name="rolling-maumau",
        arcs=tuple(
            replace(arc, before=tuple(add_two_or_three if each is add_two else each for each in arc.before))
            for arc in MauMau.declaration.arcs
        ),
    )
)
