"""`maumau benchmark`: what a player reaches in a task of which games, opponents and decks never change."""

from __future__ import annotations

import json

from fsm.edge.extras import require
from maumau.cli.chosen import chosen_policies, refusing
from maumau.cli.commands.analysis import COMPILER
from maumau.cli.interrupt import BadInput
from maumau.cli.output import notify
from maumau.study.tasks import TASKS
from rules.notation import expected_name


def run(task: str | None, policy: str | None, decks: int | None, threads: int | None, as_json: bool) -> None:
    """Run `maumau benchmark`."""
    if task is None:
        if policy is not None or decks is not None:
            raise BadInput("TASK: missing; `maumau benchmark` without options lists all tasks")
        tasks, width = TASKS.values(), max(map(len, TASKS))
        lines = (f"{each.name:{width}}  {each.description}" for each in tasks)
        print(json.dumps([each.record() for each in tasks]) if as_json else "\n".join(lines))
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
        reached = TASKS[task].play(names[0], decks, threads, notify)
    print(json.dumps(reached.record()) if as_json else reached)
