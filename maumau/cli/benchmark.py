"""`maumau benchmark`: what a player reaches in a task of which games, opponents and decks never change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from fsm.edge.extras import require
from maumau.cli.chosen import chosen_policies, refusing
from maumau.cli.commands.analysis import COMPILER
from maumau.cli.interrupt import BadInput
from maumau.cli.output import notify
from maumau.study.tasks import TASKS, Task, TaskResult, play_task
from rules.notation import expected_name


def run(task: str | None, policy: str | None, decks: int | None, threads: int | None, as_json: bool) -> None:
    """Run `maumau benchmark`."""
    if task is None:
        if policy is not None or decks is not None:
            raise BadInput("TASK: missing; `maumau benchmark` without options lists all tasks")
        tasks = [asdict(each) | {"measure": each.measure} for each in TASKS.values()]
        print(json.dumps(tasks) if as_json else "\n".join(_listed()))
        return
    if task not in TASKS:
        expected = expected_name(task, TASKS, "'maumau benchmark'")
        raise BadInput(f"TASK: unknown task {task!r}{expected}")
    if policy is None:
        raise BadInput("--policy: missing; name the player that does the task")
    names = chosen_policies(policy)
    if len(names) != 1:
        raise BadInput(f"--policy: {policy} names {len(names)} players; name one; the task provides the others")
    require("maumau benchmark", *COMPILER)
    with refusing():
        reached = play_task(TASKS[task], names[0], decks, threads, notify)
    print(json.dumps(_record(reached)) if as_json else _said(TASKS[task], reached))


def _listed() -> Iterator[str]:
    width = max(map(len, TASKS))
    for task in TASKS.values():
        decks = f"{task.decks:,} decks" + (f" of each of {len(task.games)} games" if len(task.games) > 1 else "")
        yield f"{task.name:{width}}  {task.title}: {task.measure} against {task.others}, {decks}"


def _record(reached: TaskResult) -> dict[str, object]:
    """A result as one JSON object."""
    value, low, high = reached.value
    return asdict(reached) | {"value": value, "low": low, "high": high}


def _said(task: Task, reached: TaskResult) -> str:
    value, low, high = reached.value
    games = f"{reached.games:,} games"
    if task.measure == "returns":
        said = f"{reached.policy} gains {value:+.3f} [{low:+.3f}, {high:+.3f}] a game, in {games}"
    else:
        said = f"{reached.policy} wins {value:.2%} [{low:.2%}, {high:.2%}] of {games}"
    whole = reached.decks == task.decks
    return f"{task.name}: {said}" + ("" if whole else f"; an estimate, as the task has {task.decks:,} decks")
