"""The hands of players in the order in which the cards came, from the masks before and after an event."""

from __future__ import annotations

from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.stepping.snapshot import Snapshot, snapshots_of
from fsm.stepping.steps import Step
from rules.cards import bits
from rules.seats import held

Hands = tuple[tuple[str, ...], ...]
"""The names of each player's cards."""
HANDS = "hands"


@kept
def _row_of_masks(game: Declaration) -> int | None:
    """Where snapshots have the masks of the hands; None if a hand is more than its mask."""
    is_mask = game.codec.held is held and not game.copies_held
    return snapshots_of(game).rows(HANDS)[0] if is_mask else None


def hands_after(
    game: Declaration, hands: Hands, step: Step, past: Snapshot, now: Snapshot | None, table: Any, *, lays: bool
) -> Hands | None:
    """The hands after an event; None where more than the masks of the hands must be looked at.

    hands, past: before the event. now: after it; if None, `table` is. lays: whether a card of the hand is laid.
    """
    row = _row_of_masks(game)
    if row is None:
        return None
    names, found = game.codec.notation.cards, list(hands)
    for seat, (before, after) in enumerate(zip(past[row], table.hands if now is None else now[row], strict=True)):
        if before == after:
            if lays and seat == step.player - 1:  # the card has come back, and is the last one now
                return None
            continue
        hand = found[seat]
        if gone := [names[card] for card in bits(before & ~after)]:
            hand = tuple(card for card in hand if card not in gone)
        found[seat] = (*hand, *(names[card] for card in bits(after & ~before)))
    return tuple(found)
