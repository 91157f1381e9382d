"""Source of a program that searches: it deals hidden cards anew, tries each legal action, and plays out by policies.

It is generated from the declaration as the kernel of `maumau.kernels.compiler` is, and calls the same rule functions. A
world is the table of the game in which all cards that a seat neither sees nor knows are dealt anew among the places
where they lie.
"""

from __future__ import annotations

from textwrap import indent
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import functions
from fsm.declaration.table_fields import default_values, list_fields
from maumau.agents.actions import action_space
from maumau.agents.hands import UnsupportedGame, hand_fields, is_unique
from maumau.agents.knowledge import notes_of
from maumau.agents.search.playout import SearchPlan, no_playout, playing_out, with_playout
from maumau.kernels.compiler import table_size
from maumau.kernels.compiler.loop import filled
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, mention, module_source
from maumau.kernels.compiler.plan import STUCK
from maumau.kernels.compiler.program import Program
from rules.chance import words_of
from rules.visibility import SeenBy, determined, visibility

SEARCHING = 1 << 24
"""The purpose of the random words of the first decision of a game, of the next one that of the next number."""
UNSEEN = ("seed", "number", "rolls", "returned")
"""Fields that nobody sees and that worlds do not take from the game: its dice, and whether the position was there."""


def searching(plan: SearchPlan) -> Program:
    """`search`, with the arguments of `no_tables`."""
    return Program("search", source_of, plan, no_tables, plan.game, large=True)


def check_game(game: Declaration) -> None:
    """Raise UnsupportedGame if the hidden cards of a game cannot be dealt anew.

    Besides the hands, the draw pile and what the hands determine nothing may be hidden from the seat that acts.
    """
    seen, hands = visibility(game.table), hand_fields(game)
    found_anew = (*hands, "ring", *determined(game.table), *UNSEEN)
    lists = list_fields(game.table)
    for field in default_values(game.table):
        by = seen[field]
        known = by is SeenBy.ALL or (by is SeenBy.OWNER and field not in lists)
        if not known and field not in found_anew:
            raise UnsupportedGame(f"{game.name}: {field} is hidden from the player who acts, expected only cards to be")
    if seen["ring"] is SeenBy.NOBODY or any(seen[field] is SeenBy.NOBODY for field in hands):
        raise UnsupportedGame(f"{game.name}: nobody sees the hands or the discard pile, expected players to see theirs")


def source_of(plan: SearchPlan) -> Source:
    """The source of the module whose `search` counts the games that each action wins."""
    names = ", ".join(policy.name for policy in plan.policies)
    title = f"{plan.game.title} for {plan.players} players, searched with {names}: generated from it."
    parts = [
        *playing_out(plan),
        hide_source(plan.game),
        _world_source(plan.game),
        _search_source(plan),
    ]
    queries = determined(plan.game.table).values()
    return module_source(title, parts, (*functions(plan.game), *queries, words_of))


# ---------------------------------------------------------------- worlds


def hide_source(game: Declaration) -> str:
    """The function `hide`, which takes away all cards that a seat does not know."""
    seen, fields, notes_at = visibility(game.table), hand_fields(game), notes_of(game)
    known = f"notes[{notes_at.seen}] | notes[{notes_at.left} + seat]" if is_unique(game) else "0"
    hands = [field for field in fields if seen[field] is SeenBy.OWNER]
    take = "\n".join(
        f"hidden = table.{field}[other] & ~known\n"
        f"table.{field}[other] &= known\n"
        "while hidden != 0:\n"
        "    counts[(hidden & -hidden).bit_length() - 1] += 1\n"
        "    hidden &= hidden - 1\n"
        "    missing[other] += 1"
        for field in hands
    )
    forget = "".join(f"    table.{field} = 0\n" for field in determined(game.table))
    pile = f"range(table.head, table.head + {'table.stock' if seen['ring'] is SeenBy.DISCARDS else '0'})"
    return f'''def hide(table, seat, notes, counts, missing, unknown, pool):
    """Take all cards from `table` that `seat` neither sees nor knows; how many there are.

    pool: their codes, ascending. missing: how many each seat lacks. unknown: whether each place of the ring lacks one.
    """
{forget}    known = {known}
    for code in range(64):
        counts[code] = 0
    for place in range(len(table.ring)):
        unknown[place] = 0
    for place in {pile}:
        at = place & len(table.ring) - 1
        code = table.ring[at]
        if known >> code & 1 == 0:
            counts[code] += 1
            unknown[at] = 1
            table.ring[at] = 0
    for other in range(table.players):
        missing[other] = 0
        if other != seat:
{indent(take or "pass", " " * 12)}
    size = 0
    for code in range(64):
        for _ in range(counts[code]):
            pool[size] = code
            size += 1
    return size'''


