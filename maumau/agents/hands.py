"""The fields of a table that hold the hands, found by giving a card to a seat."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.table_fields import default_values, list_fields
from fsm.edge.kept import kept
from fsm.stepping.setup import full_deck


class UnsupportedGame(ValueError):
    """The actions or observations of a game cannot be derived; the message says why."""


@kept
def deck_counts(game: Declaration) -> dict[int, int]:
    """How often each card code is in the deck, the codes ascending."""
    return dict(sorted(Counter(full_deck(game)).items()))


@kept
def hand_fields(game: Declaration) -> tuple[str, ...]:
    """The fields that hold the hands: lists with a mask of card codes for each seat.

    A seat holds a card as often as the masks of these fields have its bit. The fields are those that change when
    `codec.receive` gives all copies of each card to a seat. Raises UnsupportedGame if hands are held in another way.
    """
    found: dict[str, None] = {}
    defaults = default_values(game.table)
    for code, copies in deck_counts(game).items():
        table: Any = game.table()
        table.players = game.codec.fewest
        for _ in range(copies):
            game.codec.receive(table, 0, code)
        changed = [field for field in list_fields(game.table) if getattr(table, field) != defaults[field]]
        masks = [field for field in changed if getattr(table, field) == [1 << code, *defaults[field][1:]]]
        if masks != changed or len(masks) != copies:
            raise UnsupportedGame(
                f"{game.name}: {copies} of {game.codec.notation.cards[code]} in a hand change {', '.join(changed)}, "
                "expected a list for each copy, with a mask of card codes for each seat"
            )
        found |= dict.fromkeys(masks)
    return tuple(found)


@kept
def is_unique(game: Declaration) -> bool:
    """Whether every card is in the deck once, so that a code stands for one card that can be told from all others."""
    return set(deck_counts(game).values()) == {1} and not names_repeat(game)


@kept
def names_repeat(game: Declaration) -> bool:
    """Whether several card codes of the deck have one name: such cards cannot be told apart."""
    names = [game.codec.notation.cards[code] for code in deck_counts(game)]
    return len(set(names)) < len(names)
