"""Every command of the command line, with arguments that let it end soon, and how it is called with broken streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from extras import skip_if_lacking

CORPUS = Path(__file__).parents[1] / "corpus"
COMMAND = [sys.executable, "-m", "maumau"]
GAMES = str(CORPUS / "maumau" / "statement.in")
COMMANDS = {
    "simulate": ["simulate", GAMES],
    "simulate-compiled": ["simulate", "--engine", "compiled", "--json", GAMES],
    "simulate-trace": ["simulate", "--trace", GAMES],
    "simulate-events": ["simulate", "--events", GAMES],
    "deal": ["deal", "--players", "2", "--games", "3"],
    "study": ["study", "--players", "2", "--games", "500"],
    "diagram": ["diagram"],
    "diagram-events": ["diagram", "--format", "events"],
    "diagram-traffic": ["diagram", "--traffic", "10"],
    "check": ["check", "--games", "1"],
    "rules": ["rules"],
    "actions": ["actions"],
    "compile": ["compile"],
    "compile-show": ["compile", "--show"],
    "replay": ["replay", GAMES, "-o", "-"],
    "waits": ["waits", str(CORPUS / "mahjong" / "cases.in")],
    "acquaintance": ["acquaintance", str(CORPUS / "acquaintance" / "cases.in")],
    "stubs": ["stubs", "maumau"],
    "completion": ["completion", "bash"],
    "help": ["--help"],
    "version": ["--version"],
}
"""`serve` is not among them: it prints nothing and does not end."""


def called(
    *arguments: object, redirected: str = "", data: bytes = b"", bound_by_modes: bool = False, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Call the command by a shell that redirects its streams, as in `>&-`; nothing may be a traceback.

    bound_by_modes: whether the modes of files bind it also where root calls it.
    """
    line = ["sh", "-c", f'exec "$@" {redirected}', "sh", *COMMAND, *map(str, arguments)]
    if bound_by_modes and os.geteuid() == 0:
        line = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *line]
    done = subprocess.run(line, input=data, capture_output=True, check=False, env={**os.environ, **environment})
    assert b"Traceback" not in done.stdout + done.stderr
    assert b"Exception ignored" not in done.stderr
    skip_if_lacking(done.stderr.decode(errors="replace"))
    return done
