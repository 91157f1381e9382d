"""Decks of Mau-Mau: accepted games agree with an independent simulator."""

from __future__ import annotations

from fuzz.called import answered, called
from fuzz.near import exchanged
from tests.support.plain_maumau import CARDS, simulate

STATEMENT = "2 SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
SEEDS = (f"1\n{STATEMENT}\n".encode(), f"2\n4{STATEMENT[1:]}\n3{STATEMENT[1:]}\n".encode())
WORDS = (*CARDS, "1", "2", "3", "4", "\n", " ")
near = exchanged


def check(data: bytes) -> None:
    """Play the games of `data`."""
    done = called("simulate", data=data)
    if answered(done):
        lines = [line.split() for line in data.decode("utf-8-sig").split("\n") if line.strip()][1:]
        expected = [str(simulate(int(players), deck)) for players, *deck in lines]
        assert done.out == "".join(f"{line}\n" for line in expected)
