"""The explorer asks some guards once a position: they answer the same whatever card or value an event names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

pytest.importorskip("numpy")

from fsm.declaration.introspection import names_in
from fsm.edge.errors import CompilationError
from fsm.registry import game_class, names
from maumau import Game, MauMau, MauMauPhase
from maumau.kernels.explorer.source import MASK_BITS, asked_alike, explorer_source
from rules import rule
from rules.maumau.game import fits


def stepped(kind: type[Game], seed: int) -> Iterator[Game]:
    """A game at each of its positions, of random players."""
    game = kind.deal(kind.declaration.codec.fewest, seed, 0, policies="random")
    yield game
    while game.phase is not kind.declaration.final and len(game.history) < 300:
        game.step()
        yield game


@pytest.mark.parametrize("name", names())
def test_guards_asked_alike_do_not_depend_on_the_event(name: str) -> None:
    kind, rng, asked = game_class(name), Random(7), 0
    fields = ("card", "suit", *map(str, kind.declaration.own_kinds))
    for seed in range(4):
        for game in stepped(kind, seed):
            table: Any = game.table
            for guard in asked_alike(kind.declaration, game.phase):
                answer, kept = bool(guard(table)), {field: getattr(table, field) for field in fields}
                for _ in range(5):
                    for field in fields:
                        setattr(table, field, rng.randrange(-1, 4))
                    assert bool(guard(table)) == answer
                    asked += 1
                for field, value in kept.items():
                    setattr(table, field, value)
    assert asked > 0


def test_a_guard_of_the_card_is_not_asked_alike() -> None:
    assert [each.__name__ for each in asked_alike(MauMau.declaration, MauMauPhase.DRAWING)] == ["card_due"]
    assert "card" in names_in([fits], "LOAD_ATTR")
    assert not asked_alike(MauMau.declaration, MauMauPhase.AWAIT_PLAY)


def test_an_event_with_more_guards_than_a_mask_has_bits_is_named() -> None:
    def numbered(number: int) -> Callable[[Any], bool]:
        @rule.guard(f"the card is not number {number}")
        def is_number(table: Any) -> bool:
            return bool(table.card == number)

        return is_number

    game = MauMau.declaration
    place, arc = next((place, arc) for place, arc in enumerate(game.arcs) if arc.trigger == "play")
    many = replace(arc, conditions=(*arc.conditions, *map(numbered, range(MASK_BITS))))
    with pytest.raises(CompilationError, match=r"play in await-play: \d+ guards are asked; ask at most 62"):
        explorer_source(replace(game, arcs=(*game.arcs[:place], many, *game.arcs[place + 1 :])))
