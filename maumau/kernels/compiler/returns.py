"""How a kernel runs a game to its end, and finds out where a position returns.

Where only a return that proves a game endless matters, a long game of players without dice is watched: they choose by
the position, so its positions have a period. Where the rules end a game as soon as a position returns and dice are
rolled, every position at the start of a turn is kept and looked up, in memory of the caller. A game that has more
positions than there is room for is left running, and so is one of more than LONGEST turns, or that goes on for so many
after its position has returned.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import TYPE_CHECKING

from fsm.declaration.endless import LONGEST
from fsm.declaration.policy import RANDOM
from fsm.declaration.table_fields import table_size
from maumau.kernels.compiler.plan import Plan

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array

NO_LIMIT = 1 << 62
"""More stops than any game has."""
EMPTY = -1
"""What stands in a slot without a position."""
FIRST_ROOM = 4096
"""Positions of a game for which there is room at first: only what is used of it takes memory."""
MAX_ROOM = 1 << 20
"""Positions of a game for which there is room at last: the power of 2 beyond LONGEST."""
POSITIONS = ", seen, hashes, slots"
"""Parameters for the memory in which positions are kept: their tables and hashes, and where in the table of slots."""


def keeps_positions(plan: Plan) -> bool:
    """Whether all positions are kept: dice are rolled, and a position that returns ends the game nevertheless."""
    return plan.game.return_ends and RANDOM in plan.policies


def watches(plan: Plan) -> bool:
    """Whether a long game is compared with itself."""
    return plan.repetition and plan.may_return


def saved_size(plan: Plan) -> int:
    """Bytes of a position that is kept: the saved table, and eight for the phase."""
    return table_size(plan.game.table) + 8


def parameters_source(plan: Plan) -> str:
    """The parameters of a kernel for the memory in which it keeps positions, where it does."""
    return POSITIONS * keeps_positions(plan)


def no_positions(plan: Plan) -> tuple[Array, ...]:
    """Arguments for these parameters with room for no positions."""
    return room_for_positions(plan, 0)


def room_for_positions(plan: Plan, positions: int) -> tuple[Array, ...]:
    """Arguments for these parameters, with room for so many positions of a game. positions: a power of 2, or 0."""
    import numpy as np

    if not keeps_positions(plan):
        return ()
    seen = np.empty((positions, saved_size(plan)), np.uint8)
    return seen, np.empty(positions, np.int64), np.full(2 * positions, EMPTY, np.int64)


def rooms(plan: Plan) -> Iterator[tuple[Array, ...]]:
    """The same with more and more room, up to MAX_ROOM."""
    positions = FIRST_ROOM
    while positions <= MAX_ROOM:
        yield room_for_positions(plan, positions)
        positions *= 2


def stepping_source(plan: Plan, start: str) -> str:
    """Statements that run a game to its end, indented by eight. start: those that deal it, to begin it again."""
    outputs = "phase, logged" if plan.log else "phase"
    run = f"{outputs} = run(table, phase, stops, seats, weight, fired, used, log, logged)"
    if keeps_positions(plan):
        return KEEPING.replace("$RUN", run)
    if not watches(plan):
        return f"        {run}\n"
    text = WATCHING.replace("$RUN", run).replace("$LONGEST", str(LONGEST))
    return text.replace("$START", indent(start, " " * 16).lstrip())


def room_source(plan: Plan) -> str:
    """Statements that make room for the positions with which others are compared, before the first game."""
    if keeps_positions(plan):
        return KEPT
    return WATCHED if watches(plan) else ""


def functions_source(plan: Plan) -> list[str]:
    """The functions that the statements call."""
    if keeps_positions(plan):
        return keeping_functions(plan)
    return [same_position_source(plan)] * watches(plan)


def keeping_functions(plan: Plan) -> list[str]:
    """The functions that keep positions, look them up and forget them."""
    kept = (text.replace("$BYTES", str(saved_size(plan))) for text in (SLOT, KEEP, FORGET))
    return [same_position_source(plan), _hash_source(plan), *kept]


def same_position_source(plan: Plan) -> str:
    """A function that compares what makes a position: facts, lists and piles."""
    game = plan.game
    dice = [] if game.return_ends else ["rolls"]
    facts = [fact.field for fact in game.position_facts] + ["stock", *dice]
    compared = "\n".join(f"    if one.{name} != other.{name}:\n        return False" for name in facts)
    rows = "\n".join(
        f"    for place in range(len(one.{name})):\n        if {_unlike(plan, name)}:\n            return False"
        for name in game.position_lists
    )
    before = "" if game.return_ends else ", before the same die"
    unlike = "one.ring[here] != other.ring[there]"
    if game.compared_alike:
        unlike = "KINDS[one.ring[here]] != KINDS[other.ring[there]]"
    return f'''{_kinds_source(plan)}def same_position(one, other):
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


def _kinds_source(plan: Plan) -> str:
    """The code that stands for each card code, where cards that look alike are one."""
    notation = plan.game.codec.notation
    kinds = tuple(notation.card(name) for name in notation.cards)
    return f"KINDS = np.array({kinds}, np.int64)\n\n\n" if plan.game.compared_alike else ""


def _unlike(plan: Plan, name: str) -> str:
    """The condition that a place of a list differs on two tables."""
    one, other = f"one.{name}[place]", f"other.{name}[place]"
    if name != "hands" or not plan.game.compared_alike:
        return f"{one} != {other}"
    alike = plan.game.compared_alike
    counts = [f"({one} & {mask}).bit_count() != ({other} & {mask}).bit_count()" for mask in alike]
    return " or ".join([f"({one} ^ {other}) & {~sum(alike)} != 0", *counts])


def _hash_source(plan: Plan) -> str:
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

SLOT = '''def slot_of(table, phase, mixed, other, seen, hashes, slots):
    """Where in `slots` the row of a position stands, or where it belongs: -1 is there then."""
    slot = mixed & len(slots) - 1
    while slots[slot] >= 0:
        row = slots[slot]
        if hashes[row] == mixed and seen[row, -1] == phase:
            load(other, seen.ctypes.data + row * $BYTES)
            if same_position(table, other):
                break
        slot = slot + 1 & len(slots) - 1
    return slot'''

KEEP = '''def keep_position(table, phase, other, seen, hashes, slots, known):
    """Set `returned` if the position is among the `known` ones that are kept, else keep it; how many are kept now."""
    mixed = hash_of(table, phase)
    slot = slot_of(table, phase, mixed, other, seen, hashes, slots)
    table.returned = 1 if slots[slot] >= 0 else 0
    if table.returned == 0:
        save(table, seen.ctypes.data + known * $BYTES)
        seen[known, -1] = phase
        hashes[known] = mixed
        slots[slot] = known
        known += 1
    return known'''

FORGET = '''def forget(hashes, slots, known):
    """Empty the slots of the `known` positions that are kept."""
    for row in range(known):
        slot = hashes[row] & len(slots) - 1
        while slots[slot] >= 0:
            slots[slot] = -1
            slot = slot + 1 & len(slots) - 1'''

KEPT = """\
    other = make()
