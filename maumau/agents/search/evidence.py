"""What a seat has seen of a game from its start, as evidence about the cards that are hidden from it.

Cards come to hands by the deal and from the draw pile, and leave them face up. So it is known where every card lay at
the start, or who took it from the draw pile and when, and every card that a player lays is one of those that the player
had taken until then. In games in which cards take other ways there is no such evidence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fsm import Game
from fsm.declaration.values import NO_VALUE
from fsm.stepping.moves import bits
from fsm.stepping.steps import Step
from fsm.stepping.view import seen_step
from maumau.agents.arrays import Array, np
from maumau.agents.hands import hand_fields, is_unique
from maumau.agents.knowledge import rolls_dice
from rules.cards import NO_CARD
from rules.visibility import SeenBy, visibility

NOBODY = -1
"""In place of a seat: a card that nobody was dealt, or has taken."""


class Item(NamedTuple):
    """A hidden card at the start. dealt: the seat that was dealt it, or NOBODY: then `position` in the ring has it.

    owner: the seat that has it at first, or NOBODY. since: how many events there were when it was taken.
    """

    dealt: int
    position: int
    owner: int
    since: int


class Laid(NamedTuple):
    """A hidden card that was laid: by which seat, after how many events, and its code."""

    seat: int
    events: int
    code: int


class Decision(NamedTuple):
    """A move that a player chose: the numbers of the phase, the seat and the offer, and the codes of the card and the
    value, or -1. events: how many there were before it.
    """

    phase: int
    seat: int
    offer: int
    card: int
    value: int
    events: int


@dataclass(frozen=True)
class Evidence:
    """What a seat has seen, up to a decision of its own.

    start: the table at the start without the cards that are hidden, phase: the number of its phase. items: the hidden
    cards. laid: those of them that were laid, in turn. pool: the codes of the others, ascending. decisions: all moves
    that players chose, as far as the seat has seen that they chose.
    """

    start: Any
    phase: int
    items: tuple[Item, ...]
    laid: tuple[Laid, ...]
    pool: tuple[int, ...]
    decisions: tuple[Decision, ...]

    def rows(self) -> tuple[Array, Array, Array, Array]:
        """The items, the cards that were laid, the pool and the decisions as arrays."""
        rows = ((self.items, Item), (self.laid, Laid), (self.decisions, Decision))
        items, laid, decisions = (np.array(part, np.int64).reshape(len(part), len(row._fields)) for part, row in rows)
        return items, laid, np.array(self.pool, np.int64), decisions


def evidence_of(game: Game) -> Evidence | None:
    """What the player who acts has seen of a stepped game; None where cards take other ways than those described."""
    reader = _Reader(game)
    try:
        return reader.read()
    except _NoEvidence:
        return None


class _NoEvidence(Exception):
    """The ways of the cards are not known."""


class _Held(NamedTuple):
    """What shows the ways of cards: the masks of each hand, and the places of the draw pile."""

    hands: tuple[tuple[int, ...], ...]
    head: int
    end: int


@dataclass
class _Reader:
    """Reads the history of a game as the player who acts has seen it."""

    game: Game
    items: list[Item] = field(default_factory=list)
    laid: list[Laid] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    hidden: Counter[int] = field(default_factory=Counter)

    def read(self) -> Evidence:
        """The evidence. Raises _NoEvidence."""
        game = self.game.declaration
        seen, fields = visibility(game.table), hand_fields(game)
        if seen["ring"] is not SeenBy.DISCARDS or any(seen[name] is not SeenBy.OWNER for name in fields):
            raise _NoEvidence
        tables = self.game.tables()
        start = next(tables)
        held = self._held(start)
        self.last = held.end
        self._begin(start)
        taken: dict[int, Item] = {}
        number = 0  # of events that the seat has seen: the others move no cards
        for step, table in zip(self.game.history, tables, strict=True):
            after = self._held(table)
            self._follow(step, number, held, after, table, taken)
            held = after
            number += seen_step(game, step, self.seat) is not None
        return self._finished(taken)

    def _held(self, table: Any) -> _Held:
        rows = [getattr(table, name)[: table.players] for name in hand_fields(self.game.declaration)]
        return _Held(tuple(zip(*rows, strict=True)), table.head, table.head + table.stock)

    def _begin(self, start: Any) -> None:
        """Note the cards that are hidden at the start."""
        snapshots = self.game._snapshots
        self.start, self.seat = snapshots.copy(start), self.game.player - 1
        self.first, self.size = start.head, len(start.ring)
        self.pile = [start.ring[index % self.size] for index in range(start.head, start.head + start.stock)]
        for seat in range(start.players):
            if seat != self.seat:
                cards = self._cards(self._held(start).hands[seat])
                self.hidden.update(cards)
                self.items += [Item(seat, -1, seat, 0) for _ in cards.elements()]

    def _follow(self, step: Step, number: int, held: _Held, after: _Held, table: Any, taken: dict[int, Item]) -> None:
        """Note where an event moved cards, and what was chosen. Raises _NoEvidence."""
        game = self.game.declaration
        if step.trigger in game.face_down or rolls_dice(step.arc):
            raise _NoEvidence
        gained, lost = self._moved(held, after) if held != after else ([], [])
        code = self._code(step, lost) if step.trigger in game.card_events else NO_CARD
        self._decide(step, code, table.players, number)
        if lost:
            if lost != [(step.player - 1, code)]:
                raise _NoEvidence
            self._lay(step.player - 1, number, code)
        indices = range(held.head, min(after.head, self.last))
        if len(gained) != after.head - held.head or len({seat for seat, _ in gained}) > 1:
            raise _NoEvidence
        if after.end != held.end and not is_unique(game):
            raise _NoEvidence
        seat = gained[0][0] if gained else NOBODY
        for index in indices:
            taken[index] = Item(NOBODY, index % self.size, seat, number + 1)

    def _code(self, step: Step, lost: list[tuple[int, int]]) -> int:
        """The code of the card that was named with an event: of several of one name, that of the card that was laid."""
        names = self.game.declaration.codec.notation.cards
        laid = [code for _, code in lost if names[code] == step.card]
        return laid[0] if laid else names.index(step.card or "")

    def _decide(self, step: Step, code: int, players: int, number: int) -> None:
        """Note an event if a player chose it."""
        game = self.game.declaration
        offers = [offer.trigger for offer in game.control[step.source].offers]
        if step.trigger in offers and (step.player == self.seat + 1 or step.arc not in game.disguises):
            phase = list(game.phases).index(step.source)
            values = [kind.to_code(game.codec.notation, named, players) for kind, named in step.named.items()]
            value = values[0] if values else NO_VALUE
            self.decisions.append(Decision(phase, step.player - 1, offers.index(step.trigger), code, value, number))

    def _moved(self, held: _Held, after: _Held) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The cards that seats gained and lost: seats with codes."""
        gained, lost = [], []
        for seat, (one, other) in enumerate(zip(held.hands, after.hands, strict=True)):
            if one != other:
                before, now = self._cards(one), self._cards(other)
                gained += [(seat, code) for code in (now - before).elements()]
                lost += [(seat, code) for code in (before - now).elements()]
        return gained, lost

    def _lay(self, seat: int, number: int, code: int) -> None:
        """Note a card that was laid, if it was hidden until then."""
        if seat == self.seat:
            return
        if is_unique(self.game.declaration) and any(laid.code == code for laid in self.laid):
            return
        self.laid.append(Laid(seat, number, code))

    def _finished(self, taken: dict[int, Item]) -> Evidence:
        """The evidence, with what only the end of the history shows."""
        known: dict[int, int] = {}
        for event in {item.since for item in taken.values() if item.owner == self.seat}:
            indices = [index for index, item in taken.items() if item.since == event]
            known |= zip(indices, sorted(self.pile[index - self.first] for index in indices), strict=True)
        for offset, code in enumerate(self.pile):
            index = self.first + offset
            if index not in known:
                self.hidden[code] += 1
                self.items.append(taken.get(index, Item(NOBODY, index % self.size, NOBODY, 0)))
        fresh = [laid for laid in self.laid if laid.code in self.hidden]
        pool = self.hidden - Counter(laid.code for laid in fresh)
        start = self._without_hidden(known)
        phase = self.game.history[0].source if self.game.history else self.game.phase
        number = list(self.game.declaration.phases).index(phase)
        return Evidence(
            start, number, tuple(self.items), tuple(fresh), tuple(sorted(pool.elements())), tuple(self.decisions)
        )

    def _without_hidden(self, known: dict[int, int]) -> Any:
        """The table at the start, with the cards that the seat knows."""
        for name in hand_fields(self.game.declaration):
            row = getattr(self.start, name)
            row[:] = [mask if seat == self.seat else 0 for seat, mask in enumerate(row)]
        for offset in range(len(self.pile)):
            index = self.first + offset
            self.start.ring[index % self.size] = known.get(index, 0)
        return self.start

    @staticmethod
    def _cards(masks: tuple[int, ...]) -> Counter[int]:
        """The codes of a hand."""
        return Counter(code for mask in masks for code in bits(mask))
