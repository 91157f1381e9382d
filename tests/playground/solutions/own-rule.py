from maumau import AddDeck, Arcs, Means, SmallDeck, SplitArcs, Variant, effect, guard, query
from rules.cards import ACE, rank_of
from rules.maumau.invariants import next_in_turn
from rules.maumau.turn import end_turn, lay_card


@guard("{card} is no ace")
def ace(table):
    return rank_of(table.card) == ACE


@effect
def play_again(table):
    end_turn(table)


@query
def next_but_after_ace(before, after):
    if after.tail == before.tail or rank_of(after.open_card) != ACE:
        return next_in_turn(before, after)
    return after.player == before.player and after.turns == before.turns + 1


AN_ACE = "An ace: the same player has another turn."
ACES = Variant(
    "ace-again",
    "After an ace you play again.",
    (
        SplitArcs(Arcs("play", dest="await-play"), ace, AN_ACE, before=(lay_card, play_again)),
        Means(next_in_turn, next_but_after_ace),
        AddDeck(SmallDeck("DA HA DQ HJ HE", players=2, each=1)),
    ),
)
