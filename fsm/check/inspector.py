"""Checks positions with the stepped machine: invariants, legal events, and the effects of events."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fsm.check.packing import least
from fsm.check.properties import CAN_CONTINUE, GENERAL, NO_ARC, ONE_ARC, ONE_FORCED, properties
from fsm.declaration.arcs import Arc, Offer, Phase, Policy
from fsm.declaration.dice import MAX_OUTCOMES, follows_dice
from fsm.declaration.facts import default_values
from fsm.stepping.fast_machine import fast_machine_of
from fsm.stepping.game import Game
from fsm.stepping.moves import PhasePlan, choice_of, named_with, plans_of
from fsm.stepping.position import bits
from fsm.stepping.snapshot import NONE, Code, exact_key, put_on_table, snapshots_of
from rules.cards import NO_CARD
from rules.piles import discard_pile, draw_pile

Note = Callable[[int, Code | None], None]
"""Called with the number of a property that fails, and with the event, unless the position itself violates it."""

DICE = ("seed", "number", "rolls", "returned")
"""The fields of a table that belong to no position: what dice show, and whether the position was there before."""

PILES = ("ring", "head", "tail", "stock", "bottom")
"""The fields in which the piles lie, in other places of a table that is made from a position."""


class Fired(NamedTuple):
    """An event that was fired: its code, its arc, the table and the phase after it, and whether it did all it must."""

    code: Code
    arc: Arc
    table: Any
    phase: Phase
    is_sound: bool


class Inspector:
    """Checks positions of one game: a table and a phase each, which are not changed."""

    phase: Phase
    fired: Arc

    def __init__(self, kind: type[Game]) -> None:
        self.kind, self.game = kind, kind.declaration
        self._plans = plans_of(self.game)
        self._snapshots, self.key = snapshots_of(self.game), exact_key(self.game)
        self._machine = fast_machine_of(self.game)  # without the hooks of the games
        self._follows_dice, self._few = follows_dice(self.game), len(properties(self.game))
        conditions = list(enumerate(self.game.postconditions, GENERAL + len(self.game.all_invariants)))
        self._after = {
            arc: [(number, each.holds) for number, each in conditions if each.concerns(arc)] for arc in self.game.arcs
        }

    def copy(self, table: Any) -> Any:
        """A table like `table`."""
        return self._snapshots.copy(table)

    def bare(self, table: Any) -> Any:
        """A table with the position of `table` and nothing else, as the compiled explorer unpacks it."""
        bare = self.game.table()
        bare.players = table.players
        self._set(bare, table, [fact.field for fact in self.game.position_facts])
        self._set(bare, table, (*self.game.position_lists, *(fact.field for fact in self.game.queues)))
        queue = bytes([*draw_pile(table), *discard_pile(table)])
        bare.ring[: len(queue)] = queue
        bare.stock = bare.bottom = table.stock
        bare.tail, bare.open_card = len(queue), queue[-1] if len(queue) > table.stock else NO_CARD
        bare.card = bare.open_card
        return bare

    def _set(self, bare: Any, table: Any, fields: Iterable[str]) -> None:
        """Give fields of a table the values of those of another one."""
        for name in fields:
            value = getattr(table, name)
            setattr(bare, name, value if isinstance(value, int) else value[:])

    def chosen(self, policy: Policy, table: Any, phase: Phase) -> Code | None:
        """The event that a policy chooses in a position; None if that fails."""
        before = self._snapshots.named(table)
        try:
            found = choice_of(self.game, policy, table, phase)
            return found and found[1]
        except Exception:
            return None
        finally:
            self._snapshots.put_back(table, before)

    def is_free(self, phase: Phase, choices: Sequence[tuple[Code, Arc]]) -> bool:
        """Whether a player chooses among the legal events of a position: none of them is forced."""
        return bool(choices) and self._plans[phase].offer.get(choices[0][0][0]) is not None

    def determined(
        self,
        table: Any,
        phase: Phase,
        choices: Sequence[tuple[Code, Arc]],
        code: Code | None,
        fields: Iterable[str] = (),
    ) -> bool:
        """Whether a table that is made from the position of `table`, its dice and some more fields offers the same
        choices, and whether one of them, the event `code`, leads to the same position.
        """
        bare = self.bare(table)
        self._set(bare, table, (*DICE, *fields))
        expected = self._after_event(table, phase, code)
        try:
            return self.choices(bare, phase, _ignore) == choices and self._after_event(bare, phase, code) == expected
        except Exception:  # a rule that reads what is missing, such as the bit of a card that is none
            return False

    def _after_event(self, table: Any, phase: Phase, code: Code | None) -> Hashable:
        """The position to which an event leads; None without one, and for one that does not do what it must."""
        fired = None if code is None else self.fire(table, phase, code, _ignore)
        return (fired.phase, self.key(fired.table)) if fired and fired.is_sound else None

    def missing(
        self, table: Any, phase: Phase, choices: Sequence[tuple[Code, Arc]], code: Code | None
    ) -> tuple[str, ...]:
        """The fields of a table that belong to no position and together make it determined; each of them is needed."""
        fields = {name: None for name in default_values(self.game.table) if name not in PILES}
        for name in tuple(fields):
            if self.determined(table, phase, choices, code, fields.keys() - {name}):
                del fields[name]
        return tuple(fields)

    def holds(self, table: Any, phase: Phase, note: Note) -> bool:
        """Whether all that must hold in a position does."""
        failed = [
            number
            for number, invariant in enumerate(self.game.all_invariants, GENERAL)
            if phase in (invariant.phases or (phase,)) and not invariant.holds(table)
        ]
        for number in failed:
            note(number, None)
        return not failed

    def choices(self, table: Any, phase: Phase, note: Note) -> list[tuple[Code, Arc]]:
        """The legal events with their arcs, of all conceivable events; `returned` is taken as it is."""
        plan = self._plans[phase]
        legal = list(plan.legal(table))
        is_forced = bool(legal) and legal[0][0] not in plan.offer
        found = []
        before = self._snapshots.named(table)
        for code in conceivable(plan, table, () if table.returned and is_forced else plan.offers):
            put_on_table(self.game, table, code)
            enabled = [arc for arc in plan.arcs[code[0]] if arc.enabled(table)]
            self._snapshots.put_back(table, before)
            if code in legal and len(enabled) == 1:
                found.append((code, enabled[0]))
            elif code in legal or enabled:
                note(ONE_ARC if code in legal else NO_ARC, code)
        if len(legal) > 1 and is_forced:
            note(ONE_FORCED, None)
        if not legal and not table.returned:
            note(CAN_CONTINUE, None)
        return found

    def fire(self, table: Any, phase: Phase, code: Code, note: Note) -> Fired:
        """Fire a legal event with the stepped machine, on a copy of the table."""
        return self._judged(code, *self._triggered(table, phase, code), note)

    def outcomes(self, table: Any, phase: Phase, code: Code, note: Note) -> Iterator[Fired]:
        """The same with each outcome of the dice that the event rolls, if they can be followed (`rules.chance.roll`).

        There are as many numbers to try as the largest product of the bases of their digits that was found: each
        outcome is a number below its own product, and the one of its first digits, which is found before it, shows the
        base of the next one. What is left of a number after the event is 0 if it was an outcome.
        """
        numbers, number = 1, 0
        while number < numbers:
            before, after = self._triggered(table, phase, code, number if self._follows_dice else None)
            numbers = max(numbers, -after.seed)
            if numbers > MAX_OUTCOMES:
                note(self._few, code)
                return
            if after.number == 0:
                yield self._judged(code, before, after, note)
            number += 1

    def _triggered(self, table: Any, phase: Phase, code: Code, dice: int | None = None) -> tuple[Any, Any]:
        """The tables before and after an event. dice: the outcomes of what it rolls, if not those of the table."""
        before = self.copy(table)
        before.card, before.suit = before.open_card, NONE
        put_on_table(self.game, before, code)
        after = self.copy(before)
        if dice is not None:
            after.seed, after.number = -1, dice
        self._machine.set_state(phase, self)
        self._machine.events[code[0]].trigger(self, after)
        return before, after

    def _judged(self, code: Code, before: Any, after: Any, note: Note) -> Fired:
        """The event that was fired last."""
        is_sound = self.done(before, after, self.fired, lambda number, _: note(number, code))
        return Fired(code, self.fired, after, self.phase, is_sound)

    def record_arc(self, arc: Arc) -> None:
        """Note the arc that the machine has fired."""
        self.fired = arc
        self._machine.set_state(arc.dest, self)

    def done(self, before: Any, after: Any, arc: Arc, note: Note) -> bool:
        """Whether an arc that was fired has done all that it must."""
        failed = [number for number, holds in self._after[arc] if not holds(before, after)]
        for number in failed:
            note(number, None)
        return not failed

    def in_range(self, table: Any) -> bool:
        """Whether all facts are numbers that a position has room for, and no pile has more cards than the deck."""
        facts = all(-least(fact) <= getattr(table, fact.field) <= fact.most for fact in self.game.position_facts)
        return facts and 0 <= table.stock <= table.tail - table.head <= self.game.deck_size

    def successors(self, table: Any, phase: Phase, note: Note) -> Iterator[Fired]:
        """Fire each event that is legal, also by the return of the position where a turn starts."""
        plan = self._plans[phase]
        for returned in (0, 1) if plan.may_return else (0,):
            again = self.copy(table)
            again.returned = returned
            if returned and not any(plan.forced_now(again)):
                continue
            for code, _ in self.choices(again, phase, note):
                yield from self.outcomes(again, phase, code, note)


def conceivable(plan: PhasePlan, table: Any, offers: Iterable[Offer]) -> Iterator[Code]:
    """Every event of a phase that might be fired: the forced ones, and those of some offers with each card that is
    offered or in the hand of the player who acts, and with each value that is offered with it.
    """
    yield from ((trigger, NONE, NONE) for trigger, _ in plan.forced)
    for offer in offers:
        if offer.cards is not None:
            refused = table.hands[table.player] & ~offer.cards(table)
            named = [*named_with(offer, table), *((card, NONE) for card in bits(refused))]
            yield from ((offer.trigger, card, value) for card, value in sorted(named))
        else:
            values = bits(offer.values(table)) if offer.values is not None else (NONE,)
            yield from ((offer.trigger, NONE, value) for value in values)


def _ignore(number: int, code: Code | None) -> None:
    """A note of nothing."""
