"""Structure-aware mutations: inputs that differ slightly from valid ones."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 3, 2**63, -(2**63), 10**400, 0.5, float("nan"), float("inf"), ""),
    *("maumau", "uno", "house", "play", "draw", "rule 2", "no choice", "HJ", "WC", "C", "R", "?", "\u0000", "\ud800"),
    *([], {}, [[]], [None], {"event": "play"}, "x" * 5000),
)
"""What may stand in place of any part of a record."""


def exchanged(data: bytes, dice: Random) -> bytes:
    """The same with two of its words exchanged: a deck stays a deck."""
    parts = re.split(rb"([\s,/=]+)", data)
    return b"".join(_exchange(parts, 2, dice))


def exchanged_pairs(data: bytes, dice: Random) -> bytes:
    """The same with two pairs of letters exchanged: thirteen tiles stay thirteen tiles."""
    begin = data.find(b"\n") + 1
    pairs = re.findall(rb"[^\s]{2}|\s|[^\s]", data[begin:])
    return data[:begin] + b"".join(_exchange(pairs, 1, dice))


def altered(data: bytes, dice: Random) -> bytes:
    """A record with one part replaced, dropped or doubled; anything else is returned unchanged."""
    try:
        record = json.loads(data.split(b"\n")[0])
    except (ValueError, RecursionError):
        return data
    places = list(_places(record))
    if not places:
        return json.dumps(dice.choice(ODD)).encode()
    inside, place = dice.choice(places)
    way = dice.choice(["replaced", "replaced", "dropped", "doubled"])
    if way == "dropped":
        del inside[place]
    elif way == "doubled" and isinstance(inside, list):
        inside.insert(place, inside[place])
    else:
        inside[place] = dice.choice(ODD)
    return json.dumps(record).encode()


def _exchange(parts: list[bytes], step: int, dice: Random) -> list[bytes]:
    """The parts with two of them, at places that `step` divides, exchanged."""
    if parts:
        one, other = (step * dice.randrange((len(parts) + step - 1) // step) for _ in range(2))
        parts[one], parts[other] = parts[other], parts[one]
    return parts


def _places(value: Any) -> Any:
    """Every place of a record: the list or object that it is in, and its index or name."""
    inside = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for place in inside:
        yield value, place
        yield from _places(value[place])
