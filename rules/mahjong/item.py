"""Scoring items: points for a property of a winning hand, which may hold more than once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rules.mahjong.win import Win
from rules.rule import label

Times = Callable[[Win], int]
"""How often an item holds; yes is once."""


@dataclass(frozen=True)
class Item:
    """A scoring item: its name, the points for each time that it holds, and the rule in one sentence."""

    name: str
    points: int
    description: str
    times: Times = field(repr=False)


def item(points: int, description: str) -> Callable[[Times], Item]:
    """Make an item of a function of a Win; its name is the function's."""
    return lambda times: Item(label(times), points, description, times)
