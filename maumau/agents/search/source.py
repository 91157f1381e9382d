"""The two programs that search: they deal hidden cards again, try each legal action, and play games out.

Games are played out by policies; for the seat that searches a net may choose by what the seat observes. A world of
`search` is the table of the game in which all cards that a seat neither sees nor knows are dealt again among the places
where they lie, one of `infer` agrees with what the other players have done (`maumau.agents.compiled.inference`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import np
from fsm.table.sight import sight_of
from maumau.agents.actions import UnsupportedGame, deck_counts, hand_fields, names_repeat
from maumau.agents.batch_source import STEPPING, constants_of
from maumau.agents.compiled.batches import note
from maumau.agents.compiled.inference import HEAD, ILLEGAL, MASKS, OFFER, SHOWN, alike_of, infer
from maumau.agents.compiled.tree import explore, mix
from maumau.agents.compiled.worlds import search
from maumau.agents.layout import kinds_by_code
from maumau.agents.plan import AgentPlan
from maumau.kernels.compiler.loops import Loops
from maumau.kernels.engine import LoopProgram

UNSEEN = ("seed", "number", "rolls", "returned")
"""Fields that nobody sees and that worlds do not take from the game: its dice, and whether the position was there."""


def check_game(game: Declaration) -> None:
    """Raise UnsupportedGame if the hidden cards of a game cannot be dealt again.

    Besides the hands, piles and what the hands determine nothing may be hidden from the seat that acts.
    """
    sight, hands = sight_of(game), hand_fields(game)
    piles = [fact.field for fact in sight.hidden_piles]
    found_anew = (*hands, "ring", *piles, *sight.determined, *UNSEEN)
    for field in sight.unseen_fields:
        if field not in found_anew:
            raise UnsupportedGame(f"{game.name}: {field} is hidden from the player who acts; hide only cards")
    if not sight.shows_discards or any(map(sight.is_hidden, hands)):
        raise UnsupportedGame(f"{game.name}: nobody sees the hands or the discard pile; let players see theirs")
    if piles and game.rolling_arcs:
        told = f"{piles[0]} is hidden, and cards move by chance"
        raise UnsupportedGame(f"{game.name}: {told}; use at most one of both")


def searching(plan: AgentPlan) -> LoopProgram[AgentPlan]:
    """`search`."""
    return LoopProgram(search, source_of, plan)


def inferring(plan: AgentPlan) -> LoopProgram[AgentPlan]:
    """`infer`."""
    return LoopProgram(infer, inference_of, plan)


def source_of(plan: AgentPlan) -> Loops:
    """The source of the module whose `search` adds up what each action gains."""
    return _source(plan, search, ())


def inference_of(plan: AgentPlan) -> Loops:
    """The source of the module whose `infer` does."""
    return _source(plan, infer, ("replay",))


POLICIES = "write_mask", "act", "run_by_policies"
"""The functions that play a game out by policies alone."""


def _source(plan: AgentPlan, entry: Callable[..., Any], names: tuple[str, ...]) -> Loops:
    """The source of a program. names: the functions beside those that play games out."""
    playing = []
    if plan.by_tree:
        playing += [*([] if plan.by_net else ["own_action"]), *([] if plan.keeps_notes else ["advance"])]
    written = *(STEPPING if plan.keeps_notes else POLICIES), *names, *playing
    called = (
        entry,
        *([alike_of] if names_repeat(plan.game) else []),
        *([note] if plan.keeps_notes else ()),
        *((explore, mix) if plan.by_tree else ()),
    )
    title = f"{plan.game.title} for {plan.players} players, searched with {', '.join(p.name for p in plan.policies)}"
    return Loops(plan.loops, title, written, _constants_of(plan), plan.reward.functions(plan.game), called)


def _constants_of(plan: AgentPlan) -> dict[str, Any]:
    """What the compiled functions read that search."""
    table, sight = plan.game.table(), sight_of(plan.game)
    return (
        constants_of(plan)
        | _alike(plan.game)
        | {
            "BY_NET": plan.by_net,
            "BY_TREE": plan.by_tree,
            "DRAWS_OTHERS": plan.draws_others,
            "KEEPS_NOTES": plan.keeps_notes,
            "HEAD": HEAD,
            "HIDES_PILES": bool(sight.hidden_piles),
            "ILLEGAL": ILLEGAL,
            "MASKS": MASKS,
            "MISSING": len(table.hands) * (1 + len(sight.hidden_piles)),
            "OFFER": OFFER,
            "PILE_HIDDEN": not sight.is_open("ring"),
            "PLAYOUT_STOPS": plan.loops.kernel.usual_horizon,
            "RING": len(table.ring),
            "SEATS": len(table.hands),
            "SHOWN": SHOWN,
        }
    )


def _alike(game: Declaration) -> dict[str, Any]:
    """The codes, as masks, of the cards of each name, where several have one."""
    if not names_repeat(game):
        return {}
    kinds = kinds_by_code(game)
    masks = (sum(1 << code for code in deck_counts(game) if kinds[code] == kind) for kind in range(max(kinds) + 1))
    return {"ALIKE": np.array(list(masks))}
