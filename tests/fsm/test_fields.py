"""Fields of records and requests: all that is wrong with them is told at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsm import MauMau
from fsm.edge.numbers import MOST_FAULTS, check_fields
from fsm.records import RecordError, record_of, replay

TYPES: dict[str, Any] = {"a": (int, "a number"), "b": str, "c": (list, "a list")}
VALUES = st.one_of(st.integers(), st.text(max_size=3), st.booleans(), st.none(), st.lists(st.integers(), max_size=2))


def wrong(name: str, value: Any) -> bool:
    """Whether a field of TYPES has a value of another type, as JSON tells types apart."""
    kind = TYPES[name]
    return type(value) is not (kind[0] if isinstance(kind, tuple) else kind)


@given(st.dictionaries(st.sampled_from("abcxyz"), VALUES))
def test_every_unknown_field_and_every_wrong_type_is_named(fields: dict[str, Any]) -> None:
    faults = [f"unknown field {name!r}" for name in sorted(fields) if name not in TYPES]
    faults += [f"{name}: " for name in TYPES if name in fields and wrong(name, fields[name])]
    if not faults:
        check_fields(fields, TYPES, known=TYPES)
        return
    with pytest.raises(ValueError, match=r"is not|unknown") as error:
        check_fields(fields, TYPES, known=TYPES)
    told = str(error.value).split("; ")
    assert len(told) == len(faults)
    assert all(text.startswith(fault) for text, fault in zip(told, faults, strict=True))


def test_a_message_has_a_bound() -> None:
    with pytest.raises(ValueError, match=f"; and {5000 - MOST_FAULTS} more$"):
        check_fields(dict.fromkeys(map(str, range(5000))), {}, known=("a",))


def test_a_record_with_several_faults_is_refused_with_all_of_them() -> None:
    game = MauMau.deal(3, 7)
    game.run()
    record = record_of(game) | {"players": "three", "deck": 5}
    with pytest.raises(RecordError, match=r"players: 'three' is not a whole number; deck: 5 is not "):
        replay(record)


def test_faults_inside_of_a_record_are_told_with_the_way_to_them() -> None:
    game = MauMau.deal(3, 7)
    game.run()
    record = record_of(game)
    broken = {"event": 3, "card": 5}
    record |= {"seed": "7", "policies": ["house", 1, "house"], "events": [broken, "play", *record["events"]]}
    record["deck"][4] = None
    with pytest.raises(RecordError) as error:
        replay(record | {"rules": [9]})
    assert str(error.value).split("; ") == [
        "policy 2: 1 is not the name of a policy",
        "seed: '7' is not a whole number",
        "rule 1: 9 is not the name of a house rule",
        "card 5: None is not the name of a card",
        "event 1: event: 3 is not a text",
        "event 1: card: 5 is not a text",
        "event 2: 'play' is not an object with \"event\"",
    ]
