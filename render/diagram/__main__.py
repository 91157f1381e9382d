"""Write the files of diagrams/ anew: python -m render.diagram [FOLDER]."""

from __future__ import annotations

import sys
from pathlib import Path

from render.diagram.committed import declarations, pictures, texts
from render.diagram.errors import DiagramError


def main(folder: str = "diagrams") -> None:
    """Write the diagrams of all games into `folder`; without anything that draws, the texts only."""
    Path(folder).mkdir(exist_ok=True)
    for declaration in declarations():
        files = texts(declaration)
        try:
            files |= pictures(declaration)
        except DiagramError as error:
            print(f"{declaration.name}.svg is not drawn: {error}", file=sys.stderr)
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
