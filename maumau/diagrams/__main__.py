"""Regenerates the files of diagrams/: python -m maumau.diagrams [FOLDER]."""

from __future__ import annotations

import sys
from pathlib import Path

from maumau.diagrams.committed import charts, declarations, drawn, drawn_traffic, texts
from maumau.kernels.compiler.machine_code import BulkMissing, require_compiler
from render.diagram.model import DiagramError
from render.diagram.picture import svg


def main(folder: str = "diagrams") -> None:
    """Write the diagrams of all games and of matches into `folder`; pictures that cannot be drawn are reported and
    skipped. Versions of Graphviz lay them out differently.
    """
    Path(folder).mkdir(exist_ok=True)
    diagrams = [(chart, drawn(chart)) for chart in charts()]
    for declaration in declarations():
        try:
            require_compiler()
            diagrams.append((declaration, drawn_traffic(declaration, _report)))
        except BulkMissing as error:
            _report(f"the traffic of {declaration.name} is not counted: {error}")
    for chart, named in diagrams:
        files = texts(chart, named)
        for name, diagram in named.items():
            try:
                files[f"{name}.svg"] = f"{svg(diagram)}\n"
            except DiagramError as error:
                _report(f"{name}.svg is not drawn: {error}")
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8", newline="\n")


def _report(message: str) -> None:
    print(message, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:2])
