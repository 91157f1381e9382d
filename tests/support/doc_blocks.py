"""The code blocks of the documentation, and how a test runs them."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from command import Line, plain_line, run_line
from fences import Block, blocks_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MARK = "\x1e"
COMPILING = re.compile(r"^maumau: compiling .*, once for this machine \.\.\.\n", re.MULTILINE)
"""What is printed only where the cache does not have the machine code yet."""
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


class Command(NamedTuple):
    """A command of a console block, and what it prints; None where the page does not say."""

    line: str
    expected: str | None


def pages() -> list[str]:
    """All pages, by their path below docs/."""
    return sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md") if "_build" not in path.parts)


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page."""
    return blocks_of(page, (DOCS / page).read_text(encoding="utf-8"))


def commands(block: Block) -> list[Command]:
    """The commands of a shell block: each line of `sh`, each line after `$` of `console` with the output below it, and
    what draws a picture.
    """
    if block.language in ("sh", "{drawing}"):
        return [Command(line, None) for line in block.body.splitlines()]
    parts = re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]
    return [Command(*part.split("\n", 1)) for part in parts]


def run_session(block: Block, names: dict[str, object]) -> None:
    """Run a doctest block with the names of the page so far."""
    test = doctest.DocTestParser().get_doctest(block.body, names, block.page, str(DOCS / block.page), block.line)
    test.globs = names
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append, clear_globs=False)
    assert not report, "".join(report)


def run_commands(block: Block, folder: Path) -> None:
    """Run the commands of a block. A status other than 0 must be shown by `echo $?` after it."""
    entries = commands(block)
    lines = [line for each in entries if (line := plain_line(each.line))]
    done = _in_this_process(lines, folder) if len(lines) == len(entries) else _in_a_shell(entries, folder)
    for place, (each, (printed, status)) in enumerate(zip(entries, done, strict=True)):
        shown = place + 1 < len(entries) and entries[place + 1].line == "echo $?"
        assert status == "0" or shown, f"{block.place}: {each.line}: status {status}\n{printed}"
        if each.expected is not None:
            told = COMPILING.sub("", printed)
            same = doctest.OutputChecker().check_output(each.expected, told, doctest.ELLIPSIS)
            assert same, f"{block.place}: {each.line}\nexpected:\n{each.expected}\nprinted:\n{printed}"


def _in_this_process(lines: list[Line], folder: Path) -> Iterator[tuple[str, str]]:
    """What each line prints, and its exit status; `folder` is the current one."""
    assert Path.cwd() == folder
    for line in lines:
        done = run_line(line, env={"COLUMNS": "100"})
        yield done.stdout + done.stderr, str(done.returncode)


def _in_a_shell(entries: list[Command], folder: Path) -> Iterator[tuple[str, str]]:
    """The same of commands in one shell."""
    script = "".join(f"{each.line}\nkept=$?; printf '{MARK}%s{MARK}' $kept; (exit $kept)\n" for each in entries)
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail\n{script}exit 0"],
        cwd=folder,
        env={**os.environ, "PATH": PATH, "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    parts = done.stdout.split(MARK)
    yield from zip(parts[0::2], parts[1::2], strict=False)
