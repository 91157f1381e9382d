"""The schedule of a pass: in which order games in different phases fire their next events, derived from who acts where.

In a step every game that stands in one of the step's phases fires at most one event, the one that the machine fires
next. So every order of steps plays the same games; the schedule decides only how many events a pass fires. A schedule
in which some game would never move is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration


class ScheduleError(ValueError):
    """A schedule leaves out what somebody must do in a phase."""


@dataclass(frozen=True)
class Step:
    """Games in one of `phases` fire an event: one that is forced, or else, if `chooses`, one that the player chooses.

    forces: whether forced events are fired; otherwise a game in which one is enabled waits for another step.
    """

    phases: tuple[Phase, ...]
    forces: bool
    chooses: bool


Schedule = tuple[Step, ...]


def schedule_of(game: Declaration) -> Schedule:
    """The choices of players first, then what is forced, so that one pass plays most turns."""
    acting = [phase for phase in game.phases if phase not in (game.initial, game.final)]
    offering = tuple(phase for phase in acting if game.control[phase].offers)
    forcing = tuple(phase for phase in acting if any(_forced_arcs(game, phase)))
    steps = [Step(offering, forces=False, chooses=True)] * bool(offering)
    steps += [Step(forcing, forces=True, chooses=False)] * bool(forcing)
    return tuple(steps)


def _forced_arcs(game: Declaration, phase: Phase) -> list[object]:
    return [arc for trigger in game.control[phase].forced for arc in game.leaving(phase, trigger)]


def check_schedule(game: Declaration, schedule: Sequence[Step]) -> None:
    """Raise ScheduleError unless in every phase between the first and the last all events have a step."""
    for phase in game.phases:
        control = game.control.get(phase)
        steps = [step for step in schedule if phase in step.phases]
        if phase in (game.initial, game.final):
            if steps:
                raise ScheduleError(f"{game.name}: a step fires events in phase {phase}, expected none")
            continue
        assert control is not None
        if control.forced and not any(step.forces for step in steps):
            raise ScheduleError(f"{game.name}: no step fires the forced events of phase {phase}")
        if control.offers and not any(step.chooses for step in steps):
            raise ScheduleError(f"{game.name}: no step lets players choose in phase {phase}")
