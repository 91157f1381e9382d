"""The declaration of Mau-Mau."""

from __future__ import annotations

from fsm.declaration.chain import Chain
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.games.maumau.arcs import ARCS, CONTROL, DISJOINT, PENALTY_PENDING, MauMauPhase
from fsm.games.maumau.look import LOOK
from fsm.games.maumau.players import POLICIES
from fsm.games.maumau.properties import INVARIANTS, OVER_TIME, POSTCONDITIONS, SMALL_DECKS
from rules.cards import FRENCH
from rules.maumau.game import (
    FEWEST_PLAYERS,
    MAX_PLAYERS,
    MauMauTable,
    cards_each,
    deal,
    fill,
    four_sevens,
    one_seven,
    score,
    three_sevens,
    two_sevens,
)
from rules.table import deal_in_turn

__all__ = ["MAUMAU", "MauMauPhase"]

FACTS = (
    Fact("due"),
    Fact("penalty", "punished"),
    Fact("drawn", kind="card"),
    Fact("suit", "bound_suit", "suit"),
)

SEVENS = Chain("sevens", PENALTY_PENDING, (one_seven, two_sevens, three_sevens, four_sevens), answer="play")

MAUMAU = Declaration(
    title="Mau-Mau",
    name="maumau",
    table=MauMauTable,
    deck=FRENCH,
    players=range(FEWEST_PLAYERS, MAX_PLAYERS + 1),
    cards_each=cards_each,
    facts=FACTS,
    fill=fill,
    deal=deal,
    score=score,
    control=CONTROL,
    arcs=ARCS,
    policies=POLICIES,
    disjoint=DISJOINT,
    deal_each=deal_in_turn,
    look=LOOK,
    chain=SEVENS,
    invariants=INVARIANTS,
    postconditions=POSTCONDITIONS,
    over_time=OVER_TIME,
    small_decks=SMALL_DECKS,
)
