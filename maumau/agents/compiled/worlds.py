"""The search in worlds: the table of a game in which all cards that a seat does not know are dealt again."""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.agents.compiled.batches import CHOSEN, LEARNING, SEEN, drawn
from maumau.agents.compiled.given import given
from maumau.agents.compiled.scoring import NetWeights, best_action, legal_actions
from maumau.kernels.compiled.ends import STUCK, PositionRoom
from maumau.kernels.compiled.in_place import apart
from maumau.kernels.compiled.interface import Table
from rules.chance import words_of

SEARCHING = 1 << 24
"""The purpose of the random words of the first decision of a game, of the next one that of the next number."""
CODES = 64
"""The number of card codes."""
BLOCKS = 64
"""Blocks of random words of a world."""
AT_ONCE = 8
"""Blocks of which a processor computes the random words at once."""


@apart(is_small=True)
def mask_legal(table: Table, phase: int, mask: Array) -> bool:
    """Write what is legal at a decision that is searched; whether each legal move has a number."""
    return given.write_mask(table, phase, mask)


@apart(is_small=True)
def hide(table: Table, seat: int, notes: Array, counts: Array, missing: Array, unknown: Array, pool: Array) -> int:
    """Take all cards from `table` that `seat` neither sees nor knows; how many there are.

    pool: their codes, ascending. missing: how many each seat lacks, and each pile. unknown: whether each place of the
    ring lacks one.
    """
    given.forget_determined(table)
    known = notes[SEEN] | notes[given.LEFT + seat] if given.FOLLOWS else 0
    lying = known | given.turned_up(table)
    for code in range(CODES):
        counts[code] = 0
    for index in range(len(table.ring)):
        unknown[index] = 0
    for index in range(table.head, table.head + (table.stock if given.PILE_HIDDEN else 0)):
        at = index & len(table.ring) - 1
        code = table.ring[at]
        if lying >> code & 1 == 0:
            counts[code] += 1
            unknown[at] = 1
            table.ring[at] = 0
    for other in range(table.players):
        missing[other] = given.take_hidden(table, seat, other, known, counts)
    if given.HIDES_PILES:
        given.take_piles(table, seat, lying, counts, missing)
    size = 0
    for code in range(CODES):
        for _ in range(counts[code]):
            pool[size] = code
            size += 1
    return size


class WordAddress(NamedTuple):
    """What random words are addressed by, beside their block (`rules.chance.words_of`)."""

    seed: int
    number: int
    purpose: int


def draw(words: Array, room: int, blocks: int, dice: WordAddress, block: int) -> None:
    """Fill `words` with those of blocks from `block` on: a row of `room` for the first words, one for the second, ...

    A processor computes the words of AT_ONCE blocks at once: some more are drawn than asked for, which takes less time.
    """
    for index in range(blocks + AT_ONCE - 1 & -AT_ONCE):
        first, second, third, fourth = words_of(dice.seed, dice.number, block + index, dice.purpose)
        words[index] = first
        words[room + index] = second
        words[2 * room + index] = third
        words[3 * room + index] = fourth


def shuffle_cards(cards: Array, size: int, words: Array, room: int, dice: WordAddress, block: int) -> int:
    """Shuffle so many cards by the random words from a block on; the block after these."""
    blocks = size + 2 >> 2
    draw(words, room, blocks, dice, block)
    for turn in range(size - 1):
        last = size - turn - 1
        chosen = words[(turn & 3) * room + (turn >> 2)] * (last + 1) >> 32
        card = cards[chosen]
        cards[chosen] = cards[last]
        cards[last] = card
    return block + blocks


def fill_world(
    table: Table, pool: Array, size: int, missing: Array, unknown: Array, words: Array, dice: WordAddress, world: int
) -> None:
    """Shuffle the pool by the random words of a world, and deal its cards."""
    shuffle_cards(pool, size, words, BLOCKS, dice, world * BLOCKS)
    dealt = 0
    for other in range(table.players):
        for _ in range(missing[other]):
            given.give(table, other, 1 << pool[dealt])
            dealt += 1
    if given.HIDES_PILES:
        dealt = given.give_piles(table, missing, pool, dealt)
    for index in range(table.head, table.head + table.stock):
        at = index & len(table.ring) - 1
        if unknown[at] == 1:
            table.ring[at] = pool[dealt]
            dealt += 1
    given.determine(table)
    first, second, _, _ = words_of(dice.seed, dice.number, world * BLOCKS + BLOCKS - 1, dice.purpose)
    table.seed, table.number, table.rolls, table.returned = first, second, 0, 0


