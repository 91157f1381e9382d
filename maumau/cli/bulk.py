"""Set-up for compiled code, which any command may run."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from maumau.cli.interrupt import BadInput, interrupt_machine_code

if TYPE_CHECKING:
    from maumau.study.counts import Progress
    from maumau.study.run import OnProgress
    from maumau.study.spec import StudySpec


def prepare_compiled_code() -> None:
    """Let Ctrl-C and SIGTERM end machine code, and print warnings in one line. Nothing of the compiler is imported."""
    warnings.formatwarning = _one_line
    interrupt_machine_code()


def check_bulk() -> None:
    """Raise BadInput, which names what to install, unless llvmlite is installed."""
    from maumau.kernels.compiler.machine_code import BulkMissing, require_compiler

    try:
        require_compiler()
    except BulkMissing as error:
        raise BadInput(str(error)) from None


def _one_line(message: Warning | str, *where: object, **more: object) -> str:
    """A warning in one line, without the place in the code."""
    return f"maumau: {' '.join(str(message).split())}\n"


def notify(message: str) -> None:
    """Report a slow step on standard error."""
    print(f"maumau: {message} ...", file=sys.stderr)


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
