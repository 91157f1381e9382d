"""Gin Rummy, declared as phases and transitions: melds that are laid in one move each, knocking and laying off.

    maumau play --game examples/gin_rummy.py:GinRummy
    maumau check --game examples/gin_rummy.py:GinRummy --games 20
    maumau check --game examples/gin_rummy.py:GinRummy --with examples/gin_rummy.py:OPEN_SPIEL --games 20

Two players hold ten cards each. Who is in turn takes the open card or one of the stock, and discards another. A meld is
three or four cards of a rank, or three to five in a row of one suit, the ace low; longer rows are several melds. The
other cards are deadwood: court cards count 10, others their rank. Whose deadwood can be ten or less after the discard
may knock: the knocker discards and lays melds, then the other player lays off cards on them, unless there is no
deadwood (gin), and lays melds. The knocker scores the difference of the deadwood, for gin 25 more; if the other player
does not have more, that player scores the difference, and 25 more. If two cards of the stock are left, nobody wins.
OPEN_SPIEL makes of it the game that OpenSpiel has.
"""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, MELD_FACTS, RANDOM, AddField, Arcs, ChangeArcs, Choice, Decide, Declaration, Fact, Game, Guide,
    Invariant, Look, Means, Policy, Postcondition, Scoring, SmallDeck, SplitArcs, Variant, Waive, Withdraw, among,
    choice, choose, effect, forced, guard, in_phase, lay, on, page, phases, query, turn,
)
# fmt: on
from rules import melds
from rules.cards import NO_CARD
from rules.ending import OUT_OF_CARDS, WON
from rules.endless import position_returns, stop_endless
from rules.melds import DECK_SIZE, MELDS, RUMMY_52, RummyTable, deadwood, laid_by, least_after_discard, value_of
from rules.piles import take_open
from rules.sets import forms_at, lowest_cards
from rules.shedding import lay_card, take_card
from rules.table import deal_in_turn, receive
from rules.tricks import held
from rules.visibility import seen_by_all

NOTATION = RUMMY_52
ALL_CARDS = (1 << DECK_SIZE) - 1
MOST_DEADWOOD, BONUS, LEFT_OVER, NOBODY = 10, 25, 2, -1


@dataclass(slots=True)
class Table(RummyTable):
    """The cards and facts of one deal, with what was said."""

    taken: int = seen_by_all(NO_CARD)  # the open card that was taken in this turn
    passed: int = seen_by_all(0)  # players who did not want the first open card
    knocker: int = seen_by_all(NOBODY)


# ---------------------------------------------------------------- melds and deadwood


@query
def discardable(table: Table) -> int:
    """All cards but the open card that was taken in this turn."""
    return held(table) if table.taken == NO_CARD else held(table) & ~(1 << table.taken)


@query
def knocking_discards(table: Table) -> int:
    """The cards without which the deadwood is low enough to knock."""
    cards, left, found = held(table), discardable(table), 0
    total, melded = deadwood(cards), melds.in_melds(cards)
    while left != 0:
        card = left & -left
        least = total - value_of(card)
        if least <= MOST_DEADWOOD:  # else it is too much whether the card is in a meld or not
            least = melds.deadwood_without(cards, card, total, melded)
        if least <= MOST_DEADWOOD:
            found |= card
        left ^= card
    return found


@query
def leaves_low_deadwood(table: Table, cards: int) -> bool:
    """Whether the deadwood is still low enough once a meld is laid."""
    return deadwood(held(table) ^ cards) <= MOST_DEADWOOD


@query
def undercut(difference: int) -> int:
    """What a knocker gains with deadwood; as much or less deadwood of the other player costs more."""
    return difference if difference > 0 else difference - BONUS


@query
def gained(table: Table, seat: int) -> int:
    """What a seat gains or loses."""
    if table.knocker == NOBODY:
        return 0
    own, other = value_of(table.hands[table.knocker]), value_of(table.hands[1 - table.knocker])
    gain = other - own + BONUS if own == 0 else undercut(other - own)
    return gain if seat == table.knocker else -gain


@query
def score(table: Table, seat: int) -> int:
    """What the winner gains; nothing for the other."""
    return max(gained(table, seat), 0)


