"""The declaration of mahjong at the table."""

from fsm.declaration.codec import Codec
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, Melds
from fsm.declaration.scoring import Scoring
from fsm.games.mahjong.arcs import ARCS, CONTROL, DISJOINT, MahjongPhase
from fsm.games.mahjong.look import LOOK
from fsm.games.mahjong.players import POLICIES
from fsm.games.mahjong.properties import INVARIANTS, POSTCONDITIONS, SMALL_DECKS
from rules.mahjong.game import (
    BITS,
    DECK_SIZE,
    FEWEST_PLAYERS,
    HAND_SIZES,
    MAX_PLAYERS,
    MELD_NAMES,
    MahjongTable,
    deal,
    laid_out,
    lay_out,
    tiles_each,
)
from rules.mahjong.tiles import TILES
from rules.mahjong.winning import score
from rules.table import deal_copies_in_turn_unopened, held_with_copies, receive_copy

__all__ = ["MAHJONG", "MahjongPhase"]

TARGET = 10
"""The points with which a match is over."""
FACTS = (
    Fact("turn", kind="seat"),
    Fact("score"),
    Fact("payer", kind="seat"),
)

MAHJONG = Declaration(
    title="Mahjong",
    table=MahjongTable,
    codec=Codec(
        notation=TILES,
        players=range(FEWEST_PLAYERS, MAX_PLAYERS + 1),
        cards_each=tiles_each,
        facts=FACTS,
        receive=receive_copy,
        held=held_with_copies,
        melds=Melds(laid_out, lay_out, field="melds", bits=BITS, names=MELD_NAMES),
        hand_sizes=HAND_SIZES,
    ),
    deck_size=DECK_SIZE,
    deal=deal,
    deal_each=deal_copies_in_turn_unopened,
    score=score,
    control=CONTROL,
    arcs=ARCS,
    policies=POLICIES,
    look=LOOK,
    returns=score,
    zero_sum=True,
    scoring=Scoring(target=TARGET, lowest_wins=False),
    disjoint=DISJOINT,
    invariants=INVARIANTS,
    postconditions=POSTCONDITIONS,
    small_decks=SMALL_DECKS,
)
