"""Whole games of UNO: the corpus, and random decks against the plain simulator."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from corpora import difference
from plain_uno import CARDS, simulate

from fsm.games.uno import UNO
from fsm.games.uno.game import Uno
from rules.uno.cards import UNO_CARDS
from rules.uno.game import MAX_PLAYERS

CORPUS = Path(__file__).parents[1] / "corpus" / "uno"
DECKS = 60


def results(game: Uno) -> list[str]:
    """The two lines that the problem wants of a game that is over."""
    assert game.outcome is not None
    return [" ".join(map(str, game.outcome.scores)), " ".join(map(str, game.uno_calls))]


@pytest.fixture(scope="module")
def played() -> list[Uno]:
    games = [Uno.of_deck(*dealt) for dealt in Uno.read((CORPUS / "cases.in").read_text())]
    for game in games:
        game.run()
    return games


def test_the_sample_goes_card_by_card_as_its_hint_says(played: list[Uno]) -> None:
    sample = played[0]
    output = [(step.trigger, step.player, step.card) for step in sample.history if step.trigger in ("play", "take")]
    laid = ["B0", "B3", "B3", "B2", "B2", "B1", "B1"]
    drawn = ["GD", "GD", "GS", "GS", "GR", "GR"]
    turns = [("play", 2, laid[0])]
    for taken, card in zip(drawn, laid[1:], strict=True):
        turns += [("take", 1, taken), ("play", 2, card)]
    assert sample.opening_card == "G0"
    assert output == turns
    assert results(sample) == ["249 0", "0 1"]


def test_the_machine_plays_every_game_of_the_corpus_right(played: list[Uno]) -> None:
    assert difference(CORPUS / "cases.in", ("\n".join(results(game)) for game in played)) == ""
    assert len(played) == 60


def test_the_plain_simulator_plays_every_game_of_the_corpus_right() -> None:
    games = Uno.read((CORPUS / "cases.in").read_text())
    output = (str(simulate(players, UNO_CARDS.names(cards))) for players, cards in games)
    assert difference(CORPUS / "cases.in", output) == ""


def test_every_arc_is_fired_by_a_game_of_the_corpus(played: list[Uno]) -> None:
    fired = Counter(step.arc for game in played for step in game.history)
    assert [str(arc) for arc in UNO.arcs if not fired[arc]] == []


@pytest.mark.parametrize("players", range(2, MAX_PLAYERS + 1))
def test_random_decks_go_as_the_plain_simulator_plays_them(players: int) -> None:
    shuffler = random.Random(players)
    for _ in range(DECKS):
        cards = shuffler.sample(CARDS, len(CARDS))
        while cards[7 * players][0] == "W":
            shuffler.shuffle(cards)
        game, plain = Uno.parse(" ".join([str(players), *cards])), simulate(players, cards)
        outcome = game.run()
        assert "\n".join(results(game)) == str(plain)
        assert (list(game.discard_pile), list(game.draw_pile)) == (plain.laid, plain.stock)
        assert [list(hand) for hand in game.hands] == plain.hands
        assert outcome.winner == (None if plain.winner is None else plain.winner + 1)


@pytest.mark.parametrize("policy", ["random", "first-legal"])
@pytest.mark.parametrize("players", [2, 5, 10])
def test_games_of_other_players_end_with_all_cards_there_and_one_arc_for_each_event(policy: str, players: int) -> None:
    for number in range(15):
        game = Uno.deal(players, 2, number, (policy,))
        game.run()
        names = [card for hand in game.hands for card in hand] + [*game.draw_pile, *game.discard_pile]
        assert Counter(names) == Counter(CARDS)
        while game.history:
            step = game.undo()
            game.table.card, game.table.suit = offered(step.card, step.trigger, game), -1
            assert [arc for arc in UNO.leaving(step.source, step.trigger) if arc.enabled(game.table)] == [step.arc]


def offered(card: str | None, trigger: str, game: Uno) -> int:
    """The code under which the player in turn holds the card that an event names."""
    if card is None or trigger != "play":
        return int(game.table.card)
    return next(code for code in UNO.codec.held(game.table, game.player - 1) if UNO_CARDS.cards[code] == card)


def test_a_written_case_is_read_again_and_goes_the_same_way() -> None:
    for number in range(20):
        cards = Uno.deck_of(3, 1, number)
        ((players, again),) = Uno.read(f"1\n{Uno.write(3, cards)}\n")
        assert UNO_CARDS.names(again) == UNO_CARDS.names(cards)
        games = Uno.of_deck(3, cards), Uno.of_deck(players, again)
        assert games[0].run() == games[1].run()
        assert games[0].table.trail == games[1].table.trail
