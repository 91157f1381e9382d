"""The search in worlds which agree with what the other players have done.

A world is the game from its start, with the cards that are hidden dealt again. It is played again by the moves that
were made; where another player's policy would have chosen another move, the world is less likely. From world to world
two cards are exchanged (Metropolis et al. 1953), so the worlds are those that are likely.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.agents.compiled.batches import LEARNING
from maumau.agents.compiled.given import given
from maumau.agents.compiled.worlds import (
    SEARCHING,
    Playout,
    PlayoutMeans,
    WordAddress,
    draw,
    draw_others,
    seat_players,
    shuffle_cards,
    try_actions,
)
from maumau.kernels.compiled.in_place import apart
from maumau.kernels.compiled.interface import Table
from rules.chance import words_of

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
UNLIMITED = 1 << 62
"""More moves than any game has."""
OFFER, EVENTS, HAND, HEAD, SHOWN, MASKS = 2, 5, 6, 7, 8, 9
"""Columns of a move (`maumau.agents.search.evidence.Decision`): from MASKS on the cards that its seat holds."""


def lay(table: Table, items: Array, item: int, code: int) -> None:
    """Put a hidden card where it was at the start."""
    if items[item, 0] >= 0:
        given.give(table, items[item, 0], 1 << code)
    else:
        table.ring[items[item, 1]] = code


class SeenGame(NamedTuple):
    """What a seat has seen of a game from its start (`maumau.agents.search.evidence.Evidence`).

    start: the table of the start, as it is saved; phase: its number. items, laid, pool: hidden cards, those that were
    laid, and the codes of the others. played, undrawn: the items that were in hands, and those that nobody had.
    decisions: the moves. likely: how likely a world is accepted that is less likely by so many moves, in 2**-32. now,
    head: the number of the phase in which `seat` decides, and where the draw pile begins then.
    """

    start: Array1D[np.uint8]
    phase: int
    items: Array2D[np.int64]
    played: Array1D[np.int64]
    undrawn: Array1D[np.int64]
    laid: Array2D[np.int64]
    pool: Array1D[np.int64]
    decisions: Array2D[np.int64]
    likely: Array1D[np.int64]
    now: int
    head: int
    seat: int


class WorldChains(NamedTuple):
    """Chains of worlds, a row for each.

    notes, discarded: what is noted of the game. wins: what the seat gains by each action is added to it. sums: how many
    worlds there were, and how many moves of other seats differed from the policy in them. part: another one has other
    worlds. worlds: how many all chains have together.
    """

    notes: Array2D[np.int64]
    discarded: Array2D[np.uint8]
    wins: Array2D[np.int64]
    sums: Array2D[np.int64]
    part: int
    worlds: int


class World(NamedTuple):
    """A world. base, table: its start, and where it is played. codes: the code of each item. cards, words: memory."""

    base: Table
    table: Table
    codes: Array
    cards: Array
    words: Array


class Judged(NamedTuple):
    """How unlikely a world is, how many moves are not legal in it, the index of the first of these, what would mend it,
    as `replay` finds it.
    """

    energy: int
    wrong: int
    failed: int
    blamed: int


def one_of(seen: SeenGame, world: World, cards: int, hand: int, after: int, until: int, word: int, default: int) -> int:
    """By a random word one of the items that have some cards and came to a hand, or to ANY, after some event and until
    another; else the default.
    """
    count = 0
    for item in range(len(seen.items)):
        world.cards[count] = item
        count += is_one_of(seen.items, world.codes, cards, hand, after, until, item)
    return world.cards[word * count >> 32] if count > 0 else default


def is_one_of(items: Array, codes: Array, cards: int, hand: int, after: int, until: int, item: int) -> bool:
    """Whether an item does."""
    return cards >> codes[item] & 1 == 1 and (
        hand == ANY or (items[item, 2] == hand and after < items[item, 3] <= until)
    )


def alike_of(cards: int) -> int:
    """Find all cards with the names of some, where names repeat."""
    found = 0
    while cards != 0:
        found |= given.ALIKE[given.KIND[(cards & -cards).bit_length() - 1]]
        cards &= cards - 1
    return found


def judge(seen: SeenGame, world: World, most: int) -> tuple[int, int, int, int, int]:
    """Play a world by the moves that were made, as `replay` does."""
    given.copy(world.table, world.base)
    return given.replay(world.table, seen.phase, seen.decisions, seen.seat, most)


def assign(seen: SeenGame, world: World, dice: WordAddress, block: int) -> bool:
    """Give each hidden card a code; whether that is possible.

    One that was laid was taken by its player just before, or it is any that came to the hand.
    """
    items, laid, codes, pool = seen.items, seen.laid, world.codes, world.cards
    size = len(seen.pool)
    for item in range(size):
        pool[item] = seen.pool[item]
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
        word, _, _, _ = words_of(dice.seed, dice.number, block + turn, dice.purpose)
        chosen = word * count >> 32
        for item in range(len(items)):
            if codes[item] < 0 and items[item, 2] == laid[turn, 0] and items[item, 3] <= laid[turn, 1]:
                if item == latest or (latest < 0 and chosen == 0):
                    codes[item] = laid[turn, 2]
                chosen -= 1
    draw(world.words, WIDE, size, dice, block + len(laid) + 1)
    left, item = size, 0
    while left > 0:
        if codes[item] < 0:
            chosen = world.words[left - 1] * left >> 32
            left -= 1
            codes[item] = pool[chosen]
            pool[chosen] = pool[left]
            pool[left] = codes[item]
        item += 1
    return True


def exchange(table: Table, items: Array, codes: Array, one: int, other: int) -> None:
    """Exchange two hidden cards of a table where they were at the start."""
    lift(table, items, codes, one)
    lift(table, items, codes, other)
    lay(table, items, one, codes[other])
    lay(table, items, other, codes[one])


def lift(table: Table, items: Array, codes: Array, item: int) -> None:
    """Take a hidden card from the hand where it was at the start, if it was in one."""
    if items[item, 0] >= 0:
        given.take(table, items[item, 0], 1 << codes[item])


@apart(is_small=False)
def walk(
    seen: SeenGame, world: World, dice: WordAddress, exchanges: int, judged: Judged, block: int
) -> tuple[int, int, int, int, int]:
    """Exchange cards that players had, each time if the world is not too unlikely then.

    judged: the world as it is. Returns the numbers of `Judged` for what it is then, and the next block of random words.
    """
    items, codes, words, moves, likely = seen.items, world.codes, world.words, seen.decisions, seen.likely
    current, wrong, failed, blamed = judged.energy, judged.wrong, judged.failed, judged.blamed
    exchanges, is_judged = exchanges if len(seen.played) > 0 else 0, False
    draw(words, WIDE, exchanges, dice, block)
    for index in range(exchanges):
        first, second, third = words[index], words[WIDE + index], words[2 * WIDE + index]
        one, other = seen.played[first * len(seen.played) >> 32], second * len(items) >> 32
        if wrong > 0 and failed < len(moves) and blamed != -1:
            hand, events = moves[failed, HAND], moves[failed, EVENTS]
            one = one_of(seen, world, blamed if blamed >= 0 else -1, hand, -1, events, first, one)
            if blamed >= 0 and second & 1 == 1:
                other = one_of(seen, world, ~blamed, hand, events, UNLIMITED, second, other)
            else:
                other = one_of(seen, world, ~blamed, ANY, 0, 0, second, other)
        if codes[one] == codes[other]:
            continue
        if is_judged and items[one, 0] >= 0 and items[one, 0] == items[other, 0]:  # the same hand: it changes nothing
            codes[one], codes[other] = codes[other], codes[one]
            continue
        most = current
        while third < likely[most - current + 1]:
            most += 1
        given.copy(world.table, world.base)
        exchange(world.table, items, codes, one, other)
        _, differing, missed, its, instead = given.replay(world.table, seen.phase, moves, seen.seat, most)
        if differing + ILLEGAL * missed <= most:
            exchange(world.base, items, codes, one, other)
            codes[one], codes[other] = codes[other], codes[one]
            current, wrong, failed, blamed = differing + ILLEGAL * missed, missed, its, instead
            is_judged = True
    return current, wrong, failed, blamed, block + exchanges


def shuffle_undrawn(seen: SeenGame, world: World, dice: WordAddress, block: int) -> int:
    """Shuffle the cards that nobody had; the next block of random words."""
    undrawn, codes, cards = seen.undrawn, world.codes, world.cards
    if len(undrawn) == 0:
        return block
    for index in range(len(undrawn)):
        cards[index] = codes[undrawn[index]]
    block = shuffle_cards(cards, len(undrawn), world.words, WIDE, dice, block)
    for index in range(len(undrawn)):
        codes[undrawn[index]] = cards[index]
        world.base.ring[seen.items[undrawn[index], 1]] = cards[index]
    return block


def infer(seen: SeenGame, chains: WorldChains, means: PlayoutMeans, first: int, end: int) -> None:
    """Play out each legal action in the worlds of the chains from `first` to `end`, and add up what the seat gains."""
    for chain in range(first, end):
        count = chains.worlds * (chain + 1) // len(chains.wins) - chains.worlds * chain // len(chains.wins)
        if count > 0:
            infer_chain(seen, chains, means, chain, count)


def infer_chain(seen: SeenGame, chains: WorldChains, means: PlayoutMeans, chain: int, worlds: int) -> None:
    """The same in the worlds of one chain."""
    base, table, after = given.make(), given.make(), given.make()
    given.load(base, seen.start.ctypes.data)
    seats, stops, legal = (
        given.new_integers(given.SEATS),
        given.new_integers(given.SEATS),
        given.new_bytes(given.ACTIONS),
    )
    seat_players(seats, seen.seat, means.own)
    seat_players(stops, seen.seat, LEARNING)
    noted, lying = given.integers_at(chains.notes.ctypes.data), given.row_at(chains.discarded.ctypes.data)
    playout = Playout(
        seat=seen.seat, seats=seats, stops=stops, noted=noted, lying=lying, kept=given.new_integers(given.NOTES),
        kept_lying=given.new_bytes(given.KINDS), line=given.new_bytes(given.WIDTH),
        choices=given.new_bytes(given.ACTIONS), mask=given.new_bytes(given.ACTIONS),
        net=means.net, others_net=means.others.net, tree=means.tree,
    )  # fmt: skip
    codes, cards, words = (
        given.new_integers(given.DECK_SIZE),
        given.new_integers(given.DECK_SIZE),
        given.new_integers(4 * WIDE),
    )
    world = World(base=base, table=table, codes=codes, cards=cards, words=words)
    dice = WordAddress(seed=base.seed ^ means.seed, number=base.number, purpose=SEARCHING + len(seen.decisions))
    wins, sums, saved = chains.wins[chain], chains.sums[chain], means.saved
    block = chains.part * len(chains.wins) + chain << 22
    if not assign(seen, world, dice, block):
        return
    block += 1024
    for item in range(len(seen.items)):
        lay(base, seen.items, item, codes[item])
    _, differing, wrong, failed, blamed = judge(seen, world, UNLIMITED)
    current = differing + ILLEGAL * wrong
    exchanges, patience, found = BURN_IN, PATIENCE, 0
    while found < worlds:
        judged = Judged(energy=current, wrong=wrong, failed=failed, blamed=blamed)
        current, wrong, failed, blamed, block = walk(seen, world, dice, exchanges, judged, block)
        exchanges = EXCHANGES
        if wrong > 0:
            patience -= 1
            if patience == 0:
                sums[1] = -wrong
                return
            continue
        found += 1
        block = shuffle_undrawn(seen, world, dice, block)
        reached, differing, wrong, failed, blamed = judge(seen, world, UNLIMITED)
        if wrong != 0 or reached != seen.now or table.head != seen.head or table.player != seen.seat:
            continue
        first, second, _, _ = words_of(dice.seed, dice.number, block, dice.purpose)
        block += 1
        table.seed, table.number, table.rolls, table.returned = first, second, 0, 0
        given.write_mask(table, reached, legal)
        if len(saved) > 0:
            given.save(base, saved.ctypes.data + sums[0] * given.TABLE_BYTES)
        sums[0] += 1
        sums[1] += differing
        if len(saved) > 0:
            continue
        if given.DRAWS_OTHERS:
            draw_others(playout, means.others, table)
        if given.BY_TREE:
            given.explore(playout, table, after, reached, legal)
        else:
            try_actions(playout, table, after, reached, legal, wins)
