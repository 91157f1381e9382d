"""The command, called in this process or in one of its own, and the input that its tests share."""

from __future__ import annotations

import io
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from extras import skip_if_lacking

CORPUS = Path(__file__).parents[1] / "corpus"
MAUMAU, UNO = CORPUS / "maumau", CORPUS / "uno"
STATEMENT = (MAUMAU / "statement.in").read_text()
DECK = "SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
Done = subprocess.CompletedProcess[str]
Maumau = Callable[..., Done]


@cache
def entry_point() -> Callable[[], None]:
    """What the command `maumau` of the installed distribution calls."""
    (script,) = entry_points(group="console_scripts", name="maumau")
    main: Callable[[], None] = script.load()
    return main


@cache
def command_group() -> click.Group:
    """The group of all commands, which the entry point runs."""
    found: list[click.Group] = []
    main = entry_point()
    with pytest.MonkeyPatch.context() as patch, _own_signals():
        patch.setattr(click.Group, "main", lambda self, **options: found.append(self))
        with pytest.raises(SystemExit):
            main()
    return found[0]


def maumau(*arguments: object, data: str | bytes = "", env: dict[str, str] | None = None) -> Done:
    """Call the command in this process, by the function that its own process calls: the packages are imported and the
    kernels compiled already. Returns what it printed, as text, and its exit status.
    """
    line = ["maumau", *map(str, arguments)]
    given = data.encode() if isinstance(data, str) else data
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, _own_signals():
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", line)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            entry_point()()
    status = ended.value.code
    assert isinstance(status, int)
    done = subprocess.CompletedProcess(line, status, _text(out), _text(err))
    skip_if_lacking(done.stderr)
    return done


@contextmanager
def forgetting() -> Iterator[None]:
    """Forget afterwards what commands register for their own process: games, rules and players of files."""
    from fsm import outside, registry
    from fsm.declaration import policy
    from fsm.variants import classes

    books = [*(registry.game_class(name).rulebook() for name in registry.BUILT_IN), *classes._own_rulebooks.values()]
    before = [dict(book._own) for book in books]
    with pytest.MonkeyPatch.context() as patch:
        for module, name in (
            (registry, "_registered"),
            (outside, "_admitted"),
            (policy, "_admitted"),
            (classes, "_own_rulebooks"),
        ):
            patch.setattr(module, name, dict(getattr(module, name)))
        try:
            yield
        finally:
            for book, own in zip(books, before, strict=True):
                book._own.clear()
                book._own.update(own)


@contextmanager
def _own_signals() -> Iterator[None]:
    """A command takes signals for the rest of its process; here they have their handlers back after it."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode(errors="backslashreplace")  # a command may write a file there


SHELL = set("|&;<>()$`*?~#\n\\")
IN_A_PROCESS = ("--cluster", ".py")
"""What starts processes of its own, and what registers a game for the rest of the process."""


class Line(NamedTuple):
    """A line of a shell that pipes calls of the command into each other. file: where it writes, if into a file."""

    calls: list[list[str]]
    file: str


def plain_line(line: str) -> Line | None:
    """A line that calls the command and does nothing else, so that it may be run in this process; None for others."""
    calls, _, file = line.partition(" > ")
    parts = calls.split(" | ")
    alone = all(part.startswith("maumau ") for part in parts) and not SHELL & set("".join([*parts, file]))
    if not alone or any(word in line for word in IN_A_PROCESS):
        return None
    return Line([shlex.split(part)[1:] for part in parts], file)


def run_line(line: Line, env: dict[str, str] | None = None) -> Done:
    """Run a line in this process, as with `set -o pipefail`: its status is that of the last call that fails."""
    done = subprocess.CompletedProcess(line.calls[0], 0, "", "")
    for call in line.calls:
        before, done = done, maumau(*call, data=done.stdout, env=env)
        done.returncode = done.returncode or before.returncode
        done.stderr = before.stderr + done.stderr
    if line.file:
        Path(line.file).write_text(done.stdout, encoding="utf-8")
        done.stdout = ""
    return done


def maumau_process(*arguments: object, data: str | bytes = "", env: dict[str, str] | None = None) -> Done:
    """The same in a process of its own, as a user calls it."""
    done = subprocess.run(
        [sys.executable, "-m", "maumau", *map(str, arguments)],
        input=data.encode() if isinstance(data, str) else data,
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    skip_if_lacking(done.stderr.decode())
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
