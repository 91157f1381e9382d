"""A table class that inherits has all fields of its base: in positions, in checks and in compiled code."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from fsm import DeclarationError, Game, MauMau
from fsm.declaration.facts import Fact, default_values, list_fields
from fsm.table.layout import layout_of
from rules.maumau.game import MauMauTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Wider(MauMauTable):
    """The table of Mau-Mau with a field and a list that no rule uses."""

    extra: int = 5
    marks: list[int] = field(default_factory=lambda: [3, 0, -1, 0])


class OnWiderTable(MauMau):
    """Mau-Mau, played on the wider table."""

    declaration = replace(MauMau.declaration, table=Wider)


def test_all_fields_are_known_those_of_the_base_first() -> None:
    names = list(default_values(Wider))
    assert names == [*default_values(MauMauTable), "extra", "marks"]
    assert list_fields(Wider) == ("hands", "marks")


class Annotated(MauMauTable):
    """A table with a field that no dataclass sees."""

    extra: int = 0


class Unannotated(MauMauTable):
    """A table with a field that no dataclass sees, and that has no type."""

    extra = seen_by_all(0)


class Plain(MauMauTable):
    """A table with an attribute of the class in place of a field."""

    extra = 0


def test_a_fact_of_an_attribute_of_the_class_is_refused() -> None:
    codec = replace(MauMau.declaration.codec, facts=(*MauMau.declaration.codec.facts, Fact("extra")))
    expected = r"declare extra: int = seen_by_all\(0\), with @dataclass\(slots=True\) above the class"
    with pytest.raises(DeclarationError, match=f"fact extra: the table has no field 'extra'; {expected}$"):
        replace(MauMau.declaration, table=Plain, codec=codec)


@pytest.mark.parametrize("table", [Annotated, Unannotated])
def test_a_field_that_dataclass_does_not_see_is_refused(table: type) -> None:
    with pytest.raises(
        TypeError,
        match=f"table {table.__name__}: the class declares extra but is not a dataclass; add @dataclass\\(slots=True\\) above",
    ):
        type("Faulty", (MauMau,), {"declaration": replace(MauMau.declaration, table=table)})


def test_positions_with_other_hands_are_other_positions() -> None:
    one, other = OnWiderTable.deal(2, 7), OnWiderTable.deal(2, 7)
    assert one._key(one.table) == other._key(other.table)
    other.table.hands[0] ^= 1 << 5
    assert one._key(one.table) != other._key(other.table)


@pytest.mark.parametrize("kind", [MauMau, OnWiderTable])
def test_a_saved_table_has_room_for_all_fields(kind: type[Game]) -> None:
    assert layout_of(kind.declaration).size == layout_of(kind.declaration).record.itemsize
