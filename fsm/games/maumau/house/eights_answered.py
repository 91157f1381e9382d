"""An eight is answered with an eight, and the skip passes on."""

from __future__ import annotations

from fsm.games.maumau.arcs import AGAIN, LAST, SKIP_PENDING, laid
from fsm.variants import AddDeck, Choice, Decide, Reword, SmallDeck, Variant, forced, in_phase, on, turn
from rules.cards import RANK_CARDS, WHOLE_DECK, highest
from rules.maumau.game import MauMauTable
from rules.rule import Reason, among, choice, guard, query


@query
def skip_answers(table: MauMauTable) -> int:
    """The cards of the player in turn that answer the open card: those of its rank."""
    return table.hands[table.player] & RANK_CARDS << (table.open_card & ~3)


@query
def cards_of_other_ranks(table: MauMauTable) -> int:
    """The cards that are not of the rank of the open card."""
    return WHOLE_DECK & ~(RANK_CARDS << (table.open_card & ~3))


answers_skip = among(
    skip_answers, "answers_skip",
    Reason("only a card of the rank of {open_card} passes the skip on", cards_of_other_ranks),
    "The card that is played answers the open one.")  # fmt: skip


@guard("no card to answer with")
def holds_skip_answer(table: MauMauTable) -> bool:
    """Rule 1 applies: the player can answer."""
    return skip_answers(table) != 0


@choice
def best_skip_answer(table: MauMauTable) -> int:
    """Rule 1: answer, by rule 6 with the strongest suit."""
    return highest(skip_answers(table))


PASSED_ON = on("play", SKIP_PENDING, rule="The skip is answered and passes on to the next player.")
ANSWER = Choice("play", "rule 1", (holds_skip_answer,), best_skip_answer, None, "the skip is answered")

RULE = Variant(
    "eights-answered",
    "If an eight would skip you, you may answer with an eight; the skip passes on.",
    (
        *in_phase(SKIP_PENDING, turn(laid(answers_skip, PASSED_ON, last=LAST), "skip") | forced(AGAIN), instead=True),
        Decide(SKIP_PENDING, (ANSWER, Choice("skip", description="there is no card to answer with"))),
        Reword("the next player is skipped.", "the next player answers it or is skipped."),
        AddDeck(SmallDeck("DQ DE HE SE DK", 2, 1)),
    ),
    {"cover-eight": "a covered eight skips nobody, so there is nothing to answer"},
)
