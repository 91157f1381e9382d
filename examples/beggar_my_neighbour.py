"""Beggar-my-neighbour, declared as phases and transitions: players turn over the cards of their piles, in order.

    maumau play --game examples/beggar_my_neighbour.py:BeggarMyNeighbour
    maumau check --game examples/beggar_my_neighbour.py:BeggarMyNeighbour --games 100

Two players have a pile of 26 cards face down each, and turn the top card into the middle in turn. A court card or an
ace asks the other player for cards: a jack for one, a queen for two, a king for three, an ace for four. If there is
such a card among these, it asks in turn; else the pile in the middle goes under the pile of who asked, who turns the
next card. Who has no card left loses. Players choose nothing: all follows from the deal. Some games never end.
"""

from __future__ import annotations

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, Choice, Declaration, Fact, Game, Guide, Invariant, Look, Policy, Postcondition, Scoring,
    SmallDeck, effect, forced, guard, on, page, phases, query, turn,
)
# fmt: on
from rules import own_piles
from rules.cards import FRENCH_52, rank_of
from rules.endless import position_returns, stop_endless
from rules.own_piles import OwnPilesTable, cards_of_pile, deal_own_piles, other_has_none, take_pile
from rules.shedding import next_player, win

TEN = FRENCH_52.rank("T")
"""The highest rank that asks for no card."""
score = cards_of_pile


@query
def asked_by(card: int) -> int:
    """The cards that a card asks for."""
    return max(rank_of(card) - TEN, 0)


@guard("it is a card of a payment")
def turn_passes(table: OwnPilesTable) -> bool:
    """Nothing is owed, or the card asks for cards."""
    return table.due == 0 or asked_by(own_piles.top_of_pile(table)) > 0


@guard("more is owed, and a card is left")
def payment_ends(table: OwnPilesTable) -> bool:
    """All that was owed is paid, or no card is left."""
    return table.due == 1 or cards_of_pile(table, table.player) == 1


@effect
def turn_top(table: OwnPilesTable) -> None:
    """The top card of the own pile goes face up into the middle; it asks for cards, or is one of those owed."""
    asked = asked_by(own_piles.turn_up(table))
    table.due = asked if asked > 0 else max(table.due - 1, 0)


# ---------------------------------------------------------------- what must hold


@query
def owed_follows(table: OwnPilesTable) -> bool:
    """What is owed is what the last card that asks for some has asked for, less what was laid after it."""
    owed = 0
    for place in range(table.head, table.tail):
        asked = asked_by(table.ring[place & len(table.ring) - 1])
        owed = asked if asked > 0 else max(owed - 1, 0)
    return table.due == owed


@query
def middle_is_taken(table: OwnPilesTable) -> bool:
    """There are cards in the middle, and all is paid, or the other player has none."""
    return table.tail > table.head and (table.due == 0 or cards_of_pile(table, 1 - table.player) == 0)


# ---------------------------------------------------------------- the declaration

BeggarPhase = phases("BeggarPhase", "initial turning taking game-over")
INITIAL, TURNING, TAKING, GAME_OVER = BeggarPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("begin", TURNING, rule="Player 1 turns the first card.")),
    TURNING: turn(
        on("turn_card", TURNING, conditions=turn_passes, before=(turn_top, next_player),
           rule="The other player goes on, and pays what a jack, queen, king or ace asks for."),
        on("turn_card", TAKING, conditions=(turn_passes, other_has_none), before=turn_top,
           rule="The other player has no card to go on with."),
        on("turn_card", TURNING, unless=turn_passes, before=turn_top, rule="The player pays a card, and owes more."),
        on("turn_card", TAKING, conditions=payment_ends, unless=turn_passes, before=(turn_top, next_player),
           rule="All is paid, or no card is left."),
    ) | forced(on("abandon", GAME_OVER, conditions=position_returns, before=stop_endless,
                  rule="The position returns: nobody wins.")),
    TAKING: forced(
        on("take_pile", TURNING, before=take_pile, rule="The cards in the middle go under the pile of who takes them."),
        on("take_pile", GAME_OVER, conditions=other_has_none, before=(take_pile, win),
           rule="The other player has no card: the player who takes the last cards wins.")),
})

HOUSE = Policy("house", {TURNING: (Choice("turn_card", "top", description="there is nothing to choose"),)})
DECLARATION = Declaration(
    title="Beggar-my-neighbour", page=PAGE, table=OwnPilesTable, deck=FRENCH_52, players=2, cards_each=0,
    facts=(Fact("due"), Fact("own", kind="queues")), deal_each=deal_own_piles, score=score,
    scoring=Scoring(target=100, lowest_wins=False), policies=(HOUSE, RANDOM, FIRST_LEGAL),
    reveals={"turn_card": "all see the card that is turned over"},
    look=Look(
        draw_pile="not dealt",
        summary="Nobody decides anything: jacks, queens, kings and aces ask for cards, and who has all of them wins.",
        asks={"turn_card": "turn a card"},
        events={"turn_card": "turns a card", "take_pile": "takes the cards in the middle"},
        number_facts={"due": ("1 card is owed", "{} cards are owed")},
        scores="Cards",
        guide=Guide(
            aim="Win all cards. Nobody decides anything: it is the deal that plays.",
            deal=("Each of the two has a pile of 26 cards, face down.",),
            turn=(
                "Turn the top card of your pile into the middle.",
                "If all cards that were asked for are paid, the player who has asked takes the middle.",
            ),
            heading="The cards that ask for others",
            cards={
                "JH": ("A jack asks for one card.",),
                "QH": ("A queen asks for two cards.",),
                "KH": ("A king asks for three cards.",),
                "AH": (
                    "An ace asks for four cards. If one of the cards that are paid also asks, the other player "
                    "pays in turn.",
                ),
            },
            counting=("A player who has no card left loses.",),
        ),
    ),
    invariants=(
        Invariant("at the start all cards are dealt", own_piles.piles_are_dealt, (INITIAL,)),
        Invariant("what is owed follows from the cards in the middle", owed_follows),
        Invariant("a player who turns a card has one", own_piles.has_card, (INITIAL, TURNING)),
        Invariant("cards are taken when all is paid, or no card is left", middle_is_taken, (TAKING,)),
        Invariant("the player who has won has all cards", own_piles.winner_has_all, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("the top card of the pile is open", own_piles.top_card_is_open, ("turn_card",)),
        Postcondition("the cards in the middle go under the pile in their order", own_piles.middle_lies_under,
                      ("take_pile",)),
    ),
    small_decks=(SmallDeck("2S JS 3S QS 4S", 2, 0), SmallDeck("2S JS 3S QS 4S KS 5S", 2, 0, large=True)),
)
# fmt: on


class BeggarMyNeighbour(Game, declaration=DECLARATION):
    """A game of Beggar-my-neighbour, stepped event by event. Cards are named by rank and suit: `QS`."""
