"""Studies in folders, and their files."""

from __future__ import annotations

from pathlib import Path

from maumau.study.counts import StudyProgress
from maumau.study.folder import Folder
from maumau.study.playing import Threads
from maumau.study.run import run
from maumau.study.spec import StudySpec


def study_in(folder: Path, spec: StudySpec | None, resume: bool = False, threads: int = 1) -> StudyProgress:
    """Play a study in a folder; None is the one that is there."""
    with Folder.open(folder, spec, resume) as opened:
        return run(opened.spec, Threads(threads), opened)


def files(folder: Path) -> dict[str, bytes]:
    """All files of a study, by their paths in its folder, but for the lock."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}
