"""Moves and steps: what may be done in a phase, what was done, and how a game ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

from fsm.declaration.arcs import Arc, Choice, Control, Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.values import ValueKind
from fsm.edge.kept import kept
from fsm.stepping.snapshot import NONE, Code
from fsm.stepping.steps import Move


class IllegalMove(ValueError):
    """The rules refuse an event; the message gives the reason and the legal moves. Nothing has changed."""


@dataclass(frozen=True)
class Events:
    """What may be done now. legal: the moves. refused: the reason why each other move is refused, by its text."""

    legal: tuple[Move, ...]
    refused: Mapping[str, str]

    def __iter__(self) -> Iterator[Move]:
        return iter(self.legal)

    def __len__(self) -> int:
        return len(self.legal)

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        return self.legal[index]

    def __contains__(self, move: object) -> bool:
        return move in self.legal or move in [str(legal) for legal in self.legal]

    def __repr__(self) -> str:
        lines = [f"may {listed(self.legal, ' or ') or 'do nothing'}"]
        return "\n".join(lines + [f"may not {move}: {reason}" for move, reason in self.refused.items()])


class Plan(NamedTuple):
    """The control of a phase, prepared for stepping: with the arcs of each event."""

    phase: Phase
    forced: tuple[tuple[str, tuple[Arc, ...]], ...]
    certain: str | None
    offers: tuple[Offer, ...]
    offer: Mapping[str, Offer]
    arcs: Mapping[str, tuple[Arc, ...]]
    starts_turn: bool
    may_return: bool
    asks: bool

    @classmethod
    def of(cls, game: Declaration, phase: Phase) -> Plan:
        """The plan of a phase. certain: the one event that is forced whatever the guards return.

        may_return: whether something may be forced by the return of a position, so that positions are compared. asks:
        whether seats are asked one after another.
        """
        control = game.control.get(phase, Control())
        arcs = {trigger: game.leaving(phase, trigger) for trigger in control.triggers}
        certain = control.forced[0] if len(control.forced) == 1 and not control.offers else None
        forced = tuple((trigger, arcs[trigger]) for trigger in control.forced)
        asks = bool(control.declines)
        offer = {each.trigger: each for each in control.offers[::-1]}
        return cls(phase, forced, certain, control.offers, offer, arcs, control.starts_turn, control.may_return, asks)

    def forced_now(self, table: Any) -> Iterator[str]:
        """The events that are forced on `table`."""
        for trigger, arcs in self.forced:
            for arc in arcs:
                if arc.enabled(table):
                    yield trigger
                    break

    def legal(self, table: Any) -> Iterator[Code]:
        """The moves that are legal on `table`, in the order of the offers, card codes and value codes."""
        forced = [(trigger, NONE, NONE) for trigger in self.forced_now(table)]
        yield from forced or self.offered(table)

    def offered(self, table: Any) -> Iterator[Code]:
        """The moves among which the player in turn may choose where nothing is forced, in that order."""
        for offer in self.offers:
            if offer.cards is not None:
                yield from ((offer.trigger, card, value) for card, value in named_with(offer, table))
            elif offer.values is not None:
                yield from ((offer.trigger, NONE, value) for value in bits(offer.values(table)))
            elif offer.always or any(arc.enabled(table) for arc in self.arcs[offer.trigger]):
                yield offer.trigger, NONE, NONE


@kept
def plans_of(game: Declaration) -> Mapping[Phase, Plan]:
    """The plans of all phases of a game."""
    return {phase: Plan.of(game, phase) for phase in game.phases}


def named_with(offer: Offer, table: Any) -> Iterator[tuple[int, int]]:
    """The cards of an offer, each with each value that may be named with it."""
    assert offer.cards is not None
    before = table.card
    for card in bits(offer.cards(table)):
        table.card = card
        values = offer.values(table) if offer.values else 0
        table.card = before
        for value in bits(values) if values else (NONE,):
            yield card, value


def move_of(game: Declaration, code: Code) -> Move:
    """A move in names."""
    trigger, card, value = code
    notation = game.codec.notation
    return Move(trigger, None if card == NONE else notation.cards[card], **named_value(game, trigger, value))


def named_value(game: Declaration, trigger: str, code: int) -> dict[str, Any]:
    """The value that is named with an event, by the name of its kind; empty for none."""
    if code == NONE:
        return {}
    kind = game.value_kinds.get(trigger, ValueKind.SUIT)
    return {str(kind): kind.from_code(game.codec.notation, code)}


def choice_of(game: Declaration, policy: Policy, table: Any, phase: Phase) -> tuple[Choice, Code] | None:
    """The decision rule of a policy that applies in a phase where nothing is forced, and the event that it chooses.

    The card and the value that it picks are left on the table.
    """
    for choice in policy.choices.get(phase, ()):
        for applies in choice.conditions:
            if not applies(table):
                break
        else:
            card = value = NONE
            if choice.card is not None:
                table.card = card = choice.card(table)
            if choice.value is not None:
                value = choice.value(table)
            if choice.card is not None or choice.value is not None:
                setattr(table, game.value_fields[choice.trigger], value)
            return choice, (choice.trigger, card, value)
    return None


def bits(mask: int) -> Iterator[int]:
    """The indices of the bits that are set in `mask`, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def listed(things: Sequence[object], last: str) -> str:
    """`a, b or c`."""
    texts = [str(thing) for thing in things]
    return last.join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
