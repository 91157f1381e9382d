"""Writes the interface of a game from its declaration: the functions and constants of `Interface`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from textwrap import indent

from fsm.declaration.arcs import Arc, Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.table.layout import layout_of
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.interface import NOT_FORCED
from maumau.kernels.compiled.mixing import mixed
from maumau.kernels.compiled.moves import card_of, move_word, offer_of, value_of, without_value
from maumau.kernels.compiled.rows import pack, unpack
from maumau.kernels.compiled.sights import look
from maumau.kernels.compiler.phases import chosen_source, each_move, forced_source, moves_functions, policy_source
from maumau.kernels.compiler.program import RETURN, KernelPlan, cases, conjunction, mention, numbered
from maumau.kernels.compiler.sights import sight_constants
from maumau.kernels.compiler.source import Constants, constants_source, row_constants

CALLED = move_word, offer_of, card_of, value_of, without_value, mixed, look, pack, unpack
"""What the functions of the interface call, and those of it that are the same for all games."""


def interface_plan(game: Declaration, policies: tuple[Policy, ...]) -> KernelPlan:
    """Return what an interface is written for. policies: those that `choose` knows, by number."""
    return KernelPlan(game, policies, leave=RETURN)


def interface_functions(plan: KernelPlan) -> list[str]:
    """The constants and functions of the interface, and the functions that they call."""
    return [
        constants_source(_constants_of(plan.game)),
        *moves_functions(plan),
        _settle_source(plan),
        _forced_source(plan),
        _moves_source(plan),
        _put_source(plan),
        _act_source(plan),
        _chosen_source(plan),
        _choose_source(plan),
        _play_source(plan),
        _enabled_source(plan),
        _fire_source(plan),
    ]


def _constants_of(game: Declaration) -> Constants:
    return (
        sight_constants(game, layout_of(game).hands)
        | row_constants(game)
        | {
            "STUCK": STUCK,
            "NOT_FORCED": NOT_FORCED,
            "INITIAL": game.phase_numbers[game.initial],
            "FINAL": game.phase_numbers[game.final],
            "SHARES_WINS": game.shares_wins,
            "DECLARES_RETURNS": game.returns is not None,
            "TURN_STARTS": tuple(int(game.control_of(phase).starts_turn) for phase in game.phases),
            "final_score": game.score,
            **({"returns": game.returns} if game.returns else {}),
            **({"deal_each": game.deal_each} if game.deal_each else {}),
        }
    )


def _function(head: str, doc: str, body: str, end: str = "") -> str:
    """A function of the interface. end: what it returns where no block of the body does."""
    text = "\n".join(filter(None, [body, f"return {end}" if end else ""]))
    return f'def {head}:\n    """{doc}"""\n{indent(text, "    ")}'


def _by_phase(plan: KernelPlan, blocks: Iterable[tuple[Phase, Iterable[str]]]) -> str:
    """Statements for each of some phases."""
    return cases(((f"phase == {plan.game.phase_numbers[phase]}", phase, body) for phase, body in blocks), certain=False)


def _choosing(plan: KernelPlan) -> list[tuple[Phase, tuple[Offer, ...]]]:
    """The phases in which a player may choose, with what is offered there."""
    found = [(phase, plan.game.control_of(phase).offers) for phase in plan.game.phases]
    return [(phase, offers) for phase, offers in found if offers]


def _by_offer(plan: KernelPlan, write: Callable[[Phase, Offer], Iterable[str]]) -> str:
    """Statements for the offer that a move belongs to, in each phase."""

    def of_phase(phase: Phase, offers: tuple[Offer, ...]) -> Iterator[str]:
        yield f"offer = {offer_of.__name__}(move)"
        yield numbered("offer", ((offer.trigger, write(phase, offer)) for offer in offers))

    return _by_phase(plan, ((phase, of_phase(phase, offers)) for phase, offers in _choosing(plan)))


# ---------------------------------------------------------------- forced events


def _settle_source(plan: KernelPlan) -> str:
    blocks = _by_phase(plan, ((phase, _settling(plan, phase)) for phase in plan.game.phases))
    doc = "Fire what is forced; the phase in which a player chooses, the last one, or STUCK."
    return _function("settle(table, phase)", doc, f"while True:\n{indent(blocks, '    ')}")


def _settling(plan: KernelPlan, phase: Phase) -> Iterator[str]:
    if phase is plan.game.final:
        yield plan.leaves("phase")
        return
    yield forced_source(plan, phase)
    if plan.game.control[phase].offers:
        yield plan.leaves("phase")


def _forced_source(plan: KernelPlan) -> str:
    naming = replace(plan, names_arcs=True)

    def asking(phase: Phase) -> Iterator[str]:
        if phase is not plan.game.final:
            yield forced_source(naming, phase)

    blocks = _by_phase(plan, ((phase, asking(phase)) for phase in plan.game.phases))
    doc = "The transition that is forced, NOT_FORCED or STUCK."
    return _function("forced(table, phase)", doc, blocks, str(NOT_FORCED))


# ---------------------------------------------------------------- moves


def _moves_source(plan: KernelPlan) -> str:
    def listing(phase: Phase, offers: tuple[Offer, ...]) -> Iterator[str]:
        for index, offer in enumerate(offers):
            yield from each_move(plan.game, phase, offer, partial(_listed, index, offer))

    blocks = _by_phase(plan, ((phase, listing(phase, offers)) for phase, offers in _choosing(plan)))
    doc = "Write the legal moves of a phase in which nothing is forced into `out`, ascending; how many."
    return _function("moves(table, phase, out)", doc, f"card, count = table.card, 0\n{blocks}", "count")


def _listed(index: int, offer: Offer, values: str) -> str:
    """Statements that write the moves with the card on the table, or without one. values: the name of their mask."""
    card = "table.card" if offer.cards else "-1"

    def write(value: str) -> str:
        return f"out[count] = {move_word.__name__}({index}, {card}, {value})\ncount += 1"

    if not values:
        return write("-1")
    alone = f"if {values} == 0:\n{indent(write('-1'), '    ')}\n" if offer.cards else ""
    each = f"{write(f'({values} & -{values}).bit_length() - 1')}\n{values} &= {values} - 1"
    return f"{alone}while {values} != 0:\n{indent(each, '    ')}"


def _put_source(plan: KernelPlan) -> str:
    def putting(phase: Phase, offer: Offer) -> Iterator[str]:
        field = f"table.{plan.game.value_kind(offer.trigger)}"
        if offer.cards:
            yield f"table.card = {card_of.__name__}(move)"
        if offer.cards or offer.values:
            yield f"{field} = {value_of.__name__}(move)"

    blocks = _by_offer(plan, putting)
    return _function("put(table, phase, move)", "Put the card and the value of a move on the table.", blocks)


def _act_source(plan: KernelPlan) -> str:
    blocks = _by_offer(plan, lambda phase, offer: [chosen_source(plan, phase, offer)])
    doc = "Put a legal move on the table and fire its transition; the phase to which it leads, or STUCK."
    return _function("act(table, phase, move)", doc, f"put(table, phase, move)\n{blocks}", "phase")


def _chosen_source(plan: KernelPlan) -> str:
    naming = replace(plan, names_arcs=True)
    blocks = _by_offer(plan, lambda phase, offer: [chosen_source(naming, phase, offer)])
    doc = "The transition of a legal move that is on the table, or STUCK."
    return _function("chosen(table, phase, move)", doc, blocks, str(STUCK))


def _choose_source(plan: KernelPlan) -> str:
    doc = "The move that a policy chooses where nothing is forced, by its number; its card and value are on the table."
    blocks = _by_policy(plan, lambda phase, index, offer: _named(plan, index, offer))
    return _function("choose(table, phase, policy)", doc, blocks, str(STUCK))


def _play_source(plan: KernelPlan) -> str:
    doc = "Let a policy choose where nothing is forced, and fire it; the phase to which it leads, or STUCK."
    blocks = _by_policy(plan, lambda phase, index, offer: chosen_source(plan, phase, offer))
    return _function("play(table, phase, policy)", doc, blocks, "phase")


def _by_policy(plan: KernelPlan, write: Callable[[Phase, int, Offer], str]) -> str:
    """Statements by which each policy chooses in each phase, and those for the offer that it chooses."""

    def choosing(phase: Phase, offers: tuple[Offer, ...], policy: Policy) -> Iterator[str]:
        yield policy_source(plan, phase, policy)
        yield numbered("event", ((offer.trigger, [write(phase, n, offer)]) for n, offer in enumerate(offers)))

    return _by_phase(
        plan,
        (
            (phase, [numbered("policy", ((each.name, choosing(phase, offers, each)) for each in plan.policies))])
            for phase, offers in _choosing(plan)
        ),
    )


def _named(plan: KernelPlan, index: int, offer: Offer) -> str:
    """The statement that returns what was chosen: the card and the value are on the table."""
    card = "table.card" if offer.cards else "-1"
    value = f"table.{plan.game.value_kind(offer.trigger)}" if offer.named else "-1"
    return f"return {move_word.__name__}({index}, {card}, {value})"


# ---------------------------------------------------------------- transitions


def _enabled_source(plan: KernelPlan) -> str:
    blocks = numbered(
        "arc",
        ((str(arc.trigger), [f"return {conjunction(arc.conditions, arc.unless) or True}"]) for arc in plan.game.arcs),
    )
    return _function("enabled(table, arc)", "Whether the guards of a transition hold, by its number.", blocks)


def _fire_source(plan: KernelPlan) -> str:
    def firing(arc: Arc) -> Iterator[str]:
        yield from (f"{mention(callback)}(table)" for callback in arc.before)
        yield f"return {plan.game.phase_numbers[arc.dest]}  # {arc.dest}"

    blocks = numbered("arc", ((str(arc.trigger), firing(arc)) for arc in plan.game.arcs))
    return _function("fire(table, arc)", "Call the effects of a transition; the phase to which it leads.", blocks)
