"""The facts that the parts of `rules` need, each with the fields of a table class there."""

from __future__ import annotations

from fsm.declaration.facts import Fact

TRICK_FACTS = (Fact("led", kind="suit"), Fact("laid", most=10), Fact("best", kind="card"), Fact("taker", kind="seat"))
"""The facts of a trick, of a `rules.tricks.TrickTable`; a game with a trump adds Fact("trump", "trump", "suit")."""

BID_FACTS = (Fact("bids", kind="counts"), Fact("bidders"), Fact("tricks", kind="counts"))
"""The facts of bids of tricks: those of each, how many have bid, and the tricks that each has taken (`rules.bids`)."""

STOCK_FACTS = (Fact("turned", kind="pile"), Fact("trump", kind="suit"))
"""The facts of a stock with a card turned up under it (`rules.stock`)."""

BOUT_FACTS = (Fact("attacks", kind="queue"), Fact("defences", kind="queue"), Fact("limit"))
"""The facts of a bout: the attacks, the cards that beat them, and how many attacks there may be (`rules.bouts`)."""

BETTING_FACTS = (Fact("stakes", kind="counts"), Fact("raises"), Fact("acted"), Fact("winners", kind="seats"))
"""The facts of betting: the stakes, the raises of the round, and whether a player has acted in it (`rules.betting`)."""

FISHING_FACTS = (
    *(Fact("middle", kind="pile"), Fact("taken", kind="cards"), Fact("sweeps", kind="counts")),
    *(Fact("rest"), Fact("named", kind="card"), Fact("taker", kind="seat")),
)
"""The facts of fishing: the middle, what each has taken, and the set that is being taken (`rules.fishing`)."""

MELD_FACTS = tuple(Fact(name, kind="cards") for name in ("first", "second", "third", "off"))
"""The facts of melds: up to three before each player, and the cards laid off (`rules.melds`)."""

QUARTET_FACTS = (Fact("asked", kind="seat"), Fact("books", kind="counts"))
"""The facts of quartets: who is asked for cards of a rank, and the books of each (`rules.quartets`)."""

PLACES = Fact("places", kind="counts", carried=True)
"""The fact of a game that ends with places (`rules.places`)."""

CLIMBING_FACTS = (Fact("size"), Fact("rank", kind="rank"), Fact("last", kind="seat"), PLACES)
"""The facts of a climbing game: the set to beat, who has laid it, and the places (`rules.climbing`)."""
