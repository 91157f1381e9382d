"""Two rule sets compared, in the formats of a report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

from maumau.study.compare import RuleComparison
from maumau.study.report import delimited, markdown, page
from maumau.study.report.records import known
from maumau.study.report.sections import Column, Kind, Section, completion, interval_method
from maumau.study.report.terminal import printed

METHOD = "paired differences, one for each {}; p-values of Student's paired test, adjusted for all figures by Holm"


def render_comparison(comparison: RuleComparison, format: str) -> str:
    """The comparison in one of the formats of a report."""
    return _FORMATS[format](comparison)


def _table(comparison: RuleComparison) -> str:
    notes = " ".join(filter(None, (_changed(comparison), completion(comparison))))
    return printed(_title(comparison), notes, [_section(comparison, "")], _method(comparison))


def _markdown(comparison: RuleComparison) -> str:
    return markdown.written(_title(comparison), [_section(comparison, f"{_changed(comparison)} {_note(comparison)}")])


def _html(comparison: RuleComparison) -> str:
    tables = [_section(comparison, _changed(comparison))]
    return page.written(_title(comparison), completion(comparison), tables, _method(comparison))


def _csv(comparison: RuleComparison) -> str:
    return delimited.written([_section(comparison, "")])


def _json(comparison: RuleComparison) -> str:
    plain = {
        "question": comparison.spec.as_json(),
        "games": comparison.games,
        "finished": comparison.finished,
        "stopped_early": comparison.stopped,
        "intervals": _method(comparison),
        "one": comparison.one,
        "other": comparison.other,
        "changed": comparison.changed,
        "differences": [asdict(each) for each in comparison.differences],
    }
    return json.dumps(known(plain), indent=1, allow_nan=False) + "\n"


_FORMATS: dict[str, Callable[[RuleComparison], str]] = {
    "table": _table,
    "markdown": _markdown,
    "json": _json,
    "csv": _csv,
    "html": _html,
}


def _title(comparison: RuleComparison) -> str:
    spec = comparison.spec
    who = " / ".join(dict.fromkeys(spec.policies))
    decks = f"{comparison.games:,} {spec.decks}, {spec.players} players ({who}), seed {spec.seed}"
    return f"{decks}: {comparison.other} compared with {comparison.one}"


def _changed(comparison: RuleComparison) -> str:
    decks = comparison.spec.decks
    return f"{comparison.changed:,} of {comparison.games:,} {decks} are played otherwise or score otherwise."


def _method(comparison: RuleComparison) -> str:
    """What the intervals are; a study that may stop early has no p-values."""
    method = interval_method(comparison)
    return f"{method}; {METHOD.format(_deck(comparison))}" if comparison.spec.until_width is None else method


def _deck(comparison: RuleComparison) -> str:
    """What is played under both rule sets, in the singular."""
    return "deck" if comparison.spec.target is None else comparison.spec.unit


def _note(comparison: RuleComparison) -> str:
    return " ".join(filter(None, (completion(comparison), f"Intervals (from, to): {_method(comparison)}.")))


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
    return Section("rules", f"paired differences for each {_deck(comparison)}", columns, rows, note)
