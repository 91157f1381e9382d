"""The folder of a study: what is done is never lost, and who goes on gets what nobody interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from command import maumau
from study_files import files

duckdb = pytest.importorskip("duckdb")

from maumau.kernels import bulk  # noqa: E402
from maumau.study.counts import StudyProgress  # noqa: E402
from maumau.study.folder import Folder  # noqa: E402
from maumau.study.identity import manifest_of  # noqa: E402
from maumau.study.playing import Threads  # noqa: E402
from maumau.study.run import run  # noqa: E402
from maumau.study.spec import StudyError, StudySpec  # noqa: E402
from maumau.study.summary import summary  # noqa: E402

QUESTION = StudySpec.of("maumau", 4, 10_000, 3, chunk=700)
ASKED = ["--players", "4", "--games", "200000", "--seed", "3", "--chunk", "4000"]


def study_in(folder: Path, spec: StudySpec | None = QUESTION, resume: bool = False, threads: int = 2) -> StudyProgress:
    with Folder.open(folder, spec, resume) as opened:
        return run(opened.spec, Threads(threads), opened)


def command(*arguments: object) -> subprocess.Popen[str]:
    line = [sys.executable, "-m", "maumau", "study", *map(str, arguments)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def done(*arguments: object) -> tuple[int, str, str]:
    """Call the command in this process."""
    ended = maumau("study", *arguments)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture(name="whole", scope="module")
def whole_study(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a study that nobody interrupted."""
    folder = tmp_path_factory.mktemp("whole") / "study"
    study_in(folder)
    return files(folder)


class TestWhatLiesThere:
    @pytest.mark.slow
    def test_a_row_for_each_game(self, tmp_path: Path) -> None:
        spec = StudySpec.of("maumau", 3, 1000, 5, ("house", "random", "house"), first=70, chunk=300)
        study_in(tmp_path / "s", spec)
        rows = duckdb.sql(f"select * from '{tmp_path}/s/games/*.parquet' order by seating, number").fetchnumpy()
        assert list(rows) == [
            *("number", "seating", "ending", "winner", "turns", "laid", "taken", "reshuffles"),
            *("score_1", "score_2", "score_3"),
        ]
        for place, seating in enumerate(spec.seatings):
            known = bulk.play_dealt(3, 1000, 5, 70, seating)
            here = rows["seating"] == place
            assert (rows["number"][here] == np.arange(70, 1070)).all()
            winner = np.ma.filled(rows["winner"][here].astype(int), 0)
            assert (winner == known.games["winner"] + 1).all()
            for name in ("turns", "laid", "taken", "reshuffles"):
                assert (rows[name][here] == known.games[name]).all()
            for seat in range(3):
                assert (rows[f"score_{seat + 1}"][here] == known.scores[:, seat]).all()

    def test_types_are_tight(self, tmp_path: Path) -> None:
        study_in(tmp_path / "s")
        described = duckdb.sql(f"describe select * from '{tmp_path}/s/games/*.parquet'").fetchall()
        types = {name: kind for name, kind, *_ in described}
        assert types["number"] == "BIGINT"
        assert {types[name] for name in ("seating", "winner")} == {"UTINYINT"}
        assert types["score_4"] == "USMALLINT"
        assert types["ending"] == "VARCHAR"

    @pytest.mark.slow
    def test_scores_below_zero_are_stored_and_counted(self, tmp_path: Path) -> None:
        spec = StudySpec.of("mahjong", 3, 200, 5)
        study_in(tmp_path / "s", spec)
        rows = duckdb.sql(f"select * from '{tmp_path}/s/games/*.parquet' order by number").fetchnumpy()
        known = bulk.play_dealt(3, 200, 5, 0, game="mahjong").scores
        assert known.min() < 0
        for seat in range(3):
            assert (rows[f"score_{seat + 1}"] == known[:, seat]).all()
        answer = summary(Folder.read(tmp_path / "s").progress())
        means = [seat.points for seat in answer.seatings[0].seats]
        assert [mean.mean for mean in means] == pytest.approx(known.mean(axis=0).tolist())
        assert [mean.deviation for mean in means] == pytest.approx(known.std(axis=0, ddof=1).tolist())

    def test_the_manifest_contains_everything(self, tmp_path: Path) -> None:
        study_in(tmp_path / "s")
        manifest = json.loads((tmp_path / "s" / "manifest.json").read_text())
        assert manifest["question"] == QUESTION.as_json()
        assert set(manifest["identity"]) == {"python", "maumau", "llvmlite", "numpy", "pyarrow", "declaration", "rows"}

    def test_threads_change_no_bit(self, tmp_path: Path, whole: dict[str, bytes]) -> None:
        study_in(tmp_path / "s", threads=1)
        assert files(tmp_path / "s") == whole

    def test_the_report_is_read_from_it(self, tmp_path: Path) -> None:
        progress = study_in(tmp_path / "s")
        again = Folder.read(tmp_path / "s").progress()
        assert again.finished
        assert again.counts == progress.counts


