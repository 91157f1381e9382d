"""A machine that throws dice: what is shown, until it is stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fsm import Game, game_of
from maumau import Invariant, Phase, Postcondition, automaton, choose, effect, eventually, forced, on, query
from rules.chance import below, roll
from rules.table import CardTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Board(CardTable):
    shown: int = seen_by_all(0)


class Throwing(Phase):
    START = "start"
    TABLE = "table"
    OVER = "over"


START, TABLE, OVER = Throwing


@effect
def one_die(table: Any) -> None:
    table.shown = 1 + roll(table, 6)


@effect
def sum_of_two(table: Any) -> None:
    table.shown = 2 + roll(table, 6)
    table.shown += roll(table, 6)


@effect
def perhaps_another(table: Any) -> None:
    """1, or 2 to 4."""
    table.shown = roll(table, 2)
    if table.shown == 0:
        table.shown = 2 + roll(table, 3)


@effect
def sixes_in_a_row(table: Any) -> None:
    table.shown = table.shown + 1 if roll(table, 6) == 5 else 0


@effect
def all_orders(table: Any) -> None:
    """As many outcomes as six cards have orders: 720."""
    for card in range(6, 1, -1):
        table.shown = roll(table, card)


@effect
def many(table: Any) -> None:
    for _ in range(20):
        table.shown = roll(table, 52)


@effect
def loose_die(table: Any) -> None:
    table.shown = 1 + below(6, table.seed, table.number, table.rolls)
    table.rolls += 1


@query
def is_no_five(table: Any) -> bool:
    return table.shown != 5


@query
def fewer_than_three(table: Any) -> bool:
    return table.shown < 3


@query
def fewer_than_nine(table: Any) -> bool:
    return table.shown < 9


@query
def rises_by_less_than_four(before: Any, after: Any) -> bool:
    return after.shown < before.shown + 4


def throwing(throw: Any, *over_time: Any, title: str = "Throwing", may_stop: Any = (), **demands: Any) -> type[Game]:
    """A machine that throws dice until it is stopped."""
    moves = {
        START: forced(on("begin", TABLE, rule="Nothing is shown.")),
        TABLE: choose(
            on("throw", TABLE, before=throw, rule="Dice are thrown."),
            on("stop", OVER, conditions=may_stop, rule="It is stopped."),
        ),
    }
    return game_of(automaton(title, Throwing, moves, table=Board, over_time=over_time, **demands))


class Never(
    Game, declaration=throwing(one_die, title="Never", invariants=(Invariant("never five", is_no_five),)).declaration
):
    """A five is a fault."""


class Rising(
    Game,
    declaration=throwing(
        one_die, title="Rising", postconditions=(Postcondition("up by three", rises_by_less_than_four, ("throw",)),)
    ).declaration,
):
    """A throw that shows four more than the one before is a fault."""


class Ending(Game, declaration=throwing(one_die, eventually("it ends", OVER), title="Ending").declaration):
    """That nobody stops it is a fault."""


class Three(
    Game,
    declaration=throwing(sixes_in_a_row, title="Three", invariants=(Invariant("few", fewer_than_three),)).declaration,
):
    """Three sixes in a row are a fault."""


class Nine(
    Game,
    declaration=throwing(sixes_in_a_row, title="Nine", invariants=(Invariant("few", fewer_than_nine),)).declaration,
):
    """Nine sixes in a row are a fault: of ten million games one has them at once."""


class Loose(Game, declaration=throwing(loose_die, title="Loose").declaration):
    """One sequence of dice only can be followed."""
