"""The folder of a study: what was asked, and a file for each chunk that is done. It can be left and gone on with.

    DIR/manifest.json         the question, and versions and the hash of the declaration it is answered with
    DIR/games/000000.parquet  the games of chunk 0 (study.rows)
    DIR/.lock                 held by the process that works in the folder; the system frees it when that dies

Every file is written aside, brought to the disk and renamed, so that a file which is there is there whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from study.counts import Counts
from study.errors import NotWritten, StudyError, require
from study.identity import Identity, differences, identity
from study.question import Question
from study.rows import counts_of, require_parquet
from study.workers import Done

MANIFEST, GAMES, LOCK, ASIDE = "manifest.json", "games", ".lock", ".part"
FORMAT = 1


class Folder:
    """A folder that holds, or will hold, the chunks of one question."""

    def __init__(self, path: Path, question: Question) -> None:
        self.path, self.question = path, question

    @classmethod
    def read(cls, path: Path) -> Self:
        """The study that lies in a folder. Raises StudyError if none does, or one of other rules."""
        question, made_with = _manifest(path)
        rules = identity(question.game)["declaration"]
        if made_with.get("declaration") != rules:
            raise StudyError(
                f"{path}: begun with declaration {made_with.get('declaration')}, here {rules}: other rules"
            )
        return cls(path, question)

    @classmethod
    def found(cls, path: Path) -> Self | None:
        """The study that lies in a folder, None if none does. Raises StudyError if it cannot be read."""
        return cls(path, _manifest(path)[0]) if (path / MANIFEST).exists() else None

    @classmethod
    @contextmanager
    def begun(cls, path: Path, question: Question | None, resume: bool) -> Iterator[Self]:
        """The folder of a question, to work in alone; without a question, that of the study which lies there.

        Raises StudyError if another process works there, if another study lies there, or, unless it is to be resumed,
        if any does.
        """
        require_parquet()
        require("study", "keeping games", "filelock")
        _check_room(path, question, resume)
        with _locked(path):
            yield cls(path, _agreed(path, question))

    def kept(self) -> Iterator[tuple[int, Counts]]:
        """The chunks that are there, in their order. A file that cannot be read counts as missing."""
        for place in self._places():
            chunk = self.question.cut(place)
            with suppress(StudyError):
                yield place, counts_of(self._file(place), chunk)

    def keep(self, done: Done) -> None:
        """Write the file of a chunk. Raises StudyError if the disk does not take it."""
        assert done.file is not None
        _write(self._file(done.chunk.place), done.file)

    def drop_from(self, place: int) -> None:
        """Remove the files of all chunks from `place` on, and whatever was left aside."""
        with _told(self.path):
            for later in [each for each in self._places() if each >= place]:
                self._file(later).unlink()
            _sweep(self.path)

    def _file(self, place: int) -> Path:
        return self.path / GAMES / f"{place:06}.parquet"

    def _places(self) -> list[int]:
        """The places of the chunks that have a file."""
        stems = [path.stem for path in (self.path / GAMES).glob("*.parquet")]
        return sorted(int(stem) for stem in stems if stem.isdecimal() and int(stem) < self.question.chunks)


def _check_room(path: Path, question: Question | None, resume: bool) -> None:
    """Raise StudyError if a folder holds a study that is not to be resumed, none that could be, or something else."""
    if (path / MANIFEST).exists():
        if not resume:
            raise StudyError(f"{path}: a study lies there, go on with it by --resume, or choose another folder")
        return
    if question is None:
        raise StudyError(f"{path}: no study lies there, expected one, or what to study")
    if path.exists() and not path.is_dir():
        raise StudyError(f"{path}: not a folder, expected an empty one or none")
    others = [each.name for each in path.glob("*") if each.name not in (GAMES, LOCK) and each.suffix != ASIDE]
    if others:
        raise StudyError(f"{path}: no study lies there but {sorted(others)[0]}, expected an empty folder or none")


def _agreed(path: Path, question: Question | None) -> Question:
    """The question of a folder, written down there if it is new. Raises StudyError if another one stands there."""
    _sweep(path)
    if question and not (path / MANIFEST).exists():
        plain = {"format": FORMAT, "question": question.as_json(), "identity": dict(identity(question.game))}
        _write(path / MANIFEST, (json.dumps(plain, indent=1) + "\n").encode())
        return question
    there, made_with = _manifest(path)
    if question and (others := _others(there, question)):
        raise StudyError(f"{path}: another study lies there: {'; '.join(others)}")
    if changed := differences(identity(there.game), made_with):
        raise StudyError(
            f"{path}: begun with {'; '.join(changed)}; go on with the same versions, or begin anew in another folder"
        )
    return there


def _others(there: Question, here: Question) -> list[str]:
    """What two questions differ in, in words: `seed 7 there, 8 asked for`."""
    asked = here.as_json()
    return [
        f"{name.replace('_', ' ')} {_shown(value)} there, {_shown(asked[name])} asked for"
        for name, value in there.as_json().items()
        if value != asked[name]
    ]


def _shown(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def _manifest(path: Path) -> tuple[Question, Identity]:
    """The question of a folder, and what it is answered with. Raises StudyError."""
    file = path / MANIFEST
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        if plain["format"] != FORMAT:
            raise StudyError(f"{file}: format {plain['format']}, expected {FORMAT}: written by another version")
        return Question.from_json(plain["question"]), dict(plain["identity"])
    except FileNotFoundError:
        raise StudyError(f"{path}: no study lies there, expected a folder that --out has made") from None
    except OSError as error:
        raise StudyError(f"{file}: {_reason(error)}, expected the manifest of a study") from None
    except (ValueError, KeyError, TypeError) as error:
        raise StudyError(f"{file}: not the manifest of a study: {error}") from None


# ---------------------------------------------------------------- on the disk


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Make a folder and hold it alone. Raises StudyError if another process does, or if it cannot be written to."""
    from filelock import FileLock, Timeout

    with _told(path):
        (path / GAMES).mkdir(parents=True, exist_ok=True)
        lock = FileLock(path / LOCK, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise StudyError(f"{path}: another process works in this folder, expected none") from None
    try:
        yield
    finally:
        lock.release()


def _write(path: Path, data: bytes) -> None:
    """Write a file aside, bring it to the disk, and rename it. Raises StudyError; then nothing is left aside."""
    aside = path.with_name(path.name + ASIDE)
    with _told(path):
        try:
            with aside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
            _sync(path.parent)
        except BaseException:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise


def _sync(folder: Path) -> None:
    """Bring the names of a folder to the disk, where the system can."""
    with suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _sweep(path: Path) -> None:
    """Remove what a process that was killed has left aside."""
    for left in (*path.glob(f"*{ASIDE}"), *(path / GAMES).glob(f"*{ASIDE}")):
        left.unlink(missing_ok=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raise NotWritten for a failure of the disk."""
    try:
        yield
    except OSError as error:
        raise NotWritten(f"{path}: {_reason(error)}, expected room to write") from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
