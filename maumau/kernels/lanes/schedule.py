"""The schedule of a pass: the steps in which events are fired.

The order of the steps decides only how many events a pass fires, never which, because each step fires the event that
the machine would fire. So any schedule gives the same results, and the one that costs least is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.stepping.game import game_of

SAMPLE, MOST_EVENTS = 16, 1000
"""Games that are stepped to learn how long games are, and events of each, at most."""


@dataclass(frozen=True)
class Step:
    """Games in one of `phases` fire an event: one that is forced, or else, if `chooses`, one that the player chooses.

    forces: whether forced events are fired; otherwise a game in which one is enabled waits for another step. only: the
    events that are chosen, if not all of them are.
    """

    phases: tuple[Phase, ...]
    forces: bool
    chooses: bool
    only: frozenset[str] | None = None

    def chosen(self, trigger: str) -> bool:
        """Whether an event that a player chooses is fired in this step."""
        return self.chooses and (self.only is None or trigger in self.only)


Schedule = tuple[Step, ...]
Event = tuple[Phase, str]


def schedules_of(game: Declaration) -> Iterator[Schedule]:
    """The schedules to choose from: the choices of players first, then what is forced; and one event that is chosen, as
    that of drawing a card, then what is forced, then all other choices.
    """
    acting = [phase for phase in game.phases if phase not in (game.initial, game.final)]
    offered = {phase: {offer.trigger for offer in game.control[phase].offers} for phase in acting}
    forcing = tuple(
        phase for phase in acting if any(game.leaving(phase, trigger) for trigger in game.control[phase].forced)
    )
    events = sorted(set().union(*offered.values()))

    def choices(some: Sequence[str]) -> Schedule:
        phases = tuple(phase for phase in acting if not offered[phase].isdisjoint(some))
        only = None if len(some) == len(events) else frozenset(some)
        return (Step(phases, forces=False, chooses=True, only=only),) * bool(phases)

    forced = (Step(forcing, forces=True, chooses=False),) * bool(forcing)
    yield choices(events) + forced
    for event in events if len(events) > 1 and forcing else ():
        yield choices([event]) + forced + choices([other for other in events if other != event])


def sampled(game: Declaration, players: int, policy: Policy) -> tuple[list[list[Event]], int]:
    """The events of some games but the first, each with the phase in which it was fired; and the most turns of one."""
    kind, found, longest = game_of(game), [], 0
    for number in range(SAMPLE):
        played, events = kind.deal(players, 0, number, [policy.name]), list[Event]()
        while played.phase is not game.final and len(events) < MOST_EVENTS:
            step = played.step()
            events.append((step.source, step.trigger))
        longest = max(longest, int(played.table.turns))
        found.append(events[1:])
    return found, longest


def passes_of(game: Declaration, schedule: Schedule, games: Sequence[Sequence[Event]]) -> int:
    """How many passes play the events of some games."""
    passes = 0
    for events in games:
        at = 0
        while at < len(events):
            before = at
            for step in schedule:
                at += at < len(events) and _fires(game, step, *events[at])
            assert at > before, events[at]
            passes += 1
    return passes


def _fires(game: Declaration, step: Step, phase: Phase, trigger: str) -> bool:
    if phase not in step.phases:
        return False
    return step.forces if trigger in game.control[phase].forced else step.chosen(trigger)
