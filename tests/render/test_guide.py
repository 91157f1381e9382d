"""The rules to read: what they say of each game, and how house rules change them."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from examples.crazy_eights import CrazyEights
from fsm import DeclarationError, Game, MauMau, Uno, UnoOfficial, game_class
from fsm.declaration.guide import Guide, found_by_rule, is_rule
from fsm.registry import BUILT_IN
from render.page.document import asset
from render.page.guide import rules_to_read
from render.page.play import rules_page, table_page

EXAMPLES = [
    kind
    for path in sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
    for kind in vars(import_module(f"examples.{path.stem}")).values()
    if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ != Game.__module__ and not kind.plain
]
GAMES = [game_class(name) for name in BUILT_IN]


def texts(kind: type[Game], title: str) -> list[tuple[str, str]]:
    """The texts of a section, with their marks."""
    return [text for _, entries in sections(kind, title) for _, told in entries for text in told]


def sections(kind: type[Game], title: str) -> list:
    return [each for each in rules_to_read(kind)["sections"] if each[0] == title]


@pytest.mark.parametrize("kind", GAMES)
def test_every_house_rule_has_one_place_in_the_rules_to_read(kind: type[Game]) -> None:
    guide, rulebook = kind.declaration.look.guide, kind.rulebook()
    for rule in rulebook.listed():
        places = [named for named in (guide.instead, guide.beside, guide.special) if found_by_rule(named, rule.name)]
        assert len(places) == 1, rule.name
        marked = [
            text
            for _, entries in rules_to_read(kind.with_rules(rule))["sections"]
            for _, told in entries
            for text in told
        ]
        assert marked.count((rule.description, "new")) == 1, rule.name
    for name in (*guide.instead, *guide.beside, *guide.special):
        assert any(is_rule(name, rule.name) for rule in rulebook.listed()), name


@pytest.mark.parametrize("kind", [*GAMES, *EXAMPLES])
def test_each_game_of_the_package_and_each_example_has_its_rules_to_read(kind: type[Game]) -> None:
    found = dict(rules_to_read(kind)["sections"])
    special = kind.declaration.look.guide.heading or "Special cards"
    expected = ["The aim", "The deal", "A turn", special, "Scoring"]
    assert [*found] == [title for title in expected if title != special or kind.declaration.look.guide.cards]
    assert all(cards for cards, _ in found.get(special, ()))
    assert not any(mark for entries in found.values() for _, told in entries for _, mark in told)


def test_how_many_cards_are_dealt_is_found_by_dealing() -> None:
    deal = [text for text, _ in texts(MauMau, "The deal")]
    assert deal[:4] == [
        "2 to 4 players, 32 cards.",
        "With 2 players, each player is dealt 7 cards.",
        "With 3 players, each player is dealt 6 cards.",
        "With 4 players, each player is dealt 5 cards.",
    ]
    assert texts(Uno, "The deal")[:2] == [
        ("2 to 10 players, 108 cards.", ""),
        ("With 2 to 10 players, each player is dealt 7 cards.", ""),
    ]


def test_house_rules_are_merged_in_and_marked() -> None:
    kind = MauMau.with_rules("sevens-draw-3", "five-each", "king-again")
    seven = next(told for cards, told in sections(kind, "Special cards")[0][1] if cards == ["DS", "HS"])
    assert seven[:2] == (
        ("A seven: the next player draws two cards.", "gone"),
        ("A seven makes the next player draw three cards instead of two cards.", "new"),
    )
    assert (["SK", "DK"], (("After a king you play again.", "new"),)) in sections(kind, "Special cards")[0][1]
    assert ("With 2 to 4 players, each player is dealt 5 cards.", "new") in texts(kind, "The deal")
    assert ("With 2 players, each player is dealt 7 cards.", "gone") in texts(kind, "The deal")


def test_two_house_rules_may_replace_one_text() -> None:
    told = texts(UnoOfficial.with_rules("no-draw-on-last", "stack-draws"), "Scoring")
    assert [mark for _, mark in told].count("gone") == 1
    assert ("A draw two or wild draw four as last card makes nobody draw.", "new") in told


def test_a_game_without_a_text_of_its_own_is_told_by_its_declaration() -> None:
    plain = replace(CrazyEights.declaration.look, guide=Guide())
    kind = type("Plain", (CrazyEights,), {"declaration": replace(CrazyEights.declaration, look=plain)})
    assert ("An eight always fits, and names the suit to follow.", "") in texts(kind, "Moves")
    assert ("The starter has no effect.", "") in texts(kind, "Events without a choice")
    assert texts(kind, "The deal")[1] == ("With 2 players, each player is dealt 7 cards.", "")


def test_a_guide_names_its_own_texts_and_cards_of_the_game() -> None:
    with pytest.raises(ValueError, match=r"^guide: no text reads 'B'; name one that stands in the guide$"):
        Guide(aim="A", beside={"five-each": "B"})
    look = replace(MauMau.declaration.look, guide=Guide(aim="A", cards={"XX": ("B",)}))
    with pytest.raises(DeclarationError, match="guide: unknown card 'XX'"):
        replace(MauMau.declaration, look=look)


@pytest.mark.parametrize("kind", [*GAMES, MauMau.with_rules("lively"), UnoOfficial.with_rules("family-uno")])
def test_a_room_stays_small_with_its_rules(kind: type[Game]) -> None:
    assert len(table_page(kind).text.encode()) < 220_000
    page = rules_page(kind).text
    assert asset("rules.html") in page
    assert len(page.encode()) < 110_000
