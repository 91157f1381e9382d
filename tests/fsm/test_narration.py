"""What is printed at the prompt is short: a step is the sentence of the trace, declarations and reports are one line."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from fsm import Game, MauMau, Uno, game_of
from fsm.match.transcript import Transcript
from fsm.registry import game_class
from fsm.stepping.steps import Move, turn_sentence
from maumau.kernels.explorer.exhaustive import explore
from maumau.play.table import Person, Setup, Table
from render.text.output import trace


@pytest.mark.parametrize("kind", [MauMau, Uno])
@pytest.mark.parametrize("policy", ["house", "random"])
def test_a_step_prints_as_the_sentence_of_the_trace(kind: type[Game], policy: str) -> None:
    for number in range(4):
        game = kind.deal(3, 7, number, policy)
        game.run()
        # the table follows each turn on lines of its own; cards taken one after the other are one sentence there
        output = [text.split("\n")[0] for text in list(trace(Transcript.of(game), "the deal"))[1:-1]]
        text = " ".join(output)
        for step in game.history:
            if step.trigger != "take":
                assert str(step) in text, step
        taken = [step for step in game.history if step.trigger == "take"]
        assert [str(step) for step in taken] == [f"Player {step.player} takes {step.card}." for step in taken]
        fired = " ".join(str(step) for step in game.history if step.trigger != "take")
        assert fired.split() == words_without_takes(output)


def words_without_takes(output: list[str]) -> list[str]:
    """The words of the trace, without the sentences about cards that are taken."""
    sentences = " ".join(output).replace(". ", ".\n").split("\n")
    return " ".join(each for each in sentences if " takes " not in each).split()


def test_a_step_says_what_was_called_out_with_it() -> None:
    """A player who is left with one card after laying another calls, nobody else does."""
    game = Uno.deal(players=3, seed=7)
    game.run()
    for step, hands in zip(game.history, game.hands_so_far()[1:], strict=True):
        is_call = step.trigger == "play" and len(hands[step.player - 1]) == 1
        assert step.calls == (('calls "Uno"',) if is_call else ())
    assert any(step.calls for step in game.history)


def test_a_step_shows_calls_and_reasons(at: Any) -> None:
    step = at("await-play hands=HJ,HK,SS/CE,CA discard=...,CN draw=SA").play("HJ", "S")
    assert str(step) == "Player 1 plays HJ and names spades. A jack binds the suit that its player names."
    game = Uno.deal(2, 7)
    game.run()
    assert [str(step) for step in game.history if ' and calls "Uno"' in str(step)]


HOLDS_FITTING = "await-play hands=HK,CK/DA discard=...,HQ draw=SA"
HOLDS_NONE = "await-play hands=CK,CE/DA discard=...,HQ draw=SA"


def test_a_card_that_is_drawn_follows_a_verb_of_drawing() -> None:
    """After another verb it is said that the card was taken."""
    look = replace(MauMau.declaration.look, events={"take": "is done"})
    done = game_of(replace(MauMau.declaration, name="done", look=look))
    for kind, text in ((MauMau, "Player 1 takes {}."), (done, "Player 1 is done and takes {}.")):
        game: Any = kind.deal(3, 7)
        game.run()
        step = next(step for step in game.history if step.trigger == "take" and step.player == 1)
        assert str(step) == text.format(step.card)


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("maumau", "A turn ends when a player plays or passes."),
        ("uno", "A turn ends when a player drops or passes."),
        ("mahjong", "A turn ends when a player discards."),
    ],
)
def test_a_game_says_what_a_turn_is_in_its_own_words(game: str, sentence: str) -> None:
    assert turn_sentence(game_class(game).declaration) == sentence


def test_who_draws_at_will_is_not_told_to_have_to(at: Any) -> None:
    assert str(at(HOLDS_FITTING).draw()) == "Player 1 draws."
    assert (
        at(HOLDS_FITTING).draw().narration.description
        == "A player who cannot play, or does not want to, draws one card."
    )
    assert at(HOLDS_NONE).draw().narration.description == "A player who cannot play draws one card."
    assert str(at(HOLDS_NONE).draw()) == "Player 1 must draw."
    assert str(at("penalty-pending due=2 hands=CK,SS/DA discard=...,HS draw=SA,SE").draw()) == "Player 1 draws."
    assert str(at("penalty-pending due=2 hands=CK,CE/DA discard=...,HS draw=SA,SE").draw()) == "Player 1 must draw."


def test_a_copy_tells_the_same_of_a_draw(at: Any) -> None:
    game = at(HOLDS_FITTING)
    game.draw()
    assert str(pickle.loads(pickle.dumps(game)).history[-1]) == "Player 1 draws."
    assert str(game.clone().history[-1]) == "Player 1 draws."
    again = at(HOLDS_FITTING)
    assert str(again.fire_again(game.history[-1])) == "Player 1 draws."


def test_at_a_table_nobody_else_learns_whether_a_player_had_to_draw() -> None:
    for seed in range(8):
        table = Table(Setup(game="maumau", seats=(Person("Ann"), Person("Ben")), seed=seed))
        while table.advance():
            pass
        drawer = table.asked
        assert drawer
        moves = [move["label"] for move in table.view(drawer)["question"]["moves"]]
        table.act(drawer, Move("draw"), at=table.version(drawer))
        own, other = (
            [entry["text"] for entry in table.log(seat) if entry["event"] == "draw"] for seat in (drawer, 3 - drawer)
        )
        assert own == [f"Player {drawer} {'draws' if len(moves) > 1 else 'must draw'}."]
        assert other == [f"Player {drawer} draws."]


def test_the_repr_of_a_step_is_that_of_its_fields(at: Any) -> None:
    step = at("await-play hands=HJ,HK,SS/CE,CA discard=...,CN draw=SA").play("HJ", "S")
    assert repr(step).startswith("Step(trigger='play', source=Phase.AWAIT_PLAY")
    assert "scene" not in repr(step)


def test_steps_of_equal_games_are_equal() -> None:
    one, other = MauMau.deal(2, 7), MauMau.deal(2, 7)
    assert one.step() == other.step()
    assert hash(one.history[0]) == hash(other.history[0])


@pytest.mark.slow
def test_declarations_and_reports_are_one_short_line() -> None:
    assert repr(MauMau.declaration) == "<Declaration maumau: 8 phases, 33 transitions>"
    report = explore(MauMau, MauMau.declaration.small_decks[0])
    assert repr(report).startswith("<Report maumau: ")
    assert repr(report).endswith(" events, nothing failed>")
    assert len(repr(report)) < 80


def test_bulk_is_an_attribute_that_is_loaded_on_first_use() -> None:
    code = (
        "import sys, fsm, maumau; loaded = 'maumau.kernels.bulk' in sys.modules; maumau.bulk.deal\n"
        "print(loaded, 'numpy' in sys.modules)\n"
        "try: fsm.bulk\n"
        "except AttributeError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\nmodule 'fsm' has no attribute 'bulk'\n"
