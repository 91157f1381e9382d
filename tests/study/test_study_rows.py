"""A study says what it counts: what another version has not counted is never reported as zero."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import maumau
from study_files import files

from maumau.study import counts, identity, playing
from maumau.study.folder import Folder
from maumau.study.playing import Threads, play_chunk
from maumau.study.run import run
from maumau.study.spec import StudySpec

QUESTION = StudySpec.of("maumau", 4, 2000, 3, chunk=700)
OTHERS = {
    "by itself": QUESTION,
    "of matches": StudySpec.of("maumau", 3, 20, 3, target=100, chunk=20),
    "of policies": StudySpec.of("maumau", 2, 50, 3, ("house", "random"), chunk=50),
    "of rules": StudySpec.of("maumau", 2, 50, 3, compared_with="maumau+nine-reverses", chunk=50),
    "with losses": StudySpec.of("mahjong", 3, 20, 3, chunk=20),
}


@pytest.fixture(name="without")
def a_version_that_counts_no_reshuffles(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Makes this process one of a version that counts no reshuffles, until it is undone."""
    histograms = playing.histograms
    rows = tuple(name for name in counts.OF_PLAYS if name != "reshuffles")

    def fewer(played: Any) -> Any:
        return {name: row for name, row in histograms(played).items() if name != "reshuffles"}

    for module in (counts, identity):
        monkeypatch.setattr(module, "OF_PLAYS", rows)
    monkeypatch.setattr(playing, "histograms", fewer)
    identity.identity.cache_clear()
    yield monkeypatch
    identity.identity.cache_clear()


def begun(folder: Path, chunks: int) -> None:
    """A study of which so many chunks are played."""
    with Folder.open(folder, QUESTION, False) as opened:
        run(opened.spec, Threads(1), opened)
        opened.remove_from(chunks)


@pytest.mark.parametrize("chunks", [1, 3])
@pytest.mark.parametrize("way", [["--resume", "--out"], ["--report"], ["--verify"]], ids=lambda way: way[0])
def test_a_folder_of_a_version_that_counts_less_is_refused(
    chunks: int, way: list[str], tmp_path: Path, without: pytest.MonkeyPatch
) -> None:
    """It was resumed, and all its games counted as those without a reshuffle; the report of a whole one failed."""
    begun(tmp_path / "s", chunks)
    without.undo()
    identity.identity.cache_clear()
    before = files(tmp_path / "s")
    done = maumau("study", *way, tmp_path / "s")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{tmp_path / 's'}: created with no counts of reshuffles, which are counted here; ")
    assert done.stderr.endswith(", or start again in another folder\n")
    assert done.stderr.count("\n") == 1
    assert files(tmp_path / "s") == before


def test_a_folder_of_a_version_that_counts_more_is_refused(tmp_path: Path, without: pytest.MonkeyPatch) -> None:
    without.undo()
    identity.identity.cache_clear()
    begun(tmp_path / "s", 1)
    rows = counts.OF_PLAYS[:-1]
    for module in (counts, identity):
        without.setattr(module, "OF_PLAYS", rows)
    identity.identity.cache_clear()
    done = maumau("study", "--report", tmp_path / "s")
    assert f"created with counts of {playing.MEASURED[-1]}, which are not counted here; " in done.stderr


def test_a_chunk_without_a_row_is_damaged_and_its_games_are_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(tmp_path / "s", 3)
    whole = files(tmp_path / "s")
    spec, file = QUESTION, tmp_path / "s" / "games" / "000001.parquet"
    with monkeypatch.context() as patched:
        histograms = playing.histograms

        def fewer(played: Any) -> Any:
            return {name: row for name, row in histograms(played).items() if name != "turns"}

        patched.setattr(playing, "histograms", fewer)
        played = play_chunk(spec, spec.cut(1), with_file=True)
    Folder.read(tmp_path / "s").store(played)
    report = maumau("study", "--report", tmp_path / "s")
    assert (report.returncode, report.stdout) == (2, "")
    assert report.stderr == f"{file}: damaged, without the counts 0/turns; resume the study to play its games again\n"
    assert maumau("study", "--verify", tmp_path / "s").returncode != 0
    assert maumau("study", "--resume", "--out", tmp_path / "s", "-o", tmp_path / "report").returncode == 0
    assert files(tmp_path / "s") == whole


@pytest.mark.parametrize("study", OTHERS)
def test_a_study_counts_the_rows_that_it_names(study: str) -> None:
    spec = OTHERS[study]
    played = play_chunk(spec, spec.cut(0), with_file=True).counts
    assert {name for name in played.sums if "/loss " not in name} == set(counts.rows_of(spec))


def test_the_manifest_names_the_rows(tmp_path: Path) -> None:
    begun(tmp_path / "s", 0)
    named = json.loads((tmp_path / "s" / "manifest.json").read_text())["identity"]["rows"]
    assert named == "arcs, rules, endings, wins, trails, turns, laid, taken, reshuffles"
