"""Recounts the rows of a chunk and compares the result with the counts in its footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.kernels.bulk.matches import MatchResults
from maumau.kernels.compiler.results import MEASURED, Results, blank_rows
from maumau.study.counts import Counts
from maumau.study.errors import Damaged
from maumau.study.playing import count
from maumau.study.rows import columns_of
from maumau.study.spec import Chunk, StudySpec
from rules.ending import WON

if TYPE_CHECKING:
    from pyarrow import Table

    from maumau.kernels.compiler.results import Array

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
    rows, scores = blank_rows(len(table), spec.players)
    rows["ending"] = _endings(spec, table)
    rows["winner"] = _winners(table, spec.players, rows["ending"])
    for name in MEASURED:
        rows[name] = _column(table, name)
    for seat in range(spec.players):
        scores[:, seat] = _column(table, f"score_{seat + 1}")
    parts = [slice(start, start + chunk.games) for start in range(0, len(table), chunk.games)]
    if spec.target is None:
        return [Results(rows[part], scores[part], counted={}, used={}) for part in parts]
    played = _column(table, "rounds")
    return [MatchResults(rows[part], scores[part], counted={}, used={}, rounds=played[part]) for part in parts]


def _column(table: Table, name: str) -> Array:
    """A column of numbers. Raises Damaged if some are missing."""
    if table[name].null_count:
        raise Damaged(f"its column {name} has rows without a number")
    column: Array = table[name].to_numpy()
    return column


def _endings(spec: StudySpec, table: Table) -> Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pa.array([str(end) for end in spec.endings if end])
    indices = pc.index_in(table["ending"].cast(pa.string()), names)
    if indices.null_count:
        raise Damaged("its column ending contains an unknown ending")
    endings: Array = indices.to_numpy() + 1
    return endings


def _winners(table: Table, players: int, endings: Array) -> Array:
    """The seats of the winners, from 0, -1 for none."""
    winners: Array = table["winner"].fill_null(0).to_numpy().astype(int) - 1
    if (winners >= players).any() or ((winners >= 0) != (endings == WON)).any():
        raise Damaged("its column winner contains an impossible winner")
    return winners


def _check_range(results: list[Results], stated: Counts) -> None:
    """Raise Damaged for a number outside the counts, before memory is allocated for a histogram and written to."""
    for index, played in enumerate(results):
        columns = {name: (played.games[name], "") for name in MEASURED}
        columns |= {f"score {seat + 1}": (column, f"loss {seat + 1}") for seat, column in enumerate(played.scores.T)}
        if isinstance(played, MatchResults):
            columns["rounds"] = played.rounds, ""
        for name, (column, losses) in columns.items():
            above, below = (max(1, len(stated.row(f"{index}/{row}"))) for row in (name, losses))
            if not -below < int(column.min()) <= int(column.max()) < above:
                raise Damaged(f"its column {name.replace(' ', '_')} exceeds the range of the counts in its footer")


def _known(counts: Counts) -> Counts:
    """The counts that can be computed from the rows."""
    sums = {name: row for name, row in counts.sums.items() if name.rpartition("/")[2] not in NOT_IN_ROWS}
    return Counts(sums, counts.unwon)
