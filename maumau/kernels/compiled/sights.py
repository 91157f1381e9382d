"""What a seat sees of a table, by the declared visibility: keys of it, and the cards that it does not see.

`maumau.kernels.compiler.sights` writes the constants. Loops over names of fields, and over rule functions, are written
out when they are compiled.
"""

from __future__ import annotations

from fsm.edge.numbers import Array
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.mixing import mixed
from rules.queues import QUEUE_BYTES

NOBODY, ALL, OWNER, PARTNERS = range(4)
"""Who sees a part of the table: nobody, all, the seat that owns it, or also its partners."""


def sees(seen_by: int, owner: int, seat: int) -> bool:
    """Return whether a seat sees a part of the table. seen_by: who does. owner: the seat that owns the part."""
    if seen_by == OWNER:
        return owner == seat
    if seen_by == PARTNERS:
        return owner % given.SIDES == seat % given.SIDES
    return seen_by == ALL


def look(table: Table, phase: int, seat: int, key: int) -> int:
    """Mix into a key what a seat sees of a table."""
    key = mixed(key, phase if table.player == seat else given.PHASES_SEEN[phase])
    key = look_at_lists(table, seat, look_at_queues(table, seat, look_at_facts(table, phase, seat, key)))
    key = mixed(key, table.stock << 8 | table.tail - table.head)
    if given.SHOWS_DISCARDS:
        for place in range(table.head + table.stock if given.PILE_HIDDEN else table.head, table.tail):
            key = mixed(key, table.ring[place & len(table.ring) - 1])
    return key


def look_at_facts(table: Table, phase: int, seat: int, key: int) -> int:
    """Mix into a key the facts that a seat sees. Everybody sees that nothing was drawn or named."""
    for name, is_actor, seen_by, is_number in given.FACTS_SEEN:
        value = getattr(table, name)
        if is_actor:
            if value == seat or given.PHASES_IN_SECRET[phase] == 0:
                key = mixed(key, value)
        elif seen_by == ALL:
            key = mixed(key, value)
        else:
            hidden = -2 if is_number else min(value, 0)
            key = mixed(key, value if sees(seen_by, table.player, seat) else hidden)
    return key


def look_at_queues(table: Table, seat: int, key: int) -> int:
    """Mix into a key how many cards the piles have whose cards lie in an order, and those cards that a seat sees."""
    for name, in_middle, seen_by in given.QUEUES_SEEN:
        queue = getattr(table, name)
        for place in range(1 if in_middle else table.players):
            size = queue[place * QUEUE_BYTES]
            key = mixed(key, size)
            for depth in range(size if sees(seen_by, place, seat) else 0):
                key = mixed(key, queue[place * QUEUE_BYTES + 1 + depth])
    return key


def look_at_lists(table: Table, seat: int, key: int) -> int:
    """Mix into a key what a seat sees of the lists that have a number for each seat."""
    for name, own, others, sized in given.LISTS_SEEN:
        row = getattr(table, name)
        if own == "cards":
            key = mixed(key, row[seat])
        elif own == "size":
            key = mixed(key, row[seat].bit_count())
        if others != "":
            for other in range(table.players):
                if other != seat:
                    key = mixed(key, row[other] if others == "cards" else size_of(table, other, sized))
    return key


def size_of(table: Table, seat: int, fields: tuple[str, ...]) -> int:
    """Return how many cards a seat has in some fields."""
    size = 0
    for name in fields:
        size += getattr(table, name)[seat].bit_count()
    return size


def seen_key(table: Table, seat: int, key: int) -> int:
    """Mix into a key what `seat`, which acts, sees of the table: of hidden hands and piles how many cards they have."""
    for name, places, seen_by, is_sized in given.FIELDS_SEEN:
        if places == 0:
            key = given.mix(key, getattr(table, name))
        else:
            row = getattr(table, name)
            for place in range(places):
                if sees(seen_by, place, seat):
                    key = given.mix(key, row[place])
                else:
                    key = given.mix(key, row[place].bit_count() if is_sized else 0)
    return key


def turned_up(table: Table) -> int:
    """Return the cards that all see in whichever pile they lie, as a mask."""
    cards = 0
    for name in given.TURNED_UP:
        card = getattr(table, name)
        if card >= 0:
            cards |= 1 << card
    return cards


# ---------------------------------------------------------------- hands and piles


def hand(table: Table, seat: int) -> int:
    """Return the cards of a seat, as a mask."""
    cards: int = getattr(table, given.HANDS[0])[seat]
    return cards


def shown(table: Table) -> int:
    """Return the cards that lie face up in piles, as a mask."""
    cards = 0
    for name, is_queue, in_middle in given.PILES_SHOWN:
        pile = getattr(table, name)
        for place in range(1 if in_middle else table.players):
            cards |= queued(pile, place) if is_queue else pile[place]
    return cards


