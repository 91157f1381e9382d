"""A turnstile with a box for three coins."""

from dataclasses import dataclass

from maumau import Game, Invariant, Phase, automaton, choose, effect, forced, guard, on, query
from rules.table import CardTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Box(CardTable):
    coins: int = seen_by_all(0)
    refunds: int = seen_by_all(0)  # 1 after an odd number of them


class TurnstilePhase(Phase):
    START = "start"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    OFF = "off"


START, LOCKED, UNLOCKED, OFF = TurnstilePhase


@guard("the box has room")
def box_is_full(table):
    """The box is full."""
    return table.coins == 3


@effect
def give_back(table):
    table.refunds = 1 - table.refunds


@effect
def take_coin(table):
    table.coins += 1


@effect
def empty_box(table):
    table.coins = 0


@query
def at_most_three(table):
    return table.coins <= 3


TURNSTILE = automaton(
    "Turnstile",
    TurnstilePhase,
    {
        START: forced(on("start", LOCKED, rule="It starts locked.")),
        LOCKED: choose(
            on("coin", UNLOCKED, before=take_coin, rule="A coin unlocks it."),
            on("coin", LOCKED, before=give_back, rule="A full box gives the coin back."),
            on("empty", LOCKED, before=empty_box, rule="The box is emptied."),
            on("switch_off", OFF, rule="It is switched off."),
        ),
        UNLOCKED: choose(on("push", LOCKED, rule="A person who pushes passes, and it locks.")),
    },
    table=Box,
    invariants=(Invariant("at most three coins are in the box", at_most_three),),
)


class Turnstile(Game, declaration=TURNSTILE):
    """A turnstile."""
