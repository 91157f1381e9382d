"""How far a long command is: a bar on standard error, if that is a terminal, and lines about what happens meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from study.run import Progress, Tell
    from study.spec import StudySpec


def tell_line(what: str) -> None:
    """Tell on standard error what happens."""
    print(f"maumau: {what}", file=sys.stderr)


@contextmanager
def progress_bar(spec: StudySpec) -> Iterator[Tell]:
    """A bar of the games of a study: done, a second, time left. Without rich, or where nobody looks, there is none."""
    from study.run import tell_nobody

    if not sys.stderr.isatty() or find_spec("rich") is None:
        yield tell_nobody
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        BarColumn(),
        TextColumn("{task.fields[rate]:,.0f} a second"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=spec.games, rate=0.0)

        def tell(progress: Progress) -> None:
            speed = bar.tasks[0].speed or 0.0
            bar.update(task, completed=progress.done, rate=speed)

        yield tell
