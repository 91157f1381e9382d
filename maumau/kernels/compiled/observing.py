"""What a seat observes of a table, written into a row of bytes.

The parts of an observation are constants (`maumau.kernels.compiler.observing`): loops over them are written out when
they are compiled. Which numbers there are is up to `maumau.agents.layout`.
"""

from __future__ import annotations

from fsm.edge.numbers import Array
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.sights import ALL, queued, sees
from rules.queues import QUEUE_BYTES


def observe(table: Table, phase: int, seat: int, notes: Array, discarded: Array, line: Array) -> None:
    """Write what `seat` sees and knows into `line`: the cards, the facts, and what belongs to the game."""
    known = notes[given.SEEN] | notes[given.LEFT + seat]
    for what, at, width, step, name, is_queue, in_middle in given.CARD_PARTS:
        other = (seat + step) % given.PLAYERS if step != 0 else seat
        if what == "hand":
            spread(line, at, getattr(table, given.HANDS[0])[other])
            for more in given.MORE_HANDS:
                spread_more(line, at, getattr(table, more)[other])
        elif what == "known in hand":
            spread(line, at, known & getattr(table, given.HANDS[0])[other])
        elif what == "known in pile":
            spread(line, at, known & ~(notes[given.LYING] | lying(table)))
        elif what == "pile":
            pile, place = getattr(table, name), 0 if in_middle else other
            spread(line, at, queued(pile, place) if is_queue else pile[place])
        elif what == "open card":
            mark(line, at, width, given.KIND[table.open_card] if table.open_card >= 0 else -1)
        else:
            for index in range(width):
                line[at + index] = discarded[index]
    observe_facts(table, seat, line)
    observe_game(table, phase, seat, notes, line)


def lying(table: Table) -> int:
    """Return the cards that lie in hands and in piles before seats or in the middle, as a mask."""
    cards = 0
    for seat in range(given.PLAYERS):
        cards |= getattr(table, given.HANDS[0])[seat]
        for name, is_queue, in_middle in given.PILES:
            pile, place = getattr(table, name), 0 if in_middle else seat
            cards |= queued(pile, place) if is_queue else pile[place]
    return cards


def spread(line: Array, at: int, cards: int) -> None:
    """Write how many cards of each name are in a mask of codes."""
    for place in range(given.NAMES_IN_ORDER):
        line[at + place] = cards >> place & 1
    for name, codes in given.NAME_MASKS:
        line[at + name] = (cards & codes).bit_count()


def spread_more(line: Array, at: int, cards: int) -> None:
    """Add how many cards of each name are in another mask, which has few."""
    while cards != 0:
        line[at + given.KIND[(cards & -cards).bit_length() - 1]] += 1
        cards &= cards - 1


def mark(line: Array, at: int, width: int, index: int) -> None:
    """Write 1 at an index, if it is not negative, and 0 at the others."""
    for place in range(at, at + width):
        line[place] = 0
    if index >= 0:
        line[at + index] = 1


def observe_facts(table: Table, seat: int, line: Array) -> None:
    """Write the facts that a seat sees."""
    for what, at, width, step, name, seen_by in given.FACT_PARTS:
        if what == "count":
            line[at] = min(max(getattr(table, name)[(seat + step) % given.PLAYERS], 0), given.MOST_SHOWN)
        elif what == "in set":
            line[at] = getattr(table, name) >> (seat + step) % given.PLAYERS & 1
        elif what == "hidden":
            line[at] = 0
        else:
            value = getattr(table, name) if seen_by == ALL or sees(seen_by, table.player, seat) else -1
            if what == "number":
                line[at] = min(max(value, 0), given.MOST_SHOWN)
            elif what == "set":
                for place in range(width):
                    line[at + place] = max(value, 0) >> place & 1
            elif what == "seat":
                mark(line, at, width, (value - seat + given.PLAYERS) % given.PLAYERS if value >= 0 else -1)
            else:
                mark(line, at, width, given.KIND[value] if what == "card" and value >= 0 else value)


def observe_game(table: Table, phase: int, seat: int, notes: Array, line: Array) -> None:
    """Write the phase, how many cards lie where, and what was chosen last."""
    for what, at, width, step, name, is_queue in given.GAME_PARTS:
        other = (seat + step) % given.PLAYERS if step != 0 else seat
        if what == "hand size":
            line[at] = getattr(table, given.HANDS[0])[other].bit_count()
            for more in given.MORE_HANDS:
                line[at] += getattr(table, more)[other].bit_count()
        elif what == "last event":
            mark(line, at, width, notes[given.LAST + other] - 1)
        elif what == "phase":
            mark(line, at, width, given.PHASES_ASKED[phase])
        elif what == "pile size":
            if is_queue:
                line[at] = getattr(table, name)[other * QUEUE_BYTES]
            else:
                line[at] = getattr(table, name)[other].bit_count()
        elif what == "middle size":
            line[at] = getattr(table, name)[0] if is_queue else getattr(table, name)[0].bit_count()
        elif what == "all sizes":
            line[at], line[at + 1] = table.stock, table.tail - table.head - table.stock
        elif what == "melds":
            observe_melds(getattr(table, name)[other], line, at, width)
        else:
            observe_past(seat, notes, line, at, width)


def observe_melds(laid: int, line: Array, at: int, width: int) -> None:
    """Write how many melds of each kind lie before a seat. laid: their kinds, of MELD_BITS each."""
    for place in range(width):
        line[at + place] = 0
    while laid != 0:
        line[at + (laid & (1 << given.MELD_BITS) - 1) - 1] += 1
        laid >>= given.MELD_BITS


def observe_past(seat: int, notes: Array, line: Array, start: int, width: int) -> None:
    """Write the last events as the seat saw them, the oldest first: the seat, the event, its card and its value."""
    for place in range(width):
        line[start + place] = 0
    ring = given.PAST + seat * (given.EVENTS + 1)
    for back in range(given.EVENTS):
        word = notes[ring + 1 + (notes[ring] + back) % given.EVENTS]
        if word != 0:
            at = start + back * given.EVENT_WIDTH
            line[at + ((word >> 40 & 255) - seat + given.PLAYERS) % given.PLAYERS] = 1
            line[at + given.PLAYERS + (word >> 32 & 255)] = 1
            card, value = word >> 16 & 65535, word & 65535
            if card != 0:
                line[at + given.PLAYERS + given.TRIGGERS - 1 + card] = 1
            if value != 0:
                line[at + given.PLAYERS + given.TRIGGERS + given.CARD_NAMES - 1 + value] = 1
