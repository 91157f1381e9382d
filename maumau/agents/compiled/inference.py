"""The search in worlds which agree with what the other players have done.

A world is the game from its start, with the cards that are hidden dealt anew. It is played again by the moves that were
made; where another player's policy would have chosen another move, the world is less likely. From world to world two
cards are exchanged (Metropolis et al. 1953), so the worlds are those that are likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.agents.compiled.worlds import SEARCHING, draw, seat_players, shuffle_cards, try_actions
from maumau.kernels.compiled.ends import NO_LIMIT
from rules.chance import words_of

if TYPE_CHECKING:
    from maumau.agents.compiled.given import (
        ACTIONS,
        BY_TREE,
        KINDS,
        NOTES,
        SEATS,
        TABLE_BYTES,
        WIDTH,
        explore,
        give,
        replay,
        take,
        write_mask,
    )
    from maumau.kernels.compiled.given import (
        DECK_SIZE,
        Array,
        Row,
        Table,
        copy,
        integers_at,
        load,
        make,
        new_bytes,
        new_integers,
        row_at,
        save,
    )

MAX_ENERGY = 63
"""A world that is less likely by so many moves is never accepted: the last of the `likely`, which is 0."""
PATIENCE = 100
"""Rounds of exchanges after which a chain that has no world in which all moves are legal is given up."""
ILLEGAL = 2
"""What a move that could not be made counts, and each one after it, where one that differs counts 1."""
WIDE = 512
"""Blocks of random words that are drawn at a time, at most."""
BURN_IN = 200
"""Exchanges before the first world of a chain."""
EXCHANGES = 12
"""Exchanges from one world to the next."""
ANY = -2
"""In place of a hand."""
OFFER, EVENTS, HAND, HEAD, SHOWN, MASKS = 2, 5, 6, 7, 8, 9
"""Columns of a move (`maumau.agents.search.evidence.Decision`): from MASKS on the cards that its seat holds."""


def lay(table: Table, items: Array, item: int, code: int) -> None:
    """Put a hidden card where it was at the start."""
    if items[item, 0] >= 0:
        give(table, items[item, 0], 1 << code)
    else:
        table.ring[items[item, 1]] = code


def one_of(
    items: Array, codes: Row, cards: int, hand: int, after: int, until: int, word: int, default: int, found: Row
) -> int:
    """By a random word one of the items that have some cards and came to a hand, or to ANY, after some event and until
    another; else the default. found: memory.
    """
    count = 0
    for item in range(len(items)):
        found[count] = item
        count += is_one_of(items, codes, cards, hand, after, until, item)
    return found[word * count >> 32] if count > 0 else default


def is_one_of(items: Array, codes: Row, cards: int, hand: int, after: int, until: int, item: int) -> bool:
    """Whether an item does."""
    return cards >> codes[item] & 1 == 1 and (
        hand == ANY or (items[item, 2] == hand and after < items[item, 3] <= until)
    )


def judge(table: Table, base: Table, phase: int, moves: Array, seat: int, most: int) -> tuple[int, int, int, int, int]:
    """Play the world of which `base` is the start by some moves, as `replay` does."""
    copy(table, base)
    return replay(table, phase, moves, seat, most)


def assign(
    items: Array, laid: Array, pool: Row, size: int, codes: Row, words: Row,
    seed: int, number: int, block: int, purpose: int,
) -> bool:  # fmt: skip
    """Give each hidden card a code; whether that is possible. words: memory.

    One that was laid was taken by its player just before, or it is any that came to the hand.
    """
    for item in range(len(items)):
        codes[item] = -1
    for turn in range(len(laid)):
        count, latest = 0, -1
        for item in range(len(items)):
            if codes[item] < 0 and items[item, 2] == laid[turn, 0] and items[item, 3] <= laid[turn, 1]:
                count += 1
                if items[item, 3] == laid[turn, 1]:
                    latest = item
        if count == 0:
            return False
        word, _, _, _ = words_of(seed, number, block + turn, purpose)
        chosen = word * count >> 32
        for item in range(len(items)):
            if codes[item] < 0 and items[item, 2] == laid[turn, 0] and items[item, 3] <= laid[turn, 1]:
                if item == latest or (latest < 0 and chosen == 0):
                    codes[item] = laid[turn, 2]
                chosen -= 1
    draw(words, WIDE, size, seed, number, block + len(laid) + 1, purpose)
    left, item = size, 0
    while left > 0:
        if codes[item] < 0:
            chosen = words[left - 1] * left >> 32
            left -= 1
            codes[item] = pool[chosen]
            pool[chosen] = pool[left]
            pool[left] = codes[item]
        item += 1
    return True


def exchange(table: Table, items: Array, codes: Row, one: int, other: int) -> None:
    """Exchange two hidden cards of a table where they were at the start."""
    lift(table, items, codes, one)
    lift(table, items, codes, other)
    lay(table, items, one, codes[other])
    lay(table, items, other, codes[one])


def lift(table: Table, items: Array, codes: Row, item: int) -> None:
    """Take a hidden card from the hand where it was at the start, if it was in one."""
    if items[item, 0] >= 0:
        take(table, items[item, 0], 1 << codes[item])


def walk(
    table: Table, base: Table, phase: int, items: Array, codes: Row, moves: Array, seat: int, likely: Array,
    played: Array, exchanges: int, current: int, wrong: int, failed: int, blamed: int,
    cards: Row, words: Row, dice: int, number: int, block: int, purpose: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Exchange cards that players had, each time if the world is not too unlikely then.

    played: the items that were in hands. cards, words: memory. Returns how unlikely the world is, how many moves are
    not legal in it, the index of the first of these, what would mend it, as `replay` does, and the next block of random
    words.
    """
    exchanges, is_judged = exchanges if len(played) > 0 else 0, False
    draw(words, WIDE, exchanges, dice, number, block, purpose)
    for index in range(exchanges):
        first, second, third = words[index], words[WIDE + index], words[2 * WIDE + index]
        one, other = played[first * len(played) >> 32], second * len(items) >> 32
        if wrong > 0 and failed < len(moves) and blamed != -1:
            hand, events = moves[failed, HAND], moves[failed, EVENTS]
            one = one_of(items, codes, blamed if blamed >= 0 else -1, hand, -1, events, first, one, cards)
            if blamed >= 0 and second & 1 == 1:
                other = one_of(items, codes, ~blamed, hand, events, NO_LIMIT, second, other, cards)
            else:
                other = one_of(items, codes, ~blamed, ANY, 0, 0, second, other, cards)
        if codes[one] == codes[other]:
            continue
        if is_judged and items[one, 0] >= 0 and items[one, 0] == items[other, 0]:  # the same hand: it changes nothing
            codes[one], codes[other] = codes[other], codes[one]
            continue
        most = current
        while third < likely[most - current + 1]:
            most += 1
        copy(table, base)
        exchange(table, items, codes, one, other)
        _, differing, missed, its, instead = replay(table, phase, moves, seat, most)
        if differing + ILLEGAL * missed <= most:
            exchange(base, items, codes, one, other)
            codes[one], codes[other] = codes[other], codes[one]
            current, wrong, failed, blamed = differing + ILLEGAL * missed, missed, its, instead
            is_judged = True
    return current, wrong, failed, blamed, block + exchanges


