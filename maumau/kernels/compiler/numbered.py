"""What the functions read that step a game by numbered actions (`maumau.kernels.compiled.numbered`).

Actions are numbered by `maumau.agents.actions`, which also makes arrays of their numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Protocol

from fsm.declaration.arcs import Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE, ValueKind
from fsm.edge.numbers import Array, np
from fsm.table.layout import layout_of
from maumau.kernels.compiled.ends import COUNTS, EMPTY, STUCK
from maumau.kernels.compiler.observing import ObservingPlan
from maumau.kernels.compiler.past import audience
from maumau.kernels.compiler.phases import Constant, moves_of, phases_of
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.source import Constants, saved_size


class NumberedAction(Protocol):
    """An action: its event, and the name of the card that is named with it."""

    @property
    def trigger(self) -> str:
        """The event."""

    @property
    def card(self) -> str | None:
        """The name of the card, if one is named."""


class Numbering(Protocol):
    """The numbered actions of a game."""

    @property
    def game(self) -> Declaration:
        """The declaration."""

    @property
    def triggers(self) -> tuple[str, ...]:
        """The events among which players choose."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[NumberedAction]: ...

    def number_of(self, trigger: str, code: int, value: int) -> int:
        """The number of an action by the codes of its card and value, -1 for none; -1 if there is no such action."""

    def values_of(self, trigger: str) -> int:
        """How many codes the values of an event may have, with the one for no value."""


@dataclass(frozen=True)
class ActionPlan:
    """What loops over numbered actions are written for.

    policies: those that choose where no action is given, by number. actions: the numbering. observing: what is
    observed. tally: whether transitions and decision rules are counted. notes: whether notes are kept.
    keeps_positions: whether the positions of a game are kept. names_repeat: whether several card codes have one name.
    """

    policies: tuple[Policy, ...]
    actions: Numbering
    observing: ObservingPlan
    tally: bool = False
    notes: bool = False
    keeps_positions: bool = False
    names_repeat: bool = False

    @property
    def game(self) -> Declaration:
        """The declaration."""
        return self.observing.game

    @property
    def kernel(self) -> KernelPlan:
        """What the statements that step a table are written for."""
        return KernelPlan(self.game, self.policies, tally=self.tally)

    @property
    def players(self) -> int:
        """How many players."""
        return self.observing.players

    @property
    def hands(self) -> tuple[str, ...]:
        """The fields that hold the hands."""
        return self.observing.hands

    @property
    def table_type(self) -> np.dtype[Any]:
        """The NumPy type of a saved table."""
        return layout_of(self.game).record

    @property
    def position_bytes(self) -> int:
        """Bytes of a position that is kept."""
        return saved_size(self.kernel)

    @property
    def position_counts(self) -> int:
        """How many numbers count the positions of a game."""
        return COUNTS

    def position_slots(self, games: int, most: int) -> Array:
        """Return empty slots for the positions of games side by side, a row for each. most: positions of a game."""
        return np.full((games, 2 << most.bit_length()), EMPTY)

    @property
    def deciding(self) -> tuple[Phase, ...]:
        """The phases in which players choose."""
        return tuple(phase for phase in self.game.phases if self.game.control_of(phase).offers)


def acting_constants(plan: ActionPlan) -> Constants:
    """Return what the functions of `maumau.kernels.compiled.numbered` read of a game."""
    game, kernel = plan.game, plan.kernel
    phases = phases_of(kernel)
    by_phase = {phase: phases[game.phase_numbers[phase]] for phase in game.phases}
    rolls = tuple(int(arc in game.rolling_arcs) for arc in game.arcs)
    return {
        "ACTED": tuple(
            (game.phase_numbers[phase], by_phase[phase][4], _acted(plan, phase), by_phase[phase][5])
            for phase in plan.deciding
        ),
        "EVENTS": plan.observing.events,
        "NAMED_FIELDS": tuple(dict.fromkeys(["card", *(str(game.value_kind(name)) for name in plan.actions.triggers)])),
        "ROLLS": rolls if plan.notes and any(rolls) else (),
        "RUN_PHASES": (*(_run_phase(plan, phase, by_phase[phase]) for phase in game.phases), _ENDED),
    }


_ENDED = STUCK, True, False, (), (), (), (), ()


