"""What each house rule of official UNO does to the game: the page docs/rules/uno-atlas.md and its charts.

python -m benchmarks.atlas [--rounds N] [--pair-rounds N] [--searched N] [--kept FILE] [--write]

Each rule, profile and pair is compared with the base game on the same decks, a block of rounds at a time. What is found
is kept as a line of a file; the same command goes on where it stopped. An estimate of the time is printed first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import click

from benchmarks.atlas_measures import MEASURES, measures
from benchmarks.atlas_page import write_page
from benchmarks.atlas_published import lines as published_lines
from benchmarks.atlas_rates import lines as rate_lines
from benchmarks.atlas_rates import measured
from benchmarks.atlas_skill import WORLDS, searched
from fsm.edge.numbers import Array, np
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.kernels import bulk
from maumau.study.counts import holm, paired_p_value

GAME = "uno-official"
PLAYERS, OTHER_PLAYERS = (4, 2, 10), (3, 5, 6, 7, 8, 9)
SKILL_PLAYERS = (2, 4)
SEED = 2021
BLOCK = 1_000_000
"""Rounds that are played at a time, and in which deficits and chains are measured."""
SEARCHED_BLOCK, LONG_SEARCHED_BLOCK = 100, 25
"""Rounds that are searched at a time, and under rules that make them long; each block has a seed of its own."""
COMEBACK = 7
"""Cards by which the winner was behind at the end of one of its turns: as many as are dealt to each."""
LONG_CHAIN = 3
SAMPLED = 1000
"""Rounds by which the time is estimated."""
LONG = ("draw-until-fit", "family-uno")
"""Rules that make rounds long."""
PLAYED_AS = "played as"
"""A number that tells rounds apart: the cards that were laid, and the points."""
PAGE = Path("docs/rules/uno-atlas.md")
Rules = tuple[str, ...]


class Task(NamedTuple):
    """Rounds that are compared at a time. first: the number of the first. worlds: of those who search; 0: none does."""

    rules: Rules
    players: int
    first: int
    rounds: int
    worlds: int = 0


def tasks(rounds: int, pair_rounds: int, searched_rounds: int) -> Iterator[Task]:
    """All that is compared, first what tells most: a block of all, one of search, then the other blocks."""
    book = game_class(GAME).rulebook()
    singles = [(rule.name,) for rule in book.rules] + [(profile.name,) for profile in book.profiles]
    pairs = [(one.name, two.name) for one, two in combinations(book.rules, 2) if not one.reason_against(two)]
    for players in PLAYERS:
        yield from (Task(rules, players, 0, min(BLOCK, rounds)) for rules in singles)
        yield from (Task(rules, players, 0, pair_rounds) for rules in pairs)
    for players in OTHER_PLAYERS:
        yield from (Task(rules, players, 0, rounds // 10) for rules in singles)
    blocks = {rules: LONG_SEARCHED_BLOCK if rules[0] in LONG else SEARCHED_BLOCK for rules in singles}
    searching = [
        Task(rules, players, first, min(blocks[rules], searched_rounds - first), WORLDS)
        for first in range(0, searched_rounds, LONG_SEARCHED_BLOCK)
        for rules in singles
        for players in SKILL_PLAYERS
        if first % blocks[rules] == 0
    ]
    yield from (task for task in searching if task.first == 0)
    for first in range(BLOCK, rounds, BLOCK):
        for players in PLAYERS:
            yield from (Task(rules, players, first, min(BLOCK, rounds - first)) for rules in singles)
    yield from (task for task in searching if task.first > 0)


def kind_of(rules: Rules) -> type[Game]:
    """The game under rules; without any, the base game."""
    return game_class(GAME).with_rules(*rules) if rules else game_class(GAME)


def played(rules: Rules, players: int, first: int, rounds: int) -> dict[str, Array]:
    """The figures of each round, a number each; in the first block deficits and chains as well."""
    kind = kind_of(rules)
    found = bulk.play_dealt(players, rounds, SEED, first, game=kind)
    games = found.games
    figures = {
        "turns": games["turns"],
        "first": games["winner"] == 1,
        "drawn": games["taken"],
        "turned": games["reshuffles"] > 0,
        "endless": games["ending"] == 3,
        "points": found.scores.sum(axis=1),
    }
    if first == 0:
        noted = measures(bulk.play_dealt(players, rounds, SEED, game=kind.with_rules(MEASURES)))
        figures |= noted | {"comeback": noted["behind"] >= COMEBACK, "long chain": noted["longest"] >= LONG_CHAIN}
    return figures | {PLAYED_AS: games["trail"].astype(np.int64) << 16 | figures["points"]}


base_played = lru_cache(maxsize=2)(lambda players, first, rounds: played((), players, first, rounds))
base_searched = lru_cache(maxsize=4)(lambda *numbers: searched(kind_of(()), *numbers))


def compared(task: Task) -> dict[str, Any]:
    """By figure the number of rounds, the sums under the rules, in the base game, of the difference and its square; how
    many rounds differ; how many rounds have a longest chain of each length.
    """
    rules, players, first, rounds, worlds = task
    if worlds:
        where = players, rounds, worlds, SEED + first
        return {**task._asdict(), "sums": {"search": sums_of(searched(kind_of(rules), *where), base_searched(*where))}}
    after, before = played(rules, players, first, rounds), base_played(players, first, rounds)
    sums = {name: sums_of(after[name], before[name]) for name in after if name != PLAYED_AS}
    changed = int((after[PLAYED_AS] != before[PLAYED_AS]).sum())
    lengths = np.bincount(after["longest"]).tolist() if "longest" in after else []
    return {**task._asdict(), "changed": changed, "sums": sums, "lengths": lengths}


def sums_of(after: Array, before: Array) -> list[int]:
    """Of a figure of each round: the number of rounds, the sums under the rules and in the base game, and those of the
    difference and of its square.
    """
    difference = after.astype(np.int64) - before
    return [len(after), int(after.sum()), int(before.sum()), int(difference.sum()), int(difference @ difference)]


def joined(found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A cell for each set of rules and number of players: the sums of all its blocks."""
    cells: dict[tuple[Rules, int], dict[str, Any]] = {}
    for each in found:
        key = tuple(each["rules"]), each["players"]
        cell = cells.setdefault(key, {"rules": key[0], "players": key[1], "sums": {}, "lengths": [], "changed": 0})
        for name, sums in each["sums"].items():
            cell["sums"][name] = [a + b for a, b in zip(sums, cell["sums"].get(name, [0] * 5), strict=True)]
        cell["changed"] += each.get("changed", 0)
        cell["lengths"] = each.get("lengths") or cell["lengths"]  # of the first block only
    return list(cells.values())