def shuffle_undrawn(
    base: Table, items: Array, codes: Row, undrawn: Array, cards: Row, words: Row,
    dice: int, number: int, block: int, purpose: int,
) -> int:  # fmt: skip
    """Shuffle the cards that nobody had; the next block of random words. cards: memory."""
    if len(undrawn) == 0:
        return block
    for index in range(len(undrawn)):
        cards[index] = codes[undrawn[index]]
    block = shuffle_cards(cards, len(undrawn), words, WIDE, dice, number, block, purpose)
    for index in range(len(undrawn)):
        codes[undrawn[index]] = cards[index]
        base.ring[items[undrawn[index], 1]] = cards[index]
    return block


def infer(
    start: Array, phase: int, items: Array, played: Array, undrawn: Array, laid: Array, pool: Array,
    moves: Array, likely: Array, now: int, head: int, seat: int, wins: Array, sums: Array,
    first: int, end: int, part: int, worlds: int, own: int, seed: int,
    notes: Array, discarded: Array, hidden: int, weights: Array, room: Array,
    marks: Array, nodes: Array, edges: Array, scale: Array, curve: Array, saved: Array,
) -> None:  # fmt: skip
    """Play out each legal action in the worlds of the chains from `first` to `end`, a part of all `worlds`, and add up
    what the seat gains by each, in a row for each chain.

    played, undrawn: the items that were in hands, and those that nobody had. now, head: the number of the phase in
    which `seat` decides, and where the draw pile begins then. saved: room for the starts of all worlds, where nothing
    is to be played; else empty. sums: how many worlds there were, and how many moves of other seats differed from the
    policy in them.
    """
    for chain in range(first, end):
        count = worlds * (chain + 1) // len(wins) - worlds * chain // len(wins)
        if count > 0:
            infer_chain(
                start, phase, items, played, undrawn, laid, pool, moves, likely, now, head, seat, wins[chain],
                sums[chain], part * len(wins) + chain, count, own, seed, notes, discarded, hidden, weights, room,
                marks, nodes, edges, scale, curve, saved,
            )  # fmt: skip


