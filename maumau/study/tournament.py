"""Tournaments: every table of some players, in all seatings, on equal decks, and ratings of the players.

A rating follows the model of Luce (1959), which for two players is that of Bradley and Terry (1952): a player wins a
game with a chance in proportion to its strength among the strengths of those at the table. Strengths are fitted by
maximum likelihood (D. R. Hunter 2004, Annals of Statistics 32:384-406) and shown on Elo's scale: 400 points are a
factor of ten, the mean of all players is 0. Where a game declares returns, players are compared by their means, and
ratings say how often they win. Where a game ends with places (`rules.places`), the mean place is reported as well; its
returns, by default the players behind a seat less those before it, rank the seats. Intervals are percentiles over
resampled decks (B. Efron 1979), so they take into account that all seatings play the same decks; many decks are
resampled in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from itertools import combinations_with_replacement, permutations
from threading import Event
from typing import Any, NamedTuple

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, Notify, as_int, np, seed_number, thread_count
from fsm.stepping.game import Game
from maumau.agents.intervals import CONFIDENCE, Estimate
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.kernels.compiler.machine_code import in_background
from maumau.study.playing import runner_of
from rules.ending import WON
from rules.notation import many, shown
from rules.places import PlacesTable, returns_by_place

RESAMPLED = 1000
"""How often the decks are resampled for the intervals."""
BLOCKS = 10_000
"""Decks are resampled in at most so many blocks of equal size, so that memory does not grow with their number."""
CHUNK = 1 << 16
"""Games of a seating that are played at a time."""
MAX_DECKS = 10**9
"""Decks that a seating plays, at most: sums of scores of 32 bits then fit in 64."""
ROUNDS = 500
"""Rounds of the fit, at most."""
PRECISION = 1e-9
"""The fit ends when no strength changes by more than this part."""
PRIOR = 0.5
"""Wins that are added to each player at each table, so that who wins no game has a rating."""

COLUMNS = ("player", "games", "wins", "share", "from", "to", "rating", "rating from", "rating to")
OF_RETURNS = ("returns", "returns from", "returns to")
"""More columns, of a game that declares returns."""
OF_PLACES = ("place", "place from", "place to")
"""More columns, of a game that ends with places."""


class RatedPlayer(NamedTuple):
    """A player. games: in which it sat, once for each seat that it had. share: the wins of each of these. returns: what
    it gained by each, where the game declares that. place: its mean place, from 1 on, where the game ends with places.
    """

    name: str
    games: int
    wins: int
    share: Estimate
    rating: Estimate
    returns: Estimate | None
    place: Estimate | None

    def row(self) -> tuple[Any, ...]:
        """Return all figures in one row, in the order of the columns."""
        return (self.name, self.games, self.wins, *self.share, *self.rating, *(self.returns or ()), *(self.place or ()))


@dataclass(frozen=True)
class Tournament:
    """What came out, the best player first. seatings: of all tables; each has played `games` decks."""

    game: str
    players: int
    games: int
    seed: int
    seatings: int
    rated: tuple[RatedPlayer, ...]
    without_winner: int

    def rows(self) -> list[tuple[Any, ...]]:
        """Return the names of the columns, then a row for each player."""
        best = self.rated[0]
        columns = (*COLUMNS, *(OF_RETURNS if best.returns else ()), *(OF_PLACES if best.place else ()))
        return [columns, *(rated.row() for rated in self.rated)]

    def record(self) -> dict[str, Any]:
        """Return the result as plain data."""
        columns, *rows = self.rows()
        return asdict(self) | {"rated": [dict(zip(columns, row, strict=True)) for row in rows]}

    def lines(self) -> Iterator[str]:
        """Yield the result in lines for people."""
        seatings = f"{many(self.seatings, 'seating')} of {many(self.players, 'player')}"
        yield f"{self.game}: {many(self.games, 'deck')} in {seatings}, seed {self.seed}"
        if self.without_winner:
            yield f"{many(self.without_winner, 'game')} without a winner"
        width = max(len(rated.name) for rated in self.rated)
        returns = f"   {'returns':24}" if self.rated[0].returns else ""
        place = f"   {'place':18}" if self.rated[0].place else ""
        yield f"\n{'player':{width}} {'games':>9} {'wins':>9}   {'share':22}{returns}{place}   rating"
        for rated in self.rated:
            share = f"{rated.share.value:6.2%} [{rated.share.low:.2%}, {rated.share.high:.2%}]"
            rating = f"{rated.rating.value:+6.0f} [{rated.rating.low:+.0f}, {rated.rating.high:+.0f}]"
            if rated.returns:
                value, low, high = rated.returns
                share = f"{share:22}   {f'{value:+.3f} [{low:+.3f}, {high:+.3f}]':24}"
            if rated.place:
                value, low, high = rated.place
                share = f"{share:22}   {f'{value:.2f} [{low:.2f}, {high:.2f}]':18}"
            yield f"{rated.name:{width}} {rated.games:9,} {rated.wins:9,}   {share:22}   {rating}"


def tables_of(names: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """The tables: all choices of players, as different as there are players for the seats."""
    different = min(len(names), players)
    return [table for table in combinations_with_replacement(names, players) if len(set(table)) == different]


def play_tournament(
    kind: type[Game],
    players: int,
    names: Sequence[str],
    games: int,
    seed: int,
    threads: int | None = None,
    notify: Notify | None = None,
) -> Tournament:
    """Play games 0, 1, ... of `seed` in all seatings of all tables of the named players.

    Raises ValueError for numbers and names that do not fit, and for what a policy must not choose.
    """
    players, games = kind.declaration.player_count(players), as_int("games", games, 1, MAX_DECKS)
    seed = seed_number("seed", seed)
    for name in names:
        kind.seated(players, (name,))
    if len(set(names)) < 2:
        fault = f"{shown(names[0])} is the only player" if names else "no player is named"
        raise ValueError(f"{fault}; name two or more")
    if twice := next((name for place, name in enumerate(names) if name in names[:place]), None):
        raise ValueError(f"{shown(twice)} is named twice; name each player once")
    seated = [
        (index, seats)
        for index, table in enumerate(tables_of(names, players))
        for seats in dict.fromkeys(permutations(table))
    ]
    game = kind.declaration
    if _ends_with_places(game) and game.returns is None:
        game = replace(game, returns=returns_by_place)
    sums = sums_of([(game, seats) for _, seats in seated], games, seed, threads, notify)
    return _evaluated(game, players, games, seed, tuple(names), seated, sums)


def _ends_with_places(game: Declaration) -> bool:
    """Whether the outcome of a game is a ranking."""
    return issubclass(game.table, PlacesTable)


def sums_of(
    seated: Sequence[tuple[Declaration, Sequence[Any]]],
    games: int,
    seed: int,
    threads: int | None = None,
    notify: Notify | None = None,
) -> list[Array]:
    """Play games 0, 1, ... of `seed` in each seating of a game, and return the sums of each seating, as of `_sums`.

    Scores are the returns of a game that declares some. Raises ValueError for what a policy must not choose.
    """
    runners = []
    for game, seats in seated:
        scored = replace(game, score=game.returns) if game.returns else game  # so that they are in all results
        runners.append(runner_of(scored, len(seats), tuple(seats), seed, False, notify))
    for runner in runners:
        runner.prepare(games)
    sums: list[Array] = []
    stop = Event()

    def play() -> None:
        with ThreadPoolExecutor(min(thread_count(threads), len(runners))) as pool:
            try:
                played = [pool.submit(_sums, runner, games, stop) for runner in runners]
                for each in as_completed(played):
                    each.result()
                sums.extend(each.result() for each in played)
            finally:
                stop.set()

    in_background(play, stop.set)
    return sums


def _sums(runner: Runner | SteppedRunner, games: int, stop: Event) -> Array:
    """For each block of decks the games that each seat wins, those that nobody does, the scores of each seat, and its
    places by them, the most first, shape (blocks, 3 * players + 1).
    """
    size = -(-games // BLOCKS)  # decks of a block; the last one may have fewer
    sums = np.zeros((-(-games // size), 3 * runner.players + 1), np.int64)
    for first in range(0, games, CHUNK):
        played = runner.play(None, first, min(CHUNK, games - first), threads=1, stop=stop)
        blocks = (first + np.arange(len(played))) // size
        for seat in range(runner.players):
            np.add.at(sums[:, seat], blocks[played.won(seat)], 1)
            own = played.scores[:, seat]
            np.add.at(sums[:, runner.players + 1 + seat], blocks, own)
            ahead = (played.scores[:, : runner.players] > own[:, None]).sum(axis=1)
            np.add.at(sums[:, 2 * runner.players + 1 + seat], blocks, 1 + ahead)
        np.add.at(sums[:, runner.players], blocks[played.games["ending"] != WON], 1)
    return sums


def _evaluated(
    game: Declaration,
    players: int,
    games: int,
    seed: int,
    names: tuple[str, ...],
    seated: Sequence[tuple[int, tuple[str, ...]]],
    sums: Sequence[Array],
) -> Tournament:
    """What came out. sums: those of each seating."""
    tables = 1 + max(index for index, _ in seated)
    wins, gains, places = np.zeros((3, len(sums[0]), tables, len(names)), np.int64)
    seats = np.zeros((tables, len(names)), np.int64)
    for (index, table), by_seat in zip(seated, sums, strict=True):
        for seat, name in enumerate(table):
            wins[:, index, names.index(name)] += by_seat[:, seat]
            gains[:, index, names.index(name)] += by_seat[:, players + 1 + seat]
            places[:, index, names.index(name)] += by_seat[:, 2 * players + 1 + seat]
            seats[index, names.index(name)] += 1
    sat = seats.sum(axis=0) * games
    again = resampled(wins)
    ratings, spread = ratings_of(wins.sum(axis=0), seats), np.array([ratings_of(each, seats) for each in again])

    def means(sums: Array, again: Array) -> list[Estimate]:
        """The mean of each player."""
        values, spread = sums.sum(axis=(0, 1)) / sat, again.sum(axis=1) / sat
        return [estimate(value, spread[:, index]) for index, value in enumerate(values)]

    shares = means(wins, again)
    gained = means(gains, resampled(gains)) if game.returns else [None] * len(names)
    placed = means(places, resampled(places)) if _ends_with_places(game) else [None] * len(names)
    rated = [
        RatedPlayer(
            name,
            int(sat[index]),
            int(wins[:, :, index].sum()),
            shares[index],
            estimate(ratings[index], spread[:, index]),
            gained[index],
            placed[index],
        )
        for index, name in enumerate(names)
    ]
    ranked = sorted(rated, key=lambda each: -(each.returns or each.rating).value)
    unwon = sum(int(by_seat[:, players].sum()) for by_seat in sums)
    return Tournament(game.name, players, games, seed, len(seated), tuple(ranked), unwon)


def ratings_of(wins: Array, seats: Array) -> Array:
    """The ratings on Elo's scale. wins: by table and player. seats: how many a player has at each table, same shape."""
    won = wins + PRIOR * (seats > 0)
    played = won.sum(axis=1)
    strengths = np.ones(wins.shape[1])
    for _ in range(ROUNDS):
        before = strengths
        strengths = won.sum(axis=0) / (seats * (played / (seats @ strengths))[:, None]).sum(axis=0)
        strengths /= np.exp(np.log(strengths).mean())
        if (abs(strengths - before) <= PRECISION * before).all():
            break
    return 400 * np.log10(strengths)


def resampled(sums: Array) -> Array:
    """The sums by table and player of resampled blocks of decks, shape (RESAMPLED, tables, players)."""
    random, blocks = np.random.default_rng(seed=1), len(sums)
    flat = sums.reshape(blocks, -1)
    drawn = (random.multinomial(blocks, [1 / blocks] * blocks) for _ in range(RESAMPLED))
    return np.array([counts @ flat for counts in drawn]).reshape(RESAMPLED, *sums.shape[1:])


def estimate(value: float, spread: Array) -> Estimate:
    """Return a figure with its interval. spread: of the same figure over resampled decks."""
    low, high = np.quantile(spread, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Estimate(float(value), float(low), float(high))
