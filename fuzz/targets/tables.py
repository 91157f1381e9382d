"""Tables at which players sat: every chain links players who sat at one table."""

from __future__ import annotations

import json
from itertools import pairwise

from fuzz.called import answered, called
from fuzz.near import exchanged
from rules.reading import decoded, plain_name

SEEDS = (b"anna bert carla\n\nbert dora\nemil\ndora fritz\n", b"a a a\n", "\u00e9\u4e94 b\nb \U0001f0cf\n".encode())
WORDS = ("anna", "bert", "\n", "\r", " ", "e\u0308", "\uff21", "\u200b", "\u00a0", "\u2028", "\x1c", '"', "\\", "-")
near = exchanged


def check(data: bytes) -> None:
    """Link all players of `data` in each output format."""
    done = called("acquaintance", "--seats", data=data)
    accepted = answered(done)
    assert answered(called("acquaintance", "--seats", "--explain", data=data)) == accepted
    records = called("acquaintance", "--seats", "--json", data=data)
    assert answered(records) == accepted
    if not accepted:
        return
    lines = (plain_name(line) for line in decoded(data, "<stdin>").split("\n"))
    tables = [line.split() for line in lines if line]
    players = len({player for table in tables for player in table})
    chains = [json.loads(line) for line in records.out.split("\n")[:-1]]
    assert len(chains) == players * (players - 1) // 2
    for record in chains:
        if record["steps"] is None:
            continue
        assert record["steps"] == len(record["chain"]) - 1 == len(record["groups"])
        for here, met in zip(record["groups"], pairwise(record["chain"]), strict=True):
            assert set(met) <= set(tables[here - 1])
