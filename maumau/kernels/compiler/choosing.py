"""How players choose: the decision rules of a policy as one chain, or any legal move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent

from fsm.declaration.arcs import Arc, Choice, Control, Offer, Phase, Policy
from fsm.declaration.policy import RANDOM
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.naming import mention
from maumau.kernels.compiler.plan import Plan
from maumau.kernels.compiler.text import case, conjunction
from rules.chance import below


def choosing(plan: Plan, phase: Phase, control: Control) -> Iterator[str]:
    """Statements that set `event` to the index of the chosen offer, and put the card and the value on the table."""
    blocks = [policy_source(plan, phase, control, policy) for policy in plan.policies]
    if len(blocks) == 1:
        yield blocks[0]
        return
    for index, block in enumerate(blocks):
        word = case(index, len(blocks), f"seats[table.player] == {index}")
        yield f"{word}:  # {plan.policies[index].name}\n{indent(block, '    ')}"


def policy_source(plan: Plan, phase: Phase, control: Control, policy: Policy) -> str:
    """Statements by which a policy chooses in a phase."""
    if policy.choices:
        return _choices(plan, control, policy.choices[phase])
    name = str(phase).replace("-", "_")
    lines = ["chosen = 0"]
    if policy is RANDOM:
        lines += [
            f"count = count_{name}(table)",
            "if count > 1:",
            f"    chosen = {mention(below)}(count, table.seed, table.number, table.rolls)",
            "    table.rolls += 1",
        ]
    lines += [f"event = pick_{name}(table, chosen)", f"if event == {STUCK}:", f"    {plan.leaves(STUCK)}"]
    return "\n".join([*lines, *_rule(plan, policy.name)])


def _choices(plan: Plan, control: Control, choices: Sequence[Choice]) -> str:
    """The decision rules of a phase as one chain."""
    lines = []
    offers = [offer.trigger for offer in control.offers]
    for index, choice in enumerate(choices):
        body = [f"event = {offers.index(choice.trigger)}"]
        if choice.card:
            body.append(f"table.card = {mention(choice.card)}(table)")
        if choice.card or choice.value:
            value = f"{mention(choice.value)}(table)" if choice.value else "-1"
            body.append(f"table.{plan.game.value_kind(choice.trigger)} = {value}")
        text = "\n".join([*body, *_rule(plan, choice.rule)])
        condition = conjunction(choice.when)
        if not condition and index == 0:
            return text
        word = f"{'if' if index == 0 else 'elif'} {condition}" if condition else "else"
        lines.append(f"{word}:  # {choice.rule}\n{indent(text, '    ')}")
    return "\n".join(lines)


def _rule(plan: Plan, name: str) -> list[str]:
    """Statements that keep which decision rule was used, as far as the kernel does."""
    number = plan.rules.index(name)
    return [f"used[{number}] += weight"] * plan.tally + [f"rule = {number}"] * plan.log


def moves_functions(plan: Plan) -> Iterator[str]:
    """For policies without rules: functions that count the legal moves of a phase and put one on the table."""
    if all(policy.choices for policy in plan.policies):
        return
    for phase, control in plan.game.control.items():
        if not control.offers:
            continue
        name = str(phase).replace("-", "_")
        arcs = {offer.trigger: plan.game.leaving(phase, offer.trigger) for offer in control.offers}
        yield _count_function(name, control.offers, arcs)
        yield _pick_function(plan, name, control.offers, arcs)


def any_enabled(arcs: Sequence[Arc]) -> str:
    """The condition that one of some arcs is enabled."""
    return " or ".join(f"({conjunction(arc.when, arc.unless) or 'True'})" for arc in arcs)


def each_card(offer: Offer) -> str:
    """The head of a loop over the cards of an offer, which puts each on the table and finds its values."""
    assert offer.cards is not None
    suits = f"{mention(offer.values)}(table)" if offer.values else "0"
    return f"""cards = {mention(offer.cards)}(table)
while cards != 0:
    table.card = (cards & -cards).bit_length() - 1
    suits = {suits}
    cards &= cards - 1"""


def each_value(offer: Offer) -> str:
    """The statement that finds the values of an offer without cards."""
    assert offer.values is not None
    return f"values = {mention(offer.values)}(table)"


def _count_function(name: str, offers: Sequence[Offer], arcs: dict[str, tuple[Arc, ...]]) -> str:
    lines = ["card = table.card", "count = 0"]
    for offer in offers:
        if offer.cards:
            lines += [each_card(offer), "    count += max(suits.bit_count(), 1)", "table.card = card"]
        elif offer.values:
            lines += [each_value(offer), "count += values.bit_count()"]
        else:
            lines += [f"if {any_enabled(arcs[offer.trigger])}:", "    count += 1"]
    body = indent("\n".join([*lines, "return count"]), "    ")
    return f'def count_{name}(table):\n    """How many moves are legal."""\n{body}'


def _pick_function(plan: Plan, name: str, offers: Sequence[Offer], arcs: dict[str, tuple[Arc, ...]]) -> str:
    lines = ["card = table.card"]
    for index, offer in enumerate(offers):
        field = f"table.{plan.game.value_kind(offer.trigger)}"
        if offer.cards:
            lines += [
                each_card(offer),
                "    if chosen < max(suits.bit_count(), 1):",
                "        for _ in range(chosen):",
                "            suits &= suits - 1",
                f"        {field} = (suits & -suits).bit_length() - 1",
                f"        return {index}",
                "    chosen -= max(suits.bit_count(), 1)",
                "table.card = card",
            ]
        elif offer.values:
            lines += [
                each_value(offer),
                "if chosen < values.bit_count():",
                "    for _ in range(chosen):",
                "        values &= values - 1",
                f"    {field} = (values & -values).bit_length() - 1",
                f"    return {index}",
                "chosen -= values.bit_count()",
            ]
        else:
            lines += [
                f"if {any_enabled(arcs[offer.trigger])}:",
                "    if chosen == 0:",
                f"        return {index}",
                "    chosen -= 1",
            ]
    body = indent("\n".join([*lines, f"return {STUCK}"]), "    ")
    description = '"""Put legal move `chosen` on the table; the place of its offer."""'
    return f"def pick_{name}(table, chosen):\n    {description}\n{body}"