lowest_to_meld = lowest_cards(MELDS, held, leaves_low_deadwood)
forms_to_meld = forms_at(MELDS, held, leaves_low_deadwood)
# fmt: off
may_discard = among(discardable, "may_discard", "{card} was just taken", "The card may be discarded.")
may_knock_with = among(
    knocking_discards, "may_knock_with", "{card} leaves too much deadwood", "The deadwood is low without it.")
may_meld = among(
    lowest_to_meld, "may_meld", "it is not a meld that leaves little deadwood", "The meld leaves little deadwood.")
may_show = among(melds.lowest_of_melds, "may_show", "it is not a meld of the hand", "The cards are a meld.")
may_lay_off = among(melds.to_lay_off, "may_lay_off", "{card} fits no meld of the knocker", "The card fits a meld.")
# fmt: on


@guard("the other player has not passed")
def other_passed(table: Table) -> bool:
    """The other player does not want the card, either."""
    return table.passed == 1


@guard("too much deadwood would be left")
def may_knock(table: Table) -> bool:
    """Without a card the deadwood is low enough."""
    return knocking_discards(table) != 0


@guard("more than two cards of the stock are left")
def stock_is_used_up(table: Table) -> bool:
    """Only two cards of the stock are left."""
    return table.stock <= LEFT_OVER


@guard("too much deadwood is left")
def rest_is_low(table: Table) -> bool:
    """What is held counts as little as a knocker may have."""
    return value_of(held(table)) <= MOST_DEADWOOD


@guard("there is deadwood")
def is_gin(table: Table) -> bool:
    """There is no deadwood."""
    return held(table) == 0


# ---------------------------------------------------------------- what is done


@effect
def next_player(table: Table) -> None:
    """The other player is in turn."""
    table.drawn = table.taken = NO_CARD
    table.turns += 1
    table.player = 1 - table.player


@effect
def pass_on(table: Table) -> None:
    """The player does not want the card."""
    table.passed += 1


@effect
def take_upcard(table: Table) -> None:
    """The open card goes into the hand."""
    table.taken = take_open(table)
    receive(table, table.player, table.taken)


@effect
def say_knock(table: Table) -> None:
    """The player knocks."""
    table.knocker = table.player


@effect
def nobody_wins(table: Table) -> None:
    """The game is over, and nobody wins."""
    table.turns += 1
    table.ending = OUT_OF_CARDS


@effect
def less_deadwood_wins(table: Table) -> None:
    """Who gains something wins."""
    table.turns += 1
    table.ending = WON
    table.winner = 0 if gained(table, 0) > 0 else 1


# ---------------------------------------------------------------- how the house plays


@guard("it does not help")
def upcard_helps(table: Table) -> bool:
    """With the open card the deadwood can be less."""
    return least_after_discard(held(table) | 1 << table.open_card) < deadwood(held(table))


@choice
def useless_card(table: Table) -> int:
    """The card without which the deadwood is least."""
    return melds.least_without(table, discardable(table))


# ---------------------------------------------------------------- what must hold


@query
def hands_are_even(table: Table) -> bool:
    """Both hold as many cards, nobody has knocked, and no meld lies."""
    even = table.hands[0].bit_count() == table.hands[1].bit_count()
    return even and table.knocker == NOBODY and laid_by(table, 0) | laid_by(table, 1) == 0


@query
def one_card_more(table: Table) -> bool:
    """Who is in turn holds one card more, and no meld lies."""
    more = held(table).bit_count() == table.hands[1 - table.player].bit_count() + 1
    return more and laid_by(table, 0) | laid_by(table, 1) == 0


@query
def knocker_in_turn(table: Table) -> bool:
    """The knocker is in turn and has as little deadwood as a knocker may have; the other has laid nothing."""
    return (
        table.player == table.knocker
        and deadwood(held(table)) <= MOST_DEADWOOD
        and laid_by(table, 1 - table.player) == 0
    )


@query
def other_in_turn(table: Table) -> bool:
    """The other player is in turn, and the knocker is left with little."""
    low = value_of(table.hands[table.knocker]) <= MOST_DEADWOOD
    return table.knocker == 1 - table.player and low and table.off[table.knocker] == 0


@query
def nothing_laid_off_on_gin(table: Table) -> bool:
    """Nothing is laid off where the knocker has no deadwood."""
    return table.hands[table.knocker] != 0 or table.off[1 - table.knocker] == 0


