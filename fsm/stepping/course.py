"""How a stepped game came about: its tables, its hands in the order in which the cards came, and what seats saw.

Hands are followed by the masks before and after each event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.parts import SET_OF
from fsm.edge.kept import kept
from fsm.stepping.firing import Firing
from fsm.stepping.moves import NO_OFFER, PhasePlan
from fsm.stepping.position import Position, position_of
from fsm.stepping.steps import Step
from fsm.stepping.view import seen_step
from fsm.table.fields import Snapshot
from fsm.table.layout import Layout, layout_of
from rules.cards import bits
from rules.table import READERS, card_taken, copy_taken

Hands = tuple[tuple[str, ...], ...]
"""The names of each player's cards."""


@kept
def _masks(game: Declaration) -> tuple[tuple[str, int], ...]:
    """The fields with the masks of the hands, and where snapshots have them; none if a hand is more than its masks."""
    fields = game.held_in if game.codec.held in READERS else ()
    return tuple(zip(fields, layout_of(game).places(*fields), strict=True))


def laid_cards(step: Step) -> list[str]:
    """The names of the cards of the hand that are laid with an event that lays some."""
    return str(step.card).split(SET_OF)


def hands_after(
    game: Declaration, hands: Hands, step: Step, past: Snapshot, now: Snapshot | None, table: Any, *, lays: bool
) -> Hands | None:
    """The hands after an event; None where more than the masks of the hands must be looked at.

    hands, past: before the event. now: after it; if None, `table` is. lays: whether cards of the hand are laid.
    """
    masks, names = _masks(game), game.codec.notation.cards
    changed = [
        (seat, old & ~new, new & ~old)
        for name, row in masks
        if (new_row := tuple(getattr(table, name)) if now is None else now[row]) != past[row]
        for seat, (old, new) in enumerate(zip(past[row], new_row, strict=True))
        if old != new
    ]
    if not lays and masks and not changed:
        return hands
    if len(changed) == 1:  # as after nearly every event: a card was laid, or cards came
        seat, gone, came = changed[0]
        own = hands[seat]
        is_one = gone and not gone & gone - 1
        if lays and is_one and not came and seat == step.player - 1 and step.card == names[gone.bit_length() - 1]:
            at = own.index(step.card)  # the first of equal ones
            return (*hands[:seat], own[:at] + own[at + 1 :], *hands[seat + 1 :])
        if not lays and not gone:
            return (*hands[:seat], (*own, *[names[card] for card in bits(came)]), *hands[seat + 1 :])
    lost: dict[int, list[str]] = {}
    gained: dict[int, list[int]] = {}
    for seat, gone, came in changed:
        lost.setdefault(seat, []).extend([names[card] for card in bits(gone)])
        gained.setdefault(seat, []).extend(bits(came))
    laid = laid_cards(step) if lays else []
    if not masks or not set(laid) <= set(lost.get(step.player - 1, [])):
        return None  # a card that was laid may have come back, and be the last one now
    found = list(hands)
    for seat, cards in gained.items():
        hand = list(hands[seat])
        for card in laid if seat == step.player - 1 else ():
            lost[seat].remove(card)
            hand.remove(card)  # the first of equal ones
        got = [names[card] for card in sorted(cards)]
        for card in lost[seat]:
            if card in got:
                got.remove(card)  # for one that looks alike
            else:
                del hand[-1 - hand[::-1].index(card)]  # of equal ones the first stay
        found[seat] = (*hand, *got)
    return tuple(found)


def gained_in(game: Declaration, past: Snapshot, table: Any) -> tuple[tuple[int, str], ...]:
    """Each player, from 1, with the names of the cards that the hand has more than in the snapshot `past`, in order.

    Empty where more than the masks of the hands must be looked at.
    """
    names, came = game.codec.notation.cards, [0] * table.players
    for field, row in _masks(game):
        for seat, (old, new) in enumerate(zip(past[row], getattr(table, field), strict=True)):
            if old != new:
                came[seat] |= new & ~old
    return tuple((seat + 1, " ".join([names[card] for card in bits(mask)])) for seat, mask in enumerate(came) if mask)


