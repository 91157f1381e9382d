"""Frozen dataclasses whose methods are shared, against those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, field, fields, replace
from typing import Any

import pytest

from rules.values import dataclass


@dataclass(frozen=True)
class Shared:
    one: int
    many: tuple[int, ...] = ()
    _: KW_ONLY
    note: str = field(default="", compare=False)
    hidden: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    size: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.many))


Standard: Any = dataclasses.make_dataclass(
    "Shared",
    [(entry.name, entry.type, copy.copy(entry)) for entry in fields(Shared)],
    frozen=True,
    namespace={"__post_init__": Shared.__post_init__},
)


@dataclass(frozen=True, eq=False)
class Derived(Shared):
    more: int = 7


@pytest.mark.parametrize(
    ("given", "named"),
    [((1,), {}), ((1, (2, 3)), {"note": "n"}), ((), {"one": 2, "hidden": {"a": 1}}), ((1, ()), {"note": "other"})],
)
def test_values_are_made_shown_compared_and_hashed_as_those_of_the_standard_library(given: Any, named: Any) -> None:
    mine, its = Shared(*given, **named), Standard(*given, **named)
    assert vars(mine) == vars(its)
    assert (repr(mine), hash(mine)) == (repr(its), hash(its))
    for other in ((1,), (1, (2, 3)), (2,)):
        assert (mine == Shared(*other)) is (its == Standard(*other))
    assert mine != its
    assert inspect.signature(Shared) == inspect.signature(Standard).replace(
        return_annotation=inspect.signature(Shared).return_annotation
    )


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, (), 3), {}), ((1,), {"one": 1}), ((1,), {"other": 1})])
def test_wrong_arguments_are_refused_in_the_same_words(given: Any, named: Any) -> None:
    with pytest.raises(TypeError) as its:
        Standard(*given, **named)
    with pytest.raises(TypeError) as mine:
        Shared(*given, **named)
    assert str(mine.value).removeprefix("Shared.") == str(its.value).removeprefix("Shared.")


@pytest.mark.parametrize("value", [Shared(1), Derived(1)])
@pytest.mark.parametrize("name", ["one", "size", "unknown"])
def test_no_field_can_be_set_or_deleted(value: Any, name: str) -> None:
    with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
        setattr(value, name, 5)
    with pytest.raises(AttributeError):
        delattr(value, name)
    assert (value.one, value.size) == (1, 0)


def test_values_are_replaced_copied_and_pickled() -> None:
    value = Shared(1, (2,), note="n")
    changed = replace(value, many=(2, 3))
    assert (changed.size, changed.note) == (2, "n")
    for same in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert (same, vars(same)) == (value, vars(value))


def test_a_derived_class_without_comparison_shares_that_of_its_base() -> None:
    assert Derived(1) == Derived(1)
    assert Derived(1) != Shared(1)


def test_a_frozen_class_of_the_standard_library_may_derive_from_one() -> None:
    made = dataclasses.make_dataclass("Own", [("more", int, 3)], bases=(Shared,), frozen=True)
    own = made(1)
    assert (own.one, own.more) == (1, 3)
    with pytest.raises(FrozenInstanceError):
        own.more = 4
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):
        dataclasses.make_dataclass("Own", [("more", int, 3)], bases=(Shared,))
