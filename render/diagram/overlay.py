"""What a diagram shows beside the declaration: the active phase, traffic, a path, or what house rules changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsm.declaration.arcs import Arc, Phase
from rules.notation import many

if TYPE_CHECKING:
    from fsm.match.played import PlayedGame
    from fsm.records.counterexamples import Shown
    from fsm.variants.compose import RuleMarks
    from fsm.variants.edits import Variant


@dataclass(frozen=True)
class Overlay:
    """The additions of a diagram to the declaration, such as traffic or a path.

    active: the phase to highlight. traffic: how often each transition was fired. path: the transitions of one game, in
    order. marks: what house rules did to the transitions. note: the games of the traffic or the path, in words.
    is_folded: whether phases in which seats are asked one after another are folded.
    """

    active: Phase | None = None
    marks: RuleMarks | None = None
    traffic: Mapping[Arc, int] | None = None
    path: Sequence[Arc] | None = None
    note: str = ""
    is_folded: bool = False

    @classmethod
    def of_traffic(cls, fired: Mapping[Arc, int], games: int, policies: Sequence[str], seed: int) -> Overlay:
        """Return the traffic of some games, with these in words.

        fired: how often each transition was. games: how many. policies: of the seats. seed: of the games.
        """
        chosen = ", ".join(dict.fromkeys(policies) if len(set(policies)) == 1 else policies)
        played = f"{many(games, 'game')} of {many(len(policies), 'player')} (policy {chosen}, seed {seed})"
        events = many(sum(fired.values()), "event")
        return cls(traffic=fired, note=f"{played}: {events}; each transition shows its share")

    @classmethod
    def of_path(cls, played: PlayedGame | Shown, until: int | None = None) -> Overlay:
        """Return the path of a game, and the phase to which it leads. Raises ValueError.

        played: the game. until: the number of its events that are shown; None for all.
        """
        count = len(played.steps)
        if until is not None and until > count:
            raise ValueError(f"{until} is out of range; use 0 to {count}, the number of events of this game")
        steps = played.steps[:until]
        active = steps[-1].dest if steps else played.kind.declaration.initial
        seats = many(played.start().players, "player")
        note = f"the path of a game of {seats}: {len(steps)} of its {many(count, 'event')}"
        return cls(active, path=[step.arc for step in steps], note=note)

    def with_marks(self, rules: Sequence[Variant], marks: RuleMarks) -> Overlay:
        """Return this overlay with the marks of house rules: what they mean, then each rule with its sentence.

        rules: the house rules. marks: what they did to the transitions.
        """
        added, changed, removed = map(len, (marks.added, marks.changed, marks.removed))
        counts = f"+ {added} added, ~ {changed} changed, \u2212 {removed} removed transitions"
        legend = [f"House rules, {counts}.", *(f"{rule.name}: {rule.description}" for rule in rules)]
        return replace(self, marks=marks, note=" ".join([*filter(None, [self.note]), *legend]))

    @property
    def parts(self) -> Iterator[str]:
        """The parts that not every format can show."""
        if self.traffic is not None:
            yield "traffic"
        if self.marks is not None:
            yield "marks"
        if self.is_folded:
            yield "folds"


PLAIN = Overlay()
