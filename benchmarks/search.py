"""What a search costs: a playout beside a whole game, a decision with few worlds, a round with `search:50` in a seat,
and what worlds are worth.

python -m benchmarks.search [--decisions N] [--rounds N] [--repeats K] [--json FILE]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import mean, variance

from benchmarks.measuring import (
    cpu_time,
    in_turn,
    markdown,
    ratio_text,
    surroundings,
    time_text,
    whole_number,
    write_json,
)
from fsm import Game, MauMau, Uno, UnoOfficial
from maumau import Search, bulk
from maumau.agents.search import CHAINS, SHORT
from maumau.agents.search.results import Value
from maumau.study.playing import runner_of

SEED, FEW, SOME, MANY, EVENTS, PLAYED = 7, CHAINS, SHORT + CHAINS, 600, 12, 20_000
AGAIN = 40
"""Searches of one position, each with another seed."""
KINDS = ((MauMau, 3), (Uno, 2), (Uno, 4), (UnoOfficial, 2))
HEAD = ["game", "players", "playout", "of a game", "without inference", "whole game", "decision", "round", "variance"]

LEGEND = f"""\
CPU time on one thread, medians of rounds in turn. Positions: the first choice after {EVENTS} events of games of house
players. playout: the time of a search of {MANY} worlds less that of one of {SOME}, by the games that are played out in
between; it holds its part of the world, which is inferred from all moves, or dealt anew (`without inference`). whole
game: `bulk.total`, in lanes where there are some. decision: with {FEW} worlds, one for each chain, its history read
from the start. round: `search:50` in seat 1 against house players, who are stepped, too. variance: that of the
share of wins over {AGAIN} searches of {SOME} worlds with other seeds, by the variance of as many independent worlds."""


@dataclass(frozen=True)
class Row:
    """Seconds of each."""

    game: str
    players: int
    inferred: float
    dealt: float
    whole: float
    decision: float
    round: float
    variance: float

    def cells(self) -> list[str]:
        """The cells of the table."""
        ratio = ratio_text(self.inferred / self.whole)
        rest = map(time_text, (self.dealt, self.whole, self.decision, self.round))
        return [self.game, str(self.players), time_text(self.inferred), ratio, *rest, ratio_text(self.variance)]


def positions(kind: type[Game], search: Search, count: int) -> Iterator[Game]:
    """Games in which somebody has a choice."""
    for number in range(count):
        game = kind.deal(search.players, SEED, number)
        while game.outcome is None and (len(game.history) < EVENTS or len(search.actions.legal(game)) < 2):
            game.step()
        if game.outcome is None:
            yield game


def works_of(
    kind: type[Game], players: int, decisions: int, rounds: int
) -> tuple[dict[str, Callable[[], object]], int]:
    """What is measured, by name, and how many games more are played out with MANY worlds than with SOME."""
    works: dict[str, Callable[[], object]] = {}
    for infer in (True, False):
        for worlds in (FEW, SOME, MANY):
            search = Search(kind, players, worlds, infer=infer, threads=1)
            games = list(positions(kind, search, decisions))
            works[f"{infer} {worlds}"] = lambda search=search, games=games: list(map(search.best, games))  # type: ignore[misc]
    policies = ["search:50", *["house"] * (players - 1)]
    runner = runner_of(kind.declaration, players, policies, SEED, tally=False, notify=None)
    runner.prepare(rounds)
    works["round"] = lambda: runner.play(None, 0, rounds, threads=1)
    works["whole"] = lambda: bulk.total(players, PLAYED, SEED, game=kind.declaration.name, threads=1)
    return works, sum(len(search.best(game).values) for game in games) * (MANY - SOME)


def variance_of_shares(kind: type[Game], players: int, decisions: int) -> float:
    """The variance of shares of wins over searches with other seeds, as a multiple of that of independent worlds."""
    searches = [Search(kind, players, SOME, seed=seed, threads=1) for seed in range(AGAIN)]
    found, independent = 0.0, 0.0
    for game in positions(kind, searches[0], decisions):
        shares = zip(*([value.share for value in _by_move(search, game)] for search in searches), strict=True)
        for each in shares:
            found += variance(each)
            independent += mean(each) * (1 - mean(each)) / SOME
    return found / independent


def _by_move(search: Search, game: Game) -> list[Value]:
    return sorted(search.best(game).values, key=lambda value: str(value.move))


def measured(kind: type[Game], players: int, decisions: int, rounds: int, repeats: int) -> Row:
    """The row of a game."""
    works, played_out = works_of(kind, players, decisions, rounds)
    for work in works.values():
        work()
    times = in_turn({what: (lambda what=what: cpu_time(works[what])) for what in works}, repeats)  # type: ignore[misc]
    inferred, dealt = ((times[f"{infer} {MANY}"] - times[f"{infer} {SOME}"]) / played_out for infer in (True, False))
    rest = times["whole"] / PLAYED, times[f"True {FEW}"] / decisions, times["round"] / rounds
    return Row(kind.declaration.name, players, inferred, dealt, *rest, variance_of_shares(kind, players, decisions))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decisions", type=whole_number, default=30, help="positions (default: %(default)s)")
    parser.add_argument("--rounds", type=whole_number, default=40, help="in each round (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=5, help="rounds in turn (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    rows = [measured(kind, players, options.decisions, options.rounds, options.repeats) for kind, players in KINDS]
    print(f"{surroundings('llvmlite', 'numpy')}; {options.repeats} rounds of {options.decisions} decisions\n")
    print(markdown(HEAD, [row.cells() for row in rows]))
    print(f"\n{LEGEND}")
    write_json(options.json, [asdict(row) for row in rows])


if __name__ == "__main__":
    main()
