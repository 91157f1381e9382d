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
    held, holds = past[row], tuple(table.hands) if now is None else now[row]
    if held == holds:
        return None if lays else hands  # the card that was laid has come back, and is the last one now
    names, found = game.codec.notation.cards, list(hands)
    for seat, (before, after) in enumerate(zip(held, holds, strict=True)):
        if before != after:
            hand = hands[seat]
            for card in bits(before & ~after):
                at = hand.index(names[card])
                hand = hand[:at] + hand[at + 1 :]
            found[seat] = (*hand, *[names[card] for card in bits(after & ~before)])
        elif lays and seat == step.player - 1:
            return None
    return tuple(found)
