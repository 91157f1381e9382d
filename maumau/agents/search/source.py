"""Source of two programs that search: they deal hidden cards again, try each legal action, and play games out.

They are generated from the declaration as the kernel of `maumau.kernels.compiler` is, and call the same rule functions.
Games are played out by policies; for the seat that searches a net may choose by what the seat observes. A world of
`search` is the table of the game in which all cards that a seat neither sees nor knows are dealt again among the places
where they lie, one of `infer` agrees with what the other players have done (`maumau.agents.compiled.inference`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Offer, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.dice import rolls_dice
from fsm.declaration.endless import LONGEST
from fsm.declaration.facts import default_values
from fsm.table.sight import DISCARDS, RING, Level, Relation, sight_of
from maumau.agents.actions import UnsupportedGame, deck_counts, hand_fields, names_repeat
from maumau.agents.batch_source import (
    arrays_of,
    by_action,
    constants_of,
    functions_of,
    mask_source,
    named_source,
    rule_functions,
)
from maumau.agents.compiled.batches import note
from maumau.agents.compiled.inference import HEAD, ILLEGAL, MASKS, OFFER, SHOWN, infer
from maumau.agents.compiled.tree import explore, mix
from maumau.agents.compiled.worlds import give_mask, give_queue, search, take_mask, take_queue
from maumau.agents.layout import deciding, kinds_by_code
from maumau.agents.plan import AgentPlan
from maumau.agents.search.tree import tree_functions
from maumau.kernels.compiled.workspace import warm_up_of
from maumau.kernels.compiler.phases import (
    any_enabled,
    chosen_source,
    forced_source,
    moves_functions,
    policy_source,
    run_source,
)
from maumau.kernels.compiler.program import (
    HORIZON,
    KernelPlan,
    KernelSource,
    Program,
    cases,
    mention,
    module_source,
    numbered,
)
from maumau.kernels.compiler.source import constants_source
from rules.rule import RuleFunction

UNSEEN = ("seed", "number", "rolls", "returned")
"""Fields that nobody sees and that worlds do not take from the game: its dice, and whether the position was there."""


PILES: tuple[Callable[..., Any], ...] = take_mask, give_mask, take_queue, give_queue
"""What the source calls that takes cards out of hidden piles, and deals into them."""
DIVERGED = "return phase, differing, wrong + len(moves) - at, min(first, at), blamed"
"""The statement with which a world that is played again ends."""
UNLIKELY = f"if differing + {ILLEGAL} * wrong > most:\n    return phase, differing, wrong, first, blamed"
"""Statements that end it where it is too unlikely."""


def check_game(game: Declaration) -> None:
    """Raise UnsupportedGame if the hidden cards of a game cannot be dealt again.

    Besides the hands, piles and what the hands determine nothing may be hidden from the seat that acts.
    """
    sight, hands = sight_of(game), hand_fields(game)
    piles = [fact.field for fact in sight.hidden_piles]
    found_anew = (*hands, RING, *piles, *sight.determined, *UNSEEN)
    for field in default_values(game.table):
        if sight.level(field, Relation.SELF) is not Level.WHOLE and field not in found_anew:
            raise UnsupportedGame(f"{game.name}: {field} is hidden from the player who acts; hide only cards")
    if not sight.is_open(DISCARDS) or any(map(sight.is_hidden, hands)):
        raise UnsupportedGame(f"{game.name}: nobody sees the hands or the discard pile; let players see theirs")
    if piles and any(map(rolls_dice, game.arcs)):
        told = f"{piles[0]} is hidden, and cards move by chance"
        raise UnsupportedGame(f"{game.name}: {told}; use at most one of both")


def searching(plan: AgentPlan) -> Program:
    """`search`."""
    return Program("search", source_of, plan, lambda plan: warm_up_of(search), plan.game, large=True)


def inferring(plan: AgentPlan) -> Program:
    """`infer`."""
    return Program("infer", inference_of, plan, lambda plan: warm_up_of(infer), plan.game, large=True)


def source_of(plan: AgentPlan) -> KernelSource:
    """The source of the module whose `search` adds up what each action gains."""
    parts = [sight_of(plan.game).turned_up_source(), take_hidden_source(plan.game)]
    parts += [*_determined_functions(plan.game), *_piles_functions(plan.game)]
    return _module(plan, search, parts, sight_of(plan.game).determined.values())


def inference_of(plan: AgentPlan) -> KernelSource:
    """The source of the module whose `infer` does."""
    return _module(plan, infer, [_alike_source(plan.game), _replay_source(plan)], ())


def _module(
    plan: AgentPlan, entry: Callable[..., Any], parts: list[str], queries: Iterable[RuleFunction]
) -> KernelSource:
    """The source of a program: what plays games out and gives cards, and other parts."""
    table, sight = plan.game.table(), sight_of(plan.game)
    constants = constants_of(plan) | {
        "BY_NET": plan.by_net,
        "BY_TREE": plan.by_tree,
        "HIDES_PILES": bool(sight.hidden_piles),
        "MISSING": len(table.hands) * (1 + len(sight.hidden_piles)),
        "PILE_HIDDEN": not sight.is_open(RING),
        "PLAYOUT_STOPS": HORIZON if plan.kernel.may_return else LONGEST,
        "RING": len(table.ring),
        "SEATS": len(table.hands),
    }
    by_policies = (
        "\n".join(arrays_of(plan.game)),
        *moves_functions(plan.kernel),
        mask_source(plan),
        act_source(plan),
        run_source(KernelPlan(plan.game, plan.policies), "run_by_policies"),
    )
    playing_out = functions_of(plan) if plan.by_net else by_policies
    title = f"{plan.game.title} for {plan.players} players, searched with {', '.join(p.name for p in plan.policies)}"
    texts = [constants_source(constants), *playing_out, *_hand_functions(plan.game), *parts]
    texts += tree_functions(plan) if plan.by_tree else ()
    called = entry, *PILES, *([note] if plan.by_net else ()), *((explore, mix) if plan.by_tree else ())
    return module_source(f"{title}: generated from it.", texts, (*rule_functions(plan), *queries), called)


def act_source(plan: AgentPlan) -> str:
    """The function `act`, which fires an action."""

    phases = deciding(plan.game)
    blocks = cases((f"phase == {plan.game.phase_numbers[phase]}", phase, [_acting(plan, phase)]) for phase in phases)
    return f'''def act(table, phase, action):
    """Fire an action of the player who acts; the next phase."""
{indent(blocks, "    ")}
    return phase'''


def _acting(plan: AgentPlan, phase: Phase) -> str:
    offers = plan.game.control[phase].offers
    return by_action(plan, offers, lambda offer: [*named_source(plan, offer), chosen_source(plan.kernel, phase, offer)])


# ---------------------------------------------------------------- cards dealt anew


def take_hidden_source(game: Declaration) -> str:
    """The function `take_hidden`, which takes the cards of a seat that another one neither sees nor knows."""
    take = "".join(
        f"""    hidden = 0 if {sight_of(game).condition(field, "other")} else table.{field}[other] & ~known
    table.{field}[other] ^= hidden
    while hidden != 0:
        counts[(hidden & -hidden).bit_length() - 1] += 1
        hidden &= hidden - 1
        taken += 1
