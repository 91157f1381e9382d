"""Calls the command in this process and checks its output."""

from __future__ import annotations

import io
import re
import signal
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

LONGEST = 2000
"""Characters of a line of a message; what is quoted from the input is cut off."""


class Called(NamedTuple):
    """What a call printed, and its exit status."""

    status: int
    out: str
    err: str


def called(*arguments: str, data: bytes = b"") -> Called:
    """Call the command with `data` as its standard input; an exception other than its own exit passes through."""
    from maumau.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    source = SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False)
    with ExitStack() as stack:
        stack.enter_context(patch.object(sys, "argv", ["maumau", *arguments]))
        stack.enter_context(patch.object(sys, "stdin", source))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        for number in (signal.SIGINT, signal.SIGTERM):
            stack.callback(signal.signal, number, signal.getsignal(number))
        try:
            main()
        except SystemExit as ended:
            return Called(int(ended.code or 0), out.getvalue(), err.getvalue())
    raise AssertionError("the command did not end by an exit status")


def answered(done: Called) -> bool:
    """Whether the input was accepted. Raises AssertionError if it was neither answered nor refused as it should be."""
    if done.status in (0, 1):
        assert not done.err, done
        assert done.out.endswith("\n") or not done.out, done
        return True
    assert done.status == 2, done
    assert not done.out, "something was printed before the input was refused"
    lines = done.err.splitlines()
    assert lines, "refused without a word"
    for line in lines:
        assert re.match(r"<stdin>:[1-9]\d*: .", line), line
        assert len(line) <= LONGEST, f"a message of {len(line)} characters"
        assert line.isascii(), line
    return False
