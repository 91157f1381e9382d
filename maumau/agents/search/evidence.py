"""What a seat has seen of a game from its start, as evidence about the cards that are hidden from it.

Cards come to hands by the deal and from the draw pile, and leave them face up. So it is known where every card lay at
the start, or who took it from the draw pile and when, and every card that a player lays is one of those that the player
had taken until then. If all cards are different, a player may also take the open card, which all have seen. Whole hands
may go to other seats where the game declares that all see how an event ends; a hand is named by the seat that was dealt
it, whoever has it. Who gives a hand away knows it, and who is given one sees it. In games in which cards take other
ways there is no such evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from fsm import Game
from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE, ValueKind
from fsm.edge.kept import kept
from fsm.edge.numbers import Array, np
from fsm.stepping.steps import Step
from fsm.table.fields import Snapshot
from maumau.agents.actions import hand_fields, is_unique
from maumau.agents.compiled.inference import MASKS
from rules.cards import bits

Held = tuple[Any, ...]
"""What shows the ways of cards: the masks of all hands, a row for each field, the open card, where the draw pile
begins, and how many cards it has.
"""
NOBODY = -1
"""In place of a seat: a card that nobody was dealt, or has taken; in place of an offer: nothing is chosen yet."""


class HiddenCard(NamedTuple):
    """A hidden card at the start. dealt: the seat that was dealt it, or NOBODY: then `position` in the ring has it.

    owner: the hand that it comes to, or NOBODY. since: how many events there were when it was taken.
    """

    dealt: int
    position: int
    owner: int
    since: int


class LaidCard(NamedTuple):
    """A hidden card that was laid, or seen in a hand: in which, after how many events, and its code."""

    hand: int
    events: int
    code: int


class Decision(NamedTuple):
    """A move that a player chose: the numbers of the phase, the seat and the offer, and the codes of the card and the
    value, or -1. events: how many there were before it. hand: that of the seat. head: where the draw pile began, which
    all see. held: the masks of the cards in the hand, which a world has to show if is_shown is 1: the seat was given
    it.
    """

    phase: int
    seat: int
    offer: int
    card: int
    value: int
    events: int
    hand: int
    head: int
    is_shown: int
    held: tuple[int, ...]


@dataclass(frozen=True)
class Evidence:
    """What a seat has seen, up to a decision of its own.

    start: the snapshot of the table at the start without the cards that are hidden, phase: the number of its phase.
    items: the hidden cards. laid: those of them that were laid or seen, in turn. pool: the codes of the others,
    ascending. decisions: all moves that players chose, as far as the seat has seen that they chose; where it was given
    a hand, at last that which it has to choose now, as the offer NOBODY.
    """

    start: Snapshot
    phase: int
    items: tuple[HiddenCard, ...]
    laid: tuple[LaidCard, ...]
    pool: tuple[int, ...]
    decisions: tuple[Decision, ...]

    def rows(self) -> tuple[Array, Array, Array, Array]:
        """The items, the cards that were laid, the pool and the decisions as arrays, parts of one."""
        masks = len(self.decisions[0].held) if self.decisions else 0
        moves = [(*move[:-1], *move.held) for move in self.decisions]
        whole = np.array([*chain.from_iterable(chain(self.items, self.laid, [self.pool], moves))], np.int64)
        laid = len(self.items) * len(HiddenCard._fields)
        pool = laid + len(self.laid) * len(LaidCard._fields)
        made = pool + len(self.pool)
        return (
            whole[:laid].reshape(-1, len(HiddenCard._fields)),
            whole[laid:pool].reshape(-1, len(LaidCard._fields)),
            whole[pool:made],
            whole[made:].reshape(-1, MASKS + masks),
        )


class _NoEvidence(Exception):
    """The ways of the cards are not known."""


class EventKind(NamedTuple):
    """Events of one trigger in one phase. phase, offer: the numbers, as of a decision. names_card: whether a card is
    named. is_hidden: whether others do not see what is named, or it is a set. moves_hands: whether hands may move as a
    whole. rolls, is_disguised: whether any of the arcs rolls dice, or looks like another one to the others.
    is_secret: whether any is one of which others see nothing. value: what is named besides a card, if anything is.
    """

    phase: int
    offer: int
    names_card: bool
    is_hidden: bool
    moves_hands: bool
    rolls: bool
    is_disguised: bool
    is_secret: bool
    value: ValueKind | None


class _Ways:
    """What is known of the ways of cards in a game before it is played.

    is_known: whether they can be followed. held_in: what takes them from a snapshot. ring_at: where that has the ring.
    """

    def __init__(self, kind: type[Game]) -> None:
        game, layout = kind.declaration, kind.layout
        self.fields, self.is_unique = hand_fields(game), is_unique(game)
        rows, places = layout.places(*self.fields, "ring"), layout.places("open_card", "head", "stock")
        self.held_in: Callable[[Snapshot], Held] = itemgetter(*rows[:-1], *places)
        self.ring_at, self.kinds = rows[-1], _kinds(game)
        self.is_known = kind.sight.shows_ways(self.fields)


_ways = kept(_Ways)


def _kinds(game: Declaration) -> dict[tuple[Phase, str], EventKind]:
    """The kinds of events by phase and trigger."""
    found = dict[tuple[Phase, str], EventKind]()
    for source, trigger in dict.fromkeys((arc.source, arc.trigger) for arc in game.arcs):
        offers, arcs = [offer.trigger for offer in game.control[source].offers], game.leaving(source, trigger)
        names_set = game.value_kinds.get(trigger) is ValueKind.FORM
        found[source, trigger] = EventKind(
            game.phase_numbers[source],
            offers.index(trigger) if trigger in offers else NOBODY,
            trigger in game.card_events,
            names_set or trigger in game.face_down,
            trigger in game.reveals,
            any(arc in game.rolling_arcs for arc in arcs),
            any(arc in game.disguises for arc in arcs),
            any(game.arc_seen(arc) is None for arc in arcs),
            game.value_kinds.get(trigger),
        )
    return found


class EvidenceReader:
    """Reads the history of a game as the player who acts has seen it, each time on from where it has come."""

    def __init__(self, game: Game) -> None:
        self.declaration, self.seat, self.ways = game.declaration, game.player - 1, _ways(type(game))
        self.sight = game.sight
        self.layout, self.names, self.players = game.layout, game.declaration.codec.notation.cards, game.players
        self.rows = range(len(self.ways.fields))
        self.first = game._past[0] if game._past else self.layout.take(game.table)
        self.held = self.ways.held_in(self.first)
        self.head, stock = self.held[-2:]
        self.end = self.head + stock
        self.ring = bytearray(self.first[self.ways.ring_at])  # without the draw pile
        self.drawn, self.pile = list[HiddenCard](), list[int]()
        for part in _parts(len(self.ring), self.head, stock):
            self.drawn += _undrawn(len(self.ring))[part]
            self.pile += self.ring[part]
            self.ring[part] = bytes(part.stop - part.start)
        self.seats = list(range(game.players))
        self.dealt, self.hidden = list[HiddenCard](), list[int]()
        for seat in self.seats:
            if seat != self.seat:
                cards = _cards(self._masks(self.held, seat))
                self.dealt += [HiddenCard(seat, -1, seat, 0)] * len(cards)
                self.hidden += cards
        self.events, self.laid, self.decisions = list[Step](), list[LaidCard](), list[Decision]()
        self.nothing = (0,) * len(self.rows)
        self.hands = self.seats  # by seat
        self.known: dict[int, Counter[int]] = {}  # what is known of each
        self.own: dict[int, list[int]] = {}  # where in the pile lay what the seat took, by events
        self.number = 0  # of events that the seat has seen: the others move no cards
        self.was_given = False  # a hand
        self.lost: Step | None = None  # the event after which the ways of cards are not known

    def goes_on(self, game: Game) -> bool:
        """Whether a game goes on from the events that were read."""
        at, past = len(self.events), (*game._past, self.layout.take(game.table))
        return (
            past[0] == self.first
            and len(past) > at
            and (at == 0 or game.history[at - 1] is self.events[-1])
            and (self.lost is None or self.lost in game.history[at : at + 1])
            and self.ways.held_in(past[at]) == self.held
        )

    def read(self, game: Game) -> Evidence | None:
        """The evidence; None where the ways of cards are not known."""
        if self.lost or not self.ways.is_known:
            return None
        at, after = len(self.events), self.layout.take(game.table)
        for step, following in zip(game.history[at:], (*game._past, after)[at + 1 :], strict=True):
            try:
                self._event(step, following)
            except _NoEvidence:
                self.lost = step
                return None
        return self._finished(game)

    def _event(self, step: Step, following: Snapshot) -> None:
        """Note one event. following: the table after it."""
        held, after, kind = self.held, self.ways.held_in(following), self.ways.kinds[step.source, step.trigger]
        givers = self._givers(held, after) if kind.moves_hands else self.seats
        if givers == self.seats:
            self._follow(step, kind, held, after)
        else:
            self._decide(step, kind, NO_VALUE, held)
            self._pass_hands(givers, held, after)
        self.held = after
        self.number += not kind.is_secret or self.sight.sees_event(step.arc, step.player - 1, self.seat)
        self.events.append(step)

    def _masks(self, held: Held, seat: int) -> tuple[int, ...]:
        """The masks of the hand of a seat."""
        return tuple(held[row][seat] for row in self.rows)

    def _follow(self, step: Step, kind: EventKind, held: Held, after: Held) -> None:
        """Note where an event moved cards, and what was chosen."""
        if kind.is_hidden or (kind.rolls and step.arc in self.declaration.rolling_arcs):
            raise _NoEvidence
        moves = held != after
        gained, lost = self._moved(held, after) if moves else ([], [])
        code = NO_VALUE
        if kind.names_card:  # of several cards of one name, the one that was laid
            laid = [code for _, code in lost if self.names[code] == step.card]
            code = laid[0] if laid else self.names.index(step.card or "")
        self._decide(step, kind, code, held)
        if not moves:
            return
        if lost and lost != [(step.player - 1, code)]:
            raise _NoEvidence
        if lost and step.player - 1 != self.seat:
            self._see(self.hands[step.player - 1], code)
        (open_card, head, stock), (_, head_now, stock_now) = held[-3:], after[-3:]
        if self.ways.is_unique and head_now == head and gained == [(step.player - 1, open_card)]:
            return
        if len(gained) != head_now - head or (len(gained) > 1 and len({seat for seat, _ in gained}) > 1):
            raise _NoEvidence
        if head_now + stock_now != head + stock and not self.ways.is_unique:
            raise _NoEvidence
        drawn = range(head - self.head, min(head_now, self.end) - self.head)
        for index in drawn:
            owner = self.hands[gained[0][0]] if gained else NOBODY
            self.drawn[index] = HiddenCard(NOBODY, self.drawn[index].position, owner, self.number + 1)
        if drawn and gained and gained[0][0] == self.seat:
            self.own.setdefault(self.number, []).extend(drawn)

    def _see(self, hand: int, code: int) -> None:
        """Note a card of a hand that is laid or shown, unless it is known to be there."""
        known = self.known.get(hand)
        if known and known[code]:
            known[code] -= 1
        elif not (self.ways.is_unique and any(laid.code == code for laid in self.laid)):
            self.laid.append(LaidCard(hand, self.number, code))

    def _givers(self, held: Held, after: Held) -> list[int]:
        """The seat from which each has its hand after an event that may move hands as a whole: their own, if it moves
        none. Of equal hands each stays where it is.
        """
        hands, now = ([self._masks(each, seat) for seat in self.seats] for each in (held, after))
        if sorted(hands) != sorted(now):
            return self.seats
        moved = [seat for seat in self.seats if hands[seat] != now[seat]]
        givers, left = self.seats[:], moved[:]
        for seat in moved:
            givers[seat] = next(other for other in left if hands[other] == now[seat])
            left.remove(givers[seat])
        return givers

    def _pass_hands(self, givers: list[int], held: Held, after: Held) -> None:
        """Note that hands go to other seats: the seat knows from now on what it gives, and sees what it is given."""
        gave = self.hands[self.seat]
        self.hands = [self.hands[giver] for giver in givers]
        given = self.hands[self.seat]
        if given != gave:
            self.known[gave] = Counter(_cards(self._masks(held, self.seat)))
            for code in Counter(_cards(self._masks(after, self.seat))).elements():
                self._see(given, code)
            self.was_given = True

    def _decide(self, step: Step, kind: EventKind, code: int, held: Held) -> None:
        """Note an event if a player chose it."""
        game, seat = self.declaration, step.player - 1
        if kind.offer == NOBODY or (seat != self.seat and kind.is_disguised and step.arc in game.disguises):
            return
        named, value = kind.value and getattr(step, kind.value), NO_VALUE
        if kind.value and named is not None:
            value = kind.value.to_code(game.codec.notation, named, self.players)
        shown, masks = 0, self.nothing
        if self.was_given and seat == self.seat:
            shown, masks = 1, self._masks(held, seat)
        move = kind.phase, seat, kind.offer, code, value, self.number, self.hands[seat], held[-2], shown, masks
        self.decisions.append(Decision._make(move))

    def _moved(self, held: Held, after: Held) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The cards that seats gained and lost: seats with codes."""
        gained: list[tuple[int, int]] = []
        lost: list[tuple[int, int]] = []
        for row in self.rows:
            if held[row] != after[row]:
                for seat, masks, masks_now in zip(self.seats, held[row], after[row], strict=False):
                    if masks != masks_now:
                        for code in bits(masks ^ masks_now):
                            (lost if masks >> code & 1 else gained).append((seat, code))
        for moved in gained[:] if lost else ():  # from field to field of a hand
            if moved in lost:
                gained.remove(moved)
                lost.remove(moved)
        return gained, lost

    def _finished(self, game: Game) -> Evidence:
        """The evidence, with what only the end of the history shows."""
        known = dict[int, int]()
        for indices in self.own.values():
            known |= zip(indices, sorted(self.pile[index] for index in indices), strict=True)
        drawn, pile = self.drawn[:], self.pile[:]
        for index in reversed(known):  # from the end, so that the others stay where they are
            del drawn[index], pile[index]
        pool = bytearray(sorted(self.hidden + pile))
        start, ring = list(self.first), self.ring[:]
        for index, code in known.items():
            ring[self.drawn[index].position] = code
        start[self.ways.ring_at] = bytes(ring)
        for at in self.layout.places(*self.ways.fields):
            start[at] = tuple(mask if seat == self.seat else 0 for seat, mask in enumerate(start[at]))
        hidden = bytes(pool)
        fresh = [laid for laid in self.laid if laid.code in hidden]
        for laid in fresh:
            if laid.code in pool:
                pool.remove(laid.code)
        decisions, phases = self.decisions, self.declaration.phase_numbers
        if self.was_given:
            now = phases[game.phase], self.seat, NOBODY, NO_VALUE, NO_VALUE, self.number, self.hands[self.seat]
            decisions = [*decisions, Decision(*now, self.held[-2], 1, self._masks(self.held, self.seat))]
        first = phases[self.events[0].source if self.events else game.phase]
        return Evidence(tuple(start), first, (*self.dealt, *drawn), tuple(fresh), tuple(pool), tuple(decisions))


@cache
def _undrawn(size: int) -> list[HiddenCard]:
    """The item of each place of a ring, while nobody has it."""
    return [HiddenCard(NOBODY, position, NOBODY, 0) for position in range(size)]


def _parts(size: int, head: int, stock: int) -> list[slice]:
    """Where a draw pile is in a ring: in one part, or in two."""
    start = head % size
    end = start + stock
    return [slice(start, min(end, size)), slice(0, max(end - size, 0))]


def _cards(masks: Sequence[int]) -> list[int]:
    return [code for mask in masks for code in bits(mask)]


def is_seen_to_choose(game: Game, step: Step, seat: int) -> bool:
    """Return whether a seat (from 0) sees that an event was chosen."""
    if (step.source, step.trigger) not in game.declaration.offered:
        return False
    is_disguised = step.player != seat + 1 and step.arc in game.declaration.disguises
    return not is_disguised and game.sight.sees_event(step.arc, step.player - 1, seat)
