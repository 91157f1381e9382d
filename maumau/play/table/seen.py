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
from fsm.declaration.facts import default_values
from fsm.edge.kept import kept
from fsm.stepping.game import Game
from fsm.table.fields import Snapshot
from fsm.table.layout import layout_of
from fsm.table.sight import DISCARDS, RING, WATCHER, Relation, Sight, sight_of
from rules.cards import NO_CARD
from rules.queues import QUEUE_BYTES

NOBODY = WATCHER
"""In place of a seat: who only watches."""


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
    def sight(self) -> Sight:
        """Who sees which part of the table."""
        return self.kind._sight

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
    declaration, is_over = game.declaration, game.outcome is not None
    sight, table = game._sight, layout_of(declaration).copy(game.table)
    hidden = sight.hidden_hands(table, seat, is_over=is_over)
    hands = [
        declaration.codec.held(table, other) if other in hidden else _codes(declaration, table, other, hand)
        for other, hand in enumerate(game.hands)
    ]
    if hidden or not is_over:
        _redeal(sight, table, hands, hidden, seat)
    phase = sight.phase_seen(game.phase, sight.relation(seat, table.player))
    return Seen(type(game), table, phase, hands, tuple(game.policies))


def all_is_shown(game: Game) -> bool:
    """Whether a game is over, and all hands are shown."""
    return game.outcome is not None and not game._sight.hidden_hands(game.table, NOBODY, is_over=True)


def blanked(declaration: Declaration, before: Snapshot, seat: int) -> Any:
    """A table on which nothing is but what a seat sees: hidden cards are nowhere."""
    sight, table = sight_of(declaration), layout_of(declaration).restored(before)
    for index in _hidden_indices(sight, table):
        table.ring[index] = 0
    _forget(sight, table, seat)
    return table


def _redeal(sight: Sight, table: Any, hands: list[list[int]], others: list[int], seat: int) -> None:
    """Lay the cards that a seat does not see where they are hidden, in the order of their codes. others: whose hands it
    does not see.
    """
    turned_up, indices, layout = sight.turned_up(table), _hidden_indices(sight, table), layout_of(sight.game)
    piles = [
        (fact, place, layout.codes_in(fact, table, place))
        for fact in sight.hidden_piles
        for place in fact.piles(table.players)
        if not sight.sees(fact.field, sight.relation(seat, place))
    ]
    lying = [card for _, _, cards in piles for card in cards if not turned_up >> card & 1]
    lying += [table.ring[index] for index in indices]
    hidden = iter(sorted([card for other in others for card in hands[other]] + lying))
    _forget(sight, table, seat)
    for other in others:
        hands[other] = list(islice(hidden, len(hands[other])))
    for other in sight.hidden_hands(table, seat, is_over=False):
        for card in hands[other]:
            sight.game.codec.receive(table, other, card)
    for index in indices:
        table.ring[index] = next(hidden)
    for fact, place, cards in piles:
        layout.lay_pile(fact, table, place, [card if turned_up >> card & 1 else next(hidden) for card in cards])


def _hidden_indices(sight: Sight, table: Any) -> list[int]:
    """The indices of the ring with hidden cards."""
    if sight.is_open(RING):
        return []
    end, turned_up = table.head + table.stock if sight.is_open(DISCARDS) else table.tail, sight.turned_up(table)
    last = len(table.ring) - 1
    indices = [index & last for index in range(table.head, end)]
    return [index for index in indices if not turned_up >> table.ring[index] & 1] if turned_up else indices


def _forget(sight: Sight, table: Any, seat: int) -> None:
    """Give every field that a seat does not see the value that it has on an empty table; the piles stay."""
    numbers, lists = _hidden_fields(sight.game, sight.relation(seat, table.player), seat, table.players)
    for name, default in numbers:
        setattr(table, name, default)
    for name, default, own in lists:
        value = getattr(table, name)
        kept = [value[part] for part in own]
        value[:] = default
        for part, items in zip(own, kept, strict=True):
            value[part] = items
    if sight.game.face_down:
        table.card = NO_CARD


Numbers = Sequence[tuple[str, int]]
Lists = Sequence[tuple[str, Any, Sequence[slice]]]


@kept
def _hidden_fields(declaration: Declaration, relation: Relation, seat: int, players: int) -> tuple[Numbers, Lists]:
    """The fields of which a seat does not see all, each with its value on an empty table: the numbers, and the lists
    with their parts that the seat sees.

    relation: of the seat to the one that acts. players: how many play.
    """
    sight, numbers, lists = sight_of(declaration), [], []
    for name, default in default_values(declaration.table).items():
        if isinstance(default, int):
            if not sight.sees(name, relation):
                numbers.append((name, default))
        elif name != RING and not sight.is_open(name):
            each = QUEUE_BYTES if isinstance(default, bytearray) else 1
            owners = sorted(sight.owners(name, seat, players))
            lists.append((name, default, [slice(owner * each, (owner + 1) * each) for owner in owners]))
    return numbers, lists


def _codes(declaration: Declaration, table: Any, seat: int, hand: Sequence[str]) -> list[int]:
    """The card codes of a hand, in the order in which they came."""
    left = declaration.codec.notation.by_name(declaration.codec.held(table, seat))
    return [left[name].pop(0) for name in hand]
