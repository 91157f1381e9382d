"""Open hands: the value of every deal and position of a small deck, the best moves, and where policies err.

All cards are visible, and the deal is the only chance. A position is worth 1 to the first side if it can force a win,
-1 if the other one can, else 0: play that nobody can win goes on for ever. Retrograde analysis finds this for all
positions that can be reached (K. Thompson: Retrograde analysis of certain endgames, 1986).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import SupportsIndex

from fsm.declaration.arcs import Policy
from fsm.edge.numbers import Notify, as_int, np, of_type
from fsm.edge.ticker import Ticker
from fsm.hashes import rules_hash
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.steps import Move
from maumau.agents.layout import check_dice
from maumau.kernels.compiler.machine_code import require_compiler
from maumau.solve.compiled.graph import STARTS
from maumau.solve.dealt import SortedDeals, TooLarge, check_count, count_of, deals_of, sample_of
from maumau.solve.positions import Positions, Worth
from maumau.solve.sides import as_solved, has_two_sides
from maumau.solve.state import SolutionFile
from rules.notation import shown

MEMORY = 2 << 30
"""Bytes that a solution may take where nothing else is said."""
SURE, BLOCKS = 256, 4
"""Deals by which the number of all positions is estimated, and the parts in which they are added."""
TOLD = 100_000
"""Positions from which on the estimate is told."""

Counts = tuple[int, int, int]
"""How many deals are won, without winner, and lost, from the view of a seat's side."""


@dataclass(frozen=True)
class RatedMove:
    """A move with its value to the player who makes it, and in how many moves a win is reached.

    length: None if nobody wins, and in a game that declares returns.
    """

    move: Move
    value: int
    length: int | None


