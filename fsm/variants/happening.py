"""The edits by which something happens in a phase, written in the words of a page."""

from __future__ import annotations

from fsm.declaration.arcs import Guards
from fsm.declaration.page import Moves, arcs_in
from fsm.edge.numbers import of_type
from fsm.variants.edits import AddArcs, AddPhase, Allow, Edit, Force, PhaseName, SetControl


def in_phase(
    phase: PhaseName, moves: Moves, *, new: bool = False, instead: bool = False, disjoint: tuple[Guards, ...] = ()
) -> tuple[Edit, ...]:
    """Return the edits by which something happens in a phase, as on a page: `*in_phase(TURN, choose(lay(...)))`.

    phase: which. moves: what else happens there; it does not exclude existing transitions of the event. new: whether
    the phase is a new one. instead: whether nothing else may happen there; of the existing transitions, the phase keeps
    those of the events that `moves` names. disjoint: groups of guards of which at most one holds.
    """
    of_type("phase", phase, str, "a phase or its name")
    of_type("moves", moves, Moves, "what forced, choose, turn or ask makes")
    control = moves.control
    if not (new or instead or moves.arcs or control.triggers):
        raise ValueError(f"in_phase: phase {phase}: nothing happens in it; give transitions, as turn(on(...))")
    found = arcs_in(phase, moves, disjoint)  # type: ignore[arg-type]
    arcs: tuple[Edit, ...] = (AddArcs(found),) if found else ()
    if new or instead:
        return (AddPhase(phase, control), *arcs) if new else (*arcs, SetControl(phase, control))
    forced = [Force(phase, trigger) for trigger in control.forced]
    return (*arcs, *forced, *(Allow(phase, offer) for offer in control.offers))
