"""Two rule sets compared, as tables or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from render.study.markdown import written
from render.study.records import known
from render.study.sections import Column, Kind, Section
from render.study.terminal import printed
from study.compare import RuleComparison

FORMATS = ("table", "markdown", "json")
"""The formats of a comparison of rules."""
INTERVALS = "Student's interval of the mean paired difference; p-values of all figures at once, by Holm"


def render_comparison(comparison: RuleComparison, format: str) -> str:
    """The comparison in one of FORMATS."""
    spec = comparison.spec
    who = " / ".join(dict.fromkeys(spec.policies))
    title = f"{spec.games:,} decks, {spec.players} players ({who}), seed {spec.seed}: {comparison.other} compared with "
    title += comparison.one
    changed = f"{comparison.changed:,} of {spec.games:,} decks are played otherwise or score otherwise."
    if format == "json":
        return (
            json.dumps(known({"question": spec.as_json(), "intervals": INTERVALS, **asdict(comparison)}), indent=1)
            + "\n"
        )
    if format == "markdown":
        return written(title, [_section(comparison, changed)])
    return printed(title, changed, [_section(comparison, "")], INTERVALS)


def _section(comparison: RuleComparison, note: str) -> Section:
    columns = (
        Column("figure", Kind.TEXT, key=True),
        Column(comparison.one),
        Column(comparison.other),
        Column("difference"),
        Column("from"),
        Column("to"),
        Column("p, adjusted", Kind.P_VALUE),
    )
    rows = tuple(
        (each.figure, each.one, each.other, each.difference.mean, each.difference.low, each.difference.high,
         each.adjusted)
        for each in comparison.differences
    )  # fmt: skip
    return Section("rules", "paired differences for each deck", columns, rows, note)
