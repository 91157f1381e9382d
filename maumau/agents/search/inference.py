"""Source of a program that searches in worlds which agree with what the other players have done.

How it does is in `maumau.agents.compiled.inference`; here is what depends on the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import FORCED, functions
from maumau.agents.arrays import np
from maumau.agents.compiled.inference import MAX_ENERGY, infer
from maumau.agents.hands import deck_counts, hand_fields, names_repeat
from maumau.agents.knowledge import kinds_by_code
from maumau.agents.search.playout import SearchPlan, compiled_for, no_playout, playing_out
from maumau.agents.search.source import give_source
from maumau.kernels.compiler.choosing import any_enabled, policy_source
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, mention, module_source
from maumau.kernels.compiler.phases import arcs_source
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.text import case

CHANCE = 0.1
"""How likely a player makes a move that the policy would not, compared with the one that it would."""
DIVERGED = "return phase, differing, wrong + len(moves) - at, min(first, at)"
"""The statement with which a world that is played again ends."""


def inferring(plan: SearchPlan) -> Program:
    """`infer`, with the arguments of `no_evidence`."""
    return Program("infer", source_of, plan, no_evidence, plan.game, large=True)


def source_of(plan: SearchPlan) -> Source:
    """The source of the module whose `infer` counts the games that each action wins."""
    names = ", ".join(policy.name for policy in plan.policies)
    title = f"{plan.game.title} for {plan.players} players, inferred from {names}: generated from it."
    parts = [*playing_out(plan), _alike_source(plan.game), _replay_source(plan), give_source(plan.game)]
    return module_source(title, parts, functions(plan.game), compiled_for(plan, infer))


def acceptance() -> tuple[int, ...]:
    """How likely a world that is less likely by so many moves is accepted, in 2**-32."""
    return tuple(int(CHANCE**energy * 2**32) for energy in range(MAX_ENERGY + 1))


# ---------------------------------------------------------------- the game again


def _alike_source(game: Declaration) -> str:
    """The constant `ALIKE`: the codes, as masks, of the cards of each name; nothing where each has one."""
    if not names_repeat(game):
        return ""
    kinds = kinds_by_code(game)
    masks = (sum(1 << code for code in deck_counts(game) if kinds[code] == kind) for kind in range(max(kinds) + 1))
    return f"ALIKE = np.array({tuple(masks)}, np.int64)"


@dataclass(frozen=True)
class ReplayPlan(SearchPlan):
    """What the function that plays a world again is generated for."""

    def leaves(self, phase: str | int) -> str:
        """The statement with which it ends."""
        return DIVERGED


def _replay_source(searching: SearchPlan) -> str:
    """The function `replay`, which plays a world by the moves that were made."""
    blocks, plan = [], ReplayPlan(searching.game, searching.policies, players=searching.players)
    for number, phase in enumerate(plan.phases):
        word = f"{'if' if number == 0 else 'elif'} phase == {number}:  # {phase}"
        body = DIVERGED if phase is plan.game.final else "\n".join(_replaying(plan, phase))
        blocks.append(f"{word}\n{indent(body, '    ')}")
    text = "\n".join(blocks)
    return f'''def replay(table, phase, moves, seat):
    """Play `table` by some moves: the phase at the end; how many moves of other seats differ from the policy; how many
    moves are not legal, with those that could not be made; the index of the first of these, or how many there are.
    """
    differing, wrong, first, at = 0, 0, len(moves), 0
    while True:
{indent(text, " " * 8)}'''


def _replaying(plan: ReplayPlan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: forced events, then the move that was made."""
    control = plan.game.control[phase]
    if control.forced:
        forced = [arc for trigger in control.forced for arc in plan.game.leaving(phase, trigger)]
        yield arcs_source(plan, forced, str(FORCED), certain=not control.offers)
    if not control.offers:
        return
    number = plan.phases.index(phase)
    yield from _unseen(plan, phase, number)
    yield f"""if at == len(moves):
    {DIVERGED}
if moves[at, 0] != {number} or moves[at, 1] != table.player:
    {DIVERGED}
offer, code, value = moves[at, 2], moves[at, 3], moves[at, 4]"""
    yield _comparing(plan, phase, plan.policies[0])
    for index, offer in enumerate(control.offers):
        arcs = arcs_source(plan, plan.game.leaving(phase, offer.trigger), "0", certain=True, one_enabled=True)
        legal = "\n".join(_checking(plan, phase, offer))
        word = case(index, len(control.offers), f"offer == {index}")
        yield f"{word}:  # {offer.trigger}\n{indent(legal, '    ')}\n    at += 1\n{indent(arcs, '    ')}"


