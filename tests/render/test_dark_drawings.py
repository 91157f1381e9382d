"""Drawings on dark pages: the ground is dark, and each colour of their texts can be read on it."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from contrast import READABLE, contrast, luminance

from maumau.study.report import STYLE
from render.diagram.dot import GREY, HUES, INK

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PLAYGROUND = Path(__file__).parents[2] / "playground" / "src" / "main.css"
COLOURS = ("#ffffff", INK, GREY, *HUES)
SIZE = 20
PIXELS = """async ([picture, places]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  return places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3));
}"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("style", "place"),
    [(STYLE, '<figure class="machine">{}</figure>'), (PLAYGROUND.read_text(), '<div id="diagram">{}</div>')],
    ids=["report", "playground"],
)
def test_every_colour_of_a_drawing_can_be_read(browser: Browser, style: str, place: str, scheme: str) -> None:
    width = SIZE * len(COLOURS)
    squares = "".join(
        f'<rect x="{SIZE * column}" width="{SIZE}" height="{SIZE}" fill="{colour}"/>'
        for column, colour in enumerate(COLOURS)
    )
    svg = f'<svg style="min-width:0" width="{width}" height="{SIZE}">{squares}</svg>'
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_content(f"<!doctype html><style>{style}</style>{place.format(svg)}")
    picture = b64encode(page.locator("svg").screenshot()).decode()
    places = [[SIZE * column + SIZE // 2, SIZE // 2] for column in range(len(COLOURS))]
    ground, *inks = map(luminance, page.evaluate(PIXELS, [picture, places]))
    context.close()
    assert (ground < 0.05) == (scheme == "dark")
    ratios = {colour: contrast(ground, ink) for colour, ink in zip(COLOURS[1:], inks, strict=True)}
    assert {colour: ratio for colour, ratio in ratios.items() if ratio < READABLE} == {}
