"""A server in a process of its own, which must end silently when it is interrupted."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from commands import COMMAND


@contextmanager
def serving(command: str = "serve", *options: str) -> Iterator[str]:
    """The address that a server prints, as long as it goes on; what it prints besides at first is a QR code.

    Graphviz, which draws machines, warns of fonts on some machines, nobody else does.
    """
    call = [*COMMAND, command, "--port", "0", *options]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield next(line for line in process.stderr if line.startswith("maumau: ")).split()[1]
        finally:
            process.send_signal(signal.SIGINT)
        assert [line for line in process.stderr if "Fontconfig" not in line] == []
    assert process.returncode == 0
