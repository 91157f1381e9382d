from maumau import AddDeck, Arcs, MauMauPhase, Means, SmallDeck, SplitArcs, Variant, guard, query
from rules.cards import TEN, rank_of
from rules.maumau.invariants import eight_is_open


@guard("{card} is not a ten")
def ten(table):
    return rank_of(table.card) == TEN


@query
def eight_or_ten_is_open(table):
    return eight_is_open(table) or rank_of(table.open_card) == TEN


A_TEN = "A ten: the next player is skipped."
TURN, SKIPPED = MauMauPhase.AWAIT_PLAY, MauMauPhase.SKIP_PENDING
edits = [SplitArcs(Arcs(event, dest=TURN), ten, A_TEN, dest=SKIPPED) for event in ("open", "play")]
edits += [Means(eight_is_open, eight_or_ten_is_open), AddDeck(SmallDeck("DQ HQ DT HT DK SK", players=2, each=1))]
TENS = Variant("tens-skip", "A ten skips the next player, as an eight does.", tuple(edits))
