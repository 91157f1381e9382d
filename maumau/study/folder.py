"""The folder of a study: its specification and the files of each completed chunk. A study can be stopped and resumed.

    DIR/manifest.json           the specification, and the versions and the declaration in use (maumau.study.identity)
    DIR/games/000000.parquet    the games of chunk 0 (maumau.study.playing)
    DIR/checksums/000000.sha256 the SHA-256 of that file, in the format of `sha256sum --check`; written before it
    DIR/.lock                   held by the process that uses the folder; released by the system when it ends

Every file is written atomically, so a file that exists is complete. A chunk counts as completed if its file exists, has
the checksum, and names this chunk of this study in its footer.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from fsm import outside
from fsm.edge.atomic import PARTIAL
from fsm.edge.extras import require
from fsm.edge.numbers import Notify
from maumau.study.counts import Counts, StudyProgress, rows_of
from maumau.study.identity import (
    MANIFEST,
    PACKAGE,
    Identity,
    differences,
    disk_errors,
    identity,
    manifest_of,
    name_of_declaration,
    name_of_policy,
    names_in,
    read_manifest,
    read_regular_file,
    rows_in,
    rules_of,
    write_atomically,
)
from maumau.study.playing import PlayedChunk, content_of, most_bytes, origin_of
from maumau.study.spec import Damaged, NoStudy, StudyError, StudySpec, Unplayable
from rules.errors import raised_as

GAMES, CHECKSUMS, LOCK = "games", "checksums", ".lock"
ALLOWED = (GAMES, CHECKSUMS, LOCK, MANIFEST + PARTIAL)
"""The files that a folder may contain before its manifest is written."""
ENDINGS = {GAMES: ".parquet", CHECKSUMS: ".sha256"}
"""The endings of the files of a chunk, by folder."""
NUMBER = re.compile("[0-9]{6}|[1-9][0-9]{6,}")
"""The name of a file of a chunk, except for its ending."""
REMOVABLE = "it must be a file that can be removed"


class Folder:
    """A folder with the chunks of one study.

    made_with: the versions that it was created with. notify: called with a message for each damaged chunk, which counts
    as missing; without it, a damaged chunk is an error.
    """

    def __init__(self, path: Path, spec: StudySpec, made_with: Identity, notify: Notify | None = None) -> None:
        self.path, self.spec, self.made_with, self._notify = path, spec, made_with, notify

    @classmethod
    def read(cls, path: Path) -> Self:
        """The study in a folder.

        Raises StudyError if there is none, or if its games are played by other rules here, or counted in other rows.
        """
        folder = cls(path, *read_manifest(path))
        folder._check_identity(rows_in, "", "use the version that made it")
        folder._check_identity(rules_of, ": other rules", "use the version that made it")
        return folder

    @classmethod
    def find(cls, path: Path) -> Self | None:
        """The study in a folder, None if there is none. Raises StudyError if it cannot be read."""
        with suppress(NoStudy):
            return cls(path, *read_manifest(path))
        return None

    @classmethod
    def verify(cls, path: Path) -> Verified:
        """Verify the study in a folder.

        Raises StudyError if there is none, or if its games are played by other rules here.
        """
        require("keeping games", "pyarrow")
        try:
            read_manifest(path)
        except NoStudy:
            if not (path / GAMES).is_dir():
                raise
            return Verified((f"{path / MANIFEST}: missing; it must be the manifest of a study",))
        except StudyError as error:
            return Verified((str(error),))
        folder, faults = cls.read(path), list[str]()
        files = set[Path]()
        for name in ENDINGS:
            try:
                files |= {path / name / each for each in names_in(path / name)}
            except StudyError as error:
                faults.append(str(error))
        indices: dict[str, set[int]] = {name: set() for name in ENDINGS}
        for file in files:
            if (index := folder.index_of(file)) is None:
                faults.append(f"{file}: belongs to no chunk; remove it")
            else:
                indices[file.parent.name].add(index)
        there, stated = sorted(indices[GAMES]), indices[CHECKSUMS]
        faults.sort()
        progress, sound = StudyProgress(folder.spec), list[int]()
        for index in there:
            try:
                progress.add(index, folder.read_chunk(index))
                sound.append(index)
            except FileNotFoundError:
                faults.append(f"{folder.file(index)}: removed during the verification")
            except StudyError as error:
                faults.append(str(error))
        faults += _faults_of_end(folder, progress, there, stated, whole=sound == there)
        return Verified(tuple(faults), len(sound), sum(folder.spec.cut(index).games for index in sound))

    def check(self, requested: StudySpec) -> None:
        """Raise StudyError if another study than this one is requested."""
        unequal = _unequal(requested.as_json(), self.spec.as_json())
        if others := [f"{name.replace('_', ' ')} {there} there, {here} requested" for name, here, there in unequal]:
            raise StudyError(f"{self.path}: contains another study: {'; '.join(others)}")

    @classmethod
    @contextmanager
    def open(
        cls, path: Path, spec: StudySpec | None, resume: bool, notify: Notify = lambda message: None
    ) -> Iterator[Self]:
        """Lock the folder of a study; without a specification, the study in the folder is resumed.

        notify: called with a message for each damaged chunk, whose games are played again. A study whose games cannot
        be played and of which nothing is stored leaves no manifest. Raises StudyError if another process uses the
        folder, if it contains another study, or, without `resume`, any study.
        """
        require("keeping games", "pyarrow", "filelock")
        _check_folder(path, cls.find(path), spec, resume)
        with _locked(path):
            _remove_partial_files(path)
            if folder := cls.find(path):
                folder._notify = notify
                folder.check(spec or folder.spec)
                folder._check_identity(dict, "", "continue with the versions that made it")
            else:
                assert spec
                folder = cls(path, spec, identity(*spec.game_names, policies=spec.policies), notify)
                deque(folder.stored_counts(), 0)
                write_atomically(path / MANIFEST, manifest_of(spec, folder.made_with))
            try:
                yield folder
            except Unplayable:
                if not folder.indices():
                    (path / MANIFEST).unlink()
                raise

    def _check_identity(self, part: Callable[[Identity], Identity], what: str, remedy: str) -> None:
        """Raise StudyError if a part of the identity is another one here."""
        here = identity(*self.spec.game_names, policies=self.spec.policies)
        if changed := differences(part(here), part(self.made_with)):
            made, again = f"(maumau {self.made_with.get(PACKAGE)})", "or start again in another folder"
            files = self._files_of({name for name, _ in here.items() ^ self.made_with.items()})
            since = f"; {' or '.join([*files, PACKAGE])} has been changed since" * bool(files)
            raise StudyError(f"{self.path}: created with {'; '.join(changed)}{what}{since}; {remedy} {made}, {again}")

    def _files_of(self, names: Set[str]) -> list[str]:
        """The files from outside that may be why parts of the identity, which are named, are other ones here."""
        games = {name_of_declaration(game, self.spec.game): game for game in self.spec.game_names}
        players = {name_of_policy(player): outside.origins_of(players=[player]) for player in self.spec.policies}
        origins = {name: outside.origins_of(game) for name, game in games.items()} | players
        cleared = {origin for name, each in origins.items() if name not in names for origin in each}
        suspected = [origin for name, each in origins.items() if name in names for origin in each]
        return list(dict.fromkeys(origin.source.location for origin in suspected if origin not in cleared))

    def progress(self) -> StudyProgress:
        """Return the progress of the study with the chunks that are stored."""
        progress = StudyProgress(self.spec)
        for index, counts in self.stored_counts():
            progress.add(index, counts)
        return progress

    def stored_counts(self) -> Iterator[tuple[int, Counts]]:
        """The indices and counts of the completed chunks, in order. Raises StudyError for a file of another study."""
        indices = self.indices()
        self.indices(CHECKSUMS)
        for index in indices:
            try:
                yield index, self.read_chunk(index)
            except Damaged as error:
                if self._notify is None:
                    raise StudyError(f"{error}; resume the study to play its games again") from None
                self._notify(f"{error}; its games are played again")

    def read_chunk(self, index: int) -> Counts:
        """The counts in a chunk's file.

        Raises Damaged if its checksum does not match, and StudyError if it cannot be read or was written for another
        chunk.
        """
        file = self.file(index)
        data = read_regular_file(file, "the games of a chunk", most_bytes(self.spec, self.spec.cut(index)))
        try:
            origin, counts = content_of(data)
        except Damaged as error:
            raise Damaged(f"{file}: damaged: {error}; it must hold chunk {index}") from None
        unequal = _unequal(origin, origin_of(self.spec, self.spec.cut(index)))
        if others := [f"{name} {one} instead of {other}" for name, one, other in unequal]:
            raise StudyError(f"{file}: belongs to another study or chunk: {'; '.join(others)}; remove it to continue")
        if missing := [name for name in rows_of(self.spec) if name not in counts.sums]:
            raise Damaged(f"{file}: damaged, without the counts {', '.join(missing)}")
        self._check_digest(index, data)
        return counts

    def store(self, played: PlayedChunk) -> None:
        """Write the files of a chunk. Raises NotWritten."""
        assert played.file is not None
        index = played.chunk.number
        write_atomically(self.file(index, CHECKSUMS), _checksum_line(self.file(index), played.file))
        write_atomically(self.file(index), played.file)

    def remove_from(self, index: int) -> None:
        """Remove the files of all chunks from `index` on."""
        files = [self.file(each, name) for name in ENDINGS for each in self.indices(name) if each >= index]
        for file in files:
            with disk_errors(file, REMOVABLE):
                file.unlink()

    def file(self, index: int, folder: str = GAMES) -> Path:
        """The file with the games of a chunk, or with its checksum."""
        return self.path / folder / f"{index:06}{ENDINGS[folder]}"

    def index_of(self, file: Path) -> int | None:
        """The index of the chunk that a file belongs to by its name; None if it belongs to none."""
        is_chunk = file.suffix == ENDINGS[file.parent.name] and NUMBER.fullmatch(file.stem)
        return index if is_chunk and (index := int(file.stem)) < self.spec.chunks else None

    def missing(self, start: int) -> Iterator[str]:
        """The files of chunks that are missing from `start` on, where a later chunk or the checksum of one is there."""
        there = [index for index in self.indices() if index >= start]
        end = max((*there, *self.indices(CHECKSUMS)), default=-1) + 1
        return map(self.files, gaps(start, there, end))

    def files(self, indices: Sequence[int]) -> str:
        """The names of the files of chunks, at least one: the first and the last."""
        last = f" to {self.file(indices[-1]).name}" if len(indices) > 1 else ""
        return f"{self.file(indices[0])}{last}"

    def indices(self, folder: str = GAMES) -> list[int]:
        """The indices of the chunks that have a file there, sorted. Raises StudyError for any other file."""
        indices = []
        for name in names_in(self.path / folder):
            if name.endswith(ENDINGS[folder]):
                file = self.path / folder / name
                if (index := self.index_of(file)) is None:
                    raise StudyError(
                        f"{file}: does not belong to this study, "
                        f"which has chunks 0 to {self.spec.chunks - 1}; remove it"
                    )
                indices.append(index)
        return sorted(indices)

    def _check_digest(self, index: int, data: bytes) -> None:
        """Raise Damaged unless the file matches its checksum."""
        file, checksum_file = self.file(index), self.file(index, CHECKSUMS)
        try:
            stated = read_regular_file(checksum_file, "the checksum of a chunk")
        except FileNotFoundError:
            raise Damaged(f"{file}: without its checksum; it belongs in {checksum_file}") from None
        if stated != _checksum_line(file, data):
            actual = sha256(data).hexdigest()
            raise Damaged(f"{file}: damaged: its SHA-256 is {actual}; {checksum_file} has another")


def gaps(start: int, indices: Iterable[int], end: int) -> Iterator[range]:
    """The consecutive numbers from `start` to below `end` that are not among `indices`, which are sorted."""
    for before, after in pairwise((start - 1, *indices, end)):
        if before + 1 < after:
            yield range(before + 1, after)


def _unequal(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The names of what is not equal in plain data, each with both values as text."""
    for name in {**other, **one}:
        if one.get(name) != other.get(name):
            yield name, _text(one.get(name)), _text(other.get(name))


