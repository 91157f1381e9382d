"""Texts on the pages of tables: names of cards become faces, and no other letters are taken for cards or suits."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from fsm import Game, MauMau, UnoOfficial
from render.page.document import joined
from render.page.story import game_data
from rules.faces import Face

CZECH = {
    "cards": {
        "ss": {"style": "czech", "label": "svršek of acorns"},
        "s7": {"style": "czech", "label": "seven of acorns"},
    },
    "suits": {"s": "acorns", "k": "leaves", "a": "bells"},
}
"""Data of a game whose suits are called by small letters, which stand in its words, too."""
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


def plain(data: dict[str, Any], texts: list[str]) -> list[str]:
    """What a screen reader reads of texts."""
    data_and_texts = json.dumps([data, texts])
    cards = "Object.assign(Object.create(Cards.prototype), { faces: data.cards })"  # without a document to draw in
    show = f"console.log(JSON.stringify(texts.map((text) => new Words(data, {cards}).plain(text))));"
    script = f"{joined(('cards', 'words'))}\nconst [data, texts] = {data_and_texts};\n{show}"
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


@node
def test_letters_of_words_are_no_suits() -> None:
    texts = ["acorns svršek", "a card, as s k a", "Player 1 plays ss.", "sš ssš šss ss7"]
    assert plain(CZECH, texts) == ["acorns svršek", "a card, as s k a", "Player 1 plays svršek of acorns.", texts[3]]


@node
@pytest.mark.parametrize(
    ("kind", "text", "read"),
    [
        (MauMau, "player 1 cannot play CA on HE; may play HJ S or draw", "player 1 cannot play ace of clubs on eight of "
         "hearts; may play jack of hearts spades or draw"),
        (MauMau, "may play CA; play DJ or SJ naming D, H or S; or draw", "may play ace of clubs; play jack of diamonds or "
         "jack of spades naming diamonds, hearts or spades; or draw"),
        (UnoOfficial, "may name Y or play WF naming Y", "may name Y or play wild draw four naming yellow"),
        (MauMau, "A jack: C, D, H or S", "A jack: C, D, H or S"),
        (UnoOfficial, "Player 2 drops R7. Y", "Player 2 drops red 7. Y"),
    ],
)  # fmt: skip
def test_names_of_cards_are_read_and_a_suit_after_one(kind: type[Game], text: str, read: str) -> None:
    assert plain(game_data(kind.declaration), [text]) == [read]


@node
def test_a_card_with_a_name_of_one_letter_is_no_part_of_a_sentence() -> None:
    def ace_or_not(notation: Any, name: str) -> Face:
        return Face("french", name[1], name[0], f"{name} face")

    look = replace(MauMau.declaration.look, face=ace_or_not)
    data = game_data(replace(MauMau.declaration, look=look))
    data["cards"]["A"] = {"style": "french", "label": "the ace"}
    assert plain(data, ["A card: HA"]) == ["A card: HA face"]


@node
def test_those_who_are_marked_as_winners_are_those_of_the_match_when_it_is_over() -> None:
    module = joined(("result",))
    views: list[dict[str, Any]] = [
        {"outcome": {"winner": 2}, "match": {"outcome": {"winner": 1}}},
        {"outcome": {"winner": 2}, "match": {"outcome": {"winner": None}}},
        {"outcome": {"winner": 2}, "match": {"outcome": None}},
        {"outcome": {"winner": 2}, "match": None},
        {"outcome": None, "match": None},
        {"outcome": {"winner": None, "winners": [2, 4]}, "match": None},
    ]
    script = f"{module}\nconsole.log(JSON.stringify({json.dumps(views)}.map(winnersOf)));"
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[1], [], [2], [2], [], [2, 4]]
