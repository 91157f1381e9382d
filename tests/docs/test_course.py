"""Each unit of the course has pictures that the tool draws, and links to all of its levels."""

from __future__ import annotations

import re

import pytest
from doc_blocks import DOCS, blocks
from levels import LEVELS

UNITS = re.findall(r"\[\d\. [^\]]+\]\((\w+\.md)\)", (DOCS / "course" / "index.md").read_text(encoding="utf-8"))


def test_there_are_seven_units() -> None:
    assert len(UNITS) == 7


@pytest.mark.parametrize(("number", "unit"), list(enumerate(UNITS, 1)))
def test_a_unit_has_three_pictures_and_links_to_its_levels(number: int, unit: str) -> None:
    page = f"course/{unit}"
    drawn = [block for block in blocks(page) if block.language == "{drawing}"]
    assert len(drawn) >= 3
    linked = re.findall(r'href="\.\./playground/index\.html#level=([\w-]+)"', (DOCS / page).read_text(encoding="utf-8"))
    assert linked == [level.name for level in LEVELS.values() if level.unit == number]
