"""One play: what is asked and run when a card is played, once and in few files."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from packages import HOME

from fsm import Arc, Declaration, MauMau, Uno, game_of
from rules.maumau.game import fitting

MOST_FILES = 12
PACKAGES = "rules", "fsm", "render", "maumau"
PLACES = {
    "an ordinary card": ("SK", "SN"),
    "a seven": ("SS", "SN"),
    "an eight": ("SE", "SN"),
    "a jack": ("SJ C", "SN"),
}


def ready_to_play(card: str, opened: str) -> MauMau:
    """A game in which player 1 is to play, with a card in hand."""
    hands = f"{card},HA,DA"
    taken = {*hands.split(","), opened, "HQ", "HT", "HN"}
    rest = [name for name in MauMau.declaration.codec.notation.cards if name not in taken]
    facts = "player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=-"
    return MauMau.at(f"await-play {facts} hands={hands}/HQ,HT,HN discard={opened} draw={','.join(rest)}")


def calls_of_play(game: Any, *named: str) -> Counter[tuple[str, str]]:
    """The functions of the product that are called by `game.play(...)`: the file and the name of each."""
    found: Counter[tuple[str, str]] = Counter()

    def note(frame: FrameType, event: str, argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and any(path.is_relative_to(HOME / package) for package in PACKAGES):
            found[path.relative_to(HOME).as_posix(), frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        game.play(*named)
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize(("move", "opened"), PLACES.values(), ids=list(PLACES))
def test_the_cards_that_fit_are_found_once(move: str, opened: str) -> None:
    card, *suit = move.split()
    called = calls_of_play(ready_to_play(card, opened), card, *suit)
    assert called["rules/maumau/game.py", fitting.__name__] == 1


@pytest.mark.parametrize("card", ["SK", "SS", "SE"])
def test_a_play_runs_in_few_files(card: str) -> None:
    """A jack takes more of them, as a suit is read and shown by the notation."""
    files = {path for path, _ in calls_of_play(ready_to_play(card, "SN"), card)}
    assert len(files) <= MOST_FILES, sorted(files)


def counted(game: Declaration) -> tuple[Declaration, Counter[str]]:
    """A game whose guards count how often they are asked."""
    asked: Counter[str] = Counter()

    def counting(guard: Any) -> Any:
        def ask(table: Any) -> bool:
            asked[guard.__name__] += 1
            return bool(guard(table))

        vars(ask).update(vars(guard))
        ask.__name__, ask.__doc__ = guard.__name__, guard.__doc__
        return ask

    guards = {guard: counting(guard) for arc in game.arcs for guard in (*arc.conditions, *arc.unless)}
    arcs: list[Arc] = []
    for arc in game.arcs:
        when, unless = (tuple(guards[guard] for guard in each) for each in (arc.conditions, arc.unless))
        arcs.append(replace(arc, conditions=when, unless=unless))
    disjoint = tuple(tuple(guards.get(guard, guard) for guard in group) for group in game.disjoint)
    return replace(game, arcs=tuple(arcs), disjoint=disjoint), asked


@pytest.mark.parametrize("kind", [MauMau, Uno], ids=lambda kind: kind.declaration.name)
def test_no_event_asks_a_guard_twice_and_the_first_arc_that_is_enabled_is_fired(kind: Any) -> None:
    """The machine is triggered where a game stands, with the table alone, as for any model."""
    declaration, asked = counted(kind.declaration)
    game = game_of(declaration).deal(3, seed=7)
    while game.outcome is None:
        leaving = declaration.leaving(game.phase)
        enabled = {arc.trigger: arc for arc in reversed(leaving) if arc.enabled(game.table)}
        before = game.clone()
        for trigger in {arc.trigger for arc in leaving}:
            model = before.clone()
            asked.clear()
            fired = model.machine.events[trigger].trigger(model, model.table)
            assert max(asked.values(), default=1) == 1, (trigger, asked)
            assert fired == (trigger in enabled)
            if fired:
                assert model.phase is enabled[trigger].dest
        game.step()
