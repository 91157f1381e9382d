"""Leduc poker, declared as phases and arcs: six cards, two players, two rounds of bets, a card for both.

    maumau play --game examples/leduc_poker.py:LeducPoker
    maumau check --game examples/leduc_poker.py:LeducPoker --games 100
    maumau diagram --game examples/leduc_poker.py:LeducPoker -o leduc.dot

Each player stakes a chip and is dealt one of two jacks, two queens and two kings. In a round of bets a player checks,
or bets, and the other calls, raises or folds; there are at most two bets and raises in a round, of two chips each in
the first one, of four in the second. Between them a card is turned up. Who has not folded shows the card: one of the
same rank as the card that lies open wins, else the higher one; of equal ranks both win, and the stakes are split
(F. Southey et al. 2005, Bayes' bluff).
"""

from __future__ import annotations

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, Choice, Declaration, Fact, Game, Invariant, Look, Phase, Policy, Postcondition, Scoring,
    SmallDeck, effect, forced, guard, on, page, query, turn,
)
from rules.betting import (  # isort: skip
    BettingTable, ante, bet_is_due, chips_gained, first_is_in_turn, fold, match_stake, next_round, nothing_is_due,
    nothing_is_staked, other_player, other_wins, raising, showdown, somebody_acted, stake_is_answered, stakes_are_equal,
    stakes_stay,
)
# fmt: on
from rules.cards import NO_CARD
from rules.invariants import hands_are_equal
from rules.notation import Notation
from rules.piles import lay_open, take_top, trace

