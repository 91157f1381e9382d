"""Draw the machines for the pages anew: python -m render.page."""

from __future__ import annotations

from pathlib import Path

from fsm.registry import BUILT_IN, game_class
from render.page.document import drawn


def main() -> None:
    """Write the drawing of every built-in game beside this module. Raises DiagramError where nothing draws."""
    for name in BUILT_IN:
        drawing = drawn(game_class(name).declaration)
        (Path(__file__).parent / "drawings" / f"{name}.svg").write_text(drawing, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