def _unseen(plan: ReplayPlan, phase: Phase, number: int) -> Iterator[str]:
    """Statements by which another seat does what `seat` does not see, where it has done nothing else."""
    for index, offer in enumerate(plan.game.control[phase].offers):
        if offer.seen_as is None:
            continue
        arcs = arcs_source(plan, plan.game.leaving(phase, offer.trigger), "0", certain=True, one_enabled=True)
        lines = [f"offer, code, value = {index}, -1, -1", _comparing(plan, phase, plan.policies[0]), arcs]
        yield f"seen = at < len(moves) and moves[at, 0] == {number} and moves[at, 1] == table.player"
        yield "if table.player != seat and not seen:\n" + indent("\n".join(lines), "    ")


def _comparing(plan: ReplayPlan, phase: Phase, policy: Policy) -> str:
    """Statements that count a move of another seat if the policy would have chosen another one."""
    control = plan.game.control[phase]
    fields = dict.fromkeys(["card", *(str(plan.game.value_kind(offer.trigger)) for offer in control.offers)])
    keep = "\n".join(f"kept_{name} = table.{name}" for name in fields)
    restore = "\n".join(f"table.{name} = kept_{name}" for name in fields)
    tests = []
    other = "KIND[table.card] != KIND[code]" if names_repeat(plan.game) else "table.card != code"
    for index, offer in enumerate(control.offers):
        parts = [other] if offer.cards else []
        if offer.values:
            parts.append(f"(value >= 0 and table.{plan.game.value_kind(offer.trigger)} != value)")
        if parts:
            tests.append(f"(event == {index} and ({' or '.join(parts)}))")
    differs = " or ".join(["event != offer", *tests])
    body = f"{keep}\n{policy_source(plan, phase, control, policy)}\nif {differs}:\n    differing += 1\n{restore}"
    return f"if table.player != seat:\n{indent(body, '    ')}"


def _checking(plan: ReplayPlan, phase: Phase, offer: Offer) -> Iterator[str]:
    """Statements that count a move that is not legal, and put what it names on the table."""
    kind = plan.game.value_kind(offer.trigger)
    if offer.cards:
        yield from _checking_card(plan, offer)
    if offer.values:
        allowed = f"value < 0 or {mention(offer.values)}(table) >> value & 1 == 1"
        yield f"legal = legal and ({allowed})" if offer.cards else f"legal = {allowed}"
    if offer.cards or offer.values:
        yield f"table.{kind} = value"
    else:
        yield f"legal = {any_enabled(plan.game.leaving(phase, offer.trigger))}"
    yield "if not legal:\n    wrong += 1\n    first = min(first, at)"


def _checking_card(plan: ReplayPlan, offer: Offer) -> Iterator[str]:
    """Statements that find out whether the card may be named, and put it on the table: of several with its name, one
    that may, for which of them was dealt to whom is not known.
    """
    assert offer.cards
    cards, hand = f"{mention(offer.cards)}(table)", f"table.{hand_fields(plan.game)[0]}[table.player]"
    if not names_repeat(plan.game):
        if offer.from_hand:
            yield f"if {hand} >> code & 1 == 0:\n    {DIVERGED}"
        yield f"legal = {cards} >> code & 1 == 1"
    else:
        yield f"alike = {hand if offer.from_hand else '1 << code'} & ALIKE[KIND[code]]"
        yield f"if alike == 0:\n    {DIVERGED}"
        yield f"offered = {cards} & ALIKE[KIND[code]]"
        yield "legal = offered != 0\nif legal:\n    alike = offered\ncode = (alike & -alike).bit_length() - 1"
    yield "table.card = code"


# ---------------------------------------------------------------- no work


def no_evidence(plan: SearchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `infer`: nothing was hidden, and no worlds are asked for."""
    from maumau.kernels.compiler import table_size

    start = np.zeros(table_size(plan.game.table), np.uint8)
    arrays = numbers((0, 4)), numbers((1, 3)), numbers(0), numbers((0, 6)), numbers(1)
    return start, 0, *arrays, 0, 0, numbers(0), numbers(2), 0, 0, 0, 0, numbers((0, 1)), *no_playout(plan)
