"""`maumau check`: the validations, exhaustive exploration and sampling of a game, and which house rules break it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence

from fsm.check import Counterexample, Report, explore_stepped, survey
from fsm.check.properties import FORCED
from fsm.check.rolled import game_number
from fsm.check.sampling import ROUNDS, survey_matches
from fsm.check.stepped import shrunk
from fsm.declaration.arcs import Arc, SmallDeck
from fsm.declaration.chart import Chart
from fsm.declaration.checks import CHART, GAME, claims_of
from fsm.declaration.declaration import Declaration
from fsm.declaration.dice import follows_dice, loose, rolled_by
from fsm.edge.errors import CompilationError
from fsm.edge.extras import MissingExtra, missing_packages
from fsm.edge.ticker import duration
from fsm.match.setup import MATCH
from fsm.outside import python_of
from fsm.records.counterexamples import record_of_counterexample
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.stepping.setup import check_dealable
from fsm.stepping.steps import Move
from maumau.cli.check_sets import run_sets
from maumau.cli.chosen import checked_players, refusing
from maumau.cli.interrupt import NO_WINNER, BadInput
from maumau.cli.output import notify, print_message, say
from maumau.kernels.compiler.direct.building import module_text
from maumau.kernels.compiler.machine_code import require_compiler
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.source import playing
from maumau.kernels.explorer.exhaustive import explore
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
    _print_declaration(declaration, claims_of(GAME), verbose)
    if why := _why_not_compiled(declaration):
        notify(f"no machine code, so the game is stepped: {why}")
    passed, explored, alone = True, [], len(decks) + bool(games) == 1
    for small, report, started in _explorations(kind, decks, exhaustive, positions):
        passed &= _print_report(f"all positions of {small}", kind, small, report, started, verbose, alone)
        explored.append(report)
    sampled = []
    if games:
        started = time.perf_counter()
        report = survey(kind, games, seed, notify)
        heading = f"{report.games:,} games with the whole deck, {games:,} for each number of players, of seed {seed}"
        if declaration.carried:
            heading += f"; each takes over {', '.join(declaration.carried)} of the one before, {ROUNDS} in a row"
        passed &= _print_report(heading, kind, None, report, started, verbose, alone)
        if verbose:
            say(f"\ntransitions, and how often each fired in these {report.games:,} games")
            say("\n".join(f"  {report.fired[arc]:9,}  {arc}" for arc in report.game.arcs))
        sampled.append(report)
    if not alone:
        say("\nall of these together")
        _print_coverage(declaration, explored, sampled)
    return 0 if passed else NO_WINNER


def _print_counterexamples(
    kind: type[Game], decks: Iterable[SmallDeck], compiled: bool, positions: int, games: int, seed: int
) -> int:
    """Print the record of the first failure of each property; return the exit status."""
    sampled = [(None, survey(kind, games, seed, notify))] if games else []
    explored = ((small, report) for small, report, _ in _explorations(kind, decks, compiled, positions))
    status = 0
    for small, report in (*explored, *sampled):
        if report.failed or not report.complete:
            status = NO_WINNER
        for number, found in report.examples.items():
            text = report.properties[number]
            if not found.position:
                print_message(f"{text}: not printed, as the deal raises an error: {found.error}")
                continue
            if found.carried:
                print_message(f"{text}: not printed: the game takes over facts of a round before it")
                continue
            given = kind, small, found.line, text, found.events, found.loop, found.event
            if (dice := game_number(_with_deck(kind, small), found, text)) is None:
                print_message(f"{text}: not printed: {NO_DICE}")
                continue
            try:
                print(json.dumps(record_of_counterexample(*given, dice)))
            except IllegalMove as error:
                print_message(f"{text}: not printed, as players do not choose so: {error}")
        if not report.complete:
            print_message(f"{small}: not all positions are visited: the limit of --positions was reached first")
    return status


def _why_not_compiled(game: Declaration) -> str:
    """What of a game cannot be compiled, and where; empty if all can, and where that cannot be known."""
    if missing_packages("machine code", "numpy"):
        return ""
    program = playing(KernelPlan(game, game.policies))
    try:
        module_text(program, program.write(program.subject))
    except CompilationError as error:
        return str(error)
    return ""


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
            check_dealable(_with_deck(kind, small), small.players)
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
            why = _why_not_compiled(kind.declaration)
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
    _print_declaration(MATCH, claims_of(CHART), verbose)
    report = survey_matches(kind, matches, seed, notify)
    title = kind.declaration.title
    say(f"\n{report.games:,} matches of {title}, {matches:,} for each number of players, of seed {seed}")
    say(f"  {report.positions:,} rounds")
    _print_properties([(text, text not in report.failures) for text in report.properties], verbose)
    for number, match in report.examples.items():
        text = report.properties[number]
        say(f"  FAILED  {text}: first in match {match.number} of {match.players} players: {match!r}")
    _print_arcs(report.game, report.never_fired, "was not fired")
    return NO_WINNER if report.failed else 0


def _print_declaration(game: Chart, definition: Iterable[str], verbose: bool) -> None:
    say(f"{game.title}: {len(game.phases)} phases, {len(game.arcs)} transitions")
    if verbose:
        say("\nphases")
        for phase in game.phases:
            say(f"  {phase:16} {game.who_acts(phase) or 'final'}")
    say("\nthe declaration")
    _print_properties([(text, True) for text in definition], verbose)


def _print_report(
    heading: str,
    kind: type[Game],
    small: SmallDeck | None,
    report: Report,
    started: float,
    verbose: bool,
    alone: bool = True,
) -> bool:
    """Print the report of some positions or games; return whether all properties hold.

    alone: whether there is no other report, so that arcs that are not covered are named here.
    """
    seconds = time.perf_counter() - started
    say(f"\n{heading}\n  {report.positions:,} positions, {report.events:,} events, {seconds:.1f} s")
    failed = [bool(report.failed[number]) for number, _ in enumerate(report.properties)]
    _print_properties([(text, not bad) for text, bad in zip(report.properties, failed, strict=True)], verbose)
    for number, text in enumerate(report.properties):
        if failed[number]:
            say(f"  FAILED  {text}: {report.failed[number]:,} times; the first:")
            say("\n".join(f"          {line}" for line in _example_lines(kind, small, report, number)))
            if small is not None and (fewer := shrunk(kind, small, number)):
                say(f"          with fewer cards: {fewer[0]}")
                say("\n".join(f"          {line}" for line in _example_lines(kind, *fewer, number)))
    stated = {response.description for response in kind.declaration.responses} if small else set()
    if stated and (verbose or stated & set(report.failures)):
        dice = "dice may show anything, " if follows_dice(kind.declaration) else ""
        say(f"          over time: players may choose anything, {dice}forced events happen")
    rolled = {arc.trigger for arc in kind.declaration.arcs if small and report.fired[arc]}
    rolled &= {*loose(kind.declaration), *rolled_by(kind.declaration)}
    if rolled and follows_dice(kind.declaration):
        say(f"          dice are rolled by {_of(rolled, kind)}: each outcome of them was followed")
        rolled = set()
    elif rolled:
        named = _of(rolled, kind)
        say(f"          dice are rolled by {named}: one sequence of them was followed; games play others")
        say("          each outcome is followed where all dice are rolled by rules.chance.roll in effects")
    visited = small is not None and report.complete and not (report.failed or rolled)  # nothing is fired at a fault
    reason = "cannot be fired with this deck" if visited else "was not fired"
    _print_arcs(report.game, report.never_fired, reason, named=verbose or alone)
    if not report.complete:
        say("  FAILED  all positions are visited: the limit of --positions was reached first")
    return report.complete and not report.failed


def _print_properties(results: Sequence[tuple[str, bool]], verbose: bool) -> None:
    """Print the properties that hold: one per line, or a summary."""
    holding = [text for text, holds in results if holds]
    if verbose:
        say("\n".join(f"  ok      {text}" for text in holding))
    elif len(holding) == len(results):
        say(f"  ok      all {len(results)} properties hold")
    else:
        say(f"  FAILED  {len(results) - len(holding)} of {len(results)} properties")


def _print_arcs(game: Chart, never: Sequence[Arc], reason: str, remark: str = "", named: bool = True) -> None:
    """Print how many arcs are covered, and those that are not; there may be no position in which they can be fired.

    never: the arcs that were never fired. remark: what is said after the count. named: whether these arcs are listed.
    """
    covered = len(game.arcs) - len(never)
    say(f"  {'so far' if never else 'ok    '}  {covered} of {len(game.arcs)} transitions covered{remark}")
    for arc in never if named else ():
        say(f"          {reason}: {arc}")


def _print_coverage(game: Declaration, explored: Sequence[Report], sampled: Sequence[Report]) -> None:
    """Print how many arcs all reports cover together, and how many of them only small decks, or only games, do."""
    by_decks, by_games = ({arc for each in reports for arc in +each.fired} for reports in (explored, sampled))
    parts = []
    if sampled and explored:
        decks = f"the small deck{'s' * (len(explored) > 1)} alone"
        both = ((len(by_decks - by_games), decks), (len(by_games - by_decks), "games alone"))
        parts = [f"{count} of them by {by}" for count, by in both if count]
    remark = f", {' and '.join(parts)}" if parts else ""
    never = [arc for arc in game.arcs if arc not in by_decks | by_games]
    _print_arcs(game, never, "was never fired", remark)


def _example_lines(kind: type[Game], small: SmallDeck | None, report: Report, number: int) -> Iterator[str]:
    """The counterexample of a property, with the Python expression that sets it up."""
    found, text = report.examples[number], report.properties[number]
    yield f"game      {' '.join(found.line.split())}"
    if found.carried:
        yield f"carried   {', '.join(f'{name} {value}' for name, value in found.carried.items())}"
    yield f"events    {_joined(found.events)}"
    if found.position:
        yield f"position  {found.position}"
    if text in [response.description for response in kind.declaration.responses]:
        yield f"then      {f'{_joined(found.loop)}, for ever' if found.loop else 'the game has ended'}"
    if found.event:
        yield f"event     {found.event}"
    if found.position and text in FORCED and (forced := _forced_at(_with_deck(kind, small), found)):
        yield f"forced    {', '.join(forced)}: {FORCED[text].format(found.event and found.event.trigger)}"
    if found.error:
        yield f"error     {found.error}"
    if found.missing:
        yield f"no fact   {', '.join(found.missing)}"
    dice = game_number(_with_deck(kind, small), found, text)
    if dice is None:
        yield f"dice      {NO_DICE}"
        return
    if dice:
        yield f"dice      those of game {dice} of seed 0"
    yield f"in Python {_set_up(kind, small, found, dice)}"


def _forced_at(kind: type[Game], found: Counterexample) -> list[str]:
    """The events that are forced at the position of a counterexample, or several that may be in its phase; none if it
    cannot be read back.
    """
    try:
        game = kind.at(found.position)
    except ValueError:
        return []
    if found.event is None:
        return list(game.forced_events)  # what has returned is not said by the position
    forced = (arc for trigger in game.forced_events for arc in kind.declaration.leaving(game.phase, trigger))
    return list(dict.fromkeys(arc.trigger for arc in forced if arc.enabled(game.table)))


NO_DICE = "it is not known in which game those are rolled that it needs, so it cannot be stepped"


def _with_deck(kind: type[Game], small: SmallDeck | None) -> type[Game]:
    return kind.with_deck(small.cards, small.each) if small else kind


def _of(triggers: set[str], kind: type[Game]) -> str:
    """Some events of a game, in its order."""
    return ", ".join(trigger for trigger in kind.declaration.triggers if trigger in triggers)


def _set_up(kind: type[Game], small: SmallDeck | None, found: Counterexample, number: int) -> str:
    """The Python that creates the game at the position; a position that is itself broken, or incomplete, can only be
    reached by playing.
    """
    statements, made = python_of(kind)
    if small is not None:
        made += f".with_deck({small.cards!r}, each={small.each})"
    if found.event and not (found.missing or follows_dice(kind.declaration)):
        return "; ".join([*statements, f"game = {made}.at({found.position!r})"])
    dice = [f"game.table.number = {number}"] if number else []
    dealt = f"parse({found.line!r})"
    if found.carried:
        dealt = f"of_deck(*{made}.deck_format().read_line({found.line!r}), carried={dict(found.carried)!r})"
    return "; ".join([*statements, f"game = {made}.{dealt}", *dice, *map(_fired, found.events)])


def _fired(move: Move) -> str:
    """The Python statement that fires a move."""
    named = (f"{name}={value!r}" for name, value in move._asdict().items() if name != "trigger" and value is not None)
    return f"game.fire({', '.join([repr(move.trigger), *named])})"


def _joined(events: Iterable[Move]) -> str:
    return ", ".join(map(str, events)) or "none"
