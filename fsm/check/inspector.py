"""Checks positions with the stepped machine: invariants, legal events, and the effects of events."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from traceback import extract_tb
from typing import Any, NamedTuple, Protocol

from fsm.check.properties import BasicProperty, properties
from fsm.check.readable import is_readable, not_whole
from fsm.declaration.arcs import Arc, Phase, Policy
from fsm.declaration.dice import MAX_OUTCOMES
from fsm.declaration.facts import NO_VALUE
from fsm.stepping.fast_machine import fast_machine_of
from fsm.stepping.game import Game
from fsm.stepping.moves import Code, PhasePlan, choice_of
from fsm.stepping.stepped import lay_move
from fsm.table.layout import PositionError
from rules.cards import bits
from rules.notation import shown

READ_BACK = 50
"""Each so many positions one is written as a line and read back; of all others the same is asked in integers."""
Conceivable = tuple[Code, bool | None]
"""An event that might be fired, and whether it is offered; None where the guards of its arcs say so."""
DICE = ("seed", "number", "rolls", "returned")
"""The fields of a table that belong to no position: what dice show, and whether the position was there before."""

PILES = ("ring", "head", "tail", "stock", "bottom")
"""The fields in which the piles lie, in other places of a table that is made from a position."""


class Note(Protocol):
    """Called with the number of a property that fails, and with the event, unless the position itself violates it.

    error: what a rule function has raised, and where.
    """

    def __call__(self, number: int, code: Code | None, /, *, error: str = "") -> None:
        """Note it."""


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
        self._plans = kind.plans
        self._layout = kind.layout
        self.key, self.bare = self._layout.exact_key(), self._layout.bare
        self.in_range = is_readable(self.game)  # whether all facts have room in a position, and each card is there
        self._machine = fast_machine_of(self.game)  # without the hooks of the games
        self._follows_dice, self._few = self.game.follows_dice, len(properties(self.game))
        self._sizes = {
            phase: [[mask.bit_length() for mask in self.game.masks_named(offer)] for offer in plan.offers]
            for phase, plan in self._plans.items()
        }
        invariants = list(enumerate(self.game.all_invariants, len(BasicProperty)))
        self._stated = {
            phase: [(number, each.holds) for number, each in invariants if each.concerns(phase)]
            for phase in self.game.phases
        }
        conditions = list(enumerate(self.game.postconditions, len(BasicProperty) + len(self.game.all_invariants)))
        self._after = {
            arc: [(number, each.holds) for number, each in conditions if each.concerns(arc)] for arc in self.game.arcs
        }

    def dealt(self, players: int, deck: Sequence[int], note: Note) -> Any:
        """The table after the deal of a deck; None where that raises an error, or cannot be read back."""
        table = self.game.table()
        try:
            self.game.deal(table, deck, players)
        except Exception as error:
            note(BasicProperty.NO_ERROR, None, error=told(error))
            return None
        if not self.in_range(table):
            note(BasicProperty.IN_RANGE, None, error=self.unread(table, self.game.initial))
            return None
        return table

    def chosen(self, policy: Policy, table: Any, phase: Phase) -> Code | None:
        """The event that a policy chooses in a position; None if that fails."""
        before = self._layout.named(table)
        try:
            found = choice_of(self.game, policy, table, phase)
            return found and found[1]
        except Exception:
            return None
        finally:
            self._layout.put_back(table, before)

    def is_free(self, phase: Phase, choices: Sequence[tuple[Code, Arc]]) -> bool:
        """Whether a player chooses among the legal events of a position: none of them is forced."""
        return bool(choices) and choices[0][0][0] in self._plans[phase].offer

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
        bare = self._layout.bare(table)
        self._layout.give(bare, table, (*DICE, *fields))
        errors = list[str]()  # of rules that read what is missing, such as the bit of a card that is none

        def note(number: int, code: Code | None, /, *, error: str = "") -> None:
            errors.extend([error] * (number == BasicProperty.NO_ERROR))

        expected = self._after_event(table, phase, code)
        are_same = self.choices(bare, phase, note) == choices and not errors
        return are_same and self._after_event(bare, phase, code) == expected

    def _after_event(self, table: Any, phase: Phase, code: Code | None) -> Hashable:
        """The position to which an event leads; None without one, and for one that fails."""
        try:
            fired = None if code is None else self.fire(table, phase, code, lambda number, code, /, *, error="": None)
        except Exception:
            return None
        return (fired.phase, self.key(fired.table)) if fired and fired.is_sound else None

    def missing(
        self, table: Any, phase: Phase, choices: Sequence[tuple[Code, Arc]], code: Code | None
    ) -> tuple[str, ...]:
        """The fields of a table that belong to no position and together make it determined; each of them is needed."""
        fields = {name: None for name in self.game.defaults if name not in PILES}
        for name in tuple(fields):
            if self.determined(table, phase, choices, code, fields.keys() - {name}):
                del fields[name]
        return tuple(fields)

    def holds(self, table: Any, phase: Phase, note: Note) -> bool:
        """Whether all that must hold in a position does."""
        return _all_hold(self._stated[phase], (table,), None, note)

    def choices(self, table: Any, phase: Phase, note: Note, *, forced_only: bool = False) -> list[tuple[Code, Arc]]:
        """The legal events with their arcs, of all conceivable events, or of those that may be forced; `returned` is
        taken as it is.
        """
        plan = self._plans[phase]
        try:
            offered = [] if forced_only else list(self._conceivable(plan, table))
        except Exception as error:
            note(BasicProperty.NO_ERROR, None, error=told(error))
            return []
        legal = self._tried(plan, table, [((trigger, NO_VALUE, NO_VALUE), None) for trigger, _ in plan.forced], note)
        if len(legal) > 1:
            note(BasicProperty.ONE_FORCED, None)
        if not (legal and table.returned):
            legal += self._tried(plan, table, offered, note, refused=bool(legal))
        if not legal and not table.returned:
            note(BasicProperty.CAN_CONTINUE, None)
        return [(code, arc) for code, arc in legal if arc]

    def _conceivable(self, plan: PhasePlan, table: Any) -> Iterator[Conceivable]:
        """Every event that might be chosen: with each card that is offered, with each value that is offered with it,
        and with each other card in the hand of the player who acts. Raises ValueError for more than the game has.
        """
        for offer, sizes in zip(plan.offers, self._sizes[plan.phase], strict=True):
            held = 0
            if offer.cards is not None:
                named, held = [*offer.named_with(table)], table.hands[table.player]
                if offer.from_hand and not all(held >> card & 1 for card, _ in named):
                    fault = "is offered with a card that is not in the hand; declare from_hand=False"
                    raise ValueError(f"{offer.trigger} {fault}")
                held &= ~offer.cards(table)
            elif offer.values is not None:
                named = [(NO_VALUE, value) for value in bits(offer.values(table))]
            else:
                yield (offer.trigger, NO_VALUE, NO_VALUE), offer.always or None
                continue
            if any(card >= sizes[0] or value >= sizes[1] for card, value in named):
                raise ValueError(f"{offer.trigger} is offered with what the game does not have")
            events = [*((each, True) for each in named), *(((card, NO_VALUE), False) for card in bits(held))]
            yield from (((offer.trigger, *each), is_offered) for each, is_offered in sorted(events))

    def _tried(
        self, plan: PhasePlan, table: Any, events: Iterable[Conceivable], note: Note, *, refused: bool = False
    ) -> list[tuple[Code, Arc | None]]:
        """The legal ones of some events, each with its arc, if it is one. refused: whether none of them is legal."""
        found = list[tuple[Code, Arc | None]]()
        before = self._layout.named(table)
        for code, offered in events:
            lay_move(self.game, table, code)
            try:
                enabled = [arc for arc in plan.arcs[code[0]] if arc.enabled(table)]
            except Exception as error:
                note(BasicProperty.NO_ERROR, code, error=told(error))
                continue
            finally:
                self._layout.put_back(table, before)
            is_legal = not refused and (bool(enabled) if offered is None else offered)
            if is_legal:
                found.append((code, enabled[0] if len(enabled) == 1 else None))
            if len(enabled) != is_legal:
                note(BasicProperty.ONE_ARC if is_legal else BasicProperty.NO_ARC, code)
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
            try:
                before, after = self._triggered(table, phase, code, number if self._follows_dice else None)
            except Exception as error:
                note(BasicProperty.NO_ERROR, code, error=told(error))
                return
            numbers = max(numbers, -after.seed)
            if numbers > MAX_OUTCOMES:
                note(self._few, code)
                return
            if after.number == 0:
                yield self._judged(code, before, after, note)
            number += 1

    def _triggered(self, table: Any, phase: Phase, code: Code, dice: int | None = None) -> tuple[Any, Any]:
        """The tables before and after an event. dice: the outcomes of what it rolls, if not those of the table."""
        before = self._layout.copy(table)
        before.card, before.suit = before.open_card, NO_VALUE
        lay_move(self.game, before, code)
        after = self._layout.copy(before)
        if dice is not None:
            after.seed, after.number = -1, dice
        self._machine.set_state(phase, self)
        self._machine.events[code[0]].trigger(self, after)
        return before, after

    def _judged(self, code: Code, before: Any, after: Any, note: Note) -> Fired:
        """The event that was fired last."""
        is_sound = _all_hold(self._after[self.fired], (before, after), code, note)
        return Fired(code, self.fired, after, self.phase, is_sound)

    def record_arc(self, arc: Arc) -> None:
        """Note the arc that the machine has fired."""
        self.fired = arc
        self._machine.set_state(arc.dest, self)

    def done(self, before: Any, after: Any, arc: Arc, note: Note) -> bool:
        """Whether an arc that was fired has done all that it must."""
        return _all_hold(self._after[arc], (before, after), None, note)

    def unread(self, table: Any, phase: Phase) -> str:
        """Return why the line of a position is not read back as this position; an empty text if it is."""
        if name := not_whole(table):
            value = getattr(table, name)
            return f"field {name}: {shown(value)} is of type {type(value).__name__}; set it to a whole number"
        hands = [self.game.codec.held(table, seat) for seat in range(table.players)]
        try:
            position = self.kind(table, phase, hands).position()
            again = self.kind.at(str(position)).position()
        except (IndexError, PositionError) as error:
            return str(error)
        return "" if str(again) == str(position) else f"{position} is read back as {again}"

    def successors(self, table: Any, phase: Phase, note: Note) -> Iterator[Fired]:
        """Fire each event that is legal, also by the return of the position where a turn starts."""
        plan = self._plans[phase]
        for returned in (0, 1) if plan.may_return else (0,):
            again = self._layout.copy(table)
            again.returned = returned
            for code, _ in self.choices(again, phase, note, forced_only=bool(returned)):
                yield from self.outcomes(again, phase, code, note)


def _all_hold(
    stated: Iterable[tuple[int, Callable[..., object]]], tables: tuple[Any, ...], code: Code | None, note: Note
) -> bool:
    """Whether all that is stated, by number, holds of some tables. code: the event that must have done it."""
    are_all = True
    for number, holds in stated:
        try:
            if holds(*tables):
                continue
        except Exception as error:
            note(BasicProperty.NO_ERROR, code, error=told(error))
        else:
            note(number, code)
        are_all = False
    return are_all


def told(error: Exception) -> str:
    """What a rule function has raised, in one line, with the file and the line."""
    place = extract_tb(error.__traceback__)[-1]
    return f"{place.filename}:{place.lineno}: {type(error).__name__}: {error}"
