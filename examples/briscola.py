"""Briscola for two or three, or for four in two partnerships: tricks with a stock, and a trump turned up under it.

    maumau play --game examples/briscola.py:Briscola
    maumau check --game examples/briscola.py:Briscola --games 100

Each holds three cards and plays any to a trick; the highest trump takes it, else the highest card of the suit led. All
draw a card then, who has taken the trick first. Of 120 points of the cards the side with more wins. Three players leave
out a two.
"""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, STOCK_FACTS, TRICK_FACTS, TRICK_LOOK, TRICK_POSTCONDITIONS, Choice, Declaration, Fact,
    Game, Guide, Invariant, Look, Policy, Postcondition, Scoring, SmallDeck, best, forced, guard, on, page, phases,
    query, trick_invariants, trick_phases,
)
# fmt: on
from rules import tricks
from rules.cards import ITALIAN_40, of_rank, of_suit, suit_of
from rules.ending import most_win, sides_among
from rules.invariants import all_hold_cards, most_has_won
from rules.stock import StockTrickTable, deal_over_turned, each_draws, each_has_drawn, nothing_left, turned_card_lies
from rules.table import each_seat
from rules.tricks import held, is_held, taker_in_turn
from rules.visibility import seen_by_all

VALUES = (0, 0, 0, 0, 0, 2, 3, 4, 10, 11)
"""Points of each rank of ITALIAN_40: 2 4 5 6 7, jack, knight, king, three, ace."""
SIDES = 2
TENS = of_rank(8) | of_rank(9)
"""The threes and aces."""

# ---------------------------------------------------------------- the table and the points


@dataclass(slots=True)
class Table(StockTrickTable):
    """The cards and facts of one game."""

    points: list[int] = seen_by_all(factory=each_seat(4))  # that each has taken
    winners: int = seen_by_all(0)


@query
def score(table: Table, seat: int) -> int:
    """The points of the side of a seat: of four players those opposite each other are partners."""
    total, sides = 0, sides_among(table.players, SIDES)
    for other in range(table.players):
        total += table.points[other] if (other - seat) % sides == 0 else 0
    return total


take_points, more_points_win = tricks.taking_points(VALUES), most_win(score, SIDES)
points_are_taken = tricks.points_are_taken(tricks.points_of_cards(VALUES))

# ---------------------------------------------------------------- how the house plays


@query
def taking(table: Table) -> int:
    """The cards that take the trick from the best one so far, trumps only from a three or an ace."""
    higher = held(table) & of_suit(suit_of(table.best)) & ~((2 << table.best) - 1)
    trumps = of_suit(table.trump) if TENS >> table.best & 1 == 1 and suit_of(table.best) != table.trump else 0
    return higher | held(table) & trumps


@guard("no card is worth the trick")
def can_take(table: Table) -> bool:
    """A card takes the trick, and the partner does not."""
    sides = sides_among(table.players, SIDES)
    return taking(table) != 0 and table.taker % sides != table.player % sides


# ---------------------------------------------------------------- the page


BriscolaPhase = phases("BriscolaPhase", "initial leading following trick game-over")
INITIAL, LEADING, FOLLOWING, TRICK, GAME_OVER = BriscolaPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("begin", LEADING, rule="Player 1 leads. The suit of the turned card is trump.")),
    **trick_phases(
        LEADING, FOLLOWING, TRICK, GAME_OVER, is_held, is_held, follows="Any card follows.", ends=nothing_left,
        take=(take_points, each_draws, taker_in_turn), count=(take_points, taker_in_turn, more_points_win),
        rules=("The best card takes the trick. All draw a card, as long as there are cards.",
               "When all cards are played, the side with more points wins.")),
})

HOUSE = Policy("house", {
    LEADING: (best("play", "lowest", held, "the lowest card", lowest=True, always=True),),
    FOLLOWING: (
        Choice("play", "take", (can_take,), best("play", "", taking, "").card, description="a card takes the trick"),
        best("play", "lowest", held, "the lowest card", lowest=True, always=True),
    ),
}, description="Takes tricks by the suit led, threes and aces also by a trump, and throws its lowest cards.")

BRISCOLA = Declaration(
    title="Briscola", page=PAGE, table=Table, deck=ITALIAN_40, players=(2, 3, 4), cards_each=3, without={3: "2D"},
    facts=(*TRICK_FACTS, *STOCK_FACTS, Fact("points", kind="counts", most=120), Fact("winners", kind="seats")),
    deal_each=deal_over_turned, score=score,
    scoring=Scoring(target=240, lowest_wins=False, unwon_scores=True, sides=SIDES),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        summary="Three cards each, any may be played: the side that takes more of the 120 points wins.",
        draw_pile="stock", discard_pile="played", scores="Points",
        usual=("A card is led.", "Any card follows.", "The trick is full."),
        number_facts={"points": ("1 point", "{} points")},
        endings={"out of cards": "both sides have as many points"},
        guide=Guide(
            aim="Take tricks with many points: more than half of the 120 points of the cards.",
            deal=("The next card is turned up under the stock. Its suit is trump.",),
            turn=(
                "Player 1 leads. Each plays any card to the trick: you need not follow suit.",
                "The highest trump takes the trick, else the highest card of the suit led.",
                "All draw a card after the trick, first the player who took it. This player leads the next one.",
            ),
            heading="The cards with points",
            cards={
                "AD": ("An ace is the highest card of its suit and has 11 points.",),
                "3C": ("A three is the second highest and has 10 points.",),
                "KS NS JS": ("King 4, knight 3, jack 2 points. The other cards have none: 7, 6, 5, 4, 2.",),
            },
            counting=("With four players, players 1 and 3 are partners. The side with more points wins.",),
        ),
    ).joined(TRICK_LOOK),
    invariants=(
        *trick_invariants(LEADING, FOLLOWING, TRICK, (INITIAL, GAME_OVER)),
        Invariant("the turned card lies there as long as there is a stock, and shows the trump", turned_card_lies),
        Invariant("all hold cards where one is led", all_hold_cards, (INITIAL, LEADING)),
        Invariant("player 1 led first", tricks.first_has_led),
        Invariant("each player has the points of the tricks taken", points_are_taken),
        Invariant("the side with more points has won", most_has_won(score, SIDES), (GAME_OVER,)),
    ),
    postconditions=(
        *TRICK_POSTCONDITIONS,
        Postcondition("each draws a card, first the player who has taken the trick", each_has_drawn, ("take_trick",)),
    ),
    small_decks=(
        SmallDeck("2D AD 3C JC 4S 5S", 2, 1), SmallDeck("2D AD 3C JC 4S KB 5B 2B", 2, 2, large=True),
        SmallDeck("2D AD 3C JC 4S KB 5B 2B", 4, 1, large=True),
    ),
)
# fmt: on


class Briscola(Game, declaration=BRISCOLA):
    """A game of Briscola, stepped event by event. Cards are named by rank and suit: `3D`, the three of coins.

    >>> sum(Briscola.deal(players=2, seed=7).run().scores)
    120
    """
