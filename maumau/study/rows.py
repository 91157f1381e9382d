"""The Parquet file of a chunk: one row per game; its footer contains the origin of the rows, their counts, a checksum.

Columns: number (of the game), seating (its index, from 0), ending, winner (seat from 1, null for none), turns, laid,
taken, reshuffles, and score_1, score_2, ... (points left or gains). In a comparison of rules, `rules` is in place of
seating: 0, or 1 for the other rules. In a study of matches a row is a match: rounds follows the winner, the other
numbers are sums over the rounds, and the scores are the totals. Types are as narrow as the bounds of their values
allow: a game may take any number of turns, but no hand is worth more points than the deck. Equal chunks give equal
bytes with the same version of pyarrow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from fsm.registry import game_class
from maumau.agents.arrays import Array, np
from maumau.kernels.bulk.matches import MatchResults
from maumau.kernels.compiler.results import MEASURED, Results
from maumau.study.counts import Counts
from maumau.study.errors import Damaged, StudyError, require
from maumau.study.identity import identity, known_now, rules_of
from maumau.study.spec import OPTIONAL, Chunk, StudySpec

FOOTER, CHECKSUM = b"maumau.chunk", b"maumau.sha256"
"""The keys in a file's footer: of its description as JSON, and of the SHA-256 of that text."""
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""Exceptions that reading damaged bytes may raise, besides pyarrow's own errors."""


def require_parquet() -> None:
    """Raise StudyError, which names what to install, unless pyarrow is installed."""
    require("study", "keeping games", "pyarrow")


def origin_of(spec: StudySpec, chunk: Chunk) -> dict[str, Any]:
    """Everything that determines the rows of a chunk, as plain data."""
    return {
        "game": spec.game,
        "players": spec.players,
        "seed": spec.seed,
        "policies": list(spec.policies),
        "rotate": spec.rotate,
        **{name: value for name, value in spec.as_json().items() if name in OPTIONAL},
        **rules_of(identity(*spec.game_names, policies=spec.policies)),
        **{"chunk": chunk.number, "first": chunk.first, "games": chunk.games},
    }


def file_of(spec: StudySpec, chunk: Chunk, results: Sequence[Results], counts: Counts) -> bytes:
    """The bytes of a chunk's file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    footer = json.dumps({**origin_of(spec, chunk), "counts": counts.as_json()}, separators=(",", ":")).encode()
    columns = dict(columns_of(spec, chunk, results))
    table = pa.table(columns)
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
        write_statistics=["number", "ending"],
    ) as writer:
        writer.write_table(table, row_group_size=1 << 20)
        writer.add_key_value_metadata({FOOTER: footer, CHECKSUM: sha256(footer).hexdigest().encode()})
    data: bytes = sink.getvalue().to_pybytes()
    return data


def content_of(data: bytes) -> tuple[Mapping[str, Any], Counts]:
    """The content of the footer of a file, given the file's bytes: the origin of the rows, and their counts.

    Raises Damaged without the file's name.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        known = pq.read_metadata(pa.BufferReader(data)).metadata or {}
        footer = known[FOOTER]
        if known[CHECKSUM] != sha256(footer).hexdigest().encode():
            raise Damaged("the checksum of its footer does not match")
        origin = json.loads(footer)
        counts = Counts.from_json(origin.pop("counts"))
    except (*_UNREADABLE, pa.ArrowException):
        raise Damaged("its footer cannot be read") from None
    return known_now(origin), counts


def columns_of(spec: StudySpec, chunk: Chunk, results: Sequence[Results]) -> Iterator[tuple[str, Any]]:
    """The columns by name; the rows of each play follow those of the previous one."""
    import pyarrow as pa

    def column(name: str, dtype: type) -> Array:
        return np.concatenate([played.games[name] for played in results], dtype=dtype, casting="unsafe")

    numbers = np.arange(chunk.first, chunk.first + chunk.games, dtype=np.int64)
    yield "number", np.tile(numbers, len(results))
    yield (
        "seating" if spec.compared_with is None else "rules",
        np.repeat(np.arange(len(results), dtype=np.uint8), chunk.games),
    )
    endings = [str(end) for end in spec.endings if end]
    yield "ending", pa.DictionaryArray.from_arrays(column("ending", np.int8) - 1, endings)
    winner = column("winner", np.uint8) + np.uint8(1)
    yield "winner", pa.array(winner, mask=winner == 0)
    game = game_class(spec.game).declaration
    if game.shares_wins if spec.target is None else game.scoring.sides:
        masks = column("winners", np.int16).tolist()
        each = [[seat + 1 for seat in range(spec.players) if mask >> seat & 1] for mask in masks]
        yield "winners", pa.array(each, pa.list_(pa.uint8()))
    if spec.target is not None:
        yield "rounds", np.concatenate([played.rounds for played in results if isinstance(played, MatchResults)])
    for name in MEASURED:
        yield name, column(name, np.uint32)
    score_type = _score_type(spec, results)
    for seat in range(spec.players):
        scores = [played.scores[:, seat] for played in results]
        yield f"score_{seat + 1}", np.concatenate(scores, dtype=score_type, casting="unsafe")


def _score_type(spec: StudySpec, results: Sequence[Results]) -> type:
    """The type of the columns of scores. Raises StudyError for scores that the game does not declare."""
    if spec.target is not None:
        return np.int32
    if game_class(spec.game).declaration.scoring.below_zero:
        return np.int16
    if (least := min(played.scores.min() for played in results)) < 0:
        raise StudyError(f"{spec.game}: a score of {least}, expected Scoring(below_zero=True) in the declaration")
    return np.uint16
