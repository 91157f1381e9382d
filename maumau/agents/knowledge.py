"""What the seats know besides what they see: the notes of a game, kept after every event from what the event shows.

A card is known to all from when it lies on the discard pile, and to a seat from when it leaves the seat's hand. It is
followed while its way is certain: the piles are ordered, so who remembers a pile that is turned over knows who takes
which card of it. When cards leave a hand face down, the others know nothing about that hand any more; when the dice are
rolled, nobody knows the draw pile. Cards are followed only in decks in which every card is there once.

The functions that keep the notes are run by Python for stepped games and compiled for batches.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.fingerprint import reached
from maumau.agents.actions import action_space
from maumau.agents.compiled.notes import LAST
from maumau.agents.hands import deck_counts, hand_fields, is_unique
from rules import chance


class Notes(NamedTuple):
    """Where the notes of a game have a row for the seats, after those of `maumau.agents.compiled.notes`.

    held: the hand of each seat after the last event. left: the cards that the seat saw leave its hand. length: how many
    notes there are.
    """

    held: int
    left: int
    length: int


def notes_of(game: Declaration) -> Notes:
    """The indices of the notes of a game: a row of 64-bit integers."""
    seats = game.codec.most
    return Notes(LAST + seats, LAST + 2 * seats, LAST + 3 * seats)


@kept
def rolls_dice(arc: Arc) -> bool:
    """Whether an arc moves cards by chance: one of its effects calls a function of `rules.chance`."""
    return any(function.__module__ == chance.__name__ for function in reached(arc.then))


def kinds_by_code(game: Declaration) -> tuple[int, ...]:
    """The index of each card code's name among the names of the deck; 0 for codes that are not in the deck."""
    counts, cards = deck_counts(game), action_space(game).cards
    names = game.codec.notation.cards
    return tuple(cards.index(names[code]) if code in counts else 0 for code in range(max(counts) + 1))


def following(game: Declaration) -> dict[str, int]:
    """What the compiled functions that keep the notes read of a game."""
    notes_at = notes_of(game)
    return {
        "FOLLOWS": is_unique(game),
        "HELD": notes_at.held,
        "KINDS": len(action_space(game).cards),
        "LEFT": notes_at.left,
        "NOTES": notes_at.length,
    }


def hand_source(game: Declaration) -> str:
    """The function `hand`, which finds the cards of a seat."""
    return f'''def hand(table, seat):
    """The cards of a seat, as a mask."""
    return table.{hand_fields(game)[0]}[seat]'''
