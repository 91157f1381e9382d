"""The pictures of pages in the documentation: `python tests/support/page_pictures.py` draws them again, in diagrams/:
replay.png, serve.png and rules.png.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import Watched, started_browser, until
from commands import COMMAND
from PIL import Image
from play_pages import ROOT, post
from serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOME = Path(__file__).parents[2]
SIZE = {"width": 1360, "height": 860}
RULES = {"width": 720, "height": 1180}
COLOURS = 256
STEP, EVENTS = 14, 16
STORED = "sessionStorage.setItem('maumau game', '{}')"


def draw(browser: Browser, name: str, address: str, script: str = "", **options: object) -> None:
    """Draw a page as it is shown first. script: runs before it."""
    page = Watched(browser, **{"viewport": SIZE, **options}).page
    page.add_init_script(script)
    page.goto(address)
    until(page, f"{ROOT}.ready === ''")
    picture = HOME / "diagrams" / name
    page.screenshot(path=picture)
    with Image.open(picture) as drawn:
        drawn.quantize(COLOURS).save(picture, optimize=True)


def main() -> None:
    """Draw the replay of a game of the problem statement, a game that is stepped, and rules to read."""
    with tempfile.TemporaryDirectory() as folder, started_browser() as browser:
        replay, statement = Path(folder) / "replay.html", HOME / "tests" / "corpus" / "maumau" / "statement.in"
        subprocess.run([*COMMAND, "replay", str(statement), "--number", "1", "-o", str(replay)], check=True)
        draw(browser, "replay.png", f"{replay.as_uri()}#step={STEP}")
        with serving() as address:
            game = post(f"{address}games", {"game": "uno", "players": 3, "seed": 7})["id"]
            post(f"{address}games/{game}/steps", {"version": 0, "count": EVENTS})
            draw(browser, "serve.png", f"{address}step", STORED.format(game), color_scheme="dark")
            draw(browser, "rules.png", f"{address}rules/uno-official+family-uno", viewport=RULES)


if __name__ == "__main__":
    main()
