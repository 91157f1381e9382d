"""A game as one seat knows it, on a table of its own (`fsm.table.known`).

Whatever is computed from it for the seat, a list of moves, a reason, a hint, cannot depend on what the seat does not
see. Visibility is declared with the fields of the table (`rules.visibility`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.stepping.game import Game
from fsm.stepping.view import round_data
from fsm.table.known import known_table
from fsm.table.sight import WATCHER, Sight

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
        return self.kind.sight

    @property
    def is_over(self) -> bool:
        """Whether the game is over, as far as the seat knows."""
        return self.phase is self.declaration.final

    def data(self, seat: int) -> dict[str, Any]:
        """What a seat, or NOBODY, sees of the round as plain data."""
        return round_data(self.sight, self.phase, self.table, self.hands, seat)

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
    sight, whole = game.sight, game.table
    hidden = sight.hidden_hands(whole, seat, is_over=is_over)
    hands = [
        declaration.codec.held(whole, other) if other in hidden else _codes(declaration, whole, other, hand)
        for other, hand in enumerate(game.hands)
    ]
    table = known_table(sight, whole, hands, hidden, seat, is_over=is_over)
    phase = sight.phase_seen(game.phase, sight.relation(seat, table.player))
    return Seen(type(game), table, phase, hands, tuple(game.policies))


def all_is_shown(game: Game) -> bool:
    """Whether a game is over, and all hands are shown."""
    return game.outcome is not None and not game.sight.hidden_hands(game.table, NOBODY, is_over=True)


def _codes(declaration: Declaration, table: Any, seat: int, hand: Sequence[str]) -> list[int]:
    """The card codes of a hand, in the order in which they came."""
    left = declaration.codec.notation.by_name(declaration.codec.held(table, seat))
    return [left[name].pop(0) for name in hand]
