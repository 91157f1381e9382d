"""Verifies the folder of a study: every file is there, is one of this study, and is as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from maumau.study.disk import names_in
from maumau.study.errors import StudyError
from maumau.study.folder import CHECKSUMS, GAMES, Folder, gaps, resume_command
from maumau.study.manifest import MANIFEST, has_manifest, read_manifest
from maumau.study.rows import require_parquet
from maumau.study.run import Progress


@dataclass(frozen=True)
class Verified:
    """The result of a verification. faults: one line each, starting with the file; empty if there are none."""

    faults: tuple[str, ...]
    chunks: int = 0
    games: int = 0


def verify(path: Path) -> Verified:
    """Verify the study in a folder.

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
    return _verified(Folder.read(path))


def _verified(folder: Folder) -> Verified:
    """Check all files of a folder, whose manifest is sound."""
    spec, faults = folder.spec, list[str]()
    games, checksums = (_files(folder.path / name, faults) for name in (GAMES, CHECKSUMS))
    there = sorted(index for file in games if (index := folder.index_of(file)) is not None)
    expected = {folder.file(index, name) for index in there for name in (GAMES, CHECKSUMS)}
    faults += [f"{file}: belongs to no chunk, expected no such file" for file in sorted((games | checksums) - expected)]
    progress, sound = Progress(spec), list[int]()
    for index in there:
        try:
            progress.add(index, folder.read_chunk(index))
            sound.append(index)
        except FileNotFoundError:
            faults.append(f"{folder.file(index)}: removed during the verification")
        except StudyError as error:
            faults.append(str(error))
    faults += _faults_of_end(folder, progress, there, whole=sound == there)
    return Verified(tuple(faults), len(sound), sum(spec.cut(index).games for index in sound))


def _files(folder: Path, faults: list[str]) -> set[Path]:
    """The files in a folder; why it cannot be read is a fault."""
    try:
        return {folder / name for name in names_in(folder)}
    except StudyError as error:
        faults.append(str(error))
        return set()


def _faults_of_end(folder: Folder, progress: Progress, there: list[int], whole: bool) -> Iterator[str]:
    """Missing chunks, and chunks after the one that ended the study. whole: whether all that are there are sound."""
    if progress.finished:
        if beyond := [index for index in there if index >= progress.chunks]:
            what = f"after chunk {progress.chunks - 1}, which ended the study, expected no such file"
            yield f"{folder.files(beyond)}: {what}"
        return
    end = folder.spec.chunks
    if folder.spec.until_width is not None:  # where the study ends is not known before
        after = max(there, default=-1) + 1
        end = after + (whole and after < end)
    for indices in gaps(0, there, end):
        yield f"{folder.files(indices)}: missing, continue with: {resume_command(folder.path, folder.spec)}"
