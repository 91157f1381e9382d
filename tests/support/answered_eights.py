"""A house rule for tests: an eight may be answered by an eight, so a turn starts where no event is forced."""

from __future__ import annotations

from dataclasses import replace

from fsm.declaration.arcs import Arc, Choice, Control, Offer, Policy
from fsm.games.maumau.arcs import GAME_OVER, SKIP_PENDING
from fsm.games.maumau.game import MauMau
from rules.cards import EIGHT, RANK_CARDS, highest
from rules.maumau.game import MauMauTable, last_card, lay_card, next_player, win
from rules.rule import choice, guard, query

MAUMAU = MauMau.declaration
HOUSE = MAUMAU.policies[0]


@query
def eights_in_hand(table: MauMauTable) -> int:
    """The eights of the player in turn."""
    return table.hands[table.player] & RANK_CARDS << 4 * EIGHT


@guard("only another eight answers an active eight")
def answers_eight(table: MauMauTable) -> bool:
    """The card that is played is an eight of the player in turn."""
    return (eights_in_hand(table) >> table.card & 1) == 1


@guard("no eight in hand")
def holds_eight(table: MauMauTable) -> bool:
    """The player can answer the eight."""
    return eights_in_hand(table) != 0


@choice
def best_eight(table: MauMauTable) -> int:
    """An eight of the strongest suit."""
    return highest(eights_in_hand(table))


class AnsweredEights(MauMau):
    """Mau-Mau in which an eight is answered by an eight."""

    declaration = replace(
        MAUMAU,
        name="answered-eights",
        title="Mau-Mau with answered eights",
        arcs=(
            *MAUMAU.arcs,
            Arc("play", SKIP_PENDING, SKIP_PENDING, conditions=(answers_eight,), unless=(last_card,),
                before=(lay_card, next_player), description="Another."),
            Arc("play", SKIP_PENDING, GAME_OVER, conditions=(answers_eight, last_card), before=(lay_card, win),
                description="The last card."),
        ),
        control={
            **MAUMAU.control,
            SKIP_PENDING: Control((), (Offer("play", eights_in_hand), Offer("skip")), starts_turn=True),
        },
        policies=(
            Policy(
                "house",
                {
                    **HOUSE.choices,
                    SKIP_PENDING: (
                        Choice("play", "rule 1", (holds_eight,), best_eight, None, "an eight answers the eight"),
                        Choice("skip", description="there is no eight to answer with"),
                    ),
                },
            ),
            *MAUMAU.policies[1:],
        ),
    )  # fmt: skip
