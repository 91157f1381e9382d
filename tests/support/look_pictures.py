"""The picture of faces in the documentation: `python tests/support/look_pictures.py` draws diagrams/looks.png again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from browsing import Watched, started_browser
from PIL import Image

from fsm import MauMau, Uno, game_of
from fsm.declaration.facts import Look
from render.notebook import board
from rules.faces import plain_face

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "diagrams" / "looks.png"
SIZE = {"width": 900, "height": 400}
COLOURS = 64
PLAYED = 9
"""Events before the picture."""


def main() -> None:
    """Draw the tables of three games, one below the other."""
    sys.path.insert(0, str(ROOT / "docs" / "howto"))
    from follow_suit import FOLLOW_SUIT

    plain = game_of(replace(FOLLOW_SUIT, name="plain", look=Look(face=plain_face)))
    boards = []
    for kind, players in ((MauMau, 2), (Uno, 2), (plain, 2)):
        game = kind.deal(players, seed=7)
        for _ in range(PLAYED):
            game.step()
        boards.append(board(game))
    with started_browser() as browser:
        page = Watched(browser, viewport=SIZE).page
        page.set_content(f"<body>{'<br>'.join(boards)}</body>")
        page.screenshot(path=PICTURE, full_page=True)
    with Image.open(PICTURE) as picture:
        picture.quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
