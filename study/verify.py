"""A study's folder verified: files are as they were written, rows come to the counts, and sampled chunks play alike.

Damage is found by the checksums, whatever bit it is in. That rows and counts are true is shown by counting the rows
again, and by playing one chunk in a hundred again, at least four.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from shlex import quote
from typing import TYPE_CHECKING

from study.counts import Counts
from study.disk import reason
from study.errors import Damaged, StudyError
from study.folder import GAMES, Folder
from study.manifest import MANIFEST
from study.playing import prepare
from study.recount import check_counts
from study.rows import content_of, require_parquet, table_of
from study.run import Progress
from study.workers import work

if TYPE_CHECKING:
    from fsm.compiler.kernel import Notify

FEWEST, ONE_IN = 4, 100
"""How many chunks are played again."""


@dataclass(frozen=True)
class Verified:
    """What was verified. faults: what is wrong, one line each, which begins with the file; none if all is well."""

    faults: tuple[str, ...]
    chunks: int = 0
    games: int = 0
    replayed: int = 0


def verify(path: Path, notify: Notify | None = None) -> Verified:
    """Verify the study in a folder; notify: called when a kernel is compiled. Raises StudyError if none lies there."""
    require_parquet()
    if not (path / MANIFEST).exists():
        if (path / GAMES).is_dir():
            return Verified((f"{path / MANIFEST}: missing, expected the manifest of a study",))
        raise StudyError(f"{path}: no study lies there, expected a folder that --out has made")
    try:
        folder = Folder.read(path)
    except StudyError as error:
        return Verified((str(error),))
    prepare(folder.spec, notify)
    return _Verification(folder).done()


class _Verification:
    """The verification of one folder. sound: the counts of the chunks in which nothing is wrong."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.spec = folder, folder.spec
        self.faults: list[str] = []
        self.sound: dict[int, Counts] = {}

    def done(self) -> Verified:
        """Look at all files, then play sampled chunks again."""
        there = self._listed()
        for place in there:
            try:
                self.sound[place] = self._recounted(place)
            except StudyError as error:
                self.faults.append(str(error))
        self._check_end(there)
        sampled = self._sampled()
        for place in sampled:
            self._replay(place)
        games = sum(self.spec.cut(place).games for place in self.sound)
        return Verified(tuple(self.faults), len(self.sound), games, len(sampled))

    def _listed(self) -> list[int]:
        """The places of the chunks that have a file, sorted; what else is beside them is a fault."""
        there = self._names(self.folder.file(0).parent)
        stems = {int(file.stem) for file in there if file.stem.isdecimal() and file.stem.isascii()}
        places = sorted(place for place in stems if place < self.spec.chunks and self.folder.file(place) in there)
        expected = {*map(self.folder.file, places), *map(self.folder.checksum_file, places)}
        for stranger in sorted((there | self._names(self.folder.checksum_file(0).parent)) - expected):
            self.faults.append(f"{stranger}: of no chunk that is there, expected no such file")
        return places

    def _names(self, folder: Path) -> set[Path]:
        try:
            return set(folder.iterdir())
        except OSError as error:
            self.faults.append(f"{folder}: {reason(error)}, expected a folder with a file for each chunk")
            return set()

    def _recounted(self, place: int) -> Counts:
        """The counts of a chunk, to which its rows come. Raises StudyError."""
        try:
            data, counts = self.folder.read_chunk(place)
        except FileNotFoundError:
            raise StudyError(f"{self.folder.file(place)}: removed meanwhile") from None
        try:
            check_counts(self.spec, self.spec.cut(place), table_of(data), counts)
        except Damaged as error:
            raise StudyError(f"{self.folder.file(place)}: {error}") from None
        return counts

    def _check_end(self, there: list[int]) -> None:
        """Find what is missing, and what lies beyond the chunk that ended the study."""
        progress = Progress(self.spec)
        for place in self.sound:
            progress.add(place, self.sound[place])
        if progress.finished:
            beyond = [place for place in there if place >= progress.chunks]
            self._find(beyond, f"beyond chunk {progress.chunks - 1}, which ended the study, expected no such file")
            return
        go_on = f"missing, go on with: maumau study --out {quote(str(self.folder.path))} --resume"
        for before, after in pairwise((-1, *there, self._end(there))):
            self._find(range(before + 1, after), go_on)

    def _end(self, there: list[int]) -> int:
        """The place after the last chunk that is known to belong to an unfinished study."""
        if self.spec.until_width is None:
            return self.spec.chunks
        after = max(there, default=-1) + 1
        return after + (len(self.sound) == len(there) and after < self.spec.chunks)

    def _find(self, places: Sequence[int], what: str) -> None:
        """Add a fault for chunks that follow each other, if there are any."""
        if places:
            upto = f" to {self.folder.file(places[-1]).name}" if len(places) > 1 else ""
            self.faults.append(f"{self.folder.file(places[0])}{upto}: {what}")

    def _sampled(self) -> list[int]:
        """The chunks that are played again: the same ones each time."""
        number = min(max(FEWEST, len(self.sound) // ONE_IN), len(self.sound))
        return sorted(Random(self.spec.seed).sample(sorted(self.sound), number))

    def _replay(self, place: int) -> None:
        """Play a chunk again, and compare every row and every count."""
        known = self.folder.file(place).read_bytes()
        played = work(self.spec, self.spec.cut(place), keep=True).file
        assert played is not None
        if content_of(known) != content_of(played) or not table_of(known).equals(table_of(played)):
            self.faults.append(f"{self.folder.file(place)}: its games, played again, are others")
