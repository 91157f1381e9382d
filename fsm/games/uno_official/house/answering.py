"""What both stacking rules share: cards due add up, and the next player answers with a card or draws them all."""

from __future__ import annotations

from typing import Any

from fsm.declaration.arcs import Arc, Choice, Control, Effects, Invariant, Offer, Phase, Postcondition
from fsm.declaration.facts import Look
from fsm.games.uno_official.arcs import DRAW_PENDING, EFFECT_PENDING, UNO_CALL
from fsm.games.uno_official.house.where import decide
from fsm.variants import edits
from fsm.variants.edits import Arcs, Check, Means
from fsm.variants.made import added_phase
from rules.invariants import all_hold_cards, card_in_piles
from rules.rule import Effect, among, choice, effect, guard, query
from rules.uno.cards import COLOUR_CARDS, DRAW_TWOS, highest
from rules.uno.game import draw_two
from rules.uno.invariants import penalty_of
from rules.uno_official import game, invariants, postconditions
from rules.uno_official.game import VICTIM, UnoOfficialTable, leaves_one_card, victim
from rules.uno_official.invariants import nothing_drawn


class Stacking(UnoOfficialTable):
    """A table on which the cards due for several cards add up."""

    total: int


MOST_DUE = 98


@query
def answers(table: Stacking) -> int:
    """The cards of the player who acts that answer the open card: draw twos."""
    return table.hands[table.player] & DRAW_TWOS


answers_draw = among(answers, "answers_draw", "{card} does not answer {open_card}",
                     "The card answers the open one.")  # fmt: skip


@guard("no card to answer with")
def can_answer(table: Stacking) -> bool:
    """A card is held that answers the open one."""
    return answers(table) != 0


@choice
def best_answer(table: Stacking) -> int:
    """A draw two, of the current colour before others, then the first in the alphabet; without one a wild draw four."""
    cards = answers(table)
    draw_twos = cards & DRAW_TWOS
    if draw_twos == 0:
        return highest(cards)
    of_colour = draw_twos & COLOUR_CARDS[table.colour]
    return highest(of_colour if of_colour != 0 else draw_twos)


@query
def adds(card: int) -> int:
    """How many cards a card adds to the total."""
    return penalty_of(card) if DRAW_TWOS >> card & 1 == 1 else 0


@effect
def add_to_total(table: Stacking) -> None:
    """The card that lies open adds to the total, as far as a fact can count.

    Silent players who are caught draw the pile that is turned, and may answer with it for ever.
    """
    table.total = min(table.total + adds(table.open_card), MOST_DUE)


@effect
def total_is_due(table: Stacking) -> None:
    """The whole total is due from the player in turn."""
    table.due = table.total
    table.why = VICTIM


@effect
def forget_total(table: Stacking) -> None:
    """The total is drawn, or the challenge is over: nothing is left of it."""
    table.total = 0


@query
def total_demanded(table: Stacking) -> int:
    """How many cards the open card demands, with those that it was laid on."""
    return table.total if table.total > 0 else penalty_of(table.open_card)


@query
def total_is_of_the_top_cards(table: Stacking) -> bool:
    """The total is the sum of some cards in a row on top of the discard pile that make somebody draw, those that the
    turning of the pile has moved included.
    """
    left, index = table.total, table.tail - table.head - 1
    while left > 0 and index >= table.stock and adds(card_in_piles(table, index)) > 0:
        left -= adds(card_in_piles(table, index))
        index -= 1
    return left == 0 or (left > 0 and index < table.stock)


@query
def no_total(table: Stacking) -> bool:
    """No cards add up."""
    return table.total == 0


@query
def answer_is_possible(table: Stacking) -> bool:
    """Somebody is in turn for whom the open card makes cards due: nobody has laid it, or another player has."""
    return table.total > 0 and table.player == table.turn != table.laid_by


@query
def opening_total(before: Stacking, after: Stacking) -> bool:
    """An opening draw two may be answered, so that nothing is due yet."""
    return after.total == adds(before.open_card) and nothing_drawn(after)


@query
def last_card_makes_draw(before: Stacking, after: Stacking) -> bool:
    """All that the last card demands is due from the next player."""
    demanded = after.due == total_demanded(before) and after.why == VICTIM
    return demanded and penalty_of(before.open_card) > 0 and before.hands[before.turn] == 0


