"""The numbered properties that are checked at every position, and the report of a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from fsm.declaration.dice import MAX_OUTCOMES
from fsm.declaration.endless import MAX_EVENTS
from fsm.edge.notebook import notebook_bundle
from fsm.stepping.game import Game
from fsm.stepping.moves import Code
from fsm.stepping.steps import Move

BasicProperty = IntEnum("BasicProperty", "ONE_ARC NO_ARC CAN_CONTINUE ONE_FORCED IN_RANGE NO_ERROR", start=0)
"""The properties that every game has, by their numbers; invariants and postconditions follow."""

GENERALLY = dict(zip(BasicProperty, (
    "exactly one transition is enabled for each legal event",
    "no transition is enabled for a refused event",
    "every position before the end has a legal event",
    "at most one event is forced",
    "every position can be read back: all cards of the deck are there, and every fact is in its range",
    "no rule function raises an error",
), strict=True))  # fmt: skip
FORCED = {
    GENERALLY[BasicProperty.NO_ARC]: "give the transitions of {} a condition that does not hold meanwhile",
    GENERALLY[BasicProperty.ONE_FORCED]: "give one of them a condition that does not hold where the other is forced",
}
"""What to do where events are forced, by the property that fails."""

FEW = f"no event has more than {MAX_OUTCOMES} outcomes of dice"
"""This one for games whose dice are followed, in all positions of small decks."""
DETERMINED = "the position determines what is legal and where an event leads: no fact is missing in the declaration"
CHOOSES = "policy {} chooses a legal event"
"""This one for each policy with decision rules."""
ENDS = f"every game of players {{}} ends within {MAX_EVENTS:,} events"
"""This one for each policy but the random one, whose games may be very long. These three are checked in games with the
whole deck only: small decks are explored by their positions and by all legal events.
"""


@dataclass(frozen=True)
class Counterexample:
    """The first failure of a property: a game that can be stepped to it.

    line: the input of the game. events: those that lead to the position. position: in the one-line notation; empty
    where the deal raises an error. event: the one that fails there, or None if it is the position itself. missing:
    fields of the table on which it depends, although they belong to no position. loop: of a property over time, events
    that lead from the position back to it, for ever; none where the game ends there. error: what a rule function
    raised, and where. carried: what the game takes over from the round before it, by the name of the field.
    """

    line: str
    events: tuple[Move, ...]
    position: str
    event: Move | None
    missing: tuple[str, ...] = ()
    loop: tuple[Move, ...] = ()
    error: str = ""
    carried: Mapping[str, Any] = field(default_factory=dict)


def counterexample(
    kind: type[Game], players: int, deck: Sequence[int], moves: Iterable[Move], table: Any, phase: Phase,
    code: Code | None, missing: tuple[str, ...] = (),
) -> Counterexample:  # fmt: skip
    """A counterexample in names: the deck, the events that lead to a table in a phase, and the one that fails there.

    table: None where the deal fails.
    """
    game, position = kind.declaration, ""
    if table is not None:
        hands = [game.codec.held(table, seat) for seat in range(players)]
        position = kind(table, phase, hands).position()
    event = None if code is None else Move.of_code(game, code)
    return Counterexample(kind.write(players, deck), tuple(moves), position, event, missing)


@dataclass(repr=False)
class Report:
    """The result of a check: what was visited, and the failures.

    game: the declaration. positions, events, tried, games: the numbers of positions that were checked, of events that
    were fired and that were tried, and of games that were played. fired: how often each transition was. complete:
    whether all positions were visited. properties: what was checked, in words. failed: how often each property failed,
    by its number. examples: where each first did.
    """

    game: Chart
    properties: tuple[str, ...]
    positions: int = 0
    events: int = 0
    tried: int = 0
    games: int = 0
    complete: bool = True
    fired: Counter[Arc] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)
    examples: dict[int, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        seen = f"{self.positions:,} positions, {self.events:,} events{'' if self.complete else ', not complete'}"
        failed = len(self.failures)
        return f"<Report {self.game.name}: {seen}, {f'{failed} properties failed' if failed else 'nothing failed'}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return notebook_bundle(self, repr(self))

    @property
    def passed(self) -> bool:
        """Whether all positions were visited, and nothing failed."""
        return self.complete and not self.failed

    @property
    def never_fired(self) -> list[Arc]:
        """The transitions that were never fired."""
        return [arc for arc in self.game.arcs if not self.fired[arc]]

    @property
    def failures(self) -> list[str]:
        """The properties that failed, in words."""
        return [description for number, description in enumerate(self.properties) if self.failed[number]]


def note_failure(
    report: Report, number: int, error: str, example: Callable[[], Counterexample], times: int = 1
) -> None:
    """Count failures of a property, the first one of which is shown.

    report: what they are counted in. number: of the property. error: what a rule function raised. example: makes the
    counterexample. times: how many failures.
    """
    report.failed[number] += times
    if number not in report.examples:
        report.examples[number] = replace(example(), error=error)


def properties(game: Declaration) -> tuple[str, ...]:
    """The properties of the positions and events of a game, by number."""
    return (*GENERALLY.values(), *(condition.description for condition in game.all_invariants + game.postconditions))


def explored(game: Declaration) -> tuple[str, ...]:
    """Those that are checked in all positions of small decks, where every outcome of dice is followed."""
    return (*properties(game), *([FEW] if game.follows_dice else []))


def sampled(game: Declaration) -> tuple[str, ...]:
    """The properties that are checked in games with the whole deck: also of the policies."""
    chooses = (CHOOSES.format(policy.name) for policy in game.policies if policy.choices)
    ends = (ENDS.format(policy.name) for policy in game.policies if not policy.rolls_dice)
    return (*properties(game), DETERMINED, *chooses, *ends)


def all_properties(game: Declaration) -> tuple[str, ...]:
    """The same, those of small decks, and those over time."""
    return (*sampled(game), FEW, *(response.description for response in game.responses))
