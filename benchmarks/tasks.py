"""Results of players in all tasks, as the page docs/tasks.md has them.

python -m benchmarks.tasks [--policies NAME,...] [--decks N] [--json FILE]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from benchmarks.measuring import markdown, surroundings, whole_number, write_json
from maumau.study.tasks import TASKS, Task, TaskResult

POLICIES = "random,first-legal,house,net"


def result_of(task: Task, policy: str, decks: int | None) -> TaskResult | None:
    """What a player reaches; None if it cannot play."""
    try:
        return task.play(policy, decks)
    except ValueError as error:
        print(f"{task.name}: {error}", flush=True)
        return None


def cells(task: Task, results: Sequence[TaskResult | None]) -> Iterator[str]:
    """The row of a task: what each player reaches, and half the width of the interval."""
    yield f"`{task.name}`"
    yield task.measure
    for result in results:
        if result is None:
            yield ""
            continue
        value, low, high = result.value
        half = (high - low) / 2
        yield f"{value:.3f} ± {half:.3f}" if task.measure == "returns" else f"{100 * value:.2f} % ± {100 * half:.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policies", default=POLICIES, help="the players (default: %(default)s)")
    parser.add_argument("--decks", type=whole_number, help="decks of each game (default: those of the task)")
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file, too")
    options = parser.parse_args(arguments)
    policies = options.policies.split(",")
    print(f"{surroundings('llvmlite', 'numpy')}\n", flush=True)
    found = {name: [result_of(task, policy, options.decks) for policy in policies] for name, task in TASKS.items()}
    head = ["task", "measure", *(f"`{policy}`" for policy in policies)]
    print(markdown(head, [list(cells(TASKS[name], results)) for name, results in found.items()]))
    write_json(options.json, [asdict(each) for results in found.values() for each in results if each])


if __name__ == "__main__":
    main()
