"""Best responses to a policy that makes one move in each information set, without the equilibrium.

Where a seat makes its moves alone the tree is far smaller, so that larger decks fit: each seat follows the policy in a
tree of its own, and both do in a third one. What the policy gets bounds the value of the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Policy
from fsm.edge.numbers import Array, Notify, np
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.solve.compiled import tree
from maumau.solve.dealt import check_count, deals_of
from maumau.solve.hands import MEMORY, check_given, check_solvable, grow, judged
from maumau.solve.hidden import ALL_KNOWN, HistoryTree, JudgedPolicy, check_size
from maumau.solve.positions import Positions

PART = 1 << 22
"""Ends whose gains are added at a time."""


@dataclass(frozen=True)
class Responses:
    """How much a policy loses against best responses.

    judged: what it gets. information_sets: how many each seat has that answers. deals: those of the deck.
    """

    judged: JudgedPolicy
    information_sets: list[int]
    deals: int


def respond_to(kind: type[Game], policy: str | Policy, memory: int = MEMORY, notify: Notify | None = None) -> Responses:
    """Return how much a policy loses against best responses, with hidden hands.

    kind: a game class with its deck. policy: one with decision rules, or `first-legal`. memory: bytes. notify: called
    with a line now and then. Raises ValueError, TooLarge; MissingExtra.
    """
    kind = game_class(kind)
    check_given([], memory, None, notify)
    check_solvable(kind, 2)
    (chosen,) = judged(kind, 2, [policy], by_chance=True)
    if not (chosen.choices or chosen.takes_first):
        raise ValueError(f"policy {chosen.name} rolls dice or is computed; use one with decision rules")
    check_count(kind, 2)
    check_size(Positions(kind, 2, [chosen], fixed=1), 0, memory, notify)
    deals, found, sets = deals_of(kind, 2), [], []
    for fixed in (1, 2, 3):
        positions = Positions(kind, 2, [chosen], fixed=fixed)
        unfolded = HistoryTree(positions, deals, 0)
        unfolded.grow(memory, notify)
        grow(positions, memory, notify, ALL_KNOWN)
        for infos in unfolded.seats:
            if chosen.choices:
                unfolded.choices(chosen, infos)
        seat = 0 if fixed == 2 else 1
        infos, gains = unfolded.seats[seat], _gains(unfolded, seat)
        found.append((1 - 2 * seat) * (float(gains.sum()) if fixed == 3 else infos.best(gains)[0]))
        sets.append(len(infos.parents))
    first_worst, second_worst, both = found
    return Responses(JudgedPolicy(first_worst, second_worst, both), sets[1::-1], len(deals))


def _gains(unfolded: HistoryTree, seat: int) -> Array:
    """What a seat gains by each of its last sequences."""
    worth = unfolded.positions.values(lengths=False)
    gains: Array = np.zeros(unfolded.seats[seat].sequences)
    for begin in range(0, int(unfolded.state[tree.ENDS]), PART):
        ends = unfolded.ends[begin : min(begin + PART, unfolded.state[tree.ENDS])]
        values = worth.of(ends[:, 1] >> tree.BITS) * (ends[:, 1] & (1 << tree.BITS) - 1)
        gains += np.bincount(ends[:, 0] >> 32 * (1 - seat) & 0xFFFFFFFF, values, len(gains))
    gains *= (1 - 2 * seat) / unfolded.deals.weights.sum()
    return gains
