"""Deals that are fixed by a hash before they are played, and opened when the round is over."""

from __future__ import annotations

import json
import shutil
import subprocess
from hashlib import sha256
from typing import Any

import pytest

from examples.kuhn_poker import KuhnPoker
from fsm import Game, MauMau, UnoOfficial, register
from fsm.games.mahjong.game import Mahjong
from fsm.stepping.steps import Move
from maumau.play.table import Computer, Person, Setup, Table
from maumau.play.table.sealed import SealedDeal
from render.page.document import joined

PLAYERS = (Person("Ann"), Computer("random"), Computer("random"))


def play_round(table: Table) -> list[str]:
    """Play a round with first legal moves; return all that the person and those who watch were shown meanwhile."""
    shown: list[Any] = []
    while table.state == "playing":
        shown += [table.view(1), table.log(1), table.view(None), table.log(None)]
        if not table.advance():
            view = table.view(1)
            table.act(1, view["question"]["moves"][0], at=view["version"])
    return [json.dumps(each) for each in shown[:-4]]


@pytest.mark.parametrize("kind", [MauMau, UnoOfficial, Mahjong])
def test_a_deal_is_fixed_by_its_hash_and_opened_when_the_round_is_over(kind: type[Game]) -> None:
    table = Table(Setup(game=kind.declaration.name, seats=PLAYERS, key="secret"))
    before, dealt = table.view(1)["deal"], table.game.hands
    assert [*before] == ["hash"]
    shown = play_round(table)
    deal = table.view(1)["deal"]
    assert deal["hash"] == before["hash"] == sha256(f"{deal['salt']} {deal['deck']}".encode()).hexdigest()
    assert table.view(None)["deal"] == deal
    assert kind.parse(deal["deck"]).hands == dealt
    assert not [each for each in shown if deal["salt"] in each or deal["deck"] in each or "secret" in each]
    assert all(before["hash"] in each for each in shown[::2])


def test_each_round_of_a_match_has_a_deal_and_a_salt_of_its_own() -> None:
    table = Table(Setup(game="maumau", seats=PLAYERS, key="secret", target=500))
    deals = []
    for _ in range(3):
        play_round(table)
        deals.append(table.view(1)["deal"])
        table.advance()
    assert [len({deal[part] for deal in deals}) for part in ("hash", "salt", "deck")] == [3, 3, 3]
    restored = Table.restore(json.loads(json.dumps(table.save())))
    assert restored.view(1)["deal"] == table.view(1)["deal"]


def test_the_salt_is_in_no_hash_of_another_key() -> None:
    one, other = (Setup(game="maumau", seats=PLAYERS, key=key).sealed(0) for key in ("a", "b"))
    assert one is not None
    assert other is not None
    assert len({*one, *other}) == 4
    assert len(one.salt) == 32


def test_cards_of_a_seed_are_open_so_they_are_not_sealed() -> None:
    assert Table(Setup(game="maumau", seats=PLAYERS, seed=7)).view(1)["deal"] is None


def test_a_hand_that_was_not_shown_keeps_its_deal_closed() -> None:
    register(KuhnPoker)
    for key, last in (("a", "fold"), ("b", "call")):
        table = Table(Setup(game="kuhn-poker", seats=(Person("Ann"), Person("Ben")), key=key))
        while table.advance():
            pass
        table.act(1, Move("bet"), at=table.version(1))
        table.act(2, Move(last), at=table.version(2))
        assert table.state == "over"
        assert ("deck" in table.view(1)["deal"]) == (last == "call")


PAGE = """
const elements = {}, kept = {};
const byId = (id) => (elements[id] ??= {});
const sessionStorage = Object.defineProperties(kept, {
  getItem: { value: (key) => kept[key] ?? null },
  setItem: { value: (key, text) => { kept[key] = text; } },
  removeItem: { value: (key) => { delete kept[key]; } },
});
"""
"""What the module of the deal needs of a browser."""
SAME = "This deck belongs to the number that this page showed during the round ✓"
UNSEEN = "This page had not seen the number of this deck before the end of the round"
OTHER = "This deck does not belong to the number of the round"
SEALED = SealedDeal("6d61", "2 SS HA")
CLOSED, OPEN = SEALED.data(is_open=False), SEALED.data(is_open=True)
FALSE = OPEN | {"deck": "2 HA SS"}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize(
    ("deals", "title", "kept"),
    [
        ([CLOSED, OPEN], SAME, 1),
        ([CLOSED, OPEN, OPEN], SAME, 1),
        ([OPEN], UNSEEN, 0),
        ([OPEN, OPEN], UNSEEN, 0),
        ([FALSE], OTHER, 0),
        ([CLOSED, FALSE], OTHER, 1),
        ([CLOSED, SealedDeal("6d61", "2 HA SS").data(is_open=True)], OTHER, 1),
    ],
)
def test_a_page_says_only_what_it_has_checked(deals: list[dict[str, str]], title: str, kept: int) -> None:
    """deals: what the server shows, one after the other; the page is loaded again before each. kept: numbers."""
    show = f"for (const deal of {json.dumps(deals)}) new Deal().show('1.1', deal);"
    result = "console.log(JSON.stringify([elements['check-title'].textContent, Object.keys(kept).length]));"
    script = f"{PAGE}{joined(('deal',))}\n{show}\n{result}"
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [title, kept]
