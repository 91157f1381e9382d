"""The conversion between the names that people use and the integers of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fsm.declaration.facts import HOW_IT_ENDED, WHO_ACTS, Fact, Melds
from rules.notation import Notation, one_of
from rules.sets import CardSets
from rules.table import CardTable, hands_of

USUAL_HANDS = hands_of(CardTable)


@dataclass(frozen=True, kw_only=True)
class Codec:
    """The conversion between the names that people use and the integers of the table.

    notation: the names of cards and suits. players: the numbers that can play, such as (2, 4) or range(2, 6).
    cards_each: the number of cards dealt to each, or a function of the players; if the deck runs out first, the last
        players get one card fewer.
    facts: the fields that, with the phase, the hands and the piles, are the whole position. The player who acts comes
        first and the ending last, declared or not.
    dealt_to: the seat that is dealt the card at an index of the deck (index, players, each).
    receive: puts a card into a hand (table, seat, card). held: returns the card codes in a hand (table, seat). These
        three by default deal one card at a time in turn, from a deck in which every card appears once.
    melds: the groups of cards that lie before the players, in games that have some.
    sets: the sets of cards that may be named in one move.
    hand_sizes: how many cards may be dealt to each from a small deck; empty for any number.
    """

    notation: Notation
    players: Sequence[int]
    cards_each: Callable[[int], int]
    facts: tuple[Fact, ...] = ()
    dealt_to: Callable[[int, int, int], int] = USUAL_HANDS.dealt_to
    receive: Callable[[Any, int, int], None] = USUAL_HANDS.receive
    held: Callable[[Any, int], list[int]] = USUAL_HANDS.held
    melds: Melds | None = None
    sets: CardSets | None = None
    hand_sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Complete the facts by those of every game, unless they are there: who acts, how it ended and who won."""
        if not isinstance(self.players, Iterable):
            raise TypeError(f"players: {self.players!r}; use the numbers of players, such as (2, 4)")
        object.__setattr__(self, "players", tuple(dict.fromkeys(self.players)))
        if not (isinstance(self.facts, tuple) and all(isinstance(fact, Fact) for fact in self.facts)):
            raise TypeError(f"facts: {self.facts!r}; use a tuple: (Fact(...),)")
        given = {fact.field for fact in self.facts}
        first, last = (tuple(fact for fact in facts if fact.field not in given) for facts in (WHO_ACTS, HOW_IT_ENDED))
        object.__setattr__(self, "facts", (*first, *self.facts, *last))

    @property
    def own_facts(self) -> tuple[Fact, ...]:
        """The facts that not every game has."""
        usual = {fact.field for fact in (*WHO_ACTS, *HOW_IT_ENDED)}
        return tuple(fact for fact in self.facts if fact.field not in usual)

    @property
    def fewest(self) -> int:
        """The smallest number of players."""
        return min(self.players)

    @property
    def most(self) -> int:
        """The greatest number of players."""
        return max(self.players)

    @property
    def players_text(self) -> str:
        """The numbers of players in words: `2 to 4`, `2 or 4`."""
        return one_of(self.players)
