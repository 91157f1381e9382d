"""What each house rule of official UNO does to the game: the page docs/rules/uno-atlas.md and its charts.

python -m benchmarks.atlas [--rounds N] [--pair-rounds N] [--kept FILE]

Each rule, profile and pair is compared with the base game on the same decks. What is found of a set of rules is kept as
a line of a file; the same command goes on where it stopped. An estimate of the time is printed first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import click

from benchmarks.atlas_page import write_page
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.agents.arrays import Array, np
from maumau.kernels import bulk
from maumau.study.intervals import holm, paired_p_value

GAME = "uno-official"
PLAYERS, OTHER_PLAYERS = (2, 4, 10), (3, 5, 6, 7, 8, 9)
SEED = 2021
CHUNK = 20_000
LOGGED = 4_000
"""Rounds of which the chains of draws are counted."""
PAGE = Path("docs/rules/uno-atlas.md")


def figures(played: Any) -> dict[str, Array]:
    """The figures of each round, a number each."""
    games = played.games
    return {
        "turns": games["turns"],
        "first": games["winner"] == 1,
        "drawn": games["taken"],
        "turned": games["reshuffles"] > 0,
        "endless": games["ending"] == 3,
        "points": played.scores.sum(axis=1),
    }


def compared(rules: Sequence[str], players: int, rounds: int) -> dict[str, Any]:
    """The sums of each figure under rules, in the base game, of the difference and its square; and what differs."""
    kind, base = game_class(GAME).with_rules(*rules), game_class(GAME)
    sums: dict[str, list[float]] = {}
    changed = 0
    for first in range(0, rounds, CHUNK):
        count = min(CHUNK, rounds - first)
        one, other = (bulk.play_dealt(players, count, SEED, first, game=each) for each in (base, kind))
        changed += int(((one.games["trail"] != other.games["trail"]) | (one.scores != other.scores).any(axis=1)).sum())
        before, after = figures(one), figures(other)
        for name in before:
            old, new = before[name].astype(float), after[name].astype(float)
            parts = [new.sum(), old.sum(), (new - old).sum(), ((new - old) ** 2).sum()]
            sums[name] = [a + float(b) for a, b in zip(sums.get(name, [0.0] * 4), parts, strict=True)]
    found = {"rules": list(rules), "players": players, "rounds": rounds, "changed": changed, "sums": sums}
    return found | {"chains": chains(kind, players, min(rounds, LOGGED)) if "stack" in "".join(rules) else {}}


def chains(kind: type[Game], players: int, rounds: int) -> dict[str, int]:
    """How many rounds have a chain of so many draw cards in a row, by the longest of each round."""
    played = bulk.play_dealt(players, rounds, SEED, 0, log=True, game=kind)
    assert played.log is not None
    assert played.log_ends is not None
    arcs = kind.declaration.arcs
    answer = np.array([arc.trigger == "play" and str(arc.source) in ("answer-pending", "challenge-pending")
                       for arc in arcs])  # fmt: skip
    turn = np.array([arc.trigger == "play" and str(arc.source) in ("await-play", "drawn-choice") for arc in arcs])
    events, start = played.log[:, 0], 0
    found: dict[str, int] = {}
    for end in played.log_ends.tolist():
        longest = length = 0
        for event in events[start:end].tolist():
            length = length + 1 if answer[event] else 0 if turn[event] else length
            longest = max(longest, length)
        found[str(longest + 1 if longest else 0)] = found.get(str(longest + 1 if longest else 0), 0) + 1
        start = end
    return found


def random_players(rounds: int) -> dict[str, float]:
    """Two players who lay a random card wherever they can: turns, and wins of the one who begins."""
    played = bulk.play_dealt(2, rounds, SEED, 0, policies=["random-legal-card"], game=GAME)
    turns, first = played.games["turns"], played.games["winner"] == 1
    return {"turns": float(turns.mean()), "first": float(first.mean()), "rounds": rounds}


def cells(rounds: int, pair_rounds: int) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """The comparisons: rules or a profile, players, rounds."""
    book = game_class(GAME).rulebook()
    singles = [(rule.name,) for rule in book.rules] + [(profile.name,) for profile in book.profiles]
    for rules in singles:
        yield from ((rules, players, rounds) for players in PLAYERS)
        yield from ((rules, players, rounds // 10) for players in OTHER_PLAYERS)
    for one, other in combinations(book.rules, 2):
        if not one.reason_against(other):
            yield from (((one.name, other.name), players, pair_rounds) for players in PLAYERS)


def effect(cell: dict[str, Any], name: str, tests: int) -> dict[str, float | None]:
    """The mean under the rules and in the base game, the difference with its simultaneous 95 % interval, and p.

    tests: how many differences there are, by which the interval is widened (Bonferroni).
    """
    from scipy.special import stdtrit

    rounds = cell["rounds"]
    new, old, total, squares = cell["sums"][name]
    mean = total / rounds
    deviation = sqrt(max(squares - total * mean, 0) / max(rounds - 1, 1))
    reach = float(stdtrit(rounds - 1, 1 - 0.025 / tests)) * deviation / sqrt(rounds)
    p_value = paired_p_value(mean, deviation, rounds)
    return {"new": new / rounds, "old": old / rounds, "difference": mean, "reach": reach, "p": p_value}


def effects(found: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The effects on a figure in all comparisons, with p-values adjusted for all of them (Holm)."""
    rows = [effect(cell, name, len(found)) for cell in found]
    tests = holm([row["p"] for row in rows])
    return [
        {"rules": "+".join(cell["rules"]), "players": cell["players"], **row, "p": p}
        for cell, row, p in zip(found, rows, tests, strict=True)
    ]


@click.command()
@click.option("--rounds", default=10_000_000, help="Rounds for each rule and profile with 2, 4 and 10 players; a tenth "
              "with others.")  # fmt: skip
@click.option("--pair-rounds", default=1_000_000, help="Rounds for each pair with 2, 4 and 10 players.")
@click.option("--kept", default="atlas.jsonl", help="The file that keeps what was found.")
def main(rounds: int, pair_rounds: int, kept: str) -> None:
    """Write the page of what each house rule of official UNO does."""
    file = Path(kept)
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(tuple(each["rules"]), each["players"], each["rounds"]): each for each in lines}
    todo = list(cells(rounds, pair_rounds))
    left = [cell for cell in todo if cell not in known]
    size = sum(cell[2] for cell in left)
    click.echo(f"{len(left)} of {len(todo)} comparisons are left, {size:,} decks, each played twice", err=True)
    started, done = time.monotonic(), 0
    with file.open("a") as out:
        for number, cell in enumerate(left):
            known[cell] = compared(*cell)
            out.write(json.dumps(known[cell]) + "\n")
            out.flush()
            done += cell[2]
            if number % 10 == 0:
                minutes = (time.monotonic() - started) / done * (size - done) / 60
                click.echo(f"{number + 1} of {len(left)}: about {minutes:.0f} minutes left", err=True)
    found = [known[cell] for cell in todo]
    tables = {name: effects(found, name) for name in ("turns", "first", "drawn", "turned", "endless", "points")}
    write_page(PAGE, found, tables, random_players(max(rounds // 10, 10_000)), rounds, pair_rounds)


if __name__ == "__main__":
    main()
