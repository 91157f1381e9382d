"""Whole rounds of official UNO: the corpus by both engines, and random decks against the plain simulator."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from plain_uno_official import CARDS, Round, simulate
from uno_official_games import cases, events

from fsm import UnoOfficial
from fsm.games.uno_official import UNO_OFFICIAL
from maumau.kernels.bulk.transcripts import play_compiled
from rules.reading import Dealt
from rules.uno.cards import UNO_CARDS

NAMED = ("house", "bluffer", "forgetful")
Cases = list[tuple[str, int, list[str], tuple[str, ...], str]]


@pytest.fixture(scope="module")
def corpus() -> Cases:
    return list(cases())


def played(players: int, deck: Sequence[str], policies: Sequence[str]) -> UnoOfficial:
    game = UnoOfficial.parse(f"{players} {' '.join(deck)}", policies)
    game.run()
    return game


def lines(game: UnoOfficial) -> str:
    assert game.outcome is not None
    if game.outcome.winner is None:
        return "No score: endless"
    return f"{' '.join(map(str, game.outcome.scores))}\n{' '.join(map(str, game.uno_calls))}"


def test_the_machine_and_the_plain_simulator_play_every_round_of_the_corpus_right(corpus: Cases) -> None:
    assert len(corpus) == 56
    for name, players, deck, policies, expected in corpus:
        assert str(simulate(players, deck, policies)) == expected, name
        assert lines(played(players, deck, policies)) == expected, name


def compiled_lines(players: int, deck: Sequence[str], policies: Sequence[str]) -> str:
    codes: dict[str, list[int]] = {}
    for code in UnoOfficial.full_deck():
        codes.setdefault(UNO_CARDS.cards[code], []).append(code)
    dealt = Dealt(players, bytes(codes[card].pop() for card in deck))
    return next(play_compiled(UnoOfficial, [dealt], policies, 0)).rounds[0].game.result


@pytest.mark.parametrize(("house", "rounds"), [(True, 38), pytest.param(False, 18, marks=pytest.mark.thorough)])
def test_compiled_rounds_of_the_corpus_are_right(corpus: Cases, house: bool, rounds: int) -> None:
    cases = [case for case in corpus if (case[3] == ("house",)) is house]
    assert len(cases) == rounds
    for name, players, deck, policies, expected in cases:
        assert compiled_lines(players, deck, policies) == expected, name


def assert_same(game: UnoOfficial, plain: Any) -> None:
    outcome = game.outcome
    assert outcome is not None
    assert events(game) == plain.events
    assert outcome.winner == (None if plain.winner is None else plain.winner + 1)
    assert (list(outcome.scores), list(game.uno_calls)) == (plain.scores, plain.calls)
    assert (list(game.draw_pile), list(game.discard_pile)) == (plain.draw_pile, plain.discard_pile)
    assert [Counter(hand) for hand in game.hands] == [Counter(hand) for hand in plain.hands]


@pytest.mark.parametrize(("decks", "seed"), [(60, 1), pytest.param(5_000, 2, marks=pytest.mark.thorough)])
def test_random_decks_go_as_the_plain_simulator_plays_them(decks: int, seed: int) -> None:
    shuffler = random.Random(seed)
    for _ in range(decks):
        players, deck = shuffler.randint(2, 10), shuffler.sample(CARDS, len(CARDS))
        policies = [shuffler.choice(NAMED) for _ in range(players)]
        assert_same(played(players, deck, policies), simulate(players, deck, policies))


class Follower:
    """Chooses in the plain simulator what a game has chosen, if the simulator permits exactly the same moves."""

    def __init__(self, game: UnoOfficial) -> None:
        self.game = game.restarted()

    def __call__(self, plain: Round, seat: int, options: list[str]) -> str:
        game = self.game
        while game.events()[0].trigger in game.forced_events:
            game.step()
        offered = [str(move).replace(" naming", "") for move in game.events()]
        assert (game.player, sorted(offered)) == (seat + 1, sorted(options))
        step = game.step()
        return " ".join(part for part in (step.trigger, step.card, step.suit) if part)


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "seats"), [("random", (3,)), ("first-legal", (2, 3, 6, 10))])
def test_the_plain_simulator_permits_the_same_moves(policy: str, seats: Sequence[int]) -> None:
    for number, players in enumerate(seats):
        game = UnoOfficial.deal(players, 5, number, policy)
        deck = UNO_OFFICIAL.codec.notation.names(game.dealt_deck())
        game.run()
        assert_same(game, simulate(players, deck, [Follower(game)]))


def test_a_position_that_returns_ends_the_round_of_random_players_too() -> None:
    game = UnoOfficial.deal(10, 0, 4558, "random")
    deck = UNO_OFFICIAL.codec.notation.names(game.dealt_deck())
    assert str(game.run()) == "no winner: endless"
    assert_same(game, simulate(10, deck, [Follower(game)]))


@pytest.mark.slow
def test_bulk_plays_every_deck_also_those_with_wild_draw_fours_after_the_hands() -> None:
    from maumau.kernels import bulk

    players = 10
    decks = bulk.deal(players, 60, 9, game=UnoOfficial)
    assert any(UNO_CARDS.cards[deck[7 * players]] == "WF" for deck in decks)
    results = bulk.play(players, decks, seed=9, log=True, game=UnoOfficial)  # the kernel that plays the corpus
    for deck, scores in zip(decks, results.scores, strict=True):
        assert UnoOfficial.of_deck(players, deck).run().scores == tuple(scores.tolist())
