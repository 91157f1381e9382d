"""A small game in which players name everything that can be named: amounts, suits, seats, ranks, yes or no, cards.

Players bid 1 to 3 in turn, each more than the one before, until one passes. The highest bidder names a trump suit, a
partner and a rank, and gives the partner a card. If the partner holds a card of the rank then and says yes, both have
won and the game is the bidder's; else it is the partner's.
"""

from __future__ import annotations

from dataclasses import dataclass

from three_cards import THREE_EACH, is_held, lowest_card, next_player

from fsm import Choice, Declaration, Game, Policy
from fsm.declaration.arcs import Invariant, Phase, Postcondition, SmallDeck
from fsm.declaration.facts import Fact
from fsm.declaration.page import choose, forced, lay, offer, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from rules.ending import WON
from rules.invariants import hands_are_equal
from rules.piles import trace
from rules.rule import choice, effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable
from rules.visibility import seen_by_all

NONE = -1
MAX_BID = 3
NO, YES = 0b01, 0b10


@dataclass(slots=True)
class Table(CardTable):
    """What is named, and what holds of it."""

    seat: int = seen_by_all(NONE)
    rank: int = seen_by_all(NONE)
    amount: int = seen_by_all(NONE)
    answer: int = 0  # secret

    bid: int = seen_by_all(0)
    bidder: int = seen_by_all(NONE)
    trump: int = seen_by_all(NONE)
    partner: int = seen_by_all(NONE)
    wanted: int = seen_by_all(NONE)


@query
def score(table: Table, seat: int) -> int:
    return table.bid if seat == table.winner else 0


@query
def higher_bids(table: Table) -> int:
    return (1 << MAX_BID + 1) - 1 & -1 << table.bid + 1


@query
def all_suits(table: Table) -> int:
    return 0b1111


@query
def other_seats(table: Table) -> int:
    return (1 << table.players) - 1 & ~(1 << table.player)


@query
def all_ranks(table: Table) -> int:
    return 0b1111111111111


@query
def partner_if_card_is_red(table: Table) -> int:
    """With a red card the partner must be named, with a black one nobody is."""
    return 1 << table.partner if table.card & 3 < 2 else 0


@query
def possible_answers(table: Table) -> int:
    """Only who holds a card of the rank may say yes."""
    return NO | YES if table.hands[table.player] >> 4 * table.wanted & 0b1111 else NO


@guard("nobody has bid")
def somebody_bid(table: Table) -> bool:
    """Somebody has bid."""
    return table.bid > 0


@guard("the answer is no")
def agreed(table: Table) -> bool:
    """The partner says yes."""
    return table.answer == 1


@effect
def raise_bid(table: Table) -> None:
    table.bid = table.amount
    table.bidder = table.player


@effect
def bidder_declares(table: Table) -> None:
    table.player = table.bidder


@effect
def set_trump(table: Table) -> None:
    table.trump = table.suit


@effect
def set_partner(table: Table) -> None:
    table.partner = table.seat


@effect
def set_wanted(table: Table) -> None:
    table.wanted = table.rank


