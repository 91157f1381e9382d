"""Matches in commands: their options."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from maumau.cli.bulk import notify
from maumau.cli.failure import BadInput
from maumau.cli.games import Contest, games_of
from maumau.cli.modes import only_with
from maumau.cli.options import Option, chosen_game

if TYPE_CHECKING:
    from fsm.match.played import PlayedMatch

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


def contest_of(game: str, is_match: bool, target: int | None = None) -> Contest:
    """What a command plays: games, or matches to a target. Raises BadInput for a target that cannot be."""
    check_target(target)
    return _matches_of(game, target) if is_match else games_of(game)


def _matches_of(game: str, target: int | None) -> Contest:
    from fsm.match.played import PlayedMatch, play_stepped
    from fsm.match.reading import read_matches, write_match
    from fsm.match.setup import DECKS, MATCH_LIMIT, deck_number
    from fsm.records.match import record_of_match, replay_match

    kind = chosen_game(game)

    def deck_of(players: int, seed: int, number: int) -> list[bytearray]:
        return [kind.deck_of(players, seed, deck_number(number, index)) for index in range(DECKS)]

    def compiled(dealt: Any, policies: list[str], seed: int, first: int) -> Iterator[PlayedMatch]:
        from maumau.kernels.bulk.transcripts import play_compiled_matches

        return play_compiled_matches(kind, dealt, policies, seed, first, target, notify)

    def replayed(record: object) -> PlayedMatch:
        return PlayedMatch.of(replay_match(record, kind.rules or None))

    reads = partial(read_matches, kind), partial(write_match, kind), deck_of
    stepped = partial(play_stepped, kind, target=target)
    return Contest("match", "matches", MATCH_LIMIT, kind, *reads, stepped, compiled, record_of_match, replayed)
