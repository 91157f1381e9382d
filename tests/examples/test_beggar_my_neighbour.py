"""The example Beggar-my-neighbour: games whose lengths others have published, and piles whose cards lie in an order.

The long games are those of the history of the search for a game without an end, from M. Paulhus, "Beggar my
neighbour", American Mathematical Monthly 106 (1999), on; the game without an end is that of B. Casella and others, "A
non-terminating game of Beggar-My-Neighbor", arXiv:2403.13855.
"""

from __future__ import annotations

from itertools import chain

import pytest
from alike import assert_played_alike, explored_alike

from examples.beggar_my_neighbour import BeggarMyNeighbour, score
from fsm import Game, register
from maumau.play.table import Computer, Person, Setup, Table
from render.notebook import bundle
from render.page.story import laid_before
from render.text.table import TableText
from rules.ending import Ending

LONG = {
    "Kleber 1999": ("---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q", 5790, 805),
    "Mann and Wu 2007": ("K-KK----K-A-----JAA--Q--J-/---Q---Q-J-----J------AQ--", 7157, 1007),
    "Nessler 2012": ("----Q------A--K--A-A--QJK-/-Q--J--J---QK---K----JA---", 7207, 1015),
    "Anderson 2013": ("--A-Q--J--J---Q--AJ-K---K-/-J-------Q------A--A--QKK-", 7225, 1016),
    "Rucklidge 2014": ("-J------Q------AAA-----QQ-/K----JA-----------KQ-K-JJK", 7959, 1122),
    "Nessler 2022": ("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---", 8344, 1164),
}
"""The piles of both players, the top card first, with `-` for a card that asks for none; cards, and tricks."""
ENDLESS, CYCLE = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA", 62


def dealt(piles: str) -> Game:
    """A game with these piles."""
    left = {rank: [rank + suit for suit in "DHSC"] for rank in "JQKA"}
    left["-"] = [rank + suit for rank in "23456789T" for suit in "DHSC"]
    ranks = chain.from_iterable(zip(*piles.split("/"), strict=True))
    return BeggarMyNeighbour.parse(f"2 {' '.join(left[rank].pop(0) for rank in ranks)}")


@pytest.mark.parametrize("who", LONG)
def test_a_game_is_as_long_as_was_published(who: str) -> None:
    piles, cards, tricks = LONG[who]
    game = dealt(piles)
    outcome = game.run()
    assert outcome.ending is Ending.WON
    assert sum(step.trigger == "turn_card" for step in game.history) == cards
    assert sum(step.trigger == "take_pile" for step in game.history) == tricks


def test_the_piles_stand_beside_their_players() -> None:
    register(BeggarMyNeighbour)
    table = Table(Setup(game="beggar-my-neighbour", seats=(Person("Ann"), Computer("house")), seed=3))
    table.advance()
    lines = list(TableText(BeggarMyNeighbour.declaration).lines(table.view(1)))
    assert lines[:2] == ["Player 2 (house): no cards, own: 26 cards", "You: own: 26 cards."]
    game = BeggarMyNeighbour.deal(2, 3)
    assert [len(pile) for [pile] in laid_before(game)] == [26, 26]
    assert bundle(game)["text/html"].count('class="melds"') == 2


def test_the_game_without_an_end_repeats_itself_after_62_tricks() -> None:
    game = dealt(ENDLESS)
    seen: list[str] = []
    while game.outcome is None:
        if game.step().trigger == "take_pile":
            facts = dict(field.split("=") for field in str(game.position()).split()[1:])
            seen.append("".join(rank if rank in "JQKA/" else "-" for rank in facts["own"][::3] + facts["player"]))
    assert game.outcome.ending is Ending.ENDLESS
    assert seen[-1] == seen[-1 - CYCLE]
    assert seen[-1] not in seen[-CYCLE:-1]
    assert seen.index(seen[-1]) < CYCLE + 10


def test_both_engines_play_the_same_games() -> None:
    games = [dealt(LONG["Kleber 1999"][0]), *(BeggarMyNeighbour.deal(2, 5, number) for number in range(20))]
    assert_played_alike(BeggarMyNeighbour, games, "house", 5)


def test_both_explorers_see_the_same_sound_positions() -> None:
    small, _ = BeggarMyNeighbour.declaration.small_decks
    assert explored_alike(BeggarMyNeighbour, small).never_fired == []


def test_a_position_keeps_the_order_of_the_piles_and_shows_nobody_which_cards_they_have() -> None:
    game = BeggarMyNeighbour.deal(2, seed=7)
    for _ in range(60):
        game.step()
    whole = str(game.position())
    assert BeggarMyNeighbour.at(whole).position() == game.position()
    assert BeggarMyNeighbour.at(whole).run() == game.clone().run()
    for seat in (1, 2):
        facts = dict(field.split("=") for field in str(game.position(seen_by=seat)).split()[1:])
        assert set(facts["own"]) == set("?,/")
        assert [len(pile.split(",")) for pile in facts["own"].split("/")] == [
            score(game.table, seat) for seat in (0, 1)
        ]
