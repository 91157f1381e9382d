"""The functions of `Interface` that depend on the game, and its moves, each as one number."""

from __future__ import annotations

from fsm.edge.numbers import Array
from maumau.kernels.compiled import turns
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.given import Known, given
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.turns import NOT_FORCED, fire_event, fire_forced, first_enabled, is_enabled

# ---------------------------------------------------------------- a move as one number

# The index of its offer, and its card and value, where -1 stands for none.

BITS = 8
"""The bits of a card or a value, which are 1 more than their codes: a mask of them has 64 bits."""
NAMED = (1 << BITS) - 1


def move_word(offer: int, card: int, value: int) -> int:
    """Return the number of a move."""
    return offer << 2 * BITS | card + 1 << BITS | value + 1


def offer_of(move: int) -> int:
    """Return the index of the offer of a move among those of its phase."""
    return move >> 2 * BITS


def card_of(move: int) -> int:
    """Return the card code of a move, -1 for none."""
    return (move >> BITS & NAMED) - 1


def value_of(move: int) -> int:
    """Return the value code of a move, -1 for none."""
    return (move & NAMED) - 1


def without_value(move: int) -> int:
    """Return the number of a move with the same card that names no value."""
    return move & ~NAMED


# ---------------------------------------------------------------- forced events


def settle(table: Table, phase: int) -> int:
    """Fire what is forced, and return the phase in which a player chooses, the last one, or STUCK."""
    while True:
        for number, _, _, tree, _, _ in given.PHASES:
            if phase == number:
                following, _ = fire_forced(table, tree, 0, None)
                if following == NOT_FORCED:
                    return phase
                phase = following
                break


def forced(table: Table, phase: int) -> int:
    """Return the transition that is forced, NOT_FORCED or STUCK."""
    for number, _, _, tree, _, _ in given.PHASES:
        if phase == number and tree:
            return first_enabled(table, tree)
    return NOT_FORCED


# ---------------------------------------------------------------- moves


def moves(table: Table, phase: int, out: Array) -> int:
    """Write the legal moves of a phase in which nothing is forced into `out`, ascending, and return how many."""
    for number, offers in given.MOVES:
        if phase == number:
            return list_moves(table, out, offers)
    return 0


def list_moves(table: Table, out: Array, offers: Known) -> int:
    """Write the legal moves of some offers into `out`, ascending, and return how many."""
    card, count = table.card, 0
    for index, cards, values, _, arcs, _ in offers:
        if cards:
            left = cards(table)
            while left != 0:
                table.card = (left & -left).bit_length() - 1
                left &= left - 1
                named = values(table) if values else 0
                if named == 0:
                    out[count] = move_word(index, table.card, -1)
                    count += 1
                while named != 0:
                    out[count] = move_word(index, table.card, (named & -named).bit_length() - 1)
                    count += 1
                    named &= named - 1
            table.card = card
        elif values:
            named = values(table)
            while named != 0:
                out[count] = move_word(index, -1, (named & -named).bit_length() - 1)
                count += 1
                named &= named - 1
        elif is_enabled(table, arcs):
            out[count] = move_word(index, -1, -1)
            count += 1
    return count


def put(table: Table, phase: int, move: int) -> None:
    """Put the card and the value of a move on the table."""
    for number, offers in given.MOVES:
        if phase == number:
            for index, cards, values, field, _, _ in offers:
                if offer_of(move) == index or index == len(offers) - 1:
                    if cards:
                        table.card = card_of(move)
                    if cards or values:
                        setattr(table, field, value_of(move))
                    return


def act(table: Table, phase: int, move: int) -> int:
    """Put a legal move on the table and fire its transition, and return the phase to which it leads, or STUCK."""
    put(table, phase, move)
    for number, _, _, _, _, offers in given.PHASES:
        if phase == number and offers:
            return fire_event(table, offer_of(move), offers)
    return phase


def chosen(table: Table, phase: int, move: int) -> int:
    """Return the transition of a legal move that is on the table, or STUCK."""
    for number, _, _, _, _, offers in given.PHASES:
        if phase == number and offers:
            for index, is_last, tree in offers:
                if offer_of(move) == index or is_last:
                    return first_enabled(table, tree)
    return STUCK


# ---------------------------------------------------------------- policies


def choose(table: Table, phase: int, policy: int) -> int:
    """Return the move that a policy chooses where nothing is forced, by its number; it is put on the table."""
    for number, _, _, _, policies, _ in given.PHASES:
        if phase == number and policies:
            event, _ = turns.choose(table, policy, policies, 0, None)
            return word_of(table, phase, event)
    return STUCK


def word_of(table: Table, phase: int, event: int) -> int:
    """Return the number of the move that is on the table, of the offer at a place, or STUCK."""
    for number, offers in given.MOVES:
        if phase == number:
            for index, cards, _, field, _, is_named in offers:
                if event == index:
                    return move_word(index, table.card if cards else -1, getattr(table, field) if is_named else -1)
    return STUCK


def play(table: Table, phase: int, policy: int) -> int:
    """Let a policy choose where nothing is forced, fire it, and return the phase to which it leads, or STUCK."""
    for number, _, _, _, policies, offers in given.PHASES:
        if phase == number and policies:
            event, _ = turns.choose(table, policy, policies, 0, None)
            if event == STUCK:
                return STUCK
            return fire_event(table, event, offers)
    return phase


# ---------------------------------------------------------------- transitions


def enabled(table: Table, arc: int) -> bool:
    """Return whether the guards of a transition hold, by its number."""
    for number, _, _, guards in given.ARCS:
        if arc == number:
            return is_enabled(table, guards)
    return False


def fire(table: Table, arc: int) -> int:
    """Call the effects of a transition, and return the phase to which it leads."""
    for number, phase, effects, _ in given.ARCS:
        if arc == number:
            following: int = phase
            for effect in effects:
                effect(table)
            return following
    return STUCK


STEPPING = (
    act, card_of, choose, chosen, enabled, fire, forced, move_word, moves, offer_of, play, put, settle, value_of,
    without_value,
)  # fmt: skip
"""The functions of the interface."""
