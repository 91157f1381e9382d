"""Other scores."""

from __future__ import annotations

from fsm.variants.edits import Means, Variant
from rules.maumau.finish import score
from rules.maumau.house.scores import other_score

RULE = Variant(
    "other-scores",
    "Ace 11, ten 10, king 4, queen 3, jack 2, the rest nothing.",
    (Means(score, other_score),),
)