@query
def card_adds_to_total(before: Stacking, after: Stacking) -> bool:
    """The card that is laid adds its cards to the total, as far as a fact can count."""
    return after.total == min(before.total + adds(after.open_card), MOST_DUE)


@query
def total_stays(before: Stacking, after: Stacking) -> bool:
    """The total stays."""
    return after.total == before.total


ANSWER_PENDING = added_phase("answer-pending")
A_STACKED = "A draw two: the next player answers it, or draws all that is due."
ANSWER = Choice("play", "answer", (can_answer,), best_answer, description="the open card is answered")
ACCEPT = Choice("accept", "answer", description="there is no card to answer with")
DECLINE = Choice("accept", "hoard", description="it does not answer")


def answer_arcs(phase: Phase, *first: Effect[Any]) -> tuple[Arc, ...]:
    """The arcs by which the open card is answered in a phase. first: effects before the card is laid."""
    effects: Effects = (*first, game.lay_card)
    return (
        Arc("play", phase, UNO_CALL, conditions=(answers_draw, leaves_one_card), before=effects,
            description="The open card is answered; a player who has one card left calls or stays silent first."),
        Arc("play", phase, EFFECT_PENDING, conditions=(answers_draw,), unless=(leaves_one_card,), before=effects,
            description="The open card is answered: what is due adds up."),
    )  # fmt: skip


def stacking(*first: Effect[Any]) -> tuple[edits.Edit, ...]:
    """The edits by which a draw two is answered. first: effects before an answer is laid."""
    return (
        edits.AddField("total"),
        edits.Show(Look(number_facts={"total": ("", "{} cards in all")})),
        edits.AddPhase(ANSWER_PENDING, Control(offers=(Offer("play", answers), Offer("accept", always=True)))),
        edits.AddArcs((
            *answer_arcs(ANSWER_PENDING, *first),
            Arc("accept", ANSWER_PENDING, DRAW_PENDING, before=(total_is_due,),
                description="All that is due is drawn."),
            Arc("take_effect", EFFECT_PENDING, DRAW_PENDING, conditions=(draw_two, game.out),
                before=(game.victim_in_turn, total_is_due),
                description="A draw two as last card is not answered: the next player draws all that is due."),
        )),
        edits.ChangeArcs(Arcs("open", conditions=(draw_two,)), dest=ANSWER_PENDING, before=(add_to_total,),
                         description="A draw two is open: the first player answers it, or draws two cards."),
        edits.ChangeArcs(Arcs("take_effect", conditions=(draw_two,), but=Arcs(conditions=(game.out,))),
                         unless=(game.out,), dest=ANSWER_PENDING, before=(game.victim_in_turn,),
                         description=A_STACKED),
        edits.ChangeArcs(Arcs("play"), put_after=((game.lay_card, (add_to_total,)),)),
        edits.ChangeArcs(Arcs("pass_turn", conditions=(victim,)), put_before=((game.next_player, (forget_total,)),)),
        *decide(ANSWER_PENDING, ANSWER, ACCEPT, hoarder=(DECLINE,)),
        Means(invariants.demanded, total_demanded),
        Means(postconditions.nothing_is_due_but_for_a_draw_two, opening_total),
        Means(postconditions.is_drawing, last_card_makes_draw),
        edits.Reword("four cards are accepted", "all that is due is accepted"),
        edits.Reword("only an opening draw two makes cards due", "an opening draw two counts, and nothing is due yet"),
        Check(Invariant("the total is of cards in a row on top of the discard pile", total_is_of_the_top_cards)),
        Check(Invariant("a turn begins without a total", no_total, ("await-play", "drawn-choice", "skip-pending"))),
        Check(Invariant("a player who answers is in turn, and has not laid the open card", answer_is_possible,
                        (ANSWER_PENDING,))),
        Check(Invariant("while somebody may answer all hold cards", all_hold_cards, (ANSWER_PENDING,))),
        Check(Invariant("while somebody may answer nothing is due", invariants.nothing_drawn, (ANSWER_PENDING,))),
        Check(Postcondition("a card that is laid adds to the total", card_adds_to_total, ("play",))),
        Check(Postcondition("nothing else adds to the total", total_stays,
                            ("draw", "call", "stay_silent", "catch", "let_pass", "accept", "skip", "take", "run_out",
                             "lapse", "turn_pile", "look"))),
        Check(Postcondition("the player after an answer is in turn", postconditions.next_in_turn,
                            ("take_effect",), (ANSWER_PENDING,))),
    )  # fmt: skip
