"""`maumau check`: the machine validated, explored with small decks, and tried in many games, a verdict a property."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from cli.bulk import say
from cli.failure import NO_WINNER, BadInput
from cli.options import chosen_game, game_option, seed_option

if TYPE_CHECKING:
    from fsm.arcs import SmallDeck
    from fsm.check import Report
    from fsm.declaration import Declaration
    from fsm.stepping.game import Game


@click.command()
@click.option(
    "--games", type=click.IntRange(0), default=10, show_default=True, help="Games for each number of players."
)
@seed_option
@click.option("--exhaustive", is_flag=True, help="All small decks of the game, millions of positions, in machine code.")
@click.option("--deck", metavar="CARDS", help="A small deck of your own: 'DQ HQ DS HS DJ'.")
@click.option("--players", type=int, default=2, show_default=True, help="Players with that deck.")
@click.option("--each", type=click.IntRange(1), default=1, show_default=True, help="Cards that each is dealt of it.")
@click.option(
    "--positions", type=click.IntRange(1), default=40_000_000, show_default=True, help="Positions to give up after."
)
@game_option
def check(
    games: int, seed: int, exhaustive: bool, deck: str | None, players: int, each: int, positions: int, game: str
) -> int:
    """Check the rules of a game: its declaration, all games with small decks, many games with the whole deck.

    With a small deck every deal and every legal event is tried, so every position that can be reached is visited. In
    each, and after each event, all is looked at that must hold. Exit status 1, with a counterexample, if it does not.

    \b
    Examples:
      maumau check --games 1000
      maumau check --exhaustive --game uno
      maumau check --deck 'DQ HQ DS HS DE DJ HJ' --players 3 --each 2
    """
    kind = chosen_game(game)
    declaration = kind.declaration
    decks = _decks(kind, exhaustive, deck, players, each)
    _tell_declaration(declaration)
    sound = True
    for small in decks:
        started = time.perf_counter()
        report = _explored(kind, small, exhaustive or deck is not None, positions)
        print(f"\nall positions of {small}")
        _tell_numbers(report, time.perf_counter() - started)
        sound &= _tell_verdicts(kind, small, report)
    if games:
        sound &= _tell_games(kind, games, seed)
    return 0 if sound else NO_WINNER


def _decks(kind: type[Game], exhaustive: bool, deck: str | None, players: int, each: int) -> tuple[SmallDeck, ...]:
    """The small decks that are asked for. Raises BadInput."""
    from fsm.arcs import SmallDeck

    if deck is None:
        return kind.declaration.small_decks[slice(1, None) if exhaustive else slice(1)]
    try:
        words = kind.with_deck(deck, each).declaration.words
    except ValueError as error:
        raise BadInput(f"--deck: {error}") from None
    if not words.fewest <= players <= words.most:
        raise BadInput(f"--players: {players}, expected {words.fewest} to {words.most} with {each} cards each")
    return (SmallDeck(" ".join(deck.split()), players, each),)


def _explored(kind: type[Game], small: SmallDeck, compiled: bool, positions: int) -> Report:
    """All positions of a small deck: in machine code if that is wanted and can be had."""
    from fsm.check import explore, explore_stepped
    from fsm.compiler.kernel import BulkMissing

    if compiled:
        try:
            return explore(kind, small, positions, say)
        except BulkMissing as error:
            say(f"no machine code, so it takes its time: {error}")
    return explore_stepped(kind, small, positions)


def _tell_declaration(game: Declaration) -> None:
    from fsm.declaration import DEFINITION

    print(f"{game.title}: {len(game.phases)} phases, {len(game.arcs)} arcs, valid")
    print("\nphases")
    for phase in game.phases:
        acting = game.acting.get(phase)
        print(f"  {phase:16} {acting.told if acting else 'final'}")
    print("\nthe declaration")
    for says in DEFINITION:
        print(f"  ok      {says}")


def _tell_games(kind: type[Game], games: int, seed: int) -> bool:
    from fsm.check import survey

    started = time.perf_counter()
    report = survey(kind, games, seed)
    print(f"\n{report.games:,} games with the whole deck, {games:,} for each number of players, of seed {seed}")
    _tell_numbers(report, time.perf_counter() - started)
    sound = _tell_verdicts(kind, None, report)
    print(f"\narcs, and how often each fired in these {report.games:,} games")
    for arc in kind.declaration.arcs:
        print(f"  {report.fired[arc]:9,}  {arc}")
    return sound


def _tell_numbers(report: Report, seconds: float) -> None:
    print(f"  {report.positions:,} positions, {report.events:,} events, {seconds:.1f} s")


def _tell_verdicts(kind: type[Game], small: SmallDeck | None, report: Report) -> bool:
    """Print a verdict for each property; whether all are good."""
    from fsm.check import properties

    for number, says in enumerate(properties(report.game)):
        if times := report.failed[number]:
            print(f"  FAILED  {says}: {times:,} times, first")
            print("\n".join(f"          {line}" for line in _told_example(kind, small, report, number)))
        else:
            print(f"  ok      {says}")
    _tell_arcs(small is not None, report)
    if not report.complete:
        print("  FAILED  all positions are visited: given up before, see --positions")
    return report.complete and not report.failed


def _tell_arcs(exhaustively: bool, report: Report) -> None:
    never = report.never_fired
    fired = len(report.game.arcs) - len(never)
    print(f"  {'ok    ' if not never else 'so far'}  {fired} of {len(report.game.arcs)} arcs are fired")
    why = "cannot be fired with this deck" if exhaustively and report.complete else "was not fired"
    for arc in never:
        print(f"          {why}: {arc}")


def _told_example(kind: type[Game], small: SmallDeck | None, report: Report, number: int) -> Iterator[str]:
    """How to come to the counterexample of a property, and how to step it in Python."""
    found = report.examples[number]
    made = kind.__name__ if small is None else f'{kind.__name__}.with_deck("{small.cards}", each={small.each})'
    yield f"game      {' '.join(found.line.split())}"
    yield f"events    {_joined(found.events)}"
    yield f"position  {found.position}"
    if found.event:
        yield f"event     {found.event}"
    way = f'at("{found.position}")' if found.event else f'parse("{" ".join(found.line.split())}")'
    yield f"in Python {made}.{way}"


def _joined(events: Iterable[str]) -> str:
    return ", ".join(events) or "none"
