"""From a declaration to the source of what depends on the game in the programs that solve it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Arc, Control, Offer, Phase, Policy
from fsm.declaration.decks import full_deck
from fsm.declaration.declaration import Declaration, functions
from fsm.declaration.dice import rolls_dice
from fsm.declaration.facts import Fact, list_fields
from fsm.edge.numbers import np
from fsm.table.layout import IN_TURN, layout_of
from fsm.table.sight import DISCARDS, RING, Relation, Sight, sight_of
from maumau.kernels.compiled.explore import write, write_values
from maumau.kernels.compiled.rows import PACKING
from maumau.kernels.compiler.phases import chosen_source, each_move, forced_source, policy_source
from maumau.kernels.compiler.program import (
    KernelPlan,
    KernelSource,
    Program,
    cases,
    mention,
    module_source,
    numbered,
    numbers,
    of_any_game,
)
from maumau.kernels.compiler.source import Constants, constants_source
from maumau.solve.compiled.graph import MOST_GAINED, NOWHERE, RETURNED, grow
from maumau.solve.compiled.strategies import expect
from maumau.solve.compiled.tree import mix, unfold
from rules.queues import QUEUE_BYTES

CALLED = *PACKING, write, write_values
"""Compiled functions that the source that is written for a game calls."""


@dataclass(frozen=True)
class SolvePlan(KernelPlan):
    """What a program that solves a game is generated for: `policies` are those that have decision rules.

    hidden: whether seats are told what they see of each event.
    """

    hidden: bool = False

    def noted(self, arc: Arc) -> tuple[str, ...]:
        """The statements that tell the seats of an event."""
        return told(self, arc) if self.hidden else ()

    def leaves(self, phase: str | int) -> str:
        """The statement with which a function that steps a table ends."""
        return f"return {phase}"


def growing(game: Declaration, policies: tuple[Policy, ...]) -> Program:
    """`grow`, which adds positions to a graph until all are known or the memory is full."""
    return Program("grow", graph_source, SolvePlan(game, policies), _no_graph, game, large=True)


def graph_source(plan: SolvePlan) -> KernelSource:
    """The source of a module with `grow`."""
    title = f"{plan.game.title} as a graph of positions: generated from its declaration."
    parts = [constants_source(constants_of(plan)), *stepping_functions(plan)]
    return module_source(title, parts, functions(plan.game), (grow, *CALLED))


def unfolding(game: Declaration, policies: tuple[Policy, ...]) -> Program:
    """`unfold`, which visits the tree of a game with hidden cards."""
    return Program("unfold", tree_source, SolvePlan(game, policies, hidden=True), _no_tree, game, large=True)


def tree_source(plan: SolvePlan) -> KernelSource:
    """The source of a module with `unfold`."""
    title = f"{plan.game.title} as a tree of what its players see: generated from its declaration."
    constants = constants_of(plan) | telling_constants(plan)
    parts = [constants_source(constants), *stepping_functions(plan), look_source(plan), TELL]
    return module_source(title, parts, functions(plan.game), (unfold, mix, *CALLED))


def _no_tree(plan: SolvePlan) -> tuple[Any, ...]:
    rows, column, slots = numbers((0, 4)), numbers(8), np.zeros(8, np.uint32)
    tree = rows, column, 0, 0, 0, 0, rows, rows, slots, rows, rows, rows, 0, 0, rows, column, column
    return (*tree, rows, slots, np.zeros((8, 1), np.int32), rows, column, column, column)


def _no_graph(plan: SolvePlan) -> tuple[Any, ...]:
    rows, column, links, slots = numbers((0, 4)), numbers(8), np.zeros(8, np.int32), np.zeros(8, np.uint32)
    chosen, movers = np.zeros((8, 1), np.uint8), np.zeros((8, 1), np.int32)
    table = rows, slots, movers, rows, column, column
    return rows, 0, 0, column, *table, column, links, 0, chosen, rows, column, 0, 0, column


def _no_chance() -> tuple[Any, ...]:
    column, links = numbers(8), np.zeros(8, np.int32)
    worth, length = np.zeros(8), np.zeros(8, np.int32)
    return column, links, links, column, column, np.zeros((1, 8)), worth, worth, length, 1, np.zeros(1)


EXPECT = of_any_game(expect, _no_chance)
"""`expect`, which is the same for all games."""


def constants_of(plan: SolvePlan) -> Constants:
    """What the compiled functions read of a game."""
    game = plan.game
    assert game.deal_each is not None
    return {
        "FINAL": game.phase_numbers[game.final],
        "INITIAL": game.phase_numbers[game.initial],
        "TURN_STARTS": tuple(int(game.control_of(phase).starts_turn) for phase in game.phases),
        "game_deal_each": game.deal_each,
    }


def stepping_functions(plan: SolvePlan) -> list[str]:
    """The functions that write down moves, choose by policies and fire arcs, and those that pack positions."""
    return [
        *layout_of(plan.game).row_functions(),
        ended_source(plan.game),
        settle_source(plan),
        offered_source(plan),
        act_source(plan),
        decide_source(plan),
    ]


def _by_phase(plan: SolvePlan, body: Callable[[Phase, Control], Iterable[str]]) -> str:
    """Statements for each phase but the last one, of the name `phase`."""
    numbered = [(number, phase, plan.game.control.get(phase)) for number, phase in enumerate(plan.game.phases)]
    blocks = ((f"phase == {number}", phase, body(phase, control)) for number, phase, control in numbered if control)
    return cases(blocks, certain=False)


def ended_source(game: Declaration) -> str:
    """The function `ended`, which gives the number of the end of a game (`maumau.solve.compiled.graph`)."""
    lines = "return -2 - table.winner if table.winner >= 0 else -1"
    if game.returns:
        kept = f"gain - {RETURNED} if -{MOST_GAINED} <= gain <= {MOST_GAINED} else {NOWHERE}"
        lines = f"gain = {mention(game.returns)}(table, 0)\n    return {kept}"
    return f'def ended(table):\n    """The number of the end of a game that is over."""\n    {lines}'


def settle_source(plan: SolvePlan) -> str:
    """The function `settle`, which fires what is forced."""

    def body(phase: Phase, control: Control) -> Iterator[str]:
        yield forced_source(plan, phase, "0")
        if control.offers:
            yield "return phase"

    blocks = _by_phase(plan, body)
    return f'''def settle(table, phase, told):
    """Fire what is forced; the phase in which a player chooses, the last one, or STUCK."""
    card = value = -1
    while phase != FINAL:
        actor = table.player
{indent(blocks, "        ")}
    return phase'''


def offered_source(plan: SolvePlan) -> str:
    """The function `offered`, which writes down the moves of the player who chooses."""

    def body(phase: Phase, control: Control) -> Iterator[str]:
        for number, offer in enumerate(control.offers):
            yield from each_move(plan.game, phase, offer, partial(written, number, offer))

    def written(number: int, offer: Offer, values: str) -> str:
        event = f"events, count, {number}, {'table.card' if offer.cards else -1}"
        alone = f"count = write({event}, -1, 0)"
        if not values:
            return alone
        return f"if {values} == 0:\n    {alone}\n" * bool(offer.cards) + f"count = write_values({event}, {values})"

    return f'''def offered(table, phase, events):
    """Write down the moves of the player who chooses; how many."""
    count = 0
    card = table.card
{indent(_by_phase(plan, body), "    ")}
    return count'''


def act_source(plan: SolvePlan) -> str:
    """The function `act`, which fires what a player chooses."""

    def body(phase: Phase, control: Control) -> Iterator[str]:
        blocks = []
        for offer in control.offers:
            lines = ["table.card = card"] * (offer.cards is not None)
            lines += [f"table.{plan.game.value_kind(offer.trigger)} = value"] * (offer.named is not None)
            blocks.append((offer.trigger, [*lines, chosen_source(plan, phase, offer)]))
        yield numbered("event", blocks, certain=False)

    return f'''def act(table, phase, event, card, value, told):
    """Fire what a player chooses; the next phase, or STUCK."""
    actor = table.player
{indent(_by_phase(plan, body), "    ")}
    return phase'''


def decide_source(plan: SolvePlan) -> str:
    """The function `decide`, which finds the move of a policy."""

    def body(phase: Phase, control: Control) -> Iterator[str]:
        policies = plan.policies if control.offers else ()
        blocks = ((policy.name, [policy_source(plan, phase, policy)]) for policy in policies)
        yield numbered("policy", blocks, certain=False)
        for number, offer in enumerate(control.offers):
            if offer.named:
                card = "table.card" if offer.cards is not None else "-1"
                yield f"if event == {number}:\n    card, value = {card}, table.{plan.game.value_kind(offer.trigger)}"

    chosen = _by_phase(plan, body) if plan.policies else ""
    return f'''def decide(table, phase, policy, events, count):
    """Which of `count` moves a policy chooses; -1 for none of them. It leaves what it names on the table."""
    event = -2
    card = value = -1
{indent(chosen, "    ")}
    for number in range(count):
        if events[number, 0] == event and events[number, 1] == card:
            if events[number, 2] == value or events[number, 2] < 0:
                return number
    return -1'''


# ---------------------------------------------------------------- what a seat is told of an event

# By the declared visibility: what its view shows (`fsm.stepping.view`).


TELL = '''def tell(table, phase, actor, own, other, card, value, card_seen, value_seen, told):
    """Tell both seats of an event of the seat `actor` that has led to `phase`.

    own, other: the number of the event for who has acted, and for others, 0 if they see nothing.
    """
    for seat in range(2):
        if seat == actor:
            mix(told, seat, own)
            mix(told, seat, card + 1 << 8 | value + 1)
            look(table, phase, seat, told)
        elif other != 0:
            mix(told, seat, other)
            mix(told, seat, (card + 1 << 8) * card_seen | (value + 1) * value_seen)
            look(table, phase, seat, told)'''


MOST_COPIES = 4
"""A card may be in the deck as often."""


def hands_of(game: Declaration) -> tuple[str, ...]:
    """The fields that hold the hands, also those for further copies of a card, which a small deck may not have."""
    table, (code, *_) = game.table(), full_deck(game)
    table.players = game.codec.fewest
    for _ in range(MOST_COPIES):
        game.codec.receive(table, 0, code)
    return tuple(name for name in list_fields(game.table) if any(getattr(table, name)))


def follows(game: Declaration) -> bool:
    """Whether who remembers all that was seen knows all cards once the first draw pile is used up.

    All discards are seen, nothing is hidden but hands and the draw pile, nothing is shuffled, and no card is laid face
    down.
    """
    sight, hands = sight_of(game), hands_of(game)
    fields = [*(fact.field for fact in (*layout_of(game).facts, *layout_of(game).queues)), *layout_of(game).lists]
    hidden = [field for field in fields if sight.is_hidden(field) and field not in sight.determined]
    by_seat = fields[len(layout_of(game).facts) :]
    owned = [field for field in by_seat if sight.sees(field, Relation.SELF) and not sight.is_open(field)]
    owned = [field for field in owned if field not in hands]
    shuffles = any(rolls_dice(arc) for arc in game.arcs)
    seen_piles = sight.is_open(DISCARDS) and sight.is_open("card")
    return seen_piles and not (hidden or owned or shuffles or game.face_down)


def telling_constants(plan: KernelPlan) -> Constants:
    """What the compiled functions that tell seats what they see read of a game."""
    game = plan.game
    seen = [game.phase_numbers[game.phase_seen(phase, acts=False)] for phase in game.phases]
    secret = [int(phase in game.asked_in_secret) for phase in game.phases]
    return {"FOLLOWS": follows(game), "PHASES_SEEN": tuple(seen), "SECRET": tuple(secret)}


def told(plan: KernelPlan, arc: Arc) -> tuple[str, ...]:
    """The statements after an event that tell both seats what they see of it."""
    game = plan.game
    triggers, sight, shown = list(game.triggers), sight_of(game), game.arc_seen(arc)
    other_seat = sight.relation(1, 0)  # of two seats
    own, other = triggers.index(arc.trigger) + 1, triggers.index(shown.trigger) + 1 if shown else 0
    down = arc.trigger in game.face_down
    card_seen = int(not down and sight.sees("card", other_seat))
    value_seen = int(not down and sight.sees(game.value_fields[arc.trigger], other_seat))
    dest = plan.game.phase_numbers[arc.dest]
    return (f"tell(table, {dest}, actor, {own}, {other}, card, value, {card_seen}, {value_seen}, told)",)


def look_source(plan: KernelPlan) -> str:
    """The function `look`, which adds what a seat sees of a position to what it was told."""
    return f'''def look(table, phase, seat, told):
    """Add what `seat` sees of a position to what it was told."""
    mix(told, seat, phase if table.player == seat else PHASES_SEEN[phase])
{indent(chr(10).join(_seen(plan.game)), "    ")}'''


def _seen(game: Declaration) -> Iterator[str]:
    sight = sight_of(game)
    for fact in layout_of(game).facts:
        yield from _fact(sight, fact)
    for fact in layout_of(game).queues:
        yield from _queue(fact, sight.condition(fact.field, "place"))
    hands, piles = hands_of(game), [fact.field for fact in game.piles]
    for name in layout_of(game).lists:
        is_seen = sight.sees(name, sight.relation(1, 0))  # by the other one of two seats
        counted = hands if name in hands else [name]  # of a hand all its cards: how many lie twice nobody sees
        sizes = " + ".join(f"table.{each}[other].bit_count()" for each in counted)
        others = f"table.{name}[other]" if is_seen else sizes
        if sight.sees(name, Relation.SELF):
            yield f"mix(told, seat, table.{name}[seat])"
        elif name in piles:
            yield f"mix(told, seat, table.{name}[seat].bit_count())"
        if is_seen or name in hands[:1] or name in piles:
            yield f"for other in range(table.players):\n    if other != seat:\n        mix(told, seat, {others})"
    yield "mix(told, seat, table.stock << 8 | table.tail - table.head)"
    if sight.is_open(DISCARDS):
        begin = "table.head" if sight.is_open(RING) else "table.head + table.stock"
        yield f"for place in range({begin}, table.tail):"
        yield "    mix(told, seat, table.ring[place & len(table.ring) - 1])"


def _queue(fact: Fact, seen: str) -> Iterator[str]:
    """Statements for queues: how many cards each has, and those that are seen. seen: whether those of a place are."""
    yield f"for place in range({1 if fact.in_middle else 'table.players'}):"
    yield f"    mix(told, seat, table.{fact.field}[place * {QUEUE_BYTES}])"
    yield f"    for depth in range(table.{fact.field}[place * {QUEUE_BYTES}] if {seen} else 0):"
    yield f"        mix(told, seat, table.{fact.field}[place * {QUEUE_BYTES} + 1 + depth])"


def _fact(sight: Sight, fact: Fact) -> Iterator[str]:
    """Statements for one fact. Everybody sees that nothing was drawn or named."""
    if fact.field == IN_TURN:
        yield "if table.player == seat or SECRET[phase] == 0:\n    mix(told, seat, table.player)"
    elif sight.is_open(fact.field):
        yield f"mix(told, seat, table.{fact.field})"
    elif not sight.is_hidden(fact.field):
        hidden = "-2" if fact.kind == "number" else f"min(table.{fact.field}, 0)"
        is_seen = sight.condition(fact.field, "table.player")
        yield f"mix(told, seat, table.{fact.field} if {is_seen} else {hidden})"
