"""Transcripts of games that compiled code played: the same as those of stepped games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from fsm.declaration.functions import FORCED, rule_names
from fsm.stepping.game import Game
from fsm.stepping.moves import named_value
from fsm.stepping.steps import Outcome, Step
from fsm.stepping.transcript import Transcript
from rules.ending import NO_WINNER, Ending
from rules.reading import Dealt

if TYPE_CHECKING:
    from maumau.kernels.bulk.logged import LoggedGame
    from maumau.kernels.compiler.machine_code import Notify

CHUNK = 4096
"""Games that the compiled engine plays at a time when every event is logged."""


def play_compiled(
    kind: type[Game],
    games: Sequence[Dealt],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    notify: Notify | None = None,
) -> Iterator[Transcript]:
    """Play games by compiled code; the same as `play_stepped`. Raises BulkMissing without llvmlite."""
    from maumau.kernels.bulk.runner import Runner

    for players, group in groupby(enumerate(games, first), key=lambda numbered: numbered[1].players):
        numbered = list(group)
        runner = Runner(kind.declaration, players, policies, seed, tally=False, log=True, notify=notify)
        seated = kind.seated(players, policies)
        for start in range(0, len(numbered), CHUNK):
            chunk = numbered[start : start + CHUNK]
            played = runner.play_logged(b"".join(bytes(dealt.deck) for _, dealt in chunk), chunk[0][0])
            for row, (number, dealt) in enumerate(chunk):
                yield transcript_of_log(kind, dealt, seated, seed, number, played.row(row))


def transcript_of_log(
    kind: type[Game], dealt: Dealt, policies: tuple[str, ...], seed: int, number: int, played: LoggedGame
) -> Transcript:
    """One game of the compiled engine, from its log."""
    steps = [_step(kind, event) for event in played.events]
    winner = None if played.winner == NO_WINNER else played.winner + 1
    outcome = Outcome(Ending(played.ending), winner, played.scores)
    table = kind.declaration.table()
    for name, value in played.fields.items():
        if isinstance(value, list):
            getattr(table, name)[:] = value
        else:
            setattr(table, name, value)
    return Transcript(kind, dealt.players, dealt.deck, policies, seed, number, steps, outcome, table)


def _step(kind: type[Game], event: list[int]) -> Step:
    """The step of a row of a log."""
    game = kind.declaration
    number, player, card, code, rule = event
    arc = game.arcs[number]
    notation = game.codec.notation
    value = named_value(game, arc.trigger, code)
    return Step(
        arc.trigger,
        arc.source,
        arc.dest,
        player + 1,
        notation.cards[card] if card >= 0 else None,
        value.pop("suit", None),
        arc,
        None if rule == FORCED else rule_names(game)[rule],
        **value,
    )
