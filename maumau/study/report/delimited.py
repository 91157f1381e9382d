"""A report as CSV, one figure a line, so that one file holds all tables: which table, which row, which column, what."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from maumau.study.report.registry import renderer
from maumau.study.report.sections import Section, sections
from maumau.study.summary import Summary


@renderer("csv")
def delimited(summary: Summary) -> str:
    """The figures of a report at full precision."""
    return written(sections(summary))


def written(tables: Iterable[Section]) -> str:
    """The figures of tables at full precision."""
    page = StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(["table", "row", "column", "value"])
    for section in tables:
        writer.writerows(_figures(section))
    return page.getvalue()


def _figures(section: Section) -> Iterator[tuple[object, ...]]:
    keys = [column.key for column in section.columns]
    for row in section.rows:
        named = " | ".join(str(value) for value, key in zip(row, keys, strict=True) if key)
        for column, value in zip(section.columns, row, strict=True):
            if not column.key:
                yield section.name, named, column.title, value