def taken_by(game: Declaration) -> Callable[[Any, int, int, Snapshot], int]:
    """What finds the card that a seat has taken off the draw pile (table, seat, head, past): NO_CARD for none.

    head: the top of the pile before the event, of which the snapshot `past` is. Of a card that is in a hand several
    times it finds the copy.
    """
    copies = game.copies_held
    places = tuple(zip(copies, layout_of(game).places(*copies), strict=True))

    def taken_copy(table: Any, seat: int, head: int, past: Snapshot) -> int:
        gained = 0
        for name, place in places:
            gained |= getattr(table, name)[seat] & ~past[place][seat]
        return copy_taken(table, gained, head)

    return taken_copy if places else lambda table, seat, head, past: card_taken(table, seat, head)


class Course(Firing[Step]):
    """How a game that is stepped came about: the hands and the table after each event, and what each seat has seen."""

    declaration: ClassVar[Declaration]
    plans: ClassVar[Mapping[Phase, PhasePlan]]
    layout: ClassVar[Layout]
    _hands: list[Hands]  # at the start and after each event, as far as somebody has asked
    _seen: dict[int, list[Step | None]]
    """What each seat has seen of each event, as far as somebody has asked."""

    @property
    def hands(self) -> Hands:
        """The names of each player's cards, in the order in which they were dealt and drawn."""
        return self.hands_so_far()[len(self._past)]

    def hands_so_far(self) -> Sequence[Hands]:
        """Return the hands at the start and after each event."""
        game, history, past, table = self.declaration, self.history, self._past, self.table
        happened = len(past)  # the step of an event that a hook foresees is in the history, too
        for event in range(len(self._hands), happened + 1):
            step, hands = history[event - 1], self._hands[-1]
            now = None if event == happened else past[event]
            lays = self.plans[step.source].offer.get(step.trigger, NO_OFFER).lays
            if (found := hands_after(game, hands, step, past[event - 1], now, table, lays=lays)) is None:
                then = table if now is None else self.layout.restored(now)
                held = [list(hand) for hand in hands]
                if lays:
                    for card in laid_cards(step):
                        held[step.player - 1].remove(card)  # the first of equal ones
                found = tuple(self._held_in_order(then, seat, hand) for seat, hand in enumerate(held))
            self._hands.append(found)
        return self._hands

    def _held_in_order(self, table: Any, seat: int, before: Sequence[str]) -> tuple[str, ...]:
        """The hand of a seat after an event: first the cards that it had before."""
        codec = self.declaration.codec
        held = codec.notation.names(codec.held(table, seat))
        if sorted(held) == sorted(before):  # as most hands after most events
            return tuple(before)
        staying = []
        for card in before:
            if card in held:
                held.remove(card)
                staying.append(card)
        return (*staying, *held)

    def tables(self, after: Iterable[int] | None = None) -> Iterator[Any]:
        """Yield the table at the start and after each event: one object, which changes with the next one.

        after: numbers of events after which it is asked for, ascending, 0 for the start.
        """
        table, past = self.declaration.table(), self._past
        for events in range(len(past) + 1) if after is None else after:
            if events < len(past):
                self.layout.restore(table, past[events])
            yield table if events < len(past) else self.table

    def _position(self) -> Position:
        return position_of(self.declaration, self.phase, self.table, self.hands)

    def _history_seen_by(self, seat: int) -> tuple[Step, ...]:
        """The events as a seat (from 0) sees them. They are kept: code of a player asks for them at every event."""
        seen = self._seen.setdefault(seat, [])
        for step in self.history[len(seen) : len(self._past)]:
            seen.append(seen_step(self.declaration, step, seat))
        return tuple(filter(None, seen))
