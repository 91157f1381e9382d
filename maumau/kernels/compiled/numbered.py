"""How a game goes on by numbered actions: the legal ones, what fires one, and to whose decision it leads.

`maumau.kernels.compiler.numbered` makes the tuples that are known when these functions are compiled.
"""

from __future__ import annotations

from typing import Any

from fsm.declaration.facts import NO_VALUE
from fsm.edge.numbers import Array
from maumau.kernels.compiled.ends import STUCK, PositionRoom, keep_position
from maumau.kernels.compiled.given import Known, given
from maumau.kernels.compiled.in_place import in_place
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.turns import NOT_FORCED, choose, choose_by, fire_event, fire_first, fire_forced, is_enabled

WAITING = -2
"""In place of an offer: the seat that acts has no policy, and its action is not known."""


def write_mask(table: Table, phase: int, line: Array) -> bool:
    """Mark the legal actions, and return whether each of them has a number."""
    for action in range(given.ACTIONS):
        line[action] = 0
    for number, _, offers, _ in given.ACTED:
        if phase == number:
            for offer in offers:
                if not mark_offer(table, line, offer):
                    return False
            return True
    return True


def mark_offer(table: Table, line: Array, offer: Known) -> bool:
    """Mark the legal actions of an offer, and return whether each of them has a number."""
    trigger, _, _, cards, values, _, _, width, run, arcs = offer
    if cards:
        card, left = table.card, cards(table)
        if run:
            first, number, length, rest = run
            for place in range(length):
                line[number + place] = left >> first + place & 1
            left &= rest
        while left != 0:
            table.card = (left & -left).bit_length() - 1
            left &= left - 1
            if not mark_values(table, line, (table.card + 1) * width, offer):
                return False
        table.card = card
        return True
    if values:
        return mark_values(table, line, 0, offer)
    if is_enabled(table, arcs):
        return mark(line, given.NUMBERS[trigger][0])
    return True


def mark_values(table: Table, line: Array, at: int, offer: Known) -> bool:
    """Mark the legal actions of an offer with a card, or without one, and return whether each of them has a number.

    at: where those of the card begin among the numbers of the actions of the event.
    """
    trigger, _, _, cards, values, _, is_seat, _, _, _ = offer
    named = values(table) if values else 0
    if cards and named == 0:
        return mark(line, given.NUMBERS[trigger][at])
    while named != 0:
        value = (named & -named).bit_length() - 1
        named &= named - 1
        if is_seat:
            value = (value - table.player + given.PLAYERS) % given.PLAYERS
        if not mark(line, given.NUMBERS[trigger][at + 1 + value]):
            return False
    return True


def mark(line: Array, action: int) -> bool:
    """Mark an action, and return whether it has a number."""
    if action < 0:
        return False
    line[action] = 1
    return True


def act(table: Table, phase: int, action: int) -> int:
    """Fire an action of the player who acts, and return the next phase, or STUCK."""
    for number, _, offers, trees in given.ACTED:
        if phase == number:
            event = put_action(table, action, offers)
            return fire_event(table, event, trees)
    return phase


@in_place
def put_action(table: Table, action: int, offers: Known) -> int:
    """Put the card and the value of an action on the table, and return the place of its offer."""
    for index, offer in enumerate(offers):
        _, first, last, cards, values, field, is_seat, _, _, _ = offer
        if first <= action <= last or index == len(offers) - 1:
            if cards:
                chosen = cards(table) & given.MEANT[action]
                table.card = (chosen & -chosen).bit_length() - 1
            if is_seat and values:
                setattr(
                    table,
                    field,
                    (given.VALUES[action] + table.player) % given.PLAYERS if given.VALUES[action] >= 0 else NO_VALUE,
                )
            elif field:
                setattr(table, field, given.VALUES[action])
            return index
    return STUCK


# ---------------------------------------------------------------- to the next decision


