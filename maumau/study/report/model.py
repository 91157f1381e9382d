"""A report, whatever it is shown as: sentences, tables of plain values in columns of one kind, and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maumau.study.summary import Findings

Value = str | int | float | None
Row = tuple[Value, ...]


class Kind(Enum):
    """What stands in a column, and so how it is written."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"
    NUMBER = "number"
    P_VALUE = "p-value"

    def written(self, value: Value) -> str:
        """A value as people read it."""
        if value is None:
            return "-"
        if isinstance(value, str):
            return value
        return _WRITTEN[self](value) if isfinite(value) else "unknown"


_WRITTEN: dict[Kind, Callable[[Any], str]] = {
    Kind.TEXT: str,
    Kind.COUNT: lambda value: f"{value:,}",
    Kind.SHARE: lambda value: f"{100 * value:.4f} %",
    Kind.NUMBER: lambda value: f"{value:,.4f}",
    Kind.P_VALUE: lambda value: f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}" if value else "< 1e-300",
}


@dataclass(frozen=True)
class Column:
    """A column of a table. key: whether it identifies its row."""

    title: str
    kind: Kind = Kind.NUMBER
    key: bool = False


def text(title: str) -> Column:
    """A column of text that identifies its row."""
    return Column(title, Kind.TEXT, key=True)


def interval(kind: Kind = Kind.NUMBER) -> tuple[Column, Column]:
    """The columns of an interval."""
    return Column("from", kind), Column("to", kind)


@dataclass(frozen=True)
class Section:
    """A table of a report. name: what commands and records call it. note: what must be known to read it."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""

    def cells(self) -> list[list[str]]:
        """The rows as people read them."""
        kinds = [column.kind for column in self.columns]
        return [[kind.written(value) for kind, value in zip(kinds, row, strict=True)] for row in self.rows]


@dataclass(frozen=True)
class Report:
    """A report. title: the study in one sentence. remark: what was found, in a sentence, if that can be said. ended:
    whether all games were played, in a sentence, if not as expected. intervals: what they are. plain: all figures as
    plain data. pictures: those of a section, by its name, as HTML. is_closed: whether a section says what the intervals
    are and whether all games were played.
    """

    title: str
    remark: str
    ended: str
    intervals: str
    sections: tuple[Section, ...]
    plain: Mapping[str, Any]
    pictures: Callable[[str], Iterable[str]] = lambda name: ()
    is_closed: bool = False

    def sentences(self) -> str:
        """What was found, and whether all games were played."""
        return " ".join(filter(None, (self.remark, self.ended)))


def completion(found: Findings) -> str:
    """Whether the study played all its games, in a sentence."""
    spec = found.spec
    wins = "wins" if spec.compared_with is None else "differences of wins"
    games = f"{found.games:,} {spec.units}"
    if not found.finished:
        return f"Unfinished: {found.games:,} of {spec.games:,} {spec.units} so far."
    if found.stopped:
        return f"Stopped after {games}: all intervals of {wins} are at most {spec.until_width} wide."
    if spec.until_width is not None:
        return f"After all {games}: see whether all intervals of {wins} are {spec.until_width} wide."
    return ""


def plain_head(found: Findings, intervals: str, **more: int) -> dict[str, Any]:
    """What all reports say first, as plain data. more: numbers that follow that of the games."""
    return {
        "question": found.spec.as_json(),
        "games": found.games,
        **more,
        "finished": found.finished,
        "stopped_early": found.stopped,
        "intervals": intervals,
    }


def known(value: Any) -> Any:
    """Plain data with null for what is not finite."""
    if isinstance(value, dict):
        return {str(key): known(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [known(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
