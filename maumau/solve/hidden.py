"""Hidden hands: the equilibrium of a game of two players in which each sees what the declaration lets it see.

The tree is finite because it ends where all cards are known: from there on a position is worth what it is with open
hands. Until then every information set is what its seat has been told since the deal, with perfect recall.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.edge.extras import require
from fsm.edge.numbers import Array, Notify, as_int, np, seed_number
from fsm.edge.ticker import Ticker
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.kernels.engine import program_of
from maumau.kernels.explorer.known import Index, enlarge
from maumau.solve.asking import DeclaresChances, asked, dealt_after, path_of
from maumau.solve.compiled import tree
from maumau.solve.dealt import SortedDeals, TooLarge, check_count, count_of, deals_of, sample_of
from maumau.solve.equilibrium import LARGEST_PROGRAM, Equilibrium, Infos, Matching, by_program
from maumau.solve.hands import MEMORY, check_given, check_solvable, grow, judged, kept_of
from maumau.solve.positions import Positions, Worth
from maumau.solve.seen import follows, seen_of
from maumau.solve.state import SolutionFile
from rules.notation import shown

GAP = 5e-7
"""How far the bounds of a value are apart at most, if nothing else is said."""
ROOM = tree.AT_ONCE
"""Information sets for which there is room in each call."""
STACK = 1 << 15
ALL_KNOWN = "positions in which all cards are known"
NONE = -1
"""In place of the seat that knows the deal."""
SAMPLE, LEAST, SURE = 200, 20, 100_000
"""Deals by which the number of all ends is estimated, at most and at least, and ends that are enough for it."""


class HistoryTree:
    """The information sets of a game and its ends, with the positions in which all cards are known.

    infos: a row for each information set; ends: one for each end, see `maumau.solve.compiled.tree`. informed: the seat
    that knows the deal, if there is one.
    """

    def __init__(self, positions: Positions, deals: SortedDeals, turns: int, informed: int = NONE) -> None:
        self.positions, self.deals, self.turns, self._informed = positions, deals, turns, informed
        self._told = np.zeros(2, np.int64)
        self.state = np.zeros(tree.PLACES, np.int64)
        self.state[tree.FIRST] = self.state[tree.SECOND] = 1
        self.stack = np.zeros((STACK, positions.known.width + tree.COLUMNS), np.int64)
        self.heard = Index(2)
        self.infos = np.zeros((0, tree.CHOICES + len(positions.compiled)), np.int64)
        self.ends = np.zeros((0, 2), np.int64)
        asks = any(policy.is_computed or policy.lays_first for policy in positions.policies)
        self.trail = np.zeros((ROOM if asks else 0, 2), np.int64)
        order = np.random.default_rng(0).permutation(len(deals))
        self.decks, self._weights = deals.decks[order], deals.weights[order]

    def grow(self, memory: int, notify: Notify | None) -> None:
        """Visit the whole tree. Raises TooLarge, ValueError."""
        positions, game = self.positions, self.positions.game
        visit = program_of(tree.unfold, game, positions.compiled).code(notify)
        ticker, seen = Ticker(notify), seen_of(game)
        while True:
            state, heard = self.state, self.heard
            heard.make_room(ROOM)
            enlarge(self.infos, len(heard) + ROOM)
            enlarge(self.ends, int(state[tree.ENDS]) + 2 * ROOM)
            if len(self.trail):
                enlarge(self.trail, int(state[tree.TRAILS]) + 2 * ROOM)
            history = tree.History(
                decks=self.decks, weights=self._weights, stack=self.stack, heard=heard.keys, slots=heard.slots,
                infos=self.infos, ends=self.ends, trail=self.trail, seen=seen, legal=positions.legal, told=self._told,
                state=state, players=2, each=game.codec.cards_each(2), turns=self.turns, informed=self._informed,
                follows=follows(game), fixed=positions.fixed,
            )  # fmt: skip
            visit(history, positions.workspace())
            positions.check()
            heard.count = int(state[tree.INFOS])
            self._check(game)
            if state[tree.DEPTH] == 0 and state[tree.DEALS] == len(self.decks):
                break
            part = int(state[tree.DEALS]) / len(self.decks)
            if self.bytes + positions.bytes > memory:
                raise self.too_large(part, memory)
            done = f"{state[tree.DEALS]:,} of {len(self.decks):,} deals"
            ticker.tell(f"{state[tree.INFOS]:,} information sets from {done}", part)

    def saved(self) -> dict[str, Array]:
        """All that has to be kept to go on."""
        places = {"infos": tree.INFOS, "ends": tree.ENDS, "stack": tree.DEPTH, "trail": tree.TRAILS}
        arrays = {name: getattr(self, name)[: self.state[at]] for name, at in places.items()}
        return arrays | {"state": self.state, "heard": self.heard.keys[: self.state[tree.INFOS]]}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from what was kept."""
        self.state, self.infos, self.ends = (arrays[name].copy() for name in ("state", "infos", "ends"))
        self.trail = arrays["trail"].copy()
        self.stack[: len(arrays["stack"])] = arrays["stack"]
        self.heard.restore(arrays["heard"])

    def too_large(self, part: float, memory: int) -> TooLarge:
        """It does not fit. part: how much of it there is already."""
        ends, size = int(self.state[tree.ENDS] / part), (self.bytes + self.positions.bytes) >> 20
        text = f"about {ends:,} ends of play or more, {part:.2%} of them take {size:,} MB"
        return TooLarge.for_memory(text, memory)

    @property
    def bytes(self) -> int:
        """The memory of all arrays, and of the matrix that is made of them."""
        of_info = 8 * (2 + 1 + self.infos.shape[1])
        return int(of_info * self.state[tree.INFOS] + bytes_of_end(self.positions) * self.state[tree.ENDS])

    @property
    def seats(self) -> tuple[Infos, Infos]:
        """The information sets of both seats."""
        known, seats = self.infos[: len(self.heard)], self.heard.keys[: len(self.heard), tree.SEAT]
        return Infos.of(known, seats, 0), Infos.of(known, seats, 1)

    def choices(self, policy: Policy, infos: Infos) -> Array:
        """The places of the moves of a policy with decision rules. Raises ValueError if it sees too much."""
        moves: Array = self.infos[infos.rows, tree.CHOICES + self.positions.compiled.index(policy)]
        if (moves < 0).any():
            raise ValueError(
                f"policy {policy.name} decides by more than its seat sees, or by no rule; use one with decision rules"
            )
        return moves

    def matrix(self, worth: Worth) -> Any:
        """What the first seat gains by each pair of last sequences. worth: that of positions in which all is known."""
        from scipy import sparse

        ends = self.ends[: self.state[tree.ENDS]]
        weights, gains = ends[:, 1] & (1 << tree.BITS) - 1, worth.of(ends[:, 1] >> tree.BITS)
        matters = gains != 0
        shape = int(self.state[tree.FIRST]), int(self.state[tree.SECOND])
        lines, columns = (ends[matters, 0] >> 32).astype(np.int32), (ends[matters, 0] & 0xFFFFFFFF).astype(np.int32)
        values = gains[matters] * (weights[matters] / self.deals.weights.sum())
        return sparse.coo_matrix((values, (lines, columns)), shape=shape).tocsr()

    def _check(self, game: Declaration) -> None:
        fault = self.state[tree.FAULT]
        full = self.state[tree.DEPTH] >= len(self.stack) - len(self.positions.legal)
        if fault == tree.RETURNS or full:
            text = self.positions.shown(self.stack[self.state[tree.AT]])
            more = "; limit the turns, which cuts games off" if not self.turns else f" within {self.turns} turns"
            raise ValueError(f"play returns to {text} while cards are hidden{more}")
        if fault == tree.STUCK_HERE:
            raise ValueError(f"{game.title}: no rule says what may happen at a position of this deck")
        if fault == tree.FORGETS:
            raise ValueError(
                f"{game.title}: two positions that look alike to a player have different moves; "
                "show players everything that decides their moves"
            )


