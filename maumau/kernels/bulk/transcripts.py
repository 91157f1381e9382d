"""Transcripts of games and matches that compiled code played: the same as those of stepped ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.declaration.declaration import FORCED
from fsm.declaration.dice import plays_by_number
from fsm.edge.numbers import np
from fsm.match.played import PlayedGame
from fsm.match.setup import deck_number
from fsm.match.stepped import MatchOutcome, Round
from fsm.match.transcript import Transcript
from fsm.records import event_of, record_of
from fsm.stepping.carried import Carried
from fsm.stepping.game import Game
from fsm.stepping.moves import named_value
from fsm.stepping.outcomes import Outcome
from fsm.stepping.steps import Step
from fsm.table.layout import layout_of
from maumau.kernels.bulk.runner import Runner
from rules.reading import Dealt

if TYPE_CHECKING:
    from fsm.edge.numbers import Notify
    from fsm.match.dealt import DealtMatch
    from maumau.kernels.bulk.logged import LoggedResults


CHUNK = 4096
"""Decks that the compiled engine is given at a time when every event is logged, at least those of one match."""


def play_compiled(
    kind: type[Game],
    dealt: Sequence[Dealt | DealtMatch],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    target: int | None = None,
    notify: Notify | None = None,
) -> Iterator[Transcript]:
    """Play games or matches by compiled code; the same as `play_stepped`. Raises MissingExtra without llvmlite."""
    steps = Steps(kind)
    for series in _logged(kind, dealt, policies, seed, first, target, notify):
        yield series.transcript(steps)


def records_compiled(
    kind: type[Game],
    dealt: Sequence[Dealt | DealtMatch],
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
    steps = Steps(kind)
    texts = EventTexts(steps)
    for series in _logged(kind, dealt, policies, seed, first, target, notify):
        transcript = series.transcript(steps, has_steps=False)
        head, *parts = json.dumps(record_of(transcript)).split(NO_EVENTS)
        for row, part in zip(series.rows, parts, strict=True):
            events = ", ".join([texts[event] for event in map(tuple, series.logged.events(row).tolist())])
            head += f"{NO_EVENTS[:-1]}{events}]{part}"
        yield head, bool(transcript.outcome.winners)


NO_EVENTS = '"events": []'
"""The events of a record without any: a text of JSON has no such quotes inside."""


class LoggedSeries(NamedTuple):
    """A game or match that compiled code played.

    decks: card codes. policies: those of the seats. target: of a match. place, rows: its own and those of its rounds
    among the logged ones.
    """

    number: int
    players: int
    decks: Sequence[bytes]
    policies: tuple[str, ...]
    seed: int
    target: int | None
    logged: LoggedResults
    place: int
    rows: range

    def transcript(self, steps: Steps, *, has_steps: bool = True) -> Transcript:
        """Return the transcript. has_steps: whether steps are made."""
        if self.target is None:
            return Transcript.of_game(self._game(0, self.number, {}, steps if has_steps else None, steps.kind))
        rounds = self._rounds(steps.kind, steps if has_steps else None)
        where = self.decks, self.policies, self.seed, self.number
        return Transcript(tuple(rounds), *where, self._outcome(), self.target)

    def _rounds(self, kind: type[Game], steps: Steps | None) -> Iterator[Round[PlayedGame]]:
        """Yield the rounds of a match."""
        assert self.logged.totals is not None
        before, carried = (0,) * self.players, dict[str, Any]()
        for index, row in enumerate(self.rows):
            totals = tuple(self.logged.totals[row].tolist())
            game = self._game(index, deck_number(self.number, index), carried, steps, kind)
            carried = kind.declaration.carried_from(game.table)
            points = tuple(after - until for after, until in zip(totals, before, strict=True))
            yield Round(index + 1, index % self.players + 1, game, points, totals)
            before = totals

    def _outcome(self) -> MatchOutcome:
        """Return how a match ended."""
        series = self.logged.series
        assert series is not None
        result, totals = series.games[self.place], tuple(series.scores[self.place].tolist())
        ending, winner, winners = (int(result[name]) for name in ("ending", "winner", "winners"))
        return MatchOutcome.of(ending, winner, winners, totals, len(self.rows))

    def _game(self, index: int, number: int, carried: Carried, steps: Steps | None, kind: type[Game]) -> PlayedGame:
        """Return the game of a round. index: of the round, from 0. number: of the game. steps: those of a log, if they
        are made.
        """
        row, layout = self.rows[index], layout_of(kind.declaration)
        table = layout.restored(layout.unpacked(self.logged.tables[row].tobytes()))
        events = [] if steps is None else [steps[event] for event in map(tuple, self.logged.events(row).tolist())]
        where = kind, self.players, self.decks[index], self.policies, self.seed, number
        return PlayedGame(*where, events, Outcome.of(kind.declaration, table), table, None, carried)


def _logged(
    kind: type[Game],
    dealt: Sequence[Dealt | DealtMatch],
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
            by_number = target is not None or plays_by_number(kind.declaration, seated)
            for run in _runs(list(group)) if by_number else [list(group)]:
                decks = np.array([list(deck) for *_, several in run for deck in several], np.uint8)
                ends = [] if target is None else list(accumulate(len(several) for *_, several in run))
                logged = runner.play_logged(decks, run[0][0], ends)
                for index, each in enumerate(run):
                    rows = logged.rounds_of(index)
                    found[each[0]] = LoggedSeries(*each, seated, seed, target, logged, index, rows)
        yield from (found[each[0]] for each in some)


Numbered = tuple[int, int, Sequence[bytes]]
"""The number of a game or match, how many play it, and its decks."""


def _runs(games: Sequence[Numbered]) -> Iterator[list[Numbered]]:
    """Games with their numbers, cut where a number does not follow the one before."""
    for _, run in groupby(enumerate(games), lambda each: each[1][0] - each[0]):
        yield [game for _, game in run]


def _chunks(dealt: Iterable[Dealt | DealtMatch], first: int) -> Iterator[list[Numbered]]:
    """Yield games or matches in a row and their numbers that have CHUNK decks together, or a little more."""
    chunk: list[Numbered] = []
    count = 0
    for number, each in enumerate(dealt, first):
        decks = each.decks
        chunk.append((number, each.players, decks))
        count += len(decks)
        if count >= CHUNK:
            yield chunk
            chunk, count = [], 0
    if chunk:
        yield chunk


class Steps(dict[tuple[int, ...], Step]):
    """The step of each row of a log. Equal rows have one step, which is made when it is first asked for."""

    def __init__(self, kind: type[Game]) -> None:
        super().__init__()
        self.kind = kind

    def __missing__(self, event: tuple[int, ...]) -> Step:
        game = self.kind.declaration
        number, player, card, code, rule = event
        arc = game.arcs[number]
        value = named_value(game, arc.trigger, code)
        found = self[event] = Step(
            arc.trigger,
            arc.source,
            arc.dest,
            player + 1,
            game.card_name(arc.trigger, card, code) if card >= 0 else None,
            value.pop("suit", None),
            arc,
            None if rule == FORCED else game.rule_names[rule],
            **value,
        )
        return found


class EventTexts(dict[tuple[int, ...], str]):
    """The text of each row of a log in a record."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.steps = steps

    def __missing__(self, event: tuple[int, ...]) -> str:
        found = self[event] = json.dumps(event_of(self.steps.kind.declaration, self.steps[event]))
        return found
