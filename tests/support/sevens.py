"""Sevens: the whole deck is dealt out, so that some have a card more; each suit is laid from its seven up and down.

Who can lay a card must. Who has laid all of its cards first wins.
"""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Choice, Codec, Invariant, Phase, Policy, Postcondition, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.declaration.page import forced, lay, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.game import Game
from rules.cards import FRENCH_52, of_rank
from rules.piles import lay_open, trace
from rules.rule import among, any_of, effect, guard, lowest_of, query
from rules.shedding import next_player, win
from rules.table import CardTable, deal_out, dealing, fill_once

SEVEN, SUITS = FRENCH_52.ranks.index("7"), 4


@dataclass(slots=True)
class Table(CardTable):
    pass


@query
def cards_each(players: int) -> int:
    """The cards of the first player, who gets one of those that are over."""
    return (52 + players - 1) // players


@query
def laid(table: Table) -> int:
    cards = 0
    for place in range(table.head + table.stock, table.tail):
        cards |= 1 << table.ring[place & len(table.ring) - 1]
    return cards


@query
def cards_left(table: Table, seat: int) -> int:
    return table.hands[seat].bit_count()


@query
def next_cards(table: Table) -> int:
    cards = laid(table)
    return (cards << SUITS | cards >> SUITS | of_rank(SEVEN)) & ~cards & table.hands[table.player]


follows = among(next_cards, "follows", "{card} is not next to the laid cards", "The card is next in its suit.")


@guard("a card can be laid")
def none_follows(table: Table) -> bool:
    """No card can be laid."""
    return next_cards(table) == 0


@guard("other cards are left")
def last_card(table: Table) -> bool:
    """It is the last card of the hand."""
    return table.hands[table.player] == 1 << table.card


@effect
def lay_card(table: Table) -> None:
    """The card lies open."""
    table.hands[table.player] &= ~(1 << table.card)
    lay_open(table, table.card)
    trace(table, table.card)
    table.turns += 1


@query
def every_card_once(table: Table) -> bool:
    cards, count = laid(table), table.tail - table.head
    for seat in range(table.players):
        cards |= table.hands[seat]
        count += table.hands[seat].bit_count()
    return cards.bit_count() == count


@query
def one_card_is_laid(before: Table, after: Table) -> bool:
    return laid(after) == laid(before) | 1 << before.card


class SevensPhase(Phase):
    INITIAL = "initial"
    LAYING = "laying"
    GAME_OVER = "game-over"


INITIAL, LAYING, GAME_OVER = SevensPhase
ARCS, CONTROL = page({
    INITIAL: forced(on("begin", LAYING, rule="All cards are dealt.")),
    LAYING: turn(
        lay(follows,
            on("play", LAYING, before=(lay_card, next_player), rule="A seven, or the next card of a suit, is laid."),
            on("play", GAME_OVER, conditions=last_card, before=(lay_card, win), rule="Who lays the last card wins.")),
        on("pass_turn", LAYING, conditions=none_follows, before=next_player, rule="Who cannot lay passes."),
    ),
})  # fmt: skip

HOUSE = Policy("house", {LAYING: (
    Choice("play", "lowest", (any_of(next_cards),), lowest_of(next_cards), description="the lowest card that fits"),
    Choice("pass_turn", "pass", description="no card fits"),
)})  # fmt: skip
DECLARATION = Declaration(
    title="Sevens",
    name="sevens",
    table=Table,
    codec=Codec(notation=FRENCH_52, players=(2, 3, 4), cards_each=cards_each),
    deck_size=52,
    fill=fill_once,
    deal=dealing(cards_each, deal_out),
    deal_each=deal_out,
    score=cards_left,
    phases=SevensPhase,
    initial=INITIAL,
    final=GAME_OVER,
    control=CONTROL,
    arcs=ARCS,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    invariants=(Invariant("every card appears once", every_card_once),),
    postconditions=(Postcondition("one card is laid", one_card_is_laid, ("play",)),),
    small_decks=(SmallDeck("6D 7D 8D 6H 7H", 3, 2), SmallDeck("6D 7D 8D 6H 7H 8H 6S 7S", 3, 3)),
)


class Sevens(Game, declaration=DECLARATION):
    """A game of sevens."""
