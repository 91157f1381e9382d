from maumau import AddDeck, Arcs, Means, SmallDeck, SplitArcs, Variant, effect, guard, query
from rules.cards import ACE, rank_of
from rules.maumau.invariants import next_in_turn
from rules.maumau.game import end_turn, lay_card


@guard("{card} is not an ace")
def ace(table):
    return rank_of(table.card) == ACE


ACES = Variant(
    "ace-again",
    "After an ace you play again.",
    (AddDeck(SmallDeck("DA HA DQ HJ HE", players=2, each=1)),),
)
