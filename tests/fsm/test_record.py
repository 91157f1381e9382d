"""Records are held to every letter: numbers of another type are refused, and the deck if it claims to be dealt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from fsm import Game, MauMau, Uno
from fsm.records import Record, RecordError, record_of, replay


def record(kind: type[Game], policy: str) -> Record:
    game = kind.deal(2, 7, 1, [policy])
    game.run()
    return json.loads(json.dumps(record_of(game)))


RECORDS = {
    f"{kind.__name__} {policy}": record(kind, policy) for kind in (MauMau, Uno) for policy in ("house", "random")
}
by_record = pytest.mark.parametrize("stored", RECORDS.values(), ids=RECORDS)


def numbers(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a record where a whole number stands."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from numbers(value[key], (*place, key))
    elif isinstance(value, int):
        yield place


def with_value(stored: Record, place: tuple[Any, ...], other: Any) -> Record:
    """The record with another value at a place."""
    changed = inside = deepcopy(stored)
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = other
    return changed


def value_at(stored: Record, place: tuple[Any, ...]) -> Any:
    inside: Any = stored
    for key in place:
        inside = inside[key]
    return inside


def first_and_last(places: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Of the places that differ only in their positions in lists, the first and the last."""
    alike: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for place in places:
        shape = tuple("item" if isinstance(key, int) else key for key in place)
        alike.setdefault(shape, []).append(place)
    return [place for row in alike.values() for place in dict.fromkeys((row[0], row[-1]))]


@by_record
def test_a_number_of_another_type_is_refused_wherever_it_stands(stored: Record) -> None:
    places = first_and_last(numbers(stored))
    assert {place[-1] for place in places} >= {"version", "players", "seed", "number", "player", "winner", 0, 1}
    for place in places:
        number = value_at(stored, place)
        for other in (float(number), *([bool(number)] if number in (0, 1) else [])):
            with pytest.raises(RecordError):
                replay(with_value(stored, place, other))


@by_record
def test_a_deck_that_claims_to_be_dealt_is_the_one_of_its_seed_and_number(stored: Record) -> None:
    replay({**stored, "dealt": True})
    replay({**stored, "dealt": False})


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_seed_and_number_are_dice_alone_unless_the_deck_claims_to_be_dealt(kind: type[Game]) -> None:
    stored = record(kind, "house") | {"seed": 8, "number": 2}
    replay(stored)
    with pytest.raises(RecordError, match=r"deck: card \d+ is \w\w, but game 2 of seed 8 has \w\w"):
        replay({**stored, "dealt": True})


@pytest.mark.parametrize("claim", [1, 1.0, "true", None, []])
def test_the_claim_is_true_or_false(claim: Any) -> None:
    with pytest.raises(RecordError, match=r"dealt: .* is not true or false"):
        replay({**RECORDS["MauMau house"], "dealt": claim})
