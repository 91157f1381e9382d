"""A search by a tree: the memory of trees, and the source that the program of a tree needs beside that of a search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from math import log, sqrt
from textwrap import indent

from fsm.declaration.arcs import Offer, Phase
from fsm.declaration.facts import NO_VALUE, ValueKind, default_values
from fsm.edge.numbers import Array, np
from fsm.table.sight import RING, Relation, sight_of
from maumau.agents.actions import hand_fields
from maumau.agents.batch_source import by_action, most_values, named_source
from maumau.agents.compiled.tree import COUNT, FIRST, GAINED, ROOT, TRIED
from maumau.agents.compiled.worlds import TreeArrays
from maumau.agents.layout import deciding
from maumau.agents.plan import AgentPlan
from maumau.kernels.compiler.phases import chosen_source, forced_source, policy_source
from maumau.kernels.compiler.program import cases, numbered, numbers

WALKS = 4
"""Games of a world for which there is room on average."""
EDGES_EACH = 16
"""Edges of a node for which there is room in the mean."""


class SearchTree:
    """The memory of a tree in which so many worlds have room, to be used for one decision after another.

    workspace: what the program works on.
    """

    def __init__(self, worlds: int, actions: int) -> None:
        games = worlds * min(actions, WALKS)
        self.actions = actions
        self.workspace = TreeArrays(
            marks=numbers(4 << games.bit_length()),
            nodes=numbers((games + 2, 4)),
            edges=numbers((actions + 2 + games * min(actions, EDGES_EACH), 3)),
            scale=np.zeros(3),
            curve=_curve(games + 2),
        )
        self.clear()

    def clear(self) -> None:
        """Forget all nodes."""
        tree = self.workspace
        tree.marks[:], tree.edges[0], tree.scale[:], tree.nodes[ROOT] = 0, 0, 0, 0

    def root(self) -> tuple[Array, Array]:
        """Return how many games took each action at the root, and what they gained together; shape (actions,)."""
        nodes, edges = self.workspace.nodes, self.workspace.edges
        first = int(nodes[ROOT, FIRST])
        rows = edges[first : first + int(nodes[ROOT, COUNT])]
        tried, gained = numbers(self.actions), numbers(self.actions)
        tried[rows[:, 0]], gained[rows[:, 0]] = rows[:, TRIED], rows[:, GAINED]
        return tried, gained


class Trees:
    """Trees for searches in several threads. worlds, actions: as of each tree."""

    def __init__(self, worlds: int, actions: int) -> None:
        self._make, self._free = partial(SearchTree, worlds, actions), list[SearchTree]()

    @contextmanager
    def one(self) -> Iterator[SearchTree]:
        """Lend a tree without nodes to one decision."""
        try:
            tree = self._free.pop()
            tree.clear()
        except IndexError:  # other threads use all
            tree = self._make()
        yield tree
        self._free.append(tree)


@cache
def _curve(games: int) -> Array:
    """Return what confidence bounds need, by a number of games: a row of each of LOGARITHM and ROOTS."""
    found = np.zeros((2, games))
    found[0] = [sqrt(log(number + 1)) for number in range(games)]
    found[1] = [sqrt(1 / max(number, 1)) for number in range(games)]
    return found


# ---------------------------------------------------------------- source


def tree_functions(plan: AgentPlan) -> Iterator[str]:
    """The functions that a tree needs: how a game goes on to the next decision, and what the seat sees there."""
    yield _seen_key_source(plan)
    if not plan.by_net:
        yield _advance_source(plan)
        yield _own_action_source(plan)


def _advance_source(plan: AgentPlan) -> str:
    """The function `advance`."""
    blocks = numbered("phase", ((phase, _advancing(plan, phase)) for phase in plan.game.phases))
    return f'''def advance(table, phase, action, seat, left):
    """Fire an action of `seat`, and go on to its next decision, the end, or for so many choices of others."""
    while True:
{indent(blocks, " " * 8)}'''


def _advancing(plan: AgentPlan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: forced events, then the choice of the player and the arcs of what is chosen."""
    if phase is plan.game.final:
        yield "return phase"
        return
    yield forced_source(plan.kernel, phase)
    if offers := plan.game.control[phase].offers:
        named = by_action(plan, offers, lambda offer: [f"event = {offers.index(offer)}", *named_source(plan, offer)])
        own = f"if action < 0:\n    return phase\n{named}\naction = -1"
        others = f"if left == 0:\n    return phase\nleft -= 1\n{policy_source(plan.kernel, phase, plan.policies[0])}"
        yield f"if table.player == seat:\n{indent(own, '    ')}\nelse:\n{indent(others, '    ')}"
        yield numbered("event", ((offer.trigger, [chosen_source(plan.kernel, phase, offer)]) for offer in offers))


