"""Every position is read back from its line: cards that vanish and facts that no position can have are found."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from all_games import GAMES

from examples.gin_rummy import GinRummy
from fsm import Game, PositionError, game_of
from fsm.check import explore_stepped, survey
from fsm.check.inspector import Inspector
from fsm.check.properties import GENERALLY, BasicProperty
from fsm.check.readable import is_readable
from fsm.declaration.arcs import SmallDeck
from fsm.games.maumau.game import MauMau
from fsm.table.layout import layout_of
from rules.maumau.game import MauMauTable, take_card
from rules.piles import take_top
from rules.queues import QUEUE_BYTES
from rules.rule import effect

READ_BACK = GENERALLY[BasicProperty.IN_RANGE]
SMALL = SmallDeck("DS HS DQ HQ DK", 2, 1)


@effect
def take_and_lose(table: MauMauTable) -> None:
    """The top card of the draw pile goes nowhere."""
    table.drawn = take_top(table)
    table.due -= 1


@effect
def take_twice(table: MauMauTable) -> None:
    """The card that is taken also stays where it was."""
    take_card(table)
    table.hands[(table.player + 1) % table.players] |= 1 << table.drawn


@effect
def count_far(table: MauMauTable) -> None:
    """The number of cards due is one that no position has room for."""
    table.punished = 8589934592


@effect
def count_half(table: Any) -> None:
    """The number of cards due is not a whole one."""
    table.punished = 0.5


@effect
def bind_no_suit(table: MauMauTable) -> None:
    """A suit is bound that the game does not have."""
    table.bound_suit = 4


@effect
def leave_open(table: MauMauTable) -> None:
    """Another card is said to be open than the one that lies there."""
    table.open_card ^= 1


def with_effect(effects: dict[Callable[..., Any], tuple[Callable[..., Any], ...]]) -> type[Game]:
    """Mau-Mau with other effects, and without anything that it states itself."""
    arcs = tuple(
        replace(arc, before=tuple(each for effect in arc.before for each in effects.get(effect, (effect,))))
        for arc in MauMau.declaration.arcs
    )
    return game_of(replace(MauMau.declaration, arcs=arcs, invariants=(), postconditions=(), over_time=()))


NOT_WHOLE = "a number that is not whole"
"""The fault that machine code cannot have."""
FAULTS = {
    "a card vanishes": ({take_card: (take_and_lose,)}, "missing; use all 5 cards"),
    "a card is there twice": ({take_card: (take_twice,)}, ""),
    "a number that no position has": (
        {take_card: (take_card, count_far)},
        "penalty='8589934592'; use a number from 0 to 99",
    ),
    NOT_WHOLE: (
        {take_card: (take_card, count_half)},
        "field punished: 0.5 is of type float; set it to a whole number",
    ),
    "a suit that the game does not have": ({take_card: (take_card, bind_no_suit)}, ""),
    "another card is open": ({take_card: (take_card, leave_open)}, ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_read_back_is_found_in_small_decks_and_in_games(fault: str) -> None:
    effects, told = FAULTS[fault]
    kind = with_effect(effects)
    explored, played = explore_stepped(kind, SMALL, first=True), survey(kind, 2)
    for report in (explored, played):
        assert READ_BACK in report.failures
        assert report.examples[BasicProperty.IN_RANGE].event is not None
    assert told in explored.examples[BasicProperty.IN_RANGE].error


@pytest.mark.slow
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != NOT_WHOLE])
def test_machine_code_finds_as_many(fault: str) -> None:
    from maumau.kernels.explorer.exhaustive import explore

    kind = with_effect(FAULTS[fault][0])
    stepped, compiled = explore_stepped(kind, SMALL), explore(kind, SMALL)
    assert compiled.failed[BasicProperty.IN_RANGE] == stepped.failed[BasicProperty.IN_RANGE] > 0
    assert compiled.examples[BasicProperty.IN_RANGE] == stepped.examples[BasicProperty.IN_RANGE]


def test_a_deal_that_loses_a_card_is_found() -> None:
    game = MauMau.declaration
    assert game.deal_each is not None
    deal_each = game.deal_each

    @effect
    def lose(table: Any, deck: Any, players: int, each: int) -> None:
        deal_each(table, deck, players, each)
        if table.hands[0] == 1 << 1:
            table.hands[0] = 0

    bare = replace(game, invariants=(), postconditions=(), over_time=(), small_decks=(), deal_each=lose)
    report = explore_stepped(game_of(bare), SMALL)
    assert READ_BACK in report.failures
    assert "missing; use all 5 cards" in report.examples[BasicProperty.IN_RANGE].error


def test_a_discard_pile_may_be_empty_where_the_open_card_is_taken() -> None:
    """In Gin Rummy the first player may take the only card of the discard pile into the hand."""
    game = GinRummy.deal(players=2, seed=7)
    while game.discard_pile:
        game.step()
    assert len(game.history) == 2
    assert str(GinRummy.at(game.position()).position()) == str(game.position())


# ---------------------------------------------------------------- against what `Game.at` reads


def changed(table: Any, kind: type[Game], rng: random.Random) -> str:
    """Change one thing of a table: a fact, a card of a hand or of a pile."""
    game = kind.declaration
    fields = [fact.field for fact in game.codec.facts if isinstance(getattr(table, fact.field), int)]
    lists = [*layout_of(game).lists, *(fact.field for fact in layout_of(game).queues)]
    name = rng.choice([*fields, *lists, "stock", *["ring"] * (table.head < table.tail)])
    value = getattr(table, name)
    if isinstance(value, int):
        setattr(table, name, rng.choice([-2, -1, 0, 1, 4, 60, 99, 100, 254, 255, 1 << 33]))
    elif name == "ring":
        value[rng.randrange(table.head, table.tail) % len(value)] = rng.randrange(70)
    elif isinstance(value, bytearray):
        value[rng.randrange(QUEUE_BYTES)] = rng.randrange(70)
    else:
        value[rng.randrange(table.players)] ^= 1 << rng.randrange(20)
    return name


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_what_is_asked_of_every_position_is_what_a_line_says(kind: type[Game]) -> None:
    """A changed table is readable exactly if its line is read, by a game that states nothing, and is this position."""
    game = replace(kind.declaration, invariants=(), postconditions=(), over_time=(), small_decks=())
    bare, rng, seen = game_of(game), random.Random(7), {True: 0, False: 0}
    inspector, readable = Inspector(bare), is_readable(game)
    for number in range(4):
        played = kind.deal(game.codec.fewest, 7, number)
        for _ in range(60):
            if played.outcome is not None:
                break
            played.step()
            table = deepcopy(played.table)
            assert readable(table)
            assert inspector.unread(table, played.phase) == ""
            name = changed(table, kind, rng)
            seen[readable(table)] += 1
            if readable(table):
                assert line_says(bare, played.phase, table) in ("", "general"), name
            else:
                assert line_says(bare, played.phase, table) != "" or name in game.copies_held, name
    assert min(seen.values()) > 0


def line_says(bare: type[Game], phase: Any, table: Any) -> str:
    """Why a line is not read back as the table: `general` for what is stated of all games."""
    game = bare.declaration
    try:
        line = str(bare(table, phase, hands_of(bare, table)).position())
        again = bare.at(line).table
    except (LookupError, ValueError) as error:
        is_general = isinstance(error, PositionError) and "no game comes to it" in str(error)
        return "general" if is_general else str(error)
    names = game.codec.notation.cards
    cards = {"open_card", *(fact.field for fact in layout_of(game).facts if fact.kind == "card")}
    same = again.stock == table.stock
    for field in cards | {fact.field for fact in layout_of(game).facts}:
        one, other = getattr(again, field), getattr(table, field)
        same &= one == other or (field in cards and min(one, other) >= 0 and names[one] == names[other])  # alike
    return "" if same and str(bare(again, phase, hands_of(bare, again)).position()) == line else "another position"


def hands_of(kind: type[Game], table: Any) -> list[list[int]]:
    return [kind.declaration.codec.held(table, seat) for seat in range(table.players)]
