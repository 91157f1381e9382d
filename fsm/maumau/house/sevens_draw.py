"""A seven makes the next player draw another number of cards."""

from __future__ import annotations

from fsm.maumau.arcs import A_SEVEN
from fsm.variants.edits import Arcs, ChangeArcs, Constant, Means, Variant
from fsm.variants.rulebook import Family
from rules.maumau import seven
from rules.maumau.house.sevens import add_for_seven

NUMBERS = ("one card", "two cards", "three cards", "four cards")
USUAL = seven.FOR_EACH_SEVEN


def rule(number: int) -> Variant:
    """The rule by which a seven makes the next player draw `number` cards."""
    cards = NUMBERS[number - 1]
    edits = (
        ChangeArcs(Arcs(then=(seven.add_two,)), description=A_SEVEN.replace(NUMBERS[USUAL - 1], cards)),
        Means(seven.add_two, add_for_seven),
        Constant("FOR_EACH_SEVEN", number),
    )
    return Variant(
        f"sevens-draw-{number}",
        f"A seven makes the next player draw {cards} instead of {NUMBERS[USUAL - 1]}."
        if number != USUAL
        else f"A seven makes the next player draw {cards}, as ever.",
        () if number == USUAL else edits,
        {"sevens-draw-*": "two numbers for one penalty"},
    )


RULES = Family("sevens-draw", 1, len(NUMBERS), 3, rule)
