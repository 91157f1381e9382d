"""Mahjong hands: accepted hands without exposed melds agree with an independent solver."""

from __future__ import annotations

from fuzz.called import answered, called
from fuzz.near import exchanged_pairs
from tests.support.plain_mahjong import KINDS, cut, waits

SEEDS = (
    b"2\n8D8D8D5D2D2D2D 6D6D6D7D7D7D\n2D2D3D3D4D5D5D6D6D7D7D8D8D NONE\n",
    b"1\n2M 3D3D3D3D4D4D4D4D5D5D5D5D6D6D6D6D\n",
    b"1\n1D1D1D1D9D9D9D9D1M1M1M1M9M NONE\n",
)
WORDS = (*KINDS, "NONE", "1", "2", "\n", " ")
near = exchanged_pairs


def check(data: bytes) -> None:
    """Score the hands of `data` in each output format."""
    done = called("waits", data=data)
    accepted = answered(done)
    for option in ("--explain", "--json"):
        assert answered(called("waits", option, data=data)) == accepted
    if accepted:
        hands = [line.split() for line in data.decode("utf-8-sig").split("\n") if line.strip()][1:]
        cases = done.out.split("Case #")[1:]
        for (hidden, exposed), answer in zip(hands, cases, strict=True):
            if exposed == "NONE":
                best = [f"{tile}: {scores[0]}" for tile, scores in waits(cut(hidden), ()).items()]
                assert answer.splitlines()[1:] == (best or ["NONE"])