class Standing(NamedTuple):
    """Tables at a decision, a row for each.

    tables: as they are saved. phases: their numbers. notes, discarded: what is noted of the game. masks: room for what
    is legal. wins: what is gained by each action is added to it.
    """

    tables: Array2D[np.uint8]
    phases: Array1D[np.int64]
    notes: Array2D[np.int64]
    discarded: Array2D[np.uint8]
    masks: Array2D[np.uint8]
    wins: Array2D[np.int64]


class TreeArrays(NamedTuple):
    """The tree of a table (`maumau.agents.compiled.tree`): the nodes by the ends of their keys, nodes and edges, what
    `scale` and `curve` hold.
    """

    marks: Array1D[np.int64]
    nodes: Array2D[np.int64]
    edges: Array2D[np.int64]
    scale: Array1D[np.float64]
    curve: Array2D[np.float64]


class Others(NamedTuple):
    """Who plays the other seats of games that are played out.

    players, bounds: as of `SeatArrays`, with LEARNING for the net. net: by which these choose.
    """

    players: Array2D[np.int64]
    bounds: Array2D[np.int64]
    net: NetWeights


class PlayoutMeans(NamedTuple):
    """By what games are played out.

    own: the number of the policy of the seat that searches. others: who plays the other seats, where DRAWS_OTHERS.
    seed: another one gives other worlds. net, tree: what that seat chooses by, and through which games are played, if
    the program does. saved: room for a table of each world, where nothing is to be played; else empty.
    """

    own: int
    others: Others
    seed: int
    net: NetWeights
    tree: TreeArrays
    saved: Array2D[np.uint8]


class Playout(NamedTuple):
    """What games of one decision are played out with.

    seat: that which searches. seats: the numbers of the policies of all; stops: the same, with LEARNING for the seat
    that searches. noted, lying: the notes and the cards that
    are discarded; kept, kept_lying: those of a world. line, choices, mask: room for an observation and for what is
    legal.
    """

    seat: int
    seats: Array
    stops: Array
    noted: Array
    lying: Array
    kept: Array
    kept_lying: Array
    line: Array
    choices: Array
    mask: Array
    net: NetWeights
    others_net: NetWeights
    tree: TreeArrays


def search(standing: Standing, means: PlayoutMeans, first: int, worlds: int) -> int:
    """Play out each legal action of each table in the worlds from `first` on, and add up what the seat gains by each.

    Actions are not tried where only one is legal. Returns the row of a table for which no arc is enabled or an action
    has no number, or -1.
    """
    table, base, guess, after = given.make(), given.make(), given.make(), given.make()
    counts, missing, unknown = (
        given.new_integers(CODES),
        given.new_integers(given.MISSING),
        given.new_integers(given.RING),
    )
    pool, cards = given.new_integers(given.DECK_SIZE), given.new_integers(given.DECK_SIZE)
    seats, stops = given.new_integers(given.SEATS), given.new_integers(given.SEATS)
    kept, kept_lying = given.new_integers(given.NOTES), given.new_bytes(given.KINDS)
    line, choices, words = given.new_bytes(given.WIDTH), given.new_bytes(given.ACTIONS), given.new_integers(4 * BLOCKS)
    mask = given.new_bytes(given.ACTIONS)
    for row in range(len(standing.phases)):
        noted = given.integers_at(standing.notes.ctypes.data + row * standing.notes.shape[1] * 8)
        lying = given.row_at(standing.discarded.ctypes.data + row * given.KINDS)
        given.load(table, standing.tables.ctypes.data + row * given.TABLE_BYTES)
        phase, seat, legal = standing.phases[row], table.player, standing.masks[row]
        if not mask_legal(table, phase, given.row_at(standing.masks.ctypes.data + row * given.ACTIONS)):
            return row
        if len(means.saved) == 0 and legal_actions(legal, given.ACTIONS)[0] < 2:
            continue
        seat_players(seats, seat, means.own)
        seat_players(stops, seat, LEARNING)
        given.copy(base, table)
        size = hide(base, seat, noted, counts, missing, unknown, cards)
        for world in range(first, first + worlds):
            given.copy(guess, base)
            for index in range(size):
                pool[index] = cards[index]
            dice = WordAddress(seed=table.seed ^ means.seed, number=table.number, purpose=SEARCHING + noted[CHOSEN])
            fill_world(guess, pool, size, missing, unknown, words, dice, world)
            if len(means.saved) > 0:
                given.save(guess, means.saved.ctypes.data + (world - first) * given.TABLE_BYTES)
                continue
            playout = Playout(
                seat=seat, seats=seats, stops=stops, noted=noted, lying=lying, kept=kept, kept_lying=kept_lying,
                line=line, choices=choices, mask=mask, net=means.net, others_net=means.others.net, tree=means.tree,
            )  # fmt: skip
            if given.DRAWS_OTHERS:
                draw_others(playout, means.others, guess)
            if given.BY_TREE:
                could_go_on = given.explore(playout, guess, after, phase, legal)
            else:
                could_go_on = try_actions(playout, guess, after, phase, legal, standing.wins[row])
            if not could_go_on:
                return row
    return -1


