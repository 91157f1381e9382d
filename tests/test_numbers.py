"""Every whole number that a public function takes: integers of all types mean the same, all else is refused clearly."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import door
import numpy as np
import pytest
from random_nets import random_net

import fsm
import fsm.check
import maumau
import maumau.play.table
from fsm import Match, MauMau, UnoOfficial
from fsm.declaration.arcs import SmallDeck
from fsm.stepping.steps import Move
from maumau import (
    Batch,
    Net,
    Observed,
    Search,
    action_space,
    write_dataset,
)
from maumau.agents.observed import observed_deal
from maumau.kernels import bulk
from maumau.play.table import Computer, Person, Setup, Table

INTEGERS = sorted({np.dtype(code).type for code in np.typecodes["AllInteger"]}, key=str)
"""All scalar integer types of NumPy."""
NO_INTEGERS = [True, np.True_, 1.0, np.float64(1), "1", b"1", 1 + 0j, [1], np.array([1, 2])]
"""What is no whole number, though some of it equals one."""
HUGE = 2**70
SMALL = SmallDeck("DS HS DQ SQ CQ", 2, 1)
FEW_CARDS = MauMau.with_deck(SMALL.cards, SMALL.each)
DECK = bytes(MauMau.deck_of(2, 7))


@dataclass(frozen=True)
class Call:
    """A call of a public function. run: takes the numbers by name; what it returns is compared by its `repr`.

    numbers: valid ones. negative_may_pass, huge_may_pass: those for which -1 or HUGE is legal. plays: whether valid
    numbers are tried: it may take long.
    """

    name: str
    run: Callable[..., Any]
    numbers: dict[str, int]
    negative_may_pass: tuple[str, ...] = ()
    huge_may_pass: tuple[str, ...] = ()
    plays: bool = True


def game_text(game: Any) -> tuple[Any, ...]:
    """A stepped game: its dice and its position."""
    table = game.table
    return game, game.position(), table.seed, table.number, game.dealt_deck() if game.dealt_deck else None


def match_text(match: Match) -> tuple[Any, ...]:
    """A match at the start of its first round."""
    match.step()
    assert match.game is not None
    return match.seed, match.number, match.target, game_text(match.game)


def rows(results: Any) -> tuple[Any, ...]:
    """The rows of some games."""
    return results.games.tolist(), results.scores.tolist()


def batch_text(batch: Batch) -> tuple[Any, ...]:
    """A batch after some steps."""
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=1))
    sizes = batch.players, batch.slots, batch.seed, batch.limit
    return sizes, batch.observations.tolist(), batch.decisions.numbers.tolist(), batch.game(0).position()


def data_set(players: Any, games: Any, seed: Any, first: Any) -> tuple[Any, ...]:
    """What a data set of games holds."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "data.npz")
        card = write_dataset(path, MauMau, players, games, seed=seed, first=first)
        with np.load(path) as rows:
            return card.content, rows["action"].tolist()


def small_batch() -> Batch:
    return Batch(MauMau, 3, 2, 7)


def loaded(batch: Batch, slot: int) -> tuple[Any, ...]:
    """A batch after a slot was loaded."""
    batch.load(slot, batch.save(0))
    return batch_text(batch)


def cloned(batch: Batch, slot: int, to: int) -> tuple[Any, ...]:
    """A batch after a slot was cloned."""
    batch.clone(slot, to)
    return batch_text(batch)


def shortened(limit: int) -> int:
    batch = small_batch()
    batch.shorten(limit)
    return batch.limit


def put(batch: Batch, slot: int) -> tuple[Any, ...]:
    """A batch after a slot was set to a game."""
    batch.put(slot, MauMau.deal(3, 9))
    return batch_text(batch)


def found(search: Search) -> tuple[Any, ...]:
    """What a search finds."""
    return search.players, search.world_count, search.seed, search.best(observed_deal(MauMau, 3, 7).game)


def observed() -> Observed:
    return observed_deal(MauMau, 2, 7)


def table() -> Table:
    """A table at which player 1, a person, is asked; player 2 is another one."""
    made = Table(Setup(game="maumau", seats=(Person("Ann"), Person("Bob")), seed=7))
    while made.advance():
        pass
    assert made.asked == 1
    return made


def after(change: Callable[[Table], Any]) -> tuple[Any, ...]:
    """What a change of a table returns, and the table then."""
    made = table()
    return change(made), made.save()


@cache
def net() -> Net:
    return random_net(MauMau.declaration, 2)


SPACE = action_space(MauMau.declaration)
SEATS = Person("Ann"), Computer("house")
AT = table().version(1)