def queued(queues: Array, place: int) -> int:
    """Return the cards, as a mask, of a pile whose cards lie in an order."""
    cards, first = 0, place * QUEUE_BYTES + 1
    for index in range(first, first + queues[first - 1]):
        cards |= 1 << queues[index]
    return cards


def give(table: Table, other: int, bit: int) -> None:
    """Give a seat the card of a bit; two alike are in two fields."""
    for name in given.HANDS:
        hands = getattr(table, name)
        there = hands[other] & bit
        hands[other] |= bit
        bit = there


def take(table: Table, other: int, bit: int) -> None:
    """Take the card of a bit from a seat that has it."""
    for name in given.HANDS_FROM_LAST:
        hands = getattr(table, name)
        there = hands[other] & bit
        hands[other] ^= there
        bit ^= there


def determine(table: Table) -> None:
    """Find the fields that the hands determine."""
    for name, query in given.DETERMINED:
        setattr(table, name, query(table))


def forget_determined(table: Table) -> None:
    """Clear the fields that the hands determine."""
    for name, _ in given.DETERMINED:
        setattr(table, name, 0)


# ---------------------------------------------------------------- hidden cards

LACKING = 255
"""In place of the code of a card that was taken out of a pile whose cards lie in an order."""


def take_hidden(table: Table, seat: int, other: int, known: int, counts: Array) -> int:
    """Take the cards of a seat that `seat` neither sees nor knows, count them by code, and return how many."""
    taken = 0
    for name, seen_by in given.HANDS_SEEN:
        hands = getattr(table, name)
        hidden = 0 if sees(seen_by, other, seat) else hands[other] & ~known
        hands[other] ^= hidden
        while hidden != 0:
            counts[(hidden & -hidden).bit_length() - 1] += 1
            hidden &= hidden - 1
            taken += 1
    return taken


def take_piles(table: Table, seat: int, known: int, counts: Array, missing: Array) -> None:
    """Take cards out of hidden piles. known: the cards that `seat` knows. missing: how many each pile lacks."""
    for name, is_queue, in_middle, seen_by, first in given.PILES_HIDDEN:
        pile = getattr(table, name)
        for place in range(1 if in_middle else table.players):
            kept = -1 if sees(seen_by, place, seat) else known
            if is_queue:
                take_queue(pile, place, kept, counts)
            else:
                take_mask(pile, place, kept, counts, missing, first + place)


def give_piles(table: Table, missing: Array, pool: Array, dealt: int) -> int:
    """Deal cards of the pool into the hidden piles, and return how many are dealt now."""
    for name, is_queue, in_middle, _, first in given.PILES_HIDDEN:
        pile = getattr(table, name)
        for place in range(1 if in_middle else table.players):
            if is_queue:
                dealt = give_queue(pile, place, pool, dealt)
            else:
                dealt = give_mask(pile, place, missing, first + place, pool, dealt)
    return dealt


def take_mask(masks: Array, place: int, known: int, counts: Array, missing: Array, at: int) -> None:
    """Take the cards that are not known out of the pile at a place, counted by their codes.

    missing: at the index `at` how many were taken.
    """
    hidden = masks[place] & ~known
    masks[place] ^= hidden
    missing[at] = hidden.bit_count()
    while hidden != 0:
        counts[(hidden & -hidden).bit_length() - 1] += 1
        hidden &= hidden - 1


def give_mask(masks: Array, place: int, missing: Array, at: int, pool: Array, dealt: int) -> int:
    """Deal as many cards of the pool as `take_mask` has taken, and return how many are dealt now."""
    for _ in range(missing[at]):
        masks[place] |= 1 << pool[dealt]
        dealt += 1
    return dealt


def take_queue(queues: Array, place: int, known: int, counts: Array) -> None:
    """Take the cards that are not known out of a pile whose cards lie in an order; LACKING is left in their places."""
    first = place * QUEUE_BYTES + 1
    for index in range(first, first + queues[first - 1]):
        if known >> queues[index] & 1 == 0:
            counts[queues[index]] += 1
            queues[index] = LACKING


def give_queue(queues: Array, place: int, pool: Array, dealt: int) -> int:
    """Deal cards of the pool where `take_queue` has left LACKING, and return how many are dealt now."""
    first = place * QUEUE_BYTES + 1
    for index in range(first, first + queues[first - 1]):
        if queues[index] == LACKING:
            queues[index] = pool[dealt]
            dealt += 1
    return dealt


SIGHTS = (
    determine,
    forget_determined,
    give,
    give_piles,
    hand,
    seen_key,
    shown,
    take,
    take_hidden,
    take_piles,
    turned_up,
)
"""The functions that programs of agents may call."""
