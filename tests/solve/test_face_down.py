"""Where cards are laid face down, not all cards are known, however small the draw pile is."""

from __future__ import annotations

import pytest
from three_cards import THREE_EACH, is_held, lowest_card, next_player

from fsm import Declaration, game_of
from fsm.declaration.arcs import Choice, Phase, Policy, SmallDeck
from fsm.declaration.page import forced, lay, on, page, turn
from maumau.solve.hidden import solve_hidden
from rules.cards import rank_of
from rules.ending import OUT_OF_CARDS, WON
from rules.rule import effect, guard, query
from rules.table import CardTable


@guard("the other player has laid none")
def other_has_laid(table: CardTable) -> bool:
    """The other player has laid a card."""
    return table.stock == 1


@effect
def lay_aside(table: CardTable) -> None:
    """The card lies face down, in the place of a draw pile."""
    table.hands[table.player] ^= 1 << table.card
    table.ring[table.tail] = table.card
    table.tail += 1
    table.stock += 1
    table.bottom = table.tail


@query
def wins(table: CardTable, seat: int) -> int:
    """A card beats the one that is one lower; of four the lowest beats the highest."""
    return int((rank_of(table.ring[seat]) - rank_of(table.ring[1 - seat])) % 4 == 1)


@effect
def show(table: CardTable) -> None:
    """Both cards are shown."""
    table.turns += 1
    table.ending = OUT_OF_CARDS
    for seat in range(2):
        if wins(table, seat) == 1:
            table.ending = WON
            table.winner = seat


class DuelPhase(Phase):
    INITIAL = "initial"
    LAYING = "laying"
    SHOWING = "showing"
    OVER = "over"


INITIAL, LAYING, SHOWING, OVER = DuelPhase
PAGE = page({
    INITIAL: forced(on("begin", LAYING, rule="Both lay a card.")),
    LAYING: turn(lay(
        is_held,
        on("put", LAYING, before=(lay_aside, next_player), rule="A card is laid face down."),
        on("put", SHOWING, conditions=other_has_laid, before=lay_aside, rule="Both cards lie."),
        face_down=True)),
    SHOWING: forced(on("show", OVER, before=show, rule="Both cards are shown.")),
})  # fmt: skip
DUEL = Declaration(
    title="Duel", **THREE_EACH, table=CardTable, score=wins, page=PAGE,
    policies=(Policy("lowest", {LAYING: (Choice("put", "lowest", card=lowest_card),)}),),
    small_decks=(SmallDeck("2D 3D 4D 5D", 2, 2),),
)  # fmt: skip


def test_a_game_in_which_both_lay_face_down_is_fair() -> None:
    """Nobody sees the other card before the own one is laid, so the seats do not differ: the value is 0."""
    found = solve_hidden(game_of(DUEL).with_deck("2D 3D 4D 5D", each=2))
    assert found.information_sets == [6, 6]
    assert found.equilibrium.value == pytest.approx(0)
