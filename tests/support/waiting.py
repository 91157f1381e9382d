"""A game that need not end: players lay down a card or wait, and who has none left wins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from three_cards import THREE_EACH, hand, is_held, lowest_card, next_player

from fsm import Arc, Choice, Control, Declaration, Game, Offer, Policy, game_of
from fsm.declaration.arcs import Invariant, Phase, SmallDeck
from fsm.declaration.facts import Fact
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from rules.chance import roll
from rules.ending import ENDLESS, WON
from rules.endless import position_returns, stop_endless
from rules.piles import lay_open, trace
from rules.rule import effect, guard, query
from rules.table import CardTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Table(CardTable):
    """With a clock."""

    clock: int = seen_by_all(0)


@query
def score(table: Table, seat: int) -> int:
    return table.hands[seat].bit_count()


@query
def no_card(table: Table) -> int:
    return 0


@guard("no hand is empty")
def hand_is_empty(table: Table) -> bool:
    """The player in turn has no card."""
    return table.hands[table.player] == 0


@effect
def lay_aside(table: Table) -> None:
    """The card goes onto the discard pile."""
    table.hands[table.player] ^= 1 << table.card
    lay_open(table, table.card)
    trace(table, table.card)


@effect
def tick(table: Table) -> None:
    table.clock += 1


@effect
def win(table: Table) -> None:
    table.ending, table.winner = WON, table.player


@query
def is_sound(table: Table) -> bool:
    return table.ending != ENDLESS


class WaitingPhase(Phase):
    INITIAL = "initial"
    TURN = "turn"
    GAME_OVER = "game-over"


INITIAL, TURN, GAME_OVER = WaitingPhase

ARCS = (
    Arc("open", INITIAL, TURN, description="The first player acts."),
    Arc("lay", TURN, TURN, conditions=(is_held,), before=(lay_aside, next_player), description="A card is laid aside."),
    Arc("wait", TURN, TURN, unless=(hand_is_empty,), before=(next_player,), description="The player waits."),
    Arc("win", TURN, GAME_OVER, conditions=(hand_is_empty,), before=(win,), description="The hand is empty."),
)
PATIENT = Policy("patient", {TURN: (Choice("wait", "wait", description="whatever happens"),)})
HASTY = Policy("hasty", {TURN: (Choice("lay", "lowest card", card=lowest_card, description="one after another"),)})


def _waiting(starts_turn: bool) -> Declaration:
    """The game. starts_turn: whether positions are compared; nothing happens when one returns, in either case."""
    return Declaration(
        title="Waiting",
        **THREE_EACH,
        table=Table,
        facts=(Fact("clock", "clock"),),
        score=score,
        control={
            INITIAL: Control(forced=("open",)),
            TURN: Control(forced=("win",), offers=(Offer("lay", hand), Offer("wait")), starts_turn=starts_turn),
        },
        arcs=ARCS,
        policies=(PATIENT, HASTY, RANDOM, FIRST_LEGAL),
        invariants=(Invariant("nobody gives up", is_sound),),
        small_decks=(SmallDeck("2D 2C 3D 3C", 2, 2),),
    )


NOT_COMPARED = _waiting(starts_turn=False)
COMPARED = _waiting(starts_turn=True)
TICKING = replace(
    COMPARED,
    arcs=tuple(replace(arc, before=(*arc.before, tick)) if arc.trigger == "wait" else arc for arc in ARCS),
)
"""No position returns: the clock ticks."""
ONLY_WAITING = replace(
    TICKING,
    return_ends=True,
    control={**TICKING.control, TURN: replace(TICKING.control[TURN], offers=(Offer("lay", no_card), Offer("wait")))},
)
"""Random players, too, wait for ever, and all their positions are kept."""


@guard("the draw pile has cards")
def stock_is_empty(table: Table) -> bool:
    """The draw pile is empty."""
    return table.stock == 0


@guard("only the open card is uncovered")
def some_uncovered(table: Table) -> bool:
    """A card under the open one is uncovered."""
    return table.tail - table.head - table.stock > 1


@effect
def stir(table: Table) -> None:
    if roll(table, 2) == 1 and table.stock > 0:
        table.stock -= 1
    elif table.tail - table.head - table.stock > 1:
        table.stock += 1


@guard("the clock shows a multiple of 8")
def is_passed_over(table: Table) -> bool:
    """The player in turn may do nothing."""
    return table.clock % 8 != 0


@effect
def uncover(table: Table) -> None:
    """The lowest card of the draw pile comes to lie under the discard pile."""
    table.stock -= 1


@effect
def cover(table: Table) -> None:
    """The lowest card of the discard pile comes to lie under the draw pile."""
    table.stock += 1


UNCOVERING = replace(
    COMPARED,
    name="uncovering",
    title="Uncovering",
    return_ends=True,
    control={
        **COMPARED.control,
        TURN: Control(
            forced=("win", "stop"),
            offers=(Offer("lay", hand), Offer("uncover"), Offer("cover")),
            starts_turn=True,
        ),
    },
    arcs=(
        *(arc for arc in ARCS if arc.trigger != "wait"),
        Arc(
            "uncover",
            TURN,
            TURN,
            unless=(stock_is_empty, hand_is_empty),
            before=(uncover, next_player),
            description="The draw pile gets smaller.",
        ),
        Arc(
            "cover",
            TURN,
            TURN,
            conditions=(some_uncovered,),
            unless=(hand_is_empty,),
            before=(cover, next_player),
            description="The draw pile gets larger.",
        ),
        Arc(
            "stop",
            TURN,
            GAME_OVER,
            conditions=(position_returns,),
            before=(stop_endless,),
            description="The position returned.",
        ),
    ),
    policies=(HASTY, RANDOM),
    invariants=(),
)
"""Positions return whose draw pile has been smaller in between."""
SOME_END = replace(
    UNCOVERING,
    name="some-end",
    arcs=tuple(
        replace(arc, conditions=(*arc.conditions, some_uncovered)) if arc.trigger == "stop" else arc
        for arc in UNCOVERING.arcs
    ),
)
"""The game goes on where a position returns in which only the open card is uncovered."""
STIRRING = replace(
    UNCOVERING,
    name="stirring",
    control={
        **UNCOVERING.control,
        TURN: replace(UNCOVERING.control[TURN], offers=(Offer("lay", hand), Offer("stir"))),
    },
    arcs=(
        *(arc for arc in UNCOVERING.arcs if arc.trigger not in ("uncover", "cover")),
        Arc("stir", TURN, TURN, unless=(hand_is_empty,), before=(stir, next_player), description="A die moves a card."),
    ),
    policies=(
        Policy("stirring", {TURN: (Choice("stir", "stir", description="whatever happens"),)}),
        HASTY,
        RANDOM,
    ),
)
"""A die of the rules, not of a player, decides which position comes next."""
PASSING = replace(
    UNCOVERING,
    name="passing",
    control={**UNCOVERING.control, TURN: replace(UNCOVERING.control[TURN], forced=("win", "stop", "pass_over"))},
    arcs=(
        *(replace(arc, before=(*arc.before, tick)) if arc.trigger == "lay" else arc for arc in UNCOVERING.arcs),
        Arc(
            "pass_over",
            TURN,
            TURN,
            conditions=(is_passed_over,),
            before=(tick, next_player),
            description="Nothing happens in a turn.",
        ),
    ),
)
"""Many turns start without a choice after a card was laid."""
WAITING: tuple[type[Game], ...] = tuple(game_of(each) for each in (NOT_COMPARED, COMPARED, TICKING, ONLY_WAITING))
