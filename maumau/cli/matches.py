"""Matches in commands: their options, their input and their records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from maumau.cli.bulk import check_bulk, notify
from maumau.cli.failure import NO_WINNER, BadInput
from maumau.cli.games import has_records, nth, read_records
from maumau.cli.modes import only_with
from maumau.cli.options import Option, check_seats, chosen_game, chosen_policies, refusing_players
from maumau.cli.source import read_source
from rules.reading import decoded

if TYPE_CHECKING:
    from fsm.match.played import PlayedMatch
    from fsm.match.reading import DealtMatch
    from fsm.stepping.game import Game

match_option: Option = click.option(
    "--match", "is_match", is_flag=True, help="Matches: rounds with cumulative points, the dealer moving on."
)
target_option: Option = click.option(
    "--target", type=int, metavar="POINTS", help="Points to which a match is played.  [default: by the game]"
)
target_mode = only_with("--match", "--target", reason="which is played for points")


def check_target(target: int | None) -> None:
    """Raise BadInput for a target that cannot be."""
    from fsm.match.setup import TARGET_LIMIT

    if target is not None and not 1 <= target < TARGET_LIMIT:
        raise BadInput(f"--target: {target}, expected 1 to {TARGET_LIMIT - 1}")


def played_matches(
    data: bytes,
    source: str,
    game: str,
    engine: str,
    policies: list[str],
    seed: int,
    number: int,
    target: int | None,
) -> Iterator[PlayedMatch]:
    """The matches of an input, played in order. Raises BadInput before the first one is played."""
    kind = chosen_game(game)
    matches = _dealt(kind, data, source)
    check_numbers(number, len(matches))
    return _played(kind, matches, engine, policies, seed, number, target)


def played_match(
    file: str, game: str, index: int, policy: str, seed: int, number: int, target: int | None
) -> PlayedMatch:
    """Match `index` (from 1) of `file`: of its records if it contains records, else played by the policies.

    number: of the first match of `file`. Raises BadInput, which lists all invalid lines.
    """
    data, source = read_source(file)
    if has_records(data):
        return nth(replayed_matches(data, source, game), index, source, "matches")
    kind = chosen_game(game)
    dealt = nth(_dealt(kind, data, source), index, source, "matches")
    check_numbers(number, index)
    return next(_played(kind, [dealt], "machine", chosen_policies(policy), seed, number + index - 1, target))


def print_matches(matches: Iterable[PlayedMatch], output: str) -> int:
    """Print matches as the option `output` says. Returns the exit status."""
    everybody_won = True
    for position, match in enumerate(matches, 1):
        print(_text(match, position, output))
        everybody_won &= match.outcome.winner is not None
    return 0 if everybody_won else NO_WINNER


def _dealt(kind: type[Game], data: bytes, source: str) -> list[DealtMatch]:
    """The matches of an input. Raises InputError, which lists all invalid matches."""
    from fsm.match.reading import read_matches

    return read_matches(kind, decoded(data, source), source)


def check_numbers(first: int, matches: int) -> None:
    """Raise BadInput if the numbers of the matches exceed the limit."""
    from fsm.match.setup import MATCH_LIMIT

    if first + matches > MATCH_LIMIT:
        raise BadInput(f"--number: {first} and {matches} matches, expected numbers up to {MATCH_LIMIT - 1}")


def replayed_matches(data: bytes, source: str, game: str) -> list[PlayedMatch]:
    """The matches of records, one a line. Raises BadInput, which lists all invalid lines."""
    from fsm.records.match import replay_match

    rules = chosen_game(game).rules or None
    return read_records(data, source, "match", lambda record: replay_match(record, rules))


def _played(
    kind: type[Game],
    matches: list[DealtMatch],
    engine: str,
    policies: list[str],
    seed: int,
    first: int,
    target: int | None,
) -> Iterator[PlayedMatch]:
    """Play the matches in order. Raises BadInput before the first one."""
    from fsm.match.played import play_stepped
    from maumau.kernels.bulk.played_matches import play_compiled

    check_seats(kind, {dealt.players for dealt in matches}, policies, compiled=engine != "machine")
    if engine == "machine":
        return _refusing(play_stepped(kind, matches, policies, seed, target, first))
    check_bulk()
    return play_compiled(kind, matches, policies, seed, target, notify, first)


def _refusing(matches: Iterator[PlayedMatch]) -> Iterator[PlayedMatch]:
    """The matches, played by policies that may be functions of users. Raises BadInput for what they do wrong."""
    with refusing_players():
        yield from matches


def _text(played: PlayedMatch, number: int, output: str) -> str:
    if output == "--json":
        from fsm.records.match import record_of_match

        return json.dumps(record_of_match(played))
    from render.text import match

    if output == "--events":
        return "\n".join([*(each.played.events_line for each in played.rounds), played.totals_line])
    if output == "--trace":
        return "\n\n".join(match.trace(played, f"Match {number}: {played.players} players")) + "\n"
    return match.result(played)
