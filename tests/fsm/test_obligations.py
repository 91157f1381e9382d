"""What a game must do is named where it is declared: the guide's game, each time with one part missing."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from all_games import GAMES

from examples.beggar_my_neighbour import BeggarMyNeighbour
from fsm import Game, MauMau, game_of, register
from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import DeclarationError
from fsm.declaration.facts import Fact
from fsm.declaration.shapes import misfits
from fsm.edge.errors import CompilationWarning
from fsm.registry import RegistryError
from rules.rule import choice, effect, guard, query
from rules.table import CardTable

GAME = Path(__file__).parents[2] / "docs" / "howto" / "follow_suit.py"
BEFORE_THE_PHASES = "class FollowSuitPhase"
TITLE = 'title="Follow Suit"'
FACTS = "cards_each=5"
MISSING = {
    "how it ends": (
        {BEFORE_THE_PHASES: "@effect\ndef win(table):\n    table.winner = table.player\n\n\n"},
        {},
        "transition await-play --play .*--> game-over: no effect says how the game ends; add one that sets `ending`",
    ),
    "turns": (
        {
            BEFORE_THE_PHASES: "@effect\ndef next_player(table):\n    table.player = (table.player + 1) % table.players\n\n\n"
        },
        {},
        "no effect counts turns; add `turns \\+= 1` where a turn ends",
    ),
    "the trace": (
        {
            BEFORE_THE_PHASES: "from rules.piles import lay_open\n\n\n@effect\ndef lay_card(table):\n"
            "    table.hands[table.player] ^= 1 << table.card\n    lay_open(table, table.card)\n\n\n"
        },
        {},
        "transition await-play --play .*--> await-play: lays a card without a trace; call `trace\\(table, card\\)`",
    ),
    "a fact": (
        {
            BEFORE_THE_PHASES: "@dataclass(slots=True)\nclass Counting(CardTable):\n    taken: int = 0\n\n\n"
            "@effect\ndef take_card(table):\n    card = take_top(table)\n    receive(table, table.player, card)\n"
            "    table.drawn = card\n    table.taken += 1\n\n\n"
            '@guard("four cards were taken")\ndef taken_often(table):\n    return table.taken == 4\n\n\n'
        },
        {
            TITLE: f"{TITLE}, table=Counting",
            "conditions=draw_pile_left, before": "conditions=draw_pile_left, unless=taken_often, before",
        },
        'field taken: rules read it, but it belongs to no position; add Fact\\("taken", "taken"\\)',
    ),
    "a fact for each seat": (
        {
            BEFORE_THE_PHASES: "@dataclass(slots=True)\nclass Counting(CardTable):\n"
            "    taken: list[int] = seen_by_all(factory=each_seat(4))\n\n\n"
            "@effect\ndef take_card(table):\n    card = take_top(table)\n    receive(table, table.player, card)\n"
            "    table.taken[table.player] += 1\n\n\n"
        },
        {TITLE: f"{TITLE}, table=Counting"},
        "field taken: rules read it, but it belongs to no position; add Fact\\(.taken., .taken., .counts.\\)",
    ),
    "a field": (
        {BEFORE_THE_PHASES: "@effect\ndef next_player(table):\n    table.turns += 1\n    table.palyer = 0\n\n\n"},
        {},
        "transition await-play --play--> await-play: before: 'next player' uses a field 'palyer' that the table does not have; declare palyer: int",
    ),
    "a name": (
        {BEFORE_THE_PHASES: "@effect\ndef next_player(table):\n    table.turns += ONE\n\n\n"},
        {},
        "transition await-play --play--> await-play: before: 'next player' uses ONE, which is not defined",
    ),
    "a function of the table alone": (
        {BEFORE_THE_PHASES: '@guard("no")\ndef four_left(table, cards):\n    return table.stock == cards\n\n\n'},
        {"conditions=draw_pile_left, before": "conditions=four_left, before"},
        "transition await-play --take--> await-play: conditions: four_left takes table, cards; use the parameters table",
    ),
    "a score of a seat": (
        {BEFORE_THE_PHASES: "@query\ndef none(table):\n    return 0\n\n\n"},
        {"score=score": "score=none"},
        "score: none takes table; use the parameters table, seat",
    ),
    "a postcondition of two tables": (
        {},
        {"top_card_is_taken, (": "piles_are_sound, ("},
        "postcondition 'the top card of the draw pile goes into the hand': piles_are_sound takes table; use the parameters before, after",
    ),
    "hands for any number of players": (
        {},
        {FACTS: "cards_each=lambda: 5"},
        "codec: cards_each: <lambda> takes nothing; use the parameters players",
    ),
    "a tuple of policies": (
        {},
        {'(Policy("house", HOUSE), RANDOM)': "RANDOM"},
        "policies is a RandomPolicy; use a tuple: \\(...,\\)",
    ),
    "a policy": ({}, {'(Policy("house", HOUSE), RANDOM)': "()"}, "the policies are none; declare one or more"),
    "policies of different names": (
        {},
        {"HOUSE), RANDOM": 'HOUSE), Policy("house", HOUSE)'},
        "the policies are house, house; declare one or more, each with its own name",
    ),
    "a phase of a policy": (
        {},
        {"HOUSE = {\n    AWAIT_PLAY": 'HOUSE = {\n    "await-pley"'},
        "policy house: unknown phase 'await-pley'; did you mean await-play\\? Use one of await-play, initial, game-over",
    ),
    "a tuple of guards": (
        {},
        {"conditions=(draw_pile_left,), description": "conditions=draw_pile_left, description"},
        "policies\\[0\\].choices\\[await-play\\]\\[1\\].conditions is draw_pile_left; use a tuple: \\(draw_pile_left,\\)",
    ),
    "a small deck": (
        {},
        {'SmallDeck("DQ DS HS HQ SS", 2, 1), ': '"DQ DS HS", '},
        "small_decks\\[0\\] is 'DQ DS HS'; use a SmallDeck",
    ),
    "names of cards without blanks": (
        {},
        {
            "deck=FRENCH": 'deck=replace(FRENCH, cards=("my queen", *FRENCH.cards[1:]))',
            '"DQ DS HS HQ SS", 2, 1': '"DS HS HQ SS", 2, 1',
        },
        "notation: card 'my queen' is not a name in a position; use one word",
    ),
    "a letter for each suit": (
        {},
        {"deck=FRENCH": 'deck=replace(FRENCH, suits="DDHS")'},
        "notation: suits 'DDHS'; use a letter for each",
    ),
    "a name of a fact without blanks": (
        {},
        {FACTS: FACTS + ', facts=(Fact("cards due", "due"),)'},
        "fact 'cards due' is not a name of a fact in a position; use one word",
    ),
    "a name of a fact that no pile has": (
        {},
        {FACTS: FACTS + ', facts=(Fact("draw", "due"),)'},
        "fact 'draw' is not a name of a fact .*, and not that of a pile",
    ),
    "words without blanks": (
        {},
        {FACTS: FACTS + ', facts=(Fact("due", "due", words=("", "one card")),)'},
        "fact due: words , one card; use another one for each number, without blanks",
    ),
    "ranks": (
        {},
        {
            "deck=FRENCH": 'deck=replace(FRENCH, ranks="")',
            FACTS: FACTS + ', facts=(Fact("rank", "due", "rank"),)',
        },
        "fact rank: the notation has no ranks; declare Notation",
    ),
    "a fact besides the hands": (
        {},
        {FACTS: FACTS + ', facts=(Fact("held", "hands", "cards"),)'},
        "fact held: hands belongs to every position",
    ),
    "a deal of the same": (
        {
            BEFORE_THE_PHASES: "@effect\ndef deal_more(table, deck, players, each):\n"
            "    deal_in_turn(table, deck, players, each)\n    table.player = 1\n\n\n"
        },
        {"deal_each=deal_in_turn": "deal_each=deal_more, deal=dealing(lambda players: 5, deal_in_turn)"},
        "deal_each sets player to 1 for 5 cards to each of 2 players, not 0 as deal",
    ),
    "a deal of any size": (
        {
            BEFORE_THE_PHASES: "@effect\ndef deal_rows(table, deck, players, each):\n    table.players = players\n"
            "    for index in range(players * each):\n        receive(table, index // each, int(deck[index]))\n"
            "    deal_piles(table, deck, players * each)\n\n\n"
        },
        {
            "deal_each=deal_in_turn": "deal_each=deal_rows, deal=dealing(lambda players: 5, deal_in_turn)",
            '"DQ DS HS HQ SS", 2, 1': '"DQ DS HS HQ SS", 2, 2',
        },
        "deal_each deals player 1 DQ HQ of the deck as `fill` makes it; deal DQ SQ, as `cards_each` and `dealt_to` of the codec say",
    ),
    "a deal of as many to all": (
        {
            BEFORE_THE_PHASES: "@effect\ndef deal_more(table, deck, players):\n"
            "    deal_in_turn(table, deck, players, 5)\n    receive(table, 0, take_top(table))\n\n\n"
        },
        {
            "deal_each=deal_in_turn": "deal=deal_more",
            '(SmallDeck("DQ DS HS HQ SS", 2, 1), SmallDeck("DQ DS HS HQ SS SQ", 2, 2))': "()",
        },
        "deal deals player 1 .* of the deck as `fill` makes it; deal .*, as `cards_each` and `dealt_to` of the codec say",
    ),
    "a deal without an order": (
        {
            BEFORE_THE_PHASES: "@effect\ndef deal_last(table, deck, players, each):\n"
            "    deal_in_turn(table, deck, players, each)\n    table.suit = suit_of(deck[players * each - 1])\n\n\n"
        },
        {"deal_each=deal_in_turn": "deal_each=deal_last"},
        "deal_each sets suit by the order of the cards of a hand; let it depend only on which cards are dealt",
    ),
    "a deal that works": (
        {BEFORE_THE_PHASES: "@effect\ndef deal_none(table, deck, players, each):\n    table.stack = deck\n\n\n"},
        {"deal_each=deal_in_turn": "deal_each=deal_none"},
        "deal_each: 1 cards for each of 2 players: AttributeError: ",
    ),
}
IMPORTS = (
    "from dataclasses import dataclass, replace\nfrom maumau import Fact, effect, guard\n"
    "from rules.cards import suit_of\nfrom rules.piles import deal_piles, take_top\nfrom rules.table import dealing, each_seat, receive\n"
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


@pytest.mark.parametrize("part", ["seats", "reveals"])
def test_a_part_of_another_type_is_named_where_the_game_is_registered(
    part: str, request: pytest.FixtureRequest
) -> None:
    """A text in the place of a tuple of texts, and a tuple in that of a mapping, do their work by chance at best."""
    game = MauMau.declaration
    given = {"look": replace(game.look, seats="East")} if part == "seats" else {"reveals": ("skip",)}
    kind = game_of(replace(game, name="mistyped", **given))
    with pytest.raises(RegistryError, match=f"mistyped: .*{part} is .*; use"):
        register(kind)


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_all_parts_of_the_games_are_of_their_types(kind: type[Game]) -> None:
    assert list(misfits("", kind.declaration)) == []


def test_two_phases_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="phase PLAY: TURN is also 'turn'; use another name"):

        class Twice(Phase):
            TURN = "turn"
            PLAY = "turn"


def nothing(table: CardTable) -> None:
    table.due > 3  # noqa: B015


def sometimes(table: CardTable) -> int | None:
    if table.due > 3:
        return 1
    return None


@pytest.mark.parametrize(
    ("mark", "function"), [(guard("no"), nothing), (query, nothing), (query, sometimes), (choice, sometimes)]
)
def test_a_function_that_may_return_nothing_where_a_value_is_asked_is_refused(mark: Any, function: Any) -> None:
    with pytest.raises(TypeError, match=f"{function.__name__} may return nothing; return a value in every case"):
        mark(function)


def test_an_effect_that_returns_a_value_is_refused() -> None:
    with pytest.raises(TypeError, match=r"effect: .*taken returns a value; write a function that changes the table"):

        @effect
        def taken(table: CardTable) -> int:
            table.due = 0
            return 1


def test_a_guard_need_not_say_no() -> None:
    @guard("fewer are due")
    def many(table: CardTable) -> bool | None:
        if table.due > 3:
            return True
        return None

    assert not many(CardTable())


def test_a_class_without_a_declaration_is_refused() -> None:
    with pytest.raises(TypeError, match="class Nothing: declaration: None is of type NoneType; give class NAME"):

        class Nothing(Game):
            pass


def test_a_number_beyond_the_words_of_a_fact_is_no_number_of_it() -> None:
    assert Fact("direction", "direction", words=("", "back")).most == 1


def test_a_small_deck_of_which_nothing_is_dealt_has_room_for_all_players() -> None:
    assert BeggarMyNeighbour.with_deck("2S", each=0).declaration.codec.most == 2
