"""`maumau check`: the validations, exhaustive exploration and sampling of a game, and which house rules break it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict

from fsm.check import survey
from fsm.check.lines import coverage_lines, declaration_lines, match_lines, report_lines
from fsm.check.sampling import survey_matches
from fsm.check.sets import SetsCheck
from fsm.declaration.arcs import SmallDeck
from fsm.match.setup import MATCH
from fsm.records import RecordError
from fsm.records.counterexamples import record_of_counterexample
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.setup import check_dealable
from maumau.cli.chosen import checked_players, refusing, small_game
from maumau.cli.exploring import exploration_size, explorations
from maumau.cli.interrupt import NO_WINNER, BadInput, one_line
from maumau.cli.output import check_output, notify, print_message, put_file, read_source, report_written, say, writing
from maumau.kernels.targets import why_not_compiled
from rules.errors import Explained


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
        with refusing("--exhaustive", Explained):
            print_message(f"{exploration_size(kind, decks, positions)}; see --positions")
    if as_json:
        return _print_counterexamples(kind, decks, exhaustive, positions, games, seed)
    _say_all(declaration_lines(declaration, verbose))
    if why := why_not_compiled(declaration):
        notify(f"no machine code, so the game is stepped: {why}")
    explored, alone = [], len(decks) + bool(games) == 1
    for small, report, started in explorations(kind, decks, exhaustive, positions):
        seconds = time.perf_counter() - started
        _say_all(report_lines(kind, small, report, seconds, verbose, alone))
        explored.append(report)
    sampled = []
    if games:
        started = time.perf_counter()
        report = survey(kind, games, seed, notify)
        seconds = time.perf_counter() - started
        _say_all(report_lines(kind, None, report, seconds, verbose, alone, games, seed))
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
    explored = ((small, report) for small, report, _ in explorations(kind, decks, compiled, positions))
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
        count = checked_players(small_game(kind, deck, players, each), players, f" with {each} each")
        decks = (SmallDeck(" ".join(deck.split()), count, each),)
    for small in decks:
        with refusing("--deck" if deck else f"--game: {small}"):
            check_dealable(kind.with_deck(small.cards, small.each), small.players)
    return decks


def _check_matches(kind: type[Game], matches: int, seed: int, verbose: bool) -> int:
    """Print the definition of matches, then what holds of matches that are played; return the exit status."""
    _say_all(declaration_lines(MATCH, verbose))
    report = survey_matches(kind, matches, seed, notify)
    _say_all(match_lines(kind, report, matches, seed, verbose))
    return NO_WINNER if report.failed else 0


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


def run_sets(kind: type[Game], positions: int, output: str | None, as_json: bool) -> int:
    """Check all sets of rules, print those that break the game, and return the exit status. Raises BadInput."""
    if not kind.rulebook().listed():
        raise BadInput(f"--sets: {kind.declaration.name} has no house rules of its own; use a game that has some")
    if output is not None:
        check_output(output)
    check = SetsCheck(kind, positions)
    if output is not None:
        _read(output, check)
    print_message(str(check))
    broken = checked = 0
    for report in check.reports(notify):
        if output is not None and checked >= len(check.known):
            _keep(output, *[check.head] * (checked == 0), asdict(report))
        checked += 1
        if report.rules and report.faults:
            broken += 1
            print(json.dumps(asdict(report)) if as_json else report, flush=True)
    if output is not None:
        report_written(output)
    if not as_json:
        print(f"{broken} of {checked - 1} sets of up to three rules break {kind.declaration.title}")
    return NO_WINNER if broken else 0


def _read(file: str, check: SetsCheck) -> None:
    """Read the reports of an earlier run. A line that was not written to its end is found again. Raises BadInput."""
    lines = read_source(file)[0].splitlines(keepends=True) if os.path.exists(file) else []
    whole = [line for line in lines if line.endswith(b"\n")]
    try:
        check.read(whole)
    except (ValueError, KeyError, TypeError) as error:
        text = f"{error}; name a file that `maumau check --sets` wrote with the same rules"
        raise BadInput(f"--output: {one_line(file)}: {text}") from None
    if len(whole) < len(lines):
        put_file(file, b"".join(whole))


def _keep(file: str, *records: object) -> None:
    """Append records to a file, a line for each. Raises CannotWrite."""
    with writing(file) as path, path.open("a", encoding="utf-8") as kept:
        kept.write("".join(json.dumps(record) + "\n" for record in records))
