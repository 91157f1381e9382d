"""A traffic light at a crossing for pedestrians, who press a button and wait at most two phases of green."""

from dataclasses import dataclass

from maumau import Game, Invariant, Phase, Postcondition, automaton, choose, effect, forced, guard, on, query
from rules.table import CardTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Crossing(CardTable):
    waiting: int = seen_by_all(0)  # 1 while somebody has pressed the button
    greens: int = seen_by_all(0)  # since then


class LightPhase(Phase):
    START = "start"
    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"
    WALK = "walk"
    OFF = "off"


START, RED, GREEN, YELLOW, WALK, OFF = LightPhase


@guard("nobody waits")
def somebody_waits(table):
    """Somebody has pressed the button."""
    return table.waiting == 1


@guard("nobody has waited for two phases of green")
def waited_long(table):
    """Somebody has waited for two phases of green."""
    return table.greens == 2


@effect
def press(table):
    table.waiting = 1


@effect
def count_green(table):
    table.greens += table.waiting


@effect
def stop_cars(table):
    table.waiting = 0
    table.greens = 0


@query
def short_wait(table):
    return table.greens <= 2


@query
def nobody_waits(before, after):
    return after.waiting == 0


LIGHT = automaton(
    "Traffic light",
    LightPhase,
    {
        START: forced(on("start", RED, rule="It starts with red.")),
        RED: choose(
            on("change", GREEN, unless=waited_long, before=count_green, rule="After red comes green."),
            on("let_walk", WALK, conditions=somebody_waits, before=stop_cars, rule="Who waits may walk."),
            on("switch_off", OFF, rule="It is switched off."),
        ),
        GREEN: choose(
            on("press", GREEN, unless=somebody_waits, before=press, rule="A pedestrian presses the button."),
            on("change", YELLOW, rule="After green comes yellow."),
        ),
        YELLOW: choose(on("change", RED, rule="After yellow comes red.")),
        WALK: choose(on("change", RED, rule="Cars wait until nobody walks.")),
    },
    table=Crossing,
    invariants=(Invariant("pedestrians wait for at most two phases of green", short_wait),),
    postconditions=(Postcondition("who walks waits no longer", nobody_waits, ("let_walk",)),),
)


class TrafficLight(Game, declaration=LIGHT):
    """A traffic light."""
