"""The check of all positions of a game with a small deck: what is the same whether they are stepped or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from fsm.check.inspector import Inspector
from fsm.check.properties import BasicProperty, Counterexample, Report, counterexample, explored, note_failure
from fsm.check.temporal import Successors, lasso
from fsm.declaration.arcs import Phase, SmallDeck
from fsm.declaration.temporal import Response
from fsm.edge.numbers import Notify, as_int, check_notify, of_type
from fsm.edge.ticker import Ticker
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.moves import Code
from fsm.stepping.setup import check_dealable
from fsm.stepping.steps import Move

FIRST_DEALS = 1 << 10
"""How many deals are explored at a time: a large deck has too many to list all of them."""
POSITIONS_A_DEAL = 20
"""A limit of so many positions allows one more of the first deals."""
MAX_COUNTED = 1_000_000
"""How many deals are counted at most, to estimate how long a check takes."""


class Route(NamedTuple):
    """How a position is reached: a deck, the codes of the events that lead to it, and its phase and table.

    table: None where the deal raises an error.
    """

    deck: Sequence[int]
    codes: Iterable[Code]
    phase: Phase
    table: Any


class ExhaustiveCheck(ABC):
    """A check of all positions that a small deck can reach, from every deal by every legal event.

    kind: the game class, with the small deck; whole: with its whole deck. game: the declaration of `kind`. players: how
    many play. most: the positions after which to stop. notify: called now and then with the progress. report: what was
    found. returns: for each position from which an event ends the game because a position returns, where that event
    leads, and its code.
    """

    def __init__(self, kind: type[Game], small: SmallDeck, most: int, notify: Notify | None) -> None:
        """Raises TypeError or ValueError."""
        self.most, self.notify = as_int("most", most, 0), notify
        check_notify(notify)
        of_type("small", small, SmallDeck, "a SmallDeck")
        self.whole, self.players = game_class(kind), small.players
        self.kind = self.whole.with_deck(small.cards, small.each)
        check_dealable(self.kind, self.players)
        self.game = self.kind.declaration
        self.report = Report(self.game, explored(self.game))
        self.returns: dict[int, tuple[int, Any]] = {}
        self._ticker = Ticker(notify)
        self._deals = self.count_deals(MAX_COUNTED) if notify else MAX_COUNTED

    @abstractmethod
    def count_deals(self, most: int) -> int:
        """Return how many deals there are, or `most`."""

    @abstractmethod
    def way_to(self, position: int) -> tuple[Sequence[int], Iterable[Code]]:
        """Return the deck and the codes of the events that lead to a position. position: its number."""

    @abstractmethod
    def position(self, index: int) -> tuple[Phase, Any]:
        """Return the phase and the table of a position; no table where the deal raises an error. index: its number."""

    def route(self, position: int) -> Route:
        """Return how a position is reached. position: its number."""
        return Route(*self.way_to(position), *self.position(position))

    @abstractmethod
    def code_between(self, one: int, other: int) -> Code:
        """Return the code of an event that leads from one position to another one, by their numbers."""

    def deals_at_once(self, listed: int) -> int:
        """Return how many of the next deals are explored together.

        listed: how many are. A small limit begins with few deals: the positions at which games begin do not use it up.
        """
        return max(min(FIRST_DEALS, self.most // POSITIONS_A_DEAL + 1), listed)

    def tell(self, positions: int, finished: int) -> None:
        """Report now and then how far the exploration is, and which part of all deals is done, if that is known.

        positions: how many are known. finished: from how many deals all were visited.
        """
        is_counted = self._deals < MAX_COUNTED
        deals = f"{'more than ' * (not is_counted)}{self._deals:,} deals"
        text = f"{positions:,} positions from {finished:,} of {deals}"
        self._ticker.tell(text, finished / self._deals if is_counted else None)

    def example(self, route: Route, code: Code | None = None) -> Counterexample:
        """Return a counterexample. route: how its position is reached. code: of the event that fails there, if one
        does.
        """
        moves = [Move.of_code(self.game, each) for each in route.codes]
        return counterexample(self.kind, self.players, route.deck, moves, route.table, route.phase, code)

    def fail(self, number: int, times: int, route: Route, code: Code | None) -> None:
        """Count failures of a property. Stepping finds the error that the first of them raised.

        number: of the property. times: how often it failed. route: to the first failure. code: of the event that fails
        there, if one does.
        """
        error = self._error(number, route, code) if number in (BasicProperty.NO_ERROR, BasicProperty.IN_RANGE) else ""
        note_failure(self.report, number, error, lambda: self.example(route, code), times)

    def _error(self, failed: int, route: Route, code: Code | None) -> str:
        """What the stepped machine raises in a deal or a position, or for an event there, or why the position is not
        read back; it shifts by any number of bits.
        """
        errors, inspector, (deck, _, phase, table) = list[str](), Inspector(self.kind), route

        def note(number: int, its: Code | None, /, *, error: str = "") -> None:
            if number == failed and its == code:
                errors.append(error)

        if table is None:
            inspector.dealt(self.players, deck, note)
        elif inspector.holds(table, phase, note):
            for fired in inspector.successors(table, phase, note):
                if failed == BasicProperty.IN_RANGE and fired.code == code and not inspector.in_range(fired.table):
                    return inspector.unread(fired.table, fired.phase)
        return errors[0] if errors else "a number is shifted by 64 bits or more, which machine code cannot do"

    def judge(
        self, response: Response, ways: Successors, starts: Sequence[int], allowed: Container[int],
        looping: Container[int],
    ) -> None:  # fmt: skip
        """Add a property over time to the report.

        ways: where the events of each position lead. starts: the positions from which the game may never come to the
        goal. allowed: those on its way then. looping: those of them through which loops may go.
        """
        if starts:
            number = len(self.report.properties)
            self.report.failed[number] = len(starts)
            self.report.examples[number] = self._endless(*lasso(ways, starts[0], allowed, looping))
        self.report.properties += (response.description,)

    def _endless(self, path: tuple[int, ...], loop: tuple[int, ...]) -> Counterexample:
        """A way that never comes to a goal, in names: the events to where its loop begins, and those of the loop.

        Where a loop would pass a position whose return ends the game, the events lead to that end.
        """
        for place, position in enumerate((path[-1], *loop)[: len(loop)]):
            if position in self.returns:
                path, loop = (*path, *loop, *loop[:place], self.returns[position][0]), ()
                break
        begin, there = (self.example(self.route(position)) for position in (path[0], path[-1]))
        fired, around = (
            tuple(Move.of_code(self.game, self.code_between(*each)) for each in pairwise(way))
            for way in (path, (path[-1], *loop))
        )
        return replace(there, line=begin.line, events=begin.events + fired, loop=around)