def alone() -> Table:
    """A table at which the only person has made a move and is asked again."""
    made = Table(Setup(game="maumau", seats=SEATS, seed=7))
    while made.advance():
        pass
    made.act(1, made.game.events()[0], made.version(1))
    while made.advance():
        pass
    assert made.asked == 1
    return made


def taken_back(player: int, at: int) -> tuple[Any, ...]:
    made = alone()
    return made.undo(player, at), made.save()


AFTER = alone().version(1)

OF_THE_DOOR: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "bulk.deal": (lambda decks: decks.tolist(), {}),
    "bulk.play": (rows, {}),
    "bulk.play_dealt": (rows, {}),
    "bulk.total": (repr, {}),
    "bulk.matches": (rows, {}),
    "explore": (repr, {"huge_may_pass": ("most",), "plays": False}),
    "explore_stepped": (lambda report: report.positions, {"huge_may_pass": ("most",)}),
    "survey": (lambda report: report.events, {"huge_may_pass": ("games",)}),
    "Batch": (batch_text, {}),
    "Match": (match_text, {}),
    "Observed": (lambda observed: observed.observation(0), {}),
    "Search": (found, {}),
    "Setup": (repr, {}),
    "TrainingSettings": (repr, {}),
    "information_state": (repr, {}),
    "layout": (repr, {}),
    "strength": (repr, {"huge_may_pass": ("games",), "plays": False}),
    "train": (repr, {"huge_may_pass": ("games",), "plays": False}),
    "best_response": (repr, {"huge_may_pass": ("games", "tested"), "plays": False}),
}
"""Functions and classes that are called with the arguments of `door.py`: what is compared, and what differs in `Call`."""
WHOLE = re.compile(r"^(int|SupportsIndex)( \| None)?$")


def name_of(public: Callable[..., Any]) -> str:
    """The name of a public function, class or method."""
    inside = public.__qualname__
    return inside if inspect.isclass(public) or "." in inside else f"{public.__module__}.{inside}"


def numbers_of(public: Callable[..., Any]) -> list[str]:
    """The parameters that are whole numbers."""
    return [each.name for each in inspect.signature(public).parameters.values() if WHOLE.match(str(each.annotation))]


def of_the_door(name: str) -> Call:
    function, valid = door.CALLS[name]
    text, options = OF_THE_DOOR[name]
    numbers = {each: valid[each] for each in numbers_of(function)}
    return Call(name_of(function), lambda **given: text(function(**{**valid, **given})), numbers, **options)


