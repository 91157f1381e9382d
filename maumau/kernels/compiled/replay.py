"""How a search plays a world by the moves that were made in the game.

The columns of a move are those of `maumau.agents.compiled.inference`.
"""

from __future__ import annotations

from fsm.edge.numbers import Array
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.given import Known, given
from maumau.kernels.compiled.in_place import in_place
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.numbered import keep_named, restore_named
from maumau.kernels.compiled.turns import NOT_FORCED, choose_by, fire_event, fire_forced, is_enabled

DIFFERING, WRONG, FIRST, AT, BLAMED = range(5)
"""What is known of a world that is played: how many moves of other seats differ from the policy; how many moves are not
legal, with those that could not be made; the index of the first of these, or how many there are; the index of the next
move; and what would mend it: the cards of which its player should have less, or the complement of those it lacks.
"""


def replay(table: Table, phase: int, moves: Array, seat: int, most: int) -> tuple[int, int, int, int, int]:
    """Play a table by some moves, and return the phase at the end, and the numbers DIFFERING, WRONG, FIRST and BLAMED.

    most: how unlikely the world may be; where it is less likely, it is not played to its end.
    """
    state = given.new_integers(5)
    state[DIFFERING], state[WRONG], state[FIRST], state[AT], state[BLAMED] = 0, 0, len(moves), 0, -1
    reached = last_phase(table, phase, moves, seat, most, state)
    return reached, state[DIFFERING], state[WRONG], state[FIRST], state[BLAMED]


@in_place
def last_phase(table: Table, phase: int, moves: Array, seat: int, most: int, state: Array) -> int:
    """Play a table by some moves, and return the phase in which that ends."""
    while True:
        for number, is_end, forced, step in given.REPLAYED:
            if phase == number:
                following, _ = fire_forced(table, forced, 0, None)
                if following == NOT_FORCED:
                    following = (
                        diverged(moves, state) if is_end else made_again(table, phase, moves, seat, most, state, step)
                    )
                elif following == STUCK:
                    diverged(moves, state)
                if following == STUCK:
                    return phase
                phase = following
                break


def diverged(moves: Array, state: Array) -> int:
    """Count the moves that are left as moves that are not legal, and return STUCK."""
    state[WRONG] += len(moves) - state[AT]
    state[FIRST] = min(state[FIRST], state[AT])
    return STUCK


def made_again(table: Table, phase: int, moves: Array, seat: int, most: int, state: Array, step: Known) -> int:
    """Make the next move, and return the phase to which it leads, or STUCK."""
    how, trees, offers, unseen, from_hand = step
    at = state[AT]
    hidden = unseen_event(table, phase, moves, at, seat, unseen)
    if hidden >= 0:
        if differs_too_often(table, hidden, moves, most, state, (how, offers)):
            return STUCK
        return fired(table, hidden, moves, state, trees)
    if at == len(moves):
        return diverged(moves, state)
    if moves[at, 0] != phase or moves[at, 1] != table.player or moves[at, given.HEAD] != table.head:
        return diverged(moves, state)
    made = moves[at, given.OFFER]
    if given.REVEALS:  # hands may have moved
        count_strange(table, moves, seat, state)
        if made < 0:
            state[AT] += 1
            return diverged(moves, state)
    if table.player != seat and differs_too_often(table, made, moves, most, state, (how, offers)):
        return STUCK
    if not put_again(table, made, moves, most, state, (offers, from_hand)):
        return STUCK
    state[AT] += 1
    return fired(table, made, moves, state, trees)


@in_place
def unseen_event(table: Table, phase: int, moves: Array, at: int, seat: int, unseen: Known) -> int:
    """Return the place of the offer by which another seat does what `seat` does not see, where it has done nothing
    else, or -1.
    """
    for index, _ in unseen:
        place: int = index
        seen = at < len(moves) and moves[at, 0] == phase and moves[at, 1] == table.player
        if table.player != seat and not seen:
            return place
    return -1


def count_strange(table: Table, moves: Array, seat: int, state: Array) -> None:
    """Count the cards of a seat that it did not have when a move was made, after it was given a hand, as moves that are
    not legal: the last row of the moves shows nothing else.
    """
    at, strange = state[AT], 0
    if moves[at, given.SHOWN] == 1:
        for column, name in enumerate(given.HANDS):
            strange += (getattr(table, name)[seat] & ~moves[at, given.MASKS + column]).bit_count()
    if strange > 0:
        state[WRONG] += strange
        state[FIRST] = min(state[FIRST], at)