def _own_action_source(plan: AgentPlan) -> str:
    """The function `own_action`."""
    blocks = cases(
        (f"phase == {plan.game.phase_numbers[phase]}", phase, _choosing(plan, phase)) for phase in deciding(plan.game)
    )
    return f'''def own_action(table, phase):
    """The action that the policy of the seat that searches chooses, or -1."""
    action = -1
{indent(blocks, "    ")}
    return action'''


def _choosing(plan: AgentPlan, phase: Phase) -> Iterator[str]:
    """Statements that find the number of what the policy chooses in a phase; the table stays as it is."""
    offers = plan.game.control[phase].offers
    names = dict.fromkeys(["card", *(str(plan.game.value_kind(offer.trigger)) for offer in offers)])
    yield from (f"kept_{name} = table.{name}" for name in names)
    yield policy_source(plan.kernel, phase, plan.policies[-1])
    yield numbered("event", ((offer.trigger, [f"action = {_number(plan, offer)}"]) for offer in offers))
    yield from (f"table.{name} = kept_{name}" for name in names)


def _number(plan: AgentPlan, offer: Offer) -> str:
    """The number of the action that stands on the table."""
    row = most_values(plan.game, offer.trigger) + 1
    card = f"(table.card + 1) * {row} + " if offer.cards else ""
    kind = plan.game.value_kind(offer.trigger)
    value = f"table.{kind}" if offer.values else str(NO_VALUE)
    if kind is ValueKind.SEAT and offer.values:
        value = f"((table.{kind} - table.player + {plan.players}) % {plan.players} if table.{kind} >= 0 else -1)"
    return f"NUMBERS_{offer.trigger}[{card}1 + {value}]"


def _seen_key_source(plan: AgentPlan) -> str:
    """The function `seen_key`."""
    lines = "\n".join(_seen(plan))
    return f'''def seen_key(table, seat, key):
    """Mix into a key what `seat`, which acts, sees of the table."""
{indent(lines, "    ")}
    return key'''


def _seen(plan: AgentPlan) -> Iterator[str]:
    """Statements that mix the fields which a seat sees: of hidden hands and piles how many cards they have."""
    game, sight = plan.game, sight_of(plan.game)
    facts = {fact.field for fact in game.codec.facts}
    named = {"card", *map(str, game.value_kinds.values())} - facts
    sized = {*hand_fields(game), *(fact.field for fact in game.piles if not fact.is_queue)}
    for field, value in default_values(game.table).items():
        if field in named or field == RING:
            continue
        if isinstance(value, int):
            if sight.sees(field, Relation.SELF):
                yield f"key = mix(key, table.{field})"
            continue
        for place in range(min(len(value), plan.players) if field in hand_fields(game) else len(value)):
            condition = sight.condition(field, str(place))
            whole, size = f"table.{field}[{place}]", f"table.{field}[{place}].bit_count()" if field in sized else "0"
            if condition == "True":
                yield f"key = mix(key, {whole})"
            elif condition == "False" or field in sight.determined:
                yield f"key = mix(key, {size})" if field in sized else ""
            else:
                yield f"key = mix(key, {whole} if {condition} else {size})"
