"""The frames of a page put together again from what each event changes, as the page does it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from render.page.story import ROWS, Frame, Splice


def plain(data: object) -> object:
    """Data as JSON has them: rows of cards are lists."""
    return json.loads(json.dumps(data))


def changed(before: Frame, changes: Mapping[str, Any]) -> Frame:
    """The frame that `changes` make of `before`, which stays as it is."""
    after = dict(before)
    for name, value in changes.items():
        if name == "hands":
            after[name] = tuple(
                _spliced(hand, value[str(seat)]) if str(seat) in value else hand
                for seat, hand in enumerate(before[name])
            )
        else:
            after[name] = _spliced(before[name], value) if name in ROWS else value
    return after


def _spliced(row: Sequence[str], made: Splice) -> tuple[str, ...]:
    start, leaving, *coming = made
    return (*row[:start], *coming, *row[start + leaving :])
