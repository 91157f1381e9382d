"""Checks in lines for people: what a declaration promises, what a check has found, and how to step to a fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.check.properties import FORCED, Counterexample, Report
from fsm.check.rolled import NO_DICE, game_number
from fsm.check.sampling import ROUNDS
from fsm.check.stepped import shrunk
from fsm.declaration.arcs import Arc, SmallDeck
from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from fsm.outside import python_of
from fsm.stepping.game import Game
from fsm.stepping.steps import Move


def declaration_lines(game: Chart, verbose: bool) -> Iterator[str]:
    """Yield what holds of a game, or of matches, by their definition."""
    yield f"{game.title}: {len(game.phases)} phases, {len(game.arcs)} transitions"
    if verbose:
        yield "\nphases"
        for phase in game.phases:
            yield f"  {phase:16} {game.who_acts(phase) or 'final'}"
    yield "\nthe declaration"
    yield from _properties([(text, True) for text in game.claims()], verbose)


def report_lines(
    kind: type[Game],
    small: SmallDeck | None,
    report: Report,
    seconds: float,
    verbose: bool,
    alone: bool,
    games: int = 0,
    seed: int = 0,
) -> Iterator[str]:
    """Yield the report of all positions of a small deck, or of games with the whole deck.

    small: None for the whole deck; then so many games of `seed` were played for each number of players. alone: whether
    there is no other report, so that arcs that are not covered are named here.
    """
    heading = f"all positions of {small}"
    if small is None:
        heading = f"{report.games:,} games with the whole deck, {games:,} for each number of players, of seed {seed}"
        if carried := kind.declaration.carried:
            heading += f"; each takes over {', '.join(carried)} of the one before, {ROUNDS} in a row"
    yield f"\n{heading}\n  {report.positions:,} positions, {report.events:,} events, {seconds:.1f} s"
    failed = [bool(report.failed[number]) for number, _ in enumerate(report.properties)]
    yield from _properties([(text, not bad) for text, bad in zip(report.properties, failed, strict=True)], verbose)
    for number, text in enumerate(report.properties):
        if failed[number]:
            yield f"  FAILED  {text}: {report.failed[number]:,} times; the first:"
            yield from (f"          {line}" for line in _example(kind, small, report, number))
            if small is not None and (fewer := shrunk(kind, small, number)):
                yield f"          with fewer cards: {fewer[0]}"
                yield from (f"          {line}" for line in _example(kind, *fewer, number))
    stated = {response.description for response in kind.declaration.responses} if small else set()
    if stated and (verbose or stated & set(report.failures)):
        dice = "dice may show anything, " if kind.declaration.follows_dice else ""
        yield f"          over time: players may choose anything, {dice}forced events happen"
    rolled = {arc.trigger for arc in kind.declaration.arcs if small and report.fired[arc]}
    rolled &= {*kind.declaration.rolled_otherwise_by, *kind.declaration.rolled_by}
    named = ", ".join(trigger for trigger in kind.declaration.triggers if trigger in rolled)
    if rolled and kind.declaration.follows_dice:
        yield f"          dice are rolled by {named}: each outcome of them was followed"
        rolled = set()
    elif rolled:
        yield f"          dice are rolled by {named}: one sequence of them was followed; games play others"
        yield "          each outcome is followed where all dice are rolled by rules.chance.roll in effects"
    visited = small is not None and report.complete and not (report.failed or rolled)  # nothing is fired at a fault
    reason = "cannot be fired with this deck" if visited else "was not fired"
    yield from _arcs(report.game, report.never_fired, reason, named=verbose or alone)
    if not report.complete:
        yield "  FAILED  all positions are visited: the limit of --positions was reached first"
    if small is None and verbose:
        yield f"\ntransitions, and how often each fired in these {report.games:,} games"
        yield from (f"  {report.fired[arc]:9,}  {arc}" for arc in report.game.arcs)


def match_lines(kind: type[Game], report: Report, matches: int, seed: int, verbose: bool) -> Iterator[str]:
    """Yield the report of so many matches for each number of players."""
    title = kind.declaration.title
    yield f"\n{report.games:,} matches of {title}, {matches:,} for each number of players, of seed {seed}"
    yield f"  {report.positions:,} rounds"
    yield from _properties([(text, text not in report.failures) for text in report.properties], verbose)
    for number, match in report.examples.items():
        text = report.properties[number]
        yield f"  FAILED  {text}: first in match {match.number} of {match.players} players: {match!r}"
    yield from _arcs(report.game, report.never_fired, "was not fired")


def coverage_lines(game: Declaration, explored: Sequence[Report], sampled: Sequence[Report]) -> Iterator[str]:
    """Yield how many arcs all reports cover together, and how many of them only small decks, or only games, do."""
    by_decks, by_games = ({arc for each in reports for arc in +each.fired} for reports in (explored, sampled))
    parts = []
    if sampled and explored:
        decks = f"the small deck{'s' * (len(explored) > 1)} alone"
        both = ((len(by_decks - by_games), decks), (len(by_games - by_decks), "games alone"))
        parts = [f"{count} of them by {by}" for count, by in both if count]
    remark = f", {' and '.join(parts)}" if parts else ""
    never = [arc for arc in game.arcs if arc not in by_decks | by_games]
    yield from _arcs(game, never, "was never fired", remark)


def _properties(results: Sequence[tuple[str, bool]], verbose: bool) -> Iterator[str]:
    """The properties that hold: one per line, or a summary."""
    holding = [text for text, holds in results if holds]
    if verbose:
        yield from (f"  ok      {text}" for text in holding)
    elif len(holding) == len(results):
        yield f"  ok      all {len(results)} properties hold"
    else:
        yield f"  FAILED  {len(results) - len(holding)} of {len(results)} properties"


def _arcs(game: Chart, never: Sequence[Arc], reason: str, remark: str = "", named: bool = True) -> Iterator[str]:
    """How many arcs are covered, and those that are not; there may be no position in which they can be fired.

    never: the arcs that were never fired. remark: what is said after the count. named: whether these arcs are listed.
    """
    covered = len(game.arcs) - len(never)
    yield f"  {'so far' if never else 'ok    '}  {covered} of {len(game.arcs)} transitions covered{remark}"
    if named:
        yield from (f"          {reason}: {arc}" for arc in never)


def _example(kind: type[Game], small: SmallDeck | None, report: Report, number: int) -> Iterator[str]:
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


def _with_deck(kind: type[Game], small: SmallDeck | None) -> type[Game]:
    return kind.with_deck(small.cards, small.each) if small else kind


def _set_up(kind: type[Game], small: SmallDeck | None, found: Counterexample, number: int) -> str:
    """The Python that creates the game at the position; a position that is itself broken, or incomplete, can only be
    reached by playing.
    """
    statements, made = python_of(kind)
    if small is not None:
        made += f".with_deck({small.cards!r}, each={small.each})"
    if found.event and not (found.missing or kind.declaration.follows_dice):
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