@query
def ended_rightly(table: Table) -> bool:
    """Nobody has knocked and nobody wins, or who has less deadwood does; of equal deadwood the other player."""
    if table.knocker == NOBODY:
        return table.ending != WON
    knocker, other = value_of(table.hands[table.knocker]), value_of(table.hands[1 - table.knocker])
    wins = knocker == 0 or knocker < other
    return table.ending == WON and table.winner == (table.knocker if wins else 1 - table.knocker)


@query
def upcard_is_taken(before: Table, after: Table) -> bool:
    """The open card is in the hand of the player."""
    return after.hands[before.player] == before.hands[before.player] | 1 << before.open_card


@query
def taken_card_stays(before: Table, after: Table) -> bool:
    """The card that was taken from the discard pile is not discarded."""
    return before.card != before.taken


# ---------------------------------------------------------------- the declaration

# fmt: off
GinPhase = phases(
    "GinPhase", "initial upcard first-draw drawing discarding knocking melding laying-off showing game-over")
INITIAL, UPCARD, FIRST_DRAW, DRAWING, DISCARDING, KNOCKING, MELDING, LAYING_OFF, SHOWING, GAME_OVER = GinPhase
BEFORE_KNOCK = (INITIAL, UPCARD, FIRST_DRAW, DRAWING)
TAKEN = on("take_upcard", DISCARDING, before=take_upcard, rule="The open card is taken.")
DRAWN = on("draw", DISCARDING, before=take_card, rule="A card of the stock is taken.")
AGAIN = on("abandon", GAME_OVER, conditions=position_returns, before=stop_endless,
           rule="The position returns: nobody wins.")

PAGE = page({
    INITIAL: forced(on("begin", UPCARD, rule="Player 1 may take the open card.")),
    UPCARD: turn(
        TAKEN,
        on("pass_turn", UPCARD, before=(pass_on, next_player), rule="The other player may take it."),
        on("pass_turn", FIRST_DRAW, conditions=other_passed, before=(pass_on, next_player), rule="Nobody wants it.")),
    FIRST_DRAW: choose(DRAWN),
    DRAWING: turn(DRAWN, TAKEN) | forced(AGAIN),
    DISCARDING: choose(
        lay(may_discard,
            on("discard", DRAWING, before=(lay_card, next_player), rule="A card is discarded."),
            on("discard", GAME_OVER, conditions=stock_is_used_up, before=(lay_card, nobody_wins),
               rule="Two cards of the stock are left: nobody wins.")),
        on("knock", KNOCKING, conditions=may_knock, before=say_knock, rule="The player knocks.")),
    KNOCKING: choose(lay(
        may_knock_with, on("discard", MELDING, before=lay_card, rule="The knocker discards a card."))),
    MELDING: choose(
        lay(may_meld, on("meld", MELDING, before=melds.lay_meld, rule="The knocker lays a meld."), forms=forms_to_meld),
        on("stop_melding", LAYING_OFF, conditions=rest_is_low, before=next_player,
           rule="The other player may lay off cards."),
        on("stop_melding", SHOWING, conditions=(rest_is_low, is_gin), before=next_player,
           rule="Gin: nothing may be laid off.")),
    LAYING_OFF: choose(
        lay(may_lay_off, on("lay_off", LAYING_OFF, before=melds.lay_off, rule="A card is laid off.")),
        on("stop_laying_off", SHOWING, rule="The other player may lay melds.")),
    SHOWING: choose(
        lay(may_show, on("meld", SHOWING, before=melds.lay_meld, rule="A meld is laid."), forms=melds.forms_of_melds),
        on("stop_melding", GAME_OVER, before=less_deadwood_wins, rule="The deadwood is counted.")),
})

HELPS = Choice("take_upcard", "helps", (upcard_helps,), description="it leaves less deadwood")
USELESS = Choice("discard", "useless", card=useless_card, description="the least deadwood is left")
ALL_MELDS = (
    Choice("meld", "meld", (melds.has_meld,), melds.best_card, form=melds.best_form,
           description="it belongs to the least deadwood"),
    Choice("stop_melding", "all", description="all melds lie"),
)
HOUSE = Policy("house", {
    UPCARD: (HELPS, Choice("pass_turn", "useless", description="it does not help")),
    FIRST_DRAW: (Choice("draw", description="nobody wants the open card"),),
    DRAWING: (HELPS, Choice("draw", "unknown", description="the open card does not help")),
    DISCARDING: (Choice("knock", "knock", (may_knock,), description="the deadwood is low"), USELESS),
    KNOCKING: (USELESS,),
    MELDING: ALL_MELDS,
    LAYING_OFF: (
        Choice("lay_off", "loose", (melds.has_loose_card,), melds.loose_card, description="it is in no meld"),
        Choice("stop_laying_off", "all", description="no card is left to lay off"),
    ),
    SHOWING: ALL_MELDS,
}, description="Keeps as little deadwood as it can, and knocks at once.")

