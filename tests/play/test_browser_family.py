"""What a family finds at a table in a real browser: deals that can be checked, and games of the examples."""

from __future__ import annotations

import hashlib
import subprocess

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("playwright")

from browsing import complaints
from play_pages import opened as room_with
from play_pages import played_out, settled, until
from test_browser_play import PHONE, Open, address, visit

__all__ = ["address", "visit"]
pytestmark = pytest.mark.slow
EXCHANGED = "for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, '0'.repeat(64))"
"""A script by which another hash was shown before the round than that of its deal."""


@pytest.mark.parametrize(("game", "players"), [("uno-official", 4), ("mahjong", 2)])
def test_a_deal_can_be_checked_when_the_round_is_over(visit: Open, address: str, game: str, players: int) -> None:
    seat = room_with(address, ["Ann"], game=game, players=players)["seats"][0]
    page = visit(viewport=PHONE).to(seat)
    settled(page)
    page.click("#menu-button")
    before = page.inner_text("#seal-hash")
    page.click("#menu-close")
    assert page.locator("#check").is_hidden()
    played_out(address, [seat])
    until(page, "!document.getElementById('check').hidden && !document.getElementById('result').hidden")
    page.click("#check-title")
    assert page.inner_text("#check-title") == "The cards are those that were fixed before the round ✓"
    command = page.inner_text("#check-command")
    assert subprocess.run(command, check=True, shell=True, capture_output=True, text=True).stdout == f"{before}  -\n"
    assert hashlib.sha256(command.split("'")[3].encode()).hexdigest() == before == page.inner_text("#check-hash")
    assert complaints(page) == []
    page.reload()
    settled(page)
    assert page.inner_text("#check-title").endswith("✓")
    page.evaluate(EXCHANGED)
    page.reload()
    settled(page)
    assert page.inner_text("#check-title") == "These are not the cards that were fixed before the round"
