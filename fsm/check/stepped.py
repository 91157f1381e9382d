"""Visits all positions of a game with a small deck by the stepped machine: slow, but independent of the compiler."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from typing import Any

from fsm.check.inspector import READ_BACK, Inspector, told
from fsm.check.properties import IN_RANGE, NO_ERROR, Counterexample, Report, explored, note_failure
from fsm.check.temporal import Lasso, avoiding, lasso
from fsm.declaration.arcs import Phase, SmallDeck
from fsm.edge.numbers import as_bool, as_int, check_notify, of_type
from fsm.edge.ticker import Ticker
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.moves import Code, move_of
from fsm.stepping.setup import check_dealable, deals
from fsm.stepping.steps import Move

FIRST_DEALS = 1 << 10
"""Deals that are explored at a time: a large deck has too many to list them all."""

POSITIONS_A_DEAL = 20
VISITS = 100
"""Positions after which it is told how far a walk is."""
MAX_COUNTED = 1_000_000
"""Deals that are counted at most to estimate how long a walk takes."""


@dataclass(frozen=True)
class VisitedPosition:
    """A position and how it was found: from which one, by which event; or from which deck.

    table: None of a deck the deal of which raises an error.
    """

    table: Any
    phase: Phase
    parent: VisitedPosition | None
    code: Code | None
    deck: Sequence[int] | None


def explore_stepped(
    kind: type[Game],
    small: SmallDeck,
    most: int | None = None,
    first: bool = False,
    notify: Callable[[str], None] | None = None,
) -> Report:
    """Visit by stepping all positions that a small deck can reach, from every deal by every legal event.

    kind: the game class. small: the deck, the players, the cards of each. most: the positions after which to stop.
    first: whether to stop where a property first fails. notify: called now and then with a line on how far it is.
    Raises TypeError or ValueError.
    """
    most, first = None if most is None else as_int("most", most, 0), as_bool("first", first)
    check_notify(notify)
    of_type("small", small, SmallDeck, "a SmallDeck")
    return Walk(game_class(kind).with_deck(small.cards, small.each), small.players, notify).run(most, first)


def how_far(positions: int, finished: int, of: int) -> tuple[str, float | None]:
    """How far an exploration is, and which part of all is done, if that is known.

    positions: how many are known. finished, of: from how many deals all were visited, of how many.
    """
    is_counted = of < MAX_COUNTED
    text = f"{positions:,} positions from {finished:,} of {'more than ' * (not is_counted)}{of:,} deals"
    return text, finished / of if is_counted else None


class Walk:
    """A walk through all positions.

    seen: their keys, with their numbers. found: how each was found. ways: where the events of each lead. returns: where
    those lead by which the game ends when a position returns. finished: the deals from which all were visited.
    """

    def __init__(self, kind: type[Game], players: int, notify: Callable[[str], None] | None = None) -> None:
        check_dealable(kind, players)
        self.kind, self.players, self._ticker = kind, players, Ticker(notify)
        self.report = Report(kind.declaration, explored(kind.declaration))
        self.seen: dict[Hashable, int] = {}
        self.found: list[VisitedPosition] = []
        self.ways: list[list[tuple[int, Code]]] = []
        self.returns: dict[int, tuple[int, Code]] = {}
        self._inspector = Inspector(kind)
        self._queue: deque[VisitedPosition] = deque()
        self.finished = 0
        self._deals = sum(1 for _ in islice(deals(kind, players), MAX_COUNTED)) if notify else MAX_COUNTED

    def run(self, most: int | None = None, first: bool = False) -> Report:
        """Walk until nothing is left to visit, from many deals at a time, so that examples are short.

        They are few of the positions of a limit, which is not used up by positions at which a game begins.
        """
        unlisted = deals(self.kind, self.players)
        at_a_time = FIRST_DEALS if most is None else min(FIRST_DEALS, most // POSITIONS_A_DEAL + 1)
        while more := list(islice(unlisted, at_a_time)):
            for deck in more:
                self._begin(deck)
            while self._queue:
                if (first and self.report.failed) or (most is not None and self.report.positions >= most):
                    self.report.complete = False
                    return self.report
                self._visit(self._queue.popleft())
                if self.report.positions % VISITS == 0:
                    self._ticker.tell(*how_far(len(self.seen), self.finished, self._deals))
            self.finished += len(more)
            at_a_time = max(at_a_time, self.finished)
        self._check_over_time()
        return self.report

    def _begin(self, deck: Sequence[int]) -> None:
        dealt = VisitedPosition(None, self.kind.declaration.initial, None, None, deck)
        table = self._inspector.dealt(self.players, deck, partial(self._fail, dealt))
        if table is not None:
            self._add(replace(dealt, table=table))

    def _visit(self, found: VisitedPosition) -> None:
        ways: list[tuple[int, Code]] = []
        self.report.positions += 1
        self.ways.append(ways)  # positions are visited in the order of their numbers
        note = partial(self._fail, found)
        if not self._inspector.holds(found.table, found.phase, note):
            return
        if self.report.positions % READ_BACK == 1 and (error := self._inspector.unread(found.table, found.phase)):
            note(IN_RANGE, None, error=error)
        if found.phase is self.kind.declaration.final:
            return
        for fired in self._inspector.successors(found.table, found.phase, note):
            self.report.events += 1
            self.report.fired[fired.arc] += 1
            if not fired.is_sound:
                continue
            if self._inspector.in_range(fired.table):
                reached = self._add(VisitedPosition(fired.table, fired.phase, found, fired.code, None))
                if not fired.table.returned:
                    ways.append((reached, fired.code))
                elif self.kind.declaration.return_ends:
                    self.returns[len(self.ways) - 1] = reached, fired.code
            else:
                note(IN_RANGE, fired.code, error=self._inspector.unread(fired.table, fired.phase))

    def _add(self, found: VisitedPosition) -> int:
        """Note a position; its number."""
        key = found.phase, self._inspector.key(found.table)
        number = self.seen.setdefault(key, len(self.seen))
        if number == len(self.found):
            self.found.append(replace(found, table=self._inspector.bare(found.table)))
            self._queue.append(self.found[-1])
        return number

    def _check_over_time(self) -> None:
        """Check what must come about in every way in which a game can go on.

        Where players choose, a position may return as often as they like, unless the game declares that it ends then.
        """
        responses = self.kind.declaration.responses
        successors = [[number for number, _ in ways] for ways in self.ways] if responses else []
        for number, response in enumerate(responses, len(self.report.properties)):
            self.report.properties += (response.description,)
            goals = {at for at, found in enumerate(self.found) if self._is(found, response.ends)}
            once = {at for at, (end, _) in self.returns.items() if end in goals}
            avoided = avoiding(successors, goals, once)
            starts = [
                at
                for at, found in enumerate(self.found)
                if at in avoided and self._is(found, partial(response.begins, is_deal=found.deck is not None))
            ]
            if starts:
                self.report.failed[number] = len(starts)
                self.report.examples[number] = looping(
                    lasso(successors, starts[0], avoided, avoided.difference(once)),
                    self.returns,
                    self._move,
                    lambda at: self.example(self.found[at]),
                )

    def _is(self, found: VisitedPosition, holds: Callable[[Phase, Any], bool]) -> bool:
        """Whether something holds in a position; not where it raises an error."""
        try:
            return holds(found.phase, found.table)
        except Exception as error:
            self._fail(found, NO_ERROR, None, error=told(error))
            return False

    def _move(self, one: int, other: int) -> Move:
        """An event that leads from a position to another one."""
        ways = (*self.ways[one], *([self.returns[one]] if one in self.returns else ()))
        return move_of(self.kind.declaration, next(code for number, code in ways if number == other))

    def _fail(self, found: VisitedPosition, number: int, code: Code | None, /, *, error: str = "") -> None:
        note_failure(self.report, number, error, lambda: self.example(found, code))

    def example(self, found: VisitedPosition, code: Code | None = None) -> Counterexample:
        """How a position was found, with the event that fails there."""
        moves, start = [], found
        while start.parent is not None:
            assert start.code is not None
            moves.append(move_of(self.kind.declaration, start.code))
            start = start.parent
        assert start.deck is not None
        return example(self.kind, self.players, start.deck, moves[::-1], found.table, found.phase, code)


def example(
    kind: type[Game], players: int, deck: Sequence[int], moves: Iterable[Move], table: Any, phase: Phase,
    code: Code | None, missing: tuple[str, ...] = (),
) -> Counterexample:  # fmt: skip
    """A counterexample in names: the deck, the events that lead to a table in a phase, and the one that fails there.

    table: None where the deal fails.
    """
    game, position = kind.declaration, ""
    if table is not None:
        hands = [game.codec.held(table, seat) for seat in range(players)]
        position = kind(table, phase, hands).position()
    event = None if code is None else move_of(game, code)
    return Counterexample(kind.write(players, deck), tuple(moves), position, event, missing)


def looping(
    way: Lasso, returns: Mapping[int, tuple[int, Any]], move: Callable[[int, int], Move],
    example: Callable[[int], Counterexample],
) -> Counterexample:  # fmt: skip
    """A way that never comes to a goal, in names: the events to where its loop begins, and those of the loop.

    returns: where events lead by which the game ends when a position returns; by a loop through such a one, the events
    to that end. move: an event from a position to another one. example: how a position was found.
    """
    path, loop = way
    for place, position in enumerate((path[-1], *loop)[: len(loop)]):
        if position in returns:
            path, loop = (*path, *loop, *loop[:place], returns[position][0]), ()
            break
    begin, there = example(path[0]), example(path[-1])
    events = (*begin.events, *(move(one, other) for one, other in pairwise(path)))
    return replace(
        there, line=begin.line, events=events, loop=tuple(move(*each) for each in pairwise((path[-1], *loop)))
    )


# ---------------------------------------------------------------- smaller decks

# A property still fails with as few cards as are left if they are left out one by one.


MAX_POSITIONS = 20_000
"""Positions of a smaller deck that are visited at most."""


def shrunk(kind: type[Game], small: SmallDeck, number: int) -> tuple[SmallDeck, Report] | None:
    """The smallest deck that is found by leaving out cards, and its report; None if each smaller deck is sound.

    kind: the game class. small: a deck with which a property fails. number: that of the property.
    """
    for fewer in _smaller(kind, small):
        report = explore_stepped(kind, fewer, MAX_POSITIONS)
        if report.failed[number]:
            return shrunk(kind, fewer, number) or (fewer, report)
    return None


def _smaller(kind: type[Game], small: SmallDeck) -> Iterator[SmallDeck]:
    """The decks with one card less that can be dealt."""
    cards = small.cards.split()
    for index in range(len(cards)):
        fewer = small._replace(cards=" ".join([*cards[:index], *cards[index + 1 :]]))
        try:
            check_dealable(kind.with_deck(fewer.cards, fewer.each), fewer.players)
        except ValueError:
            continue
        yield fewer
