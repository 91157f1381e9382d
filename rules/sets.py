"""Sets of cards that are named in one move, such as a pair, a run or a meld.

A set is named by its lowest card and its form: the cards as a mask that is shifted down to the lowest one. So what may
be named is a mask of lowest cards, and for each of these a mask of forms, as for a card with which a value is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from rules.notation import Notation
from rules.rule import RuleFunction, query

MAX_FORMS = 62
"""The forms of which there is room in a mask."""
Sets = tuple[int, ...]
"""Masks of card codes."""


@dataclass(frozen=True)
class CardSets:
    """All sets of cards that a game ever names. masks: of card codes, with a card or more each.

    forms: the masks shifted down to their lowest card, each once. at: for each code the forms of the sets of which it
    is the lowest card, as a mask.
    """

    masks: Sets
    forms: Sets = field(init=False, repr=False)
    at: Sets = field(init=False, repr=False)

    def __post_init__(self) -> None:
        masks = tuple(dict.fromkeys(self.masks))
        if not masks or min(masks) < 1:
            raise ValueError("sets of cards: there is none, or one is empty; use one or more, with a card or more each")
        forms = tuple(sorted({mask >> _lowest(mask) for mask in masks}))
        if len(forms) > MAX_FORMS:
            raise ValueError(f"sets of cards: {len(forms)} forms; use at most {MAX_FORMS}")
        at = [0] * max(mask.bit_length() for mask in masks)
        for mask in masks:
            at[_lowest(mask)] |= 1 << forms.index(mask >> _lowest(mask))
        for name, value in (("masks", masks), ("forms", forms), ("at", tuple(at))):
            object.__setattr__(self, name, value)

    def mask(self, card: int, form: int) -> int:
        """The cards of a set, by its lowest card and its form."""
        return self.forms[form] << card

    def named(self, mask: int) -> tuple[int, int] | None:
        """The lowest card and the form of a set; None if it is none of these sets."""
        return (_lowest(mask), self.forms.index(mask >> _lowest(mask))) if mask in self.masks else None


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def of_a_rank(notation: Notation, sizes: Iterable[int]) -> Sets:
    """All sets of so many cards of one rank: single cards, pairs, triples. Codes of cards as in `rules.cards`, four to
    each rank.
    """
    ranks = range(len(notation.cards) // 4)
    suits = [sum(1 << suit for suit in chosen) for size in sizes for chosen in combinations(range(4), size)]
    return tuple(mask << 4 * rank for rank in ranks for mask in suits)


def runs(notation: Notation, sizes: Iterable[int]) -> Sets:
    """All runs of so many cards of one suit and ranks in a row. Codes of cards as in `rules.cards`."""
    ranks = len(notation.cards) // 4
    return tuple(
        sum(1 << 4 * rank for rank in range(first, first + size)) << suit
        for size in sizes
        for first in range(ranks - size + 1)
        for suit in range(4)
    )


@query
def any_set(table: object, cards: int) -> bool:
    """Every set may be named."""
    return True


def lowest_cards(sets: CardSets, among: RuleFunction, fits: RuleFunction = any_set) -> RuleFunction:
    """A query (table): the lowest cards of the sets that may be named.

    among: the mask of the cards of which a set consists (table). fits: whether a set may be named (table, cards).
    """
    forms, at, codes, count = sets.forms, sets.at, len(sets.at), len(sets.forms)

    @query
    def lowest_of_sets(table):  # type: ignore[no-untyped-def]
        """The lowest cards of the sets that may be named."""
        cards, found = among(table), 0
        for card in range(codes):
            if cards >> card & 1 == 1:
                for form in range(count):
                    mask = forms[form]
                    if at[card] >> form & 1 == 1 and cards >> card & mask == mask and fits(table, mask << card):
                        found |= 1 << card
        return found

    return lowest_of_sets


def forms_at(sets: CardSets, among: RuleFunction, fits: RuleFunction = any_set) -> RuleFunction:
    """A query (table): the forms of the sets that may be named with the lowest card in `table.card`, as a mask.

    among, fits: as for `lowest_cards`.
    """
    forms, at, count = sets.forms, sets.at, len(sets.forms)

    @query
    def forms_of_card(table):  # type: ignore[no-untyped-def]
        """The forms of the sets that may be named with their lowest card."""
        card, cards, found = table.card, among(table), 0
        for form in range(count):
            mask = forms[form]
            if at[card] >> form & 1 == 1 and cards >> card & mask == mask and fits(table, mask << card):
                found |= 1 << form
        return found

    return forms_of_card


def cards_named(sets: CardSets) -> RuleFunction:
    """A query (table): the cards of the set that is named, as a mask."""
    forms = sets.forms

    @query
    def named_cards(table):  # type: ignore[no-untyped-def]
        """The cards of the set that is named."""
        return forms[table.form] << table.card

    return named_cards
