"""Visits all positions of a game with a small deck by the stepped machine: slow, but independent of the compiler."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from fsm.check.exhaustive import ExhaustiveCheck, Route
from fsm.check.inspector import READ_BACK, Inspector, told
from fsm.check.properties import BasicProperty, Report, note_failure
from fsm.check.temporal import avoiding
from fsm.declaration.arcs import Phase, SmallDeck
from fsm.edge.numbers import Notify, as_bool
from fsm.stepping.game import Game
from fsm.stepping.moves import Code
from fsm.stepping.setup import check_dealable, deals

NO_LIMIT = 1 << 62
"""More positions than any deck has."""
VISITS = 100
"""Positions after which it is told how far a walk is."""


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

    @property
    def route(self) -> Route:
        """How it is reached."""
        codes, start = list[Code](), self
        while start.parent is not None:
            assert start.code is not None
            codes.append(start.code)
            start = start.parent
        assert start.deck is not None
        return Route(start.deck, codes[::-1], self.phase, self.table)


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
    return Walk(kind, small, most, notify).run(as_bool("first", first))


class Walk(ExhaustiveCheck):
    """A walk through all positions, by stepping.

    seen: their keys, with their numbers. found: how each was found. ways: where the events of each lead. finished: the
    deals from which all were visited.
    """

    def __init__(
        self, kind: type[Game], small: SmallDeck, most: int | None = None, notify: Notify | None = None
    ) -> None:
        super().__init__(kind, small, NO_LIMIT if most is None else most, notify)
        self.seen: dict[Hashable, int] = {}
        self.found: list[VisitedPosition] = []
        self.ways: list[list[tuple[int, Code]]] = []
        self._inspector = Inspector(self.kind)
        self._queue: deque[VisitedPosition] = deque()
        self.finished = 0

    def run(self, first: bool = False) -> Report:
        """Walk until nothing is left to visit, from many deals at a time, so that examples are short.

        first: whether to stop where a property first fails.
        """
        unlisted = deals(self.kind, self.players)
        while more := list(islice(unlisted, self.deals_at_once(self.finished))):
            for deck in more:
                self._begin(deck)
            while self._queue:
                if (first and self.report.failed) or self.report.positions >= self.most:
                    self.report.complete = False
                    return self.report
                self._visit(self._queue.popleft())
                if self.report.positions % VISITS == 0:
                    self.tell(len(self.seen), self.finished)
            self.finished += len(more)
        self._check_over_time()
        return self.report

    def count_deals(self, most: int) -> int:
        """Return how many of the deals are valid, up to `most`."""
        return sum(1 for _ in islice(deals(self.kind, self.players), most))

    def _begin(self, deck: Sequence[int]) -> None:
        dealt = VisitedPosition(None, self.game.initial, None, None, deck)
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
            note(BasicProperty.IN_RANGE, None, error=error)
        if found.phase is self.game.final:
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
                elif self.game.return_ends:
                    self.returns[len(self.ways) - 1] = reached, fired.code
            else:
                note(BasicProperty.IN_RANGE, fired.code, error=self._inspector.unread(fired.table, fired.phase))

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
        successors = [[number for number, _ in ways] for ways in self.ways] if self.game.responses else []
        for response in self.game.responses:
            goals = {at for at, found in enumerate(self.found) if self._is(found, response.ends)}
            once = {at for at, (end, _) in self.returns.items() if end in goals}
            avoided = avoiding(successors, goals, once)
            starts = [
                at
                for at, found in enumerate(self.found)
                if at in avoided and self._is(found, partial(response.begins, is_deal=found.deck is not None))
            ]
            self.judge(response, successors, starts, avoided, avoided.difference(once))

    def _is(self, found: VisitedPosition, holds: Callable[[Phase, Any], bool]) -> bool:
        """Whether something holds in a position; not where it raises an error."""
        try:
            return holds(found.phase, found.table)
        except Exception as error:
            self._fail(found, BasicProperty.NO_ERROR, None, error=told(error))
            return False

    def code_between(self, one: int, other: int) -> Code:
        """Return the code of the first such event."""
        ways: tuple[tuple[int, Code], ...] = (*self.ways[one], *([self.returns[one]] if one in self.returns else ()))
        return next(code for number, code in ways if number == other)

    def _fail(self, found: VisitedPosition, number: int, code: Code | None, /, *, error: str = "") -> None:
        note_failure(self.report, number, error, lambda: self.example(found.route, code))

    def way_to(self, position: int) -> tuple[Sequence[int], Iterable[Code]]:
        """Return the deck and the codes of the events by which a position was found."""
        route = self.found[position].route
        return route.deck, route.codes

    def position(self, index: int) -> tuple[Phase, Any]:
        """Return the phase and the table of a position."""
        return self.found[index].phase, self.found[index].table


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
