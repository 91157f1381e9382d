"""Plays and counts the games of chunks, in threads of this process; maumau.study.cluster has other workers.

The Parquet file of a chunk has one row per game; its footer contains the origin of the rows, their counts, a checksum.
Columns: number (of the game), seating (its index, from 0), ending, winner (seat from 1, null for none), turns, laid,
taken, reshuffles, and score_1, score_2, ... (points left or gains). In a comparison of rules, `rules` is in place of
seating: 0, or 1 for the other rules. In a study of matches a row is a match: rounds follows the winner, the other
numbers are sums over the rounds, and the scores are the totals. Types are as narrow as the bounds of their values
allow, and scores are wider in a chunk where one needs it. Equal chunks give equal bytes with the same version of
pyarrow.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from hashlib import sha256
from math import isqrt
from threading import Event
from typing import Any, NamedTuple, Protocol

from fsm.declaration.declaration import Declaration
from fsm.edge.extras import Later
from fsm.edge.numbers import Array, Notify, np, thread_count
from fsm.registry import game_class
from maumau.kernels.bulk.by_value import histograms, prepare_counts, write_columns
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.kernels.compiled.results import MEASURED
from maumau.kernels.compiler.machine_code import GRACE
from maumau.kernels.compiler.program import Results
from maumau.study.counts import LISTED, Counts, Unwon, lowest, paired, paired_rules
from maumau.study.identity import identity, rows_in, rules_of
from maumau.study.spec import OPTIONAL, Chunk, Damaged, StudySpec, Unplayable
from rules.cards import bits
from rules.errors import raised_as

FOOTER, CHECKSUM = b"maumau.chunk", b"maumau.sha256"
"""The keys in a file's footer: of its description as JSON, and of the SHA-256 of that text."""
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""Exceptions that reading damaged bytes may raise, besides pyarrow's own errors."""


def origin_of(spec: StudySpec, chunk: Chunk) -> dict[str, Any]:
    """Everything that determines the rows of a chunk, as plain data."""
    return {
        "game": spec.game,
        "players": spec.players,
        "seed": spec.seed,
        "policies": list(spec.policies),
        "rotate": spec.rotate,
        **{name: value for name, value in spec.as_json().items() if name in OPTIONAL},
        **rules_of(made_with := identity(*spec.game_names, policies=spec.policies)),
        **rows_in(made_with),
        **{"chunk": chunk.number, "first": chunk.first, "games": chunk.games},
    }


def file_of(spec: StudySpec, chunk: Chunk, results: Sequence[Results], counts: Counts) -> bytes:
    """The bytes of a chunk's file."""
    footer = json.dumps({**origin_of(spec, chunk), "counts": counts.as_json()}, separators=(",", ":")).encode()
    columns = dict(columns_of(spec, chunk, results))
    table = pa.table(columns)
    fields = [field.with_nullable(field.name == "winner") for field in table.schema]
    table = pa.Table.from_arrays(table.columns, schema=pa.schema(fields))
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=["ending"],
        column_encoding={name: "BYTE_STREAM_SPLIT" for name in columns if name not in ("number", "ending")}
        | {"number": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
        write_statistics=["number"],
        write_batch_size=1 << 15,
    ) as writer:
        writer.write_table(table, row_group_size=1 << 20)
        writer.add_key_value_metadata({FOOTER: footer, CHECKSUM: sha256(footer).hexdigest().encode()})
    return bytes(sink.getvalue())


def most_bytes(spec: StudySpec, chunk: Chunk) -> int:
    """Return how many bytes the file of a chunk has at most: 64 MB, and eight for each number of each row."""
    numbers = 8 + len(MEASURED) + 2 * spec.players
    return (64 << 20) + 8 * numbers * chunk.games * len(spec.plays)


def content_of(data: bytes) -> tuple[Mapping[str, Any], Counts]:
    """The content of the footer of a file, given the file's bytes: the origin of the rows, and their counts.

    Raises Damaged without the file's name.
    """
    try:
        known = pq.read_metadata(pa.BufferReader(data)).metadata or {}
        footer = known[FOOTER]
        if known[CHECKSUM] != sha256(footer).hexdigest().encode():
            raise Damaged("the checksum of its footer does not match")
        origin = json.loads(footer)
        counts = Counts.from_json(origin.pop("counts"))
    except (*_UNREADABLE, pa.ArrowException):
        raise Damaged("its footer cannot be read") from None
    return origin, counts


