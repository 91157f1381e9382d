"""Shared by the tests of the compiled engine: session kernels, a small game, and comparisons with stepped games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from fsm import Game, MauMau, Uno, game_class, game_of, registry
from fsm.declaration.arcs import Choice, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.page import forced, lay, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.steps import Step
from maumau.kernels.compiled.turns import NO_RULE
from rules.ending import ENDLESS, NO_WINNER, OUT_OF_CARDS, WON
from rules.notation import Notation
from rules.piles import cards_laid, cards_taken, lay_open, take_top, trace
from rules.rule import among, choice, effect, guard, query
from rules.table import CardTable, deal_in_turn, each_seat, receive, ring_of
from rules.visibility import discards_seen, seen_by_all, seen_by_owner

# ---------------------------------------------------------------- a third game: numbers that count a heap down

NUMBERS = 16
MOST = 3
HAND = 4


@dataclass(slots=True)
class Heap(CardTable):
    """The table of Countdown."""

    hands: list[int] = seen_by_owner(factory=each_seat(MOST))
    left: int = seen_by_all(0)  # what must still be counted down
    ring: bytearray = discards_seen(ring_of(NUMBERS))


@query
def numbers_left(table: Heap, seat: int) -> int:
    """The score: the sum of the numbers in a hand."""
    total = 0
    for card in range(NUMBERS):
        total += card * (table.hands[seat] >> card & 1)
    return total


@effect
def start_count(table: Heap) -> None:
    """Twice the open number is to be counted down, and 20 more."""
    table.left = 20 + 2 * table.open_card


@query
def numbers_of_parity(table: Heap) -> int:
    """The numbers in hand that are odd if the count is, else even."""
    return table.hands[table.player] & 0x5555 << (table.left & 1)


has_parity = among(numbers_of_parity, "has_parity", "{card} is not odd or even like the count", "The number is.")


@query
def ways(table: Heap) -> int:
    """A number above 9 counts once or twice; a smaller one is called without a way."""
    return 3 if table.card > 9 else 0


@guard("it does not end the count")
def ends_count(table: Heap) -> bool:
    """The number ends the count."""
    return counted(table) >= table.left


@query
def counted(table: Heap) -> int:
    """What the number counts."""
    return table.card * (1 + max(table.suit, 0))


@effect
def count_down(table: Heap) -> None:
    """The number goes from the hand onto the open one."""
    table.left -= counted(table)
    table.hands[table.player] ^= 1 << table.card
    lay_open(table, table.card)
    trace(table, table.card)


@effect
def next_caller(table: Heap) -> None:
    """The next player is in turn."""
    table.turns += 1
    table.player = (table.player + 1) % table.players


@effect
def win_count(table: Heap) -> None:
    """Who ends the count wins."""
    table.turns += 1
    table.ending = WON
    table.winner = table.player


@guard("numbers are left")
def nothing_left(table: Heap) -> bool:
    """No player holds a number."""
    return table.hands[0] + table.hands[1] + table.hands[2] == 0


@guard("the count was not there before")
def count_returns(table: Heap) -> bool:
    """Everybody only waits."""
    return table.returned == 1


@effect
def stop_count(table: Heap) -> None:
    """Nobody can count on."""
    table.ending = OUT_OF_CARDS


@effect
def stop_waiting(table: Heap) -> None:
    """Nobody will count on."""
    table.ending = ENDLESS


@guard("the pile is empty")
def pile_left(table: Heap) -> bool:
    """A number can be taken."""
    return table.stock > 0


@effect
def take_number(table: Heap) -> None:
    """Take a number."""
    table.drawn = take_top(table)
    receive(table, table.player, table.drawn)


@effect
def shift_count(table: Heap) -> None:
    """With nothing to take the count turns from odd to even, or back."""
    table.left ^= 1


@guard("no number of the right parity is held")
def has_number(table: Heap) -> bool:
    """A number of the right parity is held."""
    return numbers_of_parity(table) != 0


@choice
def least_number(table: Heap) -> int:
    """The least of them."""
    cards = numbers_of_parity(table)
    return (cards & -cards).bit_length() - 1


@choice
def twice(table: Heap) -> int:
    """Count it twice, if that may be."""
    return 1 if ways(table) else -1


class Counting(Phase):
    """The phases of Countdown."""

    START = "start"
    COUNT = "count"
    OVER = "over"


START, COUNT, OVER = Counting
STEADY = Policy(
    "steady",
    {
        COUNT: (
            Choice("call", "least", (has_number,), least_number, twice, "the least"),
            Choice("wait", description="none"),
        )
    },
)
LAZY = Policy("lazy", {COUNT: (Choice("wait", description="always"),)})


PAGE = page({
    START: forced(on("begin", COUNT, before=start_count, rule="The open number is the count.")),
    COUNT: turn(
        lay(has_parity,
            on("call", COUNT, before=(count_down, next_caller), rule="A number counts down."),
            on("call", OVER, conditions=ends_count, before=(count_down, win_count), rule="Who ends the count wins."),
            suits=ways),
        on("wait", COUNT, conditions=pile_left, before=(take_number, next_caller), rule="Who waits takes a number."),
        on("wait", COUNT, unless=pile_left, before=(shift_count, next_caller), rule="With no pile the count shifts."),
    ) | forced(
        on("give_up", OVER, conditions=nothing_left, before=stop_count, rule="No number is left."),
        on("give_up", OVER, conditions=count_returns, unless=nothing_left, before=stop_waiting, rule="All wait for ever.")),
})  # fmt: skip
COUNTDOWN = Declaration(
    title="Countdown",
    table=Heap,
    deck=Notation(tuple("0123456789ABCDEF"), "OT", "way", ("once", "twice")),
    players=range(2, MOST + 1),
    cards_each=HAND,
    deal_each=deal_in_turn,
    facts=(Fact("left", "left"),),
    score=numbers_left,
    page=PAGE,
    policies=(STEADY, LAZY, RANDOM, FIRST_LEGAL),
)


class Countdown(Game, declaration=COUNTDOWN):
    """A game of Countdown."""


# ---------------------------------------------------------------- games played by both engines, and compared


def value_code(game: Declaration, step: Step) -> int:
    """The code of the suit, seat or other value that is named with an event; -1 for none."""
    kind = game.value_kind(step.trigger)
    value = getattr(step, kind)
    return -1 if value is None else kind.to_code(game.codec.notation, value, game.codec.most)


CLASSES: dict[str, type[Game]] = {"maumau": MauMau, "uno": Uno, "countdown": Countdown}


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[[Declaration], type[Game]]:
    """Makes the class of a declaration, which tasks can name in this test."""

    def made(declaration: Declaration) -> type[Game]:
        kind = game_of(declaration)
        for known in (registry._registered, CLASSES):
            monkeypatch.setitem(known, declaration.name, kind)
        return kind

    return made


class Task(NamedTuple):
    """Games of a seed to be played by both engines."""

    game: str
    players: int
    policies: tuple[str, ...]
    games: int
    first: int = 0
    seed: int = 20


def stepped(game: Game) -> dict[str, Any]:
    """All that is known of a game that is stepped to its end."""
    outcome, table, declaration = game.run(), game.table, game.declaration
    cards, rules = declaration.codec.notation, declaration.rule_names
    arcs = {arc: place for place, arc in enumerate(declaration.arcs)}
    return {
        "ending": int(outcome.ending),
        "winner": NO_WINNER if outcome.winner is None else outcome.winner - 1,
        "winners": sum(1 << player - 1 for player in outcome.winners) if declaration.shares_wins else 0,
        "turns": table.turns,
        "laid": cards_laid(table),
        "taken": cards_taken(table),
        "reshuffles": table.reshuffles,
        "trail": table.trail,
        "scores": list(outcome.scores),
        "events": [
            [
                arcs[step.arc],
                step.player - 1,
                -1 if step.card is None else cards.card(step.card),
                value_code(declaration, step),
                NO_RULE if step.rule is None else rules.index(step.rule),
            ]
            for step in game.history
        ],
        **table_values(table),
    }


def table_values(table: Any) -> dict[str, Any]:
    """The fields of a table: integers and lists."""
    values = {entry.name: getattr(table, entry.name) for entry in fields(table)}
    return {f"table.{name}": value if isinstance(value, int) else list(value) for name, value in values.items()}


def compiled(results: Any, names: Notation) -> Iterator[dict[str, Any]]:
    """The same of each game of results with a log. Cards of one name are one card, as they are to players."""
    ends = [0, *results.log_ends.tolist()]
    columns = {name: results.games[name].tolist() for name in results.games.dtype.names}
    columns["scores"] = results.scores.tolist()
    columns |= {f"table.{name}": results.tables[name].tolist() for name in results.tables.dtype.names}
    same_card = [names.card(name) for name in names.cards] + [-1]
    log = results.log.copy()
    log[:, 2] = [same_card[card] for card in log[:, 2].tolist()]
    events = log.tolist()
    for row, (start, end) in enumerate(pairwise(ends)):
        yield {"events": events[start:end], **{name: column[row] for name, column in columns.items()}}


def same_results(one: Any, other: Any) -> bool:
    """Whether two results are the same, byte for byte."""
    equal = one.games.tobytes() == other.games.tobytes() and one.scores.tobytes() == other.scores.tobytes()
    return equal and one.fired == other.fired and one.used == other.used


def differences(kind: type[Game], results: Any, games: Iterable[Game]) -> list[str]:
    """In what the compiled results differ from the same games stepped; nothing, if all is well.

    games: not begun; an iterator keeps no more than one of them.
    """
    found = []
    arcs: Counter[Any] = Counter()
    rules: Counter[Any] = Counter()
    for row, (game, fast) in enumerate(zip(games, compiled(results, kind.declaration.codec.notation), strict=True)):
        slow = stepped(game)
        if slow != fast:
            found += [
                f"game {row}: {name}: stepped {slow.get(name)}, compiled {fast.get(name)}"
                for name in {**slow, **fast}
                if slow.get(name) != fast.get(name)
            ]
        arcs.update(event[0] for event in slow["events"])
        rules.update(event[4] for event in slow["events"])
    found += _miscounted("arc", arcs, results.fired) + _miscounted("rule", rules, results.used)
    return found[:20]


def _miscounted(what: str, counts: Counter[int], actual: Any) -> list[str]:
    return [
        f"{what} {each}: stepped {counts[place]}, compiled {number}"
        for place, (each, number) in enumerate(actual.items())
        if counts[place] != number
    ]


def compare(task: Task) -> list[str]:
    """Deal and play the games of a task with both engines; the differences."""
    from maumau.kernels import bulk

    game, players, policies, count, first, seed = task
    results = bulk.play_dealt(players, count, seed, first, policies, log=True, game=game)
    kind = CLASSES.get(game) or game_class(game)
    return differences(kind, results, (kind.deal(players, seed, first + row, policies) for row in range(count)))


def compare_kernels(task: Task) -> list[str]:
    """Deal and play the games of a task with a log, and only counting, as it is done when it must be fast; the
    differences.
    """
    from maumau.kernels import bulk

    game, players, policies, count, first, seed = task
    results = bulk.play_dealt(players, count, seed, first, policies, log=True, game=game)
    counted = bulk.play_dealt(players, count, seed, first, policies, tally=True, game=game)
    unlike = (counted.games != results.games) | (counted.scores != results.scores).any(axis=1)
    found = [f"game {row}: counted {counted.games[row]}, logged {results.games[row]}" for row in unlike.nonzero()[0]]
    if (counted.fired, counted.used) != (results.fired, results.used):
        found.append(f"counted {counted.fired} {counted.used}, in the log {results.fired} {results.used}")
    return found
