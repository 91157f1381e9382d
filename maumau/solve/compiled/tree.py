"""The tree of a game with hidden cards: which information sets there are, and how the game ends after which moves.

What a seat has seen is a hash over all that it was told, one event after another, so a position of the tree is reached
with the same hash exactly if the seat cannot tell it from another one. A sequence is a move in an information set;
with perfect recall the last one of a seat says all that the seat has done. A game that is over, or in which all cards
are known, is an end: a row with the last sequences of both seats, and the number of its position, or of its end, in the
graph.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Interface, Table
from maumau.kernels.compiled.known import known_as
from maumau.kernels.compiled.mixing import mixed
from maumau.solve.compiled.graph import KNOWN, NOWHERE, KnownGraph, decided, entered

PLACES = 11
DEALS, DEPTH, INFOS, ENDS, FIRST, SECOND, FAULT, CUT, NODES, AT, TRAILS = range(PLACES)
"""Places of the numbers that are kept from call to call: deals begun, positions on the stack, information sets known,
ends, sequences of the first and of the second seat, what is wrong, ends that are cut off, positions visited, the row of
the stack at which something is wrong, and moves that are noted.
"""
AT_ONCE = 1 << 16
"""Positions that are visited in one call: a fraction of a second, for no call can be interrupted."""
STUCK_HERE, RETURNS, FORGETS = 1, 2, 3
"""What may be wrong: no move is legal, play goes on and on, or two positions that look alike have other moves."""
LONGEST = 2000
"""Moves on one line of play after which a position must have returned."""
TOLD, TOLD_2, LAST, LAST_2, FRESH, WEIGHT, TURNS, MOVED, TRAIL = range(9)
"""Columns of the stack behind the row of a position: what both seats were told, their last sequences, cards of the
first draw pile that are left, how many orders of the deck the deal stands for, turns and moves since the deal, and the
number of the last move that is noted.
"""
COLUMNS = 9
SEAT, KNOWN_AS = range(2)
"""What an information set is known by: the seat, and the hash of what it was told."""
PARENT, BEGIN, COUNT, ALIKE, EARLIEST, LATEST, CHOICES = range(7)
"""Columns of an information set: the last sequence of the seat, its first one here, how many it has, a hash of the
moves, the moves that led to the first and to the last position that was found in it, and the place of the move that
each policy chooses.
"""
BITS = 20
"""Those of the weight of an end; its place stands above them."""
BY_ITSELF = 1 << 20
"""What the other seat is told of a move that passes by itself."""
OWN, OTHER, CARD_SEEN, VALUE_SEEN = range(4)
"""Columns of what seats are told of a transition: the number of its event for the player, and for the other seat, 0 if
that sees nothing; whether the other seat sees the card, and the value.
"""


class History(NamedTuple):
    """The tree as far as it was visited.

    decks, weights: the deals, and how many orders of the deck each stands for. stack: positions to visit, with COLUMNS.
    heard, slots: what information sets are known by, and the hash table of their numbers. infos, ends: rows for
    information sets and ends. trail: for each move the one before it and its place among the moves; without room none
    is noted. seen: what seats are told of each transition. legal, told: room for the moves of a position, and for what
    both seats are told. state: the numbers at PLACES. players, each: how many play, and how many cards each is dealt.
    turns: after how many turns a game is cut off; 0 for never. informed: the seat that is told the number of the deal;
    -1 for none. follows: whether all cards are known once the first draw pile is used up. fixed: as for `grow`.
    """

    decks: Array2D[np.int64]
    weights: Array1D[np.int64]
    stack: Array2D[np.int64]
    heard: Array2D[np.int64]
    slots: Array1D[np.uint32]
    infos: Array2D[np.int64]
    ends: Array2D[np.int64]
    trail: Array2D[np.int64]
    seen: Array2D[np.int64]
    legal: Array1D[np.int64]
    told: Array1D[np.int64]
    state: Array1D[np.int64]
    players: int
    each: int
    turns: int
    informed: int
    follows: int
    fixed: int


class Told(Protocol):
    """What is needed of a history to tell seats of events."""

    @property
    def seen(self) -> Array2D[np.int64]:
        """What seats are told of each transition."""

    @property
    def told(self) -> Array1D[np.int64]:
        """What both seats were told."""


class Visit(NamedTuple):
    """What is kept of the position that is visited: its table and its columns of the stack; and room for those of the
    next one.
    """

    table: Table
    after: Table
    row: Array
    frame: Array


def unfold(game: Interface, history: History, known: KnownGraph) -> None:
    """Visit the tree from each deal, as far as there is room. known: the positions in which all cards are known."""
    state, graph, spare = history.state, known.state, len(history.legal)
    most_known, last = graph[KNOWN] + AT_ONCE - spare, state[NODES] + AT_ONCE
    row, frame = given.new_integers(COLUMNS), given.new_integers(COLUMNS)
    visit = Visit(table=game.make(), after=game.make(), row=row, frame=frame)
    while state[NODES] < last and state[FAULT] == 0:
        is_full = state[INFOS] >= len(history.infos) - 1 or state[ENDS] >= len(history.ends) - spare
        if is_full or graph[KNOWN] >= most_known or state[DEPTH] >= len(history.stack) - spare:
            return
        if 0 < len(history.trail) <= state[TRAILS] + spare:
            return
        if state[DEPTH] > 0:
            state[NODES] += 1
            state[DEPTH] -= 1
            expand(game, history, known, visit)
        elif state[DEALS] < len(history.decks):
            deal(game, history, known, visit)
        else:
            return


def deal(game: Interface, history: History, known: KnownGraph, visit: Visit) -> None:
    """Begin with the next deal."""
    table, frame, told, number = visit.table, visit.frame, history.told, history.state[DEALS]
    game.reset(table)
    game.deal_each(table, history.decks[number], history.players, history.each)
    told[0] = told[1] = 0
    if history.informed >= 0:
        tell(told, history.informed, 1 + number)
    for seat in range(2):
        told[seat] = game.look(table, game.INITIAL, seat, told[seat])
    for column in range(COLUMNS):
        frame[column] = 0
    frame[FRESH] = table.bottom
    frame[WEIGHT] = history.weights[number]
    frame[TRAIL] = -1 - number
    history.state[DEALS] += 1
    phase = settle(game, history, table, game.INITIAL)
    reach(game, history, known, visit, table, phase)


def expand(game: Interface, history: History, known: KnownGraph, visit: Visit) -> None:
    """Visit the position above the top of the stack: make each move."""
    table, after, row, frame = visit.table, visit.after, visit.row, visit.frame
    state, legal, told = history.state, history.legal, history.told
    here, width = state[DEPTH], len(known.row)
    phase = game.unpack(table, history.stack[here], history.players)
    for column in range(COLUMNS):
        row[column] = history.stack[here, width + column]
    count, begin = game.moves(table, phase, legal), -1
    first, last = 0, count
    if count > 1:
        begin = informed(game, history, visit, phase, count)
    if count == 0:
        state[FAULT] = STUCK_HERE
    if row[MOVED] > LONGEST:
        state[FAULT] = RETURNS
    if state[FAULT] != 0:
        state[AT] = here
        return
    if history.fixed >> table.player & 1 == 1:
        if count > 1 and policies_of(history) > 0:
            game.copy(after, table)
            first = max(decided(game, after, phase, 0, legal, count), 0)
        last = first + 1
    for number in range(first, last):
        for column in range(COLUMNS):
            frame[column] = row[column]
        if count > 1:
            frame[LAST + table.player] = begin + number
        frame[MOVED] += 1
        if len(history.trail) > 0:
            history.trail[state[TRAILS], 0], history.trail[state[TRAILS], 1] = row[TRAIL], number
            frame[TRAIL] = state[TRAILS]
            state[TRAILS] += 1
        told[0], told[1] = row[TOLD], row[TOLD_2]
        if count == 1 and passes_by_itself(game, phase, legal[0]):
            tell(told, 1 - table.player, BY_ITSELF)
        game.copy(after, table)
        game.put(after, phase, legal[number])
        arc = game.chosen(after, phase, legal[number])
        reached = fire(game, history, after, arc, game.card_of(legal[number]), game.value_of(legal[number]))
        reach(game, history, known, visit, after, settle(game, history, after, reached))


def reach(game: Interface, history: History, known: KnownGraph, visit: Visit, table: Table, phase: int) -> None:
    """Put a position on the stack, or among the ends."""
    frame, state, told = visit.frame, history.state, history.told
    frame[FRESH] = max(frame[FRESH] - table.head, 0)
    frame[TURNS] += table.turns
    is_known = phase == game.FINAL or (history.follows != 0 and frame[FRESH] == 0)
    here, width, cards = state[DEPTH], len(known.row), history.decks.shape[1]
    if is_known or 0 < history.turns <= frame[TURNS]:
        place = -1
        if is_known:
            place = entered(game, known, table, phase, cards)
        else:
            state[CUT] += 1
        history.ends[state[ENDS], 0] = frame[LAST] << 32 | frame[LAST_2]
        history.ends[state[ENDS], 1] = place << BITS | frame[WEIGHT]
        state[ENDS] += 1
        if place != NOWHERE:
            return
    if is_known or phase == game.STUCK or not game.pack(table, phase, history.stack[here], cards):
        state[FAULT] = STUCK_HERE
        return
    for column in range(COLUMNS):
        history.stack[here, width + column] = frame[column]
    history.stack[here, width + TOLD] = told[0]
    history.stack[here, width + TOLD_2] = told[1]
    state[DEPTH] += 1


def informed(game: Interface, history: History, visit: Visit, phase: int, count: int) -> int:
    """The first sequence of the information set in which the seat is, which is added if it is not known."""
    row, infos, heard, state = visit.row, history.infos, history.heard, history.state
    seat = visit.table.player
    told, alike = row[TOLD + seat], count
    for number in range(count):
        alike = mixed(alike, history.legal[number])
    fresh = state[INFOS]
    heard[fresh, SEAT], heard[fresh, KNOWN_AS] = seat, told
    info = known_as(heard[fresh], fresh, heard, history.slots)
    known = info != fresh
    if not known:
        infos[info, PARENT] = row[LAST + seat]
        infos[info, BEGIN] = state[FIRST + seat]
        infos[info, COUNT] = count
        infos[info, ALIKE] = alike
        infos[info, EARLIEST] = row[TRAIL]
        state[FIRST + seat] += count
        state[INFOS] += 1
    if infos[info, PARENT] != row[LAST + seat] or infos[info, ALIKE] != alike:
        state[FAULT] = FORGETS
    infos[info, LATEST] = row[TRAIL]
    for policy in range(policies_of(history)):
        game.copy(visit.after, visit.table)
        choice = decided(game, visit.after, phase, policy, history.legal, count)
        if not known:
            infos[info, CHOICES + policy] = choice
        elif infos[info, CHOICES + policy] != choice:
            infos[info, CHOICES + policy] = -2
    return int(infos[info, BEGIN])


def policies_of(history: History) -> int:
    """How many policies there are whose choices are noted."""
    return int(history.infos.shape[1]) - CHOICES


def passes_by_itself(game: Interface, phase: int, move: int) -> bool:
    """Whether the only move names nothing, within a turn: a drawn card that does not fit passes."""
    return game.TURN_STARTS[phase] == 0 and game.card_of(move) < 0 and game.value_of(move) < 0


# ---------------------------------------------------------------- what seats are told


def settle(game: Interface, history: Told, table: Table, phase: int) -> int:
    """Fire what is forced, and tell both seats of it; the phase in which a player chooses, the last one, or STUCK."""
    arc = game.STUCK if phase == game.STUCK else game.forced(table, phase)
    while arc >= 0:
        phase = fire(game, history, table, arc, -1, -1)
        arc = game.forced(table, phase)
    return phase if arc == game.NOT_FORCED else game.STUCK


def fire(game: Interface, history: Told, table: Table, arc: int, card: int, value: int) -> int:
    """Call the effects of a transition and tell both seats what they see of it; the phase to which it leads, or STUCK.

    card, value: what is named with the event, -1 for nothing.
    """
    if arc == game.STUCK:
        return game.STUCK
    actor, told, seen = table.player, history.told, history.seen[arc]
    phase = game.fire(table, arc)
    for seat in range(2):
        if seat == actor:
            tell(told, seat, seen[OWN])
            tell(told, seat, card + 1 << 8 | value + 1)
            told[seat] = game.look(table, phase, seat, told[seat])
        elif seen[OTHER] != 0:
            tell(told, seat, seen[OTHER])
            tell(told, seat, (card + 1 << 8) * seen[CARD_SEEN] | (value + 1) * seen[VALUE_SEEN])
            told[seat] = game.look(table, phase, seat, told[seat])
    return phase


def tell(told: Array1D[np.int64], seat: int, word: int) -> None:
    """Add a number to what a seat was told."""
    told[seat] = mixed(told[seat], word)
