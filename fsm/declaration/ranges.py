"""The values that fields of a table can have: cards, what is named with an event, and the facts of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from fsm.declaration.codec import Codec
from fsm.declaration.facts import MAX_AMOUNT, NO_VALUE, Fact, ValueKind, default_values
from rules.ending import Ending
from rules.rule import RuleFunction

CARDS = "card", "open_card", "drawn"
"""The fields of every table that are a card."""
CODES = ValueKind.SUIT, ValueKind.SEAT, ValueKind.RANK
"""The kinds of values that a fact can be of."""


class ValueRanges(dict[str, Sequence[int]]):
    """The values that each field of a table with a bound can have, by its name; none comes last."""

    texts: Mapping[str, Callable[[int], str]] = {}

    def text(self, field: str, value: int) -> str:
        """Return the text of a value of a field, as positions have it."""
        return self.texts.get(field, str)(value)


def ranges_of(table: type, codec: Codec, kinds: Iterable[ValueKind], fill: RuleFunction, deck_size: int) -> ValueRanges:
    """Return the values of the fields of a table that have a bound.

    kinds: what is named with events besides suits. fill: puts all cards into a deck of so many.
    """
    deck, seats, notation = bytearray(deck_size), range(codec.most), codec.notation
    fill(deck)
    codes: dict[str, Sequence[int]] = {
        "seat": seats,
        "card": sorted({*deck}),
        "suit": range(len(notation.suits)),
        "rank": range(len(notation.ranks)),
    }

    def values_of(fact: Fact) -> Sequence[int]:
        if not (of := fact.holds.of):
            return range(len(Ending) if fact.kind == "ending" else fact.most + 1)
        return range(1 << max(codes[of], default=-1) + 1) if fact.holds.is_set else (*codes[of], NO_VALUE)

    facts = {name: Fact(name, name, "card") for name in CARDS}
    for kind in {ValueKind.SUIT, *kinds} - {ValueKind.FORM}:
        facts[kind] = Fact(kind, kind, cast(Any, kind.value if kind in CODES else "number"), most=MAX_AMOUNT)
    facts |= {fact.field: fact for fact in codec.facts if not (fact.is_tally or fact.is_pile)}
    values = default_values(table)
    facts = {name: fact for name, fact in facts.items() if isinstance(values.get(name), int)}
    ranges = ValueRanges({name: values_of(fact) for name, fact in facts.items()})
    ranges["players"], ranges["stock"] = codec.players, range(deck_size + 1)
    ranges["player"] = seats
    ranges.texts = {name: partial(fact.text, notation) for name, fact in facts.items()}
    return ranges
