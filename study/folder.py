"""The folder of a study: what was asked, and the files of each chunk that is done. It can be left and gone on with.

    DIR/manifest.json           the question, and the versions and declaration it is answered with (study.manifest)
    DIR/games/000000.parquet    the games of chunk 0 (study.rows)
    DIR/checksums/000000.sha256 the SHA-256 of that file, as `sha256sum --check` reads it; written before it
    DIR/.lock                   held by the process that works in the folder; the system frees it when that dies

Every file is written aside, brought to the disk and renamed, so that a file which is there is there whole. A chunk
counts as done if its file is there, has the checksum, and says in its footer that it is this chunk of this study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from study.counts import Counts
from study.disk import ASIDE, disk_errors, read_whole, write_whole
from study.errors import Damaged, StudyError, require
from study.identity import differences, identity
from study.manifest import MANIFEST, manifest_of, read_manifest
from study.rows import content_of, origin_of, require_parquet
from study.spec import StudySpec
from study.workers import Done

GAMES, CHECKSUMS, LOCK = "games", "checksums", ".lock"
OURS = (GAMES, CHECKSUMS, LOCK, MANIFEST + ASIDE)
"""What a folder may hold before its manifest is there."""
LEFT_ASIDE = (MANIFEST, f"{GAMES}/*.parquet", f"{CHECKSUMS}/*.sha256")

Tell = Callable[[str], None]


class Folder:
    """A folder that holds, or will hold, the chunks of one question.

    tell: is told of each damaged chunk, which counts as missing; without it, a damaged chunk is an error.
    """

    def __init__(self, path: Path, spec: StudySpec, tell: Tell | None = None) -> None:
        self.path, self.spec, self._tell = path, spec, tell

    @classmethod
    def read(cls, path: Path) -> Self:
        """The study that lies in a folder. Raises StudyError if none does, or one of other rules."""
        spec, made_with = read_manifest(path)
        rules = identity(spec.game)["declaration"]
        if made_with.get("declaration") != rules:
            raise StudyError(
                f"{path}: begun with declaration {made_with.get('declaration')}, here {rules}: other rules"
            )
        return cls(path, spec)

    @classmethod
    def found(cls, path: Path) -> Self | None:
        """The study that lies in a folder, None if none does. Raises StudyError if it cannot be read."""
        return cls(path, read_manifest(path)[0]) if (path / MANIFEST).exists() else None

    @classmethod
    @contextmanager
    def begun(cls, path: Path, spec: StudySpec | None, resume: bool, tell: Tell = lambda what: None) -> Iterator[Self]:
        """The folder of a question, to work in alone; without a question, that of the study which lies there.

        tell: is told of each damaged chunk, whose games are played again. Raises StudyError if another process works
        there, if another study lies there, or, unless it is to be resumed, if any does.
        """
        require_parquet()
        require("study", "keeping games", "filelock")
        _check_room(path, spec, resume)
        with _locked(path):
            _sweep(path)
            if spec and not (path / MANIFEST).exists():
                yield cls._new(path, spec, tell)
            else:
                yield cls(path, _agreed(path, spec), tell)

    @classmethod
    def _new(cls, path: Path, spec: StudySpec, tell: Tell) -> Self:
        """A folder whose manifest is written now. Raises StudyError if chunks of another study are there."""
        for place in (folder := cls(path, spec, tell)).places():
            folder.checked(place)
        write_whole(path / MANIFEST, manifest_of(spec, identity(spec.game)))
        return folder

    def kept(self) -> Iterator[tuple[int, Counts]]:
        """The chunks that are done, in their order. Raises StudyError for a file that is not of this study."""
        for place in self.places():
            if counts := self.checked(place):
                yield place, counts

    def checked(self, place: int) -> Counts | None:
        """The counts of a chunk, None if it is damaged and that was told. Raises StudyError."""
        try:
            return self.read_chunk(place)[1]
        except Damaged as error:
            if self._tell is None:
                raise StudyError(f"{error}; --resume plays its games again") from None
            self._tell(f"{error}; its games are played again")
            return None

    def read_chunk(self, place: int) -> tuple[bytes, Counts]:
        """The bytes of a chunk's file, and its counts.

        Raises Damaged if it does not have the checksum that was written for it, and StudyError if it cannot be
        read, or was written for another chunk.
        """
        file = self.file(place)
        data = read_whole(file, "the games of a chunk")
        try:
            content = content_of(data)
        except Damaged as error:
            raise Damaged(f"{file}: damaged, {error}, expected chunk {place}") from None
        expected = origin_of(self.spec, self.spec.cut(place))
        if others := differences_in_words(content.origin, expected):
            raise StudyError(f"{file}: of another study or chunk: {'; '.join(others)}; take it away to go on")
        self._check_digest(place, data)
        return data, content.counts

    def keep(self, done: Done) -> None:
        """Write the files of a chunk. Raises StudyError if the disk does not take them."""
        assert done.file is not None
        place = done.chunk.place
        write_whole(self.checksum_file(place), _checksum_line(self.file(place), done.file))
        write_whole(self.file(place), done.file)

    def drop_from(self, place: int) -> None:
        """Remove the files of all chunks from `place` on."""
        with disk_errors(self.path):
            for later in [each for each in self.places() if each >= place]:
                self.file(later).unlink()
            for later in [each for each in _places(self.path / CHECKSUMS, ".sha256") if each >= place]:
                self.checksum_file(later).unlink()

    def file(self, place: int) -> Path:
        """Where the games of a chunk are."""
        return self.path / GAMES / f"{place:06}.parquet"

    def checksum_file(self, place: int) -> Path:
        """Where the checksum of a chunk's file is."""
        return self.path / CHECKSUMS / f"{place:06}.sha256"

    def places(self) -> list[int]:
        """The places of the chunks that have a file, sorted. Raises StudyError for a file of no chunk."""
        places = _places(self.path / GAMES, ".parquet")
        if places and places[-1] >= self.spec.chunks:
            last = self.spec.chunks - 1
            raise StudyError(f"{self.file(places[-1])}: not of this study, expected chunks 0 to {last}; take it away")
        return places

    def _check_digest(self, place: int, data: bytes) -> None:
        """Raise Damaged unless the file has the checksum that was written for it."""
        file, beside = self.file(place), self.checksum_file(place)
        try:
            stated = read_whole(beside, "the checksum of a chunk")
        except FileNotFoundError:
            raise Damaged(f"{file}: without its checksum, expected {beside}") from None
        if stated != _checksum_line(file, data):
            raise Damaged(f"{file}: damaged, its SHA-256 is {sha256(data).hexdigest()}, expected that in {beside}")


