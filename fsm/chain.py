"""Chains: runs of events that a study counts by length."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.arcs import Guards, Phase


@dataclass(frozen=True)
class Chain:
    """Cards that are laid several times in a row, each in answer to the one before, until a player does not answer.

    things: what they are, in the plural. phase: in which a chain goes on; an arc that leaves it ends the chain.
    lengths: guards of which the first holds in that phase while the chain is one long, the second while it is two
    long, and so on. answer: the event that lengthens the chain by one, even if it also ends it.
    """

    things: str
    phase: Phase
    lengths: Guards
    answer: str
