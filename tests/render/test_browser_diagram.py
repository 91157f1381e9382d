"""The pictures in a browser: whatever fonts it has, texts stay in the places that were laid out for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES = sorted((Path(__file__).parents[2] / "diagrams").glob("*.svg"))
BEYOND = """() => {
    const inside = (text, shape) => {
        const [inner, outer] = [text.getBBox(), shape.getBBox()];
        return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
    };
    const phases = [...document.querySelectorAll("g.node")].filter(
        node => node.querySelector(":scope > path, :scope > ellipse"));
    const texts = phases.flatMap(node => [...node.querySelectorAll("text")].map(
        text => [text, [...node.querySelectorAll(":scope > path, :scope > ellipse")].pop()]));
    const legend = [...document.querySelectorAll("g.graph > polygon")].slice(1).map(
        cell => [cell.nextElementSibling, cell]);
    const fixed = [...document.querySelectorAll("text")].filter(text => !text.hasAttribute("textLength"));
    return {
        seen: texts.length,
        beyond: [...texts, ...legend].filter(pair => !inside(...pair)).map(pair => pair[0].textContent),
        free: fixed.map(text => text.textContent),
    };
}"""
"""How many texts stand in phases, those that reach beyond their phase or their cell, and those of any width."""


@pytest.mark.slow
@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_texts_stay_in_their_boxes_in_a_wider_font(picture: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(picture.read_text().replace("Helvetica,Arial,sans-serif", "monospace"))
    found = page.evaluate(BEYOND)
    page.close()
    assert found["seen"] >= 5
    assert (found["beyond"], found["free"]) == ([], [])


@pytest.mark.usefixtures("pictures")
def test_the_widths_are_those_of_the_layout() -> None:
    from render.diagram.dot import draw, fitted

    source = 'digraph { a [label=<<B>wide</B>>]; b [label="wide"]; a -> b [label="x &amp; y"] }'
    svg = fitted(draw(source, "svg").decode(), draw(source, "json"))
    lines = [line for line in svg.splitlines() if line.startswith("<text ")]
    widths = [float(line.split('textLength="')[1].split('"')[0]) for line in lines]
    assert len(widths) == 3
    if len(set(widths)) == 2:
        pytest.skip("no font is installed, so bold letters are taken for as wide as others")
    assert len(set(widths)) == 3
