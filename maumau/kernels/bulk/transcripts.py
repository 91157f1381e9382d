"""Transcripts of games and matches that compiled code played: the same as those of stepped ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby, tee
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import np
from fsm.match.transcript import SeriesStart, Transcript
from fsm.records import RecordWriter
from fsm.stepping.game import Game
from fsm.stepping.steps import Step
from fsm.table.layout import layout_of
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.compiled.turns import NO_RULE

if TYPE_CHECKING:
    from fsm.edge.numbers import Notify
    from fsm.match.dealt import DealtSeries
    from maumau.kernels.bulk.logged import LoggedResults


CHUNK = 4096
"""Decks that the compiled engine is given at a time when every event is logged, at least those of one match."""


def play_compiled(
    kind: type[Game],
    dealt: Sequence[DealtSeries],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    target: int | None = None,
    notify: Notify | None = None,
) -> Iterator[Transcript]:
    """Play games or matches by compiled code; the same as `play_stepped`. Raises MissingExtra without llvmlite."""
    steps = EventMemo(partial(_step, kind.declaration))
    for series in _logged(kind, dealt, policies, seed, first, target, notify):
        yield series.transcript(steps)


def records_compiled(
    kind: type[Game],
    dealt: Sequence[DealtSeries],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    target: int | None = None,
    notify: Notify | None = None,
) -> Iterator[tuple[str, bool]]:
    """Play games or matches by compiled code: the record of each as a line of JSON, and whether it was won. Raises
    MissingExtra.

    The text of an event is made once, however often the event comes.
    """
    writer = RecordWriter(kind.declaration)
    texts = EventMemo(lambda event: writer.event(_step(kind.declaration, event)))
    for series in _logged(kind, dealt, policies, seed, first, target, notify):
        bare = series.transcript()
        events = ([texts[event] for event in series.events(row)] for row in series.rows)
        yield writer.line(bare, events), bool(bare.outcome.winners)


Event = tuple[int, ...]
"""A row of a log."""


T = TypeVar("T")


class EventMemo(dict[Event, T]):
    """What is made of each event of a log. Equal events have one, which is made when it is first asked for."""

    def __init__(self, make: Callable[[Event], T]) -> None:
        self._make = make

    def __missing__(self, event: Event) -> T:
        made = self[event] = self._make(event)
        return made


def _step(game: Declaration, event: Event) -> Step:
    """The step of an event."""
    number, seat, card, value, rule = event
    chosen_by = None if rule == NO_RULE else game.rule_names[rule]
    return Step.of_codes(game, game.arcs[number], seat, card, value, chosen_by)


class LoggedSeries(NamedTuple):
    """A game or match that compiled code played.

    place, rows: its own and those of its rounds among the logged ones.
    """

    start: SeriesStart
    logged: LoggedResults
    place: int
    rows: range

    def events(self, row: int) -> Iterator[Event]:
        """Return the events of a round, in codes. row: one of `rows`."""
        return map(tuple, self.logged.events(row).tolist())

    def transcript(self, steps: EventMemo[Step] | None = None) -> Transcript:
        """Return the transcript. steps: None for a transcript without events."""
        logged, layout = self.logged, layout_of(self.start.kind.declaration)
        tables = [layout.restored(layout.unpacked(logged.tables[row].tobytes())) for row in self.rows]
        fired = [[] if steps is None else [steps[event] for event in self.events(row)] for row in self.rows]
        if logged.series is None or logged.totals is None:
            return self.start.transcript(tables, fired)
        result, totals = logged.series.games[self.place], [tuple(logged.totals[row].tolist()) for row in self.rows]
        ending, winner, winners = (int(result[name]) for name in ("ending", "winner", "winners"))
        return self.start.transcript(tables, fired, totals, (ending, winner, winners))


def _logged(
    kind: type[Game],
    dealt: Sequence[DealtSeries],
    policies: Sequence[str],
    seed: int,
    first: int,
    target: int | None,
    notify: Notify | None,
) -> Iterator[LoggedSeries]:
    """Yield games or matches as compiled code plays them."""
    runners: dict[int, Runner] = {}
    for some in _chunks(dealt, first):
        found: dict[int, LoggedSeries] = {}
        for players, group in groupby(sorted(some, key=itemgetter(1)), itemgetter(1)):
            if players not in runners:
                runners[players] = Runner(kind.declaration, players, policies, seed, False, True, notify, target)
            runner, seated = runners[players], kind.seated(players, policies)
            by_number = target is not None or kind.declaration.plays_by_number(runner.chosen)
            for run in _runs(list(group)) if by_number else [list(group)]:
                decks = np.array([list(deck) for *_, several in run for deck in several], np.uint8)
                ends = [] if target is None else list(accumulate(len(several) for *_, several in run))
                logged = runner.play_logged(decks, run[0][0], ends)
                for index, (number, _, dealt_decks) in enumerate(run):
                    start = SeriesStart(kind, players, dealt_decks, seated, seed, number, target)
                    found[number] = LoggedSeries(start, logged, index, logged.rounds_of(index))
        yield from (found[each[0]] for each in some)


Numbered = tuple[int, int, Sequence[bytes]]
"""The number of a game or match, how many play it, and its decks."""


def _runs(games: Sequence[Numbered]) -> Iterator[list[Numbered]]:
    """Games with their numbers, cut where a number does not follow the one before."""
    for _, run in groupby(enumerate(games), lambda each: each[1][0] - each[0]):
        yield [game for _, game in run]


def _chunks(dealt: Iterable[DealtSeries], first: int) -> Iterator[list[Numbered]]:
    """Yield games or matches in a row, with their numbers, that have CHUNK decks together, or about as many."""
    numbered, others = tee((number, each.players, each.decks) for number, each in enumerate(dealt, first))
    ends = accumulate(len(decks) for *_, decks in others)
    for _, chunk in groupby(zip(numbered, ends, strict=True), lambda each: (each[1] - 1) // CHUNK):
        yield [series for series, _ in chunk]
