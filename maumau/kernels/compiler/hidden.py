"""Writes what a search does with hidden cards: the functions that take and give them, by the declared visibility.

Cards in piles are taken and given by functions of `maumau.agents.compiled.worlds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import default_values
from fsm.table.sight import RING, Relation, sight_of
from maumau.kernels.compiler.numbered import ActionPlan
from maumau.kernels.compiler.program import mention


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


def seen_key_source(plan: ActionPlan) -> str:
    """The function `seen_key`."""
    lines = "\n".join(_seen(plan))
    return f'''def seen_key(table, seat, key):
    """Mix into a key what `seat`, which acts, sees of the table."""
{indent(lines, "    ")}
    return key'''


def _seen(plan: ActionPlan) -> Iterator[str]:
    """Statements that mix the fields which a seat sees: of hidden hands and piles how many cards they have."""
    game, sight = plan.game, sight_of(plan.game)
    facts = {fact.field for fact in game.codec.facts}
    named = {"card", *map(str, game.value_kinds.values())} - facts
    sized = {*plan.hands, *(fact.field for fact in game.piles if not fact.is_queue)}
    for field, value in default_values(game.table).items():
        if field in named or field == RING:
            continue
        if isinstance(value, int):
            if sight.sees(field, Relation.SELF):
                yield f"key = mix(key, table.{field})"
            continue
        for place in range(min(len(value), plan.players) if field in plan.hands else len(value)):
            condition = sight.condition(field, str(place))
            whole, size = f"table.{field}[{place}]", f"table.{field}[{place}].bit_count()" if field in sized else "0"
            if condition == "True":
                yield f"key = mix(key, {whole})"
            elif condition == "False" or field in sight.determined:
                yield f"key = mix(key, {size})" if field in sized else ""
            else:
                yield f"key = mix(key, {whole} if {condition} else {size})"
