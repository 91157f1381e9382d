"""Regenerates the files of diagrams/: python -m maumau.diagrams [FOLDER]."""

from __future__ import annotations

import sys
from pathlib import Path

from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from maumau.diagrams.committed import charts, declarations, pictures, texts, traffic_of, traffic_pictures, traffic_texts
from maumau.kernels.compiler.machine_code import BulkMissing, require_compiler
from render.diagram.errors import DiagramError


def main(folder: str = "diagrams") -> None:
    """Write the diagrams of all games and of matches into `folder`; pictures that cannot be drawn are reported and
    skipped.
    """
    Path(folder).mkdir(exist_ok=True)
    for files in (*map(_plain, charts()), *map(_traffic, declarations())):
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8", newline="\n")


def _plain(chart: Chart) -> dict[str, str]:
    files = texts(chart)
    try:
        return files | pictures(chart)
    except DiagramError as error:
        _report(f"{chart.name}.svg is not drawn: {error}")
        return files


def _traffic(declaration: Declaration) -> dict[str, str]:
    try:
        require_compiler()
    except BulkMissing as error:
        _report(f"the traffic of {declaration.name} is not counted: {error}")
        return {}
    shown = traffic_of(declaration, _report)
    files = traffic_texts(declaration, shown)
    try:
        return files | traffic_pictures(declaration, shown)
    except DiagramError as error:
        _report(f"{declaration.name}-traffic.svg is not drawn: {error}")
        return files


def _report(message: str) -> None:
    print(message, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:2])