DECLARATION = Declaration(
    title="Gin Rummy", page=PAGE, table=Table, deck=NOTATION, players=2, cards_each=10, sets=MELDS,
    facts=(Fact("taken", kind="card"), Fact("passed"), Fact("knocker", kind="seat"), *MELD_FACTS),
    deal_each=deal_in_turn, score=score, returns=gained, zero_sum=True,
    scoring=Scoring(target=100, lowest_wins=False), policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        draw_pile="stock",
        events={"take_upcard": "takes the open card", "draw": "draws", "stop_melding": "lays no more melds",
                "stop_laying_off": "lays off no more cards", "lay_off": "lays off"},
        asks={"take_upcard": "take the open card", "pass_turn": "pass"},
        number_facts={"passed": ("", "")},
        scores="Points",
        endings={"out of cards": "the stock is used up"},
        guide=Guide(
            aim="Bring your cards into melds, and keep few points in the others, the deadwood.",
            deal=("The next card is turned up. Player 1 may take it, then player 2.",),
            turn=(
                "Take the open card or one of the stock, then discard another card.",
                "Knock if your deadwood is ten or less after the discard: lay your melds. The other player may lay off "
                "cards on them, unless you have no deadwood, and lays melds.",
            ),
            heading="The melds",
            cards={
                "7D 7H 7S": ("Three or four cards of one rank.",),
                "4C 5C 6C": ("Three to five cards of one suit in a row. The ace is low.",),
            },
            counting=(
                "Court cards count 10, the ace 1, others their rank.",
                "The knocker scores the difference of the deadwood, and without any (gin) 25 more.",
                "If the other player has no more deadwood, that player scores the difference and 25.",
                "If two cards of the stock are left, nobody wins.",
            ),
        ),
    ),
    invariants=(
        Invariant("before a player draws, both hold as many cards", hands_are_even, BEFORE_KNOCK),
        Invariant("a player who has drawn holds one card more", one_card_more, (DISCARDING, KNOCKING)),
        Invariant("what lies before the players are melds", melds.melds_lie),
        Invariant("the knocker lays melds first", knocker_in_turn, (MELDING,)),
        Invariant("then the other player does, and the knocker is left with little", other_in_turn,
                  (LAYING_OFF, SHOWING)),
        Invariant("nothing is laid off on gin", nothing_laid_off_on_gin, (LAYING_OFF, SHOWING)),
        Invariant("less deadwood wins", ended_rightly, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("the open card comes into the hand", upcard_is_taken, ("take_upcard",)),
        Postcondition("a card that was taken open is not discarded", taken_card_stays, ("discard",)),
        Postcondition("a meld leaves the hand", melds.meld_leaves_hand, ("meld",)),
    ),
    small_decks=(SmallDeck("AS 2S 3S 4S KH QH", 2, 1), SmallDeck("AS 2S 3S 4S 5S AH AD AC", 2, 3)),
)
# fmt: on


class GinRummy(Game, declaration=DECLARATION):
    """A deal of Gin Rummy, stepped event by event. Cards are named by rank and suit: `QS`, the queen of spades."""


# ---------------------------------------------------------------- the game of OpenSpiel


@query
def all_cards_of_hand(table: Table) -> int:
    """All cards, also the open one that was taken in this turn."""
    return held(table)


@query
def undercut_with_less(difference: int) -> int:
    """What a knocker gains with deadwood: of as much, nothing."""
    return difference if difference >= 0 else difference - BONUS


@query
def fitting_two(meld: int, laid_off: int) -> int:
    """The cards that may be laid off on a meld: on a row two at each end."""
    low, above = (meld & -meld).bit_length() - 1, meld.bit_length() + 3
    rank = 0xF << (low & ~3)
    if meld & rank == meld:
        return rank & ~meld
    found = meld << 4 & ~meld & ALL_CARDS | meld >> 4 & ~meld
    if above < DECK_SIZE - 4 and laid_off >> above & 1 == 1:
        found |= 1 << above + 4
    if low >= 8 and laid_off >> low - 4 & 1 == 1:
        found |= 1 << low - 8
    return found


