"""Writes, by the declared visibility, what a seat sees of a table, and what a search does with hidden cards.

`look` of the interface of a game calls `mixed` of `maumau.kernels.compiled.mixing`; cards in piles are taken and given
by functions of `maumau.agents.compiled.worlds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, default_values, list_fields
from fsm.table.layout import IN_TURN, layout_of
from fsm.table.sight import DISCARDS, RING, Relation, Sight, sight_of
from maumau.kernels.compiler.program import mention
from rules.queues import QUEUE_BYTES

MOST_COPIES = 4
"""A card may be in the deck as often."""


def hands_of(game: Declaration) -> tuple[str, ...]:
    """The fields that hold the hands, also those for further copies of a card, which a small deck may not have."""
    table, (code, *_) = game.table(), game.full_deck()
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


# ---------------------------------------------------------------- hidden cards


def take_hidden_source(game: Declaration, hands: tuple[str, ...]) -> str:
    """The function `take_hidden`, which takes the cards of a seat that another one neither sees nor knows."""
    take = "".join(
        f"""    hidden = 0 if {sight_of(game).condition(field, "other")} else table.{field}[other] & ~known
    table.{field}[other] ^= hidden
    while hidden != 0:
        counts[(hidden & -hidden).bit_length() - 1] += 1
        hidden &= hidden - 1
        taken += 1
"""
        for field in hands
    )
    return f'''def take_hidden(table, seat, other, known, counts):
    """Take the cards of a seat that `seat` neither sees nor knows, counted by their codes; how many there are."""
    taken = 0
{take}    return taken'''


def determined_functions(game: Declaration) -> Iterator[str]:
    """The functions `forget_determined` and `determine`, which clear and find the fields that hands determine."""
    determined = sight_of(game).determined.items()
    forget = "".join(f"    table.{field} = 0\n" for field, _ in determined)
    found = "".join(f"    table.{field} = {mention(query)}(table)\n" for field, query in determined)
    yield f'def forget_determined(table):\n    """Clear the fields that the hands determine."""\n{forget}'.rstrip()
    yield f'def determine(table):\n    """Find the fields that the hands determine."""\n{found}'.rstrip()


def piles_functions(game: Declaration) -> Iterator[str]:
    """The functions `take_piles` and `give_piles`, if piles are hidden."""
    take, give, sight = "", "", sight_of(game)
    for number, fact in enumerate(sight.hidden_piles, 1):
        kind, missing = ("queue", "") if fact.is_queue else ("mask", f", missing, SEATS * {number} + place")
        each = f"    for place in range({1 if fact.in_middle else 'table.players'}):\n        "
        cards, is_seen = f"table.{fact.field}, place", sight.condition(fact.field, "place")
        take += f"{each}take_{kind}({cards}, -1 if {is_seen} else known, counts{missing})\n"
        give += f"{each}dealt = give_{kind}({cards}{missing}, pool, dealt)\n"
    if take:
        yield f'def take_piles(table, seat, known, counts, missing):\n    """Take cards out of hidden piles."""\n{take}'
        yield f'def give_piles(table, missing, pool, dealt):\n    """Deal cards into them."""\n{give}    return dealt'


def hand_functions(hands: tuple[str, ...]) -> Iterator[str]:
    """The functions `give` and `take`, by which a seat has a card more and one less; two alike are in two fields."""
    for head, doc, listed, change in (
        ("give", "Give a seat the card of a bit.", hands, "|= bit\n    bit = there"),
        ("take", "Take the card of a bit from a seat that has it.", hands[::-1], "^= there\n    bit ^= there"),
    ):
        body = "\n".join(f"    there = table.{hand}[other] & bit\n    table.{hand}[other] {change}" for hand in listed)
        yield f'def {head}(table, other, bit):\n    """{doc}"""\n{body}'


def seen_key_source(game: Declaration, players: int, hands: tuple[str, ...]) -> str:
    """The function `seen_key`."""
    lines = "\n".join(_seen_fields(game, players, hands))
    return f'''def seen_key(table, seat, key):
    """Mix into a key what `seat`, which acts, sees of the table."""
{indent(lines, "    ")}
    return key'''


def _seen_fields(game: Declaration, players: int, hands: tuple[str, ...]) -> Iterator[str]:
    """Statements that mix the fields which a seat sees: of hidden hands and piles how many cards they have."""
    sight = sight_of(game)
    facts = {fact.field for fact in game.codec.facts}
    named = {"card", *map(str, game.value_kinds.values())} - facts
    sized = {*hands, *(fact.field for fact in game.piles if not fact.is_queue)}
    for field, value in default_values(game.table).items():
        if field in named or field == RING:
            continue
        if isinstance(value, int):
            if sight.sees(field, Relation.SELF):
                yield f"key = mix(key, table.{field})"
            continue
        for place in range(min(len(value), players) if field in hands else len(value)):
            condition = sight.condition(field, str(place))
            whole, size = f"table.{field}[{place}]", f"table.{field}[{place}].bit_count()" if field in sized else "0"
            if condition == "True":
                yield f"key = mix(key, {whole})"
            elif condition == "False" or field in sight.determined:
                yield f"key = mix(key, {size})" if field in sized else ""
            else:
                yield f"key = mix(key, {whole} if {condition} else {size})"
