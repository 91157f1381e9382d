"""The policies that need no rules of their own: a random player and one who takes the first legal move."""

from __future__ import annotations

from fsm.arcs import Policy

RANDOM = Policy("random")
"""Each legal move, with each suit that it may name, is equally likely; dice come from rules.chance."""
FIRST_LEGAL = Policy("first-legal")
"""The first legal move, in the order of the offers, card codes and suit codes."""
