"""Reads and plays the games of a command: from decks in the problem's format, or from records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fsm.edge.numbers import bounds
from fsm.match.setup import SeriesUnit, unit_of
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import check_seats, chosen_policies, chosen_target, refusing
from maumau.cli.commands.games import PLAYING
from maumau.cli.interrupt import BadInput
from maumau.cli.options import given_options, refuse_given
from maumau.cli.output import notify, read_blocks, read_source, read_text, source_name
from maumau.kernels.compiler.machine_code import require_compiler, why_no_compiler
from rules.blocks import Usual, read_decks
from rules.deck_format import DeckFormat, DeckReader, Decks
from rules.notation import shown
from rules.reading import decoded

if TYPE_CHECKING:
    from fsm.match.transcript import Transcript
    from fsm.records.counterexamples import Shown

T = TypeVar("T")


class Contest(NamedTuple):
    """What a command plays: series of rounds, games of one round each or matches to a target.

    kind: the class of the game. target: of the matches; None for games. read: the decks of an input (text, source).
    deal: the case of the input for a game or match (players, seed, number).
    """

    kind: type[Game]
    target: int | None
    read: Callable[[str, str], Sequence[Any]]
    deal: Callable[[int, int, int], str]

    @property
    def unit(self) -> SeriesUnit:
        """What is counted: games or matches."""
        return unit_of(self.target)

    @property
    def is_plain(self) -> bool:
        """Whether decks are read and written by the format of the game: no class has replaced `read` or `write`."""
        own = (getattr(self.kind, name).__func__ is getattr(Game, name).__func__ for name in ("read", "write"))
        is_own = type(self.kind.deck_format()).read_games is DeckFormat.read_games
        return self.target is None and all(own) and is_own

    @property
    def is_plain_text(self) -> bool:
        """Whether they are, with names of plain letters."""
        return self.is_plain and "".join(self.kind.declaration.codec.notation.cards).isascii()

    def replayed(self, record: object) -> Transcript:
        """What a record tells, which must be of the same house rules, if there are any."""
        from fsm.match.stepped import Match
        from fsm.match.transcript import Transcript
        from fsm.records import replay

        of: Any = Game if self.target is None else Match
        return Transcript.of(replay(record, self.kind.rules or None, of=of))


def contest_of(game: str, is_match: bool = False, target: int | None = None) -> Contest:
    """What a command plays. Raises BadInput for a target that cannot be."""
    kind = game_class(game)
    goal = chosen_target(kind, is_match, target)
    if goal is None:
        return Contest(kind, None, kind.read, lambda *game: kind.write(game[0], kind.deck_of(*game)))
    from fsm.match.dealt import deal_match, read_matches

    return Contest(kind, goal, partial(read_matches, kind), partial(deal_match, kind))


def check_numbers(contest: Contest, first: int, games: int, option: str = "--number") -> None:
    """Raise BadInput if the numbers of `games` games, or matches, from `first` on exceed the limit.

    option: the one that is wrong.
    """
    _, many, limit, _ = contest.unit
    if first + games > limit:
        what = f"{games} {many} from {first} on go beyond the last number; use numbers up to {limit - 1}"
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

    return DeckText(reader.format).usual(by_lines=reader.by_lines)


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


def replayed_games(contest: Contest, data: bytes, source: str, replayed: Callable[[Any], T]) -> list[T]:
    """The games of the records in `data`, one a line. Raises BadInput, which lists all invalid lines.

    They must have been played with the house rules of the game, if it has any. replayed: what a record tells.
    """
    from fsm.records import RecordError, read_record

    refuse_given(f"has no effect: {source} has records of games that have been played; leave it out", *PLAYING)
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
        return nth(contest, replayed_games(contest, data, source, partial(_shown, contest)), number, source)
    dealt = [nth(contest, contest.read(decoded(data, source), source), number, source)]
    return next(played_games(contest, dealt, chosen_engine(contest, dealt, "machine", policies, seed, number)))


def _shown(contest: Contest, record: Any) -> Transcript | Shown:
    """What a record tells, also that of a counterexample."""
    from fsm.records.counterexamples import COUNTEREXAMPLE, replay_counterexample

    if contest.target is None and isinstance(record, dict) and record.get("format") == COUNTEREXAMPLE:
        return replay_counterexample(record, contest.kind.rules or None)
    return contest.replayed(record)


def nth(contest: Contest, games: Sequence[T], number: int, source: str) -> T:
    """The game, or the match, of this number, from 0 on. Raises BadInput."""
    if number >= len(games):
        expected = bounds(0, len(games) - 1)
        raise BadInput(
            f"--number: {number} is out of range; use {expected}, since {source} has no more {contest.unit.many}"
        )
    return games[number]
