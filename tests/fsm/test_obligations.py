"""What a game must do is named where it is declared: the guide's game, each time with one part missing."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from fsm.declaration.declaration import DeclarationError

GAME = Path(__file__).parents[2] / "docs" / "howto" / "follow_suit.py"
BEFORE_THE_PHASES = "class FollowSuitPhase"
TABLE = "table=CardTable"
MISSING = {
    "how it ends": (
        {BEFORE_THE_PHASES: "@effect\ndef win(table):\n    table.winner = table.player\n\n\n"},
        {},
        "arc await-play --play .*--> game-over: no effect says how the game ends, expected one that sets `ending`",
    ),
    "turns": (
        {
            BEFORE_THE_PHASES: "@effect\ndef next_player(table):\n    table.player = (table.player + 1) % table.players\n\n\n"
        },
        {},
        "no effect counts turns, expected `turns \\+= 1` where a turn is over",
    ),
    "the trace": (
        {
            BEFORE_THE_PHASES: "from rules.piles import lay_open\n\n\n@effect\ndef lay_card(table):\n"
            "    table.hands[table.player] ^= 1 << table.card\n    lay_open(table, table.card)\n\n\n"
        },
        {},
        "arc await-play --play .*--> await-play: lays a card without a trace, expected `trace\\(table, card\\)`",
    ),
    "a fact": (
        {
            BEFORE_THE_PHASES: "@dataclass(slots=True)\nclass Counting(CardTable):\n    taken: int = 0\n\n\n"
            "@effect\ndef take_card(table):\n    card = take_top(table)\n    receive(table, table.player, card)\n"
            "    table.drawn = card\n    table.taken += 1\n\n\n"
            '@guard("four cards were taken")\ndef taken_often(table):\n    return table.taken == 4\n\n\n'
        },
        {
            TABLE: "table=Counting",
            "conditions=draw_pile_left, before": "conditions=draw_pile_left, unless=taken_often, before",
        },
        "field taken: decides what is legal and belongs to no position, expected Fact\\('taken', 'taken'\\)",
    ),
    "a deal of any size": (
        {
            BEFORE_THE_PHASES: "@effect\ndef deal_rows(table, deck, players, each):\n    table.players = players\n"
            "    for index in range(players * each):\n        receive(table, index // each, int(deck[index]))\n"
            "    deal_piles(table, deck, players * each)\n\n\n"
        },
        {"deal_each=deal_in_turn": "deal_each=deal_rows", '"DQ DS HS HQ SS", 2, 1': '"DQ DS HS HQ SS", 2, 2'},
        "deal_each deals player 1 DQ HQ of the deck as `fill` makes it, expected DQ SQ by `dealt_to` of the codec",
    ),
    "a deal that works": (
        {BEFORE_THE_PHASES: "@effect\ndef deal_none(table, deck, players, each):\n    table.stack = deck\n\n\n"},
        {"deal_each=deal_in_turn": "deal_each=deal_none"},
        "deal_each: 1 cards for each of 2 players: AttributeError: ",
    ),
}
IMPORTS = (
    "from dataclasses import dataclass\nfrom maumau import effect, guard\n"
    "from rules.piles import deal_piles, take_top\nfrom rules.table import receive\n"
)


@pytest.mark.parametrize("part", MISSING)
def test_a_part_that_is_missing_is_named_where_the_game_is_declared(
    part: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    put_before, replaced, sentence = MISSING[part]
    text = GAME.read_text(encoding="utf-8")
    for old, new in {**{old: new + old for old, new in put_before.items()}, **replaced}.items():
        assert old in text
        text = text.replace(old, new, 1)
    file = tmp_path / "missing.py"
    file.write_text(text.replace("\nfrom maumau import (", f"\n{IMPORTS}from maumau import (", 1), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("missing", file)
    assert spec is not None
    assert spec.loader is not None
    sys.modules["missing"] = module = importlib.util.module_from_spec(spec)
    request.addfinalizer(lambda: sys.modules.pop("missing"))
    with pytest.raises(DeclarationError, match=f"follow-suit: {sentence}"):
        spec.loader.exec_module(module)
