"""Dice that rules roll after the deal: in all positions of a small deck each outcome is followed, counted by hand here."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from alike import found_alike
from auction import AUCTION
from command import maumau
from outside import command
from throwing import (
    Board,
    Ending,
    Loose,
    Never,
    Rising,
    Three,
    all_orders,
    many,
    one_die,
    perhaps_another,
    sum_of_two,
    throwing,
)

from fsm import Game
from fsm.check import explore_stepped
from fsm.check.properties import FEW
from fsm.check.rolled import game_number
from fsm.records import RecordError
from fsm.records.counterexamples import record_of_counterexample, replay_counterexample
from maumau import DeclarationError, Invariant
from rules.chance import below, roll
from rules.rule import guard, query, rule

OWN_DICE = random.Random(7)
FILE = Path(__file__).parents[1] / "support" / "throwing.py"


def explored(kind: type[Game]) -> Any:
    return explore_stepped(kind, kind.declaration.small_decks[0])


def assert_sound(report: Any, positions: int, events: int) -> None:
    assert (report.positions, report.events, report.failures) == (positions, events, [])


COUNTED = {
    one_die: (1 + 2 * 7, 1 + 7 * (6 + 1)),
    sum_of_two: (1 + 2 * 12, 1 + 12 * (36 + 1)),
    perhaps_another: (1 + 2 * 5, 1 + 5 * (4 + 1)),
}
"""Positions: the one before the start, and what may be shown, or nothing yet, at the table and when it is over. Events:
the start, and at each position at the table each outcome and the stop.
"""
by_throw = pytest.mark.parametrize("throw", COUNTED)


@by_throw
def test_each_outcome_is_followed(throw: Any) -> None:
    assert_sound(explored(throwing(throw)), *COUNTED[throw])


@pytest.mark.slow
@by_throw
def test_machine_code_follows_the_same(throw: Any) -> None:
    kind = throwing(throw)
    assert_sound(found_alike(kind, kind.declaration.small_decks[0]), *COUNTED[throw])


def test_a_die_of_a_game_is_that_of_its_seed_number_and_count() -> None:
    for place in range(5):
        table = Board(seed=7, number=3, rolls=place)
        assert roll(table, 6) == below(6, 7, 3, place)
        assert (table.seed, table.number, table.rolls) == (7, 3, place + 1)


def test_scripted_dice_are_the_digits_of_a_number() -> None:
    table = Board(seed=-1, number=1 + 2 * (2 + 3 * 4))
    assert [roll(table, base) for base in (2, 3, 5)] == [1, 2, 4]
    assert (table.seed, table.number, table.rolls) == (-30, 0, 3)


@pytest.mark.parametrize("seed", [7, -1])
@pytest.mark.parametrize("bound", [1, 0, -3])
def test_a_die_without_sides_shows_nothing(bound: int, seed: int) -> None:
    table = Board(seed=seed, number=5)
    assert (roll(table, bound), table.number, table.seed) == (0, 5, seed)


@pytest.mark.parametrize("throw", [all_orders, many])
def test_too_many_outcomes_are_not_followed(throw: Any) -> None:
    report = explored(throwing(throw))
    assert report.failures == [FEW]
    (example,) = report.examples.values()
    assert (str(example.event), [str(move) for move in example.events]) == ("throw", ["begin"])


@pytest.mark.slow
@pytest.mark.parametrize("throw", [all_orders, many])
def test_too_many_outcomes_are_not_followed_in_machine_code_either(throw: Any) -> None:
    kind = throwing(throw)
    assert found_alike(kind, kind.declaration.small_decks[0]).failures == [FEW]


# ---------------------------------------------------------------- counterexamples


STATED = {Never: "never five", Rising: "up by three", Ending: "it ends", Three: "few"}


@pytest.mark.parametrize("kind", STATED)
def test_a_counterexample_has_the_dice_that_it_needs(kind: type[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    small, report, stated = kind.declaration.small_decks[0], explored(kind), STATED[kind]
    (found,) = report.examples.values()
    number = game_number(kind.with_deck(small.cards, small.each), found, stated)
    assert number is not None
    monkeypatch.setattr("fsm.records.game_class", lambda name: kind)
    record = json.loads(json.dumps(record_of_counterexample(kind, small, found, stated)))
    shown = replay_counterexample(record)
    if kind is Never:
        assert shown.game.table.shown == 5
    if kind is Three:
        assert [step.trigger for step in shown.steps] == ["begin", "throw", "throw", "throw"]
        assert shown.game.table.shown == 3
        with pytest.raises(RecordError, match=r"^position is 'table player=1 shown=3"):
            replay_counterexample(record | {"number": number + 1})
    if kind is Rising:
        before = shown.game.table.shown
        assert shown.game.fire(found.event).trigger == "throw"
        assert shown.game.table.shown >= before + 4


@pytest.mark.parametrize("number", [-1, 2**70, "1", 1.0, True, None])
def test_a_record_has_the_number_of_a_game(number: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    small, (found,) = Never.declaration.small_decks[0], explored(Never).examples.values()
    record = record_of_counterexample(Never, small, found, "never five")
    monkeypatch.setattr("fsm.records.game_class", lambda name: Never)
    with pytest.raises(RecordError, match="number"):
        replay_counterexample(record | {"number": number})


def test_what_is_printed_shows_the_fault() -> None:
    for kind, text in ((Never, "never five"), (Three, "few")):
        done = command("check", "--games", 0, "--game", f"{FILE}:{kind.__name__}")
        assert done.status == 1
        assert f"FAILED  {text}" in done.out
        assert "dice are rolled by throw: each outcome of them was followed" in done.out
        (line,) = [line for line in done.out.splitlines() if line.startswith(f"{'':10}in Python ")]
        names: dict[str, Any] = {}
        exec(line[20:], names)
        assert names["game"].declaration.broken_invariant(names["game"].phase, names["game"].table).description == text


def test_where_the_dice_are_not_found_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsm.check.rolled.MAX_FIRED", 2000)
    done = command("check", "--games", 0, "--game", f"{FILE}:Nine")
    assert "dice      it is not known in which game those are rolled that it needs" in done.out
    assert "in Python" not in done.out
    json_done = command("check", "--games", 0, "--json", "--game", f"{FILE}:Nine")
    assert (json_done.status, json_done.out) == (1, "")
    assert "few: not printed: it is not known in which game those are rolled" in json_done.err


def test_dice_that_are_rolled_otherwise_are_not_followed() -> None:
    assert not Loose.declaration.follows_dice
    assert Loose.declaration.rolled_otherwise_by == ("throw",)
    done = command("check", "--games", 0, "--game", f"{FILE}:Loose")
    assert "one sequence of them was followed; games play others" in done.out
    assert "each outcome is followed where all dice are rolled by rules.chance.roll in effects" in done.out
    assert "cannot be fired with this deck" not in done.out


@guard("the die shows no six")
def rolls_a_six(table: Any) -> bool:
    return roll(table, 6) == 5


@guard("the next die will show no six")
def will_roll_a_six(table: Any) -> bool:
    return is_six(table)


@rule
def is_six(table: Any) -> bool:
    return below(6, table.seed, table.number, table.rolls) == 5


@query
def some_amounts(table: Any) -> int:
    return 1 << roll(table, 6)


@query
def shows_a_six(table: Any) -> bool:
    return roll(table, 6) == 5


@pytest.mark.parametrize("may_stop", [rolls_a_six, will_roll_a_six])
def test_a_guard_that_rolls_dice_is_refused_where_it_is_declared(may_stop: Any) -> None:
    """It is asked as often as somebody likes, so that what it permits would depend on who looks."""
    fault = rf"transition .*--stop.*: conditions: {may_stop.__name__} rolls dice; roll them in an effect"
    with pytest.raises(DeclarationError, match=fault):
        throwing(one_die, may_stop=may_stop)


@guard("the module of Python says no")
def is_lucky(table: Any) -> bool:
    return random.random() < 0.5


@guard("a generator says no")
def is_lucky_again(table: Any) -> bool:
    return OWN_DICE.randrange(6) == 5


@guard("it is late")
def is_early(table: Any) -> bool:
    return monotonic() < 1e6


@guard("what it imports says no")
def is_lucky_at_last(table: Any) -> bool:
    from random import random as drawn

    return drawn() < 0.5


IMPURE = [(is_lucky, "random"), (is_lucky_again, "random"), (is_lucky_at_last, "random"), (is_early, "time")]


@pytest.mark.parametrize(("may_stop", "module"), IMPURE)
def test_so_is_one_that_uses_what_is_no_part_of_a_position(may_stop: Any, module: str) -> None:
    fault = rf"transition .*--stop.*: conditions: '{may_stop.__name__.replace('_', ' ')}' uses the module {module}; use fields"
    with pytest.raises(DeclarationError, match=fault):
        throwing(one_die, may_stop=may_stop)


def test_so_are_offers_by_dice() -> None:
    control = {
        phase: replace(each, offers=tuple(replace(o, amounts=some_amounts if o.amounts else None) for o in each.offers))
        for phase, each in AUCTION.control.items()
    }
    with pytest.raises(DeclarationError, match=r"offer .*: some_amounts rolls dice"):
        replace(AUCTION, control=control)


def test_so_are_properties_that_hold_by_dice() -> None:
    with pytest.raises(DeclarationError, match=r"invariant 'lucky': shows_a_six rolls dice"):
        throwing(one_die, invariants=(Invariant("lucky", shows_a_six),))


@pytest.mark.slow
def test_a_counterexample_with_dice_is_replayed_by_the_command(tmp_path: Path) -> None:
    record = tmp_path / "three.json"
    record.write_text(maumau("check", "--games", "0", "--json", "--game", f"{FILE}:Three").stdout)
    page = tmp_path / "three.html"
    done = maumau("replay", "--game", f"{FILE}:Three", str(record), "-o", str(page))
    assert (done.returncode, done.stderr) == (0, f"maumau: wrote {page}\n")
    assert "begin" in page.read_text()
