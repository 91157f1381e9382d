"""The policies that every game has: a random player, a player who takes the first legal move, and Python functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fsm.arcs import Policy

RANDOM = Policy("random")
"""Each legal move, with each value that it may name, is equally likely; dice come from rules.chance."""
FIRST_LEGAL = Policy("first-legal")
"""The first legal move, in the order of the offers, card codes and value codes."""


@dataclass(frozen=True, eq=False)
class FunctionPolicy(Policy):
    """A Python function that chooses a move: it is given a `View`, what the player in turn sees, and returns a `Move`.

    It plays stepped games only. decide: the function.
    """

    decide: Callable[[Any], Any] = lambda view: view.moves[0]


_admitted: dict[str, FunctionPolicy] = {}


def admit_policy(name: str, decide: Callable[[Any], Any]) -> FunctionPolicy:
    """Let a function be named as a policy of every game, for this process.

    The policies of a declaration come first: a name that one of them has keeps its meaning in that game.
    """
    policy = _admitted[name] = FunctionPolicy(name, decide=decide)
    return policy


def admitted_policy(name: str) -> FunctionPolicy | None:
    """The function that was admitted under a name, if one was."""
    return _admitted.get(name)


PolicyLike = str | Policy | Callable[[Any], Any] | None
Policies = PolicyLike | Sequence[PolicyLike]
"""One policy for all seats or one for each: a name or a function of a view that returns a move. None: the default."""
