"""Verifies the folder of a study: checksums match, rows give the counts, and replays of sampled chunks are equal.

The checksums detect damage in any bit. Rows and counts are verified by recounting the rows, and by replaying one chunk
in a hundred, at least four.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from maumau.study.counts import Counts
from maumau.study.disk import names_in
from maumau.study.errors import StudyError
from maumau.study.folder import GAMES, Folder, gaps, resume_command
from maumau.study.manifest import MANIFEST, has_manifest, read_manifest
from maumau.study.playing import prepare
from maumau.study.recount import check_counts
from maumau.study.rows import require_parquet
from maumau.study.run import Progress
from maumau.study.stored import content_of, table_of
from maumau.study.workers import play_chunk

if TYPE_CHECKING:
    from maumau.kernels.compiler.machine_code import Notify

FEWEST, ONE_IN = 4, 100
"""The number of chunks that are replayed."""


@dataclass(frozen=True)
class Verified:
    """The result of a verification. faults: one line each, starting with the file; empty if there are none."""

    faults: tuple[str, ...]
    chunks: int = 0
    games: int = 0
    replayed: int = 0


def verify(path: Path, notify: Notify | None = None) -> Verified:
    """Verify the study in a folder. notify: called before a kernel is compiled.

    Raises StudyError if there is none, or if its games are played by other rules here.
    """
    require_parquet()
    if not has_manifest(path):
        if (path / GAMES).is_dir():
            return Verified((f"{path / MANIFEST}: missing, expected the manifest of a study",))
        raise StudyError(f"{path}: contains no study, expected a folder that --out created")
    try:
        read_manifest(path)
    except StudyError as error:
        return Verified((str(error),))
    folder = Folder.read(path)
    prepare(folder.spec, notify)
    return _Verification(folder).run()


class _Verification:
    """The verification of one folder. valid: the counts of the chunks without faults."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.spec = folder, folder.spec
        self.faults: list[str] = []
        self.valid: dict[int, Counts] = {}

    def run(self) -> Verified:
        """Check all files, then replay sampled chunks."""
        there = self._indices()
        for index in there:
            self._check(index, self._recount)
        self._check_end(there)
        sampled = self._sampled()
        for index in sampled:
            self._check(index, self._replay)
        games = sum(self.spec.cut(index).games for index in self.valid)
        return Verified(tuple(self.faults), len(self.valid), games, len(sampled))

    def _indices(self) -> list[int]:
        """The indices of the chunks that have a file, sorted; any other file is a fault."""
        there = self._files(self.folder.file(0).parent)
        stems = {int(file.stem) for file in there if file.stem.isdecimal() and file.stem.isascii()}
        indices = sorted(index for index in stems if index < self.spec.chunks and self.folder.file(index) in there)
        expected = {*map(self.folder.file, indices), *map(self.folder.checksum_file, indices)}
        for unexpected in sorted((there | self._files(self.folder.checksum_file(0).parent)) - expected):
            self.faults.append(f"{unexpected}: belongs to no chunk, expected no such file")
        return indices

    def _files(self, folder: Path) -> set[Path]:
        try:
            return {folder / name for name in names_in(folder)}
        except StudyError as error:
            self.faults.append(str(error))
            return set()

    def _check(self, index: int, check: Callable[[int], None]) -> None:
        """Check a chunk; what is wrong is a fault."""
        try:
            check(index)
        except FileNotFoundError:
            self.faults.append(f"{self.folder.file(index)}: removed during the verification")
        except StudyError as error:
            self.faults.append(str(error))

    def _recount(self, index: int) -> None:
        """Compare the counts of a chunk with its rows. Raises StudyError."""
        (data, counts), chunk = self.folder.read_chunk(index), self.spec.cut(index)
        try:
            check_counts(self.spec, chunk, table_of(self.spec, chunk, data), counts)
        except StudyError as error:
            raise StudyError(f"{self.folder.file(index)}: {error}") from None
        self.valid[index] = counts

    def _check_end(self, there: list[int]) -> None:
        """Report missing chunks, and chunks after the one that ended the study."""
        progress = Progress(self.spec)
        for index in self.valid:
            progress.add(index, self.valid[index])
        if progress.finished:
            if beyond := [index for index in there if index >= progress.chunks]:
                what = f"after chunk {progress.chunks - 1}, which ended the study, expected no such file"
                self.faults.append(f"{self.folder.files(beyond)}: {what}")
            return
        missing = f"missing, continue with: {resume_command(self.folder.path, self.spec)}"
        for indices in gaps(0, there, self._end(there)):
            self.faults.append(f"{self.folder.files(indices)}: {missing}")

    def _end(self, there: list[int]) -> int:
        """The index after the last chunk that is known to belong to an unfinished study."""
        if self.spec.until_width is None:
            return self.spec.chunks
        after = max(there, default=-1) + 1
        return after + (len(self.valid) == len(there) and after < self.spec.chunks)

    def _sampled(self) -> list[int]:
        """The chunks that are replayed: the same ones each time."""
        number = min(max(FEWEST, len(self.valid) // ONE_IN), len(self.valid))
        return sorted(Random(self.spec.seed).sample(sorted(self.valid), number))

    def _replay(self, index: int) -> None:
        """Replay a chunk, and compare every row and every count. Raises StudyError."""
        (known, _), chunk = self.folder.read_chunk(index), self.spec.cut(index)
        played = play_chunk(self.spec, chunk, with_file=True).file
        assert played is not None
        one, other = ((content_of(data), table_of(self.spec, chunk, data)) for data in (known, played))
        if one != other:
            self.faults.append(f"{self.folder.file(index)}: replaying it gives other games")
