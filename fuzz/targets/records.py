"""Records of games: accepted records are written again without any difference."""

from __future__ import annotations

import json

from fsm import MauMau, Uno
from fsm.records import record_of
from fuzz.called import answered, called
from fuzz.near import altered


def _record(kind: type[MauMau | Uno], policy: str) -> bytes:
    game = kind.deal(2, 7, 4, (policy,))
    game.run()
    return json.dumps(record_of(game)).encode()


SEEDS = (
    _record(MauMau, "house"),
    _record(MauMau, "random"),
    _record(Uno, "house"),
    _record(MauMau, "house").replace(b'"seed"', b'"dealt": true, "seed"'),
)
WORDS = (
    *('"format"', '"version"', '"game"', '"players"', '"deck"', '"policies"', '"seed"', '"number"', '"events"'),
    *('"outcome"', '"winner"', '"scores"', '"event"', '"card"', '"suit"', '"rule"', '"maumau"', '"uno"', '"house"'),
    *("null", "true", "false", "NaN", "-1", "1.0", "1e999", '"dealt"', "[", "]", "{", "}", ":", ",", "\n"),
)
EVERY = ("format", "version", "game", "players", "deck", "events", "outcome", "winner", "scores")
near = altered


def check(data: bytes) -> None:
    """Replay the records of `data`."""
    done = called("simulate", "--from-json", "--json", data=data)
    if answered(done):
        given = [json.loads(line) for line in data.decode("utf-8-sig").split("\n") if line.strip()]
        written = [json.loads(line) for line in done.out.splitlines()]
        for one, other in zip(given, written, strict=True):
            for names in (EVERY[:-4], EVERY[-3:]):  # as text, where 1, 1.0 and true differ
                assert json.dumps([one.get(name) for name in names]) == json.dumps([other[name] for name in names])
