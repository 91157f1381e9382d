from maumau import AddDeck, Arcs, MauMauPhase, SmallDeck, SplitArcs, Variant, guard
from rules.cards import TEN, rank_of


@guard("{card} is no ten")
def ten(table):
    return rank_of(table.card) == TEN


A_TEN = "A ten: the next player is skipped."
TURN, SKIPPED = MauMauPhase.AWAIT_PLAY, MauMauPhase.SKIP_PENDING
edits = [SplitArcs(Arcs(event, dest=TURN), ten, A_TEN, dest=SKIPPED) for event in ("open", "play")]
edits += [AddDeck(SmallDeck("DQ DT HT DK", players=2, each=1))]
TENS = Variant("tens-skip", "A ten skips the next player, as an eight does.", tuple(edits))