def effects(cells: Sequence[Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    """The effects on a figure wherever it was compared: the mean under the rules and in the base game, the difference
    with its 95 % interval for all comparisons at once (Bonferroni), and p-values adjusted for all of them (Holm).
    """
    from scipy.special import stdtrit

    rows = []
    measured = [cell for cell in cells if name in cell["sums"]]
    for cell in measured:
        rounds, new, old, total, squares = cell["sums"][name]
        mean = total / rounds
        deviation = sqrt(max(squares - total * mean, 0) / max(rounds - 1, 1))
        reach = float(stdtrit(rounds - 1, 1 - 0.025 / len(measured))) * deviation / sqrt(rounds)
        row = {"rules": "+".join(cell["rules"]), "players": cell["players"], "rounds": rounds}
        row |= {"new": new / rounds, "old": old / rounds, "difference": mean, "reach": reach}
        rows.append(row | {"p": paired_p_value(mean, deviation, rounds)})
    return [row | {"p": p} for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True)]


def estimated(left: Sequence[Task]) -> float:
    """About how many seconds some tasks take, by a few rounds of each."""
    rates: dict[tuple[Rules, int, int], float] = {}
    for task in left:
        if (key := (task.rules, task.players, task.worlds)) not in rates:
            few = SAMPLED if not task.worlds else SAMPLED // 100
            compared(task._replace(rounds=min(few, task.rounds)))  # kernels are compiled
            start = time.monotonic()
            compared(task._replace(rounds=min(few, task.rounds)))
            rates[key] = (time.monotonic() - start) / few
    return sum(rates[task.rules, task.players, task.worlds] * task.rounds for task in left)


@click.command()
@click.option("--rounds", default=10_000_000, help="Rounds for each rule and profile with 2, 4 and 10 players; a tenth "
              "with others.")  # fmt: skip
@click.option("--pair-rounds", default=1_000_000, help="Rounds for each pair with 2, 4 and 10 players.")
@click.option("--searched", "searched_rounds", default=10_000, help="Rounds of search against house players.")
@click.option("--kept", default="atlas.jsonl", help="The file that keeps what was found.")
@click.option("--write", "only_write", is_flag=True, help="Write the page of what was found so far.")
def main(rounds: int, pair_rounds: int, searched_rounds: int, kept: str, only_write: bool) -> None:
    """Write the page of what each house rule of official UNO does."""
    file = Path(kept)
    kept_lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {Task(tuple(each["rules"]), *(each[name] for name in Task._fields[1:])): each for each in kept_lines}
    todo = list(tasks(rounds, pair_rounds, searched_rounds))
    found = [known[task] for task in todo if task in known]
    left = [] if only_write else [task for task in todo if task not in known]
    click.echo(f"{len(left)} of {len(todo)} parts are left, {sum(task.rounds for task in left):,} decks", err=True)
    expected = estimated(left)
    click.echo(f"about {expected / 60:.0f} minutes, by a few rounds of each", err=True)
    started = time.monotonic()
    with file.open("a") as out:
        for number, task in enumerate(left, 1):
            found.append(compared(task))
            out.write(json.dumps(found[-1]) + "\n")
            out.flush()
            if number % 20 == 0:
                click.echo(f"{number} of {len(left)} after {(time.monotonic() - started) / 60:.0f} minutes", err=True)
    compared_rounds = min(rounds // 50, 200_000)
    others = chain(published_lines(compared_rounds, SEED), rate_lines(measured(compared_rounds // 2, repeats=5)))
    write_page(PAGE, joined(found), effects, others)


if __name__ == "__main__":
    main()
