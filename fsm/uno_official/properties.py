"""The invariants and postconditions of official UNO, and the small decks with which they are checked."""

from __future__ import annotations

from fsm.arcs import Invariant, Postcondition, SmallDeck

INVARIANTS: tuple[Invariant, ...] = ()
POSTCONDITIONS: tuple[Postcondition, ...] = ()
SMALL_DECKS = (SmallDeck("Y1 RS YR YD WC WF", 2, 2),)