class TestGoingOn:
    @pytest.mark.parametrize("missing", [[0], [14], [3, 4, 9], list(range(15))])
    def test_only_missing_chunks_are_done(self, tmp_path: Path, whole: dict[str, bytes], missing: list[int]) -> None:
        study_in(tmp_path / "s")
        kept = [path for path in sorted((tmp_path / "s" / "games").iterdir()) if int(path.stem) not in missing]
        for place in missing:
            (tmp_path / "s" / "games" / f"{place:06}.parquet").unlink()
        before = {path: path.stat().st_mtime_ns for path in kept}
        study_in(tmp_path / "s", None, resume=True)
        assert files(tmp_path / "s") == whole
        assert {path: path.stat().st_mtime_ns for path in kept} == before

    def test_where_it_stops_early_no_later_chunk_is_left(self, tmp_path: Path) -> None:
        spec = StudySpec.of("maumau", 2, 100_000, 9, until_width=0.06, chunk=500)
        first = study_in(tmp_path / "one", spec, threads=1)
        known = files(tmp_path / "one")
        assert len(known) == 1 + 2 * first.chunks < 200
        study_in(tmp_path / "three", spec, threads=3)
        assert files(tmp_path / "three") == known
        for name in ("000000.parquet", "000004.parquet"):
            (tmp_path / "three" / "games" / name).unlink()
        study_in(tmp_path / "three", None, resume=True, threads=3)
        assert files(tmp_path / "three") == known

    @pytest.mark.slow
    def test_ctrl_c_keeps_completed_chunks_and_names_the_command_to_continue(self, tmp_path: Path) -> None:
        process = command(*ASKED, "--games", 40_000_000, "--out", tmp_path / "s")
        while not (tmp_path / "s" / "games" / "000000.parquet").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, output = process.communicate()
        assert (process.returncode, out) == (130, "")
        assert "continue with: maumau study --out" in output
        assert "Traceback" not in output
        kept = list(tmp_path.glob("s/games/*"))
        assert kept
        assert all(path.suffix == ".parquet" for path in kept)
        status, report, _ = done("--report", tmp_path / "s")
        assert status == 0
        assert "Unfinished: " in report


class TestRefusals:
    def test_another_study(self, tmp_path: Path) -> None:
        study_in(tmp_path / "s")
        other = StudySpec.of("maumau", 4, 10_000, 4, chunk=700, confidence=0.9)
        with pytest.raises(
            StudyError, match=r"contains another study: seed 3 there, 4 requested; confidence 0.95 there"
        ):
            study_in(tmp_path / "s", other, resume=True)

    def test_a_study_that_is_not_to_be_resumed(self, tmp_path: Path) -> None:
        study_in(tmp_path / "s")
        with pytest.raises(StudyError, match="contains a study; resume it, or choose another folder"):
            study_in(tmp_path / "s")

    def test_other_versions_or_rules(self, tmp_path: Path) -> None:
        study_in(tmp_path / "s")
        file = tmp_path / "s" / "manifest.json"
        manifest = json.loads(file.read_text())
        file.write_bytes(manifest_of(QUESTION, manifest["identity"] | {"declaration": "0123", "llvmlite": "0.1"}))
        with pytest.raises(StudyError, match=r"created with llvmlite 0\.1, here .*; declaration 0123, here"):
            study_in(tmp_path / "s", None, resume=True)
        with pytest.raises(StudyError, match=r"created with declaration 0123, here .*: other rules"):
            Folder.read(tmp_path / "s")

    def test_a_folder_of_something_else(self, tmp_path: Path) -> None:
        (tmp_path / "letters").write_text("mine")
        with pytest.raises(StudyError, match="contains no study but letters"):
            study_in(tmp_path)
        with pytest.raises(StudyError, match="not a folder"):
            study_in(tmp_path / "letters")
        assert [path.name for path in tmp_path.iterdir()] == ["letters"]

    def test_two_processes(self, tmp_path: Path) -> None:
        with Folder.open(tmp_path / "s", QUESTION, resume=False):
            process = command("--out", tmp_path / "s", "--resume")
            out, output = process.communicate()
        assert (process.returncode, out) == (2, "")
        assert "another process is using this folder" in output

    def test_nothing_to_go_on_with(self, tmp_path: Path) -> None:
        with pytest.raises(StudyError, match="contains no study"):
            study_in(tmp_path / "s", None, resume=True)
        assert not (tmp_path / "s").exists()
        with pytest.raises(StudyError, match="contains no study"):
            Folder.read(tmp_path)
