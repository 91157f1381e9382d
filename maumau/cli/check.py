"""`maumau check`: the validations, exhaustive exploration and sampling of a game, and which house rules break it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence

from fsm.check import Report, explore_stepped, survey
from fsm.check.lines import coverage_lines, declaration_lines, match_lines, report_lines
from fsm.check.sampling import ROUNDS, survey_matches
from fsm.declaration.arcs import SmallDeck
from fsm.edge.errors import CompilationError
from fsm.edge.extras import MissingExtra
from fsm.edge.ticker import duration
from fsm.match.setup import MATCH
from fsm.records import RecordError
from fsm.records.counterexamples import record_of_counterexample
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.setup import check_dealable
from maumau.cli.check_sets import run_sets
from maumau.cli.chosen import checked_players, refusing
from maumau.cli.interrupt import NO_WINNER, BadInput
from maumau.cli.output import notify, print_message, say
from maumau.kernels.compiler.machine_code import require_compiler
from maumau.kernels.explorer.exhaustive import explore
from maumau.kernels.targets import why_not_compiled
from rules.notation import many


def run(
    games: int,
    seed: int,
    exhaustive: bool,
    deck: str | None,
    players: int | None,
    each: int,
    positions: int,
    verbose: bool,
    is_match: bool,
    sets: bool,
    output: str | None,
    as_json: bool,
    game: str,
) -> int:
    """Run `maumau check`."""
    kind = game_class(game)
    if sets:
        return run_sets(kind, positions, output, as_json)
    declaration = kind.declaration
    if is_match:
        return _check_matches(kind, games, seed, verbose)
    decks = _decks(kind, exhaustive, deck, players, each)
    if exhaustive:
        _report_exploration(kind, decks, positions)
    if as_json:
        return _print_counterexamples(kind, decks, exhaustive, positions, games, seed)
    _say_all(declaration_lines(declaration, verbose))
    if why := why_not_compiled(declaration):
        notify(f"no machine code, so the game is stepped: {why}")
    explored, alone = [], len(decks) + bool(games) == 1
    for small, report, started in _explorations(kind, decks, exhaustive, positions):
        seconds = time.perf_counter() - started
        _say_all(report_lines(f"all positions of {small}", kind, small, report, seconds, verbose, alone))
        explored.append(report)
    sampled = []
    if games:
        started = time.perf_counter()
        report = survey(kind, games, seed, notify)
        heading = f"{report.games:,} games with the whole deck, {games:,} for each number of players, of seed {seed}"
        if declaration.carried:
            heading += f"; each takes over {', '.join(declaration.carried)} of the one before, {ROUNDS} in a row"
        _say_all(report_lines(heading, kind, None, report, time.perf_counter() - started, verbose, alone))
        if verbose:
            say(f"\ntransitions, and how often each fired in these {report.games:,} games")
            say("\n".join(f"  {report.fired[arc]:9,}  {arc}" for arc in report.game.arcs))
        sampled.append(report)
    if not alone:
        say("\nall of these together")
        _say_all(coverage_lines(declaration, explored, sampled))
    return 0 if all(report.passed for report in (*explored, *sampled)) else NO_WINNER


def _print_counterexamples(
    kind: type[Game], decks: Iterable[SmallDeck], compiled: bool, positions: int, games: int, seed: int
) -> int:
    """Print the record of the first failure of each property; return the exit status."""
    sampled = [(None, survey(kind, games, seed, notify))] if games else []
    explored = ((small, report) for small, report, _ in _explorations(kind, decks, compiled, positions))
    status = 0
    for small, report in (*explored, *sampled):
        if not report.passed:
            status = NO_WINNER
        for number, found in report.examples.items():
            text = report.properties[number]
            try:
                print(json.dumps(record_of_counterexample(kind, small, found, text)))
            except RecordError as error:
                print_message(f"{text}: {error}")
        if not report.complete:
            print_message(f"{small}: not all positions are visited: the limit of --positions was reached first")
    return status


def _decks(
    kind: type[Game], exhaustive: bool, deck: str | None, players: int | None, each: int
) -> tuple[SmallDeck, ...]:
    """The small decks of the options. Raises BadInput."""
    if deck is None:
        decks = tuple(small for small in kind.declaration.small_decks if exhaustive or not small.large)
    else:
        with refusing("--deck"):
            count = checked_players(kind.with_deck(deck, each), players, f" with {each} each")
        decks = (SmallDeck(" ".join(deck.split()), count, each),)
    for small in decks:
        with refusing("--deck" if deck else f"--game: {small}"):
            check_dealable(kind.with_deck(small.cards, small.each), small.players)
    return decks


STEPPED_AT_MOST = 20_000
"""Positions of a deck that are visited by stepping, which takes seconds: for so few no machine code is asked for."""

IN_A_MINUTE = 100_000
"""Positions of a deck that are visited by stepping where there is no machine code."""


BYTES_A_POSITION = 60
"""Memory of a position that is known, at most."""


def _report_exploration(kind: type[Game], decks: Sequence[SmallDeck], positions: int) -> None:
    """Report what exploring large decks takes. Raises BadInput if stepping them would take minutes to no avail."""
    why = ""
    if positions > IN_A_MINUTE and any(small.large for small in decks):
        try:
            require_compiler()
            why = why_not_compiled(kind.declaration)
        except MissingExtra as error:
            why = str(error)
    if why:
        raise BadInput(f"--exhaustive: decks with millions of positions require machine code: {why}")
    room = f"{max(1, positions * BYTES_A_POSITION // 1_000_000):,} MB"
    size = f"at most {positions:,} positions of each (see --positions)"
    cost = f"which take {room} of memory and {duration(positions / 1e6)}"
    print_message(f"exploring {many(len(decks), 'small deck')}, {size}, {cost}")


def _explorations(
    kind: type[Game], decks: Iterable[SmallDeck], compiled: bool, positions: int
) -> Iterator[tuple[SmallDeck, Report, float]]:
    """Explore all positions of small decks. Yields each deck with its report and the time when it was begun.

    compiled: whether machine code is used at once. Otherwise it is used from the first deck on that is not small.
    """
    for small in decks:
        started = time.perf_counter()
        report = None if compiled else explore_stepped(kind, small, min(positions, STEPPED_AT_MOST))
        if report is None or (not report.complete and positions > STEPPED_AT_MOST):
            compiled, report = True, _explored(kind, small, positions)
        yield small, report, started


def _explored(kind: type[Game], small: SmallDeck, positions: int) -> Report:
    """Explore all positions of a small deck, in machine code if that is available. Raises BadInput if it must be."""
    try:
        return explore(kind, small, positions, notify)
    except (MissingExtra, CompilationError) as error:
        notify(f"no machine code, so this is slow: {error}; {small}")
        report = explore_stepped(kind, small, min(positions, IN_A_MINUTE), notify=notify)
        if report.complete or positions <= IN_A_MINUTE:
            return report
        size = f"more than {IN_A_MINUTE:,} positions, which are stepped for more than a minute"
        raise BadInput(f"{small}: {size}; use a smaller deck, --positions, or machine code: {error}") from None


def _check_matches(kind: type[Game], matches: int, seed: int, verbose: bool) -> int:
    """Print the definition of matches, then what holds of matches that are played; return the exit status."""
    _say_all(declaration_lines(MATCH, verbose))
    report = survey_matches(kind, matches, seed, notify)
    _say_all(match_lines(kind, report, matches, seed, verbose))
    return NO_WINNER if report.failed else 0


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)
