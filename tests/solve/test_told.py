"""Others are told of a move what they see of it, not among how many it was chosen."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from three_cards import THREE_EACH, next_player

from fsm import Declaration, game_of
from fsm.declaration.arcs import Choice, Phase, Policy, SmallDeck
from fsm.declaration.page import choose, forced, offer, on, page, turn
from maumau.solve.hidden import solve_hidden
from rules.ending import WON
from rules.rule import choice, effect, query
from rules.table import CardTable
from rules.visibility import seen_by_all

LOW, OTHER = 1, 2


@dataclass(slots=True)
class TellingTable(CardTable):
    amount: int = seen_by_all(-1)


@query
def may_tell(table: TellingTable) -> int:
    """Who holds the lowest card says so; who holds another one says what it likes."""
    return 1 << LOW if table.hands[table.player] == 1 else 1 << LOW | 1 << OTHER


@query
def may_guess(table: TellingTable) -> int:
    return 1 << LOW | 1 << OTHER


@choice
def low(table: TellingTable) -> int:
    return LOW


@effect
def judge(table: TellingTable) -> None:
    """Player 2 wins by a right guess."""
    table.turns += 1
    table.ending = WON
    table.winner = int((table.hands[0] == 1) == (table.amount == LOW))


@query
def nothing(table: TellingTable, seat: int) -> int:
    return 0


class TellingPhase(Phase):
    INITIAL = "initial"
    TELLING = "telling"
    GUESSING = "guessing"
    OVER = "over"


INITIAL, TELLING, GUESSING, OVER = TellingPhase
PAGE = page({
    INITIAL: forced(on("begin", TELLING, rule="Player 1 begins.")),
    TELLING: choose(offer(on("tell", GUESSING, before=next_player, rule="A card is told."), amounts=may_tell)),
    GUESSING: turn(offer(on("guess", OVER, before=judge, rule="The card is guessed."), amounts=may_guess)),
})  # fmt: skip
TELLING_GAME = Declaration(
    title="Telling", **THREE_EACH, table=TellingTable, score=nothing, page=PAGE,
    policies=(Policy("low", {TELLING: (Choice("tell", "low", amount=low),), GUESSING: (Choice("guess", "low", amount=low),)}),),
    small_decks=(SmallDeck("2D 3D 4D", 2, 1),),
)  # fmt: skip


def test_a_player_who_could_name_nothing_else_is_not_seen_to() -> None:
    """Player 1 always tells the lowest card. Who holds it as player 2, in one of three deals, knows better; else one of
    the two other cards is as likely, and half of the guesses are right: the value is -1/3.
    """
    found = solve_hidden(game_of(TELLING_GAME).with_deck("2D 3D 4D", each=1))
    assert found.equilibrium.value == pytest.approx(-1 / 3)