@dataclass(frozen=True)
class JudgedPolicy:
    """A policy against best responses, from the view of the first seat.

    first_worst: the policy in the first seat; second_worst: in the second one; both: in both.
    """

    first_worst: float
    second_worst: float
    both: float

    @property
    def exploitability(self) -> float:
        """What it loses to a perfect player on average over both seats, compared with an equilibrium."""
        return max(self.second_worst - self.first_worst, 0.0) / 2


@dataclass
class HiddenHands:
    """The worth of a game of two with hidden hands: bounds of its value, and strategies that reach them.

    kind: the class of the game. tree: all histories, as far as cards are hidden. policies: those that can be judged.
    seats: the information sets of both. equilibrium: strategies of both, with bounds. worth: of positions in which all
    cards are known. seed: of the dice of policies that have some. kept: what an interrupt leaves.
    """

    kind: type[Game]
    tree: HistoryTree
    policies: tuple[Policy, ...]
    seats: tuple[Infos, Infos]
    equilibrium: Equilibrium
    worth: Worth = field(repr=False)
    seed: int = 0
    kept: SolutionFile = field(default_factory=SolutionFile, repr=False)

    @property
    def information_sets(self) -> list[int]:
        """The number of information sets of each seat."""
        return [len(infos.parents) for infos in self.seats]

    @property
    def cut(self) -> int:
        """The number of ends that `turns` cut off."""
        return int(self.tree.state[tree.CUT])

    def chances(self, number: int) -> tuple[Array, Array]:
        """Return the chances of the moves of a policy in both seats, by sequences. number: that of the policy.

        Raises ValueError if it sees too much.
        """
        first, second = (self._chances(self.policies[number], infos) for infos in self.seats)
        return first, second

    def _chances(self, policy: Policy, infos: Infos) -> Array:
        if policy.rolls_dice and not policy.lays_first:
            return infos.chances(np.zeros(infos.sequences))
        if policy.takes_first:
            return infos.chosen(np.zeros(len(infos.rows), np.int64))
        if policy.choices:
            return infos.chosen(self.tree.choices(policy, infos))
        if isinstance(policy, DeclaresChances):
            told = self.tree.heard.keys[infos.rows, tree.KNOWN_AS].tolist()
            return np.concatenate([[1.0], *map(policy.chances_of, told, infos.counts.tolist())])
        answers = self.tree.positions.answers
        number = self.policies.index(policy)
        each = (answers.of(number, row, partial(self._asked, policy, row)) for row in infos.rows.tolist())
        return np.concatenate([[1.0], *each])

    def _asked(self, policy: Policy, row: int) -> Array:
        """The chances of the moves of a player in an information set, in which two games are asked about."""
        unfolded: HistoryTree = self.tree
        found: list[Array] = []
        seed = int(unfolded.heard.keys[row, tree.KNOWN_AS]) ^ self.seed
        for last in dict.fromkeys(unfolded.infos[row, [tree.EARLIEST, tree.LATEST]].tolist()):
            deal, path = path_of(unfolded.trail, last)
            found.append(asked(dealt_after(self.kind, unfolded.decks[deal], path, policy, seed), policy))
        if (found[0] != found[-1]).any():
            raise ValueError(f"policy {policy.name} decides by more than its seat sees; use one that does not")
        return found[0]

    def loss(self, number: int) -> float:
        """Return what a policy loses a game, on average over both seats, to the equilibrium, which does not exploit it.

        number: that of the policy.
        """
        plans, (first, second) = self._plans(number), self.equilibrium.plans
        return float(first @ (self._matrix(number, 1) @ plans[1]) - plans[0] @ (self._matrix(number, 0) @ second)) / 2

    def judge(self, number: int) -> JudgedPolicy:
        """Return the result of a policy against best responses to it.

        number: that of the policy. Raises ValueError if it decides by more than it sees.
        """
        plans, (first, second) = self._plans(number), self.seats
        worst, _ = second.best(-(self._matrix(number, 0).T @ plans[0]))
        best, _ = first.best(self._matrix(number, 1) @ plans[1])
        return JudgedPolicy(-worst, best, float(plans[0] @ (self._matrix(number, 0, 1) @ plans[1])))

    def _plans(self, number: int) -> list[Array]:
        """The plans of a policy in both seats."""
        return [infos.plan(chances) for infos, chances in zip(self.seats, self.chances(number), strict=True)]

    def _matrix(self, number: int, *seats: int) -> Any:
        """What the first seat gains where these seats follow a policy as soon as all cards are known."""
        follows = [number if seat in seats else Positions.FREE for seat in range(2)]
        return self.tree.matrix(self.tree.positions.values(follows, lengths=False))