def try_actions(playout: Playout, world: Table, after: Table, phase: int, mask: Array, wins: Array) -> bool:
    """Play out each legal action in a world, and add up what the seat gains; false where no arc was enabled."""
    for action in range(given.ACTIONS):
        if mask[action] == 0:
            continue
        given.copy(after, world)
        end = play_out(playout, after, phase, action)
        if end == STUCK:
            return False
        if end == given.FINAL:
            wins[action] += gain(after, playout.seat)
    return True


def gain(table: Table, seat: int) -> int:
    """What a seat gains by a game that is over: its reward, or 1 if it has won."""
    if given.DECLARES_REWARDS:
        return given.game_rewards(table, seat)
    gained = 1 if table.winner == seat else 0
    if given.SHARES_WINS:
        gained = table.winners >> seat & 1
    return gained


def seat_players(seats: Array, seat: int, own: int) -> None:
    """Give each seat the number of its policy: `own` the seat that searches, the others the first one."""
    for other in range(given.SEATS):
        seats[other] = LEARNING + 1 if given.KEEPS_NOTES else 0
    seats[seat] = own


def draw_others(playout: Playout, others: Others, world: Table) -> None:
    """Draw who plays the other seats in a world."""
    for other in range(world.players):
        if other != playout.seat:
            place = drawn(others.bounds[other], world.seed, world.number, other)
            playout.seats[other] = playout.stops[other] = others.players[other, place]


def play_out(playout: Playout, table: Table, phase: int, action: int) -> int:
    """Play an action of the player who acts and then the game, by policies and perhaps a net; the last phase."""
    if given.KEEPS_NOTES:
        return play_out_by_net(playout, table, phase, action)
    phase = given.act(table, phase, action)
    if phase not in (given.FINAL, STUCK):
        phase = given.run_by_policies(table, phase, given.PLAYOUT_STOPS, playout.seats)
    return phase


def play_out_by_net(playout: Playout, table: Table, phase: int, action: int) -> int:
    """The same where notes are kept, as nets choose for the seats whose number is LEARNING."""
    copy_notes(playout, table)
    return finish_by_net(playout, table, phase, action, playout.kept[CHOSEN] + given.HORIZON)


def copy_notes(playout: Playout, table: Table) -> None:
    """Copy the notes of a game for a world, of which nothing else is known."""
    for index in range(given.NOTES):
        playout.kept[index] = playout.noted[index]
    for kind in range(given.KINDS):
        playout.kept_lying[kind] = playout.lying[kind]
    for other in range(table.players):
        playout.kept[given.HELD + other] = given.hand(table, other)
        if other != playout.seat:
            playout.kept[given.LEFT + other] = 0


def finish_by_net(playout: Playout, table: Table, phase: int, action: int, limit: int) -> int:
    """Play an action and then the game, up to a limit of choices; the last phase. The notes are those of a world."""
    phase = go_on_by_net(playout, table, phase, playout.stops, action, limit)
    while phase not in (given.FINAL, STUCK) and playout.kept[CHOSEN] < limit:
        action = -1
        if playout.seats[table.player] == LEARNING:
            given.write_mask(table, phase, playout.choices)
            action = choice_by_net(playout, table, phase, playout.choices)
        phase = go_on_by_net(playout, table, phase, playout.seats, action, limit)
    return phase


def go_on_by_net(playout: Playout, table: Table, phase: int, seats: Array, action: int, limit: int) -> int:
    """Play an action, if it is one, and go on to the next decision of a seat whose number is LEARNING; the phase."""
    nothing = given.new_integers(0)
    room = PositionRoom(seen=nothing, hashes=nothing, slots=nothing)
    return given.run_to_decision(
        table, phase, seats, limit, action, playout.kept, playout.kept_lying, nothing, nothing, 0, room, nothing
    )


def choice_by_net(playout: Playout, table: Table, phase: int, mask: Array) -> int:
    """The action that the net of the player who acts chooses. mask: what is legal."""
    given.observe(table, phase, table.player, playout.kept, playout.kept_lying, playout.line)
    if given.DRAWS_OTHERS and table.player != playout.seat:
        return best_action(playout.line, mask, given.WIDTH, given.ACTIONS, playout.others_net)
    return best_action(playout.line, mask, given.WIDTH, given.ACTIONS, playout.net)