def _world_source(game: Declaration) -> str:
    """The function `fill_world`, which deals the cards of a pool to where cards are missing."""
    determine = determined(game.table).items()
    found = "".join(f"    table.{field} = {mention(query)}(table)\n" for field, query in determine)
    return f'''def fill_world(table, pool, size, missing, unknown, seed, number, world, purpose):
    """Shuffle the pool by the random words of a world, and deal its cards."""
    block, left = world * 64, size
    first = second = third = fourth = 0
    turn = 0
    while left > 1:
        if turn == 0:
            first, second, third, fourth = {mention(words_of)}(seed, number, block, purpose)
            block += 1
        word = first if turn == 0 else second if turn == 1 else third if turn == 2 else fourth
        turn = turn + 1 & 3
        chosen = word * left >> 32
        left -= 1
        card = pool[chosen]
        pool[chosen] = pool[left]
        pool[left] = card
    dealt = 0
    for other in range(table.players):
        for _ in range(missing[other]):
            bit = 1 << pool[dealt]
            dealt += 1
{indent(give_source(hand_fields(game)), " " * 12)}
    for place in range(table.head, table.head + table.stock):
        at = place & len(table.ring) - 1
        if unknown[at] == 1:
            table.ring[at] = pool[dealt]
            dealt += 1
{found}    first, second, third, fourth = {mention(words_of)}(seed, number, world * 64 + 63, purpose)
    table.seed, table.number, table.rolls, table.returned = first, second, 0, 0'''


def give_source(fields: tuple[str, ...]) -> str:
    """Statements that give the seat `other` the card of `bit`."""
    return "\n".join(
        f"{'if' if index == 0 else 'elif'} table.{field}[other] & bit == 0:\n    table.{field}[other] |= bit"
        for index, field in enumerate(fields)
    )


# ---------------------------------------------------------------- the search


def _search_source(plan: SearchPlan) -> str:
    parts = {
        "TABLE": table_size(plan.game.table),
        "NOTES": notes_of(plan.game).length * 8,
        "CHOSEN": notes_of(plan.game).chosen,
        "ACTIONS": len(action_space(plan.game)),
        "SEATS": len(plan.game.table().hands),
        "RING": len(plan.game.table().ring),
        "DECK": plan.game.deck_size,
        "FINAL": plan.phases.index(plan.game.final),
        "STUCK": STUCK,
        "SEARCHING": SEARCHING,
        "POLICIES": len(plan.policies),
    }
    return filled(with_playout(plan, SEARCH, rows="discarded"), parts).rstrip()


SEARCH = '''def search(tables, phases, notes, masks, wins, first, worlds, own, seed$GIVEN):
    """Play out each legal action of each table in the worlds from `first` on, and count the games that it wins.

    own: the number of the policy of the seat that acts; the others have that of number $OTHERS. Actions are not tried
    where only one is legal. Returns the row of a table for which no arc is enabled or an action has no number, or -1.
    """
    table, base, given, after = make(), make(), make(), make()
    counts = new_integers(64)
    missing, unknown = new_integers($SEATS), new_integers($RING)
    pool, cards = new_integers($DECK), new_integers($DECK)
    seats = new_integers($SEATS)
$ROOM    for row in range(len(phases)):
        noted = integers_at(notes.ctypes.data + row * $NOTES)
        load(table, tables.ctypes.data + row * $TABLE)
        phase, seat = phases[row], table.player
        if not write_mask(table, phase, row_at(masks.ctypes.data + row * $ACTIONS)):
            return row
        legal = 0
        for action in range($ACTIONS):
            legal += masks[row, action]
        if legal < 2:
            continue
        for other in range(table.players):
            seats[other] = $OTHERS
        seats[seat] = own
$ROW        copy(base, table)
        size = hide(base, seat, noted, counts, missing, unknown, cards)
        for world in range(first, first + worlds):
            copy(given, base)
            for place in range(size):
                pool[place] = cards[place]
            fill_world(
                given, pool, size, missing, unknown, table.seed ^ seed, table.number, world,
                $SEARCHING + noted[$CHOSEN],
            )
            for action in range($ACTIONS):
                if masks[row, action] == 0:
                    continue
                copy(after, given)
                end = play_out(after, phase, action, seats, $PLAYOUT)
                if end == $STUCK:
                    return row
                wins[row, action] += end == $FINAL and after.winner == seat
    return -1
'''


def no_tables(plan: SearchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `search`: no tables."""
    import numpy as np

    actions = len(action_space(plan.game))
    return (
        np.zeros((0, table_size(plan.game.table)), np.uint8),
        numbers(0),
        numbers((0, notes_of(plan.game).length)),
        np.zeros((0, actions), np.uint8),
        numbers((0, actions)),
        0,
        0,
        0,
        0,
        *no_playout(plan),
    )
