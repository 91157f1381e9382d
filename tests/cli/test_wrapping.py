"""What is printed in a terminal is wrapped to its width; what goes into a pipe or a file is not."""

from __future__ import annotations

import os
import sys

import pytest
from command import CORPUS

from maumau.cli.output import wrapped

pty = pytest.importorskip("pty", reason="only Unix has pseudo-terminals")


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        ("one two three four", 12, ["one two", "three four"]),
        ("  ok      every card is there", 30, ["  ok      every card is there"]),
        ("  ok      every card is there", 24, ["  ok      every card is", "          there"]),
        ("pile: SA SK SQ SJ", 18, ["pile: SA SK SQ SJ"]),
        ("pile: SA SK SQ SJ HA", 18, ["pile: SA SK SQ SJ", "      HA"]),
        ("  an indented text", 12, ["  an", "  indented", "  text"]),
        ("averylongwordthatfitsnowhere", 12, ["averylongwordthatfitsnowhere"]),
    ],
)
def test_a_line_wraps_below_the_text_after_its_label(line: str, width: int, lines: list[str]) -> None:
    assert wrapped(line, width).splitlines() == lines


def in_terminal(width: int, *arguments: str) -> list[str]:
    """Return the lines that a command prints in a terminal of a width."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["COLUMNS"] = str(width)
        os.execv(sys.executable, [sys.executable, "-m", "maumau", *arguments])
    found = b""
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # the command has ended
            break
        if not part:
            break
        found += part
    os.waitpid(child, 0)
    return found.decode().replace("\r\n", "\n").splitlines()


@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "--game", "maumau"),
        ("rules", "lively"),
        ("simulate", "--trace", str(CORPUS / "maumau" / "statement.in")),
        pytest.param(("check", "--games", "1"), marks=pytest.mark.slow),
    ],
    ids=["rules", "a rule", "trace", "check"],
)
def test_lines_fit_a_terminal_and_say_the_same(arguments: tuple[str, ...]) -> None:
    narrow, wide = (in_terminal(width, *arguments) for width in (60, 500))
    assert max(map(len, narrow)) <= 60 < max(map(len, wide))
    if arguments[0] != "check":  # it says how long it took
        assert " ".join(narrow).split() == " ".join(wide).split()
