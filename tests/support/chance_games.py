"""Small games that are put together by chance: what players may do, when, and what follows."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from three_cards import hand, next_player
from waiting import (
    ARCS,
    HASTY,
    INITIAL,
    PATIENT,
    TURN,
    UNCOVERING,
    Table,
    cover,
    hand_is_empty,
    some_uncovered,
    stir,
    stock_is_empty,
    uncover,
)

from fsm import Arc, Control, Declaration, Offer
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from rules.chance import roll
from rules.piles import take_top, turn_over
from rules.rule import RuleFunction, effect, guard


@effect
def turn_clock(table: Table) -> None:
    table.clock = (table.clock + 1) % 3


@effect
def set_clock(table: Table) -> None:
    table.clock = roll(table, 2)


@effect
def draw(table: Table) -> None:
    table.hands[table.player] |= 1 << take_top(table)


@effect
def turn_pile(table: Table) -> None:
    turn_over(table)


@guard("the clock shows 0")
def clock_is_set(table: Table) -> bool:
    """The clock does not show 0."""
    return table.clock != 0


@guard("the first player is not in turn")
def first_acts(table: Table) -> bool:
    """The first player is in turn."""
    return table.player == 0


@guard("the player holds more cards")
def holds_few(table: Table) -> bool:
    """The player in turn holds one or two cards."""
    return table.hands[table.player].bit_count() < 3


Piece = tuple[tuple[RuleFunction, ...], tuple[RuleFunction, ...], tuple[RuleFunction, ...]]
PIECES: dict[str, Piece] = {
    "cover": ((some_uncovered,), (), (cover,)),
    "draw": ((), (stock_is_empty,), (draw,)),
    "flip": ((some_uncovered, stock_is_empty), (), (turn_pile,)),
    "rest": ((), (), ()),
    "set": ((), (), (set_clock,)),
    "stir": ((), (), (stir,)),
    "tick": ((), (), (turn_clock,)),
    "uncover": ((), (stock_is_empty,), (uncover,)),
}
"""What may happen in a turn: what must hold, what must not, and what is done."""
ROLLING = {"set", "stir"}
GUARDS = clock_is_set, first_acts, holds_few


def game_by_chance(seed: int) -> Declaration:
    """Return a game that ends: cards are laid aside, and where dice let no position return for good, any return is
    the end.
    """
    random = Random(seed)
    names = random.sample(sorted(PIECES), random.randint(1, 3))
    arcs, offers = (
        [arc for arc in UNCOVERING.arcs if arc.trigger in ("open", "lay", "win", "stop")],
        [Offer("lay", hand)],
    )
    for name in names:
        must, must_not, done = PIECES[name]
        for each in GUARDS:
            if random.random() < 0.2:
                must, must_not = random.choice((((*must, each), must_not), (must, (*must_not, each))))
        changes = {"conditions": must, "unless": (*must_not, hand_is_empty), "before": (*done, next_player)}
        arcs.append(Arc(name, TURN, TURN, **changes, description="It is done."))
    arcs.append(next(arc for arc in ARCS if arc.trigger == "wait"))
    offers += map(Offer, (*names, "wait"))
    random.shuffle(offers)
    return replace(
        UNCOVERING,
        name=f"by-chance-{seed}",
        return_ends=bool(ROLLING.intersection(names)) or random.random() < 0.6,
        control={
            INITIAL: Control(forced=("open",)),
            TURN: Control(forced=("win", "stop"), offers=tuple(offers), starts_turn=True),
        },
        arcs=tuple(arcs),
        policies=(PATIENT, HASTY, RANDOM, FIRST_LEGAL),
        small_decks=(),
    )
