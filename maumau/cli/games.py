"""Reads and plays the games of a command: from decks in the problem's format, or from records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fsm.match.contest import Contest
from fsm.registry import game_class
from maumau.cli.chosen import check_seats, chosen_policies, chosen_target, refusing
from maumau.cli.commands.games import PLAYING
from maumau.cli.interrupt import BadInput
from maumau.cli.options import given_options, refuse_given
from maumau.cli.output import notify, read_blocks, read_source, read_text, source_name
from maumau.kernels.compiler.machine_code import require_compiler, why_no_compiler
from rules.blocks import Usual, read_decks
from rules.deck_format import DeckReader, Decks
from rules.notation import many, shown
from rules.reading import decoded

if TYPE_CHECKING:
    from fsm.match.transcript import Transcript

T = TypeVar("T")


def contest_of(game: str, is_match: bool = False, target: int | None = None) -> Contest:
    """What a command plays. Raises BadInput for a target that cannot be."""
    kind = game_class(game)
    return Contest.of(kind, chosen_target(kind, is_match, target))


def check_numbers(contest: Contest, first: int, games: int, option: str = "--number") -> None:
    """Raise BadInput if the numbers of `games` games, or matches, from `first` on exceed the limit.

    option: the one that is wrong.
    """
    unit = contest.unit
    if first + games > unit.limit:
        go = f"{many(games, unit.one, unit.many)} from {first} on {'goes' if games == 1 else 'go'}"
        what = f"{go} beyond the last number; use numbers up to {unit.limit - 1}"
        raise BadInput(f"{option}: {what}")


FEW = 1000
"""Games up to which the machine of `transitions` is stepped if no engine is chosen."""


def read_games(contest: Contest, file: str) -> Sequence[Any]:
    """The decks of an input. Raises BadInput, which lists all invalid lines.

    file: its name, or `-` for standard input. Of many games of the plain format only the card codes are kept.
    """
    if contest.is_plain:
        return read_decks(contest.kind.deck_format(), read_blocks(file), source_name(file), usual_reader)
    found: Sequence[Any] = contest.read(*read_text(file))
    return found


def usual_reader(reader: DeckReader) -> Usual | None:
    """What reads many games by machine code, where that is installed."""
    if (reader.announced or 0) <= FEW or why_no_compiler():
        return None
    from maumau.kernels.bulk.text import DeckText

    return partial(DeckText(reader.format).open, reader.by_lines)


class EngineChoice(NamedTuple):
    """How the decks of an input are played: by which policies, whose random players roll the dice of games `first`, ...
    of `seed`; and by which engine.

    is_compiled: whether machine code plays. why: what -v says of the engine.
    """

    policies: list[str]
    seed: int
    first: int
    is_compiled: bool
    why: str


def chosen_engine(
    contest: Contest, dealt: Sequence[Any], engine: str, policies: str, seed: int, first: int, stepped: str = ""
) -> EngineChoice:
    """How the decks of an input are played. Raises BadInput for numbers, policies and engines that cannot be.

    engine: `auto`, `machine` or `compiled`. stepped: for what the machine is stepped unless an engine is chosen.
    """
    check_numbers(contest, first, len(dealt))
    chosen = chosen_policies(policies)
    tables = set(dealt.players) if isinstance(dealt, Decks) else {each.players for each in dealt}
    check_seats(contest.kind, tables, chosen, compiled=engine == "compiled")
    if engine == "compiled":
        with refusing("--engine"):
            require_compiler()
        return EngineChoice(chosen, seed, first, True, "machine code")
    reason = "" if engine == "auto" else "as chosen"
    if not reason and stepped:
        reason = f"for {stepped}"
    if not reason and len(dealt) <= FEW:
        reason = f"for up to {FEW:,} {contest.unit.many}"
    if not reason and (missing := why_no_compiler()):
        reason = f"because {missing}"
    if not reason:
        try:
            check_seats(contest.kind, tables, chosen, compiled=True)
        except BadInput as error:
            reason = f"because {error}"
    return EngineChoice(chosen, seed, first, not reason, f"the stepped machine, {reason}" if reason else "machine code")


def played_games(contest: Contest, dealt: Sequence[Any], chosen: EngineChoice) -> Iterator[Transcript]:
    """Play decks in order. Raises BadInput for what policies do wrong."""
    given = contest.kind, dealt, chosen.policies, chosen.seed, chosen.first, contest.target
    if not chosen.is_compiled:
        from fsm.match.transcript import play_stepped

        with refusing():  # what functions of users do wrong
            yield from play_stepped(*given)
    else:
        from maumau.kernels.bulk.transcripts import play_compiled

        yield from play_compiled(*given, notify)


def replayed_games(contest: Contest, data: bytes, source: str, with_faults: bool = False) -> list[Any]:
    """The games of the records in `data`, one a line. Raises BadInput, which lists all invalid lines.

    They must have been played with the house rules of the game, if it has any. with_faults: whether they may be
    counterexamples.
    """
    from fsm.records import RecordError, read_record, replay_transcript

    if with_faults:
        from fsm.records.counterexamples import replay_any
    replay = replay_any if with_faults else replay_transcript
    refuse_given(f"has no effect: {source} has records of games that have been played; leave it out", *PLAYING)
    named = given_options().get("--game")
    found, faults = [], []
    for number, line in enumerate(decoded(data, source).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = read_record(line)
            _check_game(record, named)
            found.append(replay(record, contest))
        except RecordError as error:
            faults.append(f"{source}:{number}: {error}")
    if not found and not faults:
        faults.append(f"{source}:1: the input is empty; give a record of a {contest.unit.one} on each line")
    if faults:
        raise BadInput("\n".join(faults))
    return found


def _check_game(record: object, named: str | None) -> None:
    """Raise RecordError if a record is of another game than that of --game, if it is given."""
    if named is None or not isinstance(record, dict):
        return
    from fsm.records import RecordError

    kind = game_class(named)
    expected = (kind.plain or kind).declaration.name
    if record.get("game") != expected:
        raise RecordError(
            f"game: {shown(record.get('game'))} is not the game of --game, {shown(expected)}; use records of one game"
        )


def played_game(contest: Contest, file: str, number: int, policies: str, seed: int) -> Any:
    """The game of this number, from 0, of `file`: of its records, or counterexamples, or else played by the policies.

    Raises BadInput, which lists all invalid lines.
    """
    data, source = read_source(file)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):  # records, not decks
        records = replayed_games(contest, data, source, with_faults=True)
        with refusing("--number"):
            return contest.nth(records, number, source)
    games = contest.read(decoded(data, source), source)
    with refusing("--number"):
        dealt = [contest.nth(games, number, source)]
    return next(played_games(contest, dealt, chosen_engine(contest, dealt, "machine", policies, seed, number)))
