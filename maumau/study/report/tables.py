"""What reports are made of: sentences, and tables of plain values in columns of one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import floor, inf, isfinite, log10
from typing import Any

Value = str | int | float | None
Row = tuple[Value, ...]


class Kind(Enum):
    """What stands in a column, and so how it is written."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"
    NUMBER = "number"
    P_VALUE = "p-value"

    def written(self, value: Value, width: float = 0) -> str:
        """A value as people read it. width: of the interval that tells how many digits it has; 0: none does."""
        if value is None:
            return "-"
        if isinstance(value, str):
            return value
        return _WRITTEN[self](value, width) if isfinite(value) else "unknown"


def digits_of(width: float) -> int:
    """How many decimals of a figure its interval allows: two digits of the width of the interval."""
    return max(0, 1 - floor(log10(width))) if 0 < width < inf else 4


_WRITTEN: dict[Kind, Callable[[Any, float], str]] = {
    Kind.TEXT: lambda value, width: str(value),
    Kind.COUNT: lambda value, width: f"{value:,}",
    Kind.SHARE: lambda value, width: f"{100 * value:.{digits_of(100 * width)}f} %",
    Kind.NUMBER: lambda value, width: f"{value:,.{digits_of(width)}f}",
    Kind.P_VALUE: lambda value, width: f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}" if value else "< 1e-300",
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


LOW, HIGH = "from", "to"


def interval(kind: Kind = Kind.NUMBER) -> tuple[Column, Column]:
    """The columns of an interval."""
    return Column(LOW, kind), Column(HIGH, kind)


@dataclass(frozen=True)
class Section:
    """A table of a report. name: what commands and records call it. note: what must be known to read it. is_rounded:
    whether figures have no more digits than the interval of their row allows.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    is_rounded: bool = False

    def cells(self) -> list[list[str]]:
        """The rows as people read them."""
        kinds, titles = [column.kind for column in self.columns], [column.title for column in self.columns]
        low, high = (titles.index(title) if self.is_rounded else 0 for title in (LOW, HIGH))
        widths: list[Any] = [row[high] - row[low] if self.is_rounded else 0 for row in self.rows]  # type: ignore[operator]
        return [
            [kind.written(value, width) for kind, value in zip(kinds, row, strict=True)]
            for row, width in zip(self.rows, widths, strict=True)
        ]


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


def known(value: Any) -> Any:
    """Plain data with null for what is not finite."""
    if isinstance(value, dict):
        return {str(key): known(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [known(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
