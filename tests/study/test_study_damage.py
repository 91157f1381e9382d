"""Damaged and foreign files of a study: every one is noticed and named, none is counted, and none is overwritten unasked."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import pytest
from commands import called
from study_files import files, study_in

from maumau.cli.main import app
from maumau.study.folder import Folder
from maumau.study.spec import StudyError, StudySpec
from rules.errors import Explained

QUESTION = StudySpec.of("maumau", 2, 2, 3, chunk=1)
WIDER = StudySpec.of("maumau", 3, 40, 3, ("house", "random", "house"), chunk=10)
MANIFEST, GAMES, SUMS = "manifest.json", "games/000000.parquet", "checksums/000000.sha256"
FILES = (MANIFEST, GAMES, "games/000001.parquet", SUMS, "checksums/000001.sha256")


@pytest.fixture(name="sound", scope="module")
def sound_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two chunks, not to be changed."""
    study_in(folder := tmp_path_factory.mktemp("sound") / "s", QUESTION)
    return folder


@pytest.fixture(name="wider", scope="module")
def wider_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of several policies, not to be changed."""
    study_in(folder := tmp_path_factory.mktemp("wider") / "s", WIDER)
    return folder


@pytest.fixture(name="study")
def copied_study(tmp_path: Path, sound: Path) -> Path:
    """A copy of the study of two chunks."""
    shutil.copytree(sound, tmp_path / "s")
    return tmp_path / "s"


def reported(folder: Path) -> str:
    """Why `--report` refuses a folder; empty if it does not."""
    try:
        read = Folder.read(folder)
        read.progress()
    except StudyError as error:
        return str(error)
    return ""


def resumed(folder: Path) -> str:
    """What `--resume` tells of a folder before it plays, or why it refuses it; empty if nothing."""
    output: list[str] = []
    try:
        with Folder.open(folder, None, True, output.append) as opened:
            list(opened.stored_counts())
    except StudyError as error:
        output.append(str(error))
    return "\n".join(output)


def verified(folder: Path) -> str:
    """What `--verify` finds in a folder; empty if nothing."""
    try:
        return "\n".join(Folder.verify(folder).faults)
    except StudyError as error:
        return str(error)


READERS: dict[str, Callable[[Path], str]] = {"report": reported, "resume": resumed, "verify": verified}


def assert_noticed(folder: Path, named: str, *readers: str) -> None:
    """Each reader names the damaged file, or its chunk, in a line."""
    for reader in readers or READERS:
        output = READERS[reader](folder)
        assert Path(named).stem in output.replace(str(folder), ""), f"{reader}: {output!r}"
        assert max(map(len, output.splitlines())) < 500


def flip(folder: Path, name: str, every: int, first: int = 0) -> None:
    """Flip one bit in `every` of a file from bit `first` on, one at a time: each flip is noticed."""
    data = (folder / name).read_bytes()
    for bit in range(first, 8 * len(data), every):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        (folder / name).write_bytes(damaged)
        assert_noticed(folder, name)
    (folder / name).write_bytes(data)
    assert not any(reader(folder) for reader in READERS.values())


class TestEveryBit:
    @pytest.mark.parametrize("name", FILES)
    def test_a_flipped_bit_is_detected(self, study: Path, name: str) -> None:
        assert set(files(study)) == set(FILES)
        flip(study, name, 797)

    PARTS = 16
    """Tests that share the bits of a file."""

    @pytest.mark.thorough
    @pytest.mark.parametrize("part", range(PARTS))
    @pytest.mark.parametrize("name", FILES)
    def test_each_flipped_bit_is_detected(self, study: Path, name: str, part: int) -> None:
        flip(study, name, self.PARTS, part)


class TestFilesThatChanged:
    @pytest.mark.parametrize("name", FILES)
    def test_one_that_was_cut(self, study: Path, name: str) -> None:
        data = (study / name).read_bytes()
        for length in (0, 1, len(data) // 2, len(data) - 1):
            (study / name).write_bytes(data[:length])
            assert_noticed(study, name)

    @pytest.mark.parametrize("name", FILES)
    def test_one_with_more_at_its_end(self, study: Path, name: str) -> None:
        with (study / name).open("ab") as file:
            file.write(b"\n")
        assert_noticed(study, name)

    def test_a_manifest_that_is_missing(self, study: Path) -> None:
        (study / MANIFEST).unlink()
        assert_noticed(study, MANIFEST, "verify")
        assert "contains no study" in reported(study)
        assert "contains no study" in resumed(study)

    def test_a_manifest_is_written_again_by_who_knows_the_question(self, study: Path, sound: Path) -> None:
        (study / MANIFEST).unlink()
        before = {path: path.stat().st_mtime_ns for path in study.glob("*/*")}
        study_in(study, QUESTION, resume=True)
        assert files(study) == files(sound)
        assert {path: path.stat().st_mtime_ns for path in study.glob("*/*")} == before

    def test_a_chunk_that_is_missing_is_unfinished(self, study: Path) -> None:
        (study / GAMES).unlink()
        assert_noticed(study, GAMES, "verify")
        read = Folder.read(study)
        assert read.progress().chunks == 0
        (study / SUMS).unlink()
        assert_noticed(study, GAMES, "verify")

    @pytest.mark.parametrize("number", range(4))
    def test_a_chunk_that_is_missing_is_one_fault(self, tmp_path: Path, wider: Path, number: int) -> None:
        shutil.copytree(wider, tmp_path / "s")
        (missing := tmp_path / "s" / f"games/{number:06}.parquet").unlink()
        (fault,) = Folder.verify(tmp_path / "s").faults
        assert fault.startswith(f"{missing}: missing; continue with: maumau study --out ")

    @pytest.mark.parametrize("name", FILES)
    def test_a_file_of_a_terabyte_is_not_read(self, study: Path, name: str) -> None:
        os.truncate(study / name, 1 << 40)
        assert_noticed(study, name)
        assert "1,099,511,627,776 bytes; it must be the" in verified(study)

    @pytest.mark.parametrize("name", ["games", "checksums"])
    def test_a_folder_that_is_missing(self, study: Path, name: str) -> None:
        shutil.rmtree(study / name)
        assert reported(study) == f"{study / name}: missing; it must be a folder with a file for each chunk"
        assert_noticed(study, name, "verify")

    @pytest.mark.parametrize(
        ("removed", "named"),
        [
            ([0], ["000000.parquet"]),
            ([1], ["000001.parquet"]),
            ([3], ["000003.parquet"]),
            ([1, 2], ["000001.parquet to 000002.parquet"]),
            ([0, 2], ["000000.parquet", "000002.parquet"]),
        ],
    )
    def test_the_report_names_chunks_that_are_missing(
        self, tmp_path: Path, wider: Path, removed: list[int], named: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        shutil.copytree(wider, study := tmp_path / "s")
        for place in removed:
            (study / "games" / f"{place:06}.parquet").unlink()
        line = ["study", "--report", str(study), "--format", "csv"]
        if 0 in removed:
            with pytest.raises(Explained, match="no chunk is completed yet"):
                app(line, standalone_mode=False)
        else:
            assert app(line, standalone_mode=False) == 0
        lines = capsys.readouterr().err.splitlines()
        assert [line.split(": missing, ")[0] for line in lines] == [f"maumau: {study}/games/{name}" for name in named]

    def test_a_chunk_without_its_checksum_is_played_again(self, study: Path, sound: Path) -> None:
        (study / SUMS).unlink()
        assert_noticed(study, SUMS)
        study_in(study, None, resume=True)
        assert files(study) == files(sound)

    @pytest.mark.parametrize("name", [GAMES, SUMS])
    def test_what_is_damaged_is_played_again(self, study: Path, sound: Path, name: str) -> None:
        data = bytearray((study / name).read_bytes())
        data[len(data) // 2] ^= 1
        (study / name).write_bytes(data)
        study_in(study, QUESTION, resume=True)
        assert files(study) == files(sound)
        assert not verified(study)

    @pytest.mark.parametrize("name", ["games/000002.parquet", "games/1.parquet", "games/mine.parquet"])
    def test_a_file_of_no_chunk_is_not_left_among_the_games(self, study: Path, name: str) -> None:
        shutil.copy(study / GAMES, study / name)
        assert_noticed(study, name)

    @pytest.mark.parametrize("name", [MANIFEST, GAMES, SUMS])
    def test_a_folder_in_place_of_a_file(self, study: Path, name: str) -> None:
        (study / name).unlink()
        (study / name).mkdir()
        assert_noticed(study, name)

    def test_each_fault_is_named_whatever_the_others_are(self, tmp_path: Path, wider: Path) -> None:
        shutil.copytree(wider, copy := tmp_path / "s")
        for name in ("games/000000.parquet", "checksums/000001.sha256"):
            (copy / name).write_bytes(b"")
        (copy / "games" / "000002.parquet").unlink()
        names = [fault.split(": ")[0] for fault in Folder.verify(copy).faults]
        assert names == [
            f"{copy}/{name}"
            for name in (
                "games/000000.parquet",
                "games/000001.parquet",
                "games/000002.parquet",
            )
        ]


class TestForeignFiles:
    OTHERS: ClassVar = {
        "seed 4 instead of 3": StudySpec.of("maumau", 2, 2, 4, chunk=1),
        "policies house,random instead of house,house": StudySpec.of("maumau", 2, 2, 3, ("house", "random"), chunk=1),
        "players 3 instead of 2": StudySpec.of("maumau", 3, 2, 3, chunk=1),
        "first 5 instead of 0": StudySpec.of("maumau", 2, 2, 3, chunk=1, first=5),
        "games 2 instead of 1": StudySpec.of("maumau", 2, 2, 3, chunk=2),
        "rotate False instead of True": StudySpec.of("maumau", 2, 2, 3, chunk=1, rotate=False),
        "target 30 instead of none": StudySpec.of("maumau", 2, 2, 3, chunk=1, target=30),
        "compared_with maumau+nine-reverses instead of none": StudySpec.of(
            "maumau", 2, 2, 3, chunk=1, rotate=False, compared_with="maumau+nine-reverses"
        ),
    }

    @pytest.mark.parametrize("difference", OTHERS)
    @pytest.mark.parametrize("checksum", [False, True])
    def test_a_file_of_another_study_is_refused_and_kept(
        self, tmp_path: Path, study: Path, difference: str, checksum: bool
    ) -> None:
        study_in(other := tmp_path / "other", self.OTHERS[difference])
        for name in (GAMES, SUMS) if checksum else (GAMES,):
            shutil.copy(other / name, study / name)
        before = files(study)
        assert_noticed(study, GAMES)
        assert all(difference in reader(study) for reader in READERS.values())
        with pytest.raises(StudyError, match="belongs to another study or chunk"):
            study_in(study, QUESTION, resume=True)
        assert files(study) == before

    def test_chunks_that_were_exchanged(self, study: Path) -> None:
        one, two = study / GAMES, study / "games" / "000001.parquet"
        one.rename(study / "aside")
        two.rename(one)
        (study / "aside").rename(two)
        before = files(study)
        assert all("chunk 1 instead of 0" in reader(study) for reader in READERS.values())
        assert files(study) == before

    def test_a_new_study_is_not_begun_among_chunks_of_another(self, study: Path) -> None:
        (study / MANIFEST).unlink()
        before = files(study)
        with (
            pytest.raises(StudyError, match="seed 3 instead of 4"),
            Folder.open(study, self.OTHERS["seed 4 instead of 3"], False),
        ):
            pass
        assert files(study) == before


def edited(folder: Path, sealed: bool, **changes: object) -> None:
    """Change parameters in a manifest; sealed: with the checksum that belongs to them."""
    plain = json.loads((folder / MANIFEST).read_text())
    plain["question"] |= changes
    if sealed:
        del plain["sha256"]
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        plain["sha256"] = sha256(text.encode()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps(plain, indent=1) + "\n")


class TestTheManifest:
    def test_an_edit_is_detected_by_its_checksum(self, study: Path) -> None:
        edited(study, sealed=False, seed=4)
        assert all("damaged or edited by hand" in reader(study) for reader in READERS.values())

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *[("players", value) for value in (True, 2.0, "2", None, [2], 10**30, -1)],
            *[("games", value) for value in (False, 2.5, "many", 0)],
            *[("policies", value) for value in ("house", ["house"], [1, 2], ["house", "nobody"], {}, [["house"]] * 2)],
            *[("game", value) for value in ("poker", 1, None, [])],
            *[("rotate", value) for value in (1, "yes", None)],
            *[("confidence", value) for value in (1, "0.95", 1.5, float("nan"), None)],
            *[("until_width", value) for value in (0, True, "0.1", float("inf"))],
            *[("chunk", value) for value in (0, True, 1.0)],
            ("more", 1),
        ],
    )
    def test_other_types_and_values_are_refused_in_a_line(self, study: Path, name: str, value: object) -> None:
        edited(study, sealed=True, **{name: value})
        for reader in READERS.values():
            output = reader(study)
            assert output.startswith(f"{study / MANIFEST}: ")
            assert "; " in output
            assert "\n" not in output

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"{}",
            b"[]",
            b"1",
            b"[" * 100_000,
            b'{"format": 2}',
            b"\xff",
            b'{"format": 2, "sha256": []}',
            b"9" * 9999,
        ],
    )
    def test_what_is_no_manifest_is_refused_in_a_line(self, study: Path, text: bytes) -> None:
        (study / MANIFEST).write_bytes(text)
        assert_noticed(study, MANIFEST)

    @pytest.mark.parametrize("chunk", [2, 3, 10**30])
    def test_with_another_size_of_chunks_no_file_is_overwritten(self, study: Path, chunk: int) -> None:
        edited(study, sealed=True, chunk=chunk)
        before = files(study)
        assert_noticed(study, "games/00000", "report", "verify")
        with pytest.raises(StudyError, match="games/00000"):
            study_in(study, None, resume=True)
        assert files(study) == before

    def test_the_format_before_is_refused_in_a_sentence(self, study: Path) -> None:
        plain = {"format": 1, "question": QUESTION.as_json(), "identity": {}}
        (study / MANIFEST).write_text(json.dumps(plain))
        assert all("format 1 instead of 3, written by another version" in reader(study) for reader in READERS.values())

    def test_a_manifest_without_a_format_is_refused_in_a_sentence(self, study: Path) -> None:
        (study / MANIFEST).write_text("{}")
        assert all(f"{MANIFEST}: missing field 'format'; restore it" in reader(study) for reader in READERS.values())


class TestTheCommand:
    def test_a_sound_study(self, wider: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert app(["study", "--verify", str(wider)], standalone_mode=False) == 0
        assert capsys.readouterr() == (f"{wider}: no faults; 4 chunks with 40 games are valid\n", "")

    def test_a_study_of_one_chunk(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        one = tmp_path / "one"
        study_in(one, StudySpec.of("maumau", 2, 1, 3))
        assert app(["study", "--verify", str(one)], standalone_mode=False) == 0
        assert capsys.readouterr() == (f"{one}: no faults; 1 chunk with 1 game is valid\n", "")

    def test_a_damaged_study_has_status_1_and_names_each_file(
        self, study: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (study / GAMES).write_bytes(b"")
        (study / "checksums" / "000001.sha256").unlink()
        assert app(["study", "--verify", str(study)], standalone_mode=False) == 1
        out = capsys.readouterr().out.splitlines()
        assert [line.split(":")[0] for line in out] == [
            *(f"{study}/games/00000{place}.parquet" for place in (0, 1)),
            str(study),
        ]


class TestWhatLiesInTheFolder:
    """Links, folders and pipes in place of files."""

    @pytest.fixture(name="letter")
    def another_file(self, tmp_path: Path) -> Iterator[Path]:
        """A file outside the study, which is as it was after the test."""
        letter = tmp_path / "letter"
        letter.write_text("mine")
        yield letter
        assert letter.read_text() == "mine"

    @pytest.mark.parametrize("name", [f"{name}.part" for name in (MANIFEST, GAMES, SUMS)])
    def test_a_link_is_not_written_through(self, tmp_path: Path, letter: Path, sound: Path, name: str) -> None:
        for folder in ("games", "checksums"):
            (tmp_path / "s" / folder).mkdir(parents=True)
        (tmp_path / "s" / name).symlink_to(letter)
        study_in(tmp_path / "s", QUESTION)
        assert files(tmp_path / "s") == files(sound)

    @pytest.mark.parametrize("name", [GAMES, SUMS])
    def test_a_link_in_place_of_a_damaged_file(self, study: Path, letter: Path, sound: Path, name: str) -> None:
        (study / name).unlink()
        (study / name).symlink_to(letter)
        assert_noticed(study, name)
        study_in(study, None, resume=True)
        assert files(study) == files(sound)
        assert not (study / name).is_symlink()

    @pytest.mark.parametrize("name", [MANIFEST, GAMES, SUMS, "games", "checksums"])
    def test_a_link_to_what_was_there_is_named(self, tmp_path: Path, study: Path, name: str) -> None:
        (study / name).rename(tmp_path / "moved")
        (study / name).symlink_to(tmp_path / "moved")
        for reader in READERS.values():
            assert f"{study / name}: a link; it must be" in reader(study)

    @pytest.mark.parametrize("name", ["games", "checksums"])
    @pytest.mark.parametrize("resume", [False, True])
    def test_nothing_is_written_or_removed_behind_a_link(self, tmp_path: Path, name: str, resume: bool) -> None:
        victim = tmp_path / "victim"
        victim.mkdir()
        for ending in (".parquet", ".sha256"):
            (victim / f"000007{ending}.part").write_text("precious")
        before = files(victim)
        (tmp_path / "s").mkdir()
        (tmp_path / "s" / name).symlink_to(victim)
        message = f"{tmp_path / 's' / name}: a link; it must be a folder"
        with pytest.raises(StudyError, match=message), Folder.open(tmp_path / "s", QUESTION, resume):
            pass
        assert files(victim) == before

    def test_a_lock_that_is_a_link(self, study: Path, letter: Path) -> None:
        (study / ".lock").unlink()
        (study / ".lock").symlink_to(letter)
        assert "a link; it must be a regular file" in resumed(study)

    @pytest.mark.parametrize("name", [MANIFEST, GAMES, SUMS])
    @pytest.mark.parametrize("target", ["/dev/zero", "/nowhere/at/all", "."])
    def test_a_link_to_what_is_no_file(self, study: Path, name: str, target: str) -> None:
        (study / name).unlink()
        (study / name).symlink_to(target)
        before = sorted(study.rglob("*"))
        for reader in READERS.values():
            assert "; " in reader(study)
        assert sorted(study.rglob("*")) == before

    @pytest.mark.parametrize("name", [MANIFEST, GAMES, SUMS])
    def test_a_pipe_is_not_waited_for(self, study: Path, name: str) -> None:
        (study / name).unlink()
        os.mkfifo(study / name)
        assert_noticed(study, name)

    @pytest.mark.parametrize("name", ["games", "checksums"])
    def test_a_file_in_place_of_a_folder(self, study: Path, name: str) -> None:
        shutil.rmtree(study / name)
        (study / name).write_text("")
        assert all("; " in READERS[reader](study) for reader in ("resume", "verify"))

    @pytest.mark.parametrize("name", [GAMES, SUMS, MANIFEST])
    def test_a_folder_with_the_name_of_what_is_left_aside(self, study: Path, name: str) -> None:
        (study / f"{name}.part").mkdir()
        assert resumed(study) == f"{study / name}.part: is a directory; it must be a file that can be removed"

    def test_a_folder_in_place_of_the_lock(self, study: Path) -> None:
        (study / ".lock").unlink()
        (study / ".lock").mkdir()
        assert resumed(study) == f"{study / '.lock'}: is a directory; it must be a file that can be locked"

    @pytest.mark.slow
    @pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
    @pytest.mark.parametrize(
        ("closed", "named", "expected"),
        [
            ("games", "games", "a folder with a file for each chunk"),
            (".", MANIFEST, "the manifest of a study, or none"),
        ],
    )
    def test_a_folder_that_cannot_be_searched(self, study: Path, closed: str, named: str, expected: str) -> None:
        (study / closed).chmod(0o200 if closed == "games" else 0o400)
        done = called("study", "--report", study, bound_by_modes=True)
        (study / closed).chmod(0o700)
        message = f"{study / named}: permission denied; it must be {expected}\n"
        assert (done.returncode, done.stderr.decode()) == (2, message)

    def test_a_study_that_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "s").write_text("mine")
        assert all("; " in reader(tmp_path / "s") for reader in READERS.values())