def differences_in_words(there: Any, expected: dict[str, Any]) -> list[str]:
    """What plain data differ in: `seed 7, expected 8`."""
    return [
        f"{name} {_shown(there.get(name, 'missing'))}, expected {_shown(value)}"
        for name, value in expected.items()
        if there.get(name) != value
    ]


def _checksum_line(file: Path, data: bytes) -> bytes:
    return f"{sha256(data).hexdigest()}  {GAMES}/{file.name}\n".encode()


def _places(folder: Path, ending: str) -> list[int]:
    """The places that the names of files tell, sorted. Raises StudyError for a name that tells none."""
    places = []
    for file in folder.glob(f"*{ending}"):
        stem = file.name.removesuffix(ending)
        if not (stem.isdecimal() and stem.isascii() and f"{int(stem):06}" == stem):
            raise StudyError(f"{file}: not of this study, expected the number of a chunk; take it away")
        places.append(int(stem))
    return sorted(places)


def _check_room(path: Path, spec: StudySpec | None, resume: bool) -> None:
    """Raise StudyError if a folder holds a study that is not to be resumed, none that could be, or something else."""
    if (path / MANIFEST).exists():
        if not resume:
            raise StudyError(f"{path}: a study lies there, go on with it by --resume, or choose another folder")
        read_manifest(path)
        return
    if spec is None:
        raise StudyError(f"{path}: no study lies there, expected one, or what to study")
    if path.exists() and not path.is_dir():
        raise StudyError(f"{path}: not a folder, expected an empty one or none")
    others = [each.name for each in path.glob("*") if each.name not in OURS]
    if others:
        raise StudyError(f"{path}: no study lies there but {sorted(others)[0]}, expected an empty folder or none")


def _agreed(path: Path, spec: StudySpec | None) -> StudySpec:
    """The question of a folder. Raises StudyError if another one stands there, or if other versions answered it."""
    there, made_with = read_manifest(path)
    if spec and (others := _others(there, spec)):
        raise StudyError(f"{path}: another study lies there: {'; '.join(others)}")
    if changed := differences(identity(there.game), made_with):
        raise StudyError(
            f"{path}: begun with {'; '.join(changed)}; go on with the same versions, or begin anew in another folder"
        )
    return there


def _others(there: StudySpec, here: StudySpec) -> list[str]:
    """What two questions differ in, in words: `seed 7 there, 8 asked for`."""
    asked = here.as_json()
    return [
        f"{name.replace('_', ' ')} {_shown(value)} there, {_shown(asked[name])} asked for"
        for name, value in there.as_json().items()
        if value != asked[name]
    ]


def _shown(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Make a folder and hold it alone. Raises StudyError if another process does, or if it cannot be written to."""
    from filelock import FileLock, Timeout

    with disk_errors(path):
        for name in (GAMES, CHECKSUMS):
            (path / name).mkdir(parents=True, exist_ok=True)
        if (path / LOCK).is_symlink():
            raise StudyError(f"{path / LOCK}: a link, expected a file of its own")
        lock = FileLock(path / LOCK, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise StudyError(f"{path}: another process works in this folder, expected none") from None
    try:
        yield
    finally:
        lock.release()


def _sweep(path: Path) -> None:
    """Remove what a process that was killed has left aside."""
    with disk_errors(path):
        for pattern in LEFT_ASIDE:
            for left in path.glob(pattern + ASIDE):
                left.unlink(missing_ok=True)
