"""Moves and steps: what may be done in a phase, what was done, and how a game ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

from fsm.arcs import Arc, Control, Offer, Phase
from fsm.declaration import Declaration
from fsm.stepping.narration import NO_SCENE, Scene, narrate, sentence
from rules.ending import Ending

NONE = -1
"""In place of the code of a card or suit: none."""
Code = tuple[str, int, int]
"""A move in codes: trigger, card and suit."""


class IllegalMove(ValueError):
    """The rules refuse an event; the message says why, and what may be done. Nothing has changed."""


class Step(NamedTuple):
    """One fired event: who (players from 1), what, along which arc, and by which decision rule, if one chose it.

    card: the card played or taken, else None. suit: the suit named with it, else None. scene: what must be known of the
    game besides, so that a step prints as the sentence of the trace; all scenes are equal.
    """

    trigger: str
    source: Phase
    dest: Phase
    player: int
    card: str | None
    suit: str | None
    arc: Arc
    rule: str | None
    scene: Scene = NO_SCENE

    def __repr__(self) -> str:
        fields = zip(self._fields[:-1], self, strict=False)
        return f"Step({', '.join(f'{name}={value!r}' for name, value in fields)})"

    def __str__(self) -> str:
        return repr(self) if self.scene.kind is None else sentence(narrate(self, self.scene), self.trigger)


class Move(NamedTuple):
    """An event with its card and suit, ready to be fired with `game.fire(move)`."""

    trigger: str
    card: str | None = None
    suit: str | None = None

    def __str__(self) -> str:
        naming = f" naming {self.suit}" if self.suit else ""
        return f"{self.trigger} {self.card}{naming}" if self.card else self.trigger


@dataclass(frozen=True)
class Events:
    """The moves that are legal now, and the reason why each other is refused, by its text."""

    legal: tuple[Move, ...]
    refused: Mapping[str, str]

    def __iter__(self) -> Iterator[Move]:
        return iter(self.legal)

    def __len__(self) -> int:
        return len(self.legal)

    @overload
    def __getitem__(self, place: int) -> Move: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, place: int | slice) -> Move | tuple[Move, ...]:
        return self.legal[place]

    def __contains__(self, move: object) -> bool:
        return move in self.legal or move in [str(legal) for legal in self.legal]

    def __repr__(self) -> str:
        lines = [f"may {listed(self.legal, ' or ') or 'do nothing'}"]
        return "\n".join(lines + [f"may not {move}: {reason}" for move, reason in self.refused.items()])


class Outcome(NamedTuple):
    """How a game ended. winner: the player (from 1), or None. scores: points left with each player."""

    ending: Ending
    winner: int | None
    scores: tuple[int, ...]

    def __str__(self) -> str:
        if self.winner is None:
            return f"no winner: {self.ending}"
        return f"player {self.winner} won, scores {' '.join(map(str, self.scores))}"


class Plan(NamedTuple):
    """What happens in a phase, looked up once: `Acting` with the arcs of each event."""

    forced: tuple[tuple[str, tuple[Arc, ...]], ...]
    certain: str | None
    offers: tuple[Offer, ...]
    arcs: Mapping[str, tuple[Arc, ...]]
    starts_turn: bool
    may_return: bool

    @classmethod
    def of(cls, game: Declaration, phase: Phase) -> Plan:
        """The plan of a phase. certain: the one event that is forced whatever the guards say.

        may_return: whether something may be forced by the return of a position, so that it is worth looking for.
        """
        control = game.control.get(phase, Control())
        arcs = {trigger: game.leaving(phase, trigger) for trigger in control.triggers}
        certain = control.forced[0] if len(control.forced) == 1 and not control.offers else None
        forced = tuple((trigger, arcs[trigger]) for trigger in control.forced)
        return cls(forced, certain, control.offers, arcs, control.starts_turn, control.may_return)

    def offer(self, trigger: str) -> Offer | None:
        """The offer of an event, if a player may choose it here."""
        return next((offer for offer in self.offers if offer.trigger == trigger), None)

    def legal(self, table: Any) -> Iterator[Code]:
        """The moves that are legal on `table`, in the order of the offers, card codes and suit codes."""
        forced = [trigger for trigger, arcs in self.forced if any(arc.enabled(table) for arc in arcs)]
        if forced:
            yield from ((trigger, NONE, NONE) for trigger in forced)
        else:
            yield from self.offered(table)

    def offered(self, table: Any) -> Iterator[Code]:
        """The moves among which the player in turn may choose where nothing is forced, in that order."""
        for offer in self.offers:
            if offer.cards is not None:
                yield from ((offer.trigger, card, suit) for card, suit in named_with(offer, table))
            elif any(arc.enabled(table) for arc in self.arcs[offer.trigger]):
                yield offer.trigger, NONE, NONE


def named_with(offer: Offer, table: Any) -> Iterator[tuple[int, int]]:
    """The cards of an offer, each with each suit that may be named with it."""
    assert offer.cards is not None
    before = table.card
    for card in bits(offer.cards(table)):
        table.card = card
        suits = offer.suits(table) if offer.suits else 0
        table.card = before
        for suit in bits(suits) if suits else (NONE,):
            yield card, suit


def move_of(game: Declaration, code: Code) -> Move:
    """A move in names."""
    trigger, card, suit = code
    notation = game.codec.notation
    return Move(trigger, None if card == NONE else notation.cards[card], None if suit == NONE else notation.suits[suit])


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set in `mask`, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def listed(things: Sequence[object], last: str) -> str:
    """`a, b or c`."""
    texts = [str(thing) for thing in things]
    return last.join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
