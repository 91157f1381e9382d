"""`maumau check` with faulty games of a file: the counterexample that it prints reproduces the fault when it is pasted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from outside import Done, command

import fsm.check
import fsm.check.exhaustive
import fsm.check.stepped
import fsm.edge.ticker
import maumau.cli.check
import maumau.cli.exploring
from fsm import Game, MauMau, registry
from fsm.check.lines import report_lines
from fsm.declaration.arcs import SmallDeck
from fsm.stepping.position import parse_position

FAULTY = '''
"""Games with one fault each: a seven that makes no cards due, a phase in which hands are said to be empty."""
from dataclasses import replace

from fsm import MauMau, Uno
from fsm.declaration.arcs import Invariant, SmallDeck
from fsm.games.maumau.arcs import JACK_BINDING
from fsm.games.uno.arcs import DRAW_PENDING
from rules.rule import query

GAME = MauMau.declaration
SMALL = (SmallDeck("DS HE DJ", 2, 1), SmallDeck("DS HS DQ", 2, 1))


@query
def hands_are_empty(table):
    return not table.hands[0]


class Forgetful(MauMau):
    declaration = replace(GAME, name="forgetful", small_decks=SMALL, arcs=tuple(
        replace(arc, before=tuple(effect for effect in arc.before if effect.__name__ != "add_two")) for arc in GAME.arcs))


class Binding(MauMau):
    declaration = replace(GAME, name="binding", small_decks=SMALL, invariants=(
        *GAME.invariants, Invariant("no hands", hands_are_empty, (JACK_BINDING,))))


class Pending(Uno):
    declaration = replace(Uno.declaration, name="pending", small_decks=(), invariants=(
        *Uno.declaration.invariants, Invariant("no hands", hands_are_empty, (DRAW_PENDING,))))


class WithoutDecks(MauMau):
    declaration = replace(GAME, name="without-decks", small_decks=())
'''


@pytest.fixture(name="compiled", autouse=True)
def explored_in_machine_code(monkeypatch: pytest.MonkeyPatch) -> list[SmallDeck]:
    """The decks for which machine code is asked; they are explored by stepping: these games are not worth compiling."""
    asked: list[SmallDeck] = []

    def explore(kind: type[Game], small: SmallDeck, most: int, notify: object) -> fsm.check.Report:
        asked.append(small)
        return fsm.check.explore_stepped(kind, small, most)

    monkeypatch.setattr("maumau.cli.exploring.explore", explore)
    return asked


def checked(folder: Path, name: str, *arguments: object) -> Done:
    (folder / "faulty.py").write_text(FAULTY)
    return command("check", "--game", f"{folder / 'faulty.py'}:{name}", *arguments)


def pasted(done: Done) -> Iterator[tuple[Game, dict[str, str]]]:
    """The games of all counterexamples that were printed, as Python makes them, and the lines of each."""
    names: dict[str, Any] = {}
    lines: dict[str, str] = {}
    for line in done.out.splitlines():
        if line.startswith(" " * 10):
            label, text = line[10:20].strip(), line[20:]
            lines[label] = text
            if label == "in Python":
                exec(text, names)
                yield names["game"], lines
                lines = {}


def test_an_event_with_a_wrong_effect(tmp_path: Path) -> None:
    done = checked(tmp_path, "Forgetful", "--games", 0)
    assert done.status == 1
    assert "FAILED  a seven makes two more cards due" in done.out
    examples = list(pasted(done))
    assert examples
    for game, lines in examples:
        assert str(game.phase) == lines["position"].split()[0]
        trigger, *card = lines["event"].split()
        game.fire(trigger, *card)
        assert game.table.due == 0
        assert game.open_card in ("DS", "HS")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "phase", "options"),
    [
        ("Binding", "jack-binding", ["--games", 0]),
        ("Binding", "jack-binding", ["--games", 3, "--deck", "DQ HK SE DJ HJ CQ"]),
        ("Pending", "draw-pending", ["--games", 2]),
    ],
)
def test_a_position_that_is_broken(tmp_path: Path, name: str, phase: str, options: list[object]) -> None:
    done = checked(tmp_path, name, *options)
    assert done.status == 1
    assert "FAILED  no hands" in done.out
    examples = list(pasted(done))
    assert len(examples) == done.out.count("times; the first:") + done.out.count("with fewer cards")
    for game, lines in examples:
        assert game._position().canonical() == parse_position(game.declaration, lines["position"]).canonical()
        assert game.phase == phase
        assert game.declaration.broken_invariant(game.phase, game.table) is not None


COMMAND = "import sys; from maumau.cli.main import app; sys.exit(app(standalone_mode=False))"
RULE = """
from fsm.declaration.arcs import Invariant
from fsm.variants import Check, Variant
from rules.rule import query


