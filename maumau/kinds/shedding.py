"""My Game: lay a card of the suit or the rank of the open card, or take one. The first player without cards wins."""

from __future__ import annotations

# fmt: off
from maumau import (  # isort: skip
    Declaration, Game, Invariant, Phase, Postcondition, SmallDeck, among, forced, lay, on, page, query, turn,
)
# fmt: on
from rules.cards import FRENCH, of_rank, of_suit, points, rank_of, suit_of
from rules.drawing import draw_pile_left
from rules.invariants import card_is_laid, piles_are_sound, top_card_is_taken
from rules.shedding import last_card, lay_card, next_in_turn, next_player, nobody_wins, take_card, win
from rules.table import CardTable, deal_in_turn

# CHANGE: the cards that fit, as a mask, and the reason why another card is refused.


@query
def fitting(table: CardTable) -> int:
    """The cards in hand of the suit or the rank of the open card."""
    alike = of_suit(suit_of(table.open_card)) | of_rank(rank_of(table.open_card))
    return table.hands[table.player] & alike


fits = among(fitting, "fits", "{card} has neither the suit nor the rank of {open_card}", "The card fits.")


# CHANGE: the points that a player is left with.


@query
def score(table: CardTable, seat: int) -> int:
    """The points of the cards that are left."""
    return points(table.hands[seat])


class MySheddingPhase(Phase):
    """The phases of the game."""

    INITIAL = "initial"
    PLAYING = "playing"
    GAME_OVER = "game-over"


INITIAL, PLAYING, GAME_OVER = MySheddingPhase

# CHANGE: what happens in each phase: events, guards (conditions, unless), effects (before), and the rule in a sentence.
PAGE = page({
    INITIAL: forced(on("open", PLAYING, rule="The first open card has no effect.")),
    PLAYING: turn(
        lay(
            fits,
            on("play", PLAYING, before=(lay_card, next_player), rule="A card that fits is laid."),
            last=on("play", GAME_OVER, conditions=last_card, before=(lay_card, win), rule="The last card wins."),
        ),
        on("take", PLAYING, conditions=draw_pile_left, before=(take_card, next_player), rule="A card is taken."),
        on("give_up", GAME_OVER, unless=draw_pile_left, before=nobody_wins, rule="Without a draw pile nobody wins."),
    ),
})  # fmt: skip

MY_GAME = Declaration(
    title="My Game",
    page=PAGE,
    # CHANGE: the deck, the numbers of players, and the cards that each is dealt.
    deck=FRENCH,
    players=(2, 3, 4),
    cards_each=5,
    deal_each=deal_in_turn,
    score=score,
    # CHANGE: what must hold in which phases, and what each event must have done.
    invariants=(Invariant("the open card is the last one of the pile", piles_are_sound),),
    postconditions=(
        Postcondition("a card goes from the hand onto the pile", card_is_laid, ("play",)),
        Postcondition("the top card of the draw pile goes into the hand", top_card_is_taken, ("take",)),
        Postcondition("the next player is in turn", next_in_turn, ("play", "take"), (PLAYING,)),
    ),
    small_decks=(SmallDeck("DQ DS HS HQ SS", 2, 1),),
)


class MyShedding(Game, declaration=MY_GAME):
    """A game of My Game."""
