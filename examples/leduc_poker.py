"""Leduc poker, declared as phases and transitions: six cards, two players, two rounds of bets, a card for both.

    maumau play --game examples/leduc_poker.py:LeducPoker
    maumau check --game examples/leduc_poker.py:LeducPoker --games 100

Each player is dealt one of two jacks, two queens and two kings. The guide of the game tells the rest of the rules
(F. Southey et al. 2005, Bayes' bluff).
"""

from __future__ import annotations

# fmt: off
from maumau import (  # isort: skip
    BETTING_FACTS, FIRST_LEGAL, RANDOM, Choice, Declaration, Game, Guide, Invariant, Look, Policy, Postcondition,
    Scoring, SmallDeck, forced, guard, on, page, phases, query, turn,
)
# fmt: on
from rules import betting
from rules.betting import BettingTable, bet_is_due, chips_gained, match_stake, nothing_is_due, other_player
from rules.invariants import hands_are_equal, no_card_is_open, one_card_is_open
from rules.notation import Notation
from rules.piles import turn_card_up

NAMES = tuple(rank + suit for rank in "JQK" for suit in "HS")
NOTATION = Notation(NAMES, "HS", "suit", ("hearts", "spades"), ranks="JQK")
MOST_RAISES, FIRST_BET, SECOND_BET, KINGS = 2, 2, 4, 0b110000


@query
def rank_of(cards: int) -> int:
    """The rank of a mask of one card: 0 is a jack."""
    return cards.bit_length() - 1 >> 1


@query
def worth(table: BettingTable, seat: int) -> int:
    """A card of the rank of the open card is worth most, else the higher rank is worth more."""
    rank = rank_of(table.hands[seat])
    return rank + 3 if rank == table.open_card >> 1 else rank


@guard("there were two bets in this round")
def may_raise(table: BettingTable) -> bool:
    """Another bet is allowed in this round."""
    return table.raises < MOST_RAISES


@guard("the player holds no king")
def holds_king(table: BettingTable) -> bool:
    """The player holds a king."""
    return table.hands[table.player] & KINGS != 0


@guard("the player holds no card of the rank of the open card")
def holds_pair(table: BettingTable) -> bool:
    """The card of the player has the rank of the open card."""
    return rank_of(table.hands[table.player]) == table.open_card >> 1


@guard("the player holds no jack")
def holds_jack(table: BettingTable) -> bool:
    """The player holds a jack."""
    return rank_of(table.hands[table.player]) == 0


bet_two, bet_four = betting.raising(FIRST_BET), betting.raising(SECOND_BET)
show_cards = betting.showdown(worth)
first_stakes = betting.stakes_fit(FIRST_BET, (1,), MOST_RAISES)
second_stakes = betting.stakes_fit(SECOND_BET, (1, 3, 5), MOST_RAISES)

# ---------------------------------------------------------------- what must hold


@query
def better_hand_or_raiser_wins(table: BettingTable) -> bool:
    """Of equal stakes the better hand wins, or both; else who has staked more."""
    if table.stakes[0] != table.stakes[1]:
        return table.winners == (0b01 if table.stakes[0] > table.stakes[1] else 0b10)
    one, other = rank_of(table.hands[0]), rank_of(table.hands[1])
    if one == other:
        return table.winners == 0b11
    pair = table.open_card >> 1
    return table.winners == (0b01 if one == pair or (other != pair and one > other) else 0b10)


LeducPhase = phases("LeducPhase", "initial first-round turning second-round game-over")
INITIAL, FIRST_ROUND, TURNING, SECOND_ROUND, GAME_OVER = LeducPhase

PAGE = page({
    INITIAL: forced(on("put_ante", FIRST_ROUND, before=betting.ante, rule="Each player stakes a chip.")),
    FIRST_ROUND: turn(
        on("fold", GAME_OVER, conditions=bet_is_due, before=betting.fold,
           rule="A player who folds loses what is staked."),
        on("check", FIRST_ROUND, conditions=nothing_is_due, before=other_player, rule="The other player may bet."),
        on("check", TURNING, conditions=(nothing_is_due, betting.somebody_acted),
           rule="Nobody bets: a card is turned up."),
        on("call", TURNING, conditions=bet_is_due, before=match_stake, rule="The bet is called: a card is turned up."),
        on("raise_bet", FIRST_ROUND, conditions=may_raise, before=(bet_two, other_player),
           rule="A bet is two chips in the first round.")),
    TURNING: forced(
        on("turn_up", SECOND_ROUND, before=(turn_card_up, betting.next_round), rule="A card lies open for both.")),
    SECOND_ROUND: turn(
        on("fold", GAME_OVER, conditions=bet_is_due, before=betting.fold,
           rule="A player who folds loses what is staked."),
        on("check", SECOND_ROUND, conditions=nothing_is_due, before=other_player, rule="The other player may bet."),
        on("check", GAME_OVER, conditions=(nothing_is_due, betting.somebody_acted), before=show_cards,
           rule="Nobody bets: the better card wins."),
        on("call", GAME_OVER, conditions=bet_is_due, before=(match_stake, show_cards),
           rule="The bet is called: the better card wins."),
        on("raise_bet", SECOND_ROUND, conditions=may_raise, before=(bet_four, other_player),
           rule="A bet is four chips in the second round.")),
})  # fmt: skip

