"""An eight is answered with an eight, and the skip passes on."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Choice, Control, Offer, SmallDeck
from fsm.games.maumau.arcs import GAME_OVER, LAST, SKIP_PENDING, stopping
from fsm.variants.edits import AddArcs, AddDeck, Decide, SetControl, Variant
from rules.cards import RANK_CARDS, highest
from rules.maumau.finish import last_card, win
from rules.maumau.table import MauMauTable
from rules.maumau.turn import lay_card, next_player
from rules.rule import choice, guard, query


@query
def skip_answers(table: MauMauTable) -> int:
    """The cards of the player in turn that answer the open card: those of its rank."""
    return table.hands[table.player] & RANK_CARDS << (table.open_card & ~3)


@guard("only a card of the rank of {open_card} passes the skip on")
def answers_skip(table: MauMauTable) -> bool:
    """The card that is played answers the open one."""
    return (skip_answers(table) >> table.card & 1) == 1


@guard("no card to answer with")
def holds_skip_answer(table: MauMauTable) -> bool:
    """Rule 1 applies: the player can answer."""
    return skip_answers(table) != 0


@choice
def best_skip_answer(table: MauMauTable) -> int:
    """Rule 1: answer, by rule 6 with the strongest suit."""
    return highest(skip_answers(table))


PASSED_ON = "The skip is answered and passes on to the next player."
ANSWER = Choice("play", "rule 1", (holds_skip_answer,), best_skip_answer, None, "the skip is answered")

RULE = Variant(
    "eights-answered",
    "If an eight would skip you, you may answer with an eight; the skip passes on.",
    (
        AddArcs((
            Arc("play", SKIP_PENDING, SKIP_PENDING, when=(answers_skip,), unless=(last_card,),
                then=(lay_card, next_player), description=PASSED_ON),
            Arc("play", SKIP_PENDING, GAME_OVER, when=(answers_skip, last_card),
                then=(lay_card, win), description=LAST),
            stopping(SKIP_PENDING),
        )),
        SetControl(SKIP_PENDING, Control(("abandon",), (Offer("play", skip_answers), Offer("skip")), starts_turn=True)),
        Decide(SKIP_PENDING, (ANSWER, Choice("skip", description="there is no card to answer with"))),
        AddDeck(SmallDeck("DQ DE HE SE DK", 2, 1)),
    ),
    {"cover-eight": "a covered eight skips nobody, so there is nothing to answer"},
)  # fmt: skip
