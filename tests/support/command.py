"""The command, called in a process of its own as a user calls it, and the input that its tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "corpus"
MAUMAU, UNO = CORPUS / "maumau", CORPUS / "uno"
STATEMENT = (MAUMAU / "statement.in").read_text()
DECK = "SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
Done = subprocess.CompletedProcess[str]
Maumau = Callable[..., Done]


def maumau(*arguments: object, data: str | bytes = "", env: dict[str, str] | None = None) -> Done:
    """Call the command; what it printed, as text."""
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *map(str, arguments)],
        input=data.encode() if isinstance(data, str) else data,
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