def run_to_decision(
    table: Table, phase: int, seats: Array, limit: int, action: int, notes: Array, discarded: Array,
    fired: Array, used: Array, weight: int, room: PositionRoom, counts: Array,
) -> int:  # fmt: skip
    """Step a table, first by `action` if it is one, to the next decision of a seat whose number is not that of a
    policy, the end or the limit.

    fired, used, weight: where arcs and decision rules are counted. room, counts: where the rules end a game as soon as
    a position returns, those that were there.
    """
    shuffled = 0
    while True:
        given.note(table, notes, discarded, shuffled)
        shuffled = 0
        for number, is_end, returns, forced, policies, trees, offers, kept in given.RUN_PHASES:
            if phase == number:
                if is_end:
                    return phase
                if returns and action < 0 and not keep_position(table, phase, room, counts):
                    notes[given.CHOSEN] = limit  # some turns began without a choice
                    return phase
                following, arc = fire_forced(table, forced, weight, fired)
                if following != NOT_FORCED:
                    phase = following
                    if given.ROLLS:
                        shuffled = given.ROLLS[arc]
                    break
                if notes[given.CHOSEN] >= limit:
                    return phase
                event = chosen_event(table, action, seats, policies, offers, weight, used)
                if event < 0:
                    return phase if event == WAITING else STUCK
                action = -1
                notes[given.CHOSEN] += 1
                for index, is_last, tree in trees:
                    if event == index or is_last:
                        keep_chosen(table, notes, kept[index])
                        phase, arc = fire_first(table, tree, weight, fired)
                        if given.ROLLS:
                            shuffled = given.ROLLS[arc]
                        break
                break


@in_place
def chosen_event(
    table: Table, action: int, seats: Array, policies: Known, offers: Known, weight: int, used: Any
) -> int:  # fmt: skip
    """Put the move of the player who acts on the table, and return the place of its offer, STUCK, or WAITING for an
    action.
    """
    if not policies or seats[table.player] <= 0:
        if action < 0:
            return WAITING
        return put_action(table, action, offers)
    event, _ = choose(table, seats[table.player] - 1, policies, weight, used)
    return event


@in_place
def keep_chosen(table: Table, notes: Array, kept: Known) -> None:
    """Keep an event that is about to fire in the notes, as each seat sees it."""
    trigger, is_seen, has_card, field, is_seat, seen_by, card_by, value_by = kept
    if given.EVENTS:
        value = -1
        if field:
            code = getattr(table, field)
            if is_seat:
                code = (code - table.player + given.PLAYERS) % given.PLAYERS if code >= 0 else NO_VALUE
            value = given.VALUE_PLACES[trigger][1 + code]
        card = given.KIND[table.card] if has_card else -1
        given.keep_event(notes, table.player, trigger, card, value, seen_by, card_by, value_by)
    if is_seen:
        notes[given.LAST + table.player] = trigger + 1


def advance(table: Table, phase: int, action: int, seat: int, left: int) -> int:
    """Fire an action of `seat`, go on to its next decision, the end, or for so many choices of others, and return the
    phase there, or STUCK.
    """
    while True:
        for number, is_end, _, forced, policies, trees, offers, _ in given.RUN_PHASES:
            if phase == number:
                if is_end:
                    return phase
                following, _ = fire_forced(table, forced, 0, None)
                if following != NOT_FORCED:
                    phase = following
                    break
                if table.player == seat:
                    if action < 0:
                        return phase
                    event = put_action(table, action, offers)
                    action = -1
                else:
                    if left == 0:
                        return phase
                    left -= 1
                    event, _ = choose_by(table, policies[0][2], 0, None)
                    if event == STUCK:
                        return STUCK
                phase = fire_event(table, event, trees)
                break


def own_action(table: Table, phase: int) -> int:
    """Return the number of the action that the policy of the seat that searches chooses, or -1; the table stays."""
    for number, policies, offers, _ in given.ACTED:
        if phase == number:
            kept = given.new_integers(len(given.NAMED_FIELDS))
            keep_named(table, kept)
            event, _ = choose_by(table, policies[-1][2], 0, None)
            action = number_of(table, event, offers)
            restore_named(table, kept)
            return action
    return -1


@in_place
def number_of(table: Table, event: int, offers: Known) -> int:
    """Return the number of the action that stands on the table, of the offer at a place, or -1."""
    for index, offer in enumerate(offers):
        trigger, _, _, cards, values, field, is_seat, width, _, _ = offer
        if event == index:
            at = (table.card + 1) * width if cards else 0
            value = getattr(table, field) if values else NO_VALUE
            if is_seat and values:
                value = (value - table.player + given.PLAYERS) % given.PLAYERS if value >= 0 else NO_VALUE
            number: int = given.NUMBERS[trigger][at + 1 + value]
            return number
    return -1


@in_place
def keep_named(table: Table, kept: Array) -> None:
    """Keep what is named on the table."""
    for index, name in enumerate(given.NAMED_FIELDS):
        kept[index] = getattr(table, name)


@in_place
def restore_named(table: Table, kept: Array) -> None:
    """Name on the table again what was kept."""
    for index, name in enumerate(given.NAMED_FIELDS):
        setattr(table, name, kept[index])


NUMBERED = act, advance, own_action, run_to_decision, write_mask
"""The functions that programs of agents may call."""
