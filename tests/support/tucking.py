"""A small game with piles that all see, that only its owner sees, and that nobody sees.

Two cards of the draw pile are put aside unseen: the kitty. In turn each player shows a card, which lies face up before
the player, tucks one away, which nobody else sees, or throws one into the middle and takes the card that lay there.
After three turns each, or if the next player has no card, a card that was shown counts 1 and one that was tucked 2, and the most points win.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from three_cards import (
    THREE_EACH,
    TURNS,
    count_turn,
    is_held,
    last_turn,
    lowest_card,
    next_player,
    with_most_points,
)

from fsm.declaration.arcs import Choice, Invariant, Phase, Policy, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.page import forced, lay, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.game import Game
from rules.piles import take_top, trace
from rules.rule import effect, query
from rules.table import CardTable, each_seat
from rules.visibility import seen_by_all, seen_by_owner

SEATS, KITTY = 4, 2


@dataclass(slots=True)
class Table(CardTable):
    """A pile in the middle is in the first place of its list."""

    shown: list[int] = seen_by_all(factory=each_seat(SEATS))
    tucked: list[int] = seen_by_owner(factory=each_seat(SEATS))
    pot: list[int] = seen_by_all(factory=each_seat(SEATS))
    kitty: list[int] = field(default_factory=each_seat(SEATS))
    played: int = seen_by_all(0)


@query
def score(table: Table, seat: int) -> int:
    return table.shown[seat].bit_count() + 2 * table.tucked[seat].bit_count()


@effect
def put_aside(table: Table) -> None:
    for _ in range(KITTY):
        table.kitty[0] |= 1 << take_top(table)


@effect
def show(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card
    table.shown[table.player] |= 1 << table.card
    trace(table, table.card)


@effect
def tuck(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card
    table.tucked[table.player] |= 1 << table.card


@effect
def throw(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card | table.pot[0]
    table.pot[0] = 1 << table.card
    trace(table, table.card)


@query
def no_discards(table: Table) -> bool:
    return table.tail - table.head == table.stock


@query
def nothing_lies(table: Table) -> bool:
    return table.player == 0 and table.played == 0 and table.pot[0] == 0 and table.kitty[0] == 0 and no_discards(table)


@query
def kitty_lies(table: Table) -> bool:
    in_turn = table.played % table.players == table.player and table.played < TURNS * table.players
    return in_turn and table.kitty[0].bit_count() == KITTY and table.hands[table.player] != 0 and no_discards(table)


class TuckingPhase(Phase):
    INITIAL = "initial"
    PLAYING = "playing"
    GAME_OVER = "game-over"


INITIAL, PLAYING, GAME_OVER = TuckingPhase

PAGE = page({
    INITIAL: forced(on("begin", PLAYING, before=put_aside, rule="Two cards are put aside.")),
    PLAYING: turn(*(
        lay(is_held,
            on(trigger, PLAYING, rule=f"A card is {done}."),
            on(trigger, GAME_OVER, conditions=last_turn, before=with_most_points(score), rule=f"The last card is {done}."),
            first=(moved, count_turn, next_player), face_down=moved is tuck)
        for trigger, moved, done in (("show", show, "shown"), ("tuck", tuck, "tucked away"), ("throw", throw, "thrown"))
    )),
})  # fmt: skip

TUCKING = Declaration(
    title="Tucking",
    **THREE_EACH,
    table=Table,
    facts=(
        Fact("shown", "shown", "cards"),
        Fact("tucked", "tucked", "cards"),
        Fact("pot", "pot", "pile"),
        Fact("kitty", "kitty", "pile"),
        Fact("played", "played"),
    ),
    score=score,
    page=PAGE,
    policies=(
        Policy("house", {PLAYING: (Choice("tuck", "lowest", card=lowest_card),)}),
        RANDOM,
        FIRST_LEGAL,
    ),
    invariants=(
        Invariant("at the start player 1 is in turn and nothing lies beside the hands", nothing_lies, (INITIAL,)),
        Invariant("the kitty lies aside, and who is in turn, three times each, holds cards", kitty_lies, (PLAYING,)),
    ),
    small_decks=(SmallDeck("2D 2H 3D 3H 4D 4H", players=2, each=1),),
)


class Tucking(Game, declaration=TUCKING):
    """The game, stepped event by event."""
