"""What is imported, and what a command does, loads nothing that it does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

NEEDLESS = {
    "import maumau": "fsm transitions numpy llvmlite maumau.kernels",
    "from maumau import MauMau, Uno, Mahjong": "numpy llvmlite maumau.kernels",
    "import maumau.cli.main, maumau.cli.simulate; from fsm.registry import game_class; game_class('maumau')":
        "llvmlite numpy graphviz networkx pygraphviz",
    "import maumau.cli.main; maumau.cli.main.app.commands['serve']": "starlette uvicorn maumau.play.server",
    "import io, sys; from maumau.cli.main import app\n"
    "for name, data in (('acquaintance', b'0 0'), ('waits', b'0')):\n"
    "    sys.stdin = io.TextIOWrapper(io.BytesIO(data)); app([name], standalone_mode=False)":
        "transitions graphviz llvmlite numpy networkx",
    "import render.diagram": "graphviz pygraphviz",
    "import render.page": "pygraphviz numpy llvmlite starlette",
}  # fmt: skip
"""Programs, and the modules that they need not load."""


@pytest.mark.parametrize("code", NEEDLESS)
def test_nothing_needless_is_loaded(code: str) -> None:
    line = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    loaded = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()
    assert {*NEEDLESS[code].split()} & {*loaded} == set()
