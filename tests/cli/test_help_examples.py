"""Every example of every page of help runs, or names in one line the extra that it requires, whatever is installed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import command_group, maumau
from environments import make_environment

ROOT = Path(__file__).parents[2]
SHORTER = {
    "--minutes 3": "--minutes 0.02",
    "--searched 0 -o": "--searched 0 --minutes 0.02 -o",
    "--games 300000": "--games 2000",
    "--games 1000000": "--games 2000",
    "--games 100000": "--games 2000",
    "--traffic 1000000": "--traffic 100",
    "--until-width 0.001": "--until-width 0.1",
    "--players 3 --games 10000": "--players 3 --games 100",
    "--games 1000 --verbose": "--games 20 --verbose",
    "house,random,first-legal": "house,random,first-legal --games 20",
    "maumau check --sets --game uno-official": "maumau check --sets --game uno-official --positions 1",
    "--games 200 --json": "--games 5 --json",
    "maumau check --match --game uno": "maumau check --match --game uno --games 1",
    "--host 192.168.1.5": "--host 127.0.0.2",
    "--port 8000": "--port 0",
    "search:1000,": "search:10,",
}
"""What would take minutes, or is of another machine, and what is run in its place."""
SERVING = re.compile(r"maumau (serve|party)\b")
ROOMS = "maumau (serve|party)"
IN_THE_BASE = {
    rf"{ROOMS}.*": "web",
    r"maumau (train|tournament|benchmark|odds|dataset) .*": "bulk",
    r"maumau solve .*(--open|--responses).*": "bulk",
    r"maumau solve .*--hidden.*": "study",
    r"maumau study .*": "study",
    r"maumau compile(((?! --show).)*|.*(--why|--show lanes).*)": "bulk",
    r"maumau check --(exhaustive|deck) .*": "bulk",
    r".*\.svg": "diagrams",
}
"""The extra that an example requires, by its form; others run in the base install."""
FAILING = re.compile(r".* --sets .*--positions 1\b.*")
"""What ends with status 1: an arc that needs more positions than the one that is visited is reported as never fired."""
NAMED = re.compile(r"pip install -e '\.\[(\w+)\]'")


def examples(command: str) -> list[str]:
    """Return the examples of a page of help, shortened."""
    group = command_group()
    text = (group.commands[command] if command else group).help or ""
    part = text.split("Example:\n" if "Example:\n" in text else "Examples:\n")[1].split("\n\n")[0]
    part = re.sub(r"( \\)?\n {4,}", " ", part)  # a line that goes on
    lines = [re.split(r" {3,}", line.strip())[0] for line in part.splitlines()]
    return [shortened(line) for line in lines if line]


def shortened(line: str) -> str:
    for long, short in SHORTER.items():
        line = line.replace(long, short)
    return line


PAGES = ["", *command_group().commands]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that examples read."""
    there = tmp_path / "there"
    shutil.copytree(ROOT / "examples", there / "examples")
    corpus = ROOT / "tests" / "corpus"
    for name, source in {
        "games.txt": "maumau/statement.in",
        "hands.txt": "mahjong/cases.in",
        "groups.txt": "acquaintance/cases.in",
    }.items():
        shutil.copy(corpus / source, there / name)
    (there / "uno.txt").write_text(maumau("deal", "--game", "uno", "--players", 3, "--games", 2).stdout)
    shutil.copy(there / "examples" / "crazy_eights.py", there)
    (there / "my_game.py").write_text("from crazy_eights import CrazyEights as MyGame\n")
    (there / "my_player.py").write_text("def choose(view):\n    return view.events()[0]\n")
    (there / "tables.txt").write_text("anna bert carl\ncarl dora\nemil fritz\n")
    return there


def run(line: str, folder: Path, programs: Path, path: str) -> tuple[int, str]:
    """Run an example in a shell, with the command of `programs`. Returns its status and its messages.

    path: where other programs are found. A server is interrupted when it says its address.
    """
    env = os.environ | {"PATH": f"{programs}{os.pathsep}{path}", "BROWSER": "true", "XDG_STATE_HOME": str(folder)}
    shell = ["/bin/bash", "-c", f"set -o pipefail; {'exec ' if SERVING.match(line) else ''}{line}"]
    process = subprocess.Popen(
        shell, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    if not SERVING.match(line):
        messages = process.communicate("quit\n")[1]
        return process.returncode, messages
    messages = ""
    for part in process.stderr:
        messages += part
        if "http://" in part:
            process.send_signal(signal.SIGINT)
    return process.wait(), messages


def expected(line: str) -> int:
    """The exit status of an example, as it is shortened."""
    return 1 if FAILING.fullmatch(line) else 0


def test_every_page_has_examples() -> None:
    assert {page: examples(page) for page in PAGES if not examples(page)} == {}
    lines = [line for page in PAGES for line in examples(page)]
    assert len(lines) >= 74
    assert [short for short in SHORTER.values() if not any(short in line for line in lines)] == []


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_example_runs(page: str, folder: Path) -> None:
    for line in examples(page):
        status, messages = run(line, folder, Path(sys.executable).parent, os.environ["PATH"])
        assert (status, "Traceback" in messages) == (expected(line), False), f"{line}\n{messages}"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The programs of the base install, and the folder of the only other ones that its tests may find."""
    programs = make_environment(tmp_path_factory.mktemp("base") / "environment")
    system = tmp_path_factory.mktemp("system")
    return programs, str(system)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_in_the_base_install_an_example_runs_or_names_the_extra(
    page: str, folder: Path, base: tuple[Path, str]
) -> None:
    for line in examples(page):
        extra = next((extra for form, extra in IN_THE_BASE.items() if re.fullmatch(form, line)), None)
        status, messages = run(line, folder, *base)
        assert "Traceback" not in messages, f"{line}\n{messages}"
        if extra:
            last = messages.splitlines()[-1]
            assert (status, NAMED.findall(last)[-1:]) == (2, [extra]), f"{line}\n{messages}"
        else:
            assert status == expected(line), f"{line}\n{messages}"
