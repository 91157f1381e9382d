"""A rule function that raises an error is found with the game in which it does, by stepping and in machine code alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alike import found_alike
from mutants import with_arc, with_function
from outside import command
from python_says import BY_ZERO

from fsm import Game, MauMau
from fsm.check import explore_stepped, survey
from fsm.check.properties import GENERALLY, BasicProperty
from fsm.declaration.arcs import Invariant, Postcondition, SmallDeck
from fsm.declaration.declaration import Declaration
from maumau import MauMauPhase
from maumau.kernels.explorer.exhaustive import explore
from rules.cards import SEVEN, rank_of
from rules.maumau.game import MauMauTable, add_two, bind_suit, eight, fitting, seven
from rules.rule import effect, guard, query
from rules.table import deal_in_turn, dealing

SMALL = SmallDeck("DQ DS HS DE DJ", 2, 1)
SEVENS = ("DS", "HS")
RAISED = GENERALLY[BasicProperty.NO_ERROR]
HALVES = (0, 1, 2)


def faulty(declaration: Declaration) -> type[Game]:
    return type("Faulty", (MauMau,), {"declaration": declaration})


@effect
def looks_beyond_a_list(table: MauMauTable) -> None:
    table.due += table.hands[table.players + 60]


@effect
def looks_before_a_list(table: MauMauTable) -> None:
    table.due += table.hands[-table.players - 60]


@effect
def looks_beyond_constants(table: MauMauTable) -> None:
    table.due += HALVES[table.players + 1]


@effect
def divides_by_zero(table: MauMauTable) -> None:
    table.due += 2 // (table.players - 2)


@effect
def takes_the_rest_by_zero(table: MauMauTable) -> None:
    table.due += 2 % (table.players - 2)


@effect
def shifts_by_less_than_zero(table: MauMauTable) -> None:
    table.due += 1 << -table.players


@effect
def puts_what_is_no_byte(table: MauMauTable) -> None:
    table.ring[table.players] = 255 + table.players


@effect
def looks_for_what_is_not_there(table: MauMauTable) -> None:
    seat = 0
    while table.hands[seat] != 1 << 60:
        seat += 1
    table.due += seat


ERRORS = {
    looks_beyond_a_list: "IndexError",
    looks_before_a_list: "IndexError",
    looks_beyond_constants: "IndexError",
    divides_by_zero: "ZeroDivisionError",
    takes_the_rest_by_zero: "ZeroDivisionError",
    shifts_by_less_than_zero: "ValueError",
    puts_what_is_no_byte: "ValueError",
    looks_for_what_is_not_there: "IndexError",
}


def opened_by_a_seven(report: Any) -> None:
    """The report is of an effect of sevens that raises an error: the first event where it does opens with one."""
    assert report.failures == [RAISED]
    found = report.examples[BasicProperty.NO_ERROR]
    cards = found.line.split()
    assert (str(found.event), found.events, cards[1 + SMALL.players * SMALL.each] in SEVENS) == ("open", (), True)
    fired = {arc.conditions[-1] for arc in report.game.arcs if arc.conditions and report.fired[arc]}
    assert (seven in fired, eight in fired) == (False, True)


@pytest.mark.parametrize("function", ERRORS)
def test_the_event_whose_effect_raises_is_found_and_the_others_are_tried(function: Callable[..., None]) -> None:
    report = explore_stepped(faulty(with_function(MauMau.declaration, add_two, function).declaration()), SMALL)
    opened_by_a_seven(report)
    error = report.examples[BasicProperty.NO_ERROR].error
    assert Path(__file__).name in error
    assert ERRORS[function] in error


@pytest.mark.slow
@pytest.mark.parametrize("function", ERRORS)
def test_machine_code_finds_it_too(function: Callable[..., None]) -> None:
    kind = faulty(with_function(MauMau.declaration, add_two, function).declaration())
    opened_by_a_seven(found_alike(kind, SMALL))


@pytest.mark.slow
def test_a_shift_by_more_bits_than_machine_code_has_is_found_there() -> None:
    @effect
    def shifts_by_many_bits(table: MauMauTable) -> None:
        table.due += 1 << 62 >> 40 * table.players

    report = explore(faulty(with_function(MauMau.declaration, add_two, shifts_by_many_bits).declaration()), SMALL)
    assert report.failures == [RAISED]
    assert "by 64 bits or more" in report.examples[BasicProperty.NO_ERROR].error


def test_an_index_from_the_end_is_none() -> None:
    @effect
    def adds_two(table: MauMauTable) -> None:
        table.due += HALVES[-1] + 0 * table.hands[-1 - table.player]

    assert found_alike(faulty(with_function(MauMau.declaration, add_two, adds_two).declaration()), SMALL).failures == []


# ---------------------------------------------------------------- guards, offers and properties


@guard("it is not a seven")
def raises_but_for_sevens(table: MauMauTable) -> bool:
    return table.hands[0 if seven(table) else 70] >= 0


def with_another_guard(first: bool) -> type[Game]:
    """Mau-Mau with a guard that raises an error for all but sevens, asked before the one for sevens or after it."""
    game = MauMau.declaration
    place = next(place for place, arc in enumerate(game.arcs) if arc.trigger == "play" and seven in arc.conditions)
    guards = game.arcs[place].conditions
    conditions = (raises_but_for_sevens, *guards) if first else (*guards, raises_but_for_sevens)
    arc = replace(game.arcs[place], conditions=conditions)
    return faulty(with_arc(game, place, arc, "another guard").declaration())


def offering(masks: Callable[[Any], int]) -> type[Game]:
    """Mau-Mau in which other cards are offered where a player is to play one."""
    game = MauMau.declaration
    control = game.control[MauMauPhase.AWAIT_PLAY]
    offers = tuple(replace(offer, cards=masks) if offer.cards is fitting else offer for offer in control.offers)
    return faulty(replace(game, control={**game.control, MauMauPhase.AWAIT_PLAY: replace(control, offers=offers)}))


@query
def negative_mask(table: MauMauTable) -> int:
    return -table.players


@query
def mask_of_cards_that_are_none(table: MauMauTable) -> int:
    return fitting(table) | table.players << 40


def stating(kind: str) -> type[Game]:
    """Mau-Mau with an invariant, also of deals, or a postcondition of `open`, that raises an error."""
    game = MauMau.declaration

    @query
    def holds(table: MauMauTable) -> bool:
        return table.hands[table.players + 60] == 0

    @query
    def is_done(before: MauMauTable, table: MauMauTable) -> bool:
        return table.hands[before.players + 60] == 0

    if kind != "postcondition":
        phases = (MauMauPhase.INITIAL if kind == "deal" else MauMauPhase.AWAIT_PLAY,)
        return faulty(replace(game, invariants=(*game.invariants, Invariant("it raises", holds, phases))))
    return faulty(replace(game, postconditions=(*game.postconditions, Postcondition("it raises", is_done, ("open",)))))


ELSEWHERE = {
    "guard": (lambda: with_another_guard(first=True), "play", 1),
    "negative mask": (lambda: offering(negative_mask), None, 1),
    "other cards": (lambda: offering(mask_of_cards_that_are_none), None, 1),
    "invariant": (lambda: stating("invariant"), None, 1),
    "deal": (lambda: stating("deal"), None, 0),
    "postcondition": (lambda: stating("postcondition"), "open", 0),
}
"""Where an error is raised: the event with which it is, if with one, and how many events are fired before."""


@pytest.mark.slow
@pytest.mark.parametrize("where", ELSEWHERE)
def test_errors_elsewhere_are_found_alike(where: str) -> None:
    make, trigger, before = ELSEWHERE[where]
    report = found_alike(make(), SMALL)
    assert RAISED in report.failures
    found = report.examples[BasicProperty.NO_ERROR]
    assert (found.event and found.event.trigger, len(found.events)) == (trigger, before)
    if trigger == "play":
        assert found.event.card not in SEVENS


@pytest.mark.slow
def test_a_guard_that_is_asked_only_where_those_before_it_hold_raises_nothing() -> None:
    assert found_alike(with_another_guard(first=False), SMALL).failures == []


# ---------------------------------------------------------------- deals


@effect
def deals_no_open_seven(table: MauMauTable, deck: Sequence[int], players: int, each: int) -> None:
    deal_in_turn(table, deck, players, each)
    table.due += 0 // (rank_of(table.open_card) - SEVEN)


DEALT = dealing(MauMau.declaration.codec.cards_each, deals_no_open_seven)
WRONGLY_DEALT = faulty(replace(MauMau.declaration, deal=DEALT, deal_each=deals_no_open_seven))
DEALS_OF_SEVENS = 2 * (4 * 3) * 2
"""An open seven, the cards of the players, and the order of the two that are left."""


def dealt_a_seven(report: Any) -> None:
    """The report is of deals of an open seven, which raise an error."""
    assert report.failures == [RAISED]
    found = report.examples[BasicProperty.NO_ERROR]
    assert (found.event, found.events, found.position) == (None, (), "")
    assert found.error.startswith(f"{Path(__file__)}:")
    assert found.error.endswith(f"ZeroDivisionError: {BY_ZERO}")


def test_a_deal_that_raises_is_found_and_the_others_are_played() -> None:
    report = explore_stepped(WRONGLY_DEALT, SMALL)
    dealt_a_seven(report)
    assert report.examples[BasicProperty.NO_ERROR].line.split()[1 + SMALL.players * SMALL.each] in SEVENS
    assert report.failed[BasicProperty.NO_ERROR] == DEALS_OF_SEVENS
    fired = {arc.conditions[-1] for arc in report.game.arcs if arc.conditions and report.fired[arc]}
    assert eight in fired


@pytest.mark.slow
def test_machine_code_finds_the_same_deals() -> None:
    dealt_a_seven(found_alike(WRONGLY_DEALT, SMALL))


@pytest.mark.slow
def test_games_with_the_whole_deck_are_dealt_so_too() -> None:
    report = survey(WRONGLY_DEALT, 30)
    dealt_a_seven(report)
    assert report.games == 3 * 30
    sevens = [
        game
        for players in (2, 3, 4)
        for game in (MauMau.deal(players, 0, number) for number in range(30))
        if game.opening_card[1] == "S"
    ]
    assert report.failed[BasicProperty.NO_ERROR] == len(sevens)


# ---------------------------------------------------------------- games with the whole deck, and the command


def test_games_with_the_whole_deck_show_it_too() -> None:
    @effect
    def raises(table: MauMauTable) -> None:
        table.bound_suit = table.suit + 0 // (table.players - 3)

    report = survey(faulty(with_function(MauMau.declaration, bind_suit, raises).declaration()), 4)
    found = report.examples[BasicProperty.NO_ERROR]
    assert report.failures == [RAISED]
    assert (found.event.trigger, found.event.card[1]) == ("play", "J")
    assert "ZeroDivisionError" in found.error


def test_the_command_says_what_was_raised_and_where(tmp_path: Path) -> None:
    file = tmp_path / "raising.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from fsm import MauMau\n"
        "from fsm.stepping.game import game_of\n"
        "from rules.maumau.game import add_two\n"
        "from rules.rule import effect\n"
        "@effect\n"
        "def raises(table):\n"
        "    table.due += 2 // (table.players - 2)\n"
        "game = MauMau.declaration\n"
        "arcs = [replace(arc, before=tuple(raises if each is add_two else each for each in arc.before))"
        " for arc in game.arcs]\n"
        "Raising = game_of(replace(game, name='raising', arcs=tuple(arcs)))\n"
    )
    done = command("check", "--game", f"{file}:Raising", "--games", 0)
    assert done.status == 1
    assert f"FAILED  {RAISED}" in done.out
    assert f"error     {file}:8: ZeroDivisionError: {BY_ZERO}" in done.out


def test_the_command_says_which_deal_raises_and_prints_no_record_of_it(tmp_path: Path) -> None:
    file = tmp_path / "dealing.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from fsm import MauMau\n"
        "from fsm.stepping.game import game_of\n"
        "from rules.cards import SEVEN, rank_of\n"
        "from rules.rule import effect\n"
        "from rules.table import deal_in_turn, dealing\n"
        "@effect\n"
        "def deal_each(table, deck, players, each):\n"
        "    deal_in_turn(table, deck, players, each)\n"
        "    table.due += 0 // (rank_of(table.open_card) - SEVEN)\n"
        "game = MauMau.declaration\n"
        "deal = dealing(game.codec.cards_each, deal_each)\n"
        "Dealing = game_of(replace(game, name='dealing', deal_each=deal_each, deal=deal))\n"
    )
    options = "check", "--game", f"{file}:Dealing", "--games", 0
    error = f"{file}:10: ZeroDivisionError: {BY_ZERO}"
    done, printed = command(*options), command(*options, "--json")
    assert done.status == printed.status == 1
    assert f"FAILED  {RAISED}: {DEALS_OF_SEVENS} times" in done.out
    assert f"error     {error}" in done.out
    assert printed.out == ""
    assert f"{RAISED}: not printed, as the deal raises an error: {error}" in printed.err
