"""Rounds a second of official UNO with four house rules beside the base game's, in turn in one run.

python -m benchmarks.atlas_rates [--rounds N] [--repeats N]

CPU time of one thread; the rounds are dealt, played and counted (`bulk.total`). What bounds them shows in the events of
a round and the time of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import click

from benchmarks.measuring import cpu_time, in_turn
from fsm.registry import game_class
from maumau.kernels import bulk

SEED = 2021
RULES: dict[str, tuple[str, ...]] = {
    "base game": (),
    "family-uno": ("family-uno",),
    "stack-draws, no-bluff, seven-zero, jump-in": ("stack-draws", "no-bluff", "seven-zero", "jump-in"),
    "must-play, no-bluff, no-action-last, jump-in": ("must-play", "no-bluff", "no-action-last", "jump-in"),
    "stack-draw-two, seven-zero, no-draw-on-last, jump-in": (
        "stack-draw-two", "seven-zero", "no-draw-on-last", "jump-in",
    ),
}  # fmt: skip
"""Four rules each; family-uno has four."""


def measured(rounds: int, repeats: int) -> Iterator[dict[str, Any]]:
    """For 2, 4 and 10 players and all rules the rounds a second, their ratio to the base game's, events and time."""
    for players in (2, 4, 10):
        kinds = {name: game_class("uno-official").with_rules(*rules) for name, rules in RULES.items()}
        calls = {
            name: partial(bulk.total, players, rounds, SEED, threads=1, tally=False, game=kind)
            for name, kind in kinds.items()
        }
        for kind in kinds.values():  # compiled before it is measured
            bulk.total(players, 100, SEED, tally=False, game=kind)
        seconds = in_turn({name: partial(cpu_time, call) for name, call in calls.items()}, repeats)
        for name, kind in kinds.items():
            counted = bulk.total(players, rounds, SEED, game=kind)
            events = sum(counted.fired.values()) / counted.games
            taken = seconds[name] / rounds
            yield {
                "rules": name,
                "players": players,
                "rate": 1 / taken,
                "ratio": seconds["base game"] / seconds[name],
                "turns": counted.turns / counted.games,
                "events": events,
                "nanoseconds": 1e9 * taken / events,
            }


def lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The part of the page."""
    yield "\n## Rounds a second\n"
    yield "The table has rates with four rules in force, and without any: one thread, CPU time, in turn in one run.\n"
    yield "| rules | players | rounds a second | of the base game's | turns | events | ns an event |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        yield (f"| {row['rules']} | {row['players']} | {row['rate']:,.0f} | {row['ratio']:.2f} | {row['turns']:.1f} | "
               f"{row['events']:.0f} | {row['nanoseconds']:.1f} |")  # fmt: skip
    yield """
Events limit the rates. Each drawn card is an event, and so is each question whether a seat jumps in. An event
takes no longer than in the base game, except where some rounds never end. The kernel plays these until a
position returns, and once more to find where it first occurred. All rounds are played one by one: lanes
cannot trace the deal of official UNO, which goes on or not by the order of the cards ([lanes](../lanes.md))."""


@click.command()
@click.option("--rounds", default=100_000, help="Rounds of each measurement.")
@click.option("--repeats", default=5, help="Measurements of each, in turn; the median counts.")
def main(rounds: int, repeats: int) -> None:
    """Print the rounds a second with four house rules."""
    for line in lines(measured(rounds, repeats)):
        click.echo(line)


if __name__ == "__main__":
    main()
