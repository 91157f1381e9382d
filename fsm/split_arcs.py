"""Splits arcs of a declaration by guards, so that counts of arcs distinguish the guard under which an arc fired.

The result describes the same game: each arc is replaced by one arc for each guard of a group, of which exactly one
holds wherever the arc can be fired.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fsm.arcs import Arc, Guards
from fsm.declaration import Declaration


def split_arcs(game: Declaration, splits: Mapping[Arc, Guards]) -> tuple[Declaration, dict[Arc, Arc]]:
    """`game` with each arc of `splits` split by its guards, and for each arc of the result the one that it was.

    The guards of an arc must exclude each other, and one of them must hold wherever the arc can be fired.
    Raises DeclarationError if the parts do not fit together.
    """
    was = {part: arc for arc in game.arcs for part in _parts(arc, splits.get(arc, ()))}
    groups = tuple(dict.fromkeys(splits.values()))
    return replace(game, arcs=tuple(was), disjoint=(*game.disjoint, *groups)), was


def _parts(arc: Arc, guards: Guards) -> tuple[Arc, ...]:
    return tuple(replace(arc, when=(*arc.when, guard)) for guard in guards) or (arc,)
