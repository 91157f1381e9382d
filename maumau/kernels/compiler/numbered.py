"""Writes the loops over numbered actions of a game: the legal ones, what fires one, and how a game goes on after it.

Actions are numbered by `maumau.agents.actions`. The source takes arrays for granted (`Numbering.arrays`), and the
indices CHOSEN and LAST of the notes that `note` keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import indent
from typing import Protocol

from fsm.declaration.arcs import Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE, ValueKind
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.ends import EMPTY
from maumau.kernels.compiler.observing import ObservingPlan
from maumau.kernels.compiler.past import keep_source
from maumau.kernels.compiler.phases import choosing, chosen_source, each_move, forced_source, policy_source
from maumau.kernels.compiler.program import RETURN, KernelPlan, cases, mention, numbered
from maumau.kernels.compiler.source import saved_size


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
        return KernelPlan(self.game, self.policies, tally=self.tally, leave=RETURN, notes_dice=self.notes)

    @property
    def players(self) -> int:
        """How many players."""
        return self.observing.players

    @property
    def hands(self) -> tuple[str, ...]:
        """The fields that hold the hands."""
        return self.observing.hands

    @property
    def position_bytes(self) -> int:
        """Bytes of a position that is kept."""
        return saved_size(self.kernel)

    def position_slots(self, games: int, most: int) -> Array:
        """Return empty slots for the positions of games side by side, a row for each. most: positions of a game."""
        return np.full((games, 2 << most.bit_length()), EMPTY)

    @property
    def deciding(self) -> tuple[Phase, ...]:
        """The phases in which players choose."""
        return tuple(phase for phase in self.game.phases if self.game.control_of(phase).offers)


def _by_action(plan: ActionPlan, offers: Sequence[Offer], body: Callable[[Offer], Iterable[str]]) -> str:
    """Statements for the offer that `action` belongs to."""
    found = []
    for offer in offers:
        numbers = [number for number, action in enumerate(plan.actions) if action.trigger == offer.trigger]
        found.append((f"{numbers[0]} <= action <= {numbers[-1]}", offer.trigger, body(offer)))
    return cases(found)


def _putting(plan: ActionPlan, offer: Offer) -> Iterator[str]:
    """Statements that put the card and the value of an action on the table."""
    if offer.cards:
        yield f"chosen = {mention(offer.cards)}(table) & MEANT[action]"
        yield "table.card = (chosen & -chosen).bit_length() - 1"
    kind = plan.game.value_kind(offer.trigger)
    if kind is ValueKind.SEAT and offer.values:
        value = f"(VALUES[action] + table.player) % {plan.players}"
        yield f"table.{kind} = {value} if VALUES[action] >= 0 else -1"
    elif offer.named:
        yield f"table.{kind} = VALUES[action]"


def mask_source(plan: ActionPlan) -> str:
    """The function `write_mask`, which marks the legal actions of a decision."""
    game = plan.game
    marking = {
        phase: [line for offer in game.control[phase].offers for line in _marking(plan, phase, offer)]
        for phase in plan.deciding
    }
    blocks = cases((f"phase == {plan.game.phase_numbers[phase]}", phase, lines) for phase, lines in marking.items())
    return f'''def write_mask(table, phase, line):
    """Mark the legal actions; whether each of them has a number."""
    for action in range({len(plan.actions)}):
        line[action] = 0
    card = table.card
{indent(blocks, "    ")}
    table.card = card
    return True'''


def _marking(plan: ActionPlan, phase: Phase, offer: Offer) -> Iterator[str]:
    """Statements that mark the legal actions of an offer."""
    row = plan.actions.values_of(offer.trigger)

    at = f"(table.card + 1) * {row}" if offer.cards else "0"

    def mark(at: str) -> str:
        return f"number = NUMBERS_{offer.trigger}[{at}]\nif number < 0:\n    return False\nline[number] = 1"

    def marked(values: str) -> str:
        if not values:
            return mark(at)
        alone = f"if {values} == 0:\n{indent(mark(at), '    ')}\n" if offer.cards else ""
        return alone + _each_bit(values, mark, at, plan, offer)

    run = _marking_run(plan.actions, offer.trigger) if offer.cards else ()
    return each_move(plan.game, phase, offer, marked, run)


def _marking_run(space: Numbering, trigger: str) -> Iterator[str]:
    """Statements that mark at once the cards of the longest row of codes that name no value and are numbered in turn.

    The other cards are left in the mask.
    """
    names = space.game.codec.notation.cards
    alone = Counter(action.card for action in space if action.trigger == trigger)
    numbers = {code: space.number_of(trigger, code, NO_VALUE) for code in sorted(set(space.game.full_deck()))}
    plain = [code for code, number in numbers.items() if number >= 0 and alone[names[code]] == 1]
    runs = groupby(enumerate(plain), lambda each: (each[1] - each[0], numbers[each[1]] - each[0]))
    longest = max(([code for _, code in run] for _, run in runs), key=len, default=[])
    if longest:
        first, number = longest[0], numbers[longest[0]]
        yield f"for place in range({len(longest)}):\n    line[{number} + place] = cards >> {first} + place & 1"
        yield f"cards &= ~{sum(1 << code for code in longest)}"


def _each_bit(mask: str, mark: Callable[[str], str], at: str, plan: ActionPlan, offer: Offer) -> str:
    """A loop that marks the action of each value of a mask."""
    value = "value"
    if offer.kind is ValueKind.SEAT:
        value = f"(value - table.player + {plan.players}) % {plan.players}"
    marked = indent(mark(f"{at} + 1 + {value}"), "    ")
    return f"""while {mask} != 0:
    value = ({mask} & -{mask}).bit_length() - 1
    {mask} &= {mask} - 1
{marked}"""


def act_source(plan: ActionPlan) -> str:
    """The function `act`, which fires an action."""

    phases = plan.deciding
    blocks = cases((f"phase == {plan.game.phase_numbers[phase]}", phase, [_of_action(plan, phase)]) for phase in phases)
    return f'''def act(table, phase, action):
    """Fire an action of the player who acts; the next phase."""
{indent(blocks, "    ")}
    return phase'''


def _of_action(plan: ActionPlan, phase: Phase) -> str:
    offers = plan.game.control[phase].offers
    return _by_action(plan, offers, lambda offer: [*_putting(plan, offer), chosen_source(plan.kernel, phase, offer)])


def run_source(plan: ActionPlan) -> str:
    """The function `run`, which steps a table to the next decision of a learning seat."""
    blocks = numbered("phase", ((phase, _acting(plan, phase)) for phase in plan.game.phases))
    return f'''def run(
    table, phase, seats, limit, action, notes, discarded, fired, used, weight, other, seen, hashes, rows, known,
):
    """Step `table`, first by `action` if it is one, to the next decision of a learning seat, the end or the limit.

    fired, used, weight: where arcs and decision rules are counted. other, seen, hashes, rows, known: where the rules
    end a game as soon as a position returns: those that were there are kept.
    """
    shuffled = 0
    while True:
        note(table, notes, discarded, shuffled)
        shuffled = 0
{indent(blocks, " " * 8)}'''


def _acting(plan: ActionPlan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: forced events, then the choice of the player and the arcs of what is chosen."""
    if phase is plan.game.final:
        yield "return phase"
        return
    control = plan.game.control[phase]
    if control.may_return and plan.keeps_positions:
        yield "if action < 0:\n    known[0] = keep_position(table, phase, other, seen, hashes, rows, known[0])"
    yield forced_source(plan.kernel, phase)
    if offers := control.offers:
        named = _by_action(plan, offers, lambda offer: [f"event = {offers.index(offer)}", *_putting(plan, offer)])
        learning = f"if action < 0:\n    return phase\n{named}\naction = -1"
        yield "if notes[CHOSEN] >= limit:\n    return phase"
        yield choosing(plan.kernel, phase, [learning])
        blocks = []
        for offer in offers:
            number = 1 + plan.actions.triggers.index(offer.trigger)
            lines = ["notes[CHOSEN] += 1"]
            if plan.observing.events:
                lines.append(keep_source(plan.game, plan.players, phase, offer, number - 1))
            if (phase, offer.trigger) in plan.game.seen_by_all:
                lines.append(f"notes[LAST + table.player] = {number}")
            lines.append(chosen_source(plan.kernel, phase, offer, "rule"))
            blocks.append((offer.trigger, lines))
        yield numbered("event", blocks)


