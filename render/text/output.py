"""What is printed of a game: the result, in the output format of the game where it has one, or the trace.

A result has the scores otherwise, and the totals of a match. The trace has the form of the statement's first example:
each turn with its reasons, then the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fsm.declaration.declaration import Declaration
from fsm.match.played import PlayedGame
from fsm.match.transcript import Transcript
from fsm.stepping.steps import Step
from fsm.stepping.view import table_writer


def text_of(played: Transcript, output: str, title: str) -> str:
    """Return what a command prints of a game, or of a match, which has the title where it has one.

    output: "--json" for its record, "--trace", "--events", or empty for its result.
    """
    if output == "--json":
        import json

        from fsm.records import record_of

        return json.dumps(record_of(played))
    if output == "--trace":
        return "\n\n".join(trace(played, title)) + "\n"
    return events(played) if output == "--events" else result(played)


def result(played: Transcript) -> str:
    """The result of a game, or of a match, without a line end."""
    return "\n".join([*(each.game.result for each in played.rounds), *played.totals_lines])


def events(played: Transcript) -> str:
    """The events of each round on a line, without those that the game leaves out, and the totals of a match."""
    return "\n".join([*(each.game.events_line for each in played.rounds), *played.totals_lines])


def trace(played: Transcript, title: str) -> Iterator[str]:
    """The paragraphs of a game, or of a match: those of each round with its points and the totals, and the end."""
    for heading, game, after in played.chapters(title):
        yield from _trace_of_game(game, heading)
        yield from after


def _trace_of_game(played: PlayedGame, title: str) -> Iterator[str]:
    """The deal, each turn with the table after it, and the end."""
    game = played.replayed()
    declaration, steps, hands = game.declaration, game.history, game.hands_so_far()
    write = table_writer(declaration, game.players)
    starts = {phase for phase, control in declaration.control.items() if control.starts_turn}
    ends = [0, *(number for number, step in enumerate(steps) if number and step.source in starts), len(steps)]
    tables = game.tables(ends)
    yield f"{title}\n{write(steps[0].source, next(tables), hands[0])}"
    for (first, end), table in zip(pairwise(ends), tables, strict=True):
        if sentences := " ".join(_sentences(declaration, steps[first:end])):
            yield f"{sentences}\n{write(steps[end - 1].dest, table, hands[end])}"
    yield played.outcome.sentence(declaration)


def _sentences(game: Declaration, turn: Sequence[Step]) -> Iterator[str]:
    """The sentences of a turn."""
    taken: list[str] = []
    for step, after in zip(turn, (*turn[1:], None), strict=True):
        if step.trigger in game.look.silent:
            continue
        if step.trigger != "take":
            yield step.sentence
            continue
        if step.card:
            taken.append(step.card)
        if after is None or after.trigger != "take" or after.player != step.player:
            yield f"{' '.join([f'Player {step.player} takes', *taken])}."
            taken.clear()
