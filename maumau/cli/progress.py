"""Progress of a long command: a bar on standard error, if that is a terminal, and messages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.study.counts import Progress
    from maumau.study.run import OnProgress
    from maumau.study.spec import StudySpec


def print_message(message: str) -> None:
    """Print a message on standard error."""
    print(f"maumau: {message}", file=sys.stderr)


@contextmanager
def progress_bar(spec: StudySpec) -> Iterator[OnProgress]:
    """A progress bar of a study: games, games a second, time left. It needs rich and a terminal."""
    if not sys.stderr.isatty() or find_spec("rich") is None:
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {spec.units}"),
        BarColumn(),
        TextColumn("{task.fields[rate]:,.0f} a second"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=spec.games, rate=0.0)

        def update(progress: Progress) -> None:
            speed = bar.tasks[0].speed or 0.0
            bar.update(task, completed=progress.done, rate=speed)

        yield update
