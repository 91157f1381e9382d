"""The figures of a study as tables, whatever they are shown as: titles, columns of one kind, and plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite
from typing import Any, NamedTuple

from fsm.registry import game_class
from maumau.study.compare import RuleComparison
from maumau.study.paired import ALL_SEATS
from maumau.study.summary import Difference, Mean, Share, Summary

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
        if not isfinite(value):
            return "unknown"
        return _WRITTEN[self](value)


def _p_value(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}" if value else "< 1e-300"


_WRITTEN: dict[Kind, Callable[[Any], str]] = {
    Kind.TEXT: str,
    Kind.COUNT: lambda value: f"{value:,}",
    Kind.SHARE: lambda value: f"{100 * value:.4f} %",
    Kind.NUMBER: lambda value: f"{value:,.4f}",
    Kind.P_VALUE: _p_value,
}


@dataclass(frozen=True)
class Column:
    """A column of a table. key: whether it identifies its row."""

    title: str
    kind: Kind = Kind.NUMBER
    key: bool = False


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

    def first(self, rows: int, more: str) -> Section:
        """The same with at most `rows` rows; `more` describes the rest."""
        if len(self.rows) <= rows:
            return self
        return replace(self, rows=self.rows[:rows], note=f"{self.note} {len(self.rows) - rows:,} more: {more}.".strip())


def sections(summary: Summary) -> list[Section]:
    """All tables of a report that are not empty."""
    made = (_wins, _points, _compared, _lengths, _endings, _chains, _unfinished, _rules, _arcs, _study)
    return [section for make in made if (section := make(summary)).rows]


def headline(summary: Summary) -> str:
    """The study in one sentence."""
    spec = summary.spec
    who = " / ".join(dict.fromkeys(spec.policies))
    seatings = f", each in {len(summary.seatings)} seatings" if len(summary.seatings) > 1 else ""
    goal = "" if spec.target is None else f" to {spec.target} points"
    games = f"{summary.games:,} {spec.units} of {spec.game}{goal}, {spec.players} players"
    return f"{games} ({who}), seed {spec.seed}{seatings}"


def completion(found: Summary | RuleComparison) -> str:
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


def interval_method(found: Summary | RuleComparison) -> str:
    """What the intervals are."""
    return f"{100 * found.spec.confidence:g} %, {found.method}"


def _text(title: str) -> Column:
    return Column(title, Kind.TEXT, key=True)


def _interval(kind: Kind) -> tuple[Column, Column]:
    return Column("from", kind), Column("to", kind)


def _bounds(share: Share) -> tuple[float, float]:
    return share.low, share.high


def _estimate(mean: Mean) -> tuple[float, float, float]:
    return mean.mean, mean.low, mean.high


def _tested(each: Difference) -> tuple[float | None, float | None]:
    return each.p_value, each.adjusted


def _seated(summary: Summary) -> tuple[Column, ...]:
    """The column that names the seating, where there is more than one."""
    return (_text("seating"),) if len(summary.seatings) > 1 else ()


def _labels(summary: Summary) -> Iterator[tuple[str, ...]]:
    """What stands in the column of the seating, for each seating."""
    for seating in summary.seatings:
        yield (", ".join(seating.policies),) if len(summary.seatings) > 1 else ()


def _study(summary: Summary) -> Section:
    rows = [(name.replace("_", " "), _plain(value)) for name, value in summary.spec.as_json().items()]
    rows += [
        ("games counted", summary.games),
        ("games played", summary.played),
        ("intervals", interval_method(summary)),
    ]
    rows += [("fingerprint", f"{summary.fingerprint % 2**64:016x}")]
    columns = (_text("what"), Column("value", Kind.TEXT))
    return Section("study", "The study", columns, tuple(rows), completion(summary))


def _plain(value: object) -> Value:
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, bool) or value is None:
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else str(value)


def _wins(summary: Summary) -> Section:
    columns = (
        *_seated(summary),
        Column("seat", Kind.TEXT, key=True),
        _text("policy"),
        Column("wins", Kind.COUNT),
        Column("share", Kind.SHARE),
        *_interval(Kind.SHARE),
    )
    rows: list[Row] = [
        (*label, seat.seat, seat.policy, seat.wins.count, seat.wins.share, *_bounds(seat.wins))
        for label, seating in zip(_labels(summary), summary.seatings, strict=True)
        for seat in seating.seats
    ]
    return Section("wins", "Wins", columns, tuple(rows))


def _points(summary: Summary) -> Section:
    columns = (
        *_seated(summary),
        Column("seat", Kind.TEXT, key=True),
        _text("policy"),
        Column(_words(summary).column),
        *_interval(Kind.NUMBER),
        Column("deviation"),
    )
    rows: list[Row] = [
        (*label, seat.seat, seat.policy, *_estimate(seat.points), seat.points.deviation)
        for label, seating in zip(_labels(summary), summary.seatings, strict=True)
        for seat in seating.seats
    ]
    return Section("points", _words(summary).title, columns, tuple(rows))


class ScoreWords(NamedTuple):
    """What scores are called: in the title of their table, in its column, and in the note of a comparison."""

    title: str
    column: str
    note: str


def _words(summary: Summary) -> ScoreWords:
    """What scores are called in a study."""
    if summary.spec.target is not None:
        return ScoreWords("Totals of matches", "total", "totals are those of whole matches")
    if game_class(summary.spec.game).declaration.scoring.most_wins:
        return ScoreWords("Scores", "score", "scores are gains")
    return ScoreWords("Points left in hand", "points left", "points are those left in hand, fewer are better")


def _compared(summary: Summary) -> Section:
    columns = (
        _text("policies"),
        _text("seat"),
        _text("of"),
        Column("difference"),
        *_interval(Kind.NUMBER),
        Column("p-value", Kind.P_VALUE),
        Column("adjusted", Kind.P_VALUE),
    )
    rows: list[Row] = [
        (
            f"{each.one} - {each.other}",
            _where(each),
            each.measure if each.measure == "wins" else _words(summary).column,
            *_estimate(each.difference),
            *_tested(each),
        )
        for each in summary.differences
    ]
    note = (
        "On the same decks, so the luck of the deck cancels: Student's paired test, p-values adjusted for all tests by "
        f"Holm. Wins are of 1 a {summary.spec.unit}; {_words(summary).note}."
    )
    return Section("compared", "Policies compared", columns, tuple(rows), note)


def _where(each: Difference) -> str:
    return "all" if each.seat == ALL_SEATS else str(each.seat)


def _lengths(summary: Summary) -> Section:
    quantiles = tuple(Column(name, Kind.COUNT) for name in summary.seatings[0].histograms[0].quantiles)
    columns = (
        *_seated(summary),
        _text(f"of a {summary.spec.unit}"),
        Column("mean"),
        *_interval(Kind.NUMBER),
        Column("deviation"),
        Column("least", Kind.COUNT),
        *quantiles,
        Column("most", Kind.COUNT),
    )
    rows: list[Row] = [
        (*label, each.name, *_estimate(each.mean), each.mean.deviation, each.least, *each.quantiles.values(), each.most)
        for label, seating in zip(_labels(summary), summary.seatings, strict=True)
        for each in seating.histograms
    ]
    note = "A turn is a card laid, a draw and pass, or a penalty drawn."
    return Section("lengths", f"How long {summary.spec.units} are", columns, tuple(rows), note)


def _endings(summary: Summary) -> Section:
    columns = (
        *_seated(summary),
        _text(summary.spec.units),
        Column("count", Kind.COUNT),
        Column("share", Kind.SHARE),
        *_interval(Kind.SHARE),
    )
    rows: list[Row] = [
        (*label, name, share.count, share.share, *_bounds(share))
        for label, seating in zip(_labels(summary), summary.seatings, strict=True)
        for name, share in (*seating.endings.items(), ("with a reshuffle", seating.reshuffled))
    ]
    return Section("endings", f"How {summary.spec.units} end", columns, tuple(rows))


def _chains(summary: Summary) -> Section:
    chains = summary.chains
    if chains is None or not chains.count:
        return Section("chains", "", (), ())
    columns = (
        Column(f"{chains.things} in a row", Kind.COUNT, key=True),
        Column("chains", Kind.COUNT),
        Column("share", Kind.SHARE),
        Column(f"a {summary.spec.unit}"),
    )
    rows = [(length, count, count / chains.count, count / summary.played) for length, count in chains.lengths.items()]
    mean = f"{chains.mean:.4f} {chains.things} each on average"
    note = f"{chains.count:,} chains, {mean}; a last card that answers is counted in."
    return Section("chains", f"Chains of {chains.things}", columns, tuple(rows), note)


def _unfinished(summary: Summary) -> Section:
    columns = (
        *_seated(summary),
        Column("number", Kind.TEXT, key=True),
        Column("ending", Kind.TEXT),
        Column("played again by", Kind.TEXT),
    )
    several = len(summary.seatings) > 1
    rows: list[Row] = [
        (*[", ".join(each.policies)] * several, each.number, each.ending, each.command) for each in summary.unfinished
    ]
    note = f"{summary.unlisted:,} more are not listed." if summary.unlisted else ""
    return Section("unfinished", f"{summary.spec.units.capitalize()} without a winner", columns, tuple(rows), note)


def _rules(summary: Summary) -> Section:
    columns = (
        _text("decision rule"),
        Column("used", Kind.COUNT),
        Column("of all", Kind.SHARE),
        Column(f"a {summary.spec.unit}"),
    )
    whole = max(sum(summary.used.values()), 1)
    rows = [(rule, count, count / whole, count / summary.played) for rule, count in summary.used.items() if count]
    return Section("rules", "Decision rules", columns, tuple(rows))


def _arcs(summary: Summary) -> Section:
    columns = (
        _text("from"),
        _text("event"),
        _text("guards"),
        _text("to"),
        Column("fired", Kind.COUNT),
        Column(f"a {summary.spec.unit}"),
    )
    rows: list[Row] = [
        (str(arc.source), arc.trigger, arc.guards, str(arc.dest), count, count / summary.played)
        for arc, count in summary.fired.items()
    ]
    return Section("arcs", "Arcs", columns, tuple(rows))
