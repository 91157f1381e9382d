"""Odds: how often the player who acts wins after each legal move, found by playing the position out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

from fsm import Game
from fsm.declaration.endless import MAX_CHOSEN, StuckError
from fsm.declaration.policy import Policies
from fsm.edge.arrays import allocate
from fsm.edge.numbers import Notify, as_int, np, seed_number
from fsm.stepping.steps import Move
from maumau.agents.actions import action_space
from maumau.agents.compiled.odds import Playouts, play_out_moves
from maumau.agents.intervals import CONFIDENCE, Estimate, wilson
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.machine_code import require_compiler
from maumau.kernels.engine import program_of
from rules.notation import many

MAX_GAMES = 10**9
"""Games of a move, at most."""
AT_ONCE = 1000
"""Games of each move that are played in one call: between two calls Ctrl-C is noticed."""
POLICY = "random"
"""The player of all seats where none is named."""


@dataclass(frozen=True)
class Odds:
    """How a legal `move` turned out.

    games: how many were played after it. ended: those that came to an end; the others were given up. won: those that
    the player who made it won, alone or with others. gained: what the player gained in them together, and the sum of
    the squares, where the game declares returns; else None.
    """

    move: Move
    games: int
    ended: int
    won: int
    gained: tuple[int, int] | None = None

    @property
    def share(self) -> Estimate:
        """The share of games won among those that ended."""
        if not self.ended:
            return Estimate(float("nan"), 0.0, 1.0)
        return Estimate(self.won / self.ended, *wilson(self.won, self.ended))

    @property
    def returns(self) -> Estimate | None:
        """The mean return of the games that ended, where the game declares returns."""
        if self.gained is None:
            return None
        if not self.ended:
            return Estimate(float("nan"), float("nan"), float("nan"))
        total, squares = self.gained
        mean = total / self.ended
        deviation = sqrt(max(squares / self.ended - mean * mean, 0.0) / self.ended)
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * deviation
        return Estimate(mean, mean - reach, mean + reach)

    def record(self) -> dict[str, Any]:
        """Return the move and its odds as plain data."""
        returns = {"returns": _interval(self.returns)} if self.returns else {}
        counts = {"games": self.games, "ended": self.ended, "won": self.won}
        return {"move": str(self.move), **counts, "share": _interval(self.share), **returns}


def _interval(interval: Estimate) -> list[float] | None:
    """A value with its interval; null where no game has ended."""
    return None if interval[0] != interval[0] else [round(each, 6) for each in interval]


@dataclass(frozen=True)
class OddsTable:
    """The odds of all moves of a position. game, policies, seed, moves: as `odds_of` is given and returns them."""

    game: Game
    policies: Sequence[str]
    seed: int
    moves: tuple[Odds, ...]

    @classmethod
    def play_out(
        cls, game: Game, games: int, policies: Sequence[str], seed: int, notify: Notify | None = None
    ) -> OddsTable:
        """Play a position out as `odds_of` does. Raises what that does."""
        return cls(game, policies, seed, odds_of(game, games, policies=policies, seed=seed, notify=notify))

    def record(self) -> dict[str, Any]:
        """Return the position and the odds of its moves as plain data."""
        kind = type(self.game)
        return {
            "game": (kind.plain or kind).declaration.name,
            "rules": [rule.name for rule in kind.rules],
            "position": str(self.game.position()),
            "player": self.game.player,
            "policies": self.policies,
            "seed": self.seed,
            "moves": [odds.record() for odds in self.moves],
        }

    def lines(self) -> Iterator[str]:
        """Yield the odds in lines for people."""
        game, found = self.game, self.moves
        players = self.policies[0] if len(set(self.policies)) == 1 else ", ".join(self.policies)
        games = many(found[0].games, "game")
        moves = "the only legal move" if len(found) == 1 else f"each of {len(found)} legal moves"
        who = f"{game.declaration.title}, player {game.player} of {game.players}"
        yield f"{who}: {games} after {moves}, played by {players}"
        width = max(4, *(len(str(odds.move)) for odds in found))
        gains = f"   {'returns':26}" if found[0].gained else ""
        yield f"\n{'move':{width}}   {'won':26}{gains}".rstrip()
        for odds in found:
            value, low, high = odds.share
            share = f"{value:7.2%} [{low:.2%}, {high:.2%}]" if odds.ended else "no game ended"
            returns = "{:+.3f} [{:+.3f}, {:+.3f}]".format(*odds.returns) if odds.returns and odds.ended else ""
            line = f"{odds.move!s:{width}}   {share:26}   {returns:26}".rstrip()
            yield f"{line}   {odds.games - odds.ended:,} given up" if odds.ended < odds.games else line


def odds_of(
    game: Game, games: int = AT_ONCE, *, policies: Policies = POLICY, seed: int = 0, notify: Notify | None = None
) -> tuple[Odds, ...]:
    """Return the odds of each legal move of the player who acts in `game`, the best first.

    All cards stay where they are. Games differ by their dice alone: those of random players, and of rules that roll
    dice. games: how many are played after each move. policies: who plays from then on, one for all or one for each
    seat. seed: of the dice. notify: called with a line when the program has to be compiled.

    Raises ValueError where no player chooses, StuckError, and MissingExtra without llvmlite.

    >>> from fsm import MauMau
    >>> game = MauMau.deal(players=2, seed=7)
    >>> game.step().trigger
    'open'
    >>> [str(odds.move) for odds in odds_of(game, games=200)][0] in map(str, game.events().legal)
    True
    """
    require_compiler(notify)
    games, seed = as_int("games", games, 1, MAX_GAMES), seed_number("seed", seed)
    declaration = game.declaration
    moves = game.events(()).legal if action_space(declaration).chooses(game) else ()
    if not moves:
        raise ValueError(f"no player chooses at {game.position()}; use a position in which one does")
    seated = declaration.seated(game.players, policies, compiled=True)
    distinct = tuple(dict.fromkeys(seated))
    work = _playouts(game, len(moves), [distinct.index(policy) for policy in seated])
    program = program_of(play_out_moves, declaration, distinct).code(notify)
    phase = declaration.phase_numbers[game.phase]
    for first in range(0, games, AT_ONCE):
        if program(work, phase, seed, first, min(AT_ONCE, games - first), MAX_CHOSEN) == STUCK:
            raise StuckError(declaration, game.table.number)
    gains = work.gained.tolist() if declaration.returns else [None] * len(moves)
    counted = zip(moves, work.ended.tolist(), work.won.tolist(), gains, strict=True)
    found = [Odds(move, games, ended, won, gained and tuple(gained)) for move, ended, won, gained in counted]
    return tuple(sorted(found, key=lambda odds: -_worth(odds)))


def _playouts(game: Game, moves: int, policies: Sequence[int]) -> Playouts:
    """The workspace of a position."""
    layout = game.layout
    saved = np.frombuffer(layout.packed(layout.take(game.table)), np.uint8)
    room = {"moves": moves, "ended": moves, "won": moves}
    return allocate(Playouts, table=saved, policies=np.array(policies), gained=(moves, 2), **room)


def _worth(odds: Odds) -> float:
    """What moves are ordered by: mean returns, or shares of wins; moves without a game that ended come last."""
    if not odds.ended:
        return -float("inf")
    return odds.gained[0] / odds.ended if odds.gained else odds.won / odds.ended
