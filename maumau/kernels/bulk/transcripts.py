"""Transcripts of games that compiled code played: the same as those of stepped ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from fsm.declaration.declaration import FORCED, Declaration, rule_names
from fsm.declaration.dice import loose, rolled_by
from fsm.declaration.policy import DICE
from fsm.edge.numbers import np
from fsm.match.played import PlayedGame
from fsm.match.transcript import Transcript
from fsm.records import event_of, record_of
from fsm.stepping.game import Game
from fsm.stepping.moves import named_value
from fsm.stepping.steps import Outcome, Step
from fsm.table.layout import layout_of
from maumau.kernels.bulk.runner import Runner
from rules.reading import Dealt

if TYPE_CHECKING:
    from fsm.match.dealt import DealtMatch
    from maumau.kernels.compiler.machine_code import Notify
    from maumau.kernels.compiler.program import LoggedResults


D = TypeVar("D", bound="Dealt | DealtMatch")
CHUNK = 4096
"""Decks that the compiled engine is given at a time when every event is logged, at least those of one match."""


def play_compiled(
    kind: type[Game],
    games: Sequence[Dealt],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    notify: Notify | None = None,
) -> Iterator[Transcript]:
    """Play games by compiled code; the same as `play_stepped`. Raises MissingExtra without llvmlite."""
    seen = Steps(kind)
    for number, dealt, seated, played, row in _logged(kind, games, policies, seed, first, notify):
        yield Transcript.of_game(game_of_log(dealt, seated, seed, number, played, row, seen))


def records_compiled(
    kind: type[Game],
    games: Sequence[Dealt],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    notify: Notify | None = None,
) -> Iterator[tuple[str, bool]]:
    """Play games by compiled code: the record of each as a line of JSON, and whether it was won. Raises MissingExtra.

    The text of an event is made once, however often the event comes.
    """
    seen = Steps(kind)
    texts = EventTexts(seen)
    for number, dealt, seated, played, row in _logged(kind, games, policies, seed, first, notify):
        transcript = Transcript.of_game(game_of_log(dealt, seated, seed, number, played, row, seen, has_steps=False))
        head, no_events, end = json.dumps(record_of(transcript)).partition(NO_EVENTS)
        events = ", ".join([texts[event] for event in map(tuple, played.events(row).tolist())])
        yield f"{head}{no_events[:-1]}{events}]{end}", bool(transcript.outcome.winners)


NO_EVENTS = '"events": []'
"""The events of a record without any: a text of JSON has no such quotes inside."""


def _logged(
    kind: type[Game], games: Sequence[Dealt], policies: Sequence[str], seed: int, first: int, notify: Notify | None
) -> Iterator[tuple[int, Dealt, tuple[str, ...], LoggedResults, int]]:
    """The games as compiled code plays them: the number, the deck, the policies, and the row among some results."""
    runners: dict[int, Runner] = {}
    for start in range(0, len(games), CHUNK):
        some = list(enumerate(games[start : start + CHUNK], first + start))
        found: dict[int, tuple[tuple[str, ...], LoggedResults, int]] = {}
        for players, group in groupby(sorted(some, key=_players), _players):
            if players not in runners:
                runners[players] = Runner(kind.declaration, players, policies, seed, False, True, notify)
            runner, seated = runners[players], kind.seated(players, policies)
            for run in _runs(list(group)) if plays_by_number(kind.declaration, seated) else [list(group)]:
                played = runner.play_logged(np.array([list(dealt.deck) for _, dealt in run], np.uint8), run[0][0])
                found |= {number: (seated, played, row) for row, (number, _) in enumerate(run)}
        yield from ((number, dealt, *found[number]) for number, dealt in some)


def _players(numbered: tuple[int, Dealt]) -> int:
    return numbered[1].players


def _runs(games: Sequence[tuple[int, Dealt]]) -> Iterator[list[tuple[int, Dealt]]]:
    """Games with their numbers, cut where a number does not follow the one before."""
    for _, run in groupby(enumerate(games), lambda each: each[1][0] - each[0]):
        yield [game for _, game in run]


def plays_by_number(game: Declaration, policies: Iterable[str]) -> bool:
    """Whether games depend on their numbers: dice are rolled."""
    return bool(rolled_by(game) or loose(game)) or not {policy.name for policy in DICE}.isdisjoint(policies)


def chunks(games: Iterable[D], first: int, decks_of: Callable[[D], int]) -> Iterator[list[tuple[int, D]]]:
    """Games, or matches, in a row and their numbers, of as many players, that have CHUNK decks together, or a little
    more. decks_of: how many one has.
    """
    chunk: list[tuple[int, D]] = []
    decks = 0
    for number, dealt in enumerate(games, first):
        if chunk and (decks >= CHUNK or dealt.players != chunk[0][1].players):
            yield chunk
            chunk, decks = [], 0
        chunk.append((number, dealt))
        decks += decks_of(dealt)
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
            None if rule == FORCED else rule_names(game)[rule],
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


def game_of_log(
    dealt: Dealt,
    policies: tuple[str, ...],
    seed: int,
    number: int,
    played: LoggedResults,
    row: int,
    steps: Steps,
    *,
    has_steps: bool = True,
) -> PlayedGame:
    """One game of the compiled engine, from its log. row: of the game among those that were played. has_steps: whether
    its steps are made.
    """
    kind = steps.kind
    layout = layout_of(kind.declaration)
    table = layout.restored(layout.unpacked(played.tables[row].tobytes()))
    outcome = Outcome.of(kind.declaration, table)
    events = [steps[event] for event in map(tuple, played.events(row).tolist())] if has_steps else []
    return PlayedGame(kind, dealt.players, dealt.deck, policies, seed, number, events, outcome, table)
