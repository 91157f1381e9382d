"""A game of one player, who lays cards of piles: to win is worth as much for every engine, and what is declared wrongly
is found by both explorers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from alike import explored_alike, found_alike
from command import maumau
from mutants import with_function
from patience import DECLARATION, LAYING, Patience, Table, last_one, lay_top, stock_left
from spiel import load_own

from fsm import Game, game_of
from fsm.check import explore_stepped, survey
from fsm.check.properties import DETERMINED, GENERALLY, BasicProperty
from fsm.declaration.facts import Fact
from maumau import Batch, TrainingSettings, strength, train
from rules.rule import effect, guard
from rules.table import each_seat
from rules.visibility import seen_by_all

THREES_LIE = "1 3D 3H 3S 2D 2H 2S"
"""A deck: three threes lie there, a two is open, and the others are the stock."""


def turned_up_at_once() -> Game:
    """A game in which only one of the threes is laid."""
    game = Patience.parse(THREES_LIE)
    for event in ("begin", "turn_up", "turn_up"):
        game.fire(event)
    game.play("3D")
    game.give_up()
    return game


def test_who_plays_alone_gains_one_by_winning_and_else_nothing() -> None:
    assert Patience.parse(THREES_LIE).run().returns == (1.0,)
    assert turned_up_at_once().outcome.returns == (0.0,)


def test_a_batch_gives_as_much() -> None:
    batch, told = Batch(Patience, players=1, slots=8, seed=7), set()
    random = np.random.default_rng(7)
    for _ in range(60):
        games = [batch.game(slot) for slot in range(8)]
        actions = [int(random.choice(mask.nonzero()[0])) for mask in batch.masks]
        decisions = batch.step(actions)
        for slot in decisions.ended.nonzero()[0]:
            games[slot].fire(batch.actions.move(actions[slot], 1, 1))
            outcome = games[slot].outcome
            assert tuple(decisions.rewards[slot]) == outcome.returns == (float(outcome.winner == 1),)
            told.add(outcome.winner)
    assert told == {None, 1}


def test_a_net_learns_to_play_alone() -> None:
    net = train(Patience, players=1, games=200, seed=7, settings=TrainingSettings(hidden=8))
    assert strength(net, games=50).games == 50


def test_open_spiel_is_not_told_that_a_single_player_loses_what_others_win() -> None:
    import pyspiel

    game = load_own(Patience, 1)
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert game.max_utility() == 1


@pytest.mark.slow
def test_a_card_of_a_pile_is_laid_if_it_is_declared_as_none_of_the_hand() -> None:
    (small,) = DECLARATION.small_decks
    explored_alike(Patience, small)
    control = DECLARATION.control[LAYING]
    offers = tuple(replace(offer, from_hand=True) for offer in control.offers)
    wrong = game_of(replace(DECLARATION, control={**DECLARATION.control, LAYING: replace(control, offers=offers)}))
    report = found_alike(wrong, small)
    assert report.failures == [GENERALLY[BasicProperty.NO_ERROR]]
    assert (
        "play is offered with a card that is not in the hand; declare from_hand=False"
        in report.examples[BasicProperty.NO_ERROR].error
    )


@dataclass(slots=True)
class CountingTable(Table):
    laid: list[int] = seen_by_all(factory=each_seat(4))


@effect
def lay_and_count(table: CountingTable) -> None:
    lay_top(table)
    table.laid[3] += 1


@guard("fewer were laid")
def two_laid(table: CountingTable) -> bool:
    return table.laid[3] == 2


def test_a_position_that_lacks_what_is_beyond_the_seats_is_found() -> None:
    """Of a list a position has an item for each seat."""
    codec = replace(DECLARATION.codec, facts=(*DECLARATION.codec.facts, Fact("laid", "laid", "counts")))
    counting = replace(DECLARATION, table=CountingTable, codec=codec, small_decks=())
    for old, new in ((lay_top, lay_and_count), (last_one, two_laid)):
        counting = with_function(counting, old, new).declaration()
    report = survey(game_of(counting), games=20)
    assert report.failures == [DETERMINED]
    (example,) = report.examples.values()
    assert example.missing == ("laid",)


@guard("there is always a stock")
def always(table: Table) -> bool:
    return table.stock > -9


def test_a_card_that_is_taken_off_an_empty_pile_is_found_in_games_as_with_small_decks() -> None:
    """What is left of a pile is not a number below 0."""
    wrong = game_of(with_function(DECLARATION, stock_left, always).declaration())
    explored, played = explore_stepped(wrong, DECLARATION.small_decks[0]), survey(wrong, games=4)
    for report in (explored, played):
        assert GENERALLY[BasicProperty.IN_RANGE] in report.failures
        found = report.examples[BasicProperty.IN_RANGE]
        assert str(found.event) == "turn_up"
        assert found.position.endswith(" draw=-")


def test_one_player_is_told_as_one(tmp_path: Path) -> None:
    """No share of the wins is fair where nobody else plays."""
    game = ("--game", f"{Path(__file__).parents[1] / 'support' / 'patience.py'}:Patience")
    deck = tmp_path / "deck"
    deck.write_text(f"1\n{THREES_LIE}\n", encoding="utf-8")
    assert maumau("simulate", *game, "--trace", deck).stdout.startswith("Game 0: 1 player\n")
    told = maumau("train", *game, "--players", 1, "--games", 100, "--hidden", 8, "-o", tmp_path / "net").stdout
    assert re.search(r"\n1 player: wins [\d.]+% of [\d,]+ games \([\d.]+% to [\d.]+%\)\n$", told)
