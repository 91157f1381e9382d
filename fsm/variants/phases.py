"""The phases that edits are about, which may be given by name: `SplitArcs(..., dest="skip-pending")`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from fsm.declaration.arcs import Arc, Invariant, Phase, Postcondition
from fsm.declaration.declaration import DeclarationError
from fsm.variants import made
from fsm.variants.edits import NAME, Arcs, PhaseName


def added_phase(name: str) -> Phase:
    """A phase that no game declares: lower-case words joined by -."""
    return made.phases("AddedPhase", [(name.replace("-", "_").upper(), name)])(name)


class KnownPhases:
    """The phases of a game and those that rules add to it, each found by its name.

    A phase that a rule drops stays known: another rule may be about it.
    """

    def __init__(self, phases: Iterable[Phase]) -> None:
        self._phases = {str(phase): phase for phase in phases}

    def add(self, phase: PhaseName) -> Phase:
        """A phase that a rule adds. Raises DeclarationError for a name that cannot be used."""
        if not isinstance(phase, Phase):
            if not re.fullmatch(NAME, phase):
                raise DeclarationError(f"phase name {phase!r}, expected lower-case words joined by -: 'skip-pending'")
            phase = added_phase(phase)
        return self._phases.setdefault(str(phase), phase)

    def find(self, phase: PhaseName) -> Phase:
        """The phase of this name. Raises DeclarationError, which lists the known ones."""
        try:
            return self._phases[str(phase)]
        except KeyError:
            raise DeclarationError(f"no phase {str(phase)!r}, expected one of {', '.join(self._phases)}") from None

    def found(self, phase: PhaseName | None) -> Phase | None:
        """The same for a part of an edit that may be left out."""
        return None if phase is None else self.find(phase)

    def in_pattern(self, where: Arcs) -> Arcs:
        """Which arcs an edit is about, with phases in place of names."""
        return replace(where, source=self.found(where.source), dest=self.found(where.dest))

    def in_arcs(self, arcs: Iterable[Arc]) -> tuple[Arc, ...]:
        """Arcs with phases in place of names."""
        return tuple(replace(arc, source=self.find(arc.source), dest=self.find(arc.dest)) for arc in arcs)

    def in_condition(self, condition: Invariant | Postcondition) -> Invariant | Postcondition:
        """A condition with phases in place of names."""
        if isinstance(condition, Invariant):
            return replace(condition, phases=tuple(map(self.find, condition.phases)))
        dests, sources = (tuple(map(self.find, phases)) for phases in (condition.dests, condition.sources))
        return replace(condition, dests=dests, sources=sources)
