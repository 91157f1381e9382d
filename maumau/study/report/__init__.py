"""The report of a study, in several formats."""

from __future__ import annotations

import json

from maumau.study.compare import RuleComparison
from maumau.study.errors import require
from maumau.study.formats import FORMATS
from maumau.study.report.delimited import delimited
from maumau.study.report.markdown import markdown
from maumau.study.report.model import known
from maumau.study.report.page import page
from maumau.study.report.rules import report_of_rules
from maumau.study.report.sections import report_of_study
from maumau.study.report.terminal import terminal
from maumau.study.summary import Summary

__all__ = ["FORMATS", "check", "render"]

_WRITERS = {
    "table": terminal,
    "markdown": markdown,
    "json": lambda report: json.dumps(known(report.plain), indent=1, allow_nan=False) + "\n",
    "csv": delimited,
    "html": page,
}


def check(format: str) -> None:
    """Raise ValueError for an unknown format, StudyError if a package is missing that it needs."""
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
    require("study", f"the format {format}", *FORMATS[format])


def render(found: Summary | RuleComparison, format: str) -> str:
    """The report of a study, or of rules that are compared, in one of FORMATS. Raises like `check`."""
    check(format)
    report = report_of_study(found) if isinstance(found, Summary) else report_of_rules(found)
    return _WRITERS[format](report)
