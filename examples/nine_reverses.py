"""A house rule of your own for Mau-Mau: `maumau simulate --with examples/nine_reverses.py:NINES FILE`."""

# fmt: off
from maumau import AddField, Arcs, Means, SplitArcs, Variant, Waive, effect, guard, query
from rules.cards import NINE, rank_of
from rules.maumau.game import next_player, next_seat
from rules.seats import seat_before


@guard("{card} is not a nine")
def nine(table):
    return rank_of(table.card) == NINE

@effect
def turn_round(table):
    table.backwards ^= 1

@query
def seat_in_direction(table):
    return seat_before(table.player, table.players) if table.backwards else next_seat(table)

NINES = Variant("nines-turn", "A nine reverses the direction of play.", (Means(next_seat, seat_in_direction),
    Waive("the next player is in turn"), Waive("a skipped player loses the turn"), AddField("backwards"),
    SplitArcs(Arcs("play", dest="await-play"), nine, "A nine: play turns.",
        put_before=((next_player, (turn_round,)),))))
