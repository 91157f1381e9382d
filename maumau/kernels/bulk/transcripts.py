"""Transcripts of games that compiled code played: the same as those of stepped ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from fsm.declaration.declaration import FORCED, rule_names
from fsm.edge.numbers import np
from fsm.stepping.game import Game
from fsm.stepping.moves import named_value
from fsm.stepping.snapshot import snapshots_of
from fsm.stepping.steps import Outcome, Step
from fsm.stepping.transcript import Transcript
from rules.reading import Dealt

if TYPE_CHECKING:
    from fsm.match.played import DealtMatch
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
    from maumau.kernels.bulk.runner import Runner

    for chunk in chunks(games, first, lambda dealt: 1):
        players = chunk[0][1].players
        runner = Runner(kind.declaration, players, policies, seed, tally=False, log=True, notify=notify)
        seated = kind.seated(players, policies)
        played = runner.play_logged(np.array([list(dealt.deck) for _, dealt in chunk], np.uint8), chunk[0][0])
        for row, (number, dealt) in enumerate(chunk):
            yield transcript_of_log(kind, dealt, seated, seed, number, played, row)


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


def transcript_of_log(
    kind: type[Game],
    dealt: Dealt,
    policies: tuple[str, ...],
    seed: int,
    number: int,
    played: LoggedResults,
    row: int,
) -> Transcript:
    """One game of the compiled engine, from its log. row: of the game among those that were played."""
    steps = [_step(kind, event) for event in played.events(row).tolist()]
    snapshots = snapshots_of(kind.declaration)
    table = snapshots.restored(snapshots.unpacked(played.tables[row].tobytes()))
    outcome = Outcome.of(kind.declaration, table)
    return Transcript(kind, dealt.players, dealt.deck, policies, seed, number, steps, outcome, table)


def _step(kind: type[Game], event: list[int]) -> Step:
    """The step of a row of a log."""
    game = kind.declaration
    number, player, card, code, rule = event
    arc = game.arcs[number]
    value = named_value(game, arc.trigger, code)
    return Step(
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
