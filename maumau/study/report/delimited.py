"""A report as CSV, one figure a line, so that one file holds all tables: which table, which row, which column, what."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from maumau.study.report.model import Report, Section


def delimited(report: Report) -> str:
    """The figures of a report at full precision."""
    page = StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(["table", "row", "column", "value"])
    for section in report.sections:
        writer.writerows(_figures(section))
    return page.getvalue()


def _figures(section: Section) -> Iterator[tuple[object, ...]]:
    for row in section.rows:
        cells = list(zip(section.columns, row, strict=True))
        named = " | ".join(str(value) for column, value in cells if column.key)
        yield from ((section.name, named, column.title, value) for column, value in cells if not column.key)
