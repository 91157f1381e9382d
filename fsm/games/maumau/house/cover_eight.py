"""Whoever lays an eight covers it at once."""

from __future__ import annotations

from fsm.declaration.facts import Look
from fsm.games.maumau.arcs import AWAIT_PLAY, DRAWING, INITIAL, SKIP_PENDING
from fsm.games.maumau.house.where import PLAIN_OPENING
from fsm.games.maumau.properties import TURN_STARTS
from fsm.variants import (
    AddDeck,
    AddField,
    Arcs,
    ChangeArcs,
    Check,
    CopyPhase,
    DropArcs,
    DropPhase,
    Invariant,
    Means,
    Postcondition,
    Refuse,
    Show,
    SmallDeck,
    Variant,
)
from rules.cards import EIGHT, WHOLE_DECK, rank_of
from rules.drawing import draw_one
from rules.ending import WON
from rules.maumau import game
from rules.maumau.game import MauMauTable, drawn_to_keep, end_turn
from rules.maumau.invariants import card_has_no_action, eight_is_open, next_in_turn
from rules.rule import Reason, effect, query


class Covering(MauMauTable):
    """A table that knows whether a card is drawn because an eight is not covered."""

    uncovered: int


@effect
def cover_next(table: Covering) -> None:
    """The same player lays another card."""
    end_turn(table)


@effect
def leave_uncovered(table: Covering) -> None:
    """The card that is drawn now may not be laid."""
    table.uncovered = 1


@effect
def stop_covering(table: Covering) -> None:
    """The eight stays uncovered, and nobody has to cover it any more."""
    table.uncovered = 0


@query
def to_keep_or_uncovered(table: Covering) -> bool:
    """The drawn card may not be played: a penalty, or drawn because no card covers the eight."""
    return table.uncovered == 1 or drawn_to_keep(table)


@query
def all_while_uncovered(table: Covering) -> int:
    """All cards, if the eight is left uncovered."""
    return WHOLE_DECK if table.uncovered == 1 else 0


@query
def next_but_after_eight(before: Covering, after: Covering) -> bool:
    """The turn is over; after an eight the same player covers it, else the next one is in turn."""
    if after.tail == before.tail or rank_of(after.open_card) != EIGHT:
        return next_in_turn(before, after)
    return after.player == before.player and after.turns == before.turns + 1


@query
def uncovered_on_eight(table: Covering) -> bool:
    """An eight is left uncovered at most where it is open; then no penalty is drawn, and nobody has won."""
    if table.uncovered == 0:
        return True
    return table.uncovered == 1 and rank_of(table.open_card) == EIGHT and table.punished == 0 and table.ending != WON


@query
def none_is_uncovered(table: Covering) -> bool:
    """No eight was left uncovered in this turn."""
    return table.uncovered == 0


@query
def is_left_uncovered(before: Covering, after: Covering) -> bool:
    """The eight is left uncovered from now on."""
    return after.uncovered == 1


@query
def no_action_but_opening_eight(before: Covering, after: Covering) -> bool:
    """The card that lies newly open has no action, or it is an opening eight."""
    opening_eight = after.tail == before.tail and rank_of(after.open_card) == EIGHT
    return opening_eight or card_has_no_action(before, after)


COVER = "cover-pending"
AN_EIGHT = "An eight: the same player must cover it."
UNCOVERED = "A player who cannot cover the eight draws one card and keeps it."

RULE = Variant(
    "cover-eight",
    "A player who lays an eight must cover it at once.",
    (
        AddField("uncovered"),
        Show(Look(number_facts={"uncovered": ("the eight is not covered", "")})),
        CopyPhase(COVER, AWAIT_PLAY),
        ChangeArcs(Arcs("play", conditions=(game.eight,)), dest=COVER, before=(game.lay_card, cover_next),
                         description=AN_EIGHT),
        ChangeArcs(Arcs("draw", COVER), before=(draw_one, leave_uncovered), description=UNCOVERED),
        ChangeArcs(Arcs("pass_turn", DRAWING, AWAIT_PLAY), before=(stop_covering, game.next_player)),
        DropArcs(Arcs("open", INITIAL, conditions=(game.eight,))),
        ChangeArcs(PLAIN_OPENING, without=(game.eight,)),
        DropPhase(SKIP_PENDING),
        Means(drawn_to_keep, to_keep_or_uncovered),
        Refuse(game.fits_as_drawn, (Reason("the card drawn for an uncovered eight is kept", all_while_uncovered),)),
        Means(next_in_turn, next_but_after_eight),
        Means(card_has_no_action, no_action_but_opening_eight),
        Check(Invariant("a player who covers has laid the open eight", eight_is_open, (COVER,))),
        Check(Invariant("an eight is left uncovered only where it is open", uncovered_on_eight)),
        Check(Invariant("an eight is left uncovered only while a card is drawn", none_is_uncovered,
                        (INITIAL, *TURN_STARTS, COVER))),
        Check(Postcondition("a player who draws because no card covers keeps the card", is_left_uncovered, ("draw",),
                            sources=(COVER,))),
        AddDeck(SmallDeck("DE DS DJ HE DQ", 2, 1)),
    ),
    {"eights-answered": "a covered eight skips nobody, so there is nothing to answer"},
)  # fmt: skip
