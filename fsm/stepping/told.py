"""What the step of an event holds besides its arc and its player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import ValueKind
from fsm.stepping.steps import is_told_from_past
from fsm.table.fields import Snapshot
from fsm.table.layout import layout_of

Told = tuple[bool, str | None, bool, bool, bool]
"""What is told of an event: whether a card is named, the field of the value that is named, whether the past is,
whether something may be called out, and whether the card is a set of cards.
"""


def told_of(game: Declaration) -> Mapping[str, Told]:
    """What is told of the events of a game."""
    fields = {trigger: field if trigger in game.value_kinds else None for trigger, field in game.value_fields.items()}
    counted = _counted(game)
    calls = {arc.trigger for arc in game.arcs if not counted.isdisjoint(game.reads(arc.before))}
    sets = {trigger for trigger, kind in game.value_kinds.items() if kind is ValueKind.FORM}
    return {
        each: (each in game.card_events, field, is_told_from_past(game, each), each in calls, each in sets)
        for each, field in fields.items()
    }


def counts_differ(game: Declaration) -> Callable[[Any, Snapshot], bool]:
    """Return a function of a table and a snapshot: whether counts of calls may differ."""
    return layout_of(game).differing(_counted(game))


def _counted(game: Declaration) -> frozenset[str]:
    """Return the fields that counts of calls read."""
    return game.reads(call.count for call in game.calls)
