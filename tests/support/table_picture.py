"""The picture of a table in the documentation: `python tests/support/table_picture.py` draws diagrams/play.png again."""

from __future__ import annotations

from pathlib import Path

from browsing import Watched, started_browser
from PIL import Image
from play_pages import AT_ONCE, by_mouse, is_asked, opened, playable, settled
from serving import serving

PICTURE = Path(__file__).parents[2] / "diagrams" / "play.png"
SIZE = {"width": 1000, "height": 640}
TURNS = 8
"""How often people have acted before the picture is taken, at least."""
COLOURS = 256


def main() -> None:
    """Play some turns of official UNO at a server of its own, and draw the page."""
    with serving() as address, started_browser() as browser:
        links = opened(address, ["Ann", "Ben"], game="uno-official", players=4, computer="bluffer", target=500)["seats"]
        pages = []
        for link in links[:2]:
            watched = Watched(browser, viewport=SIZE)
            watched.context.add_init_script(AT_ONCE)
            pages.append(watched.page)
            watched.page.goto(f"{address}{link}")
        turns = 0
        while turns < TURNS or not len(playable(pages[0])) > 1:
            for page in pages:
                settled(page)
                if is_asked(page):
                    version = settled(page)
                    by_mouse(page)
                    settled(page, version)
                    turns += 1
            settled(pages[0])
        pages[0].screenshot(path=PICTURE)
        with Image.open(PICTURE) as picture:
            picture.quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
