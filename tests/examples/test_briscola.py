"""The example Briscola against a plain program: every list of legal moves, every hand, every result."""

from __future__ import annotations

from random import Random

import pytest
from beside_plain import follow, play_beside
from plain_briscola import PlainBriscola

from examples.briscola import (
    FOLLOWING,
    GAME_OVER,
    HOUSE,
    INITIAL,
    LEADING,
    TRICK,
    Briscola,
    Table,
    each_draws,
    is_held,
    more_points_win,
    nothing_left,
    score,
    take_points,
    taker_in_turn,
)
from fsm import Move, game_of
from fsm.check import survey
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.page import forced, on, page
from fsm.declaration.part_facts import STOCK_FACTS, TRICK_FACTS
from fsm.declaration.policy import RANDOM
from fsm.declaration.tricks import TRICK_LOOK, trick_phases
from maumau.kernels.bulk.transcripts import play_compiled
from rules.cards import ITALIAN_40
from rules.ending import OUT_OF_CARDS, WON
from rules.reading import Dealt
from rules.stock import deal_over_turned

NAMES = Briscola.declaration.codec.notation.names


def test_in_a_game_of_tricks_for_two_every_transition_fires() -> None:
    """The page of the game without the transition of a card that others follow yet: the games are the same."""
    tricks = trick_phases(
        LEADING,
        FOLLOWING,
        TRICK,
        GAME_OVER,
        is_held,
        is_held,
        ends=nothing_left,
        take=(take_points, each_draws, taker_in_turn),
        count=(take_points, taker_in_turn, more_points_win),
        rules=("A trick is taken.", "The last trick is counted."),
        only_two=True,
    )
    whole, begin = Briscola.declaration, on("begin", LEADING, rule="Player 1 leads.")
    two = Declaration(
        title="Two",
        page=page({INITIAL: forced(begin), **tricks}),
        table=Table,
        deck=ITALIAN_40,
        players=2,
        cards_each=3,
        facts=(*TRICK_FACTS, *STOCK_FACTS, Fact("points", kind="counts", most=120), Fact("winners", kind="seats")),
        deal_each=deal_over_turned,
        score=score,
        scoring=whole.scoring,
        policies=(HOUSE, RANDOM),
        look=TRICK_LOOK,
        invariants=whole.invariants,
        postconditions=whole.postconditions,
    )
    kind = game_of(two)
    report = survey(kind, 10)
    assert report.passed
    assert report.never_fired == []
    for number in range(20):
        game, usual = (each.deal(2, 7, number) for each in (kind, Briscola))
        assert game.run() == usual.run()
        assert list(map(str, game.events())) == list(map(str, usual.events()))
        assert [step.card for step in game.history] == [step.card for step in usual.history]


def play(players: int, seed: int, number: int) -> None:
    """Play a random game beside the plain program."""
    game, dice = Briscola.deal(players, seed, number), Random(f"{seed} {number}")
    plain = PlainBriscola(players, NAMES(bytes(game.dealt_deck())))

    def choose(moves: dict[str, Move]) -> str:
        facts = dict(field.split("=") for field in game.position(seen_by=1).split()[1:])
        assert facts["turned"] == (plain.turned if plain.turned in plain.stock else "-")
        assert [int(each) for each in facts["points"].split("/")] == list(plain.points.values())
        return dice.choice(list(moves))

    play_beside(game, plain, choose)
    assert plain.over
    assert game.outcome is not None
    assert (list(game.outcome.scores), game.outcome.winners) == plain.result()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("games", "seed"), [(30, 1), pytest.param(300, 2, marks=pytest.mark.slow)])
def test_random_games_are_those_of_the_plain_program(players: int, games: int, seed: int) -> None:
    for number in range(games):
        play(players, seed, number)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_games_are_those_of_the_plain_program(players: int) -> None:
    decks = [Dealt(players, bytes(Briscola.deck_of(players, 3, number))) for number in range(300)]
    for played in play_compiled(Briscola, decks, ("random",), 3):
        plain = PlainBriscola(players, NAMES(bytes(played.decks[0])))
        follow(played.steps, plain, ["play"])
        assert (list(played.outcome.scores), played.outcome.winners) == plain.result()


def test_sixty_to_sixty_is_a_tie() -> None:
    table = Table(players=4, points=[20, 35, 40, 25])
    more_points_win(table)
    assert (table.ending, table.winner, table.winners) == (OUT_OF_CARDS, -1, 0)
    table.points[0] = 21
    more_points_win(table)
    assert (table.ending, table.winners) == (WON, 0b0101)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_player_who_takes_a_trick_is_said_to_draw_that_players_card(players: int) -> None:
    """It was said that the taker took the card of the player who had played last."""
    game = Briscola.deal(players, 7)
    stock, draws = NAMES(bytes(game.dealt_deck())), 0
    in_game = len(stock) - (players == 3)  # a two is left out, and lies last
    stock = [*stock[3 * players + 1 : in_game], stock[3 * players]]
    while game.outcome is None:
        before = game.hands
        step = game.step()
        if step.trigger != "take_trick":
            continue
        taker = game.player
        came = {seat: [card for card in now if card not in before[seat - 1]] for seat, now in enumerate(game.hands, 1)}
        order = [(taker - 1 + place) % players + 1 for place in range(players)]
        if not came[taker]:
            assert str(step).startswith(f"Player {taker} takes the trick.")
            continue
        assert [came[seat] for seat in order] == [[card] for card in stock[draws : draws + players]]
        draws += players
        for seat in order:
            (card,) = came[seat]
            who = f"Player {taker} takes the trick and" if seat == taker else f", player {seat}"
            assert f"{who} draws {card}" in str(step)
        for viewer in order:
            seen = game.view(viewer).history[-1]
            assert dict(seen.drawn) == {seat: came[seat][0] if seat == viewer else "?" for seat in order}
            told = str(seen)
            assert all((came[seat][0] in told) == (seat == viewer) for seat in order)
            assert told.count("draws a card") == players - 1
    assert draws