NAMES = tuple(rank + suit for rank in "JQK" for suit in "HS")
NOTATION = Notation(NAMES, "HS", "suit", ("hearts", "spades"), ranks="JQK")
DECK_SIZE, PLAYERS, MOST_RAISES = 6, 2, 2
FIRST_BET, SECOND_BET = 2, 4
KINGS = 0b110000


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt."""
    return 1


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


@effect
def turn_card_up(table: BettingTable) -> None:
    """The next card of the deck lies open for both players."""
    card = take_top(table)
    lay_open(table, card)
    trace(table, card)


bet_two, bet_four = raising(FIRST_BET), raising(SECOND_BET)
show_cards = showdown(worth)


# ---------------------------------------------------------------- what must hold


@query
def no_card_lies_open(table: BettingTable) -> bool:
    """No card was turned up."""
    return table.open_card == NO_CARD


@query
def a_card_lies_open(table: BettingTable) -> bool:
    """One card was turned up."""
    return table.open_card != NO_CARD and table.tail - table.head - table.stock == 1


@query
def stakes_fit_raises(table: BettingTable) -> bool:
    """In the first round the higher stake is the ante and two chips for each raise."""
    higher = max(table.stakes[0], table.stakes[1])
    return higher == 1 + FIRST_BET * table.raises and 0 <= table.raises <= MOST_RAISES


@query
def stakes_fit_second_raises(table: BettingTable) -> bool:
    """In the second round it is what was staked in the first one, and four chips for each raise."""
    before = max(table.stakes[0], table.stakes[1]) - SECOND_BET * table.raises
    return before in (1, 3, 5) and 0 <= table.raises <= MOST_RAISES


@query
def raise_is_open(table: BettingTable) -> bool:
    """The other player has staked more exactly if the last one in turn has raised."""
    more = table.stakes[1 - table.player] - table.stakes[table.player]
    size = FIRST_BET if table.open_card == NO_CARD else SECOND_BET
    if table.raises == 0:
        return more == 0 and table.player == table.acted
    return more == size and table.acted == 1


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


@query
def raises_by_two(before: BettingTable, after: BettingTable) -> bool:
    """The player stakes two chips more than the other."""
    return after.stakes[before.player] == before.stakes[1 - before.player] + 2 and after.raises == before.raises + 1


@query
def raises_by_four(before: BettingTable, after: BettingTable) -> bool:
    """The player stakes four chips more than the other."""
    return after.stakes[before.player] == before.stakes[1 - before.player] + 4 and after.raises == before.raises + 1


class LeducPhase(Phase):
    """The phases of Leduc poker."""

    INITIAL = "initial"
    FIRST_ROUND = "first-round"
    TURNING = "turning"
    SECOND_ROUND = "second-round"
    GAME_OVER = "game-over"


INITIAL, FIRST_ROUND, TURNING, SECOND_ROUND, GAME_OVER = LeducPhase

PAGE = page({
    INITIAL: forced(on("put_ante", FIRST_ROUND, before=ante, rule="Each player stakes a chip.")),
    FIRST_ROUND: turn(
        on("fold", GAME_OVER, conditions=bet_is_due, before=fold, rule="Who folds loses what is staked."),
        on("check", FIRST_ROUND, conditions=nothing_is_due, before=other_player, rule="The other player may bet."),
        on("check", TURNING, conditions=(nothing_is_due, somebody_acted), rule="Nobody bets: a card is turned up."),
        on("call", TURNING, conditions=bet_is_due, before=match_stake, rule="The bet is called: a card is turned up."),
        on("raise_bet", FIRST_ROUND, conditions=may_raise, before=(bet_two, other_player),
           rule="A bet is two chips in the first round.")),
    TURNING: forced(on("turn_up", SECOND_ROUND, before=(turn_card_up, next_round), rule="A card lies open for both.")),
    SECOND_ROUND: turn(
        on("fold", GAME_OVER, conditions=bet_is_due, before=fold, rule="Who folds loses what is staked."),
        on("check", SECOND_ROUND, conditions=nothing_is_due, before=other_player, rule="The other player may bet."),
        on("check", GAME_OVER, conditions=(nothing_is_due, somebody_acted), before=show_cards,
           rule="Nobody bets: the better card wins."),
        on("call", GAME_OVER, conditions=bet_is_due, before=(match_stake, show_cards),
           rule="The bet is called: the better card wins."),
        on("raise_bet", SECOND_ROUND, conditions=may_raise, before=(bet_four, other_player),
           rule="A bet is four chips in the second round.")),
})  # fmt: skip

HOUSE = Policy(
    "house",
    {
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
    },
    description="Raises with a king, then with a pair.",
)
BETTING = (FIRST_ROUND, SECOND_ROUND)

DECLARATION = Declaration(
    title="Leduc poker",
    table=BettingTable,
    deck=NOTATION,
        players=PLAYERS,
        cards_each=cards_each,
        facts=(
            Fact("stakes", kind="counts"),
            Fact("raises"),
            Fact("acted"),
            Fact("winners", kind="seats"),
        ),
    score=chips_gained,
    returns=chips_gained,
    zero_sum=True,
    scoring=Scoring(target=50, lowest_wins=False),
    page=PAGE,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    reveals={
        "turn_up": "a card of the pile lies open for both",
        **dict.fromkeys(("check", "call"), "who has not folded shows the card"),
    },
    look=Look(
        events={"raise_bet": "raises"},
        asks={"raise_bet": "raise"},
        draw_pile="deck",
        discard_pile="open card",
        scores="Chips",
        number_facts={"raises": ("1 raise", "{} raises"), "acted": ("", ""), "stakes": ("1 chip", "{} chips")},
    ),
    invariants=(
        Invariant("each player holds a card", hands_are_equal),
        Invariant("nobody has staked anything at the start", nothing_is_staked, (INITIAL,)),
        Invariant("player 1 begins", first_is_in_turn, (INITIAL,)),
        Invariant("no card lies open in the first round", no_card_lies_open, (INITIAL, FIRST_ROUND, TURNING)),
        Invariant("a card lies open in the second round", a_card_lies_open, (SECOND_ROUND,)),
        Invariant("a bet is two chips in the first round", stakes_fit_raises, (FIRST_ROUND, TURNING)),
        Invariant("a bet is four chips in the second round", stakes_fit_second_raises, (SECOND_ROUND,)),
        Invariant("a bet is to be answered after a raise", raise_is_open, BETTING),
        Invariant("a card is turned up when stakes are equal", stakes_are_equal, (TURNING,)),
        Invariant("the better hand wins, or who was not called", better_hand_or_raiser_wins, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("a check stakes nothing", stakes_stay, ("check", "fold")),
        Postcondition("a bet is two chips", raises_by_two, ("raise_bet",), sources=(FIRST_ROUND,)),
        Postcondition("a bet is four chips", raises_by_four, ("raise_bet",), sources=(SECOND_ROUND,)),
        Postcondition("a call is as much as the bet", stake_is_answered, ("call",)),
        Postcondition("the other player wins", other_wins, ("fold",)),
    ),
    small_decks=(SmallDeck("JH JS QH", 2, 1), SmallDeck("JH JS QH KS", 2, 1)),
)  # fmt: skip


class LeducPoker(Game, declaration=DECLARATION):
    """A game of Leduc poker, stepped event by event. Cards are named by rank and suit: `KS`, the king of spades.

    >>> game = LeducPoker.deal(players=2, seed=7)
    >>> game.run().returns
    (1.0, -1.0)
    """
