"""Words on the command line: policies, and the numbers of a deal, a line each."""

from __future__ import annotations

from fuzz.called import Called, called
from fuzz.near import exchanged
from fuzz.targets.maumau import STATEMENT

SEEDS = (b"house\n2\n7\n0", b"house,random\n3\n9223372036854775807\n9223372036854775807", b"first-legal,\n-1\n1e3\n0x")
WORDS = ("house", "random", "first-legal", ",", "\n", "-1", "9223372036854775808", "2", "3")
GAME = f"1\n{STATEMENT}\n".encode()
near = exchanged


def check(data: bytes) -> None:
    """Play by the policies of the first line, deal by the numbers of the next three."""
    policies, players, seed, number, *_ = [*data.decode(errors="replace").split("\n"), "", "", ""]
    for game in ("maumau", "uno"):
        _refused_or_not(
            called("deal", f"--players={players}", f"--seed={seed}", f"--number={number}", f"--game={game}")
        )
    _refused_or_not(called("simulate", f"--policy={policies}", f"--seed={seed}", data=GAME))


def _refused_or_not(done: Called) -> None:
    assert done.status in (0, 1, 2), done
    assert bool(done.err) == (done.status == 2), done
    assert bool(done.out) == (done.status != 2), done