"""
        for field in hand_fields(game)
    )
    return f'''def take_hidden(table, seat, other, known, counts):
    """Take the cards of a seat that `seat` neither sees nor knows, counted by their codes; how many there are."""
    taken = 0
{take}    return taken'''


def _determined_functions(game: Declaration) -> Iterator[str]:
    """The functions `forget_determined` and `determine`, which clear and find the fields that hands determine."""
    determined = sight_of(game).determined.items()
    forget = "".join(f"    table.{field} = 0\n" for field, _ in determined)
    found = "".join(f"    table.{field} = {mention(query)}(table)\n" for field, query in determined)
    yield f'def forget_determined(table):\n    """Clear the fields that the hands determine."""\n{forget}'.rstrip()
    yield f'def determine(table):\n    """Find the fields that the hands determine."""\n{found}'.rstrip()


def _piles_functions(game: Declaration) -> Iterator[str]:
    """The functions `take_piles` and `give_piles`, if piles are hidden."""
    take, give, sight = "", "", sight_of(game)
    for number, fact in enumerate(sight.hidden_piles, 1):
        kind, missing = ("queue", "") if fact.is_queue else ("mask", f", missing, SEATS * {number} + place")
        each = f"    for place in range({1 if fact.in_middle else 'table.players'}):\n        "
        cards, is_seen = f"table.{fact.field}, place", sight.condition(fact.field, "place")
        take += f"{each}take_{kind}({cards}, -1 if {is_seen} else known, counts{missing})\n"
        give += f"{each}dealt = give_{kind}({cards}{missing}, pool, dealt)\n"
    if take:
        yield f'def take_piles(table, seat, known, counts, missing):\n    """Take cards out of hidden piles."""\n{take}'
        yield f'def give_piles(table, missing, pool, dealt):\n    """Deal cards into them."""\n{give}    return dealt'


def _hand_functions(game: Declaration) -> Iterator[str]:
    """The functions `give` and `take`, by which a seat has a card more and one less; two alike are in two fields."""
    fields = hand_fields(game)
    for head, doc, listed, change in (
        ("give", "Give a seat the card of a bit.", fields, "|= bit\n    bit = there"),
        ("take", "Take the card of a bit from a seat that has it.", fields[::-1], "^= there\n    bit ^= there"),
    ):
        body = "\n".join(f"    there = table.{hand}[other] & bit\n    table.{hand}[other] {change}" for hand in listed)
        yield f'def {head}(table, other, bit):\n    """{doc}"""\n{body}'


# ---------------------------------------------------------------- the game again


def _alike_source(game: Declaration) -> str:
    """The constant `ALIKE`: the codes, as masks, of the cards of each name; and the function `alike_of`, which adds to
    some cards those of the same names. Nothing where each card has a name of its own.
    """
    if not names_repeat(game):
        return ""
    kinds = kinds_by_code(game)
    masks = (sum(1 << code for code in deck_counts(game) if kinds[code] == kind) for kind in range(max(kinds) + 1))
    return f'''ALIKE = np.array({tuple(masks)}, np.int64)


def alike_of(cards):
    """All cards with the names of some."""
    found = 0
    while cards != 0:
        found |= ALIKE[KIND[(cards & -cards).bit_length() - 1]]
        cards &= cards - 1
    return found'''


def _replay_source(searching: AgentPlan) -> str:
    """The function `replay`, which plays a world by the moves that were made."""
    plan = replace(searching.kernel, leave=DIVERGED, notes_dice=False)
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


def _replaying(plan: KernelPlan, phase: Phase, number: int) -> Iterator[str]:
    """The statements of a phase: forced events, then the move that was made."""
    if phase is plan.game.final:
        yield DIVERGED
        return
    yield forced_source(plan, phase)
    if not (offers := plan.game.control[phase].offers):
        return
    comparing = _comparing(plan, phase)
    for index, offer in enumerate(offers):
        if offer.seen_as is not None:  # another seat does what `seat` does not see, where it has done nothing else
            lines = [f"offer, code, value = {index}, -1, -1", comparing, chosen_source(plan, phase, offer)]
            yield f"seen = at < len(moves) and moves[at, 0] == {number} and moves[at, 1] == table.player"
            yield "if table.player != seat and not seen:\n" + indent("\n".join([*lines, "continue"]), "    ")
    yield f"""if at == len(moves):
    {DIVERGED}
