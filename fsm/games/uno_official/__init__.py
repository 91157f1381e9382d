"""The declaration of official UNO."""

from __future__ import annotations

from fsm.declaration.arcs import Call
from fsm.declaration.codec import Codec
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.scoring import Scoring
from fsm.games.uno_official.arcs import ARCS, CONTROL, DISJOINT, UnoOfficialPhase
from fsm.games.uno_official.look import LOOK
from fsm.games.uno_official.players import POLICIES
from fsm.games.uno_official.properties import INVARIANTS, OVER_TIME, POSTCONDITIONS, SMALL_DECKS
from rules.match import winner_takes
from rules.table import dealt_in_rows, held_with_twins, receive_twin
from rules.uno.cards import DECK_SIZE, UNO_CARDS
from rules.uno.game import FEWEST_PLAYERS, MAX_PLAYERS, calls, cards_each, fill, score
from rules.uno_official.game import UnoOfficialTable, deal, deal_each

__all__ = ["UNO_OFFICIAL", "UnoOfficialPhase"]

FACTS = (
    Fact("turn", kind="seat"),
    Fact("dealer", kind="seat"),
    Fact("reversed"),
    Fact("colour", kind="suit"),
    Fact("colour_before", kind="suit"),
    Fact("guilty"),
    Fact("laid_by", kind="seat"),
    Fact("due"),
    Fact("why", words=("-", "own-draw", "caught", "victim", "guilt")),
    Fact("drawn", kind="card"),
    Fact("calls", "uno_calls", "counts", is_tally=True),
)

UNO_OFFICIAL = Declaration(
    title="Official UNO",
    name="uno-official",
    table=UnoOfficialTable,
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
    deal=deal,
    deal_each=deal_each,
    score=score,
    return_ends=True,
    scoring=Scoring(winner_takes(score), target=500, lowest_wins=False),
    control=CONTROL,
    arcs=ARCS,
    reveals={"challenge": "a player who draws after a challenge tells whether the wild draw four was laid by right"},
    policies=POLICIES,
    calls=(Call(calls, LOOK.events["call"]),),
    look=LOOK,
    disjoint=DISJOINT,
    invariants=INVARIANTS,
    postconditions=POSTCONDITIONS,
    over_time=OVER_TIME,
    small_decks=SMALL_DECKS,
)