"""

KEEPING = """\
        # A game ends where a position returns, whatever the dice: the positions at the starts of turns are kept.
        stops = known = 0
        while True:
            $RUN
            if phase == $FINAL or phase == $STUCK or known == len(hashes):
                break
            known = keep_position(table, phase, other, seen, hashes, slots, known)
            stops = 1
        forget(hashes, slots, known)
"""

WATCHED = """\
    other, spare = make(), make()
    other_phase = phase = -1
"""

WATCHING = """\
        # A long game is stopped wherever a position may return: the period of its positions is found (Brent 1980), then
        # it is played again and compared with itself one period earlier, so that it is abandoned where a position first
        # returns. In between it is played once with weight -1, so that nothing is counted twice; the game that follows
        # one period behind has weight 0 and no log.
        stage, length, power, started, noted, at, behind = 0, 0, 1, logged, logged, stops, False
        while True:
            $RUN
            if phase == $FINAL or phase == $STUCK or table.returned == 1:
                break
            again = swap = False
            if stage == 0:  # find the period
                if length == 0 and power == 1:
                    copy(other, table)
                    other_phase = phase
                    length, power = 0, 2
                else:
                    length += 1
                    if phase == other_phase and same_position(table, other):
                        stage, again = 1, True
                    elif power > $LONGEST:
                        break
                    elif length == power:
                        copy(other, table)
                        other_phase = phase
                        length, power = 0, 2 * power
            elif stage == 1:  # counted back
                stage, again = 2, True
            elif behind:  # the other game stands one period behind again
                behind, swap = False, True
                weight, logged = 1, noted
            else:  # compare with one period earlier
                if at == 0:
                    copy(other, table)
                    other_phase = phase
                if at >= length and phase == other_phase and same_position(table, other):
                    table.returned = 1
                elif at >= length:
                    behind = swap = True
                    weight, noted, logged = 0, logged, $NO_LIMIT
            if again:
                at = stops = at if stage == 1 else 0
                weight = -1 if stage == 1 else 1
                logged = started
                $START
            else:
                at += not behind
                stops = $LONGEST if table.returned == 1 else 1
            if swap:
                copy(spare, table)
                copy(table, other)
                copy(other, spare)
                phase, other_phase = other_phase, phase
"""
