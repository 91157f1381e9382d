"""Source of a program that searches: it deals hidden cards anew, tries each legal action, and plays out by policies.

It is generated from the declaration as the kernel of `maumau.kernels.compiler` is, and calls the same rule functions. A
world is the table of the game in which all cards that a seat neither sees nor knows are dealt anew among the places
where they lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import functions
from fsm.declaration.table_fields import default_values, list_fields, table_size
from maumau.agents.actions import action_space
from maumau.agents.arrays import np
from maumau.agents.compiled.worlds import search
from maumau.agents.hands import UnsupportedGame, hand_fields
from maumau.agents.knowledge import notes_of
from maumau.agents.search.playout import SearchPlan, compiled_for, no_playout, playing_out
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, mention, module_source
from maumau.kernels.compiler.program import Program
from rules.visibility import SeenBy, determined, visibility

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
    parts = [*playing_out(plan), *world_functions(plan.game)]
    queries = determined(plan.game.table).values()
    return module_source(title, parts, (*functions(plan.game), *queries), compiled_for(plan, search))


# ---------------------------------------------------------------- worlds


def world_functions(game: Declaration) -> list[str]:
    """What the compiled functions take for granted that deal hidden cards anew."""
    return [take_hidden_source(game), give_source(game), *_determined_functions(game)]


def take_hidden_source(game: Declaration) -> str:
    """The function `take_hidden`, which takes the cards of a seat that are not known."""
    seen = visibility(game.table)
    take = "".join(
        f"""    hidden = table.{field}[other] & ~known
    table.{field}[other] &= known
    while hidden != 0:
        counts[(hidden & -hidden).bit_length() - 1] += 1
        hidden &= hidden - 1
        taken += 1
"""
        for field in hand_fields(game)
        if seen[field] is SeenBy.OWNER
    )
    return f'''def take_hidden(table, other, known, counts):
    """Take the cards of a seat that are not known, counted by their codes; how many there are."""
    taken = 0
{take}    return taken'''


def _determined_functions(game: Declaration) -> Iterator[str]:
    """The functions `forget_determined` and `determine`, which clear and find the fields that hands determine."""
    forget = "".join(f"    table.{field} = 0\n" for field in determined(game.table))
    found = "".join(f"    table.{field} = {mention(query)}(table)\n" for field, query in determined(game.table).items())
    yield f'def forget_determined(table):\n    """Clear the fields that the hands determine."""\n{forget}'.rstrip()
    yield f'def determine(table):\n    """Find the fields that the hands determine."""\n{found}'.rstrip()


def give_source(game: Declaration) -> str:
    """The function `give`, which gives a seat a card."""
    give = "".join(
        f"    {'if' if index == 0 else 'elif'} table.{field}[other] & bit == 0:\n        table.{field}[other] |= bit\n"
        for index, field in enumerate(hand_fields(game))
    )
    return f'def give(table, other, bit):\n    """Give a seat the card of a bit."""\n{give}'.rstrip()


def no_tables(plan: SearchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `search`: no tables."""
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
