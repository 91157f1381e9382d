"""Recounts the rows of a chunk and compares the result with the counts in its footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsm.bulk.matches import MatchResults
from fsm.compiler.results import MEASURED, Results, blank_rows
from rules.ending import WON
from study.counts import Counts
from study.errors import Damaged
from study.playing import count
from study.rows import columns_of, play_column
from study.spec import Chunk, StudySpec

if TYPE_CHECKING:
    from pyarrow import Table

    from fsm.compiler.results import Array

NOT_IN_ROWS = ("arcs", "rules", "trails", "changed")
"""Counts that cannot be computed from the rows, only by replaying the chunk."""


def check_counts(spec: StudySpec, chunk: Chunk, table: Table, stated: Counts) -> None:
    """Raise Damaged unless the rows are the games of the chunk and give the counts in its footer."""
    import pyarrow as pa

    results = _results(spec, chunk, table)
    if not pa.table(dict(columns_of(spec, chunk, results))).equals(table):
        raise Damaged("its rows are not the games of its chunk")
    _check_range(results, stated)
    recounted = count(spec, chunk, results)
    if _known(recounted) != _known(stated):
        raise Damaged("its rows do not give the counts in its footer")


def _results(spec: StudySpec, chunk: Chunk, table: Table) -> list[Results]:
    """The results in the rows, one for each play."""
    games, seats = chunk.games, [f"score_{seat + 1}" for seat in range(spec.players)]
    rounds = ["rounds"] if spec.target is not None else []
    expected = ["number", play_column(spec), "ending", "winner", *rounds, *MEASURED, *seats]
    if table.column_names != expected or len(table) != games * len(spec.plays):
        raise Damaged(f"{len(table)} rows of {', '.join(table.column_names)}, expected {', '.join(expected)}")
    rows, scores = blank_rows(len(table), spec.players)
    rows["ending"] = _endings(spec, table)
    rows["winner"] = _winners(table, spec.players, rows["ending"])
    for name in MEASURED:
        rows[name] = table[name].to_numpy()
    for place, name in enumerate(seats):
        scores[:, place] = table[name].to_numpy()
    parts = [slice(start, start + games) for start in range(0, len(table), games)]
    if spec.target is None:
        return [Results(rows[part], scores[part], fired={}, used={}) for part in parts]
    played = table["rounds"].to_numpy()
    return [MatchResults(rows[part], scores[part], fired={}, used={}, rounds=played[part]) for part in parts]


def _endings(spec: StudySpec, table: Table) -> Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pa.array([str(end) for end in spec.endings if end])
    places = pc.index_in(table["ending"].cast(pa.string()), names)
    if places.null_count:
        raise Damaged("its column ending contains an unknown ending")
    endings: Array = places.to_numpy() + 1
    return endings


def _winners(table: Table, players: int, endings: Array) -> Array:
    """The seats of the winners, from 0, -1 for none."""
    winners: Array = table["winner"].fill_null(0).to_numpy().astype(int) - 1
    if (winners >= players).any() or ((winners >= 0) != (endings == WON)).any():
        raise Damaged("its column winner contains an impossible winner")
    return winners


def _check_range(results: list[Results], stated: Counts) -> None:
    """Raise Damaged for a number outside the counts, before memory is allocated for a histogram."""
    for place, played in enumerate(results):
        columns = {name: played.games[name] for name in MEASURED}
        if isinstance(played, MatchResults):
            columns["rounds"] = played.rounds
        for name, column in columns.items():
            if not 0 <= int(column.max()) < len(stated.row(f"{place}/{name}")):
                raise Damaged(f"its column {name} exceeds the range of the counts in its footer")


def _known(counts: Counts) -> Counts:
    """The counts that can be computed from the rows."""
    sums = {name: row for name, row in counts.sums.items() if name.rpartition("/")[2] not in NOT_IN_ROWS}
    return Counts(sums, counts.unwon)
