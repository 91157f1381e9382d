from dataclasses import dataclass

from maumau import Game, Phase, automaton, choose, effect, forced, guard, on
from rules.table import CardTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Bolt(CardTable):
    locked: int = seen_by_all(0)


class DoorPhase(Phase):
    START = "start"
    CLOSED = "closed"
    OPEN = "open"
    GONE = "gone"


START, CLOSED, OPEN, GONE = DoorPhase


@guard("it is not locked")
def is_locked(table):
    """It is locked."""
    return table.locked == 1


@effect
def turn_key(table):
    table.locked = 1 - table.locked


DOOR = automaton(
    "Door",
    DoorPhase,
    {
        START: forced(on("hang", CLOSED, rule="The door is hung.")),
        CLOSED: choose(
            on("open_door", OPEN, unless=is_locked, rule="A closed door can be opened."),
            on("lock", CLOSED, unless=is_locked, before=turn_key, rule="A closed door can be locked."),
            on("unlock", CLOSED, conditions=is_locked, before=turn_key, rule="A locked door can be unlocked."),
            on("remove", GONE, unless=is_locked, rule="A closed door can be taken away."),
        ),
        OPEN: choose(on("close_door", CLOSED, rule="An open door can be closed.")),
    },
    table=Bolt,
)


class Door(Game, declaration=DOOR):
    """A door."""