def solve_hidden(
    kind: type[Game],
    policies: Sequence[str | Policy] = (),
    turns: int = 0,
    gap: float = GAP,
    memory: int = MEMORY,
    seed: int = 0,
    state: Path | None = None,
    notify: Notify | None = None,
) -> HiddenHands:
    """Solve a game of two players with its deck, of which all deals are listed, with hidden hands.

    kind: a game class, usually `MauMau.with_deck("DQ HQ DT HT", each=1)`. policies: those that are to be judged. turns:
    after how many turns a game is cut off, without a winner; 0 for never. gap: how far apart the bounds of the value
    may be. memory: bytes. seed: of players who search. state: a file in which an interrupt leaves what was found so
    far, and from which it goes on. notify: called with a line before machine code is compiled, and now and then. Raises
    ValueError, TooLarge; MissingExtra.
    """
    require("solving hidden hands", "llvmlite", "numpy", "scipy")
    kind, turns, seed = game_class(kind), as_int("turns", turns, 0), seed_number("seed", seed)
    check_given(policies, memory, state, notify)
    if not isinstance(gap, float) or not gap > 0:
        raise (ValueError if isinstance(gap, float) else TypeError)(f"gap: {shown(gap)}; give a number above 0")
    check_solvable(kind, 2)
    chosen = judged(kind, 2, policies, by_chance=True)
    check_count(kind, 2)
    check_size(Positions(kind, 2, chosen), turns, memory, notify)
    deals = deals_of(kind, 2)
    positions = Positions(kind, 2, chosen, seed)
    unfolded = HistoryTree(positions, deals, turns)
    kept = kept_of(state, positions, turns, seed)
    with kept.keeping():
        kept.keep("positions", positions)
        kept.keep("tree", unfolded)
        kept.keep("answers", positions.answers)
        unfolded.grow(memory, notify)
        grow(positions, memory, notify, ALL_KNOWN)
        worth = positions.values()
        equilibrium = equilibrium_of(unfolded, worth, gap, notify, kept)
    kept.done()
    return HiddenHands(kind, unfolded, chosen, unfolded.seats, equilibrium, worth, seed, kept)