def columns_of(spec: StudySpec, chunk: Chunk, results: Sequence[Results]) -> Iterator[tuple[str, Any]]:
    """The columns by name; the rows of each play follow those of the previous one."""

    shape = len(results), chunk.games
    endings, winners = np.empty(shape, np.int8), np.empty(shape, np.uint8)
    measures = np.empty((len(results), len(MEASURED), chunk.games), np.uint32)
    points = np.empty((len(results), spec.players, chunk.games), np.int32)
    for index, played in enumerate(results):
        write_columns(played, endings[index], winners[index], measures[index], points[index])
    numbers = np.arange(chunk.first, chunk.first + chunk.games, dtype=np.int64)
    yield "number", np.tile(numbers, len(results))
    yield (
        "seating" if spec.compared_with is None else "rules",
        np.repeat(np.arange(len(results), dtype=np.uint8), chunk.games),
    )
    names = [str(end) for end in spec.unit.endings if end]
    yield "ending", pa.DictionaryArray.from_arrays(endings.ravel() - 1, names)
    won = np.packbits(winners != 0, bitorder="little")
    yield "winner", pa.Array.from_buffers(pa.uint8(), winners.size, [pa.py_buffer(won), pa.py_buffer(winners)])
    game = game_class(spec.game).declaration
    if game.shares_wins if spec.target is None else game.scoring.sides:
        masks = np.concatenate([played.games["winners"] for played in results]).tolist()
        each = [[seat + 1 for seat in bits(mask)] for mask in masks]
        yield "winners", pa.array(each, pa.list_(pa.uint8()))
    if spec.target is not None:
        yield "rounds", np.concatenate([played.rounds for played in results])
    for index, name in enumerate(MEASURED):
        yield name, measures[:, index].ravel()
    scores: Array = points.astype(_score_type(spec, points))
    for seat in range(spec.players):
        yield f"score_{seat + 1}", scores[:, seat].ravel()


def _score_type(spec: StudySpec, points: Array) -> type:
    """The type of the columns of scores: of 16 bits for games whose scores fit."""
    least, most = points.min(), points.max()
    narrow = np.iinfo(np.int16 if least < 0 else np.uint16)
    fits = spec.target is None and narrow.min <= least and most <= narrow.max
    return narrow.dtype.type if fits else np.int32


pa: Any = Later("pyarrow")
pq: Any = Later("pyarrow.parquet")

POINTS = 1_000_000
"""Points of a seat, at most: a study has a histogram of them, with a number for each value."""


def play(spec: StudySpec, chunk: Chunk, stop: Event | None = None) -> list[Results]:
    """The games or matches of a chunk, once for each play, in one thread.

    stop: ends the call early, which raises Stopped. Raises Unplayable for what a policy must not choose, and for scores
    that are too large to be counted by value.
    """
    with raised_as(Unplayable):  # IllegalMove, OutsideError, ScoreError
        found = [runner.play(None, chunk.first, chunk.games, threads=1, stop=stop) for runner in _runners(spec, None)]
    for (game, _), played in zip(spec.plays, found, strict=True):
        _check_scores(spec, game, chunk, played.scores)
    return found


