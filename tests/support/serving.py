"""A server in a process of its own, which must end silently when it is interrupted."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from commands import COMMAND


@contextmanager
def serving(command: str = "serve", *options: str) -> Iterator[str]:
    """The address that a server prints, as long as it runs; it may print a QR code first.

    Only Graphviz, which draws machines, may warn: of fonts. A server that does not end is killed.
    """
    call = [*COMMAND, command, "--port", "0", *options]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        printed = [""]
        try:
            while not printed[-1].startswith("maumau: "):
                printed.append(process.stderr.readline())
                assert printed[-1], "".join(printed)
            yield printed[-1].split()[1]
        finally:
            process.send_signal(signal.SIGINT)
            try:
                _, rest = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        assert [line for line in rest.splitlines() if "Fontconfig" not in line] == []
    assert process.returncode == 0