@effect
def less_deadwood_wins_if_any(table: Table) -> None:
    """Who gains something wins; if nobody does, nobody wins."""
    table.turns += 1
    table.ending = OUT_OF_CARDS if gained(table, 0) == 0 else WON
    if gained(table, 0) != 0:
        table.winner = 0 if gained(table, 0) > 0 else 1


@query
def ended_rightly_or_tied(table: Table) -> bool:
    """As without the rule, but of equal deadwood nobody wins unless it is gin."""
    if table.knocker == NOBODY:
        return table.ending != WON
    knocker, other = value_of(table.hands[table.knocker]), value_of(table.hands[1 - table.knocker])
    if knocker == other != 0:
        return table.ending != WON
    wins = knocker == 0 or knocker < other
    return table.ending == WON and table.winner == (table.knocker if wins else 1 - table.knocker)


MOST_UPCARDS = 50


class OpenSpielTable(Table):
    """A table that knows how often open cards were taken, and whether the last one was discarded at once."""

    upcards: int
    returned_cards: int


@guard("the card was not taken and discarded twice")
def is_returned_again(table: OpenSpielTable) -> bool:
    """The open card that was taken is discarded, as the other player has just done."""
    return table.returned_cards == 1 and table.card == table.taken


@guard("fewer open cards were taken")
def too_many_are_taken(table: OpenSpielTable) -> bool:
    """It is the fiftieth open card that is taken after the first turns."""
    return table.upcards == MOST_UPCARDS - 1


@guard("too much deadwood would be left")
def may_knock_with_upcard(table: Table) -> bool:
    """With the open card, and without another one, the deadwood is low enough."""
    return least_after_discard(held(table) | 1 << table.open_card) <= MOST_DEADWOOD


@effect
def note_discard(table: OpenSpielTable) -> None:
    """It is noted whether the card was just taken."""
    table.returned_cards = 1 if table.card == table.taken else 0


@effect
def count_upcard(table: OpenSpielTable) -> None:
    """One open card more was taken."""
    table.upcards += 1


WALL = "wall"
DISCARD, TAKE = Arcs("discard", DISCARDING, DRAWING), Arcs("take_upcard", DRAWING)
# fmt: off
AT_THE_WALL = choose(
    on("pass_turn", GAME_OVER, before=nobody_wins, rule="Nobody wins."),
    on("knock", KNOCKING, conditions=may_knock_with_upcard, before=(take_upcard, say_knock),
       rule="The player takes the open card and knocks."))
OPEN_SPIEL = Variant(
    "open-spiel",
    "The open card may be discarded again, but not for ever, and be knocked with at the end, as in OpenSpiel.",
    (
        AddField("returned_cards"), AddField("upcards"),
        Means(discardable, all_cards_of_hand), Means(melds.fitting, fitting_two), Means(undercut, undercut_with_less),
        Means(less_deadwood_wins, less_deadwood_wins_if_any), Means(ended_rightly, ended_rightly_or_tied),
        Waive("a card that was taken open is not discarded"),
        Withdraw(DRAWING, "abandon"),
        ChangeArcs(Arcs("discard", DISCARDING, GAME_OVER, conditions=(stock_is_used_up,)),
                   dest=WALL, before=(lay_card, next_player),
                   description="Two cards of the stock are left: the next player may knock with the open card."),
        ChangeArcs(DISCARD, put_before=((lay_card, (note_discard,)),)),
        SplitArcs(DISCARD, is_returned_again, "The card is taken and discarded again: nobody wins.",
                  dest=GAME_OVER, before=(lay_card, nobody_wins)),
        ChangeArcs(TAKE, put_after=((take_upcard, (count_upcard,)),)),
        SplitArcs(TAKE, too_many_are_taken, "Too many open cards were taken: nobody wins.",
                  dest=GAME_OVER, before=(take_upcard, nobody_wins)),
        *in_phase(WALL, AT_THE_WALL, new=True),
        Decide(WALL, (Choice("knock", "knock", (may_knock_with_upcard,), description="the deadwood is low"),
                      Choice("pass_turn", "useless", description="too much deadwood is left"))),
    ),
)
# fmt: on