def equilibrium_of(
    unfolded: HistoryTree, worth: Worth, gap: float, notify: Notify | None, kept: SolutionFile
) -> Equilibrium:
    """The equilibrium of a tree, with bounds that are no more than `gap` apart. worth: where all cards are known."""
    seats, matrix = unfolded.seats, unfolded.matrix(worth)
    if sum(infos.sequences for infos in seats) <= LARGEST_PROGRAM:
        return by_program(seats, matrix)
    matching = Matching(seats, matrix)
    kept.keep("matching", matching)
    return matching.run(gap, Ticker(notify).tell)


def check_size(positions: Positions, turns: int, memory: int, notify: Notify | None) -> None:
    """Visit a sample of deals before all are listed. Raises TooLarge, ValueError for play that returns."""
    low, high = ends_of(positions, turns, memory, notify)
    each = bytes_of_end(positions)
    size = f"{low:,} to {high:,} ends of play, {each * low >> 20:,} to {each * high >> 20:,} MB"
    if each * low > memory:
        raise TooLarge.for_memory(size, memory)
    if notify and high > SURE:
        notify(size)


def ends_of(positions: Positions, turns: int, memory: int, notify: Notify | None = None) -> tuple[int, int]:
    """Between which numbers that of all ends lies: three standard errors around that of some deals, visited whole.

    positions: those of the deals are added. Raises TooLarge, ValueError.
    """
    dealt, count = sample_of(positions.kind, 2, SAMPLE), count_of(positions.kind, 2)
    sample, each = HistoryTree(positions, SortedDeals(dealt, np.ones(len(dealt), np.int64)), turns), []
    for deals in range(1, len(dealt) + 1):
        sample.decks, before = dealt[:deals], int(sample.state[tree.ENDS])
        try:
            sample.grow(memory, notify)
        except TooLarge:
            raise sample.too_large(deals / count, memory) from None
        each.append(int(sample.state[tree.ENDS]) - before)
        if deals >= LEAST and sum(each) > SURE:
            break
    error = 3 * float(np.std(each, ddof=1)) / math.sqrt(len(each)) if len(each) > 1 else 0.0
    mean = sum(each) / len(each)
    return max(int((mean - error) * count), sum(each)), int((mean + error) * count)


def bytes_of_end(positions: Positions) -> int:
    """The memory of an end, with that of the matrix, which is not made where a seat is fixed."""
    return 20 if positions.fixed else 48


# ---------------------------------------------------------------- how much of a game is skill

# P. Borm, B. van der Genugten: On a relative measure of skill for games with chance elements, TOP 9 (2001), 91-114, for
# two players as in M. Dreef, P. Borm, B. van der Genugten: Measuring skill in games, Mathematical Methods of Operations
# Research 59 (2004), 375-391. Three players take turns in both seats, each against an opponent who knows whom it plays
# against: a beginner, a perfect player, and a fictive one who is told beforehand how all chance moves turn out.


def random_effect(solved: HiddenHands, gap: float = GAP, memory: int = MEMORY, notify: Notify | None = None) -> float:
    """What a player gains a game, on average over both seats, by knowing the deal beforehand.

    gap: how far the bounds of either value are apart at most. memory: bytes. notify: called with a line now and then.
    Raises TooLarge.
    """
    known = solved.tree
    gains = []
    for seat in range(2):
        fictive = HistoryTree(known.positions, known.deals, known.turns, informed=seat)
        fictive.grow(memory, notify)
        gains.append(equilibrium_of(fictive, solved.worth, gap, notify, SolutionFile()).value)
    return (gains[0] - gains[1]) / 2


def relative_skill(learning: float, random: float) -> float:
    """The part of skill, from 0 to 1. learning: what a beginner loses, its exploitability; random: the random effect.

    A game in which nothing depends on either is one of chance.
    """
    return learning / (learning + random) if learning > 0 else 0.0
