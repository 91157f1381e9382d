"""Writes the function `replay`, by which a search plays a world by the moves that were made in the game.

The source takes for granted the columns of a move (`maumau.agents.compiled.inference`); and `ALIKE`, for the name of
each card the codes of the cards of this name, as a mask, and `alike_of`, where names repeat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from textwrap import indent

from fsm.declaration.arcs import Offer, Phase
from maumau.kernels.compiler.numbered import ActionPlan
from maumau.kernels.compiler.phases import any_enabled, chosen_source, forced_source, policy_source
from maumau.kernels.compiler.program import KernelPlan, mention, numbered

DIVERGED = "return phase, differing, wrong + len(moves) - at, min(first, at), blamed"
"""The statement with which a world that is played again ends."""
UNLIKELY = "if differing + ILLEGAL * wrong > most:\n    return phase, differing, wrong, first, blamed"
"""Statements that end it where it is too unlikely."""


def replay_source(plan: ActionPlan) -> str:
    """The function `replay`, which plays a world by the moves that were made."""
    blocks = ((phase, _replaying(plan, phase, number)) for number, phase in enumerate(plan.game.phases))
    text = numbered("phase", blocks, certain=False)
    return f'''def replay(table, phase, moves, seat, most):
    """Play `table` by some moves: the phase at the end; how many moves of other seats differ from the policy; how many
    moves are not legal, with those that could not be made; the index of the first of these, or how many there are, and
    what would mend it: the cards of which its player should have less, or the complement of those that are lacking.

    most: how unlikely the world may be; where it is less likely, it is not played to its end.
    """
    differing, wrong, first, at, blamed = 0, 0, len(moves), 0, -1
    while True:
{indent(text, " " * 8)}'''


def _steps(plan: ActionPlan) -> KernelPlan:
    """What the statements are written for that step a world."""
    return replace(plan.kernel, leave=DIVERGED, notes_dice=False)


def _replaying(plan: ActionPlan, phase: Phase, number: int) -> Iterator[str]:
    """The statements of a phase: forced events, then the move that was made."""
    if phase is plan.game.final:
        yield DIVERGED
        return
    yield forced_source(_steps(plan), phase)
    if not (offers := plan.game.control[phase].offers):
        return
    comparing = _comparing(plan, phase)
    for index, offer in enumerate(offers):
        if offer.seen_as is not None:  # another seat does what `seat` does not see, where it has done nothing else
            lines = [f"offer, code, value = {index}, -1, -1", comparing, chosen_source(_steps(plan), phase, offer)]
            yield f"seen = at < len(moves) and moves[at, 0] == {number} and moves[at, 1] == table.player"
            yield "if table.player != seat and not seen:\n" + indent("\n".join([*lines, "continue"]), "    ")
    yield f"""if at == len(moves):
    {DIVERGED}
if moves[at, 0] != {number} or moves[at, 1] != table.player or moves[at, HEAD] != table.head:
    {DIVERGED}
offer, code, value = moves[at, OFFER], moves[at, 3], moves[at, 4]"""
    if plan.game.reveals:  # hands may have moved
        yield from _checking_hand(plan)
    yield comparing
    yield numbered(
        "offer",
        (
            (offer.trigger, [*_checking(plan, phase, offer), "at += 1", chosen_source(_steps(plan), phase, offer)])
            for offer in offers
        ),
    )


def _checking_hand(plan: ActionPlan) -> Iterator[str]:
    """Statements that count the cards of the seat that it does not have, after it was given a hand, as moves that are
    not legal; the last row of the moves does nothing else.
    """
    fields = enumerate(plan.hands)
    wrong = " + ".join(f"(table.{field}[seat] & ~moves[at, MASKS + {column}]).bit_count()" for column, field in fields)
    yield f"strange = {wrong} if moves[at, SHOWN] == 1 else 0"
    yield "if strange > 0:\n    wrong += strange\n    first = min(first, at)"
    yield f"if offer < 0:\n    at += 1\n    {DIVERGED}"


def _comparing(plan: ActionPlan, phase: Phase) -> str:
    """Statements that count a move of another seat if the policy would have chosen another one."""
    control = plan.game.control[phase]
    fields = dict.fromkeys(["card", *(str(plan.game.value_kind(offer.trigger)) for offer in control.offers)])
    keep = "\n".join(f"kept_{name} = table.{name}" for name in fields)
    restore = "\n".join(f"table.{name} = kept_{name}" for name in fields)
    tests = []
    other = "KIND[table.card] != KIND[code]" if plan.names_repeat else "table.card != code"
    for index, offer in enumerate(control.offers):
        parts = [other] if offer.cards else []
        if offer.values:
            parts.append(f"(value >= 0 and table.{plan.game.value_kind(offer.trigger)} != value)")
        if parts:
            tests.append(f"(event == {index} and ({' or '.join(parts)}))")
    differs = " or ".join(["event != offer", *tests])
    counted = f"if {differs}:\n    differing += 1\n{indent(UNLIKELY, '    ')}"
    body = f"{keep}\n{policy_source(_steps(plan), phase, plan.policies[0])}\n{counted}\n{restore}"
    return f"if table.player != seat:\n{indent(body, '    ')}"


def _checking(plan: ActionPlan, phase: Phase, offer: Offer) -> Iterator[str]:
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
    offers = plan.game.control[phase].offers
    others = " | ".join(f"{mention(each.cards)}(table)" for each in offers if each.cards and each.from_hand)
    if others and plan.names_repeat:
        others = f"alike_of({others})"
    yield f"if not legal:\n    wrong += 1\n{indent(UNLIKELY, '    ')}\n    if at < first:"
    yield f"        first, blamed = at, {others or -1}"


def _lacking(held: str, sought: str) -> str:
    """Statements that end where a hand has none of some cards."""
    return f"if {held} == 0:\n    if at < first:\n        blamed = ~({sought})\n    {DIVERGED}"


def _checking_card(plan: ActionPlan, offer: Offer) -> Iterator[str]:
    """Statements that find out whether the card may be named, and put it on the table: of several with its name, one
    that may, for which of them was dealt to whom is not known.
    """
    assert offer.cards
    cards, hand = f"{mention(offer.cards)}(table)", f"table.{plan.hands[0]}[table.player]"
    if not plan.names_repeat:
        if offer.from_hand:
            yield _lacking(f"{hand} >> code & 1", "1 << code")
        yield f"legal = {cards} >> code & 1 == 1"
    else:
        yield f"alike = {hand if offer.from_hand else '1 << code'} & ALIKE[KIND[code]]"
        yield _lacking("alike", "ALIKE[KIND[code]]")
        yield f"offered = {cards} & ALIKE[KIND[code]]"
        yield "legal = offered != 0\nif legal:\n    alike = offered\ncode = (alike & -alike).bit_length() - 1"
    yield "table.card = code"
