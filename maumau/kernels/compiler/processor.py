"""What the processor can do, as the operating system tells it: nothing but the standard library is needed."""

from __future__ import annotations

import os
import platform
import sys
from functools import cache

CPUINFO = "/proc/cpuinfo"


@cache
def description() -> str:
    """The model and the features of the processor, in one line; empty where they are not known."""
    try:
        with open(CPUINFO, encoding="utf-8", errors="replace") as opened:
            text = opened.read()
    except OSError:
        return ""
    facts = dict(line.split(":", 1) for line in text.partition("\n\n")[0].splitlines() if ":" in line)
    known = {name.strip(): value.strip() for name, value in facts.items()}
    return "; ".join(known.get(name, "") for name in ("model name", "cpu family", "model", "flags"))


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def runs_blocks() -> bool:
    """Whether blocks of machine code (`maumau.kernels.compiler.blocks`) can be made and used on this machine."""
    return sys.platform == "linux" and platform.machine() == "x86_64" and bool(description())