HOUSE = Policy("house", {
    FIRST_ROUND: (
        Choice("raise_bet", "king", (holds_king, may_raise), description="no card is higher than a king"),
        Choice("call", "call", (bet_is_due,), description="a card may pair"),
        Choice("check", "check", description="nothing is to be answered"),
    ),
    SECOND_ROUND: (
        Choice("raise_bet", "pair", (holds_pair, may_raise), description="a pair wins"),
        Choice("fold", "jack", (bet_is_due, holds_jack), description="a jack alone beats nothing"),
        Choice("call", "call", (bet_is_due,), description="the other may bluff"),
        Choice("check", "check", description="nothing is to be answered"),
    ),
}, description="Raises with a king, then with a pair.")  # fmt: skip

DECLARATION = Declaration(
    title="Leduc poker", page=PAGE, table=BettingTable, deck=NOTATION, players=2, cards_each=1, facts=BETTING_FACTS,
    score=chips_gained, returns=chips_gained, zero_sum=True, scoring=Scoring(target=50, lowest_wins=False),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    reveals={
        "turn_up": "a card of the pile lies open for both",
        **dict.fromkeys(("check", "call"), "a player who has not folded shows the card"),
    },
    look=Look(
        events={"raise_bet": "raises"}, asks={"raise_bet": "raise"},
        draw_pile="deck", discard_pile="open card", scores="Chips",
        number_facts={"raises": ("1 raise", "{} raises"), "acted": ("", ""), "stakes": ("1 chip", "{} chips")},
        guide=Guide(
            aim="Win the chips that are staked.",
            deal=("Each player stakes a chip.",),
            turn=(
                "If there is nothing to answer, check or bet. Else call, raise, or fold and lose your stake.",
                "There are two rounds of bets, of two chips in the first and four in the second. A round has at most "
                "two bets and raises.",
                "Between the rounds a card is turned up for both.",
            ),
            heading="The cards",
            cards={"KH KS": ("A card of the rank of the open card wins.",), "JH QH": ("Else the higher card wins.",)},
            counting=("With equal ranks both win and split the chips.",),
        ),
    ),
    invariants=(
        Invariant("each player holds a card", hands_are_equal),
        Invariant("nobody has staked anything at the start", betting.nothing_is_staked, (INITIAL,)),
        Invariant("player 1 begins", betting.first_is_in_turn, (INITIAL,)),
        Invariant("no card lies open in the first round", no_card_is_open, (INITIAL, FIRST_ROUND, TURNING)),
        Invariant("a card lies open in the second round", one_card_is_open, (SECOND_ROUND,)),
        Invariant("a bet is two chips in the first round", first_stakes, (FIRST_ROUND, TURNING)),
        Invariant("a bet is four chips in the second round", second_stakes, (SECOND_ROUND,)),
        Invariant("a bet is to be answered after a raise", betting.raise_is_open(FIRST_BET), (FIRST_ROUND,)),
        Invariant("a second bet is to be answered after a raise", betting.raise_is_open(SECOND_BET), (SECOND_ROUND,)),
        Invariant("a card is turned up when stakes are equal", betting.stakes_are_equal, (TURNING,)),
        Invariant("the better hand wins, or a player who was not called", better_hand_or_raiser_wins, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("a check stakes nothing", betting.stakes_stay, ("check", "fold")),
        Postcondition("a bet is two chips", betting.raised_by(FIRST_BET), ("raise_bet",), sources=(FIRST_ROUND,)),
        Postcondition("a bet is four chips", betting.raised_by(SECOND_BET), ("raise_bet",), sources=(SECOND_ROUND,)),
        Postcondition("a call is as much as the bet", betting.stake_is_answered, ("call",)),
        Postcondition("the other player wins", betting.other_wins, ("fold",)),
    ),
    small_decks=(SmallDeck("JH JS QH", 2, 1), SmallDeck("JH JS QH KS", 2, 1)),
)  # fmt: skip


class LeducPoker(Game, declaration=DECLARATION):
    """A game of Leduc poker, stepped event by event. Cards are named by rank and suit: `KS`, the king of spades.

    >>> game = LeducPoker.deal(players=2, seed=7)
    >>> game.run().returns
    (1.0, -1.0)
    """
