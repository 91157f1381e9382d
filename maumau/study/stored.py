"""Reads the Parquet file of a chunk (maumau.study.rows): types and shapes are checked before any value is used.

The expected ones are those of a chunk without games, counted and written as every other. Counts must be those that some
games can have, so that every report can be computed from them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.declaration.functions import rule_names
from fsm.registry import game_class
from maumau.kernels.bulk.match_source import blank_matches
from maumau.kernels.bulk.matches import MatchResults
from maumau.kernels.compiler.results import Results
from maumau.study.counts import LISTED, Counts, Unwon
from maumau.study.errors import Damaged
from maumau.study.identity import known_now
from maumau.study.paired import CHANGED
from maumau.study.playing import count
from maumau.study.rows import CHECKSUM, FOOTER, columns_of
from maumau.study.spec import Chunk, StudySpec
from rules.ending import WON
from rules.notation import named, shown

if TYPE_CHECKING:
    from pyarrow import Schema, Table

_NO_GAMES = Chunk(0, 0, 0)
LIMIT = 1 << 63
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""Exceptions that reading damaged bytes may raise, besides pyarrow's own errors."""


class Content(NamedTuple):
    """The content of a footer: the origin of the rows (`maumau.study.rows.origin_of`), and their counts as
    plain data.
    """

    origin: Mapping[str, Any]
    counts: Any


def content_of(data: bytes) -> Content:
    """The content of the footer of a file, given the file's bytes. Raises Damaged without the file's name."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        known = pq.read_metadata(pa.BufferReader(data)).metadata or {}
        footer = known[FOOTER]
        if known[CHECKSUM] != sha256(footer).hexdigest().encode():
            raise Damaged("the checksum of its footer does not match")
        origin = json.loads(footer)
        counts = origin.pop("counts")
        return Content(known_now(origin), counts)
    except (*_UNREADABLE, pa.ArrowException):
        raise Damaged("its footer cannot be read") from None


def table_of(spec: StudySpec, chunk: Chunk, data: bytes) -> Table:
    """The rows of a chunk's file, given its bytes; the checksum of each page is checked.

    Raises Damaged if they cannot be read, or if their number, columns or types are not those of the chunk.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        _check_columns(file.schema_arrow, _schema(spec))
        if file.metadata.num_rows != (rows := chunk.games * len(spec.plays)):
            raise Damaged(f"it has {file.metadata.num_rows} rows, expected {rows}")
        return file.read()
    except (*_UNREADABLE, pa.ArrowException):
        raise Damaged("its rows cannot be read") from None


def counts_of(spec: StudySpec, chunk: Chunk, plain: object) -> Counts:
    """The counts of a chunk from the output of `as_json`. Raises Damaged unless some games can have these counts."""
    import numpy as np

    sums, unwon = _parts(plain)
    lengths = _lengths(spec)
    losses = {_losses(name) for name in lengths}
    _require(lengths.keys() <= sums.keys() <= lengths.keys() | losses, "other rows than those of the study")
    for name, row in sums.items():
        _check_row(name, row, lengths.get(name, 0))
        if _is_product(name):
            _require(_are_products(chunk.games, row), f"{name} that are no sums of figures and of their products")
    for name in (name for name, length in lengths.items() if not length):
        counted = sum(sums[name]) + (sum(sums.get(_losses(name), ())) if _losses(name) != name else 0)
        _require(counted == chunk.games, f"{counted} games in {name} in place of {chunk.games}")
    _check_endings(spec, chunk, sums, unwon)
    return Counts({name: np.array(row, np.int64) for name, row in sums.items()}, tuple(unwon))


# ---------------------------------------------------------------- a chunk without games


@cache
def _schema(spec: StudySpec) -> Schema:
    """The columns of the rows and their types."""
    import pyarrow as pa

    return pa.table(dict(columns_of(spec, _NO_GAMES, _no_results(spec)))).schema


@cache
def _lengths(spec: StudySpec) -> Mapping[str, int]:
    """The rows of the counts and their lengths: 0 for histograms, which are as long as their largest value."""
    return {name: len(row) for name, row in count(spec, _NO_GAMES, _no_results(spec)).sums.items()}


def _no_results(spec: StudySpec) -> list[Results]:
    """The results of no games, for each play."""
    games = [game_class(play.game).declaration for play in spec.plays]
    rows, scores, rounds = blank_matches(0, spec.players)
    counted = [(dict.fromkeys(game.counters, 0), dict.fromkeys(rule_names(game), 0)) for game in games]
    if spec.target is None:
        return [Results(rows, scores, *each) for each in counted]
    return [MatchResults(rows, scores, *each, rounds=rounds) for each in counted]


