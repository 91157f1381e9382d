"""Parts of games in which players get rid of their cards: cards are laid and drawn, and the last one wins.

Each part does all that every executor relies on: it counts the turn, traces the laid cards, tells the card that was
drawn, how the game ended and who won.
"""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.ending import OUT_OF_CARDS, WON
from rules.piles import lay_open, take_top, trace
from rules.rule import effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable, receive


@guard("it is not the last card")
def last_card(table: CardTable) -> bool:
    """The card that is played is the only one in the hand."""
    return table.hands[table.player] == 1 << table.card


@effect
def lay_card(table: CardTable) -> None:
    """The card goes from the hand onto the discard pile."""
    table.hands[table.player] ^= 1 << table.card
    lay_open(table, table.card)
    trace(table, table.card)


@effect
def take_card(table: CardTable) -> None:
    """The top card of the draw pile goes into the hand."""
    card = take_top(table)
    receive(table, table.player, card)
    table.drawn = card


@effect
def next_player(table: CardTable) -> None:
    """The turn is over, and the next player is in turn."""
    table.drawn = NO_CARD
    table.turns += 1
    table.player = seat_after(table.player, table.players)


@effect
def win(table: CardTable) -> None:
    """The player in turn wins."""
    table.turns += 1
    table.ending = WON
    table.winner = table.player


@effect
def nobody_wins(table: CardTable) -> None:
    """The game is over, and nobody wins."""
    table.ending = OUT_OF_CARDS


@query
def next_in_turn(before: CardTable, after: CardTable) -> bool:
    """The next player is in turn."""
    return after.player == (before.player + 1) % before.players