@effect
def hand_over(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card
    table.hands[table.partner] |= 1 << table.card
    trace(table, table.card)
    table.player = table.partner


@effect
def bidder_wins(table: Table) -> None:
    table.ending, table.winner = WON, table.bidder


@effect
def partner_wins(table: Table) -> None:
    table.ending, table.winner = WON, table.partner


@choice
def next_bid(table: Table) -> int:
    return table.bid + 1


@choice
def partner_with_red(table: Table) -> int:
    return table.partner if table.card & 3 < 2 else NONE


@choice
def suit_of_lowest(table: Table) -> int:
    return lowest_card(table) & 3


@choice
def rank_of_lowest(table: Table) -> int:
    return lowest_card(table) >> 2


@choice
def left_neighbour(table: Table) -> int:
    return seat_after(table.player, table.players)


@choice
def best_answer(table: Table) -> int:
    return possible_answers(table) >> 1


@query
def hands_are_disjoint(table: Table) -> bool:
    cards = 0
    for seat in range(table.players):
        if cards & table.hands[seat]:
            return False
        cards |= table.hands[seat]
    return cards.bit_count() == 3 * table.players


@query
def bids_are_in_turn(table: Table) -> bool:
    """The seat after the bidder is in turn; the first one before somebody bids. Nothing else is named."""
    bidder_named = seat_after(table.bidder, table.players) == table.player if table.bid > 0 else table.player == 0
    unnamed = table.trump == NONE and table.partner == NONE and table.wanted == NONE
    return unnamed and bidder_named and (table.bidder == NONE) == (table.bid == 0)


@query
def nobody_has_bid(table: Table) -> bool:
    return table.bid == 0


@query
def bid_is_possible(table: Table) -> bool:
    return 0 <= table.bid <= MAX_BID


@query
def named_in_order(table: Table) -> bool:
    """The bidder has bid; a partner is named after trump, and a rank after the partner, who is another player."""
    bidder = table.bid > 0 and table.bidder != NONE
    partner = table.partner == NONE or (table.trump != NONE and table.partner != table.bidder)
    return bidder and partner and (table.wanted == NONE or table.partner != NONE)


@query
def bidder_is_in_turn(table: Table) -> bool:
    return table.player == table.bidder


@query
def trump_is_due(table: Table) -> bool:
    return table.trump == NONE


@query
def partner_is_due(table: Table) -> bool:
    return table.trump != NONE and table.partner == NONE


@query
def rank_is_due(table: Table) -> bool:
    return table.partner != NONE and table.wanted == NONE


@query
def all_is_named(table: Table) -> bool:
    return table.wanted != NONE


@query
def partner_is_in_turn(table: Table) -> bool:
    return table.player == table.partner


@query
def bidder_or_partner_has_won(table: Table) -> bool:
    """The partner has won, or the bidder with a partner who holds a card of the rank."""
    agreed = table.hands[table.partner] >> 4 * max(table.wanted, 0) & 0b1111 != 0 and table.winner == table.bidder
    return table.ending == WON and (agreed or table.winner == table.partner)


@query
def bid_is_raised(before: Table, after: Table) -> bool:
    return before.bid < before.amount == after.bid and after.bidder == before.player


@query
def suit_is_trump(before: Table, after: Table) -> bool:
    return after.trump == before.suit


@query
def seat_is_partner(before: Table, after: Table) -> bool:
    return after.partner == before.seat != before.player


@query
def answer_decides(before: Table, after: Table) -> bool:
    return after.winner == (before.bidder if before.answer == 1 else before.partner)


class AuctionPhase(Phase):
    INITIAL = "initial"
    BIDDING = "bidding"
    TRUMP = "trump"
    PARTNER = "partner"
    RANK = "rank"
    GIVING = "giving"
    ANSWER = "answer"
    GAME_OVER = "game-over"


INITIAL, BIDDING, TRUMP, PARTNER, RANK, GIVING, ANSWER, GAME_OVER = AuctionPhase
NAMING = (TRUMP, PARTNER, RANK, GIVING)

PAGE = page({
    INITIAL: forced(on("open", BIDDING, rule="The first player bids.")),
    BIDDING: turn(
        offer(on("bid", BIDDING, before=(raise_bid, next_player), rule="A bid is higher than the one before."),
              amounts=higher_bids),
        on("pass_turn", TRUMP, conditions=somebody_bid, before=bidder_declares, rule="The highest bidder declares.")),
    TRUMP: choose(offer(on("name_trump", PARTNER, before=set_trump, rule="The declarer names a suit."), suits=all_suits)),
    PARTNER: choose(offer(on("choose", RANK, before=set_partner, rule="The declarer chooses a partner."), seats=other_seats)),
    RANK: choose(offer(on("wish", GIVING, before=set_wanted, rule="The declarer names a rank."), ranks=all_ranks)),
    GIVING: choose(lay(is_held, on("give", ANSWER, before=hand_over, rule="The partner is given a card."),
                       seats=partner_if_card_is_red)),
    ANSWER: choose(
        offer(on("answer", GAME_OVER, conditions=agreed, before=bidder_wins, rule="The partner agrees."),
              on("answer", GAME_OVER, unless=agreed, before=partner_wins, rule="The partner does not agree."),
              answers=possible_answers)),
})  # fmt: skip
AUCTION = Declaration(
    title="Auction",
    **THREE_EACH,
    table=Table,
    facts=(
        Fact("bid", "bid"),
        Fact("bidder", "bidder", "seat"),
        Fact("trump", "trump", "suit"),
        Fact("partner", "partner", "seat"),
        Fact("wanted", "wanted", "rank"),
    ),
    score=score,
    page=PAGE,
    policies=(
        Policy(
            "house",
            {
                BIDDING: (
                    Choice("pass_turn", "enough", (somebody_bid,), description="somebody has bid"),
                    Choice("bid", "lowest", amount=next_bid, description="nobody has bid"),
                ),
                TRUMP: (Choice("name_trump", "suit", suit=suit_of_lowest),),
                PARTNER: (Choice("choose", "left", seat=left_neighbour),),
                RANK: (Choice("wish", "rank", rank=rank_of_lowest),),
                GIVING: (Choice("give", "lowest card", card=lowest_card, seat=partner_with_red),),
                ANSWER: (Choice("answer", "yes if possible", answer=best_answer),),
            },
        ),
        RANDOM,
        FIRST_LEGAL,
    ),
    invariants=(
        Invariant("no card is in two hands", hands_are_disjoint),
        Invariant("a bid is at most 3", bid_is_possible),
        Invariant("nobody has bid at the start", nobody_has_bid, (INITIAL,)),
        Invariant("players bid in turn, and name nothing else", bids_are_in_turn, (INITIAL, BIDDING)),
        Invariant("trump, partner and rank are named in this order", named_in_order, (*NAMING, ANSWER, GAME_OVER)),
        Invariant("the bidder names them and gives a card", bidder_is_in_turn, NAMING),
        Invariant("trump is due", trump_is_due, (TRUMP,)),
        Invariant("a partner is due", partner_is_due, (PARTNER,)),
        Invariant("a rank is due", rank_is_due, (RANK,)),
        Invariant("all is named before a card is given", all_is_named, (GIVING, ANSWER, GAME_OVER)),
        Invariant("hands are equal until a card is given", hands_are_equal, (INITIAL, BIDDING, *NAMING)),
        Invariant("the partner answers", partner_is_in_turn, (ANSWER, GAME_OVER)),
        Invariant("the partner has won, or the bidder", bidder_or_partner_has_won, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("a bid is higher than the one before", bid_is_raised, ("bid",)),
        Postcondition("the named suit is trump", suit_is_trump, ("name_trump",)),
        Postcondition("the player at the named seat is the partner", seat_is_partner, ("choose",)),
        Postcondition("the answer decides who wins", answer_decides, ("answer",)),
    ),
    small_decks=(SmallDeck("2D 2C 3D 3C 4H 4S", 2, 3),),
)


class Auction(Game, declaration=AUCTION):
    """A game of Auction, stepped event by event."""