CALLS = [
    *map(of_the_door, OF_THE_DOOR),
    Call("Parts.seated", lambda players: MauMau.declaration.seated(players, "random"), {"players": 2}),
    Call(
        "Game.deal",
        lambda players, seed, number, dealer: game_text(UnoOfficial.deal(players, seed, number, dealer=dealer)),
        {"players": 3, "seed": 7, "number": 5, "dealer": 2},
    ),
    Call("Game.deck_of", MauMau.deck_of, {"players": 2, "seed": 7, "number": 5}),
    Call(
        "Game.of_deck",
        lambda players, seed, number, dealer: game_text(
            UnoOfficial.of_deck(players, UnoOfficial.deck_of(3, 7), "random", seed, number, dealer)
        ),
        {"players": 3, "seed": 7, "number": 5, "dealer": 2},
    ),
    Call("Game.model", lambda players: vars(MauMau.model(DECK, players))["table"], {"players": 2}),
    Call("Game.position", lambda seen_by: MauMau.deal(2, 7).position(seen_by=seen_by), {"seen_by": 1}),
    Call("Game.view", lambda viewer: MauMau.deal(2, 7).view(viewer), {"viewer": 1}),
    Call("Declaration.checked_deal", lambda players: MauMau.declaration.checked_deal(players, DECK), {"players": 2}),
    Call("Declaration.player_count", MauMau.declaration.player_count, {"players": 3}),
    Call("Declaration.seat_names", lambda players: MauMau.declaration.seat_names(players, "random"), {"players": 3}),
    Call("Scoring.match_target", MauMau.declaration.scoring.match_target, {"target": 100}),
    Call("Game.seated", lambda players: MauMau.seated(players, "random"), {"players": 3}),
    Call("Game.with_deck", lambda each: MauMau.with_deck(SMALL.cards, each).deal(2, 7).position(), {"each": 1}),
    Call("Game.write", lambda players: MauMau.write(players, DECK), {"players": 2}),
    Call(
        "Match.of_decks",
        lambda players, seed, number, target: match_text(
            Match.of_decks(MauMau, players, [DECK], "random", seed, number, target)
        ),
        {"players": 2, "seed": 7, "number": 5, "target": 1},
    ),
    Call("Match.dice", lambda index: Match(MauMau, 2, 7, 5).dice(index), {"index": 3}),
    # ---- agents
    Call("ActionSpace.__getitem__", SPACE.__getitem__, {"number": 3}),
    Call("ActionSpace.codes", SPACE.codes, {"number": 3}),
    Call("ActionSpace.text", SPACE.text, {"number": 3}),
    Call("ActionSpace.value_text", SPACE.value_text, {"number": 3}),
    Call("ActionSpace.move", SPACE.move, {"number": 3, "player": 1, "players": 2}),
    Call(
        "ActionSpace.number",
        lambda player, players: SPACE.number(Move("draw"), player, players),
        {"player": 1, "players": 2},
    ),
    Call("Batch.game", lambda slot: Batch(MauMau, 3, 3).game(slot).position(), {"slot": 2}),
    Call("Batch.shorten", shortened, {"limit": 5}, huge_may_pass=("limit",)),
    Call("Batch.reset", lambda seed: Batch(MauMau, 3, 3).reset(seed).observations.tolist(), {"seed": 7}),
    Call("Observed.act", lambda number: observed().act(number), {"number": observed().legal()[0]}),
    Call("Observed.observation", lambda seat: observed().observation(seat), {"seat": 1}),
    Call("Batch.save", lambda slot: small_batch().save(slot).rows[0].tolist(), {"slot": 1}),
    Call("Batch.load", lambda slot: loaded(small_batch(), slot), {"slot": 1}),
    Call("Batch.clone", lambda slot, to: cloned(small_batch(), slot, to), {"slot": 0, "to": 1}),
    Call("Batch.put", lambda slot: put(small_batch(), slot), {"slot": 1}),
    Call(
        "Search.worlds",
        lambda count, seed: [
            world.position() for world in Search(MauMau, 3, 8).worlds(observed_deal(MauMau, 3, 7).game, count, seed)
        ],
        {"count": 2, "seed": 7},
    ),
    Call(
        "maumau.agents.datasets.write_dataset",
        data_set,
        {"players": 2, "games": 2, "seed": 7, "first": 3},
    ),
    # ---- play
    Call("Setup.dice", lambda round: Setup(game="maumau", seats=SEATS, seed=7, target=100).dice(round), {"round": 3}),
    Call(
        "Setup.sealed",
        lambda round: Setup(game="maumau", seats=SEATS, target=100, key="0" * 32).sealed(round),
        {"round": 3},
    ),
    Call(
        "Table.act",
        lambda player, at: after(lambda made: made.act(player, made.game.events()[0], at)),
        {"player": 1, "at": AT},
    ),
    Call("TableSeats.come_back", lambda player: after(lambda made: made.come_back(player)), {"player": 2}),
    Call("TableSeats.leave", lambda player: after(lambda made: made.leave(player)), {"player": 2}),
    Call("TableSeats.seat", lambda player: after(lambda made: made.seat(player, "Ada")), {"player": 2}),
    Call("Table.hint", lambda player: table().hint(player), {"player": 1}),
    Call("Table.hinting", lambda player: table().hinting(player)(), {"player": 1}),
    Call(
        "Table.log",
        lambda player, since: table().log(player, since),
        {"player": 1, "since": 1},
        negative_may_pass=("since",),
        huge_may_pass=("since",),
    ),
    Call(
        "Table.time_out",
        lambda player, at: after(lambda made: made.time_out(player, at)),
        {"player": 1, "at": AT},
        negative_may_pass=("at",),
        huge_may_pass=("at",),
    ),
    Call("Table.undo", taken_back, {"player": 1, "at": AFTER}),
    Call("Table.version", lambda player: table().version(player), {"player": 1}),
    Call("Table.view", lambda player: table().view(player), {"player": 1}),
    Call("Table.why", lambda player: table().why(player, Move("draw")), {"player": 2}),
]
CASES = [(call, name) for call in CALLS for name in call.numbers]
each_number = pytest.mark.parametrize(("call", "name"), CASES, ids=[f"{call.name} {name}" for call, name in CASES])


@cache
def expected(place: int) -> str:
    """What a call returns with plain numbers."""
    call = CALLS[place]
    return repr(call.run(**call.numbers))


@pytest.mark.slow
@each_number
def test_an_integer_of_any_type_means_the_plain_one(call: Call, name: str) -> None:
    for integer in INTEGERS if call.plays else ():
        numbers = {**call.numbers, name: integer(call.numbers[name])}
        assert repr(call.run(**numbers)) == expected(CALLS.index(call)), integer


@each_number
def test_what_is_no_whole_number_is_refused_by_its_type(call: Call, name: str) -> None:
    for wrong in NO_INTEGERS:
        with pytest.raises(TypeError, match=rf"{re.escape(repr(wrong))[:9]}.*; give a whole number"):
            call.run(**{**call.numbers, name: wrong})


