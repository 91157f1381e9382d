"""The report of a study, in several formats."""

from __future__ import annotations

from maumau.study.errors import require
from maumau.study.report import delimited, markdown, page, records, terminal
from maumau.study.report.registry import FORMATS, NEEDED
from maumau.study.summary import Summary

__all__ = ["FORMATS", "check", "delimited", "markdown", "page", "records", "render", "terminal"]


def check(format: str) -> None:
    """Raise ValueError for an unknown format, StudyError if a package is missing that it needs."""
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
    require("study", f"the format {format}", *NEEDED[format])


def render(summary: Summary, format: str) -> str:
    """The report of a study in one of FORMATS. Raises like `check`."""
    check(format)
    return FORMATS[format](summary)
