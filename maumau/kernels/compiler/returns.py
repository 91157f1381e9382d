"""How a kernel finds out where a position returns (`maumau.kernels.compiled.ends`): what depends on the game."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.declaration.facts import table_size
from fsm.declaration.policy import DICE
from fsm.edge.arrays import Array, np
from maumau.kernels.compiled.ends import EMPTY
from maumau.kernels.compiler.program import Plan

FIRST_ROOM = 4096
"""Positions of a game for which there is room at first: only what is used of it takes memory."""
MAX_ROOM = 1 << 20
"""Positions of a game for which there is room at last: the power of 2 beyond LONGEST."""


def keeps_positions(plan: Plan) -> bool:
    """Whether all positions are kept: dice are rolled, and a position that returns ends the game nevertheless."""
    return plan.game.return_ends and not set(DICE).isdisjoint(plan.policies)


def watches(plan: Plan) -> bool:
    """Whether a long game is compared with itself."""
    return plan.repetition and plan.may_return


def saved_size(plan: Plan) -> int:
    """Bytes of a position that is kept: the saved table, and eight for the phase."""
    return table_size(plan.game.table) + 8


def room_for_positions(plan: Plan, positions: int = 0) -> tuple[Array, ...]:
    """The memory in which a kernel keeps positions, where it does, with room for so many of a game: their tables and
    hashes, and where in the table of slots. positions: a power of 2, or 0 for a kernel that does no work.
    """
    positions, size = (positions, saved_size(plan)) if keeps_positions(plan) else (0, 0)
    seen = np.empty((positions, size), np.uint8)
    return seen, np.empty(positions, np.int64), np.full(2 * positions, EMPTY, np.int64)


def rooms(plan: Plan) -> Iterator[tuple[Array, ...]]:
    """The same with more and more room, up to MAX_ROOM."""
    positions = FIRST_ROOM
    while positions <= MAX_ROOM:
        yield room_for_positions(plan, positions)
        positions *= 2


def positions_functions(plan: Plan) -> list[str]:
    """The functions that compare positions, where a kernel does."""
    if keeps_positions(plan):
        return [same_position_source(plan), hash_source(plan)]
    return [same_position_source(plan)] * watches(plan)


def same_position_source(plan: Plan) -> str:
    """A function that compares what makes a position: facts, lists and piles."""
    game = plan.game
    dice = [] if game.return_ends else ["rolls"]
    facts = [fact.field for fact in game.position_facts] + ["stock", *dice]
    compared = "\n".join(f"    if one.{name} != other.{name}:\n        return False" for name in facts)
    rows = "\n".join(
        f"    for place in range(len(one.{name})):\n        if {_unlike(plan, name)}:\n            return False"
        for name in (*game.position_lists, *(fact.field for fact in game.queues))
    )
    before = "" if game.return_ends else ", before the same die"
    unlike = "one.ring[here] != other.ring[there]"
    if game.compared_alike:
        unlike = "LOOKS[one.ring[here]] != LOOKS[other.ring[there]]"
    return f'''{_looks_source(plan)}def same_position(one, other):
    """Whether two tables show the same position, facts, hands, and the order of both piles{before}."""
{compared}
{rows}
    if one.tail - one.head != other.tail - other.head:
        return False
    for place in range(one.tail - one.head):
        here, there = one.head + place & len(one.ring) - 1, other.head + place & len(other.ring) - 1
        if {unlike}:
            return False
    return True'''


def _looks_source(plan: Plan) -> str:
    """The code that stands for each card code, where cards that look alike are one."""
    notation = plan.game.codec.notation
    kinds = tuple(notation.card(name) for name in notation.cards)
    return f"LOOKS = np.array({kinds}, np.int64)\n\n\n" if plan.game.compared_alike else ""


def _unlike(plan: Plan, name: str) -> str:
    """The condition that a place of a list differs on two tables."""
    one, other = f"one.{name}[place]", f"other.{name}[place]"
    if name != "hands" or not plan.game.compared_alike:
        return f"{one} != {other}"
    alike = plan.game.compared_alike
    counts = [f"({one} & {mask}).bit_count() != ({other} & {mask}).bit_count()" for mask in alike]
    return " or ".join([f"({one} ^ {other}) & {~sum(alike)} != 0", *counts])


def hash_source(plan: Plan) -> str:
    """A function that mixes facts, lists and the number of cards on the piles, but no cards that look alike."""
    game = plan.game
    values = [f"table.{fact.field}" for fact in game.position_facts] + ["table.stock", "table.tail - table.head"]
    lines = [f"    mixed = (mixed ^ {value}) * {MIX} & {WORD}" for value in values]
    for name in game.position_lists:
        value = f"table.{name}[place]"
        if name == "hands" and game.compared_alike:
            value = f"({value} & {~sum(game.compared_alike)})"
        lines += [
            f"    for place in range(len(table.{name})):",
            f"        mixed = (mixed ^ {value} ^ {value} >> 32) * {MIX} & {WORD}",
            "        mixed ^= mixed >> 15",
        ]
    body = "\n".join(lines)
    return f'''def hash_of(table, phase):
    """The same number for the same position: 32 bits that mix the facts and the hands."""
    mixed = phase
{body}
    return mixed'''


WORD = 0xFFFFFFFF
MIX = 0x9E3779B1
"""An odd number near 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4)."""
