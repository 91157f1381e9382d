"""The declaration of UNO."""

from __future__ import annotations

from fsm.declaration.arcs import Call
from fsm.declaration.codec import Codec
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.scoring import Scoring
from fsm.games.uno.arcs import ARCS, CONTROL, DISJOINT, UnoPhase
from fsm.games.uno.look import LOOK
from fsm.games.uno.players import POLICIES
from fsm.games.uno.properties import INVARIANTS, POSTCONDITIONS, SMALL_DECKS
from rules.match import winner_takes
from rules.table import dealt_in_rows, held_with_twins, receive_twin
from rules.uno.cards import DECK_SIZE, UNO_CARDS
from rules.uno.game import (
    FEWEST_PLAYERS,
    MAX_PLAYERS,
    ProblemUnoTable,
    calls,
    cards_each,
    deal,
    deal_each,
    expose_no_wild,
    fill,
    score,
)

__all__ = ["UNO", "UnoPhase"]

FACTS = (
    Fact("reversed"),
    Fact("due"),
    Fact("colour", kind="suit"),
    Fact("wilds", kind="counts"),
    Fact("calls", "uno_calls", "counts"),
)

UNO = Declaration(
    title="UNO",
    table=ProblemUnoTable,
    codec=Codec(
        notation=UNO_CARDS,
        players=range(FEWEST_PLAYERS, MAX_PLAYERS + 1),
        cards_each=cards_each,
        facts=FACTS,
        dealt_to=dealt_in_rows,
        receive=receive_twin,
        held=held_with_twins,
    ),
    deck_size=DECK_SIZE,
    fill=fill,
    amend=expose_no_wild,
    deal=deal,
    score=score,
    control=CONTROL,
    arcs=ARCS,
    policies=POLICIES,
    calls=(Call(calls, 'calls "Uno"'),),
    look=LOOK,
    scoring=Scoring(winner_takes(score), target=500, lowest_wins=False),
    disjoint=DISJOINT,
    deal_each=deal_each,
    invariants=INVARIANTS,
    postconditions=POSTCONDITIONS,
    small_decks=SMALL_DECKS,
)
