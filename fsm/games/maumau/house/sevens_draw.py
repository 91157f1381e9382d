"""A seven makes the next player draw another number of cards."""

from __future__ import annotations

from fsm.variants import Constant, Family, Means, Reword, Variant
from rules.maumau.game import FOR_EACH_SEVEN, MauMauTable, add_two
from rules.rule import effect

NUMBERS = ("one", "two", "three", "four")
USUAL = FOR_EACH_SEVEN


@effect
def add_for_seven(table: MauMauTable) -> None:
    """As many more cards are due as a seven makes."""
    table.due += FOR_EACH_SEVEN


def phrases(number: int) -> tuple[str, ...]:
    """The phrases in which the game says how many cards a seven makes due."""
    word, cards, are = NUMBERS[number - 1], "card" if number == 1 else "cards", "is" if number == 1 else "are"
    return f"draws {word} {cards}", f"{word} {cards} {are} due", f"penalty {word} for", f"makes {word} more {cards} due"


def rule(number: int) -> Variant:
    """Return the rule by which a seven makes the next player draw `number` cards."""
    cards, usual = (f"{NUMBERS[each - 1]} card{'' if each == 1 else 's'}" for each in (number, USUAL))
    edits = (
        Means(add_two, add_for_seven),
        Constant("FOR_EACH_SEVEN", number),
        *(Reword(old, new) for old, new in zip(phrases(USUAL), phrases(number), strict=True)),
    )
    return Variant(
        f"sevens-draw-{number}",
        f"A seven makes the next player draw {cards}{', as ever' if number == USUAL else f' instead of {usual}'}.",
        edits if number != USUAL else (),
        {"sevens-draw-*": "two numbers for one penalty"},
    )


RULES = Family("sevens-draw", 1, len(NUMBERS), 3, rule)
