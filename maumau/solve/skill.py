"""How much of a game is skill: the relative skill of Borm and van der Genugten, of games with hidden hands.

P. Borm, B. van der Genugten: On a relative measure of skill for games with chance elements, TOP 9 (2001), 91-114, for
two players as in M. Dreef, P. Borm, B. van der Genugten: Measuring skill in games, Mathematical Methods of Operations
Research 59 (2004), 375-391. Three players take turns in both seats, each against an opponent who knows whom it plays
against: a beginner, a perfect player, and a fictive one who is told beforehand how all chance moves turn out.
"""

from __future__ import annotations

from maumau.kernels.compiler.machine_code import Notify
from maumau.solve.hands import MEMORY, Ticker
from maumau.solve.hidden import GAP, HiddenHands, Tree, equilibrium_of
from maumau.solve.state import State


def random_effect(solved: HiddenHands, gap: float = GAP, memory: int = MEMORY, notify: Notify | None = None) -> float:
    """What a player gains a game, in the mean of both seats, by being told the deal beforehand.

    gap: how far the bounds of either value are apart at most. memory: bytes. notify: called with a line now and then.
    Raises TooLarge.
    """
    known = solved.tree
    gains = []
    for seat in range(2):
        fictive = Tree(known.positions, known.deals, known.turns, informed=seat)
        fictive.grow(memory, notify)
        gains.append(equilibrium_of(fictive, solved.worth, gap, Ticker(notify), State()).value)
    return (gains[0] - gains[1]) / 2


def relative_skill(learning: float, random: float) -> float:
    """The part of skill, from 0 to 1. learning: what a beginner loses, its exploitability; random: the random effect.

    A game in which nothing depends on either is one of chance.
    """
    return learning / (learning + random) if learning > 0 else 0.0
