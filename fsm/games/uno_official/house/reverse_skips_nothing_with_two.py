"""With two players a reverse gives no second turn."""

from __future__ import annotations

from fsm.games.uno_official.arcs import AWAIT_PLAY, SKIP_PENDING
from fsm.variants.edits import Arcs, ChangeArcs, Means, Variant
from rules.rule import query
from rules.uno.cards import NUMBERS, REVERSES, SKIPS
from rules.uno.game import reverse
from rules.uno_official import invariants, postconditions
from rules.uno_official.game import UnoOfficialTable
from rules.uno_official.invariants import is_open, is_out


@query
def skip_is_open(table: UnoOfficialTable) -> bool:
    """A skip is open."""
    return is_open(table, SKIPS)


@query
def number_or_any_reverse(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A number or a reverse is open; who laid it is not out."""
    return not is_out(before) and is_open(before, NUMBERS | REVERSES)


RULE = Variant(
    "reverse-skips-nothing-with-two",
    "With two players a reverse gives no second turn.",
    (
        ChangeArcs(Arcs("open", dest=SKIP_PENDING, conditions=(reverse,)), dest=AWAIT_PLAY,
                   description="A reverse of two players is open: the first player begins."),
        ChangeArcs(Arcs("take_effect", dest=SKIP_PENDING, conditions=(reverse,)), dest=AWAIT_PLAY,
                   description="A reverse: of two players the other one is next."),
        Means(invariants.turn_is_missed, skip_is_open),
        Means(postconditions.number_or_reverse, number_or_any_reverse),
    ),
)  # fmt: skip
