from maumau import Game, Phase, automaton, choose, forced, on


class LiftPhase(Phase):
    START = "start"
    GROUND = "ground"
    FIRST = "first"
    OFF = "off"


START, GROUND, FIRST, OFF = LiftPhase

LIFT = automaton(
    "Lift",
    LiftPhase,
    {
        START: forced(on("switch_on", GROUND, rule="It stands on the ground floor.")),
        GROUND: choose(
            on("up", FIRST, rule="It goes up a floor."),
            on("switch_off", OFF, rule="On the ground floor it can be switched off."),
        ),
        FIRST: choose(on("down", GROUND, rule="It goes down a floor.")),
    },
)


class Lift(Game, declaration=LIFT):
    """A lift for two floors, so far."""
