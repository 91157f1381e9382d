"""A search with a tree beside a flat one of the same processor time: each plays the same decks in all seats in turn,
against house players.

python -m benchmarks.trees [--games N] [--only GAME ...] [--first DECK] [--json FILE]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from statistics import mean

from benchmarks.measuring import Decided, half_width, in_turn, markdown, surroundings, whole_number, write_json
from examples.gin_rummy import GinRummy
from examples.hearts import Hearts
from fsm import Game, MauMau, Uno, UnoOfficial
from maumau import Search
from maumau.play.table.hints import is_in_points

SEED, TIMED, ROUNDS, MATCHED = 5, 100, 3, 3
CONTESTS: dict[str, tuple[type[Game], int, int]] = {
    "maumau-2": (MauMau, 2, 1000),
    "maumau-3": (MauMau, 3, 1000),
    "uno-2": (Uno, 2, 1000),
    "uno-official-2": (UnoOfficial, 2, 1000),
    "hearts-4": (Hearts, 4, 200),
    "gin-rummy-2": (GinRummy, 2, 60),
}
"""Of each contest: the game, how many play, and the worlds of the flat search."""
HEAD = ["game", "players", "games", "flat", "ms", "tree", "ms", "difference", "interval"]

LEGEND = """\
Each search plays the same decks against house players, each deck in all seats, and both play a deck one after the
other. The worlds of the tree are those for which it takes as long as the flat search at the same decisions. flat, tree:
its name, and the share of games that were won, or the points of a game. ms: processor time of a decision, on one
thread. difference: tree less flat, in percentage points or points, with its 95 % interval over the decks."""


def decisions(kind: type[Game], players: int, seed: int) -> Iterator[Game]:
    """Decisions with a choice in games of house players, one of each eight."""
    number = found = 0
    while True:
        game = kind.deal(players, seed, number, "house")
        while game.outcome is None:
            if len(game.events().legal) > 1:
                found += 1
                if found % 8 == 0:
                    yield game.clone()
            game.step()
        number += 1


def matched(kind: type[Game], players: int, flat: Search) -> Search:
    """A search with a tree that takes as long as a flat one."""
    games = list(islice(decisions(kind, players, SEED + 1), TIMED))
    worlds = flat.world_count
    for _ in range(MATCHED):
        tree = Search(kind, players, worlds, tree=True, threads=1)
        contenders = {"flat": flat, "tree": tree}
        taken = in_turn({name: partial(seconds_of, search, games) for name, search in contenders.items()}, ROUNDS)
        worlds = max(1, round(worlds * taken["flat"] / taken["tree"]))
    return Search(kind, players, worlds, tree=True, threads=1)


def seconds_of(search: Search, games: Sequence[Game]) -> float:
    """Processor time of some decisions, the histories of which are read from the start."""
    start = time.process_time()
    for game in games:
        search.best(game)
    return time.process_time() - start


def play(kind: type[Game], search: Search, deck: int, seat: int, played: Decided) -> float:
    """What a seat gains that chooses by the search."""
    game = kind.deal(search.players, SEED, deck, "house")
    while game.outcome is None:
        if game.player == seat and len(game.events().legal) > 1:
            game.fire(played.timed(lambda: search.best(game)).move)
        else:
            game.step()
    if is_in_points(kind.declaration):
        return float(game.outcome.returns[seat - 1])
    return float(seat in game.outcome.winners)


@dataclass(frozen=True)
class Row:
    """What a flat search and one with a tree gained of some decks, in the mean of all seats."""

    game: str
    players: int
    flat: Decided
    tree: Decided

    def difference(self) -> tuple[float, float]:
        """What the tree gains more, and half of its interval."""
        each = [tree - flat for tree, flat in zip(self.tree.gains, self.flat.gains, strict=True)]
        return mean(each), half_width(each)

    def cells(self, in_points: bool) -> list[str]:
        """The cells of the table."""
        scale, unit = (1.0, "") if in_points else (100.0, " %")
        more, wide = (scale * number for number in self.difference())
        cells = [self.game, str(self.players), f"{len(self.flat.gains) * self.players:,}"]
        for each in (self.flat, self.tree):
            cells += [f"{each.player}: {scale * mean(each.gains):.2f}{unit}", f"{each.milliseconds:.2f}"]
        return [*cells, f"{more:+.2f}", f"{more - wide:+.2f} to {more + wide:+.2f}"]


def contest(kind: type[Game], flat: Search, tree: Search, decks: range) -> Row:
    """Both searches play some decks in all seats."""
    players = flat.players
    names = f"search:{flat.world_count}", f"search:{tree.world_count}:tree"
    row = Row(kind.declaration.name, players, *map(Decided, names))
    for deck in decks:
        for search, played in ((flat, row.flat), (tree, row.tree)):
            played.gains.append(mean(play(kind, search, deck, seat, played) for seat in range(1, players + 1)))
    return row


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trees", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=whole_number, default=3000, help="of each search (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=CONTESTS, default=list(CONTESTS), help="contests (default: all)")
    parser.add_argument("--flat", type=whole_number, help="worlds of the flat search (default: by the game)")
    parser.add_argument("--tree", type=whole_number, help="worlds of the tree (default: those of the same time)")
    parser.add_argument("--first", type=int, default=0, help="the first deck (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    print(f"{surroundings('llvmlite', 'numpy')}\n\n{LEGEND}\n")
    rows, cells = [], []
    for name in options.only:
        kind, players, worlds = CONTESTS[name]
        flat = Search(kind, players, options.flat or worlds, threads=1)
        given = Search(kind, players, options.tree, tree=True, threads=1) if options.tree else None
        tree = given or matched(kind, players, flat)
        row = contest(kind, flat, tree, range(options.first, options.first + options.games // players))
        rows.append(row)
        cells.append(row.cells(is_in_points(kind.declaration)))
        print(" ".join(cells[-1]), file=sys.stderr)
    print(markdown(HEAD, cells))
    write_json(options.json, [asdict(row) for row in rows])


if __name__ == "__main__":
    main()