def _run_phase(plan: ActionPlan, phase: Phase, known: Constant) -> Constant:
    """A phase as `run_to_decision` reads it: its number; whether the game ends there; whether positions are kept; what
    is forced; the policies; the trees of what is chosen; the offers; and what is kept of the events in the notes.
    """
    number, is_end, _, forced, policies, trees = known
    control = plan.game.control_of(phase)
    returns = control.may_return and plan.keeps_positions
    kept = tuple(_kept(plan, phase, offer) for offer in control.offers)
    return number, is_end, returns, forced, policies, trees, _acted(plan, phase), kept


def _acted(plan: ActionPlan, phase: Phase) -> Constant:
    """The offers of a phase: the number of the event; the first and the last action; what gives the cards and the
    values, or None; the field of the value, if one is named; whether it is a seat; how many numbers a card has in
    NUMBERS; the cards that are marked at once; and the arcs, as in `moves_of`.
    """
    moves, offers = moves_of(plan.game, phase), plan.game.control_of(phase).offers
    return tuple(_acted_offer(plan, offer, arcs) for offer, (*_, arcs, _) in zip(offers, moves, strict=True))


def _acted_offer(plan: ActionPlan, offer: Offer, arcs: Constant) -> Constant:
    actions = [number for number, action in enumerate(plan.actions) if action.trigger == offer.trigger]
    kind = plan.game.value_kind(offer.trigger)
    return (
        plan.actions.triggers.index(offer.trigger),
        actions[0],
        actions[-1],
        offer.cards,
        offer.values,
        str(kind) if offer.named else "",
        kind is ValueKind.SEAT,
        plan.actions.values_of(offer.trigger),
        marked_at_once(plan.actions, offer.trigger) if offer.cards else (),
        arcs,
    )


def marked_at_once(space: Numbering, trigger: str) -> Constant:
    """The longest row of card codes that name no value and are numbered in turn: the first code, its number, how many
    there are, and the other cards as a mask; empty if there are none.
    """
    names = space.game.codec.notation.cards
    alone = Counter(action.card for action in space if action.trigger == trigger)
    numbers = {code: space.number_of(trigger, code, NO_VALUE) for code in sorted(set(space.game.full_deck()))}
    plain = [code for code, number in numbers.items() if number >= 0 and alone[names[code]] == 1]
    runs = groupby(enumerate(plain), lambda each: (each[1] - each[0], numbers[each[1]] - each[0]))
    longest = max(([code for _, code in run] for _, run in runs), key=len, default=[])
    if not longest:
        return ()
    return longest[0], numbers[longest[0]], len(longest), ~sum(1 << code for code in longest)


def _kept(plan: ActionPlan, phase: Phase, offer: Offer) -> Constant:
    """What is kept of an event in the notes: its number; whether all see it; whether it has a card; the field of its
    value, if it has one; whether that is a seat; and who sees the event, its card and its value.
    """
    game, kind = plan.game, plan.game.value_kind(offer.trigger)
    return (
        plan.actions.triggers.index(offer.trigger),
        (phase, offer.trigger) in game.seen_by_all,
        bool(offer.cards),
        str(kind) if kind and offer.named else "",
        kind is ValueKind.SEAT,
        *audience(game, phase, offer.trigger),
    )


# ---------------------------------------------------------------- moves made again


def replay_constants(plan: ActionPlan) -> Constants:
    """Return what `maumau.kernels.compiled.replay` reads of a game."""
    kernel = replace(plan.kernel, tally=False)
    phases = [(phase, known) for phase, known in zip(plan.game.phases, phases_of(kernel), strict=False)]
    return {
        "NAMES_REPEAT": plan.names_repeat,
        "REPLAYED": tuple(_replayed(plan, phase, known) for phase, known in phases),
        "REVEALS": bool(plan.game.reveals),
    }


def _replayed(plan: ActionPlan, phase: Phase, known: Constant) -> Constant:
    """A phase as `replay` reads it: its number; whether the game ends there; what is forced; and how the policy
    chooses, the trees of what is chosen, the offers, the places of those that others do not see, and what gives the
    cards that are named from the hand.
    """
    number, is_end, _, forced, policies, trees = known
    moves, offers = moves_of(plan.game, phase), plan.game.control_of(phase).offers
    made = tuple(
        (offer.cards, offer.values, str(plan.game.value_kind(offer.trigger)), bool(offer.from_hand), arcs)
        for offer, (*_, arcs, _) in zip(offers, moves, strict=True)
    )
    unseen = tuple((index, offer.trigger) for index, offer in enumerate(offers) if offer.seen_as is not None)
    from_hand = tuple(offer.cards for offer in offers if offer.cards and offer.from_hand)
    return number, is_end, forced, (policies[0][2] if policies else (), trees, made, unseen, from_hand)
