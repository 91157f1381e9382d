"""A game as one seat knows it: a table of its own, on which hidden cards lie in an order that tells nothing.

Whatever is computed from it for the seat, a list of moves, a reason, a hint, cannot depend on what the seat does not
see: hidden cards are sorted before they are laid where hidden cards lie, and every other hidden number is that of an
empty table. Visibility is declared with the fields of the table (`rules.visibility`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, default_values
from fsm.edge.kept import kept
from fsm.stepping.game import Game
from fsm.stepping.position import codes_in, lay_pile
from fsm.stepping.snapshot import Snapshot, snapshots_of
from rules.cards import NO_CARD
from rules.queues import QUEUE_BYTES
from rules.visibility import SeenBy, is_shown_at_end, visibility

NOBODY = -1
"""In place of a seat: who only watches."""
HANDS, RING = "hands", "ring"


class Seen(NamedTuple):
    """A game as a seat knows it. hands: codes of cards by seat, in the order in which they came."""

    kind: type[Game]
    table: Any
    phase: Phase
    hands: Sequence[Sequence[int]]
    policies: tuple[Policy, ...]

    @property
    def declaration(self) -> Declaration:
        """The declaration of the game."""
        return self.kind.declaration

    @property
    def is_over(self) -> bool:
        """Whether the game is over, as far as the seat knows."""
        return self.phase is self.declaration.final

    def names(self, seat: int) -> list[str]:
        """The names of the cards of a hand."""
        return self.declaration.codec.notation.names(self.hands[seat])

    def game(self) -> Game:
        """A game that begins so; it is played on the same table."""
        kind: Any = self.kind
        game: Game = kind(self.table, self.phase, self.hands, self.policies)
        return game


def seen_by(game: Game, seat: int) -> Seen:
    """What `seat` (from 0, or NOBODY) knows of a game; of one that is over, also the hands that are shown then."""
    declaration = game.declaration
    table = snapshots_of(declaration).copy(game.table)
    hidden = hidden_hands(declaration, game.phase, table, seat)
    hands = [
        declaration.codec.held(table, other) if other in hidden else _codes(declaration, table, other, hand)
        for other, hand in enumerate(game.hands)
    ]
    if hidden or game.phase is not declaration.final:
        _redeal(declaration, table, hands, hidden, seat)
    phase = declaration.phase_seen(game.phase, acts=table.player == seat)
    return Seen(type(game), table, phase, hands, tuple(game.policies))


def all_is_shown(game: Game) -> bool:
    """Whether a game is over, and all hands are shown."""
    return game.outcome is not None and all(is_shown_at_end(game.table, HANDS, seat) for seat in range(game.players))


def blanked(declaration: Declaration, before: Snapshot, seat: int) -> Any:
    """A table on which nothing is but what a seat sees: hidden cards are nowhere."""
    table = snapshots_of(declaration).restored(before)
    for index in _hidden_indices(declaration, table, seat):
        table.ring[index] = 0
    _forget(declaration, table, seat)
    return table


def _redeal(declaration: Declaration, table: Any, hands: list[list[int]], others: list[int], seat: int) -> None:
    """Lay the cards that a seat does not see where they are hidden, in the order of their codes. others: whose hands it
    does not see.
    """
    indices, piles = _hidden_indices(declaration, table, seat), _hidden_piles(declaration, table, seat)
    lying = [table.ring[index] for index in indices] + [card for _, _, cards in piles for card in cards]
    hidden = iter(sorted([card for other in others for card in hands[other]] + lying))
    _forget(declaration, table, seat)
    for other in others:
        hands[other] = list(islice(hidden, len(hands[other])))
    for other in _others(declaration, table, seat):
        for card in hands[other]:
            declaration.codec.receive(table, other, card)
    for index in indices:
        table.ring[index] = next(hidden)
    for fact, place, cards in piles:
        lay_pile(fact, table, place, list(islice(hidden, len(cards))))


def hidden_hands(declaration: Declaration, phase: Phase, table: Any, seat: int) -> list[int]:
    """The other seats whose hands `seat` (from 0, or NOBODY) does not see in a phase."""
    others, is_over = _others(declaration, table, seat), phase is declaration.final
    return [other for other in others if not (is_over and is_shown_at_end(table, HANDS, other))]


def _others(declaration: Declaration, table: Any, seat: int) -> list[int]:
    """The seats whose hands are hidden until the game is over."""
    seen = visibility(declaration.table)[HANDS]
    return [other for other in range(table.players) if not seen.shows(other == seat)]


def _hidden_indices(declaration: Declaration, table: Any, seat: int) -> list[int]:
    """The indices of the ring with hidden cards."""
    seen = visibility(declaration.table)[RING]
    if seen is SeenBy.ALL:
        return []
    end = table.head + table.stock if seen is SeenBy.DISCARDS else table.tail
    return [index & len(table.ring) - 1 for index in range(table.head, end)]


def _hidden_piles(declaration: Declaration, table: Any, seat: int) -> list[tuple[Fact, int, list[int]]]:
    """The other piles with hidden cards: the fact, the place in its field, and the codes of the cards."""
    seen = visibility(declaration.table)
    return [
        (fact, place, codes_in(fact, table, place))
        for fact in declaration.piles
        for place in fact.piles(table.players)
        if not seen[fact.field].shows(place == seat)
    ]


def _forget(declaration: Declaration, table: Any, seat: int) -> None:
    """Give every field that a seat does not see the value that it has on an empty table; the piles stay."""
    for name, default, own in _hidden_fields(declaration):
        if isinstance(default, int):
            if not own or table.player != seat:
                setattr(table, name, default)
        else:
            value, each = getattr(table, name), 1 if isinstance(default, list) else QUEUE_BYTES
            own_part = slice(seat * each, (seat + 1) * each) if own and seat != NOBODY else slice(0)
            kept = value[own_part]
            value[:] = default
            value[own_part] = kept
    if declaration.face_down:
        table.card = NO_CARD


@kept
def _hidden_fields(declaration: Declaration) -> Sequence[tuple[str, Any, bool]]:
    """The fields that not everybody sees: name, value on an empty table, whether their owner sees them."""
    seen = visibility(declaration.table)
    return [
        (name, default, seen[name] is SeenBy.OWNER)
        for name, default in default_values(declaration.table).items()
        if name != RING and seen[name] is not SeenBy.ALL
    ]


def _codes(declaration: Declaration, table: Any, seat: int, hand: Sequence[str]) -> list[int]:
    """The card codes of a hand, in the order in which they came."""
    left = declaration.codec.notation.by_name(declaration.codec.held(table, seat))
    return [left[name].pop(0) for name in hand]
