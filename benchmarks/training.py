"""How strong nets become by processor time: `maumau train` with its settings, on one seed.

python -m benchmarks.training [--games maumau,uno-official] [--players N] [--seconds N] [--points N] [--searched N]
    [--trainings N] [--json FILE]

Time is processor time of the training alone, so that other work on the machine does not count. With `--trainings 2` a
second training of the same length learns more from the net of the first one, as `maumau train --from` does.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is imported

import argparse
import time
from collections.abc import Iterator, Sequence

from benchmarks.measuring import markdown, surroundings, whole_number, write_json
from maumau.agents.nets.net import Net
from maumau.agents.strength import Strength, strength
from maumau.agents.training import Trainer, TrainingSettings

TESTED = 10_000
"""Games of each estimate."""


def points(
    game: str, players: int, seconds: int, count: int, settings: TrainingSettings, start: Net | None
) -> Iterator[tuple[float, Net, Strength]]:
    """A training of so many seconds: the seconds, the net and its strength at `count` times."""
    trainer = Trainer(game, players, seed=1, settings=settings, start=start)
    used, mark = 0.0, 1
    while mark <= count:
        before = time.process_time()
        trainer.round(min(used / seconds, 1 - 1e-9))
        used += time.process_time() - before
        if used >= seconds * mark / count:
            mark += 1
            net = trainer.net.rounded()
            yield used, net, strength(net, TESTED, seed=2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default="maumau,uno-official", help="(default: %(default)s)")
    parser.add_argument("--players", type=whole_number, default=2, help="(default: %(default)s)")
    parser.add_argument("--seconds", type=whole_number, default=150, help="of each training (default: %(default)s)")
    parser.add_argument("--points", type=whole_number, default=5, help="of each training (default: %(default)s)")
    parser.add_argument("--searched", type=float, help="as for `maumau train` (default: its default)")
    parser.add_argument("--trainings", type=whole_number, default=1, help="each from the last (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file, too")
    options = parser.parse_args(arguments)
    settings = TrainingSettings() if options.searched is None else TrainingSettings(options.searched)
    print(f"{surroundings('llvmlite', 'numpy')}\n", flush=True)
    rows = []
    for game in options.games.split(","):
        net = None
        for training in range(options.trainings):
            given = game, options.players, options.seconds, options.points, settings, net
            for used, net, found in points(*given):
                rows.append([game, training + 1, round(used), net.games, found.share, found.low, found.high])
                print(f"{game}, training {training + 1}, {used:.0f} s: {found.share:.1%}", flush=True)
    head = ["game", "training", "processor seconds", "games", "wins", "low", "high"]
    cells = [[*map(str, row[:3]), f"{row[3]:,}", *(f"{100 * share:.1f} %" for share in row[4:])] for row in rows]
    print(f"\n{markdown(head, cells)}")
    write_json(options.json, [dict(zip(head, row, strict=True)) for row in rows])


if __name__ == "__main__":
    main()
