"""The printed result of a game, as it is declared."""

from __future__ import annotations

from dataclasses import dataclass

from rules.rule import RuleFunction


@dataclass(frozen=True)
class ResultLines:
    """The printed result of a game: the cards laid, the scores, and numbers of the seats, a line each.

    laid: whether the cards laid are a line. scores: the text in front of the scores. marks: the numbers of a last line:
    a query (table, seat). always: whether scores and marks are printed of a game that nobody has won as well; else `No
    score: ` and how it ended are in place of both.
    """

    laid: bool = False
    scores: str = "Score: "
    marks: RuleFunction | None = None
    always: bool = False
