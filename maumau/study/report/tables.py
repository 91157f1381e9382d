"""What reports are made of: sentences, tables of plain values in columns of one kind, and plots.

Plots are SVG that takes its colours from the page, to be read on light and on dark ground.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from enum import Enum
from html import escape
from io import StringIO
from itertools import count
from math import floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any

from fsm.edge.numbers import np
from fsm.registry import game_class
from maumau.study.summary import Distribution, RuleComparison, Summary
from render.diagram import DiagramError, Overlay, render
from render.diagram.dot import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Value = str | int | float | None
Row = tuple[Value, ...]


class ColumnKind(Enum):
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


_WRITTEN: dict[ColumnKind, Callable[[Any, float], str]] = {
    ColumnKind.TEXT: lambda value, width: str(value),
    ColumnKind.COUNT: lambda value, width: f"{value:,}",
    ColumnKind.SHARE: lambda value, width: f"{100 * value:.{digits_of(100 * width)}f} %",
    ColumnKind.NUMBER: lambda value, width: f"{value:,.{digits_of(width)}f}",
    ColumnKind.P_VALUE: lambda value, width: (
        f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}" if value else "< 1e-300"
    ),
}


@dataclass(frozen=True)
class Column:
    """A column of a table. key: whether it identifies its row."""

    title: str
    kind: ColumnKind = ColumnKind.NUMBER
    key: bool = False


def text(title: str) -> Column:
    """A column of text that identifies its row."""
    return Column(title, ColumnKind.TEXT, key=True)


LOW, HIGH = "from", "to"


def interval(kind: ColumnKind = ColumnKind.NUMBER) -> tuple[Column, Column]:
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
class StudyReport:
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


# ---------------------------------------------------------------- plots


INK, HUES = "#010203", ("#010204", "#010205", "#010206", "#010207")
"""Colours that stand for those of the page: text and axes, and rows of data."""
MAX_BARS = 100
"""Bars of a histogram, at most, about: values are put into bins of 1, 2, 5, 10, 20, 50, ... values."""
LONGEST_LABEL = 32
"""Characters of a label beside a plot, at most: a longer one leaves no room for the plot."""
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "maumau",
    "font.size": 10,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
}


def pictures(summary: Summary, name: str) -> Iterator[str]:
    """The plots that belong to a section, as HTML; of arcs, how often each was fired as a picture of the machine."""
    if name == "wins":
        yield _figure(win_rates(summary), "wins")
    elif name == "lengths":
        for index, seating in enumerate(summary.seatings):
            if len(summary.seatings) > 1:
                yield f"<h3>{escape(', '.join(seating.policies))}</h3>"
            figures = [_figure(histogram(each), f"{index}-{number}") for number, each in enumerate(seating.histograms)]
            yield '<div class="row">\n' + "\n".join(figures) + "\n</div>"
    elif name == "chains":
        yield _figure(chains(summary), "chains")
    elif name == "arcs":
        with suppress(DiagramError):  # nothing is installed that draws
            spec = summary.spec
            shown = Overlay.of_traffic(summary.fired, summary.played, spec.policies, spec.seed)
            drawn = render(game_class(spec.game).declaration, "svg", shown)
            yield f'<figure class="machine">\n{drawn!s}\n</figure>'


def _figure(svg: str, name: str) -> str:
    """A plot; its own identifiers are made those of the page."""
    for mark in ('id="', "url(#", 'href="#'):
        svg = svg.replace(mark, f"{mark}plot-{name}-")
    return f"<figure>\n{svg}\n</figure>"


def win_rates(summary: Summary) -> str:
    """The share of wins of each seat with its interval, a row a seat; and the share if luck were equal."""
    policies = list(dict.fromkeys(summary.spec.policies))
    rows = [
        (
            f"seat {seat.seat}, {_label(seat.policy)}",
            *(100 * value for value in (seat.wins.share, seat.wins.low, seat.wins.high)),
            HUES[policies.index(seat.policy) % len(HUES)],
        )
        for seating in summary.seatings
        for seat in seating.seats
    ]
    return _intervals(rows, 100 / summary.spec.players, "wins in %, with intervals; dotted: an equal share")


def changes(found: RuleComparison) -> str:
    """The change of each figure under other rules, in per cent of what it is under the first, with its interval."""
    rows = []
    for each in found.differences:
        if each.one:
            mean, low, high = (100 * value / each.one for value in astuple(each.difference)[:3])
            rows.append((each.figure, mean, low, high, HUES[0] if low > 0 or high < 0 else INK))
    words = "change in %, with intervals; in colour where chance does not explain it"
    return _figure(_intervals(rows, 0, words), "changes")


def _intervals(rows: Sequence[tuple[Any, ...]], dotted: float, words: str) -> str:
    """Figures with their intervals, one in a row, and a line. rows: the label, the figure, from, to, the colour. words:
    what is shown.
    """

    def draw(axes: Axes) -> None:
        for row, (_, value, low, high, hue) in enumerate(rows):
            axes.plot([low, high], [row, row], color=hue, linewidth=3, solid_capstyle="butt")
            axes.plot(value, row, "o", color=hue, markersize=5)
        axes.axvline(dotted, color=INK, linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(rows)), [label for label, *_ in rows])
        axes.invert_yaxis()
        axes.set_xlabel(words)

    return _drawn(draw, 7, 0.9 + 0.28 * len(rows))


def histogram(distribution: Distribution) -> str:
    """The share of games by value, or by bin of values, up to the value that one game in a thousand exceeds."""
    from matplotlib.ticker import MaxNLocator

    def draw(axes: Axes) -> None:
        counts = distribution.histogram
        counted = np.cumsum(counts)
        end = int(counted.searchsorted(counted[-1] - counted[-1] // 1000)) + 1
        widths = (digit * 10**power for power in count() for digit in (1, 2, 5))
        width = next(width for width in widths if end - distribution.least <= width * MAX_BARS)
        starts = range(distribution.least // width * width, end, width)
        shares = [100 * sum(counts[start : start + width]) / sum(counts) for start in starts]
        middles = [start + (width - 1) / 2 for start in starts]
        axes.bar(middles, shares, width=0.9 * width, color=HUES[0])
        axes.axvline(distribution.mean.mean, color=INK, linewidth=0.8, linestyle=":")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        bins = f" in bins of {width:,}" if width > 1 else ""
        axes.set_xlabel(f"{distribution.name}{bins}; dotted: the mean, {distribution.mean.mean:,.2f}")
        axes.set_ylabel("games in %")

    return _drawn(draw, 4.6, 2.6)


def chains(summary: Summary) -> str:
    """The share of chains by length."""

    def draw(axes: Axes) -> None:
        assert summary.chains
        lengths = summary.chains.lengths
        bars = axes.bar(
            list(lengths), [100 * count / summary.chains.count for count in lengths.values()], color=HUES[0]
        )
        axes.bar_label(bars, fmt="%.1f %%", color=INK)
        axes.set_xticks(list(lengths))
        axes.set_xlabel(f"{summary.chains.things} in a row")
        axes.set_ylabel("chains in %")

    return _drawn(draw, 4.6, 2.6)


def _label(policy: str) -> str:
    """The name of a policy beside a plot; of a long one, such as the path of a file, the end."""
    name = printable(policy)
    return name if len(name) <= LONGEST_LABEL else f"...{name[3 - LONGEST_LABEL :]}"


def _drawn(draw: Callable[[Axes], None], width: float, height: float) -> str:
    """One plot as an `<svg>` element; sizes in inches."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as NewFigure

    with mpl.rc_context(STYLE):
        figure: Figure = NewFigure(figsize=(width, height), layout="constrained")
        draw(figure.subplots())
        page = StringIO()
        nothing: dict[str, Any] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(page, format="svg", transparent=True, metadata=nothing)
    return _in_colours_of_the_page(page.getvalue())


def _in_colours_of_the_page(svg: str) -> str:
    """The element alone, with the page's colours and font for those that stand for them."""
    svg = svg[svg.index("<svg") :].strip()
    svg = svg.replace(INK, "var(--ink)")
    for number, hue in enumerate(HUES, 1):
        svg = svg.replace(hue, f"var(--hue-{number})")
    return re.sub(r"font: ([0-9.]+px) [^;\"]*", r"font: \1 var(--font)", svg)