# ---------------------------------------------------------------- columns


def _check_columns(there: Schema, expected: Schema) -> None:
    """Raise Damaged for columns of other names or types."""
    if there.names != expected.names:
        names = shown(", ".join(there.names), 160)
        raise Damaged(f"its columns are {names}, expected {', '.join(expected.names)}")
    for column, known in zip(there, expected, strict=True):
        if column.type != known.type:
            raise Damaged(f"its column {known.name} is of type {shown(str(column.type), 80)}, expected {known.type}")


# ---------------------------------------------------------------- counts


def _require(holds: bool, found: str) -> None:
    """Raise Damaged with what was found in the counts unless a condition holds."""
    if not holds:
        raise Damaged(f"the counts in its footer have {found}")


def _parts(plain: object) -> tuple[Mapping[str, list[int]], list[Unwon]]:
    """The rows by name, which are to be checked, and the games without a winner."""
    if not (isinstance(plain, dict) and plain.keys() == {"sums", "unwon"}):
        raise Damaged("its footer cannot be read")
    sums, unwon = plain["sums"], plain["unwon"]
    _require(isinstance(sums, dict), "no rows by name")
    listed = isinstance(unwon, list) and all(_are_whole(game) and len(game) == len(Unwon._fields) for game in unwon)
    _require(listed, "games without a winner that are not three whole numbers each")
    return sums, [Unwon(*game) for game in unwon]


def _are_whole(row: object) -> bool:
    """Whether plain data is a list of 64-bit integers."""
    return isinstance(row, list) and all(type(each) is int and -LIMIT <= each < LIMIT for each in row)


def _is_product(name: str) -> bool:
    """Whether a row has sums of figures and of their products (maumau.study.paired), which may be below zero."""
    return name != CHANGED and not name.partition("/")[0].isdecimal()


def _losses(name: str) -> str:
    """The histogram of the values below zero that may belong to one of scores."""
    return name.replace("/score ", "/loss ")


def _check_row(name: str, row: list[int], length: int) -> None:
    """Raise Damaged unless a row has `length` integers, or any number of them for 0; counts are not below zero."""
    _require(_are_whole(row), f"{named(name)} {shown(row)} in place of a list of whole numbers")
    _require(not length or len(row) == length, f"{len(row)} numbers in {name} in place of {length}")
    _require(_is_product(name) or min(row, default=0) >= 0, f"a number below zero in {name}")


def _are_products(games: int, row: list[int]) -> bool:
    """Whether a row can have the sums of n figures of `games` games, and then those of their products, n by n."""
    figures = isqrt(len(row))
    sums, products = row[:figures], [row[start : start + figures] for start in range(figures, len(row), figures)]
    return _is_gram([[games, *sums], *([first, *rest] for first, rest in zip(sums, products, strict=True))])


def _is_gram(matrix: list[list[int]]) -> bool:
    """Whether a matrix has the inner products of some vectors: symmetric, and no pivot of an elimination below zero."""
    if not matrix:
        return True
    (pivot, *top), *rows = matrix
    if pivot < 0 or top != [row[0] for row in rows] or (pivot == 0 and any(top)):
        return False
    return _is_gram([[(pivot or 1) * x - row[0] * y for x, y in zip(row[1:], top, strict=True)] for row in rows])


def _check_endings(spec: StudySpec, chunk: Chunk, sums: Mapping[str, list[int]], unwon: list[Unwon]) -> None:
    """Raise Damaged unless every game has an ending, and who won and the games without a winner agree with them."""
    plays = range(len(spec.plays))
    for index in plays:
        ended, won = sums[f"{index}/endings"], sum(sums[f"{index}/wins"])
        _require(sum(ended) == chunk.games, f"{sum(ended)} endings in place of {chunk.games}")
        _require(won == ended[WON], f"{won} wins in place of {ended[WON]}")
    totals = enumerate(sum(column) for column in zip(*(sums[f"{index}/endings"] for index in plays), strict=True))
    listed = {ending: min(LISTED, total) for ending, total in totals if total and ending != WON}
    _require(Counter(game.ending for game in unwon) == listed, "other games without a winner than endings")
    _require(all(one < other for one, other in pairwise(unwon)), "games without a winner that are not sorted")
    for game in unwon:
        there = 0 <= game.number - chunk.first < chunk.games and game.seating in plays
        _require(there, f"game {game.number} without a winner in seating {game.seating}, which is not in the chunk")
