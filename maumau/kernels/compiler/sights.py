"""Writes what a seat sees of a table: the function `look` of the interface of a game, by the declared visibility.

It calls `mixed` of `maumau.kernels.compiled.mixing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from fsm.declaration.decks import full_deck
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, list_fields
from fsm.table.layout import IN_TURN, layout_of
from fsm.table.sight import DISCARDS, RING, Relation, Sight, sight_of
from rules.queues import QUEUE_BYTES

MOST_COPIES = 4
"""A card may be in the deck as often."""


def hands_of(game: Declaration) -> tuple[str, ...]:
    """The fields that hold the hands, also those for further copies of a card, which a small deck may not have."""
    table, (code, *_) = game.table(), full_deck(game)
    table.players = game.codec.fewest
    for _ in range(MOST_COPIES):
        game.codec.receive(table, 0, code)
    return tuple(name for name in list_fields(game.table) if any(getattr(table, name)))


def look_source(game: Declaration) -> str:
    """Return the function `look`, which mixes into a key what a seat sees of a position."""
    seen = tuple(game.phase_numbers[game.phase_seen(phase, acts=False)] for phase in game.phases)
    secret = tuple(int(phase in game.asked_in_secret) for phase in game.phases)
    lines = "\n".join([f"key = mixed(key, phase if table.player == seat else {seen}[phase])", *_seen(game, secret)])
    return f'''def look(table, phase, seat, key):
    """Mix into a key what a seat sees of a table."""
{indent(lines, "    ")}
    return key'''


def _seen(game: Declaration, secret: tuple[int, ...]) -> Iterator[str]:
    sight = sight_of(game)
    for fact in layout_of(game).facts:
        yield from _fact(sight, fact, secret)
    for fact in layout_of(game).queues:
        yield from _queue(fact, sight.condition(fact.field, "place"))
    hands, piles = hands_of(game), [fact.field for fact in game.piles]
    for name in layout_of(game).lists:
        is_seen = sight.sees(name, sight.relation(1, 0))  # by the other one of two seats
        counted = hands if name in hands else [name]  # of a hand all its cards: how many lie twice nobody sees
        sizes = " + ".join(f"table.{each}[other].bit_count()" for each in counted)
        others = f"table.{name}[other]" if is_seen else sizes
        if sight.sees(name, Relation.SELF):
            yield f"key = mixed(key, table.{name}[seat])"
        elif name in piles:
            yield f"key = mixed(key, table.{name}[seat].bit_count())"
        if is_seen or name in hands[:1] or name in piles:
            yield f"for other in range(table.players):\n    if other != seat:\n        key = mixed(key, {others})"
    yield "key = mixed(key, table.stock << 8 | table.tail - table.head)"
    if sight.is_open(DISCARDS):
        begin = "table.head" if sight.is_open(RING) else "table.head + table.stock"
        yield f"for place in range({begin}, table.tail):"
        yield "    key = mixed(key, table.ring[place & len(table.ring) - 1])"


def _queue(fact: Fact, seen: str) -> Iterator[str]:
    """Statements for queues: how many cards each has, and those that are seen. seen: whether those of a place are."""
    yield f"for place in range({1 if fact.in_middle else 'table.players'}):"
    yield f"    key = mixed(key, table.{fact.field}[place * {QUEUE_BYTES}])"
    yield f"    for depth in range(table.{fact.field}[place * {QUEUE_BYTES}] if {seen} else 0):"
    yield f"        key = mixed(key, table.{fact.field}[place * {QUEUE_BYTES} + 1 + depth])"


def _fact(sight: Sight, fact: Fact, secret: tuple[int, ...]) -> Iterator[str]:
    """Statements for one fact. Everybody sees that nothing was drawn or named."""
    if fact.field == IN_TURN:
        yield f"if table.player == seat or {secret}[phase] == 0:\n    key = mixed(key, table.player)"
    elif sight.is_open(fact.field):
        yield f"key = mixed(key, table.{fact.field})"
    elif not sight.is_hidden(fact.field):
        hidden = "-2" if fact.kind == "number" else f"min(table.{fact.field}, 0)"
        is_seen = sight.condition(fact.field, "table.player")
        yield f"key = mixed(key, table.{fact.field} if {is_seen} else {hidden})"
