"""Follow Suit: play a card that fits in suit or rank, or draw one. Whoever has no cards left wins."""

from __future__ import annotations

# fmt: off
from maumau import (  # isort: skip
    RANDOM, Choice, Declaration, Game, Invariant, Phase, Policy, Postcondition, SmallDeck, among, best, forced,
    lay, on, page, query, turn,
)
# fmt: on
from rules.cards import FRENCH, of_rank, of_suit, points, rank_of, suit_of
from rules.drawing import draw_pile_left
from rules.invariants import card_is_laid, nothing_moves, piles_are_sound, top_card_is_taken
from rules.shedding import last_card, lay_card, next_in_turn, next_player, nobody_wins, take_card, win
from rules.table import CardTable, deal_in_turn

# ---------------------------------------------------------------- rule functions


@query
def score(table: CardTable, seat: int) -> int:
    """The points that a seat is left with."""
    return points(table.hands[seat])


@query
def fitting(table: CardTable) -> int:
    """The cards in hand that have the suit or the rank of the open card."""
    alike = of_suit(suit_of(table.open_card)) | of_rank(rank_of(table.open_card))
    return table.hands[table.player] & alike


fits = among(
    fitting, "fits", "{card} has neither the suit nor the rank of {open_card}", "The card that is played fits."
)


# ---------------------------------------------------------------- the page


class FollowSuitPhase(Phase):
    """The phases of a game."""

    INITIAL = "initial"
    AWAIT_PLAY = "await-play"
    GAME_OVER = "game-over"


INITIAL, AWAIT_PLAY, GAME_OVER = FollowSuitPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("open", AWAIT_PLAY, rule="The opening card has no effect.")),
    AWAIT_PLAY: turn(
        lay(fits,
            on("play", AWAIT_PLAY, before=(lay_card, next_player), rule="A card that fits is played."),
            last=on("play", GAME_OVER, conditions=last_card, before=(lay_card, win),
                    rule="A player who plays the last card wins.")),
        on("take", AWAIT_PLAY, conditions=draw_pile_left, before=(take_card, next_player),
           rule="A player who does not play draws a card, and the turn ends."),
        on("give_up", GAME_OVER, unless=draw_pile_left, before=nobody_wins, rule="Without a draw pile nobody wins.")),
})
# fmt: on

HOUSE = {
    AWAIT_PLAY: (
        best("play", "most points", fitting, "the best card that fits"),
        Choice("take", conditions=(draw_pile_left,), description="no card fits"),
        Choice("give_up", description="no card fits and no card is left"),
    )
}

FOLLOW_SUIT = Declaration(
    title="Follow Suit",
    page=PAGE,
    deck=FRENCH,
    players=(2, 3, 4),
    cards_each=5,
    deal_each=deal_in_turn,
    score=score,
    policies=(Policy("house", HOUSE), RANDOM),
    invariants=(Invariant("the last card of the discard pile is the open one", piles_are_sound),),
    postconditions=(
        Postcondition("a card goes from the hand onto the discard pile", card_is_laid, ("play",)),
        Postcondition("the top card of the draw pile goes into the hand", top_card_is_taken, ("take",)),
        Postcondition("the next player is in turn", next_in_turn, ("play", "take"), (AWAIT_PLAY,)),
        Postcondition("no card moves", nothing_moves, ("open", "give_up")),
    ),
    small_decks=(SmallDeck("DQ DS HS HQ SS", 2, 1), SmallDeck("DQ DS HS HQ SS SQ", 2, 2)),
)


class FollowSuit(Game, declaration=FOLLOW_SUIT):
    """A game of Follow Suit, stepped event by event."""
