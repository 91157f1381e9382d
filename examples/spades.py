"""Spades, declared as phases and transitions: bids, tricks with a trump, and partners who win together.

    maumau play --game examples/spades.py:Spades
    maumau check --game examples/spades.py:Spades --games 100
    maumau check --game examples/spades.py:Spades --with examples/spades.py:OPEN_SPIEL --games 100

Players 1 and 3 play against players 2 and 4, one deal of 13 cards each. In turn each bids how many tricks to take; a
bid of none is called nil. Then tricks are played: suit must be followed, spades are trump, and they may be led when one
was played, or nothing else is held. A side that takes as many tricks as both have bid scores ten points for each, and
one for each trick more, of which ten cost 100; else it loses ten for each. Nil scores or loses 100 besides. Both
players of the side with more points win. OPEN_SPIEL makes of it the game that OpenSpiel has. In
`SharedSpades` partners see each other's hands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

# fmt: off
from maumau import (  # isort: skip
    BID_FACTS, FIRST_LEGAL, RANDOM, TRICK_FACTS, TRICK_LOOK, TRICK_POSTCONDITIONS, Choice, Declaration, Fact, Game,
    Guide, Invariant, Look, Means, Policy, Postcondition, Reason, Scoring, SmallDeck, Variant, among, best, choice,
    effect, forced, guard, offer, on, page, phases, query, trick_invariants, trick_phases, turn,
)
# fmt: on
from rules import bids, tricks
from rules.bids import BidTable, last_bid, make_bid, possible_bids, take_trick
from rules.broken import breaking, broken_by, leading_unbroken
from rules.cards import FRENCH_52, SUITS, of_suit
from rules.ending import ahead_by, most_win
from rules.invariants import most_has_won
from rules.notation import Notation
from rules.shedding import next_player
from rules.table import each_seat
from rules.tricks import following
from rules.visibility import seen_by_all, seen_by_partners

NOTATION: Notation = FRENCH_52
PLAYERS, SIDES = 4, 2
TRUMP = SUITS.index("S")
SPADES = of_suit(TRUMP)
HIGH_CARDS = 0xFF << 44
"""The kings and aces."""
NIL, BAGS, BAG_PENALTY = 100, 10, 100


@dataclass(slots=True)
class Table(BidTable):
    """The cards and facts of one deal. The cards played lie face up, in the order in which they were played."""

    broken: int = seen_by_all(0)  # whether a spade was played
    winners: int = seen_by_all(0)


@query
def nil_points(table: Table, seat: int) -> int:
    """What a bid of no trick scores or loses besides."""
    if table.bids[seat] > 0:
        return 0
    return NIL if table.tricks[seat] == 0 else -NIL


@query
def score(table: Table, seat: int) -> int:
    """The points of the side of a seat."""
    partner = (seat + 2) % PLAYERS
    contract = table.bids[seat] + table.bids[partner]
    more = table.tricks[seat] + table.tricks[partner] - contract
    points = nil_points(table, seat) + nil_points(table, partner)
    if more < 0:
        return points - 10 * contract
    points += 10 * contract + more
    return points - BAG_PENALTY if more >= BAGS else points


returns, more_points_win = ahead_by(score), most_win(score, SIDES)

# ---------------------------------------------------------------- bids and tricks


@effect
def spades_are_trump(table: Table) -> None:
    """Spades beat the other suits."""
    table.trump = TRUMP


leading, lay_card = leading_unbroken(SPADES), breaking(SPADES)
UNBROKEN = Reason("spades may be led only when one was played", SPADES)
may_lead = among(leading, "may_lead", UNBROKEN, "The card may be led.")

# ---------------------------------------------------------------- how the house plays


@guard("no card takes the trick, or the partner does")
def can_take(table: Table) -> bool:
    """A card takes the trick, which the partner does not."""
    return tricks.higher_cards(table) != 0 and table.taker != (table.player + SIDES) % PLAYERS


@choice
def sure_tricks(table: Table) -> int:
    """As many as kings and aces, and spades from the fourth on; one at least, if so many may be bid."""
    hand = table.hands[table.player]
    long = max((hand & SPADES).bit_count() - 3, 0)
    return min(max((hand & HIGH_CARDS).bit_count() + long, 1), possible_bids(table).bit_length() - 1)


# ---------------------------------------------------------------- what must hold


@query
def nothing_is_played(table: Table) -> bool:
    """No card was played and no trick taken."""
    taken = 0
    for seat in range(table.players):
        taken += table.tricks[seat]
    return table.tail == table.head and taken == 0 and table.broken == 0


@query
def spades_beat(table: Table) -> bool:
    """Spades are trump."""
    return table.trump == TRUMP


# ---------------------------------------------------------------- the declaration


SpadesPhase = phases("SpadesPhase", "initial bidding leading following trick game-over")
INITIAL, BIDDING, LEADING, FOLLOWING, TRICK, GAME_OVER = SpadesPhase
PLAYED = (LEADING, FOLLOWING, TRICK, GAME_OVER)

# fmt: off
PAGE = page({
    INITIAL: forced(on("begin", BIDDING, before=spades_are_trump, rule="Player 1 bids first. Spades are trump.")),
    BIDDING: turn(offer(
        on("bid", BIDDING, before=(make_bid, next_player), rule="Each player bids how many tricks to take."),
        on("bid", LEADING, conditions=last_bid, before=(make_bid, next_player), rule="All have bid: player 1 leads."),
        amounts=possible_bids)),
    **trick_phases(
        LEADING, FOLLOWING, TRICK, GAME_OVER, may_lead, tricks.follows_suit, play=lay_card, take=take_trick,
        count=(take_trick, more_points_win),
        rules=("The highest spade takes it, else the highest card of the suit led.",
               "After the last trick the side with more points wins.")),
})

HOUSE = Policy("house", {
    BIDDING: (Choice("bid", "high cards", amount=sure_tricks, description="kings, aces and long spades take tricks"),),
    LEADING: (best("play", "highest", leading, "the highest card", always=True),),
    FOLLOWING: (
        Choice("play", "take", (can_take,), best("play", "", tricks.higher_cards, "", lowest=True).card,
               description="the lowest card that takes the trick"),
        best("play", "lowest", following, "the lowest card", lowest=True, always=True),
    ),
}, description="Bids its high cards, and takes tricks as cheaply as it can.")
# fmt: on

DECLARATION = Declaration(
    title="Spades",
    table=Table,
    deck=NOTATION,
    players=PLAYERS,
    cards_each=13,
    facts=(*TRICK_FACTS, Fact("trump", kind="suit"), *BID_FACTS, Fact("broken"), Fact("winners", kind="seats")),
    score=score,
    returns=returns,
    zero_sum=True,
    scoring=Scoring(target=500, lowest_wins=False, unwon_scores=True, sides=SIDES),
    page=PAGE,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        summary="Partners sit opposite each other, and bid how many tricks they win together.",
        discard_pile="played",
        usual=("A card is led.", "A card follows.", "The trick is full."),
        suit_facts={"trump": "trump"},
        number_facts={"bidders": ("", ""), "broken": ("spades are broken", ""), "bids": ("bid 1", "bid {}"),
                      "tricks": ("1 trick", "{} tricks")},
        scores="Points",
        endings={"out of cards": "both sides have as many points"},
        guide=Guide(
            aim="Take at least as many tricks as you and your partner, who sits opposite, have bid.",
            turn=(
                "First each player bids how many tricks to take. A bid of none is called nil.",
                "Follow suit if you can, else play any card.",
                "Spades may be led when one was played before, or if you hold nothing else.",
            ),
            cards={"AS KS": ("Spades are trump. The highest spade takes the trick, else the highest card of the suit "
                             "led.",)},
            counting=(
                "A side that takes its bids scores 10 points for each, and 1 for each trick more; ten of these cost "
                "100. A side that takes fewer loses 10 for each trick it has bid.",
                "Nil scores 100 if its player takes no trick, and else loses 100.",
            ),
        ),
    ).joined(TRICK_LOOK),
    invariants=(
        *trick_invariants(LEADING, FOLLOWING, TRICK, (INITIAL, BIDDING, GAME_OVER)),
        Invariant("what is not held was played", tricks.nothing_in_stock),
        Invariant("before the first trick no card was played", nothing_is_played, (INITIAL, BIDDING)),
        Invariant("players bid in turn", bids.bids_are_in_turn, (INITIAL, BIDDING)),
        Invariant("spades are trump", spades_beat, (BIDDING, *PLAYED)),
        Invariant("all have bid before a card is led", bids.all_have_bid, PLAYED),
        Invariant("player 1 leads first", tricks.first_has_led, PLAYED),
        Invariant("a player has the tricks taken", bids.tricks_are_counted, PLAYED),
        Invariant("a spade that is played breaks spades", broken_by(SPADES), PLAYED),
        Invariant("in the end all is played", tricks.all_is_played, (GAME_OVER,)),
        Invariant("the side with more points wins", most_has_won(score, SIDES), (GAME_OVER,)),
    ),
    postconditions=(
        *TRICK_POSTCONDITIONS,
        Postcondition("the bid counts", bids.bid_counts, ("bid",)),
        Postcondition("the player who takes the trick has it", bids.taker_has_trick, ("take_trick",)),
    ),
    small_decks=(
        SmallDeck("2C 3C 2H 2S", 4, 1),
        SmallDeck("2C 3C 2H 2S 2D 3S KS AC", 4, 2, large=True),
    ),
)  # fmt: skip


class Spades(Game, declaration=DECLARATION):
    """A deal of Spades, stepped event by event. Cards are named by rank and suit: `QS`, the queen of spades.

    >>> Spades.deal(players=4, seed=7).run().winners
    (2, 4)
    """


# ---------------------------------------------------------------- the game of OpenSpiel


@query
def bids_of_side(table: Table) -> int:
    """From none up to the player's cards, less what the partner has bid."""
    partner = (table.player + 2) % PLAYERS
    return (2 << table.hands[table.player].bit_count() - table.bids[partner]) - 1


@query
def leading_plain(table: Table) -> int:
    """The cards that may be led: no spade if others are held."""
    hand = table.hands[table.player]
    plain = hand & ~SPADES
    return hand if plain == 0 else plain


OPEN_SPIEL = Variant(
    "open-spiel",
    "Partners bid no more than 13 together, and spades are led only by who holds nothing else, as in OpenSpiel.",
    (Means(possible_bids, bids_of_side), Means(leading, leading_plain)),
)


# ---------------------------------------------------------------- partners who see each other's hands


@dataclass(slots=True)
class SharedTable(Table):
    """The table of Spades where each player also sees the hand of the partner."""

    hands: list[int] = seen_by_partners(factory=each_seat(PLAYERS))


class SharedSpades(
    Game,
    declaration=replace(DECLARATION, title="Shared Spades", name="shared-spades", table=SharedTable),
):
    """A deal of Spades in which partners see each other's hands, as beginners play it.

    >>> SharedSpades.deal(players=4, seed=7).position(seen_by=1).split("hands=")[1].split("/")[1][:5]
    '?,?,?'
    """
