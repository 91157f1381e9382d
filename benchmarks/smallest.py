"""The smallest decks in which something is right: `python -m benchmarks.smallest CARDS EACH` searches those of a size.

A move is *right* if the game is worth less to its player when that information set is played without it: linear
programming without these sequences says so. Decks that differ by the names of suits, or of ranks without an effect, are
one. Six cards take an hour.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

from fsm import MauMau
from fsm.stepping.game import Game
from fsm.stepping.steps import Move
from fsm.stepping.view import View
from maumau.solve.asking import dealt_after, path_of
from maumau.solve.compiled import tree
from maumau.solve.dealt import TooLarge
from maumau.solve.equilibrium import by_program
from maumau.solve.hands import solve_open
from maumau.solve.hidden import HiddenHands, solve_hidden

SURE = 1e-6
"""Differences that are not of linear programming."""
SUITS = range(4)
PLAIN = "QKTAN"
"""Ranks without an effect."""


class Right(NamedTuple):
    """An information set in which something is right.

    game: a stepped game in it. chances: of the legal moves. costs: what the game is worth less without it.
    """

    what: str
    game: Game
    chances: list[float]
    costs: float


def decks(cards: int) -> Iterator[str]:
    """All decks of so many cards, each once."""
    subsets = [tuple(suit for suit in SUITS if mask >> suit & 1) for mask in range(1 << len(SUITS))]
    seen = set()
    for count in range(min(len(PLAIN), cards) + 1):
        for acting in product(subsets, repeat=3):
            left = cards - sum(map(len, acting))
            for plain in combinations_with_replacement(subsets[1:], count) if left >= count else ():
                if sum(map(len, plain)) != left:
                    continue
                alike = min(_renamed(acting, plain, names) for names in permutations(SUITS))
                if alike not in seen:
                    seen.add(alike)
                    ranks = [*zip("SEJ", alike[0], strict=True), *zip(PLAIN, alike[1], strict=False)]
                    yield " ".join("CDHS"[suit] + rank for rank, suits in ranks for suit in suits)


def _renamed(acting: Any, plain: Any, names: Sequence[int]) -> Any:
    def each(suits: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(names[suit] for suit in suits))

    return tuple(map(each, acting)), tuple(sorted(map(each, plain)))


def _first(view: View) -> Move:
    return view.moves[0]


class Without:
    """A solved game, played without some moves. kind: the game."""

    def __init__(self, kind: type[Game]) -> None:
        self.solved: HiddenHands = solve_hidden(
            kind, [kind.declaration.policy(_first)]
        )  # for who is asked in stepped games, moves are noted
        self._matrix = self.solved.tree.matrix(self.solved.worth)
        self._open = solve_open(kind)

    def costs(self, seat: int, sequences: Sequence[int]) -> float:
        """What a seat loses if it does not play some sequences."""
        seats, matrix, value = self.solved.seats, self._matrix, self.solved.equilibrium.value
        if seat == 0:
            return value - by_program(seats, matrix, sequences).lower
        return -value - by_program((seats[1], seats[0]), (-matrix.T).tocsr(), sequences).lower

    def right(self) -> Iterator[Right]:
        """Where it is right to mix moves, to draw at will, and to keep a card that would win."""
        for seat, infos in enumerate(self.solved.seats):
            plan = self.solved.equilibrium.plans[seat]
            chances = infos.chances(plan)
            for place in (plan[infos.parents] > SURE).nonzero()[0].tolist():
                begin, count = int(infos.begins[place]), int(infos.counts[place])
                yield from self._right_here(seat, int(infos.rows[place]), begin, chances[begin : begin + count])

    def _right_here(self, seat: int, row: int, begin: int, chances: Any) -> Iterator[Right]:
        shown = [round(each, 4) for each in chances.tolist()]
        played = (chances > SURE).nonzero()[0].tolist()
        all_moves = range(len(shown))
        games = list(self._games(row))
        moves = games[0].events().legal
        if len(played) > 1:
            costs = min(self.costs(seat, [begin + other for other in all_moves if other != kept]) for kept in all_moves)
            if costs > SURE:
                yield Right("mixed moves", games[0], shown, costs)
        if moves[-1].trigger == "draw" and all_moves[-1] in played:
            costs = self.costs(seat, [begin + all_moves[-1]])
            if costs > SURE:
                yield Right("a draw at will", games[0], shown, costs)
        for game in games:
            values = {each.move: each.value for each in self._open.rated(game)}
            for card in {move.card for move in moves if move.card and values[move] == 1}:
                others = [place for place in all_moves if moves[place].card != card]
                if max(values[moves[place]] for place in played) < 1:
                    costs = self.costs(seat, [begin + place for place in others])
                    if costs > SURE:
                        yield Right(f"{card}, which would win, is kept", game, shown, costs)

    def _games(self, row: int) -> Iterator[Game]:
        """Stepped games of two positions of an information set, as far as they differ."""
        unfolded = self.solved.tree
        for last in dict.fromkeys(unfolded.infos[row, [tree.EARLIEST, tree.LATEST]].tolist()):
            deal, path = path_of(unfolded.trail, last)
            yield dealt_after(self.solved.kind, unfolded.decks[deal], path)


def found(cards: int, each: int) -> Iterator[tuple[str, Right]]:
    """Decks of a size in which something is right, the first one of each kind."""
    known = set()
    for deck in decks(cards):
        try:
            rights = Without(MauMau.with_deck(deck, each)).right()
        except (ValueError, TooLarge):
            continue  # no card may lie open
        for right in rights:
            if (kind := right.what.partition(", ")[2] or right.what) not in known:
                known.add(kind)
                yield deck, right


def main() -> None:
    """Print what is right in decks of a size."""
    cards, each = map(int, sys.argv[1:])
    for deck, right in found(cards, each):
        moves = ", ".join(
            f"{move} {chance}" for move, chance in zip(right.game.events().legal, right.chances, strict=True)
        )
        print(f"{deck}, {each} each: {right.what}; {moves}; {right.costs:.6f}; {right.game.position()}", flush=True)


if __name__ == "__main__":
    main()
