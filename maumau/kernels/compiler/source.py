"""Generates what depends on the game in the source of a kernel: readable Python, one block for each phase.

That includes how a kernel finds out where a position returns. The rest is the same for all games: the functions of
`maumau.kernels.compiled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration
from fsm.edge.arrays import allocate
from fsm.edge.numbers import Array, np
from fsm.match.setup import MATCH
from fsm.table.layout import layout_of
from maumau.kernels.compiled.ends import EMPTY, PositionRoom
from maumau.kernels.compiled.loop import AHEAD, deal_all, note
from maumau.kernels.compiled.running import run, run_match
from maumau.kernels.compiled.series import play
from maumau.kernels.compiler.phases import phases_of
from maumau.kernels.compiler.program import (
    KernelPlan,
    KernelSource,
    Program,
    mention,
    module_source,
    naming_of,
    namings,
)
from rules.chance import words_for

FIRST_ROOM = 4096
"""Positions of a game for which there is room at first: only what is used of it takes memory."""
MAX_ROOM = 1 << 20
"""Positions of a game for which there is room at last: the power of 2 beyond LONGEST."""


def watches(plan: KernelPlan) -> bool:
    """Whether a long game is compared with itself."""
    return (plan.repetition or plan.log) and plan.may_return


def saved_size(plan: KernelPlan) -> int:
    """Bytes of a position that is kept: the saved table, and eight for the phase."""
    return layout_of(plan.game).size + 8


def room_for_positions(plan: KernelPlan, positions: int) -> PositionRoom:
    """The memory in which a kernel keeps positions, where it does, with room for so many of a game: their tables and
    hashes, and where in the table of slots. positions: a power of 2.
    """
    positions, size = (positions, saved_size(plan)) if plan.keeps_positions else (0, 0)
    slots = np.full(2 * positions, EMPTY)
    return allocate(PositionRoom, seen=(positions, size), hashes=positions, slots=slots)


def rooms(plan: KernelPlan) -> Iterator[PositionRoom]:
    """The same with more and more room, up to MAX_ROOM."""
    positions = FIRST_ROOM
    while positions <= MAX_ROOM:
        yield room_for_positions(plan, positions)
        positions *= 2


Constants = dict[str, "int | tuple[object, ...] | Array | Callable[..., object]"]


def source_of(plan: KernelPlan, entry: Callable[..., object] = play) -> KernelSource:
    """The source of the kernel's module: `run` steps a table from turn to turn, around it `play` plays many games, or
    matches.
    """
    constants, called = constants_of(plan), [*plan.game.functions]
    compiled = [entry, run, *[note] * plan.log]
    if plan.matches:
        chart = KernelPlan(cast(Declaration, MATCH), ())  # all events are forced: no policies and facts are read
        constants |= {"MATCH_PHASES": phases_of(chart, waits=(MATCH.phases["ROUND"],))}
        compiled += [run_match]
        called += [plan.game.round_points]
        called += [function for arc in MATCH.arcs for function in (*arc.conditions, *arc.unless, *arc.before)]
    policies = ", ".join(policy.name for policy in plan.policies)
    played = f"Matches of {plan.game.title}" if plan.matches else plan.game.title
    title = f"{played} compiled for players {policies}: generated from its declaration."
    return module_source(title, [constants_source(constants)], called, compiled)


def dealing_source(game: Declaration) -> KernelSource:
    """The source of a module whose `deal_all` fills rows with the decks of a seed."""
    title = f"{game.title} dealt: generated from its declaration."
    return module_source(title, [constants_source(deck_constants(game))], game.functions, (deal_all,))


def constants_of(plan: KernelPlan) -> Constants:
    """What the compiled functions of a kernel read of a plan."""
    scoring: Constants = {}
    if plan.matches:
        scoring = {
            "LOWEST_WINS": plan.game.scoring.lowest_wins,
            "UNWON_SCORES": plan.game.scoring.unwon_scores,
            "SIDES_AMONG": tuple(map(plan.game.scoring.sides_among, range(plan.game.codec.most + 1))),
            "game_points": plan.game.round_points,
        }
    positions = position_constants(plan.game) if plan.keeps_positions or watches(plan) else {}
    return (
        deck_constants(plan.game)
        | positions
        | scoring
        | {
            "CARRIED": _carried(plan.game) if plan.matches else (),
            "COPIES": tuple(enumerate(plan.game.copies_held)),
            "PHASES": phases_of(plan),
            "PHASE_NAMES": tuple(map(str, plan.game.phases)),
            "PLAYED": tuple(_named(plan.game, arc) for arc in plan.game.arcs),
            "DEALS": not plan.log,
            "FINAL": plan.game.phase_numbers[plan.game.final],
            "INITIAL": plan.game.phase_numbers[plan.game.initial],
            "KEEPS_POSITIONS": plan.keeps_positions,
            "KNOWS_DEALER": plan.game.knows_dealer,
            "LOGS": plan.log,
            "MATCHES": plan.matches,
            "NAMINGS": tuple((number, card, str(kind)) for number, (card, kind) in enumerate(namings(plan.game), 1)),
            "POSITION_BYTES": saved_size(plan),
            "SHARES_WINS": plan.game.shares_wins,
            "STOPS": plan.horizon,
            "TABLE_BYTES": layout_of(plan.game).size,
            "WATCHES": watches(plan),
            "game_deal": plan.game.deal,
            "game_score": plan.game.score,
        }
    )


def _carried(game: Declaration) -> tuple[tuple[str, int], ...]:
    """The fields that a round takes over from the round before, and of how many seats; 0 for a number."""
    return tuple((name, game.codec.most if isinstance(game.defaults[name], list) else 0) for name in game.carried)


def deck_constants(game: Declaration) -> Constants:
    """What the compiled functions that make decks read of a game."""
    amending: Constants = {"game_amend": game.amend} if game.amend else {}
    return {
        "AMENDS": bool(game.amend),
        "DECK_SIZE": game.deck_size,
        "WORDS": words_for(game.deck_size) * AHEAD,
        "game_fill": game.fill,
        **amending,
    }


def position_constants(game: Declaration) -> Constants:
    """What `same_position` and `hash_of` read of a game."""
    layout = layout_of(game)
    return {
        "LISTS_COMPARED": (*layout.lists, *(fact.field for fact in layout.queues)),
        "LISTS_HASHED": layout.lists,
        "LOOKS": tuple(layout.looks[: len(game.codec.notation.cards)]),
        "LOOK_ALIKE": layout.alike,
        "NUMBERS_COMPARED": layout.compared,
        "NUMBERS_HASHED": tuple(fact.field for fact in layout.facts),
        "UNLIKE": ~sum(layout.alike),
    }


def constants_source(constants: Constants) -> str:
    """Assignments of numbers, texts, rule functions, tuples of these, and arrays of integers to names."""
    return "\n".join(f"{name} = {_constant(value)}" for name, value in sorted(constants.items()))


def _constant(value: Any) -> str:
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):  # an array; NumPy need not be there for games without one
        return f"np.array({tuple(value.tolist())}, np.int64)"
    if isinstance(value, tuple):
        return f"({''.join(f'{_constant(each)}, ' for each in value)})"
    if isinstance(value, str):
        return repr(value)
    return mention(value) if callable(value) else str(value)


def _named(game: Declaration, arc: Arc) -> int:
    """The number of what is named with the event of an arc; 0 for nothing."""
    offers = [offer for offer in game.control_of(arc.source).offers if offer.trigger == arc.trigger]
    naming = naming_of(game, offers[0]) if offers else None
    return 1 + namings(game).index(naming) if naming else 0


# ---------------------------------------------------------------- programs


def playing(plan: KernelPlan) -> Program:
    """A plan's kernel: `play`."""
    return Program(play, source_of, plan, plan.game, MAKERS, large=True)


def dealing(game: Declaration) -> Program:
    """`deal_all`, which fills rows of decks (decks, players, seed, first)."""
    return Program(deal_all, dealing_source, game, game)


MAKERS = (("make_match", MATCH.table),)
"""The functions of `play` that make tables of other classes."""