@dataclass
class OpenHands:
    """The worth of a game with open hands: exact values, perfect play, and the errors of policies.

    kind: the class of the game. players: how many. positions: all positions in which a player chooses. deals: None for
    a single position. kept: what an interrupt leaves. worth: that of perfect play; None with more than two sides.
    """

    kind: type[Game]
    players: int
    positions: Positions
    deals: SortedDeals | None
    kept: SolutionFile = field(default_factory=SolutionFile, repr=False)
    worth: Worth = field(init=False)

    def __post_init__(self) -> None:
        two_sides = has_two_sides(self.positions.game, self.players)
        self.worth = self.positions.values() if two_sides else None  # type: ignore[assignment]

    def counted(self, worth: Worth) -> Counts:
        """Return how many deals the first side wins, nobody, and the other side. worth: of the positions."""
        signs = np.sign(worth.of(self.positions.roots))
        won, nobody, lost = (int((signs == sign).sum()) for sign in (1, 0, -1))
        return won, nobody, lost

    @property
    def by_deal(self) -> str:
        """A character for each deal: `+` if the first side wins, `-` if the second one does, `0` for nobody."""
        assert self.deals is not None
        return "".join("0+-"[int(sign)] for sign in np.sign(self.worth.of(self.positions.roots)).tolist())

    def following(self, policy: int, *seats: int) -> Worth:
        """Return what positions are worth if some seats follow a policy and the other plays perfectly against it.

        policy: its number. seats: from 0.
        """
        follows = [policy if seat in seats else Positions.FREE for seat in range(self.players)]
        return self.positions.values(follows, lengths=False)

    def against(self, policies: Sequence[int], seat: int) -> Worth:
        """Return what positions are worth to a seat that plays perfectly against fixed others.

        policies: the number of the one that each seat follows, any number may stand for `seat`. seat: from 0.
        """
        follows = [Positions.FREE if other == seat else policy for other, policy in enumerate(policies)]
        own = self.positions.sides
        alike = [own[other] == own[seat] if self.worth else other == seat for other in range(self.players)]
        return self.positions.values(follows, [1 if each else -1 for each in alike], lengths=False)

    @property
    def seats_of_sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The seats of the first side, and those of the other one, from 0."""
        seats = range(self.players)
        first = tuple(seat for seat in seats if self.positions.sides[seat] > 0)
        return first, tuple(seat for seat in seats if seat not in first)

    @property
    def kinds(self) -> Counts:
        """How many positions there are where a turn starts, in which a player chooses otherwise, and of one move."""
        starts = self.positions.movers >= STARTS
        choices = np.diff(self.positions.ways[0]) > 1
        return int(starts.sum()), int((~starts & choices).sum()), int((~starts & ~choices).sum())

    def rated(self, game: Game) -> list[RatedMove]:
        """Return all moves of the player who chooses, the best ones first. game: a stepped one. Raises ValueError."""
        number = self.positions.number(game.phase, game.table)
        if number is None or game.is_forced:
            raise ValueError(f"{game.position()} is not solved; use a position that a deal of the deck reaches")
        first, moves = self.positions.ways
        places = moves[first[number] : first[number + 1]].astype(np.int64)
        mine = int(self.worth.sides[game.player - 1])
        values = (self.worth.of(places) * mine).astype(int).tolist()
        lengths = [1 if place < 0 else 1 + int(self.worth.length[place]) for place in places]
        counted = not self.positions.game.returns
        found = [
            RatedMove(move, value, length if value and counted else None)
            for move, value, length in zip(game.events(()).legal, values, lengths, strict=True)
        ]
        return sorted(found, key=lambda rated: (-rated.value, (rated.length or 0) * rated.value))

    def best_moves(self, game: Game) -> tuple[Move, ...]:
        """Return the moves that keep the value of a position, all of them. game: a stepped one. Raises ValueError."""
        rated = self.rated(game)
        return tuple(each.move for each in rated if each.value == rated[0].value)


def solve_open(
    kind: type[Game],
    players: int = 2,
    policies: Sequence[str | Policy] = (),
    memory: int = MEMORY,
    state: Path | None = None,
    notify: Notify | None = None,
) -> OpenHands:
    """Solve a game with its deck, of which all deals are listed, with open hands.

    Games of the class know their `best_moves()` from then on.

    kind: a game class, usually `MauMau.with_deck("DQ HQ DT HT", each=1)`. players: how many. policies: those that are
    compared with perfect play. memory: bytes. state: a file in which an interrupt leaves what was found so far, and
    from which it goes on. notify: called with a line before machine code is compiled, and now and then. Raises
    ValueError, TooLarge; MissingExtra.
    """
    kind, players = game_class(kind), as_int("players", players)
    check_given(policies, memory, state, notify)
    check_solvable(kind, players, is_judged=has_two_sides(kind.declaration, players) or bool(policies))
    check_count(kind, players)
    positions = Positions(kind, players, judged(kind, players, policies))
    kept = kept_of(state, positions)
    kept.keep("positions", positions)
    kept.keep("answers", positions.answers)
    estimate = 0.0 if len(positions) else check_size(positions, memory, notify)
    deals = deals_of(kind, players)
    with kept.keeping():
        positions.add_deals(deals.decks[len(positions.decks) :])
        grow(positions, memory, notify, estimate=estimate)
        found = OpenHands(kind, players, positions, deals, kept)
    kept.done()
    if found.worth:
        kind.solution = found
    return found


def kept_of(file: Path | None, positions: Positions, *how: object) -> SolutionFile:
    """What an interrupt leaves: of a game by its rules, of policies by what they decide. how: else it is solved."""
    game, players, policies = positions.game, positions.players, positions.policies
    decide = [(each.name, each.code_hash) for each in policies]
    each = game.codec.cards_each(players)
    return SolutionFile(
        file, [game.name, rules_hash(game, *positions.compiled), sorted(game.full_deck()), each, players, decide, how]
    )


def solve_position(game: Game, memory: int = MEMORY, notify: Notify | None = None) -> OpenHands:
    """Solve what may follow the position of a stepped game in which a player chooses, with open hands.

    game: it is not changed. memory: bytes. notify: called with a line before machine code is compiled, and now and
    then. Raises ValueError, TooLarge; MissingExtra.
    """
    of_type("game", game, Game, "a stepped game")
    check_given((), memory, None, notify)
    kind = type(game)
    check_solvable(kind, game.players)
    if not has_two_sides(game.declaration, game.players):
        raise ValueError(f"{game.players} players have no perfect play; use 2 players or 2 sides")
    if not game.declaration.control.get(game.phase) or game.is_forced:
        raise ValueError("no player chooses in this position; use one in which one does")
    positions = Positions(kind, game.players)
    positions.add(game.phase, game.table)
    grow(positions, memory, notify)
    return OpenHands(kind, game.players, positions, None)


def check_given(policies: object, memory: SupportsIndex, state: object, notify: object) -> None:
    """Raise MissingExtra without what solves a game, TypeError or ValueError for wrong arguments of it."""
    require_compiler(notify)
    if isinstance(policies, str) or not isinstance(policies, Sequence):
        raise TypeError(f"policies: {shown(policies)}; give a list of policies or of their names")
    as_int("memory", memory, 1)
    of_type("state", state, (Path, NoneType), "the path of a file")


def judged(
    kind: type[Game], players: int, names: Sequence[str | Policy], by_chance: bool = False
) -> tuple[Policy, ...]:
    """The policies of some names, for so many players. by_chance: whether they may roll dice. Raises ValueError."""
    found = tuple(kind.declaration.policy(name) for name in names)
    for policy in found:
        if policy.rolls_dice and not by_chance:
            raise ValueError(f"policy {policy.name} chooses by chance; use one that makes one move, or hidden hands")
        policy.check_players(players)
        policy.prepare(players)
    return found


def check_solvable(kind: type[Game], players: int, *, is_judged: bool = True) -> None:
    """Raise ValueError for a game in which chance does more than deal, and for one in which what one side gains the
    other does not lose, where there is another one and that `is_judged`.
    """
    game = as_solved(kind.declaration, players)
    check_dice(game)
    if is_judged and game.returns and players > 1 and not game.zero_sum:
        raise ValueError(f"{game.title}: one player's gain is not the other's loss; use a game with zero_sum")


def check_size(positions: Positions, memory: int, notify: Notify | None) -> float:
    """About how many positions there are, by a sample of deals, whose positions stay known. Raises TooLarge."""
    low, high = bounds_of(positions, memory, notify)
    each = positions.bytes_each / (1 << 20)
    size = f"{low:,} to {high:,} positions, {low * each:,.0f} to {high * each:,.0f} MB"
    if low * each > memory >> 20:
        raise TooLarge.for_memory(size, memory)
    if notify and high > TOLD:
        notify(size)
    return math.sqrt(low * high)


def bounds_of(positions: Positions, memory: int, notify: Notify | None = None) -> tuple[int, int]:
    """Between which numbers that of all positions lies, by a sample of deals. Raises TooLarge.

    The more deals there have been, the fewer positions the next one adds on average: no more than the last ones have.
    """
    kind, players = positions.kind, positions.players
    sample, found = sample_of(kind, players, SURE), [0]
    for decks in np.array_split(sample, BLOCKS):
        positions.add_deals(decks)
        grow(positions, memory, notify)
        found.append(len(positions))
    positions.forget_deals()
    added = max(found[-1] - found[-2], found[-2] - found[-3]) * BLOCKS / len(sample)
    return found[-1], found[-1] + int(added * max(count_of(kind, players) - len(sample), 0))


def grow(
    positions: Positions, memory: int, notify: Notify | None, what: str = "positions", estimate: float = 0.0
) -> None:
    """Add all positions that can be reached. what: what they are called. estimate: about how many, if that is known.

    Raises TooLarge as soon as they do not fit.
    """
    ticker = Ticker(notify)
    try:
        while not positions.grow(memory, notify):
            part = len(positions) / estimate if estimate > len(positions) else None
            ticker.tell(f"{len(positions):,} {what}", part)
    except MemoryError:
        raise TooLarge.for_memory(f"more than {len(positions):,} {what}", memory) from None
