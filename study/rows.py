"""The file of a chunk: a row for each game as Parquet, and in its footer the chunk's counts.

Columns: number (of the game), seating (its place, from 0), ending, winner (seat from 1, null for none), turns, laid,
taken, reshuffles, and score_1, score_2, ... (points left). Types are as narrow as what they hold is bounded: a game may
take any number of turns, but no hand is worth more points than the deck. Equal chunks give equal bytes, as long as
pyarrow's version is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsm.compiler.results import MEASURED
from rules.ending import Ending
from study.counts import Counts
from study.errors import StudyError, require
from study.question import Chunk, Question

if TYPE_CHECKING:
    from fsm.compiler.results import Array, Results

KEY = b"maumau.chunk"
"""What the chunk and its counts are called in the footer."""


def require_parquet() -> None:
    """Raise StudyError, which tells what to install, without pyarrow."""
    require("study", "keeping games", "pyarrow")


def file_of(question: Question, chunk: Chunk, results: Sequence[Results], counts: Counts) -> bytes:
    """The bytes of a chunk's file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    footer = json.dumps({"chunk": list(chunk), "counts": counts.as_json()}, separators=(",", ":"))
    columns = dict(_columns(question, chunk, results))
    table = pa.table(columns).replace_schema_metadata({KEY: footer.encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=1 << 20,
        compression="zstd",
        compression_level=1,
        use_dictionary=[name for name in columns if name != "number"],
        column_encoding={"number": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    )
    data: bytes = sink.getvalue().to_pybytes()
    return data


def counts_of(path: Path, chunk: Chunk) -> Counts:
    """The counts in the footer of a chunk's file. Raises StudyError for a file that is not that chunk's."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        footer = json.loads((pq.read_schema(path).metadata or {})[KEY])
        if footer["chunk"] != list(chunk):
            raise StudyError(f"{path}: holds chunk {footer['chunk']}, expected {list(chunk)}")
        return Counts.from_json(footer["counts"])
    except (OSError, KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise StudyError(f"{path}: {error}, expected a file of games") from None


def _columns(question: Question, chunk: Chunk, results: Sequence[Results]) -> Iterator[tuple[str, Any]]:
    """The columns by name: seating after seating."""
    import numpy as np
    import pyarrow as pa

    def whole(name: str) -> Array:
        return np.concatenate([played.games[name] for played in results])

    numbers = np.arange(chunk.first, chunk.first + chunk.games, dtype=np.int64)
    yield "number", np.tile(numbers, len(results))
    yield "seating", np.repeat(np.arange(len(results), dtype=np.uint8), chunk.games)
    yield "ending", pa.DictionaryArray.from_arrays(whole("ending") - 1, [str(end) for end in Ending if end])
    winner = whole("winner")
    yield "winner", pa.array((winner + 1).astype(np.uint8), mask=winner < 0)
    for name in MEASURED:
        yield name, whole(name).astype(np.uint32)
    for seat in range(question.players):
        yield f"score_{seat + 1}", np.concatenate([played.scores[:, seat] for played in results]).astype(np.uint16)