@query
def hands_are_empty(table):
    return not table.hands[0]


EMPTY = Variant("empty", "All hands are empty.", (Check(Invariant("no hands", hands_are_empty, ("{phase}",))),))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "phase"),
    [
        (["--with", "rule.py:EMPTY"], "await-play"),
        (["--with", "rule.py:EMPTY,king-again", "--deck", "DS HS DQ"], "await-play"),
        (["--game", "faulty.py:Binding", "--deck", "DS HE DJ"], ""),
        (["--game", "faulty.py:WithoutDecks", "--with", "rule.py:EMPTY", "--deck", "DS HS DQ"], "await-play"),
        (["--game", "faulty:Forgetful"], ""),
        (["--game", "uno", "--with", "rule:EMPTY"], "draw-pending"),
    ],
)
def test_what_is_printed_runs_in_a_new_process(tmp_path: Path, options: list[str], phase: str) -> None:
    """For games and rules of the package, of a file, and of a module; also with a small deck."""
    (tmp_path / "faulty.py").write_text(FAULTY)
    (tmp_path / "rule.py").write_text(RULE.format(phase=phase))
    root = str(Path(maumau.cli.check.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((root, str(tmp_path)))}
    checked = [sys.executable, "-c", COMMAND, "check", "--games", "2", *options]
    done = subprocess.run(checked, check=False, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    position, printed = "", []
    for line in done.stdout.splitlines():
        label, text = line[10:20].strip(), line[20:]
        position = text if label == "position" else position
        if line.startswith(" " * 10) and label == "in Python":
            printed += [text, f"assert str(game.phase) == {position.split()[0]!r}"]
    assert printed
    subprocess.run([sys.executable, "-c", "\n".join(printed)], cwd=tmp_path, env=environment, check=True)


def test_a_deck_for_a_game_that_declares_none(tmp_path: Path) -> None:
    done = checked(tmp_path, "WithoutDecks", "--games", 0, "--deck", "DS HS DQ")
    assert (done.status, done.err) == (0, "")
    assert "all positions of 3 cards, 2 players with 1 each: DS HS DQ\n  27 positions" in done.out
    assert checked(tmp_path, "WithoutDecks", "--games", 1).status == 0


def test_machine_code_is_used_from_the_first_deck_on_that_is_not_small(
    monkeypatch: pytest.MonkeyPatch, compiled: list[SmallDeck]
) -> None:
    monkeypatch.setattr(maumau.cli.exploring, "STEPPED_AT_MOST", 100)
    decks = [SmallDeck(cards, 2, 1) for cards in ("DS HS DQ", "DQ DS HE DJ", "DS HE DJ")]
    explored = maumau.cli.exploring.explorations(MauMau, decks, False, 1000)
    assert [(deck, report.positions) for deck, report, _ in explored] == list(zip(decks, (27, 506, 29), strict=True))
    assert compiled == decks[1:]


def test_a_limit_of_positions_needs_no_machine_code(compiled: list[SmallDeck]) -> None:
    done = command("check", "--games", 0, "--positions", 50)
    assert done.status == 1
    assert "the limit of --positions was reached first" in done.out
    assert compiled == []


@pytest.mark.slow
def test_the_house_rule_of_the_readme_needs_no_machine_code(compiled: list[SmallDeck]) -> None:
    rule = Path(__file__).parents[2] / "examples" / "tens_skip.py"
    done = command("check", "--games", 0, "--with", f"{rule}:TENS")
    assert (done.status, done.err, compiled) == (0, "", [])


def test_where_positions_fail_no_arc_is_said_to_be_out_of_reach() -> None:
    """Nothing is fired at a position that fails, so its arcs might be fired with this deck."""
    report = fsm.check.Report(MauMau.declaration, (), failed=Counter({0: 1}))
    small = MauMau.declaration.small_decks[0]
    output = "\n".join(report_lines(MauMau, small, report, 0.0, verbose=False, alone=True))
    assert "was not fired: initial --open [jack]" in output
    assert "cannot be fired" not in output


def test_how_many_arcs_only_the_small_deck_covers() -> None:
    """The verbose check lists the arcs that were not fired in the games, all of which the small deck fires."""
    short, verbose = command("check", "--games", 3).out, command("check", "--games", 3, "--verbose").out
    alone = verbose.count("was not fired: ")
    assert alone > 0
    assert short.endswith(f"  ok      33 of 33 transitions covered, {alone} of them by the small deck alone\n")
    assert "fired" not in short


@pytest.fixture
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is always time for a line on how far something is, and no time passes."""
    monkeypatch.setattr(fsm.edge.ticker, "INTERVAL", -1.0)
    monkeypatch.setattr(fsm.edge.ticker, "time", SimpleNamespace(monotonic=lambda: 7.0))


@pytest.mark.usefixtures("still_clock")
def test_without_machine_code_it_is_told_how_far_the_exploration_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.cli.exploring.why_no_compiler", lambda: "llvmlite is not installed")
    monkeypatch.setattr(fsm.check.stepped, "VISITS", 10)
    monkeypatch.setattr(fsm.check.exhaustive, "FIRST_DEALS", 4)
    small = replace(MauMau.declaration, small_decks=(SmallDeck("DS HS DQ", 2, 1),))
    registry.register(type("Small", (MauMau,), {"declaration": replace(small, name="small")}))
    done = command("check", "--game", "small", "--exhaustive", "--games", 0)
    assert done.status == 0
    size, first, *lines = done.err.splitlines()
    assert size.startswith("maumau: exploring 1 small deck, at most 40,000,000 positions of each, which take ")
    assert size.endswith("; see --positions")
    assert first.removesuffix(" ...").endswith(
        "no machine code, so this is slow: llvmlite is not installed; 3 cards, 2 players with 1 each: DS HS DQ"
    )
    assert lines
    told = r"maumau: [0-9]+ positions from [04] of 6 deals after 0 s(, less than a minute left)?"
    assert [line for line in lines if not re.fullmatch(told, line.removesuffix(" ..."))] == []
    assert "27 positions" in done.out


@pytest.mark.usefixtures("still_clock")
@pytest.mark.parametrize(("options", "what"), [((), "games"), (("--json",), "games"), (("--match",), "matches")])
def test_it_is_told_how_many_games_are_played(options: tuple[str, ...], what: str) -> None:
    done = command("check", "--games", 2, *options)
    told = [line for line in done.err.splitlines() if "played" in line]
    first, *others = [f"maumau: {played} of 6 {what} are played after 0 s" for played in range(6)]
    assert told == [f"{first} ...", *(f"{line}, less than a minute left ..." for line in others)]


@pytest.mark.parametrize(("exhaustive", "visited"), [(False, 2), (True, 3)])
def test_small_decks_are_visited_large_ones_if_that_is_asked_for(exhaustive: bool, visited: int) -> None:
    decks = (SmallDeck("DS HE DJ", 2, 1), SmallDeck("DS HS DQ", 2, 1), SmallDeck("DS HS DQ HQ", 2, 1, large=True))
    kind = type("Decks", (MauMau,), {"declaration": replace(MauMau.declaration, small_decks=decks)})
    assert maumau.cli.check._decks(kind, exhaustive, None, 2, 1) == decks[:visited]


def test_where_dice_are_rolled_not_all_positions_are_said_to_be_visited(tmp_path: Path) -> None:
    rule = tmp_path / "rule.py"
    rule.write_text("""
from maumau import ChangeArcs, Arcs, Variant, effect
from rules.chance import below
from rules.maumau.game import next_player


@effect
def roll(table):
    if below(6, table.seed, table.number, table.rolls) == 6:
        table.turns += 1
    table.rolls += 1


DICE = Variant("dice", "Who passes rolls a die.", (ChangeArcs(Arcs("pass_turn"), before=(next_player, roll)),))
""")
    options = "check", "--games", 0, "--deck", "DS HS DQ HQ DK", "--players", 2, "--each", 1
    plain, rolled = command(*options).out, command(*options, "--with", f"{rule}:DICE").out
    note = "dice are rolled by pass_turn: one sequence of them was followed; games play others"
    assert note not in plain
    assert note in rolled
    assert "cannot be fired with this deck" in plain
    assert "cannot be fired with this deck" not in rolled


FOLLOW_SUIT = Path(__file__).parents[2] / "docs" / "howto" / "follow_suit.py"
STOP = 'on("stop", GAME_OVER, {}before=nobody_wins, rule="All stop.")'


@pytest.mark.parametrize(
    ("stops", "line"),
    [
        (
            f"forced({STOP.format('unless=draw_pile_left, ')})",
            "forced    stop: give the transitions of play a condition that does not hold meanwhile",
        ),
        (
            f"forced({STOP.format('')}, {STOP.format('').replace('stop', 'halt')})",
            "forced    stop, halt: give one of them a condition that does not hold where the other is forced",
        ),
    ],
)
def test_what_is_forced_at_a_counterexample_is_named(tmp_path: Path, stops: str, line: str) -> None:
    text = FOLLOW_SUIT.read_text(encoding="utf-8")
    (tmp_path / "stops.py").write_text(text.replace("AWAIT_PLAY: turn(", f"AWAIT_PLAY: {stops} | turn("))
    done = command("check", "--game", f"{tmp_path}/stops.py:FollowSuit", "--games", 2)
    assert done.status == 1
    assert line in done.out
