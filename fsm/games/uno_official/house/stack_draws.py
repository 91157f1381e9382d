"""A draw two and a wild draw four are answered, and the cards add up."""

from __future__ import annotations

from fsm.declaration.arcs import Invariant, Offer, Postcondition, SmallDeck
from fsm.declaration.facts import Look
from fsm.games.uno_official.arcs import CHALLENGE_PENDING
from fsm.games.uno_official.house.answering import (
    ANSWER,
    ANSWER_PENDING,
    Stacking,
    adds,
    answer_arcs,
    answers,
    forget_total,
    stacking,
    total_is_due,
)
from fsm.games.uno_official.house.where import decide
from fsm.games.uno_official.players import HOUSE
from fsm.variants import edits
from fsm.variants.edits import Arcs, Check, Means
from rules.rule import effect, guard, query
from rules.uno.cards import DRAW_TWOS, NO_COLOUR, WILD_DRAW_FOURS, one_of
from rules.uno.invariants import penalty_of
from rules.uno_official import asked, game, postconditions
from rules.uno_official.game import guilt
from rules.uno_official.invariants import draw_four_has_colour_before, may_be_challenged
from rules.uno_official.postconditions import guilt_is_settled


class Answering(Stacking):
    """A table that knows whether the open wild draw four is an answer, which nobody challenges."""

    answering: int


@query
def answers_with_wilds(table: Answering) -> int:
    """The cards that answer the open one: wild draw fours, and draw twos on a draw two."""
    hand = table.hands[table.player]
    draw_twos = hand & DRAW_TWOS if DRAW_TWOS >> table.open_card & 1 == 1 else 0
    return draw_twos | one_of(hand & WILD_DRAW_FOURS)


@effect
def settle_answer(table: Answering) -> None:
    """A wild draw four that is an answer is never challenged: nobody is guilty."""
    if WILD_DRAW_FOURS >> table.card & 1 == 1:
        table.answering = 1
        table.guilty = 0
        table.colour_before = NO_COLOUR


@guard("the wild draw four is not an answer")
def answering(table: Answering) -> bool:
    """The open wild draw four is an answer."""
    return table.answering == 1


@effect
def forget_answer(table: Answering) -> None:
    """The total is drawn: the open card is not an answer any more."""
    forget_total(table)
    table.answering = 0


@query
def adds_any(card: int) -> int:
    """How many cards a card adds to the total: two for a draw two, four for a wild draw four."""
    return penalty_of(card)


@query
def answer_is_a_wild_draw_four(table: Answering) -> bool:
    """No answer but a wild draw four is known as one, which was laid on another card that makes somebody draw."""
    if table.answering == 0:
        return True
    four = WILD_DRAW_FOURS >> table.open_card & 1 == 1
    return table.answering == 1 and four and table.total > penalty_of(table.open_card)


@query
def colour_before_unless_answer(table: Answering) -> bool:
    """Of a wild draw four that takes effect the colour before is known, unless it is an answer."""
    return table.answering == 1 or draw_four_has_colour_before(table)


@query
def may_be_challenged_unless_answer(table: Answering) -> bool:
    """The open wild draw four can be challenged wrongly: it is not an answer."""
    return table.answering == 0 and may_be_challenged(table)


@query
def guilt_of_no_answer(before: Answering, after: Answering) -> bool:
    """Guilt is settled when a card is laid in a turn; nobody is guilty of an answer."""
    if after.answering == 1:
        return after.guilty == 0 and after.colour_before == NO_COLOUR
    return guilt_is_settled(before, after)


HOUSE_CHALLENGE = (ANSWER, *HOUSE.choices[CHALLENGE_PENDING])

RULE = edits.Variant(
    "stack-draws",
    "A draw two may be answered with a draw two or a wild draw four, a wild draw four with a wild draw four.",
    (
        *stacking(settle_answer),
        edits.AddField("answering"),
        edits.Show(Look(number_facts={"answering": ("an answer", "")})),
        edits.AddArcs(answer_arcs(CHALLENGE_PENDING, settle_answer)),
        edits.Allow(CHALLENGE_PENDING, Offer("play", answers)),
        edits.SplitArcs(Arcs("name", dest=CHALLENGE_PENDING), answering,
                        "A wild draw four that is an answer is not challenged: the next player may answer in turn.",
                        dest=ANSWER_PENDING),
        *decide(CHALLENGE_PENDING, *HOUSE_CHALLENGE, hoarder=HOUSE.choices[CHALLENGE_PENDING])[:-1],
        edits.ChangeArcs(Arcs("resume", conditions=(guilt,)), put_before=((game.same_player, (forget_total,)),)),
        Means(answers, answers_with_wilds),
        Means(adds, adds_any),
        Means(forget_total, forget_answer),
        Means(asked.victim_draws_four, total_is_due),
        Means(draw_four_has_colour_before, colour_before_unless_answer),
        Means(may_be_challenged, may_be_challenged_unless_answer),
        Means(guilt_is_settled, guilt_of_no_answer),
        Check(Invariant("an answer is a wild draw four on what makes somebody draw", answer_is_a_wild_draw_four)),
        Check(Postcondition("the player after an answer goes on", postconditions.next_in_turn, ("name",),
                            (ANSWER_PENDING,))),
        edits.AddDeck(SmallDeck("WC WF R1 WF WF", 2, 1)),
        edits.AddDeck(SmallDeck("WF WF R1 Y1 Y2", 2, 2)),
    ),
    {"stack-draw-two": "they differ on what answers a D: a D alone, or a WF too"},
)  # fmt: skip
