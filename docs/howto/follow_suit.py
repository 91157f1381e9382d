"""Follow Suit: play a card that fits in suit or rank, or draw one. Whoever has no cards left wins."""

from __future__ import annotations

from collections.abc import Sequence

from maumau import (
    RANDOM,
    Arc,
    Choice,
    Codec,
    Control,
    Declaration,
    Fact,
    Game,
    Invariant,
    Offer,
    Phase,
    Policy,
    Postcondition,
    SmallDeck,
    choice,
    effect,
    guard,
    query,
)
from rules.cards import DECK_SIZE, FRENCH, RANK_CARDS, SUIT_CARDS, highest, points, rank_of, suit_of
from rules.drawing import draw_pile_left
from rules.ending import OUT_OF_CARDS, WON
from rules.invariants import piles_are_sound
from rules.piles import lay_open, take_top, trace
from rules.seats import seat_after
from rules.table import CardTable, deal_in_turn, fill_once, receive

# ---------------------------------------------------------------- the deal and the score


@query
def cards_each(players: int) -> int:
    """Everybody is dealt five cards."""
    return 5


@effect
def deal(table: CardTable, deck: Sequence[int], players: int) -> None:
    """Deal five cards each; the next card is the open card."""
    deal_in_turn(table, deck, players, cards_each(players))


@query
def score(table: CardTable, seat: int) -> int:
    """The points that a seat is left with."""
    return points(table.hands[seat])


# ---------------------------------------------------------------- guards, effects, choices


@query
def fitting(table: CardTable) -> int:
    """The cards in hand that have the suit or the rank of the open card."""
    same = SUIT_CARDS << suit_of(table.open_card) | RANK_CARDS << 4 * rank_of(table.open_card)
    return table.hands[table.player] & same


@guard("{card} has neither the suit nor the rank of {open_card}")
def fits(table: CardTable) -> bool:
    """The card that is played fits."""
    return (fitting(table) >> table.card & 1) == 1


@guard("it is not the last card")
def last_card(table: CardTable) -> bool:
    """The card that is played is the only one in the hand."""
    return table.hands[table.player] == 1 << table.card


@guard("no card fits")
def holds_fitting_card(table: CardTable) -> bool:
    """A card in the hand fits."""
    return fitting(table) != 0


@effect
def lay_card(table: CardTable) -> None:
    """The card goes from the hand onto the discard pile."""
    table.hands[table.player] ^= 1 << table.card
    lay_open(table, table.card)
    trace(table, table.card)


@effect
def take_card(table: CardTable) -> None:
    """The top card of the draw pile goes into the hand."""
    receive(table, table.player, take_top(table))


@effect
def next_player(table: CardTable) -> None:
    """The next player is in turn."""
    table.turns += 1
    table.player = seat_after(table.player, table.players)


@effect
def win(table: CardTable) -> None:
    """The player in turn wins."""
    table.turns += 1
    table.ending = WON
    table.winner = table.player


@effect
def stop(table: CardTable) -> None:
    """Nobody wins."""
    table.ending = OUT_OF_CARDS


@choice
def best_fitting_card(table: CardTable) -> int:
    """The fitting card with the most points."""
    return highest(fitting(table))


# ---------------------------------------------------------------- what must hold


@query
def cards_in_hands(table: CardTable) -> int:
    """How many cards the players hold."""
    count = 0
    for seat in range(table.players):
        count += table.hands[seat].bit_count()
    return count


@query
def hand_shrinks(before: CardTable, after: CardTable) -> bool:
    """The players hold one card less."""
    return cards_in_hands(after) == cards_in_hands(before) - 1


@query
def hand_grows(before: CardTable, after: CardTable) -> bool:
    """The players hold one card more."""
    return cards_in_hands(after) == cards_in_hands(before) + 1


@query
def turn_moves_on(before: CardTable, after: CardTable) -> bool:
    """The next player is in turn."""
    return after.player == (before.player + 1) % before.players


# ---------------------------------------------------------------- the declaration


class FollowSuitPhase(Phase):
    """The phases of a game."""

    INITIAL = "initial"
    AWAIT_PLAY = "await-play"
    GAME_OVER = "game-over"


INITIAL, AWAIT_PLAY, GAME_OVER = FollowSuitPhase

ARCS = (
    Arc("open", INITIAL, AWAIT_PLAY, description="The opening card has no effect."),
    Arc(
        "play",
        AWAIT_PLAY,
        AWAIT_PLAY,
        when=(fits,),
        unless=(last_card,),
        then=(lay_card, next_player),
        description="A card that fits is played.",
    ),
    Arc(
        "play",
        AWAIT_PLAY,
        GAME_OVER,
        when=(fits, last_card),
        then=(lay_card, win),
        description="Who plays the last card wins.",
    ),
    Arc(
        "take",
        AWAIT_PLAY,
        AWAIT_PLAY,
        when=(draw_pile_left,),
        then=(take_card, next_player),
        description="Who does not play draws a card, and the turn ends.",
    ),
    Arc(
        "give_up",
        AWAIT_PLAY,
        GAME_OVER,
        unless=(draw_pile_left,),
        then=(stop,),
        description="Without a draw pile nobody wins.",
    ),
)

FOLLOW_SUIT = Declaration(
    title="Follow Suit",
    name="follow-suit",
    table=CardTable,
    codec=Codec(
        notation=FRENCH,
        fewest=2,
        most=4,
        cards_each=cards_each,
        facts=(
            Fact("player", "player", "seat"),
            Fact("ending", "ending", "ending"),
            Fact("winner", "winner", "seat"),
        ),
    ),
    deck_size=DECK_SIZE,
    fill=fill_once,
    deal=deal,
    deal_each=deal_in_turn,
    score=score,
    phases=FollowSuitPhase,
    initial=INITIAL,
    final=GAME_OVER,
    control={
        INITIAL: Control(forced=("open",)),
        AWAIT_PLAY: Control(offers=(Offer("play", fitting), Offer("take"), Offer("give_up")), starts_turn=True),
    },
    arcs=ARCS,
    policies=(
        Policy(
            "house",
            {
                AWAIT_PLAY: (
                    Choice(
                        "play",
                        "most points",
                        (holds_fitting_card,),
                        best_fitting_card,
                        description="the best card that fits",
                    ),
                    Choice("take", when=(draw_pile_left,), description="no card fits"),
                    Choice("give_up", description="no card fits and no card is left"),
                )
            },
        ),
        RANDOM,
    ),
    invariants=(Invariant("the last card of the discard pile is the open one", piles_are_sound),),
    postconditions=(
        Postcondition("a card leaves the hand", hand_shrinks, ("play",)),
        Postcondition("a card comes into the hand", hand_grows, ("take",)),
        Postcondition("the next player is in turn", turn_moves_on, ("play", "take"), (AWAIT_PLAY,)),
    ),
    small_decks=(SmallDeck("DQ DS HS HQ SS", 2, 1), SmallDeck("DQ DS HS HQ SS SQ", 2, 2)),
)


class FollowSuit(Game, declaration=FOLLOW_SUIT):
    """A game of Follow Suit, stepped event by event."""
