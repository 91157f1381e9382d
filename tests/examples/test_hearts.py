"""The example Hearts against OpenSpiel's: the same legal actions in every state, and the same points at the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
import spiel

import maumau.play.table
from examples.hearts import NOTATION, Hearts, Table, shoot_the_moon
from fsm import register
from fsm.match.transcript import Transcript
from fsm.stepping.steps import Step
from render.page.story import notes, story_of

SPIEL_DIRECTIONS = (1, 3, 2, 0)
"""OpenSpiel's numbers for passing left, right and across, and for none: in the order of the games of a row."""


def spiel_card(name: str) -> int:
    """OpenSpiel's number of a card."""
    return spiel.card_number(name[1], name[0])


def choices(game: Hearts, dice: Random) -> Iterator[tuple[spiel.State, int]]:
    """Play a random game: each state in which somebody chooses, and the action that is chosen."""
    while game.outcome is None:
        if game.forced_events:
            game.step()
            continue
        moves = game.events().legal
        state = game.player - 1, sorted(spiel_card(move.card or "") for move in moves)
        step: Step = game.fire(*dice.choice(moves))
        yield state, spiel_card(step.card or "")


def returns(game: Hearts) -> list[int]:
    """What OpenSpiel counts for the players of a game that is over."""
    assert game.outcome
    return [26 - points for points in game.outcome.scores]


def judged(seed: int, number: int) -> str:
    """Play a random game in lock-step with OpenSpiel and compare every state. Returns OpenSpiel's summary."""
    game = Hearts.deal(4, seed, number)
    state = spiel.new_state("hearts", qs_breaks_hearts=False)
    state.apply_action(SPIEL_DIRECTIONS[number % 4])
    for code in game.dealt_deck():
        state.apply_action(spiel_card(NOTATION.cards[code]))
    states: list[spiel.State] = []
    for seen, action in choices(game, Random(f"{seed} {number}")):
        states.append((state.current_player(), state.legal_actions()))
        assert states[-1] == seen
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == returns(game)
    return spiel.summary(states, state.returns())


@pytest.mark.slow
def test_open_spiel_has_allowed_the_same_actions_and_counted_the_same_points() -> None:
    for number, line in enumerate(spiel.recorded("hearts")):
        game = Hearts.deal(4, 1, number)
        states = [state for state, _ in choices(game, Random(f"1 {number}"))]
        assert spiel.summary(states, returns(game)) == line


@pytest.mark.thorough
def test_the_record_is_what_open_spiel_says() -> None:
    assert [judged(1, number) for number in range(50)] == spiel.recorded("hearts")


@pytest.mark.thorough
def test_open_spiel_agrees_in_thousands_of_games() -> None:
    for number in range(4000):
        judged(2, number)


@pytest.mark.parametrize(
    ("taken", "scores"),
    [([0, 26, 0, 0], [26, 0, 26, 26]), ([0, 25, 1, 0], [0, 25, 1, 0]), ([13, 13, 0, 0], [13, 13, 0, 0])],
)
def test_who_takes_all_points_has_none_and_the_others_have_26(taken: list[int], scores: list[int]) -> None:
    table = Table(players=4, points=taken)
    shoot_the_moon(table)
    assert table.points == scores


def test_only_who_passes_a_card_sees_which_one() -> None:
    game = Hearts.deal(4, seed=7)
    game.step()
    card = str(game.events()[0].card)
    game.pass_card(card)
    assert [game.view(player).history[-1].card for player in (1, 2, 3, 4)] == [card, "?", "?", "?"]


def test_the_trick_is_told_of_the_player_who_takes_it_and_leads_next() -> None:
    game = Hearts.deal(4, 7, 1, "random")
    game.run()
    taken = [place for place, step in enumerate(game.history) if step.trigger == "take_trick"]
    assert len(taken) == 12
    for place in taken:
        leader = game.history[place + 1].player
        assert str(game.history[place]) == f"Player {leader} takes the trick."
    assert len({game.history[place + 1].player for place in taken}) > 1
    assert any(game.history[place].player != game.history[place + 1].player for place in taken)


def test_a_table_and_a_page_tell_who_takes_the_trick() -> None:
    register(Hearts)
    table = maumau.play.table.Table(
        maumau.play.table.Setup(game="hearts", seats=(maumau.play.table.Computer("house"),) * 4, seed=7)
    )
    while table.advance():
        pass
    entries = table.log(None)
    tricks = [place for place, entry in enumerate(entries) if entry["event"] == "take_trick"]
    assert [entries[place]["player"] for place in tricks] == [entries[place + 1]["player"] for place in tricks]
    game = Hearts.deal(4, 7, 1)
    game.run()
    story = story_of(Transcript.of(game), "")
    rows = [row for row in story["steps"] if "takes the trick" in story["sentences"][row[4]]]
    assert rows
    assert all(story["sentences"][row[4]] == f"Player {row[1]} takes the trick" for row in rows)


def test_the_trick_is_shown_by_player_in_traces_views_terminals_and_on_pages() -> None:
    game = Hearts.deal(4, 7, 1, "random")
    shown, trick = 0, []
    while game.outcome is None:
        step = game.step()
        if step.trigger == "play":
            trick.append((step.player, step.card))
        elif step.trigger in ("take_trick", "count"):
            trick = []
        text = ", ".join(f"player {player} {card}" for player, card in trick)
        assert game.trick == tuple(trick)
        assert [line for line in str(game).splitlines() if line.startswith("trick:")] == [f"trick:  {text}"] * bool(
            trick
        )
        assert ((f"trick: {text}", "") in notes(game)) == bool(trick)
        assert ("passed:" in str(game)) == bool(game.draw_pile)
        assert ("played:" in str(game)) == bool(game.discard_pile)
        shown += len(trick) == 4
    assert shown == 13
