"""Melds of rummy games, and deadwood, the cards that are in none: they count as little as they can.

A meld is three or four cards of a rank, or three to five in a row of one suit, the ace low; longer rows are several
melds. Court cards count 10, others their rank. The table is a `RummyTable` for two players, and its facts are
`MELD_FACTS`; a declaration with melds has `deck=RUMMY_52` and `sets=MELDS`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import NO_CARD, french_deck
from rules.rule import choice, effect, guard, query, rule
from rules.sets import CardSets, cards_named, forms_at, lowest_cards, of_a_rank, runs
from rules.table import CardTable, each_seat
from rules.tricks import held
from rules.visibility import seen_by_all

RUMMY_52 = french_deck("A23456789TJQK")
DECK_SIZE, SEATS = 52, 2
MELDS = CardSets(of_a_rank(RUMMY_52, (3, 4)) + runs(RUMMY_52, (3, 4, 5)))
FORMS, FORMS_AT = MELDS.forms, MELDS.at
EVERY_RANK = 0x1111111111111
ONES, TWOS, FOURS, EIGHTS = (
    sum(0xF << 4 * rank for rank in range(13) if min(rank + 1, 10) >> bit & 1) for bit in range(4)
)
"""The cards, as masks, whose values have the bit 1, 2, 4 or 8."""


@dataclass(slots=True)
class RummyTable(CardTable):
    """The melds that lie before each player, in turn, and the cards laid off."""

    first: list[int] = seen_by_all(factory=each_seat(SEATS))
    second: list[int] = seen_by_all(factory=each_seat(SEATS))
    third: list[int] = seen_by_all(factory=each_seat(SEATS))
    off: list[int] = seen_by_all(factory=each_seat(SEATS))
    form: int = seen_by_all(-1)  # of the meld that is laid


@query
def value_of(cards: int) -> int:
    """What the cards of a mask count as deadwood."""
    return (
        (cards & ONES).bit_count()
        + 2 * (cards & TWOS).bit_count()
        + 4 * (cards & FOURS).bit_count()
        + 8 * (cards & EIGHTS).bit_count()
    )


@query
def in_sets(cards: int) -> int:
    """The cards of a mask that belong to three or four of a rank."""
    one, two = cards & EVERY_RANK, cards >> 1 & EVERY_RANK
    three, four = cards >> 2 & EVERY_RANK, cards >> 3 & EVERY_RANK
    return 0xF * (one & two & (three | four) | three & four & (one | two)) & cards


@query
def in_runs(cards: int) -> int:
    """The cards of a mask that belong to three or more in a row of one suit."""
    lowest = cards & cards >> 4 & cards >> 8
    return lowest | lowest << 4 | lowest << 8


@query
def in_melds(cards: int) -> int:
    """The cards of a mask that belong to a meld; of one hand, not all melds may be possible at once."""
    return in_sets(cards) | in_runs(cards)


@query
def deadwood(cards: int) -> int:
    """What is left of at most eleven cards if melds are laid as well as can be; at most three fit into a hand.

    A card may be in a set and in a row. Each such card is used in one of them: all ways are tried.
    """
    both = in_sets(cards) & in_runs(cards)
    least, by_rank = value_of(cards & ~in_melds(cards)), both
    if both != 0:
        least = value_of(cards & ~(in_sets(cards) | in_runs(cards & ~both)))
    while by_rank != 0:
        by_rank = by_rank - 1 & both
        melded = in_sets(cards & ~(both ^ by_rank)) | in_runs(cards & ~by_rank)
        least = min(least, value_of(cards & ~melded))
    return least


@query
def fitting(meld: int, laid_off: int) -> int:
    """The cards that may be laid off on a meld, where others were laid off."""
    low = (meld & -meld).bit_length() - 1
    rank = 0xF << (low & ~3)
    if meld & rank == meld:
        return rank & ~meld
    found, above = 0, meld.bit_length() + 3
    while above < DECK_SIZE and laid_off >> above & 1 == 1:
        above += 4
    if above < DECK_SIZE:
        found |= 1 << above
    low -= 4
    while low >= 0 and laid_off >> low & 1 == 1:
        low -= 4
    return found | 1 << low if low >= 0 else found


@query
def to_lay_off(table: RummyTable) -> int:
    """The cards of the player in turn that fit the melds of the other one."""
    other, laid_off, found = 1 - table.player, table.off[table.player], 0
    if table.first[other] != 0:
        found |= fitting(table.first[other], laid_off)
    if table.second[other] != 0:
        found |= fitting(table.second[other], laid_off)
    if table.third[other] != 0:
        found |= fitting(table.third[other], laid_off)
    return held(table) & found


lowest_of_melds, forms_of_melds, meld_named = lowest_cards(MELDS, held), forms_at(MELDS, held), cards_named(MELDS)


@effect
def lay_meld(table: RummyTable) -> None:
    """The meld lies before the player."""
    cards = meld_named(table)
    table.hands[table.player] ^= cards
    if table.first[table.player] == 0:
        table.first[table.player] = cards
    elif table.second[table.player] == 0:
        table.second[table.player] = cards
    else:
        table.third[table.player] = cards


@effect
def lay_off(table: RummyTable) -> None:
    """The card lies with a meld of the other player."""
    table.hands[table.player] ^= 1 << table.card
    table.off[table.player] |= 1 << table.card


# ---------------------------------------------------------------- how the house plays


@rule
def least_after_discard(cards: int) -> int:
    """The least deadwood of a hand without one of its cards."""
    total, melded = deadwood(cards), in_melds(cards)
    least, left = 999, cards
    while left != 0:
        card = left & -left
        if total - value_of(card) < least:
            least = min(least, deadwood_without(cards, card, total, melded))
        left ^= card
    return least


@rule
def deadwood_without(cards: int, card: int, total: int, melded: int) -> int:
    """The deadwood of a hand without one of its cards, a mask. total: with it. melded: the cards that are in melds."""
    return total - value_of(card) if card & melded == 0 else deadwood(cards ^ card)


@rule
def least_without(table: RummyTable, cards: int) -> int:
    """The highest of some cards without which the deadwood is least."""
    total, melded = deadwood(held(table)), in_melds(held(table))
    best, least, left = NO_CARD, 999, cards
    while left != 0:
        code = left.bit_length() - 1
        card = 1 << code
        if total - value_of(card) >= least:  # lower cards count as much, or less
            return best
        deadwood_left = deadwood_without(held(table), card, total, melded)
        if deadwood_left < least:
            best, least = code, deadwood_left
        left ^= card
    return best


@rule
def form_with_least(table: RummyTable, card: int) -> int:
    """The form of a meld with a lowest card that belongs to the least deadwood; -1 if there is none."""
    cards, least = held(table), deadwood(held(table))
    for form in range(len(FORMS)):
        mask = FORMS[form]
        laid = mask << card if FORMS_AT[card] >> form & 1 == 1 and cards >> card & mask == mask else 0
        if laid != 0 and deadwood(cards ^ laid) == least:
            return form
    return -1


@choice
def best_card(table: RummyTable) -> int:
    """The lowest card of a meld that belongs to the least deadwood."""
    left = in_melds(held(table))
    while left != 0:
        card = (left & -left).bit_length() - 1
        if form_with_least(table, card) >= 0:
            return card
        left &= left - 1
    return NO_CARD


@choice
def best_form(table: RummyTable) -> int:
    """The form of that meld."""
    return form_with_least(table, table.card)


@guard("no meld is left")
def has_meld(table: RummyTable) -> bool:
    """A meld is left."""
    cards: int = lowest_of_melds(table)
    return cards != 0


@query
def loose_cards(table: RummyTable) -> int:
    """The cards that fit a meld of the knocker and leave less deadwood."""
    cards, found = to_lay_off(table), 0
    for card in range(DECK_SIZE):
        if cards >> card & 1 == 1 and deadwood(held(table) ^ 1 << card) < deadwood(held(table)):
            found |= 1 << card
    return found


@guard("no card is loose")
def has_loose_card(table: RummyTable) -> bool:
    """A card that fits a meld of the knocker is in no meld."""
    return loose_cards(table) != 0


@choice
def loose_card(table: RummyTable) -> int:
    """The highest such card."""
    return loose_cards(table).bit_length() - 1


# ---------------------------------------------------------------- what must hold


@query
def laid_by(table: RummyTable, seat: int) -> int:
    """The cards that lie before a seat."""
    return table.first[seat] | table.second[seat] | table.third[seat] | table.off[seat]


@query
def is_meld(cards: int) -> bool:
    """Three or four cards of a rank, or three to five in a row of one suit; or no card."""
    low, count = (cards & -cards).bit_length() - 1, cards.bit_count()
    if count == 0 or (cards & 0xF << (low & ~3) == cards and 3 <= count <= 4):
        return True
    row = 0
    for step in range(count):
        row |= 1 << low + 4 * step
    return row == cards and 3 <= count <= 5


@query
def melds_lie(table: RummyTable) -> bool:
    """What lies before a player are melds."""
    for seat in range(SEATS):
        if not (is_meld(table.first[seat]) and is_meld(table.second[seat]) and is_meld(table.third[seat])):
            return False
    return True


@query
def meld_leaves_hand(before: RummyTable, after: RummyTable) -> bool:
    """What leaves the hand lies there, a meld."""
    laid = laid_by(after, before.player) ^ laid_by(before, before.player)
    return is_meld(laid) and laid != 0 and before.hands[before.player] ^ after.hands[before.player] == laid
