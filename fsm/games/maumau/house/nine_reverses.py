"""The nine reverses the direction of play."""

from __future__ import annotations

from typing import Protocol

from fsm.declaration.facts import TURNED_ROUND, Look
from fsm.games.maumau.house.where import PLAIN_CARD, PLAIN_OPENING
from fsm.variants import AddDeck, AddField, Check, Invariant, Means, Postcondition, Show, SmallDeck, SplitArcs, Variant
from rules.cards import NINE, rank_of
from rules.ending import RUNNING
from rules.maumau.game import next_player, next_seat
from rules.maumau.invariants import next_in_turn, next_is_skipped
from rules.rule import effect, guard, query
from rules.seats import seat_after, seat_before

CLOCKWISE, COUNTER_CLOCKWISE = 0, 1


class Directed(Protocol):
    """A table with a direction of play."""

    players: int
    player: int
    card: int
    open_card: int
    turns: int
    ending: int
    direction: int


@guard("{card} is not a nine")
def nine(table: Directed) -> bool:
    """The card that is played is a nine."""
    return rank_of(table.card) == NINE


@effect
def turn_direction(table: Directed) -> None:
    """The direction of play turns; with two players there is none."""
    if table.players > 2:
        table.direction = COUNTER_CLOCKWISE if table.direction == CLOCKWISE else CLOCKWISE


@query
def seat_in_direction(table: Directed) -> int:
    """The seat whose turn comes next in the direction of play."""
    if table.direction == COUNTER_CLOCKWISE:
        return seat_before(table.player, table.players)
    return seat_after(table.player, table.players)


@query
def next_in_direction(before: Directed, after: Directed) -> bool:
    """The turn is over, the next player in the direction of play, as it is now, is in turn."""
    following = seat_after(before.player, before.players)
    if after.direction == COUNTER_CLOCKWISE:
        following = seat_before(before.player, before.players)
    return after.player == following and after.turns == before.turns + 1


@query
def skipped_in_direction(before: Directed, after: Directed) -> bool:
    """The player in turn loses the turn to the next one in the direction of play; it does not count."""
    following = seat_after(before.player, before.players)
    if before.direction == COUNTER_CLOCKWISE:
        following = seat_before(before.player, before.players)
    return after.player == following and after.turns == before.turns


@query
def is_direction(table: Directed) -> bool:
    """The direction is one of two, and with two players always the first."""
    return table.direction == CLOCKWISE or (table.direction == COUNTER_CLOCKWISE and table.players > 2)


@query
def nine_turns_direction(before: Directed, after: Directed) -> bool:
    """The direction turns with a nine that is not the last card, if more than two play, and with no other card."""
    turned = after.direction != before.direction
    return turned == (rank_of(before.card) == NINE and before.players > 2 and after.ending == RUNNING)


@query
def opening_nine_turns(before: Directed, after: Directed) -> bool:
    """The direction turns with an opening nine, if more than two play, and with no other card."""
    return (after.direction != before.direction) == (rank_of(before.open_card) == NINE and before.players > 2)


@query
def direction_stays(before: Directed, after: Directed) -> bool:
    """The direction is the same."""
    return after.direction == before.direction


A_NINE = "A nine: the direction of play turns."

RULE = Variant(
    "nine-reverses",
    "A nine turns the direction of play.",
    (
        AddField("direction"),
        Show(Look(number_facts={"direction": TURNED_ROUND})),
        SplitArcs(PLAIN_CARD, nine, A_NINE, put_before=((next_player, (turn_direction,)),)),
        SplitArcs(PLAIN_OPENING, nine, A_NINE, before=(turn_direction,)),
        Means(next_seat, seat_in_direction),
        Means(next_in_turn, next_in_direction),
        Means(next_is_skipped, skipped_in_direction),
        Check(Invariant("the direction is one of two, with two players always the same", is_direction)),
        Check(Postcondition("a nine that has its effect turns the direction", nine_turns_direction,
                            ("play",))),
        Check(Postcondition("an opening nine turns the direction", opening_nine_turns, ("open",))),
        Check(Postcondition("nothing but a laid card turns the direction", direction_stays,
                            ("draw", "take", "turn_pile", "pass_turn", "skip", "abandon"))),
        AddDeck(SmallDeck("DN HN DJ DQ HQ", 2, 1)),
        AddDeck(SmallDeck("DQ HQ DN HN DE DK HK", 3, 1)),
    ),
)  # fmt: skip
