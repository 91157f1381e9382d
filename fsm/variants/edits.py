"""House rules as values: a variant has a name, one sentence, and edits of a declaration.

Edits are applied in the order of their stages, whatever the order in which rules are named: first what is added, then
arcs are split, changed and dropped, then controls and policies, at last the meaning of rule functions. Wherever an edit
names a phase, also in the arcs, patterns and conditions that it holds, a member of the game's phases or its name is
accepted. An edit that is about nothing in the game, or that changes nothing, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any, Literal

from fsm.declaration.arcs import (
    Arc,
    Choice,
    Control,
    Effects,
    Guards,
    Invariant,
    Offer,
    Phase,
    Postcondition,
    SmallDeck,
)
from fsm.declaration.facts import Look
from fsm.declaration.guide import is_rule
from fsm.declaration.shapes import misfits
from fsm.declaration.temporal import Response
from fsm.edge.numbers import of_type
from rules.notation import named, shown
from rules.rule import Effect, Guard, Reason, RuleFunction, label

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PhaseName = Phase | str
"""A phase or its name: `skip-pending`."""
Placed = tuple[tuple[Effect[Any], Effects], ...]
"""Effects of arcs, each with other effects that are put next to it."""


@dataclass(frozen=True)
class Arcs:
    """A pattern of transitions; a part that is not given matches any.

    trigger: the event. source, dest: the phases from which and to which they lead. conditions: guards, all of which an
    transition demands. before: effects, all of which it has. but: a pattern of transitions that are not among them.
    """

    trigger: str | None = None
    source: PhaseName | None = None
    dest: PhaseName | None = None
    conditions: Guards = ()
    before: Effects = ()
    but: Arcs | None = None

    def matches(self, arc: Arc) -> bool:
        """Return whether `arc` matches the pattern."""
        if self.but is not None and self.but.matches(arc):
            return False
        ends = self.source in (None, arc.source) and self.dest in (None, arc.dest)
        functions = set(self.conditions) <= set(arc.conditions) and set(self.before) <= set(arc.before)
        return self.trigger in (None, arc.trigger) and ends and functions

    def __str__(self) -> str:
        arc = f"{self.source or 'any phase'} --{self.trigger or 'any event'}--> {self.dest or 'any phase'}"
        return arc if self.but is None else f"{arc} but {self.but}"


class Edit:
    """One change of a declaration. Each kind is a frozen dataclass."""


@dataclass(frozen=True)
class AddField(Edit):
    """An integer on the table, which belongs to a position under its own name and is seen by all.

    name: of the field and of the fact. kind: what the integer stands for. start: its value when the cards are dealt.
    named: whether it holds what is named with an event, such as a seat: then it belongs to no position.
    """

    name: str
    kind: Literal["seat", "number", "card", "suit"] = "number"
    start: int = 0
    named: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.name, str) and (not self.name.isidentifier() or iskeyword(self.name)):
            raise ValueError(
                f"field {shown(self.name)} cannot be used; use letters, digits and _, such as 'turns_left'"
            )


@dataclass(frozen=True)
class AddPhase(Edit):
    """A new phase. phase: its name, words joined by hyphens. control: who acts in it."""

    phase: PhaseName
    control: Control


@dataclass(frozen=True)
class CopyPhase(Edit):
    """A new phase that copies a phase of the game: its transitions, who acts, the decision rules of the
    policies, and the invariants. The postconditions of events that lead to that phase are not copied.

    phase: the name of the new one. of: the phase that is copied. Other edits then change the copy alone. A rule that
    splits or changes the transitions of that phase does so to the copies.
    """

    phase: PhaseName
    of: PhaseName


@dataclass(frozen=True)
class AddArcs(Edit):
    """New `arcs`; a rule that splits or changes transitions of their kind also changes these."""

    arcs: tuple[Arc, ...]


@dataclass(frozen=True)
class AddDeck(Edit):
    """One more deck for the exhaustive check. deck: a small one in which each transition of the rule is fired."""

    deck: SmallDeck


@dataclass(frozen=True)
class SplitArcs(Edit):
    """An edit that gives a card an effect: transitions stay as they are where `guard` does not hold, and change where
    it does.

    where: the pattern of the transitions. guard: joins the group of guards of which at most one holds, so that a card
    never has two effects. description: the sentence of the new transitions. dest: the phase to which they lead; None:
    as before. put_before, put_after: an effect of some of the transitions, and effects that are done just before or
    after it. before: all effects instead.
    """

    where: Arcs
    guard: Guard[Any]
    description: str
    dest: PhaseName | None = None
    put_before: Placed = ()
    before: Effects | None = None
    put_after: Placed = ()


@dataclass(frozen=True)
class ChangeArcs(Edit):
    """Transitions with more or fewer guards, other effects, another destination or description.

    where: the pattern of the transitions. conditions, unless: more guards that must, or must not, hold. without:
    guards that are taken away. before: all effects, in order. dest: the phase to which they lead. None: as they are.
    description: the rule in one sentence; empty leaves it as it is. put_before, put_after: as for `SplitArcs`.
    """

    where: Arcs
    conditions: Guards = ()
    unless: Guards = ()
    without: Guards = ()
    before: Effects | None = None
    dest: PhaseName | None = None
    description: str = ""
    put_before: Placed = ()
    put_after: Placed = ()


def effects_of(edit: SplitArcs | ChangeArcs, arc: Arc) -> Effects:
    """The effects of an arc once it is edited."""
    ahead, behind = dict(edit.put_before), dict(edit.put_after)
    given = arc.before if edit.before is None else edit.before
    return tuple(each for effect in given for each in (*ahead.get(effect, ()), effect, *behind.get(effect, ())))


@dataclass(frozen=True)
class DropArcs(Edit):
    """An edit that removes transitions. where: their pattern."""

    where: Arcs


@dataclass(frozen=True)
class ReplaceArcs(Edit):
    """An edit that replaces transitions, however other rules have changed them.

    where: their pattern. arcs: the transitions in their place.
    """

    where: Arcs
    arcs: tuple[Arc, ...]


@dataclass(frozen=True)
class DropPhase(Edit):
    """An edit that removes `phase` with the transitions that leave it, unless another rule still leads to it."""

    phase: PhaseName


@dataclass(frozen=True)
class SetControl(Edit):
    """Another control of a phase of the game. phase: which. control: who acts there from now on."""

    phase: PhaseName
    control: Control


@dataclass(frozen=True)
class Force(Edit):
    """An edit that forces the event `trigger` in `phase` before the player in turn may choose."""

    phase: PhaseName
    trigger: str


@dataclass(frozen=True)
class Allow(Edit):
    """An edit that puts `offer` in `phase`, in place of the one with the same event or in addition."""

    phase: PhaseName
    offer: Offer


@dataclass(frozen=True)
class Withdraw(Edit):
    """An edit that withdraws the event `trigger` in `phase`, with its transitions and the decision rules for it."""

    phase: PhaseName
    trigger: str


@dataclass(frozen=True)
class Decide(Edit):
    """An edit that sets all decision rules of the policy `policy` in `phase` to `choices`."""

    phase: PhaseName
    choices: tuple[Choice, ...]
    policy: str = "house"


@dataclass(frozen=True)
class Check(Edit):
    """An edit that adds a condition to check. condition: what holds under the rule."""

    condition: Invariant | Postcondition | Response


@dataclass(frozen=True)
class Waive(Edit):
    """An edit that removes an invariant or a postcondition that the rule breaks.

    description: that of the condition. triggers: the events for which a postcondition is waived; all, if none is given.
    """

    description: str
    triggers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Means(Edit):
    """An edit that gives a rule function another meaning wherever it is called: in transitions, offers, policies,
    checks and other functions.

    old, new: the function and its new meaning, which may call the old one; then several rules can each add theirs.
    narrows: it takes away from what all other rules together allow, so it is applied after them. if_used: whether the
    game may lack the old function because another rule adds it; otherwise the edit is refused.
    """

    old: RuleFunction
    new: RuleFunction
    narrows: bool = False
    if_used: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if self.old is self.new and callable(self.old):
            raise ValueError(f"Means: {label(self.old)!r} has the meaning of itself; give another function as new")


@dataclass(frozen=True)
class Refuse(Edit):
    """Other reasons why a guard refuses cards.

    guard: the guard. reasons: they are looked at before its own. instead: whether they replace its own, which are not
    true under the rule. if_used: the game may not use the guard, as another rule adds it; else that is refused.
    """

    guard: Guard[Any]
    reasons: tuple[Reason, ...]
    instead: bool = False
    if_used: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Constant(Edit):
    """Another `value` for the constant called `name` that rule functions of the game read, wherever it has the value
    that it has there.
    """

    name: str
    value: int

    def __post_init__(self) -> None:
        of_type(f"constant {self.name}", self.value, int, "a whole number")


@dataclass(frozen=True)
class Reword(Edit):
    """An edit that replaces a phrase wherever it occurs in the descriptions of transitions, decision rules, invariants
    and postconditions.

    old, new: the phrase and the one in its place. Phrases of several rules may stand in one description, unless they
    overlap.
    """

    old: str
    new: str


@dataclass(frozen=True)
class Reveal(Edit):
    """All see how an event ends, although that depends on hidden cards: see `Declaration.reveals`.

    trigger: the event. why: the reason why the rule makes it public.
    """

    trigger: str
    why: str


@dataclass(frozen=True)
class Show(Edit):
    """How events and facts that the rule adds are shown.

    look: what it says of events, facts, endings and sentences joins what the look of the game says; the rest is left.
    """

    look: Look

    def __hash__(self) -> int:
        return hash(type(self))


@dataclass(frozen=True)
class Beside(Edit):
    """An edit that is made only where another rule is in force as well, after all other edits of the rules. It
    knows of the other rule, so nothing that the two set differently is refused.

    rules: the names of other rules, one of which must be in force. edit: the edit.
    """

    rules: tuple[str, ...]
    edit: Edit


@dataclass(frozen=True)
class Variant:
    """A house rule.

    name: lower-case words joined by hyphens. description: the rule in one sentence. edits: what it changes.
    excludes: names of rules that it cannot be combined with, each with the reason; a name that ends with `*` stands for
    all names that begin this way. Raises ValueError for a name or a description that cannot be used.
    """

    name: str
    description: str
    edits: tuple[Edit, ...]
    excludes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for fault in misfits("", self):
            raise ValueError(f"rule {named(self.name)}: {fault}")
        if not NAME.fullmatch(self.name):
            raise ValueError(
                f"rule name {self.name!r} cannot be used; use lower-case words joined by -: 'nine-reverses'"
            )
        if not self.description:
            raise ValueError(f"rule {self.name}: no description; write the rule in one sentence")

    def __hash__(self) -> int:
        return hash((self.name, self.edits))

    def reason_against(self, other: Variant) -> str:
        """Return why this rule and `other` cannot be combined, if one excludes the other; else an empty text."""
        return self._reason(other) or other._reason(self)

    def _reason(self, other: Variant) -> str:
        for name, reason in self.excludes.items():
            if other != self and is_rule(name, other.name):
                return reason
        return ""
