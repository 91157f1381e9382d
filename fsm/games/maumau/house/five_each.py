"""Five cards each, however many play."""

from __future__ import annotations

from fsm.variants.edits import Means, Variant
from rules.maumau.house.five_each import five
from rules.maumau.table import cards_each

RULE = Variant("five-each", "Five cards each, however many play.", (Means(cards_each, five),))
