"""Steps a second of a batch by the players of the other seats, compared with a batch against the house.

python -m benchmarks.opponents [--players N] [--slots N] [--seconds S] [--repeats K] [--json FILE]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass
from functools import partial

from benchmarks.agents import SEED
from benchmarks.measuring import in_turn, markdown, ratio_text, surroundings, three_digits, whole_number, write_json
from maumau import Batch

OTHERS = ("house", "net", "search:20", "search:20:tree", {"house": 0.5, "net": 0.5})


@dataclass(frozen=True)
class RateAgainst:
    """Steps a second of CPU time against some players, and how many times those against the house."""

    others: str
    steps: float
    ratio: float


def seconds_of_step(batch: Batch, seconds: float) -> float:
    """CPU seconds of a step of one slot, with actions chosen as the first legal ones."""
    steps, start = 0, time.process_time()
    while time.process_time() < start + seconds:
        batch.step(batch.masks.argmax(axis=1))
        steps += batch.slots
    return (time.process_time() - start) / steps


def measure(players: int, slots: int, seconds: float, repeats: int) -> list[RateAgainst]:
    """All rows, measured in turn."""
    batches = {str(others): Batch("maumau", players, slots, SEED, others=others) for others in OTHERS}
    each = in_turn({name: partial(seconds_of_step, batch, seconds) for name, batch in batches.items()}, repeats)
    return [RateAgainst(name, 1 / took, each["house"] / took) for name, took in each.items()]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=whole_number, default=2, help="number of players")
    parser.add_argument("--slots", type=whole_number, default=256, help="games side by side")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of each measurement, at least")
    parser.add_argument("--repeats", type=whole_number, default=3, help="rounds")
    parser.add_argument("--json", metavar="FILE", help="also write the figures into FILE")
    options = parser.parse_args()
    print(f"{surroundings('llvmlite', 'numpy')}\n")
    rows = measure(options.players, options.slots, options.seconds, options.repeats)
    cells = [[row.others, three_digits(row.steps), ratio_text(row.ratio)] for row in rows]
    print(markdown(["others", "steps a second", "ratio to house"], cells))
    write_json(options.json, {"rows": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