@each_number
def test_a_number_that_is_too_small_or_too_large_is_refused_with_what_was_expected(call: Call, name: str) -> None:
    wrong = [-1] * (name not in call.negative_may_pass) + [HUGE] * (name not in call.huge_may_pass)
    for number in wrong:
        with pytest.raises((ValueError, IndexError), match=rf"{str(number)[:12]}.*; "):
            call.run(**{**call.numbers, name: number})


# ---------------------------------------------------------------- nothing public is left out

CHECKED = "asked by the package, of a number of players that it has checked"
ELSEWHERE = {
    "Action": "an action that the package makes",
    "ActionSpace.card_text": "the number of an action that the package made",
    "ActionSpace.number_of": "codes, looked up at every step; what is none has no number",
    "BestResponse": "a result",
    "DealtParts.broken_by_deal": CHECKED,
    "DealtParts.fewest_cards": CHECKED,
    "DealtParts.hands_dealt": CHECKED,
    "DealtParts.places_dealt": CHECKED,
    "DealtParts.seats_dealt": CHECKED,
    "DealtParts.shuffled_deck": "called by `Game.deck_of`, which has checked the players",
    "DealtParts.sizes_dealt": CHECKED,
    "DealtParts.small_deck": "called by `Game.with_deck`, which has checked the number",
    "DealtParts.with_small_deck": "called by `Game.with_deck`, which has checked the number",
    "DealtParts.with_sorted_hands": CHECKED,
    "Declaration.value_named": "called by the package",
    "Declaration.dealer_seat": "called by `Game.of_deck`, which has checked the players",
    "Field": "a field that the package makes",
    "Stepped.fire": "numbers that a move names: tests/fsm/test_values.py",
    "ObservationLayout": "a layout that the package makes",
    "LongGameError": "an exception that the package raises",
    "Match.of_valid_decks": "`of_decks` without one check",
    "Net": "a net that the package makes",
    "Net.plays": CHECKED,
    "IllegalMove": "an exception that the package raises",
    "ObservingPolicy.actions": "called by the package",
    "ObservingPolicy.choose_actions": "called by the package",
    "ObservingPolicy.side_by_side": "called by the package",
    "Parts.card_name": "codes of a table or of an action",
    "Report": "a result",
    "Scoring": "checked with its declaration",
    "Scoring.sides_among": CHECKED,
    "SearchPolicy": "made by its name",
    "SearchPolicy.check_players": "called by the package",
    "SearchPolicy.prepare": "called by the package",
    "Setup.with_seat": "a player whom the table has checked",
    "Policy.check_players": "called by the package",
    "Step.of_codes": "called by the package",
    "Policy.prepare": "called by the package",
    "Policy.side_by_side": "called by the package",
    "Table.parts": "called by the package",
    "View": "a result",
    "Won.player_at": "called by the package",
}
"""Public callables with whole numbers that are not called here, and why."""


def callables(module: Any) -> Iterator[Callable[..., Any]]:
    """The public functions, classes and methods of a module."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    for name in getattr(module, "__all__", [name for name in own if not name.startswith("_")]):
        public = getattr(module, name)
        if not inspect.isclass(public):
            yield from [public] * inspect.isfunction(public)
            continue
        yield public
        for method, member in inspect.getmembers(public, inspect.isroutine):
            if not method.startswith("_") or method == "__getitem__":
                yield getattr(member, "__func__", member)


def public_numbers(module: Any) -> Iterator[tuple[str, str]]:
    """The names of the callables of a module and their parameters that are whole numbers."""
    for public in callables(module):
        if inspect.isclass(public) and "__init__" not in vars(public):
            continue  # inherited, or made by a named tuple
        function = public.__init__ if inspect.isclass(public) else public
        if not inspect.isfunction(function):
            continue
        yield from ((name_of(public), number) for number in numbers_of(function))


def test_every_public_whole_number_is_among_the_calls() -> None:
    modules, rooms = maumau.MODULES.items(), ("maumau.agents.", "fsm.stepping.")
    listed = [name for module, names in modules if module.startswith(rooms) for name in names.split()]
    of_rooms = SimpleNamespace(__name__="", __all__=listed, **{name: getattr(maumau, name) for name in listed})
    public = fsm, bulk, fsm.check, maumau.kernels.explorer.exhaustive, of_rooms, maumau.play.table
    names = {number for module in public for number in public_numbers(module)}
    called = {(call.name, name) for call in CALLS for name in call.numbers}
    assert {(name, number) for name, number in names - called if name not in ELSEWHERE} == set()
    assert called - names == set()
    assert ELSEWHERE.keys() - {name for name, _ in names} == set()
