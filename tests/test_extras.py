"""Each extra alone is enough for what it is for, and the table of extras is that of setup.cfg.

The environments are linked (`environments.py`). With MAUMAU_TEST_PROGRAMS=FOLDER, the programs of an environment in which
one extra was installed from an index, the tests of that extra run there, as `.ci/thorough` does.
"""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import urllib.request
from configparser import ConfigParser
from pathlib import Path

import pytest
from command import DECK
from environments import lacking, make_environment

from fsm.edge.extras import EXTRAS

ROOT = Path(__file__).parents[1]
IMPORTED = {"open_spiel": "pyspiel", "pillow": "PIL"}
"""The packages that are imported by another name than they are installed by."""
USES = {
    "bulk": [
        "maumau simulate --engine compiled games.txt",
        "maumau simulate --policy search:3 games.txt",
        "maumau simulate --policy net games.txt",
        "maumau tournament --policy house,random --games 10",
        "maumau benchmark uno-2-v1 --policy random --decks 10",
        "maumau train --games 100 --searched 0 -o me.net",
        "maumau solve --deck 'DQ HQ DT HT DK SK' --open --exploit house",
        "maumau diagram --traffic 10",
        "maumau check --games 1",
    ],
    "study": [
        "maumau study --players 3 --games 100 --out there",
        "maumau study --report there -o report.html",
        "maumau study --verify there",
        "maumau solve --deck 'DQ HQ DS HS DK SJ' --each 2 --hidden -o solved",
    ],
    "cluster": ["maumau study --cluster local:1 --players 2 --games 100 --format json"],
    "diagrams": ["maumau diagram -o maumau.svg", "maumau diagram -o maumau.png"],
    "gymnasium": [
        'python -c \'from maumau.agents.adapters.gym import ManyGames, OneSeat; OneSeat("maumau", 2).reset(seed=1); '
        'ManyGames("maumau", 2, 4).reset(seed=1)\''
    ],
    "pettingzoo": [
        "python -c 'from maumau.agents.adapters.zoo import CardGameAEC; CardGameAEC(\"maumau\", 2).reset(seed=1)'"
    ],
    "openspiel": [
        "python -c 'import pyspiel; from maumau.agents.adapters.spiel import register_game; "
        'pyspiel.load_game(register_game("maumau", 2)).new_initial_state()\''
    ],
    "minari": ["maumau dataset --games 2 --players 2 -o house.minari"],
}
"""What is done with the packages of each extra alone; `web` and `play` are tried below."""


def test_the_table_of_extras_is_that_of_the_distribution() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    named = {
        extra: {re.split(r"[ ;>]", line)[0] for line in text.split("\n") if line}
        for extra, text in setup["options.extras_require"].items()
        if extra in EXTRAS
    }
    assert {extra: {IMPORTED.get(name, name) for name in names} for extra, names in named.items()} == {
        extra: set(packages) for extra, packages in EXTRAS.items()
    }
    assert USES.keys() | {"web", "play"} == EXTRAS.keys()


def programs_of(extra: str, folder: Path) -> Path:
    """The programs of an environment with an extra alone."""
    if given := os.environ.get("MAUMAU_TEST_PROGRAMS"):
        return Path(given)
    if missing := lacking(extra):
        pytest.skip(f"{missing} is not installed: pip install -e '.[{extra}]'")
    return make_environment(folder / "environment", extra)


def environment(programs: Path, folder: Path) -> dict[str, str]:
    """The variables of a process that finds these programs and no others but those of the system."""
    kept = {name: os.environ[name] for name in ("MAUMAU_CACHE", "HOME") if name in os.environ}
    return kept | {"PATH": f"{programs}:/usr/bin:/bin", "XDG_STATE_HOME": str(folder), "TERM": "xterm"}


@pytest.mark.slow
@pytest.mark.parametrize("extra", USES)
def test_an_extra_alone_is_enough_for_what_it_is_for(extra: str, tmp_path: Path) -> None:
    programs = programs_of(extra, tmp_path)
    (tmp_path / "games.txt").write_text(f"1\n3 {DECK}\n")
    for line in USES[extra]:
        done = subprocess.run(
            ["/bin/bash", "-c", line],
            cwd=tmp_path,
            env=environment(programs, tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.parametrize("line", ["serve --port 0", "party --port 0 --host 127.0.0.1"])
def test_web_alone_serves_pages(line: str, tmp_path: Path) -> None:
    programs = programs_of("web", tmp_path)
    with subprocess.Popen(
        [str(programs / "maumau"), *line.split()],
        env=environment(programs, tmp_path),
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr
        said = ""
        for part in server.stderr:
            said += part
            if found := re.search(r"http://\S+", part):
                address = found[0]
                break
        else:
            pytest.fail(said)
        with urllib.request.urlopen(address) as page:
            assert page.status == 200
        server.send_signal(signal.SIGINT)
    assert server.returncode == 0


@pytest.mark.slow
def test_play_alone_shows_the_table(tmp_path: Path) -> None:
    programs = programs_of("play", tmp_path)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [str(programs / "maumau"), "play"],
        env=environment(programs, tmp_path),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        try:
            shown = b""
            while b"\x1b[?1049h" not in shown:  # the screen is taken over
                assert select.select([ours], [], [], 60)[0]
                shown += os.read(ours, 1 << 12)
        finally:
            process.kill()
            os.close(ours)
