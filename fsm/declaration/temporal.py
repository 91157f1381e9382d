"""What holds over time, in whatever way a game goes on: stated over phases and facts, checked with small decks.

always("at most three coins are in the box", at_most_three)
eventually("the game ends", GAME_OVER)
leads_to("a penalty is drawn", PENALTY_PENDING, (DRAWING, GAME_OVER))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from fsm.declaration.arcs import Invariant, Phase
from rules.rule import RuleFunction

Condition: TypeAlias = Phase | RuleFunction
"""A phase, or a query of the table."""
T = TypeVar("T")


@dataclass(frozen=True)
class Response:
    """From every position in which `start` holds, the game comes to one in which `goal` holds, or is already there.

    Players may choose anything, forced events happen. description: the property in one sentence. start, goal:
    conditions, of which one must hold; without a start, where a game begins.
    """

    description: str
    start: tuple[Condition, ...]
    goal: tuple[Condition, ...]

    @property
    def queries(self) -> tuple[RuleFunction, ...]:
        """The queries among the conditions."""
        return tuple(each for each in (*self.start, *self.goal) if not isinstance(each, Phase))

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases among the conditions."""
        return tuple(each for each in (*self.start, *self.goal) if isinstance(each, Phase))

    def begins(self, phase: Phase, table: Any, is_deal: bool) -> bool:
        """Return whether the goal must be reached from a position.

        phase, table: its own. is_deal: whether a game begins there.
        """
        return fulfilled(self.start, phase, table) if self.start else is_deal

    def ends(self, phase: Phase, table: Any) -> bool:
        """Return whether the goal is reached in a position. phase, table: its own."""
        return fulfilled(self.goal, phase, table)


def fulfilled(conditions: tuple[Condition, ...], phase: Phase, table: Any) -> bool:
    """Whether one of some conditions holds in a position."""
    return any(each is phase if isinstance(each, Phase) else bool(each(table)) for each in conditions)


def always(description: str, holds: RuleFunction, phases: tuple[Any, ...] = ()) -> Invariant:
    """State an invariant. description: the property in one sentence. holds: a query of the table. phases: all, if none
    is given.
    """
    return Invariant(description, holds, phases)


def eventually(description: str, goal: Condition | tuple[Condition, ...]) -> Response:
    """State that every game comes to a goal.

    description: the property in one sentence. goal: phases and queries, one or a tuple.
    """
    return Response(description, (), _many(goal))


def leads_to(
    description: str, start: Condition | tuple[Condition, ...], goal: Condition | tuple[Condition, ...]
) -> Response:
    """State that a game comes to a goal from wherever `start` holds.

    description: the property in one sentence. start, goal: phases and queries, one or a tuple, of which one must hold.
    """
    return Response(description, _many(start), _many(goal))


def _many(given: T | tuple[T, ...]) -> tuple[T, ...]:
    return given if isinstance(given, tuple) else (given,)