def differs_too_often(table: Table, made: int, moves: Array, most: int, state: Array, step: Known) -> bool:
    """Count a move of another seat if the policy would have chosen another one, and return whether that ends the world.

    made: the place of its offer. step: how the policy chooses, and the offers.
    """
    how, offers = step
    kept = given.new_integers(len(given.NAMED_FIELDS))
    keep_named(table, kept)
    event, _ = choose_by(table, how, 0, None)
    if event == STUCK:
        diverged(moves, state)
        return True
    differs = is_other_move(table, event, made, moves, state, offers)
    restore_named(table, kept)
    if differs:
        state[DIFFERING] += 1
    return differs and is_too_unlikely(state, most)


def is_too_unlikely(state: Array, most: int) -> bool:
    """Return whether a world is less likely than it may be."""
    found: bool = state[DIFFERING] + given.ILLEGAL * state[WRONG] > most
    return found


def is_other_move(table: Table, event: int, made: int, moves: Array, state: Array, offers: Known) -> bool:
    """Return whether the move on the table, of the offer at a place, is another one than was made."""
    if event != made:
        return True
    at = state[AT]
    for index, offer in enumerate(offers):
        cards, values, field, _, _ = offer
        if event == index:
            if cards and is_other_card(table.card, moves[at, 3]):
                return True
            return moves[at, 4] >= 0 and getattr(table, field) != moves[at, 4] if values else False
    return False


def is_other_card(card: int, code: int) -> bool:
    """Return whether a card has another name than the one of a code."""
    if given.NAMES_REPEAT:
        return given.KIND[card] != given.KIND[code]
    return card != code


def put_again(table: Table, made: int, moves: Array, most: int, state: Array, step: Known) -> bool:
    """Put the next move on the table, count it if it is not legal, and return whether the world goes on.

    made: the place of its offer. step: the offers, and what gives the cards that are named from the hand.
    """
    offers, from_hand = step
    at = state[AT]
    for index, offer in enumerate(offers):
        if made == index or index == len(offers) - 1:
            legal, lacking = put_made(table, moves[at, 3], moves[at, 4], offer)
            if lacking != 0:
                if at < state[FIRST]:
                    state[BLAMED] = ~lacking
                diverged(moves, state)
                return False
            if not legal:
                state[WRONG] += 1
                if is_too_unlikely(state, most):
                    return False
                if at < state[FIRST]:
                    state[FIRST], state[BLAMED] = at, cards_in_hand(table, from_hand)
            return True
    return True


def fired(table: Table, event: int, moves: Array, state: Array, trees: Known) -> int:
    """Fire the transition of the offer at a place, and return the phase to which it leads, or STUCK."""
    phase: int = fire_event(table, event, trees)
    return diverged(moves, state) if phase == STUCK else phase


def put_made(table: Table, code: int, value: int, offer: Known) -> tuple[int, int]:
    """Put what a move names on the table, and return whether it is legal, and the cards that are lacking, or 0.

    Of several cards with one name it is one that may be named, for which of them was dealt to whom is not known.
    """
    cards, values, field, is_from_hand, arcs = offer
    legal = 1
    if cards:
        sought = given.ALIKE[given.KIND[code]] if given.NAMES_REPEAT else 1 << code
        there = getattr(table, given.HANDS[0])[table.player] & sought if is_from_hand else 1 << code & sought
        if there == 0:
            return 0, sought
        offered = cards(table) & sought
        legal = int(offered != 0)
        if legal:
            there = offered
        table.card = (there & -there).bit_length() - 1
    if values:
        allowed = value < 0 or values(table) >> value & 1 == 1
        legal = int(legal and allowed)
    if cards or values:
        setattr(table, field, value)
    else:
        legal = int(is_enabled(table, arcs))
    return legal, 0


def cards_in_hand(table: Table, from_hand: Known) -> int:
    """Return the cards of the hand that might be named instead, or -1."""
    if not from_hand:
        return -1
    cards = 0
    for offered in from_hand:
        cards |= offered(table)
    return given.alike_of(cards) if given.NAMES_REPEAT else cards
