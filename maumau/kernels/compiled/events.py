"""The events that are tried at a position of a small deck: which are conceivable, which arcs they fire, what these do.

An event is one of a phase with a trigger, which have a number, and a card and a value, or -1 for none. What the guards
of several arcs answer is kept in two masks, `answers` and `failed`, with a bit for each guard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fsm.edge.numbers import Array
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table

FORCED, PLAIN, OFFERED, REFUSED = range(4)
"""The kind of an event before the guards of its arcs are evaluated: forced, or a choice without a card, one that is
offered, or one with a card that is not."""


# ---------------------------------------------------------------- events that are proposed


def propose(table: Table, phase: int, events: Array) -> tuple[int, int, int]:
    """Write every conceivable event down, the forced ones first; return how many there are.

    Also return what the guards answer that several events of the phase ask and that do not depend on the event, and
    which of these fail.
    """
    count = answers = failed = 0
    for number, guards, forced, offers in given.PROPOSED:
        if phase == number:
            for guard, bit in guards:
                answers |= (guard(table) != 0) << bit
                failed |= given.faulted() << bit
            for pair in forced:
                count = write(events, count, pair, -1, -1, FORCED)
            if table.returned == 0:
                count = propose_offers(table, events, count, offers)
            break
    return count, answers, failed


def propose_offers(
    table: Table,
    events: Array,
    count: int,
    offers: Sequence[tuple[int, str, Callable[[Table], int], int, Callable[[Table], int], int]],
) -> int:
    """Write the events of offers down; return how many there are now. A value that is not offered is refused."""
    for pair, what, cards, all_cards, values, all_values in offers:
        if what == "always":
            count = write(events, count, pair, -1, -1, OFFERED)
        elif what == "guarded":
            count = write(events, count, pair, -1, -1, PLAIN)
        elif what == "values":
            count = write_values(events, count, pair, -1, given.mask_of(values(table), all_values))
        else:
            most = table.hands[table.player] if what == "cards in hand" else all_cards
            count = write_cards(table, events, count, pair, given.mask_of(cards(table), most), values, all_values)
    return count


def write(events: Array, count: int, pair: int, card: int, value: int, kind: int) -> int:
    """Write one event down after `count` others; return how many there are now. card, value: -1 for none."""
    events[count, 0] = pair
    events[count, 1] = card
    events[count, 2] = value
    events[count, 3] = kind
    return count + 1


def write_values(events: Array, count: int, pair: int, card: int, values: int) -> int:
    """Write an event down with each value that is offered; return how many there are now."""
    while values != 0:
        count = write(events, count, pair, card, (values & -values).bit_length() - 1, OFFERED)
        values &= values - 1
    return count


def write_cards(
    table: Table, events: Array, count: int, pair: int, offered: int, values: Callable[[Table], int], most: int
) -> int:
    """Write an event down with each card in hand or offered, and with the values that are offered with it; return how
    many there are now. A card that is not offered is refused, whatever guards say. most: the mask of all values.
    """
    open_card = table.card
    held = table.hands[table.player] | offered
    while held != 0:
        table.card = (held & -held).bit_length() - 1
        held &= held - 1
        if offered >> table.card & 1 == 0:
            count = write(events, count, pair, table.card, -1, REFUSED)
            continue
        named = given.mask_of(values(table), most)
        if named == 0:
            count = write(events, count, pair, table.card, -1, OFFERED)
        count = write_values(events, count, pair, table.card, named)
    table.card = open_card
    return count


def nothing(table: Table) -> int:
    """Return that no card or no value is named."""
    return 0


# ---------------------------------------------------------------- an event that is tried


def name_value(table: Table, before: Table, pair: int, card: int, value: int) -> None:
    """Put the value of an event on the table, in the field of its kind; the others are as on the table `before`."""
    kind = given.VALUE_KINDS[pair]
    table.suit = value if kind == 0 else -1
    for number, field in given.OWN_KINDS:
        is_named = kind == number and (card >= 0 or value >= 0)
        setattr(table, field, value if is_named else getattr(before, field))


def enabled(table: Table, pair: int, answers: int, failed: int) -> tuple[int, int, bool]:
    """Return how many arcs of an event are enabled, the last one, and whether a guard fails.

    answers, failed: those of `propose`. Each guard is asked once. One that fails does so only where it is asked: after
    others of the same arc that are as they must be.
    """
    count, last, fails = 0, -1, False
    for number, guards, arcs in given.ASKED:
        if pair == number:
            for guard, bit in guards:
                answers |= (guard(table) != 0) << bit
                failed |= given.faulted() << bit
            for arc, _, asked, wanted in arcs:
                if answers & asked == wanted:
                    count += 1
                    last = arc
            break
    if failed != 0:
        fails = fails_where_asked(pair, answers, failed)
    return count, last, fails


def fails_where_asked(pair: int, answers: int, failed: int) -> bool:
    """Return whether a guard of an event fails that is asked."""
    refused = -1
    for number, arc, bit, answer in given.CONDITIONS:
        if number == pair and arc != refused:
            if failed >> bit & 1 == 1:
                return True
            if answers >> bit & 1 != answer:
                refused = arc
    return False


def fire(table: Table, arc: int) -> None:
    """Call the effects of an arc."""
    which = given.ARC_EFFECTS[arc]
    for number, effects in given.EFFECTS:
        if which == number:
            for effect in effects:
                effect(table)
            break
