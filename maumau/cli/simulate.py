"""`maumau simulate`: play the games of an input, or replay records, and print the results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import TYPE_CHECKING

from fsm.edge.errors import CompilationError
from fsm.match.contest import Contest
from maumau.cli.games import EngineChoice, chosen_engine, contest_of, played_games, read_games, replayed_games
from maumau.cli.interrupt import NO_WINNER
from maumau.cli.output import notify, print_message, read_source, say
from render.text.output import text_of
from rules.deck_format import Decks
from rules.notation import many

if TYPE_CHECKING:
    from fsm.match.transcript import Transcript


def run(
    file: str,
    game: str,
    engine: str,
    threads: int | None,
    verbose: bool,
    trace: bool,
    events: bool,
    as_json: bool,
    from_json: bool,
    policy: str,
    seed: int,
    number: int,
    is_match: bool,
    target: int | None,
) -> int:
    """Run `maumau simulate`."""
    output = "--trace" if trace else "--events" if events else "--json" if as_json else ""
    contest = contest_of(game, is_match, target)
    if from_json:
        if verbose:
            print_message("engine: the stepped machine, because records are played again")
        return _print_played(contest, replayed_games(contest, *read_source(file)), output)
    dealt = read_games(contest, file)
    stepped = output if output in ("--trace", "--events") else ""
    chosen = chosen_engine(contest, dealt, engine, policy, seed, number, stepped)
    if isinstance(dealt, Decks) and chosen.is_compiled and not output and contest.is_of_lines:
        try:
            return _write_results(contest, dealt, chosen, threads, verbose)
        except CompilationError as error:
            if engine == "compiled":
                raise
            chosen = chosen._replace(is_compiled=False, why=f"the stepped machine, as {error}")
    if verbose:
        print_message(f"engine: {chosen.why}{', the scalar kernel, which keeps every event' * chosen.is_compiled}")
    if output == "--json" and chosen.is_compiled:
        from maumau.kernels.bulk.transcripts import records_compiled

        given = contest.kind, dealt, chosen.policies, chosen.seed, chosen.first, contest.target
        return _print(records_compiled(*given, notify))
    return _print_played(contest, played_games(contest, dealt, chosen), output)


def _write_results(contest: Contest, dealt: Decks, chosen: EngineChoice, threads: int | None, verbose: bool) -> int:
    """Play decks by machine code and write the results."""
    from maumau.kernels.bulk.answers import ResultWriter

    writer = ResultWriter(contest.kind, dealt, chosen.policies, chosen.seed, chosen.first, threads)
    for seats, seated in writer.seated.items():
        why = seated.prepare(notify)
        if verbose:
            engine = f"the scalar kernel, as {why}" if why else "lanes"
            print_message(f"engine: machine code, {many(seats, 'player')}: {engine}")

    def step(index: int) -> tuple[bytes, bool]:
        one = chosen._replace(first=chosen.first + index, is_compiled=False)
        (played,) = played_games(contest, [dealt[index]], one)
        return f"{text_of(played, '', '')}\n".encode(), bool(played.outcome.winners)

    everybody_won = True
    sys.stdout.flush()
    with closing(writer.texts(step)) as texts:
        for text, won in texts:
            sys.stdout.buffer.write(text)
            everybody_won &= won
    return 0 if everybody_won else NO_WINNER


def _print_played(contest: Contest, games: Iterable[Transcript], output: str) -> int:
    """Print what is said of games, which are counted from 0; the status."""
    unit = contest.unit.one.capitalize()
    texts = (
        (text_of(played, output, f"{unit} {number}: {many(played.players, 'player')}"), bool(played.outcome.winners))
        for number, played in enumerate(games)
    )
    return _print(texts, say if output == "--trace" else print)


def _print(texts: Iterable[tuple[str, bool]], say: Callable[[str], None] = print) -> int:
    """Print the texts of games; the status, by whether all of them were won."""
    everybody_won = True
    for text, is_won in texts:
        say(text)
        everybody_won &= is_won
    return 0 if everybody_won else NO_WINNER
