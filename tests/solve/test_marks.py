"""The errors that a replay marks are those that a plain solver finds, which was written from the rules alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command import maumau
from plain_solver import ENDED, after, moves, start, worth_of

from examples.kuhn_poker import KuhnPoker
from fsm import MauMau, game_of
from fsm.match.played import PlayedGame
from fsm.match.transcript import Transcript
from fsm.records import record_of
from maumau.solve.marks import ErrorMarks, choices_of, marks_of
from render.page import replay

DECK = "DQ HQ DS HS DE DJ HJ"
KIND = MauMau.with_deck(DECK, each=2)
WORDS = {1: "won", 0: "nobody's", -1: "lost"}


def plain_errors(played: PlayedGame) -> dict[int, str]:
    """What errors of a game cost, by step."""
    game = played.start()
    names = MauMau.declaration.codec.notation.names(played.deck)
    hands, rest = (frozenset(game.hands[0]), frozenset(game.hands[1])), tuple(names[4:])
    state = start(hands, rest)
    worth, found = worth_of([state]), {}
    for index, step in enumerate(played.steps):
        if step.trigger not in ("play", "draw") and (step.trigger != "pass_turn" or state[6] is None):
            continue
        chosen = {"pass_turn": "pass"}.get(step.trigger, step.trigger), step.card or "", step.suit or ""
        values = {move: reached[1] if reached[0] == ENDED else worth[reached]
                  for move in moves(state) for reached in [after(state, move)[0]]}  # fmt: skip
        side = 1 - 2 * state[0]
        best, got = max(value * side for value in values.values()), values[chosen] * side
        if got < best:
            found[index] = f"from {WORDS[best]} to {WORDS[got]}"
        state = after(state, chosen)[0]
    return found


@pytest.mark.slow
def test_errors_are_those_of_a_plain_solver() -> None:
    kinds = set()
    for number in range(6):
        game = KIND.deal(2, 5, number, policies="random")
        game.run()
        played = PlayedGame.of(game)
        marks = marks_of(played)
        assert marks.judged == marks.choices
        assert {step: text.partition(";")[0] for step, text in marks.texts.items()} == plain_errors(played)
        kinds |= {text.partition(";")[0] for text in marks.texts.values()}
    assert len(kinds) == 3


def test_what_does_not_fit_is_not_judged_and_said_so() -> None:
    game = KIND.deal(2, 5, 0, policies="random")
    game.run()
    played = PlayedGame.of(game)
    marks = marks_of(played, memory=1)
    assert (marks.texts, marks.judged, marks.choices) == ({}, 0, len(choices_of(played)))


def test_where_returns_are_declared_an_error_says_them() -> None:
    """Kuhn poker: who holds the jack loses 1 by a pass and 2 by a call."""
    texts = set()
    for number in range(40):
        game = KuhnPoker.deal(2, 5, number, policies="random")
        game.run()
        texts |= {text.partition(";")[0] for text in marks_of(PlayedGame.of(game)).texts.values()}
    assert "from -1 to -2" in texts
    assert not any(word in text for text in texts for word in WORDS.values())


def test_a_page_says_it_where_the_event_is_told() -> None:
    game = KIND.deal(2, 5, 1, policies="random")
    game.run()
    assert "Player 1 draws? (from won to lost; best: play HS)" in replay(
        Transcript.of(game), "a game", {1: "? (from won to lost; best: play HS)"}
    )


@pytest.mark.slow
def test_the_command_marks_a_record_of_a_small_deck(tmp_path: Path) -> None:
    source = f"""
from dataclasses import replace
from fsm import MauMau, game_of

Seven = game_of(replace(MauMau.declaration, name="seven-cards")).with_deck("{DECK}", each=2)
"""
    (tmp_path / "seven.py").write_text(source)
    kind = game_of(replace(MauMau.declaration, name="seven-cards")).with_deck(DECK, each=2)
    played = next(
        played
        for number in range(25)
        for game in [kind.deal(2, 5, number, policies="random")]
        for played in [game.run() and PlayedGame.of(game)]
        if plain_errors(played)
    )
    (tmp_path / "record").write_text(json.dumps(record_of(Transcript.of_game(played))))
    named = "--game", str(tmp_path / "seven.py:Seven"), str(tmp_path / "record")
    done = maumau("replay", *named, "--errors", "-o", str(tmp_path / "page.html"))
    assert done.returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert all(f"? ({text}" in page for text in plain_errors(played).values())
    plain = maumau("replay", *named, "-o", "-")
    assert "? (from" not in plain.stdout


def test_more_players_are_refused(tmp_path: Path) -> None:
    (tmp_path / "decks").write_text(maumau("deal", "--players", "3", "--seed", "1").stdout)
    done = maumau("replay", "--errors", str(tmp_path / "decks"), "-o", str(tmp_path / "page.html"))
    assert (done.returncode, done.stderr) == (2, "--errors: 3 players cannot be judged; use 2\n")


@pytest.mark.parametrize(
    ("marks", "text"),
    [
        (ErrorMarks({}, 0, 0), "no errors in no choices"),
        (ErrorMarks({3: ""}, 1, 1), "1 error in 1 choice"),
        (ErrorMarks({3: "", 5: ""}, 4, 4), "2 errors in 4 choices"),
        (
            ErrorMarks({3: ""}, 4, 14),
            "1 error in the last 4 of 14 choices; "
            "no earlier one could be judged: the positions that may follow do not fit in 256 MB",
        ),
        (ErrorMarks({}, 0, 14), "no choice could be judged: the positions that may follow do not fit in 256 MB"),
    ],
)
def test_how_many_errors_there_are_in_words(marks: ErrorMarks, text: str) -> None:
    assert str(marks) == text
