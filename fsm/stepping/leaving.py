"""The arcs that leave each phase of a game, and whether they are enabled, as far as a seat knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fsm.declaration.arcs import Arc, Phase
from fsm.edge.kept import kept
from fsm.stepping.moves import Code
from fsm.stepping.stepped import lay_move
from fsm.table.layout import layout_of
from fsm.table.sight import Relation, Sight

Data = dict[str, Any]


class LeavingArc(NamedTuple):
    """An arc that leaves a phase. names: whether something is named with its event. known_to: the seats, by their
    relation to the one that acts, that see all that its guards read, and so know whether it is enabled.
    """

    number: int
    arc: Arc
    names: bool
    known_to: frozenset[Relation]


class LeavingArcs:
    """The arcs that leave each phase of a game, as plain data for a seat.

    arc: its number in the declaration. enabled: None where a guard reads what the seat does not see. moves: those that
    fire it.
    """

    def __init__(self, sight: Sight) -> None:
        game, self._sight = sight.game, sight
        named = {*game.card_events, *game.value_kinds}
        found: dict[Phase, list[LeavingArc]] = {phase: [] for phase in game.phases}
        for number, arc in enumerate(game.arcs):
            known_to = frozenset(each for each in Relation if sight.sees_guards(arc, each))
            found[arc.source].append(LeavingArc(number, arc, arc.trigger in named, known_to))
        self._leaving: Mapping[Phase, Sequence[LeavingArc]] = found

    def data(self, phase: Phase, table: Any, seat: int, moves: Sequence[Code]) -> list[Data]:
        """Return what a seat knows of the arcs that leave a phase.

        table: as the seat knows it. moves: those of the seat if it is asked; an arc names them by their place.
        """
        leaving = self._leaving[phase]
        firing = self._firing(leaving, table, moves) if moves else {}
        relation, found = self._sight.relation(seat, table.player), []
        for each in leaving:
            fired_by, enabled = firing.get(each.number, []), None
            if relation in each.known_to:
                enabled = bool(fired_by) if moves or each.names else each.arc.enabled(table)
            found.append({"arc": each.number, "enabled": enabled, "moves": fired_by})
        return found

    def unknown(self, phase: Phase, relation: Relation) -> list[Data] | None:
        """Return what a seat that is not asked sees of the arcs, if it knows of none whether it is enabled; else None.

        relation: of the seat to the one that acts.
        """
        leaving = self._leaving[phase]
        if any(relation in each.known_to for each in leaving):
            return None
        return [{"arc": each.number, "enabled": None, "moves": []} for each in leaving]

    @kept
    def knows_more(self, phase: Phase, relation: Relation) -> bool:
        """Return whether a seat knows of an arc whether it is enabled, and those who watch do not.

        relation: of the seat to the one that acts.
        """
        known = (each.known_to for each in self._leaving[phase])
        return any(relation in known_to and Relation.OTHER not in known_to for known_to in known)

    def _firing(self, leaving: Sequence[LeavingArc], table: Any, moves: Sequence[Code]) -> dict[int, list[int]]:
        """By the number of an arc: the places of the moves that fire it, as far as the seat knows."""
        found: dict[int, list[int]] = {}
        layout = layout_of(self._sight.game)
        before = layout.named(table)
        for place, move in enumerate(moves):
            lay_move(self._sight.game, table, move)
            for each in leaving:
                is_known = Relation.SELF in each.known_to
                if each.arc.trigger == move[0] and (not is_known or each.arc.enabled(table)):
                    found.setdefault(each.number, []).append(place)
                    if is_known:
                        break  # the first one that is enabled is fired
        layout.put_back(table, before)
        return found


leaving_arcs = kept(LeavingArcs)
"""Return the arcs that leave the phases of a game. Its argument is the sight of the game."""