def infer_chain(
    start: Array, phase: int, items: Array, played: Array, undrawn: Array, laid: Array, pool: Array,
    moves: Array, likely: Array, now: int, head: int, seat: int, wins: Array, sums: Array,
    chain: int, worlds: int, own: int, seed: int,
    notes: Array, discarded: Array, hidden: int, weights: Array, room: Array,
    marks: Array, nodes: Array, edges: Array, scale: Array, curve: Array, saved: Array,
) -> None:  # fmt: skip
    """The same in the worlds of one chain."""
    base, table, after = make(), make(), make()
    load(base, start.ctypes.data)
    codes, mask, seats = new_integers(DECK_SIZE), new_bytes(ACTIONS), new_integers(SEATS)
    seat_players(seats, seat, own)
    noted, lying = integers_at(notes.ctypes.data), row_at(discarded.ctypes.data)
    kept, kept_lying = new_integers(NOTES), new_bytes(KINDS)
    line, choices, words = new_bytes(WIDTH), new_bytes(ACTIONS), new_integers(4 * WIDE)
    more = new_bytes(ACTIONS)
    number, dice = base.number, base.seed ^ seed
    purpose = SEARCHING + len(moves)
    block = chain << 22
    cards = new_integers(DECK_SIZE)
    for item in range(len(pool)):
        cards[item] = pool[item]
    if not assign(items, laid, cards, len(pool), codes, words, dice, number, block, purpose):
        return
    block += 1024
    for item in range(len(items)):
        lay(base, items, item, codes[item])
    _, differing, wrong, failed, blamed = judge(table, base, phase, moves, seat, NO_LIMIT)
    current = differing + ILLEGAL * wrong
    exchanges, patience, world = BURN_IN, PATIENCE, 0
    while world < worlds:
        current, wrong, failed, blamed, block = walk(
            table, base, phase, items, codes, moves, seat, likely, played, exchanges, current, wrong, failed,
            blamed, cards, words, dice, number, block, purpose,
        )  # fmt: skip
        exchanges = EXCHANGES
        if wrong > 0:
            patience -= 1
            if patience == 0:
                sums[1] = -wrong
                return
            continue
        world += 1
        block = shuffle_undrawn(base, items, codes, undrawn, cards, words, dice, number, block, purpose)
        reached, differing, wrong, failed, blamed = judge(table, base, phase, moves, seat, NO_LIMIT)
        if wrong != 0 or reached != now or table.head != head or table.player != seat:
            continue
        first, second, _, _ = words_of(dice, number, block, purpose)
        block += 1
        table.seed, table.number, table.rolls, table.returned = first, second, 0, 0
        write_mask(table, reached, mask)
        if len(saved) > 0:
            save(base, saved.ctypes.data + sums[0] * TABLE_BYTES)
        sums[0] += 1
        sums[1] += differing
        if len(saved) > 0:
            continue
        if BY_TREE:
            explore(
                table, after, reached, seat, seats, mask, choices, noted, lying, kept, kept_lying, line, more,
                hidden, weights, room, marks, nodes, edges, scale, curve,
            )  # fmt: skip
        else:
            try_actions(
                table, after, reached, seat, mask, wins, seats,
                noted, lying, kept, kept_lying, line, choices, hidden, weights, room,
            )  # fmt: skip