def _checksum_line(file: Path, data: bytes) -> bytes:
    return f"{sha256(data).hexdigest()}  {GAMES}/{file.name}\n".encode()


def _check_folder(path: Path, found: Folder | None, spec: StudySpec | None, resume: bool) -> None:
    """Raise StudyError if a study was found and `resume` is false, for no study to resume, and for other files."""
    if found:
        if not resume:
            raise StudyError(f"{path}: contains a study; resume it, or choose another folder")
        return
    if spec is None:
        raise StudyError(f"{path}: contains no study; name a folder that does, or give the options of a new study")
    if path.exists() and not path.is_dir():
        raise StudyError(f"{path}: not a folder; name an empty folder, or one that does not exist")
    with raised_as(StudyError, f"{path}: ", OSError, "name an empty folder, or one that does not exist"):
        others = sorted(set(os.listdir(path)).difference(ALLOWED)) if path.exists() else []
    if others:
        raise StudyError(f"{path}: contains no study but {others[0]}; name an empty folder, or one that does not exist")


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "none" if value is None else str(value)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Create and lock a folder. Raises StudyError if another process has locked it, or if it is not writable."""
    from filelock import FileLock, Timeout

    with disk_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        for name in ENDINGS:
            with suppress(FileExistsError):
                (path / name).mkdir()
    if (path / LOCK).is_symlink():
        raise StudyError(f"{path / LOCK}: a link; it must be a regular file")
    lock = FileLock(path / LOCK, timeout=0)
    with disk_errors(path / LOCK, "it must be a file that can be locked"):
        try:
            lock.acquire()
        except Timeout:
            raise StudyError(
                f"{path}: another process is using this folder; wait until it ends, or use another folder"
            ) from None
    try:
        yield
    finally:
        lock.release()


def _remove_partial_files(path: Path) -> None:
    """Remove the partial files of a process that was killed."""
    left = ((path / name / each, ending) for name, ending in ENDINGS.items() for each in names_in(path / name))
    partial = [file for file, ending in left if file.name.endswith(ending + PARTIAL)]
    for file in [path / (MANIFEST + PARTIAL), *partial]:
        with disk_errors(file, REMOVABLE):
            file.unlink(missing_ok=True)


@dataclass(frozen=True)
class Verified:
    """The result of a verification. faults: one line each, starting with the file; empty if there are none."""

    faults: tuple[str, ...]
    chunks: int = 0
    games: int = 0


def _faults_of_end(
    folder: Folder, progress: StudyProgress, there: list[int], stated: set[int], whole: bool
) -> Iterator[str]:
    """Missing chunks, and chunks after the one that ended the study. stated: the chunks that have a checksum, which is
    written before its chunk. whole: whether all that are there are sound.
    """
    if progress.finished:
        for index in sorted(stated - {*there}):
            yield f"{folder.file(index, CHECKSUMS)}: belongs to no chunk; remove it"
        if beyond := [index for index in there if index >= progress.chunks]:
            what = f"after chunk {progress.chunks - 1}, which ended the study; remove it"
            yield f"{folder.files(beyond)}: {what}"
        return
    end = folder.spec.chunks
    if folder.spec.until_width is not None:  # where the study ends is not known before
        after = max((*there, *stated), default=-1) + 1
        end = after + (whole and after < end)
    for indices in gaps(0, there, end):
        yield f"{folder.files(indices)}: missing; continue with: {folder.spec.resume_command(folder.path)}"
