"""The rules of a game as people read them before they play, and where house rules stand in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Guide:
    """The rules of a game in the words of people, a sentence or two in each text.

    aim: what players try to do. deal, turn, counting: texts about the deal, a turn, and what counts at the end; how
    many cards are dealt is not said, because pages find it by dealing. cards: what special cards do, by the names of
    the cards that are pictured (`HS DS`). heading: over these cards, where it is not `Special cards`. Names of cards in
    a text are pictured as well.

    instead, beside and special say where house rules stand, by the name of each; a name that ends with `*` stands for
    all names that begin this way. instead: the texts that do not hold with a rule, in whose place it stands. beside:
    the text that it follows. special: the names of the cards to which it gives an effect.

    Raises ValueError for a text of `instead` or `beside` that is not one of the guide.
    """

    aim: str = ""
    deal: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    heading: str = ""
    counting: tuple[str, ...] = ()
    instead: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    special: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        placed = [*self.beside.values(), *(text for texts in self.instead.values() for text in texts)]
        if unknown := [text for text in placed if text not in self.texts]:
            raise ValueError(f"guide: no text reads {unknown[0]!r}; name one that stands in the guide")

    def __bool__(self) -> bool:
        """Return whether anything is said."""
        return self != NO_GUIDE

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, in the order in which they are read."""
        of_cards = (text for texts in self.cards.values() for text in texts)
        return (self.aim, *self.deal, *self.turn, *of_cards, *self.counting)

    @property
    def pictured(self) -> Iterator[str]:
        """The names of the cards that are pictured beside a text."""
        for names in (*self.cards, *self.special.values()):
            yield from names.split()


def is_rule(name: str, rule: str) -> bool:
    """Return whether a house rule is called `name`, or begins with it where `name` ends with a `*`.

    rule: what the house rule is called.
    """
    return rule.startswith(name[:-1]) if name.endswith("*") else rule == name


def found_by_rule(named: Mapping[str, Value], rule: str) -> Value | None:
    """Return what stands under the name of a house rule, or None. rule: what the house rule is called."""
    return next((value for name, value in named.items() if is_rule(name, rule)), None)


NO_GUIDE = Guide()