def advance_source(plan: ActionPlan) -> str:
    """The function `advance`."""
    blocks = numbered("phase", ((phase, _advancing(plan, phase)) for phase in plan.game.phases))
    return f'''def advance(table, phase, action, seat, left):
    """Fire an action of `seat`, and go on to its next decision, the end, or for so many choices of others."""
    while True:
{indent(blocks, " " * 8)}'''


def _advancing(plan: ActionPlan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: forced events, then the choice of the player and the arcs of what is chosen."""
    if phase is plan.game.final:
        yield "return phase"
        return
    yield forced_source(plan.kernel, phase)
    if offers := plan.game.control[phase].offers:
        named = _by_action(plan, offers, lambda offer: [f"event = {offers.index(offer)}", *_putting(plan, offer)])
        own = f"if action < 0:\n    return phase\n{named}\naction = -1"
        others = f"if left == 0:\n    return phase\nleft -= 1\n{policy_source(plan.kernel, phase, plan.policies[0])}"
        yield f"if table.player == seat:\n{indent(own, '    ')}\nelse:\n{indent(others, '    ')}"
        yield numbered("event", ((offer.trigger, [chosen_source(plan.kernel, phase, offer)]) for offer in offers))


def own_action_source(plan: ActionPlan) -> str:
    """The function `own_action`."""
    blocks = cases(
        (f"phase == {plan.game.phase_numbers[phase]}", phase, _choosing(plan, phase)) for phase in plan.deciding
    )
    return f'''def own_action(table, phase):
    """The action that the policy of the seat that searches chooses, or -1."""
    action = -1
{indent(blocks, "    ")}
    return action'''


def _choosing(plan: ActionPlan, phase: Phase) -> Iterator[str]:
    """Statements that find the number of what the policy chooses in a phase; the table stays as it is."""
    offers = plan.game.control[phase].offers
    names = dict.fromkeys(["card", *(str(plan.game.value_kind(offer.trigger)) for offer in offers)])
    yield from (f"kept_{name} = table.{name}" for name in names)
    yield policy_source(plan.kernel, phase, plan.policies[-1])
    yield numbered("event", ((offer.trigger, [f"action = {_number(plan, offer)}"]) for offer in offers))
    yield from (f"table.{name} = kept_{name}" for name in names)


def _number(plan: ActionPlan, offer: Offer) -> str:
    """The number of the action that stands on the table."""
    row = plan.actions.values_of(offer.trigger)
    card = f"(table.card + 1) * {row} + " if offer.cards else ""
    kind = plan.game.value_kind(offer.trigger)
    value = f"table.{kind}" if offer.values else str(NO_VALUE)
    if kind is ValueKind.SEAT and offer.values:
        value = f"((table.{kind} - table.player + {plan.players}) % {plan.players} if table.{kind} >= 0 else -1)"
    return f"NUMBERS_{offer.trigger}[{card}1 + {value}]"
