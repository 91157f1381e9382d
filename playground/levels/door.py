from maumau import Game, Phase, automaton, choose, forced, on


class DoorPhase(Phase):
    START = "start"
    CLOSED = "closed"
    OPEN = "open"
    LOCKED = "locked"
    GONE = "gone"


START, CLOSED, OPEN, LOCKED, GONE = DoorPhase

DOOR = automaton(
    "Door",
    DoorPhase,
    {
        START: forced(on("hang", CLOSED, rule="The door is hung.")),
        CLOSED: choose(
            on("open_door", OPEN, rule="A closed door can be opened."),
            on("lock", LOCKED, rule="A closed door can be locked."),
            on("remove", GONE, rule="A closed door can be taken away."),
        ),
        OPEN: choose(on("close_door", CLOSED, rule="An open door can be closed.")),
        LOCKED: choose(on("unlock", CLOSED, rule="A locked door can be unlocked.")),
    },
)


class Door(Game, declaration=DOOR):
    """A door."""
