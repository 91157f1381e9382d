"""Reads the games of a command: in the problem's format, or as records."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from maumau.cli.failure import BadInput
from maumau.cli.modes import given_options, refuse_given
from maumau.cli.options import LARGEST, Option, chosen_game, chosen_policies, refusing_players
from maumau.cli.source import read_source
from rules.notation import shown
from rules.reading import Dealt, decoded

if TYPE_CHECKING:
    from fsm.stepping.game import Game
    from fsm.stepping.transcript import Transcript

T = TypeVar("T")
PLAYING = ("--engine", "--policy", "--seed", "--number", "--target")
"""The options that say how games are played; records have been played."""

index_option: Option = click.option(
    "--game-index", type=click.IntRange(1), default=1, show_default=True, help="Which game of FILE, from 1."
)
number_option: Option = click.option(
    "--number",
    type=click.IntRange(0, LARGEST),
    default=0,
    help="The number of the first game, for the choices of random players.",
)


def check_numbers(first: int, games: int) -> None:
    """Raise BadInput if the numbers of `games` games from `first` on exceed the limit."""
    if first + games > LARGEST + 1:
        raise BadInput(f"--number: {first} and {games} games, expected numbers up to {LARGEST}")


def dealt_games(kind: type[Game], data: bytes, source: str) -> list[Dealt]:
    """The games of `data` in the problem's format. Raises InputError, which lists all invalid lines."""
    return kind.read(decoded(data, source), source)


def replayed_games(data: bytes, source: str, game: str = "") -> list[Transcript]:
    """The games of the records in `data`, one a line. Raises BadInput, which lists all invalid lines.

    game: the name of a game with house rules, with which they must have been played; empty if any are accepted.
    """
    from fsm.records.game import replay
    from fsm.stepping.transcript import Transcript

    rules = chosen_game(game).rules or None if game else None
    return read_records(data, source, "game", lambda record: Transcript.of(replay(record, rules)))


def read_records(data: bytes, source: str, what: str, replayed: Callable[[object], T]) -> list[T]:
    """The records in `data`, one a line, each of `what`, replayed. Raises BadInput, which lists all invalid lines."""
    from fsm.records.game import RecordError, read_record

    refuse_given(f"decks to play, but {source} has records, which have been played", *PLAYING)
    named = given_options().get("--game")
    found, faults = [], []
    for number, line in enumerate(decoded(data, source).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = read_record(line)
            _check_game(record, named)
            found.append(replayed(record))
        except RecordError as error:
            faults.append(f"{source}:{number}: {error}")
    if not found and not faults:
        faults.append(f"{source}:1: empty input, expected a record of a {what} on each line")
    if faults:
        raise BadInput("\n".join(faults))
    return found


def _check_game(record: object, named: str | None) -> None:
    """Raise RecordError if a record is of another game than that of --game, if it is given."""
    from fsm.records.game import RecordError

    if named is None or not isinstance(record, dict):
        return
    kind = chosen_game(named)
    expected = (kind.plain or kind).declaration.name
    if record.get("game") != expected:
        raise RecordError(f"game: {shown(record.get('game'))}, expected {shown(expected)}, as --game says")


def played_game(file: str, game: str, index: int, policy: str, seed: int, number: int = 0) -> Transcript:
    """Game `index` (from 1) of `file`: of its records if it contains records, else played by the policies.

    number: of the first game of `file`, for the choices of random players.
    Raises BadInput, which lists all invalid lines.
    """
    data, source = read_source(file)
    if has_records(data):
        return nth(replayed_games(data, source, game), index, source)
    from fsm.stepping.transcript import Transcript

    kind = chosen_game(game)
    players, deck = nth(dealt_games(kind, data, source), index, source)
    check_numbers(number, index)
    with refusing_players():
        started = kind.of_deck(players, deck, chosen_policies(policy), seed, number + index - 1)
        started.run()
    return Transcript.of(started)


def has_records(data: bytes) -> bool:
    """Whether an input has records, not decks."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def nth(games: list[T], index: int, source: str, what: str = "games") -> T:
    """The game, or the match, of this index from 1 on. what: what they are. Raises BadInput."""
    if index > len(games):
        raise BadInput(f"--game-index: {index}, expected 1 to {len(games)}: {source} has no more {what}")
    return games[index - 1]
