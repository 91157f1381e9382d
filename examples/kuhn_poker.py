"""Kuhn poker, declared as phases and transitions: three cards, two players, one bet.

    maumau play --game examples/kuhn_poker.py:KuhnPoker
    maumau check --game examples/kuhn_poker.py:KuhnPoker --games 100
    maumau diagram --game examples/kuhn_poker.py:KuhnPoker -o kuhn.dot

Each player is dealt one of a jack, a queen and a king. The guide of the game tells the rest of the rules
(H. W. Kuhn 1950, A simplified two-person poker).
"""

from __future__ import annotations

# fmt: off
from maumau import (  # isort: skip
    BETTING_FACTS, FIRST_LEGAL, RANDOM, Choice, Declaration, Game, Guide, Invariant, Look, Policy, Postcondition,
    Scoring, SmallDeck, forced, guard, on, page, phases, query, turn,
)
# fmt: on
from rules import betting
from rules.betting import BettingTable, chips_gained, match_stake, other_player
from rules.invariants import hands_are_equal
from rules.notation import Notation

NOTATION = Notation(("J", "Q", "K"), "S", "suit", ("spades",), ranks="JQK")
KING = 0b100


@query
def worth(table: BettingTable, seat: int) -> int:
    """The higher card is worth more."""
    return table.hands[seat]


@guard("the card is not a king")
def holds_king(table: BettingTable) -> bool:
    """The player holds the king."""
    return table.hands[table.player] == KING


bet, show_cards = betting.raising(1), betting.showdown(worth)


# ---------------------------------------------------------------- what must hold


@query
def higher_card_or_caller_wins(table: BettingTable) -> bool:
    """The higher card wins equal stakes; else whoever has staked more does."""
    one_higher = table.hands[0] > table.hands[1]
    if table.stakes[0] == table.stakes[1]:
        return table.winner == (0 if one_higher else 1)
    return table.winner == (0 if table.stakes[0] > table.stakes[1] else 1)


@query
def one_has_bet(table: BettingTable) -> bool:
    """The other player has staked two chips, this one has staked one."""
    bet_due = table.stakes[table.player] == 1 and table.stakes[1 - table.player] == 2
    return bet_due and table.raises == 1 and table.acted == 1


KuhnPhase = phases("KuhnPhase", "initial opening after-check after-bet game-over")
INITIAL, OPENING, AFTER_CHECK, AFTER_BET, GAME_OVER = KuhnPhase

PAGE = page({
    INITIAL: forced(on("put_ante", OPENING, before=betting.ante, rule="Each player stakes a chip.")),
    OPENING: turn(
        on("check", AFTER_CHECK, before=other_player, rule="The first player does not bet."),
        on("bet", AFTER_BET, before=(bet, other_player), rule="A bet is one chip.")),
    AFTER_CHECK: turn(
        on("check", GAME_OVER, before=show_cards, rule="Nobody bets: the higher card wins."),
        on("bet", AFTER_BET, before=(bet, other_player), rule="A bet is one chip.")),
    AFTER_BET: turn(
        on("fold", GAME_OVER, before=betting.fold, rule="A player who folds loses what is staked."),
        on("call", GAME_OVER, before=(match_stake, show_cards), rule="The bet is called: the higher card wins.")),
})  # fmt: skip

BETS = (
    Choice("bet", "king", (holds_king,), description="nothing beats the king"),
    Choice("check", "lower card", description="a lower card waits"),
)
ANSWERS = (
    Choice("call", "king", (holds_king,), description="nothing beats the king"),
    Choice("fold", "lower card", description="a bet shows a better card"),
)
HOUSE = Policy("house", {OPENING: BETS, AFTER_CHECK: BETS, AFTER_BET: ANSWERS},
               description="Bets and calls only with the king.")  # fmt: skip

DECLARATION = Declaration(
    title="Kuhn poker", page=PAGE, table=BettingTable, deck=NOTATION, players=2, cards_each=1, facts=BETTING_FACTS,
    score=chips_gained, returns=chips_gained, zero_sum=True, scoring=Scoring(target=10, lowest_wins=False),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    reveals=dict.fromkeys(("check", "call"), "a player who has not folded shows the card"),
    look=Look(
        draw_pile="not dealt", number_facts={"stakes": ("1 chip", "{} chips")}, scores="Chips",
        guide=Guide(
            aim="Win the chips that are staked.",
            deal=("Each player stakes a chip.",),
            turn=("Player 1 checks, or bets a chip. After a check player 2 may check or bet as well.",
                  "Call a bet with a chip, or fold and lose your stake."),
            heading="The cards",
            cards={"J Q K": ("The jack is the lowest, the king the highest.",)},
            counting=("If nobody has folded, the higher card wins the chips.",))),
    invariants=(
        Invariant("each player holds a card", hands_are_equal),
        Invariant("nobody has staked anything at the start", betting.nothing_is_staked, (INITIAL,)),
        Invariant("player 1 begins", betting.first_is_in_turn, (INITIAL, OPENING)),
        Invariant("nobody has bet", betting.nobody_has_raised, (OPENING, AFTER_CHECK)),
        Invariant("player 2 follows player 1", betting.second_is_in_turn, (AFTER_CHECK,)),
        Invariant("a bet is to be answered", one_has_bet, (AFTER_BET,)),
        Invariant("the higher card wins, or a player who was not called", higher_card_or_caller_wins, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("a check stakes nothing", betting.stakes_stay, ("check", "fold")),
        Postcondition("a bet is one chip", betting.raised_by(1), ("bet",)),
        Postcondition("a call is as much as the bet", betting.stake_is_answered, ("call",)),
        Postcondition("the other player wins", betting.other_wins, ("fold",)),
    ),
    small_decks=(SmallDeck("J Q K", 2, 1),),
)  # fmt: skip


class KuhnPoker(Game, declaration=DECLARATION):
    """A game of Kuhn poker, stepped event by event. Cards are named by rank: `K`, the king.

    >>> game = KuhnPoker.deal(players=2, seed=7)
    >>> game.run().returns
    (1.0, -1.0)
    """
