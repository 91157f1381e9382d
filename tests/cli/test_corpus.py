"""The corpus: every game goes as the answers say; and random decks go as a plain simulator plays them."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from plain_maumau import CARDS, simulate

from fsm import MauMau
from fsm.declaration.arcs import NO_CHOICE
from fsm.games.maumau import MAUMAU
from rules.piles import cards_laid, cards_taken

Corpus = list[tuple[str, list[str]]]
DECKS = 400


def ended(line: str) -> MauMau:
    """The game of a line of the input, played to its end."""
    game = MauMau.parse(line)
    game.run()
    return game


def laid_cards(game: MauMau) -> list[str]:
    return [game.opening_card] + [str(step.card) for step in game.history if step.trigger == "play"]


def answer(game: MauMau) -> list[str]:
    """The two lines that the problem wants of a game that is over."""
    outcome = game.outcome
    assert outcome is not None
    score = f"Score: {' '.join(map(str, outcome.scores))}" if outcome.winner else f"No score: {outcome.ending}"
    return [" ".join(laid_cards(game)), score]


@pytest.fixture(scope="module")
def played(corpus: Corpus) -> list[MauMau]:
    return [ended(line) for line, _ in corpus]


def test_the_corpus_is_there(corpus: Corpus) -> None:
    assert len(corpus) >= 166


def test_the_machine_plays_every_game_of_the_corpus_right(corpus: Corpus, played: list[MauMau]) -> None:
    for game, (line, lines) in zip(played, corpus, strict=True):
        assert answer(game) == lines, line


def test_the_plain_simulator_plays_every_game_of_the_corpus_right(corpus: Corpus) -> None:
    for line, lines in corpus:
        players, *deck = line.split()
        assert str(simulate(int(players), deck)).split("\n") == lines, line


def with_a_jack_by_hand(endless: MauMau) -> MauMau:
    """The endless game, in its period, with one jack laid by hand: what was there before that proves nothing."""
    game = endless.restarted()
    for _ in range(len(endless.history) - 400):
        game.step()
    while not (step := game.step()).suit:
        pass
    game.undo()
    game.play(str(step.card), step.suit)
    game.run()
    return game


def test_every_arc_is_fired_by_a_game_of_the_corpus(played: list[MauMau]) -> None:
    endless = next(game for game in played if str(game.outcome) == "no winner: endless")
    fired = Counter(step.arc for game in [*played, with_a_jack_by_hand(endless)] for step in game.history)
    # In no endless game that is known does a position come back while a seven is active.
    unknown = "penalty-pending --abandon [position returns] / stop endless--> game-over"
    assert [str(arc) for arc in MAUMAU.arcs if not fired[arc]] == [unknown]


def test_every_decision_rule_decides_in_a_game_of_the_corpus(played: list[MauMau]) -> None:
    rules = {step.rule for game in played for step in game.history}
    assert rules == {"rule 1", "rule 2", "rule 3", "rule 4", NO_CHOICE, None}


def test_a_game_that_cannot_be_won_has_neither_winner_nor_crash(played: list[MauMau]) -> None:
    outcomes = [game.outcome for game in played if game.outcome]
    assert {str(outcome.ending) for outcome in outcomes if outcome.winner is None} == {"out of cards", "endless"}
    assert {str(outcome.ending) for outcome in outcomes if outcome.winner is not None} == {"won"}


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_decks_go_as_the_plain_simulator_plays_them(players: int) -> None:
    shuffler = random.Random(players)
    for _ in range(DECKS):
        deck = shuffler.sample(CARDS, len(CARDS))
        game = ended(" ".join([str(players), *deck]))
        plain = simulate(players, deck)
        outcome, table = game.outcome, game.table
        assert outcome is not None
        assert laid_cards(game) == plain.laid
        assert str(outcome.ending) == plain.ending
        assert plain.scores is None or outcome.scores == tuple(plain.scores)
        fired = Counter(step.trigger for step in game.history)
        turns, drawn, reshuffles = fired["play"] + fired["pass_turn"], fired["take"], fired["turn_pile"]
        assert (turns, drawn, reshuffles) == (plain.turns, plain.drawn, plain.reshuffles)
        assert (table.turns, cards_taken(table), table.reshuffles) == (turns, drawn, reshuffles)
        assert cards_laid(table) == len(plain.laid)
        assert [list(hand) for hand in game.hands] == plain.hands
        assert (list(game.discard_pile), list(game.draw_pile)) == (plain.discard_pile, plain.draw_pile)
