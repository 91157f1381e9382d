"""Moves by hand and steps in any mix, also taken back: the record is replayed to the same game, with any small deck."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fsm import Game, IllegalMove, MauMau, View, game_class
from fsm.records import record_of, replay
from fsm.stepping.steps import Move

STEP, UNDO, REDO = "step", "undo", "redo"
EVENTS = 200
"""After these the game is stepped to its end."""
GAMES = {"maumau": MauMau, "uno-official": game_class("uno-official")}
DECKS = {name: sorted(kind.declaration.codec.notation.names(kind.full_deck())) for name, kind in GAMES.items()}


def last(view: View) -> Move:
    return view.moves[-1]


@st.composite
def dealt(draw: st.DrawFn, name: str) -> Game:
    """A game of two players with six cards, one or two of them for each."""
    places = draw(st.lists(st.integers(0, len(DECKS[name]) - 1), min_size=6, max_size=6, unique=True))
    kind = GAMES[name].with_deck(" ".join(DECKS[name][place] for place in places), draw(st.integers(1, 2)))
    policies = draw(st.lists(st.sampled_from(["house", "random", "first-legal", last]), min_size=2, max_size=2))
    number = draw(st.integers(0, 9))
    try:
        return kind.of_deck(2, kind.deck_of(2, 7, number), policies, 7, number)
    except ValueError:  # of the first open card
        assume(False)
        raise


def played(game: Game, acts: list[str | int]) -> Game:
    """Do some things with a game over and over; a number fires one of the legal moves by hand."""
    for count in range(EVENTS):
        act = acts[count % len(acts)]
        if game.outcome is not None:
            break
        try:
            if isinstance(act, str):
                getattr(game, act)()
            else:
                moves = game.events()
                game.fire(moves[act % len(moves)])
        except IllegalMove:
            assert act in (UNDO, REDO)
    game.run()
    return game


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_replayed_whoever_made_the_moves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    acts = st.lists(st.sampled_from([STEP, STEP, STEP, UNDO, REDO]) | st.integers(0, 3), min_size=1, max_size=12)

    @given(dealt(name), acts)
    def check(game: Game, acts: list[str | int]) -> None:
        game = played(game, acts)
        record = json.loads(json.dumps(record_of(game)))
        with monkeypatch.context() as patched:
            patched.setattr("fsm.records.game_class", lambda _: type(game))
            again = replay(record)
        assert (again.history, again.position()) == (game.history, game.position())
        assert record_of(again) == record

    check()