def _check_scores(spec: StudySpec, game: str, chunk: Chunk, scores: Array) -> None:
    """Raise Unplayable for scores that are too large for histograms, or for exact sums where something is compared."""
    most, where, remedy = POINTS, "a study", "count in larger units"
    if len(spec.plays) > 1:  # the squares of the points of all seats in all plays of a chunk are added up in 64 bits
        exact = isqrt((2**63 - 1) // chunk.games) // (spec.players * len(spec.plays))
        if exact < most:
            most, where = exact, f"chunks of {chunk.games:,} {spec.unit.many}"
            remedy = f"use smaller chunks, or {remedy}"
    if scores.min() < -most or scores.max() > most:
        row, seat = np.argwhere(np.abs(scores) > most)[0].tolist()
        raise Unplayable(
            f"{game}: {spec.unit.one} {chunk.first + row}: player {seat + 1} has {scores[row, seat]:,} points, outside"
            f" {-most:,} to {most:,} in {where}; {remedy}"
        )


def prepare(spec: StudySpec, notify: Notify | None = None) -> None:
    """Compile the kernels of a study. notify: called before a compilation that takes seconds."""
    for runner in _runners(spec, notify):
        runner.prepare(spec.cut(0).games)
        if isinstance(runner, Runner):
            runner.prepare_dealing(spec.cut(0).games)
    prepare_counts()


def count(spec: StudySpec, chunk: Chunk, results: Sequence[Results]) -> Counts:
    """The counts of a chunk."""
    sums: dict[str, Array] = {}
    unwon: list[Unwon] = []
    for index, played in enumerate(results):
        found = histograms(played)
        if played.rounds is not None:
            found["rounds"] = np.bincount(played.rounds)
        sums |= _named(index, found, played.counted, played.used)
        endings = played.games["ending"]
        unwon += _unwon(chunk, index, np.where(endings == spec.unit.endings.WON, 0, endings))
    sums |= paired(spec, results) if spec.compared_with is None else paired_rules(spec, results)
    return Counts(sums, lowest(unwon))


def count_alone(spec: StudySpec, chunk: Chunk, stop: Event | None = None) -> Counts | None:
    """Play the games of a chunk and count them, where lanes count results by value and nobody asks for more; else None.

    stop: as of `play`. Raises Unplayable.
    """
    runner, *others = _runners(spec, None)
    if others or not isinstance(runner, Runner):
        return None
    with raised_as(Unplayable):
        played = runner.by_value(chunk.first, chunk.games, threads=1, stop=stop)
    if played is None:
        return None
    sums = _named(0, played.histograms, played.counted, played.used)
    return Counts(sums, lowest(_unwon(chunk, 0, played.endings)))


def _named(
    index: int, found: Mapping[str, Array], counted: Mapping[Any, int] | None, used: Mapping[str, int] | None
) -> dict[str, Array]:
    """The sums of a play, by name. index: of the play. found: its histograms. counted, used: as of `Results`."""
    assert counted is not None
    assert used is not None
    events = {"arcs": counted.values(), "rules": used.values()}
    rows = {**found, **{name: np.array(list(numbers), np.int64) for name, numbers in events.items()}}
    return {f"{index}/{name}": row for name, row in rows.items()}


def _unwon(chunk: Chunk, index: int, endings: Array) -> list[Unwon]:
    """The first games of a play without a winner, by ending. endings: of all its games, 0 for those with a winner."""
    places = (endings != 0).nonzero()[0]
    found = endings[places]
    return [
        Unwon(ending, chunk.first + place, index)
        for ending in np.unique(found).tolist()
        for place in places[found == ending][:LISTED].tolist()
    ]


def _runners(spec: StudySpec, notify: Notify | None) -> Iterator[Runner | SteppedRunner]:
    for name, policies in spec.plays:
        yield runner_of(game_class(name).declaration, spec.players, policies, spec.seed, True, notify, spec.target)


def runner_of(
    game: Declaration,
    players: int,
    policies: Sequence[str],
    seed: int,
    tally: bool,
    notify: Notify | None,
    target: int | None = None,
) -> Runner | SteppedRunner:
    """Return what plays games of these policies, or matches. tally: whether arcs and decision rules are counted.
    target: that of the matches; None for games.
    """
    where = game, players, policies, seed
    if any(policy.is_computed for policy in game.seated(players, policies)):
        return SteppedRunner(*where, notify, target=target)
    return Runner(*where, tally, False, notify, target)


class PlayedChunk(NamedTuple):
    """A chunk that was played: its counts, and the bytes of its file if requested."""

    chunk: Chunk
    counts: Counts
    file: bytes | None


class Workers(Protocol):
    """Plays chunks."""

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        """Play `chunks` and yield each when it is completed, in any order. Closing the generator ends the work."""


def play_chunk(spec: StudySpec, chunk: Chunk, with_file: bool, stop: Event | None = None) -> PlayedChunk:
    """Play and count one chunk. with_file: make its file as well. stop: ends the call early, which raises Stopped."""
    if not with_file and (alone := count_alone(spec, chunk, stop)):
        return PlayedChunk(chunk, alone, None)
    results = play(spec, chunk, stop)
    counts = count(spec, chunk, results)
    return PlayedChunk(chunk, counts, file_of(spec, chunk, results, counts) if with_file else None)


class Threads:
    """Threads of this process, in which kernels run in parallel.

    number: of threads, by default one per core. Raises TypeError or ValueError for what is not a number of threads.
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = thread_count(number)

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        """Play `chunks`. One more than there are threads is submitted, so no thread is idle."""
        pool, stop = ThreadPoolExecutor(self.number), Event()
        running: set[Future[PlayedChunk]] = set()
        try:
            while True:
                for chunk in chunks:
                    running.add(pool.submit(play_chunk, spec, chunk, with_file, stop))
                    if len(running) > self.number:
                        break
                if not running:
                    return
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        finally:
            end(pool, stop, running)


def end(pool: ThreadPoolExecutor, stop: Event, running: Iterable[Future[Any]]) -> None:
    """End the work of a pool: no more is begun, and what is `running` and does not end soon is left to itself.

    stop: what the work asks in between, whether it is to end.
    """
    stop.set()
    pool.shutdown(wait=False, cancel_futures=True)
    wait(running, GRACE)
