"""What a game must do is named where it is declared: the guide's game, each time with one part missing."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from pathlib import Path

import pytest

from fsm.declaration.declaration import DeclarationError
from fsm.edge.errors import CompilationWarning

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
        'field taken: rules read it and it belongs to no position, expected Fact\\("taken", "taken"\\)',
    ),
    "a fact for each seat": (
        {
            BEFORE_THE_PHASES: "@dataclass(slots=True)\nclass Counting(CardTable):\n"
            "    taken: list[int] = seen_by_all(factory=each_seat(4))\n\n\n"
            "@effect\ndef take_card(table):\n    card = take_top(table)\n    receive(table, table.player, card)\n"
            "    table.taken[table.player] += 1\n\n\n"
        },
        {TABLE: "table=Counting"},
        "field taken: rules read it and it belongs to no position, expected Fact\\(.taken., .taken., .counts.\\)",
    ),
    "a field": (
        {BEFORE_THE_PHASES: "@effect\ndef next_player(table):\n    table.turns += 1\n    table.palyer = 0\n\n\n"},
        {},
        "arc await-play --play .*--> await-play: 'next player' is about a field 'palyer' of the table, expected palyer: int",
    ),
    "a name": (
        {BEFORE_THE_PHASES: "@effect\ndef next_player(table):\n    table.turns += ONE\n\n\n"},
        {},
        "arc await-play --play .*--> await-play: 'next player' uses ONE, which is not defined",
    ),
    "cards for all": ({}, {"    return 5": "    return 9"}, "the hands of 4 players are 36 cards, the deck has 32"),
    "a deal of the same": (
        {
            BEFORE_THE_PHASES: "@effect\ndef deal_more(table, deck, players, each):\n"
            "    deal_in_turn(table, deck, players, each)\n    table.player = 1\n\n\n"
        },
        {"deal_each=deal_in_turn": "deal_each=deal_more"},
        "deal_each sets player to 1, deal to 0, of 5 cards to each of 2 players",
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
    "a deal without an order": (
        {
            BEFORE_THE_PHASES: "@effect\ndef deal_last(table, deck, players, each):\n"
            "    deal_in_turn(table, deck, players, each)\n    table.suit = suit_of(deck[players * each - 1])\n\n\n"
        },
        {
            "deal_each=deal_in_turn": "deal_each=deal_last",
            "deal=dealing(cards_each)": "deal=dealing(cards_each, deal_last)",
        },
        "deal_each sets suit by the order of the cards of a hand, but small decks have hands without one",
    ),
    "a deal that works": (
        {BEFORE_THE_PHASES: "@effect\ndef deal_none(table, deck, players, each):\n    table.stack = deck\n\n\n"},
        {"deal_each=deal_in_turn": "deal_each=deal_none"},
        "deal_each: 1 cards for each of 2 players: AttributeError: ",
    ),
}
IMPORTS = (
    "from dataclasses import dataclass\nfrom maumau import effect, guard\n"
    "from rules.cards import suit_of\nfrom rules.piles import deal_piles, take_top\nfrom rules.table import each_seat, receive\n"
    "from rules.visibility import seen_by_all\n"
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


def test_a_function_that_cannot_be_compiled_is_named_with_its_line(tmp_path: Path) -> None:
    text = GAME.read_text(encoding="utf-8").replace("    return points(table.hands[seat])", "    return sum([1, 2])")
    file = tmp_path / "uncompiled.py"
    file.write_text(text, encoding="utf-8")
    line = text[: text.index("sum([1")].count("\n") + 1
    with pytest.warns(CompilationWarning, match=f"uncompiled.py:{line}: 'score' cannot be compiled: List is not known"):
        runpy.run_path(str(file))


def test_an_effect_may_call_a_part_of_the_library_by_its_module(tmp_path: Path) -> None:
    text = GAME.read_text(encoding="utf-8").replace(
        "next_player, nobody_wins, take_card, win", "next_player, take_card"
    )
    own = '@effect\ndef {0}(table):\n    """As ever."""\n    shedding.{0}(table)\n\n\n'
    parts = own.format("win") + own.format("nobody_wins")
    text = text.replace(
        BEFORE_THE_PHASES, f"from maumau import effect\nfrom rules import shedding\n\n\n{parts}{BEFORE_THE_PHASES}"
    )
    file = tmp_path / "by_module.py"
    file.write_text(text, encoding="utf-8")
    assert runpy.run_path(str(file))["FollowSuit"].deal(players=2, seed=1).run().ending
