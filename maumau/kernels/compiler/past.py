"""Who sees what of an event that a player has chosen, and so in whose notes it is kept.

The notes have a ring for each seat, in which an event is kept as that seat sees it. An event that others take for
another one, or that passes unseen, is in the ring of the seat that chose it alone.
"""

from __future__ import annotations

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.table.sight import sight_of

OWN, PARTNERS, ALL = range(3)
"""Who sees a part of an event: the seat that chose it, its partners also, or all."""


def audience(game: Declaration, phase: Phase, trigger: str) -> tuple[int, int, int]:
    """Return who sees that an event happened in a phase, who sees its card, and who sees its value."""
    sight, kind = sight_of(game), game.value_kind(trigger)
    if (phase, trigger) not in game.seen_by_all:
        return OWN, OWN, OWN
    if trigger in game.face_down:
        return ALL, OWN, OWN

    def seen(field: str) -> int:
        if sight.is_open(field):
            return ALL
        return PARTNERS if sight.partners_see(field) else OWN

    return ALL, seen("card"), seen(str(kind)) if kind else ALL