if moves[at, 0] != {number} or moves[at, 1] != table.player or moves[at, {HEAD}] != table.head:
    {DIVERGED}
offer, code, value = moves[at, {OFFER}], moves[at, 3], moves[at, 4]"""
    if plan.game.reveals:  # hands may have moved
        yield from _checking_hand(plan)
    yield comparing
    yield numbered(
        "offer",
        (
            (offer.trigger, [*_checking(plan, phase, offer), "at += 1", chosen_source(plan, phase, offer)])
            for offer in offers
        ),
    )


def _checking_hand(plan: KernelPlan) -> Iterator[str]:
    """Statements that count the cards of the seat that it does not have, after it was given a hand, as moves that are
    not legal; the last row of the moves does nothing else.
    """
    fields = enumerate(hand_fields(plan.game), MASKS)
    wrong = " + ".join(f"(table.{field}[seat] & ~moves[at, {column}]).bit_count()" for column, field in fields)
    yield f"strange = {wrong} if moves[at, {SHOWN}] == 1 else 0"
    yield "if strange > 0:\n    wrong += strange\n    first = min(first, at)"
    yield f"if offer < 0:\n    at += 1\n    {DIVERGED}"


def _comparing(plan: KernelPlan, phase: Phase) -> str:
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
    counted = f"if {differs}:\n    differing += 1\n{indent(UNLIKELY, '    ')}"
    body = f"{keep}\n{policy_source(plan, phase, plan.policies[0])}\n{counted}\n{restore}"
    return f"if table.player != seat:\n{indent(body, '    ')}"


def _checking(plan: KernelPlan, phase: Phase, offer: Offer) -> Iterator[str]:
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
    if others and names_repeat(plan.game):
        others = f"alike_of({others})"
    yield f"if not legal:\n    wrong += 1\n{indent(UNLIKELY, '    ')}\n    if at < first:"
    yield f"        first, blamed = at, {others or -1}"


def _lacking(held: str, sought: str) -> str:
    """Statements that end where a hand has none of some cards."""
    return f"if {held} == 0:\n    if at < first:\n        blamed = ~({sought})\n    {DIVERGED}"


def _checking_card(plan: KernelPlan, offer: Offer) -> Iterator[str]:
    """Statements that find out whether the card may be named, and put it on the table: of several with its name, one
    that may, for which of them was dealt to whom is not known.
    """
    assert offer.cards
    cards, hand = f"{mention(offer.cards)}(table)", f"table.{hand_fields(plan.game)[0]}[table.player]"
    if not names_repeat(plan.game):
        if offer.from_hand:
            yield _lacking(f"{hand} >> code & 1", "1 << code")
        yield f"legal = {cards} >> code & 1 == 1"
    else:
        yield f"alike = {hand if offer.from_hand else '1 << code'} & ALIKE[KIND[code]]"
        yield _lacking("alike", "ALIKE[KIND[code]]")
        yield f"offered = {cards} & ALIKE[KIND[code]]"
        yield "legal = offered != 0\nif legal:\n    alike = offered\ncode = (alike & -alike).bit_length() - 1"
    yield "table.card = code"
