"""The search in worlds: the table of a game in which all cards that a seat does not know are dealt anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.agents.compiled.batches import CHOSEN, LEARNING, SEEN
from maumau.agents.compiled.scoring import best_action, legal_actions
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.program import HORIZON
from rules.chance import words_of
from rules.queues import QUEUE_BYTES

if TYPE_CHECKING:
    from maumau.agents.compiled.given import (
        ACTIONS,
        BY_NET,
        BY_TREE,
        DECLARES_REWARDS,
        FOLLOWS,
        HELD,
        HIDES_PILES,
        KINDS,
        LEFT,
        MISSING,
        NOTES,
        PILE_HIDDEN,
        PLAYOUT_STOPS,
        RING,
        SEATS,
        TABLE_BYTES,
        WIDTH,
        act,
        determine,
        explore,
        forget_determined,
        game_rewards,
        give,
        give_piles,
        hand,
        observe,
        run,
        run_by_policies,
        take_hidden,
        take_piles,
        turned_up,
        write_mask,
    )
    from maumau.kernels.compiled.given import (
        DECK_SIZE,
        FINAL,
        SHARES_WINS,
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


SEARCHING = 1 << 24
"""The purpose of the random words of the first decision of a game, of the next one that of the next number."""
CODES = 64
"""The number of card codes."""
BLOCKS = 64
"""Blocks of random words of a world."""
AT_ONCE = 8
"""Blocks of which a processor computes the random words at once."""


def hide(table: Table, seat: int, notes: Row, counts: Row, missing: Row, unknown: Row, pool: Row) -> int:
    """Take all cards from `table` that `seat` neither sees nor knows; how many there are.

    pool: their codes, ascending. missing: how many each seat lacks, and each pile. unknown: whether each place of the
    ring lacks one.
    """
    forget_determined(table)
    known = notes[SEEN] | notes[LEFT + seat] if FOLLOWS else 0
    lying = known | turned_up(table)
    for code in range(CODES):
        counts[code] = 0
    for index in range(len(table.ring)):
        unknown[index] = 0
    for index in range(table.head, table.head + (table.stock if PILE_HIDDEN else 0)):
        at = index & len(table.ring) - 1
        code = table.ring[at]
        if lying >> code & 1 == 0:
            counts[code] += 1
            unknown[at] = 1
            table.ring[at] = 0
    for other in range(table.players):
        missing[other] = take_hidden(table, seat, other, known, counts)
    if HIDES_PILES:
        take_piles(table, seat, lying, counts, missing)
    size = 0
    for code in range(CODES):
        for _ in range(counts[code]):
            pool[size] = code
            size += 1
    return size


def draw(words: Row, room: int, blocks: int, seed: int, number: int, block: int, purpose: int) -> None:
    """Fill `words` with those of blocks from `block` on: a row of `room` for the first words, one for the second, ...

    A processor computes the words of AT_ONCE blocks at once: some more are drawn than asked for, which takes less time.
    """
    for index in range(blocks + AT_ONCE - 1 & -AT_ONCE):
        first, second, third, fourth = words_of(seed, number, block + index, purpose)
        words[index] = first
        words[room + index] = second
        words[2 * room + index] = third
        words[3 * room + index] = fourth


def shuffle_cards(
    cards: Row, size: int, words: Row, room: int, seed: int, number: int, block: int, purpose: int
) -> int:
    """Shuffle so many cards by the random words from a block on; the block after these."""
    blocks = size + 2 >> 2
    draw(words, room, blocks, seed, number, block, purpose)
    for turn in range(size - 1):
        last = size - turn - 1
        chosen = words[(turn & 3) * room + (turn >> 2)] * (last + 1) >> 32
        card = cards[chosen]
        cards[chosen] = cards[last]
        cards[last] = card
    return block + blocks


def fill_world(
    table: Table, pool: Row, size: int, missing: Row, unknown: Row, words: Row,
    seed: int, number: int, world: int, purpose: int,
) -> None:  # fmt: skip
    """Shuffle the pool by the random words of a world, and deal its cards."""
    shuffle_cards(pool, size, words, BLOCKS, seed, number, world * BLOCKS, purpose)
    dealt = 0
    for other in range(table.players):
        for _ in range(missing[other]):
            give(table, other, 1 << pool[dealt])
            dealt += 1
    if HIDES_PILES:
        dealt = give_piles(table, missing, pool, dealt)
    for index in range(table.head, table.head + table.stock):
        at = index & len(table.ring) - 1
        if unknown[at] == 1:
            table.ring[at] = pool[dealt]
            dealt += 1
    determine(table)
    first, second, _, _ = words_of(seed, number, world * BLOCKS + BLOCKS - 1, purpose)
    table.seed, table.number, table.rolls, table.returned = first, second, 0, 0


def search(
    tables: Array, phases: Array, notes: Array, masks: Array, wins: Array, first: int, worlds: int, own: int, seed: int,
    discarded: Array, hidden: int, weights: Array, room: Array,
    marks: Array, nodes: Array, edges: Array, scale: Array, curve: Array, saved: Array,
) -> int:  # fmt: skip
    """Play out each legal action of each table in the worlds from `first` on, and add up what the seat gains by each.

    marks, nodes, edges, scale, curve: the tree of the table, if there is one: then games are played through it.
    saved: room for a table of each world, where nothing is to be played; else empty.

    own: the number of the policy of the seat that acts. Actions are not tried where only one is legal. Returns the row
    of a table for which no arc is enabled or an action has no number, or -1.
    """
    table, base, given, after = make(), make(), make(), make()
    counts, missing, unknown = new_integers(CODES), new_integers(MISSING), new_integers(RING)
    pool, cards, seats = new_integers(DECK_SIZE), new_integers(DECK_SIZE), new_integers(SEATS)
    kept, kept_lying = new_integers(NOTES), new_bytes(KINDS)
    line, choices, words = new_bytes(WIDTH), new_bytes(ACTIONS), new_integers(4 * BLOCKS)
    more = new_bytes(ACTIONS)
    for row in range(len(phases)):
        noted = integers_at(notes.ctypes.data + row * NOTES * 8)
        lying = row_at(discarded.ctypes.data + row * KINDS)
        load(table, tables.ctypes.data + row * TABLE_BYTES)
        phase, seat = phases[row], table.player
        if not write_mask(table, phase, row_at(masks.ctypes.data + row * ACTIONS)):
            return row
        if legal_actions(masks[row], ACTIONS)[0] < 2:
            continue
        seat_players(seats, seat, own)
        copy(base, table)
        size = hide(base, seat, noted, counts, missing, unknown, cards)
        for world in range(first, first + worlds):
            copy(given, base)
            for index in range(size):
                pool[index] = cards[index]
            purpose = SEARCHING + noted[CHOSEN]
            fill_world(given, pool, size, missing, unknown, words, table.seed ^ seed, table.number, world, purpose)
            if len(saved) > 0:
                save(given, saved.ctypes.data + (world - first) * TABLE_BYTES)
                continue
            if BY_TREE:
                could_go_on = explore(
                    given, after, phase, seat, seats, masks[row], choices, noted, lying, kept, kept_lying, line, more,
                    hidden, weights, room, marks, nodes, edges, scale, curve,
                )  # fmt: skip
            else:
                could_go_on = try_actions(
                    given, after, phase, seat, masks[row], wins[row], seats,
                    noted, lying, kept, kept_lying, line, choices, hidden, weights, room,
                )  # fmt: skip
            if not could_go_on:
                return row
    return -1


def try_actions(
    world: Table, after: Table, phase: int, seat: int, mask: Row, wins: Row, seats: Row,
    noted: Row, lying: Row, kept: Row, kept_lying: Row, line: Row, choices: Row,
    hidden: int, weights: Array, room: Array,
) -> bool:  # fmt: skip
    """Play out each legal action in a world, and add up what the seat gains; false where no arc was enabled."""
    for action in range(ACTIONS):
        if mask[action] == 0:
            continue
        copy(after, world)
        end = play_out(
            after, phase, action, seats, noted, lying, kept, kept_lying, line, choices, hidden, weights, room
        )
        if end == STUCK:
            return False
        if end == FINAL:
            wins[action] += gain(after, seat)
    return True


def gain(table: Table, seat: int) -> int:
    """What a seat gains by a game that is over: its reward, or 1 if it has won."""
    if DECLARES_REWARDS:
        return game_rewards(table, seat)
    gained = 1 if table.winner == seat else 0
    if SHARES_WINS:
        gained = table.winners >> seat & 1
    return gained


def seat_players(seats: Row, seat: int, own: int) -> None:
    """Give each seat the number of its policy: `own` the seat that searches; after a net, the others have the first."""
    for other in range(SEATS):
        seats[other] = LEARNING + 1 if BY_NET else 0
    seats[seat] = own


def play_out(
    table: Table, phase: int, action: int, seats: Row, noted: Row, lying: Row, kept: Row, kept_lying: Row,
    line: Row, choices: Row, hidden: int, weights: Array, room: Array,
) -> int:  # fmt: skip
    """Play an action of the player who acts and then the game, by policies and perhaps a net; the last phase.

    noted, lying: the notes and the cards that are discarded. kept, kept_lying, line, choices, room: memory.
    """
    if BY_NET:
        return play_out_by_net(
            table, phase, action, seats, noted, lying, kept, kept_lying, line, choices, hidden, weights, room
        )
    phase = act(table, phase, action)
    if phase not in (FINAL, STUCK):
        nothing = new_integers(0)
        phase, _ = run_by_policies(table, phase, PLAYOUT_STOPS, seats, 0, nothing, nothing, nothing, 0)
    return phase


def play_out_by_net(
    table: Table, phase: int, action: int, seats: Row, noted: Row, lying: Row, kept: Row, kept_lying: Row,
    line: Row, choices: Row, hidden: int, weights: Array, room: Array,
) -> int:  # fmt: skip
    """The same where a net chooses for the seat that searches: its number is LEARNING."""
    seat = table.player
    copy_notes(table, seat, noted, lying, kept, kept_lying)
    limit = kept[CHOSEN] + HORIZON
    return finish_by_net(
        table, phase, action, seat, limit, seats, kept, kept_lying, line, choices, hidden, weights, room
    )


def copy_notes(table: Table, seat: int, noted: Row, lying: Row, kept: Row, kept_lying: Row) -> None:
    """Copy the notes of a game for a world, of which nothing else is known."""
    for index in range(NOTES):
        kept[index] = noted[index]
    for kind in range(KINDS):
        kept_lying[kind] = lying[kind]
    for other in range(table.players):
        kept[HELD + other] = hand(table, other)
        if other != seat:
            kept[LEFT + other] = 0


def finish_by_net(
    table: Table, phase: int, action: int, seat: int, limit: int, seats: Row, kept: Row, kept_lying: Row,
    line: Row, choices: Row, hidden: int, weights: Array, room: Array,
) -> int:  # fmt: skip
    """Play an action and then the game, up to a limit of choices; the last phase. kept, kept_lying: the notes."""
    nothing = new_integers(0)
    while True:
        phase = run(
            table, phase, seats, limit, action, kept, kept_lying,
            nothing, nothing, 0, table, nothing, nothing, nothing, nothing,
        )  # fmt: skip
        if phase in (FINAL, STUCK) or kept[CHOSEN] >= limit:
            return phase
        observe(table, phase, seat, kept, kept_lying, line)
        write_mask(table, phase, choices)
        action = best_action(line, choices, WIDTH, ACTIONS, hidden, weights, room)


# ---------------------------------------------------------------- hidden piles

# The cards that a seat does not know are taken out of them, and others are dealt into them.


LACKING = 255
"""In place of the code of a card that was taken out of a pile whose cards lie in an order."""


def take_mask(masks: Row, place: int, known: int, counts: Row, missing: Row, at: int) -> None:
    """Take the cards that are not known out of the pile at a place, counted by their codes.

    missing: at the index `at` how many were taken.
    """
    hidden = masks[place] & ~known
    masks[place] ^= hidden
    missing[at] = hidden.bit_count()
    while hidden != 0:
        counts[(hidden & -hidden).bit_length() - 1] += 1
        hidden &= hidden - 1


def give_mask(masks: Row, place: int, missing: Row, at: int, pool: Row, dealt: int) -> int:
    """Deal as many cards of the pool as `take_mask` has taken; how many are dealt now."""
    for _ in range(missing[at]):
        masks[place] |= 1 << pool[dealt]
        dealt += 1
    return dealt


def take_queue(queues: Row, place: int, known: int, counts: Row) -> None:
    """Take the cards that are not known out of a pile whose cards lie in an order; LACKING is left in their places."""
    first = place * QUEUE_BYTES + 1
    for index in range(first, first + queues[first - 1]):
        if known >> queues[index] & 1 == 0:
            counts[queues[index]] += 1
            queues[index] = LACKING


def give_queue(queues: Row, place: int, pool: Row, dealt: int) -> int:
    """Deal cards of the pool into the places where `take_queue` has left LACKING; how many are dealt now."""
    first = place * QUEUE_BYTES + 1
    for index in range(first, first + queues[first - 1]):
        if queues[index] == LACKING:
            queues[index] = pool[dealt]
            dealt += 1
    return dealt
