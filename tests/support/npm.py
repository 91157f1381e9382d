"""Packages of npm, by which other people's programs judge what is exported."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def unavailable(why: str) -> None:
    """Skip, or fail where all tests must run."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def install(harness: Path, folder: Path, *packages: str) -> Path:
    """Install packages of npm into a folder, and copy a program beside them. Returns the program.

    Skips the test without npm, or without the network.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        unavailable(f"{packages[0]} is not run: node and npm are not installed")
    (folder / "package.json").write_text('{"private": true}')
    line = [str(npm), "install", "--no-audit", "--no-fund", *packages]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        unavailable(f"{packages[0]} is not run: npm could not install it: {done.stderr.strip().splitlines()[-1:]}")
    return Path(shutil.copy(harness, folder))
