"""Studies that version 0.1.0 began are reported and verified, or refused in a sentence that says what to do."""

from __future__ import annotations

import json
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from outside import command

pytest.importorskip("llvmlite")
pytest.importorskip("scipy")
pytest.importorskip("pyarrow")
pytest.importorskip("filelock")

from pyarrow.parquet import read_table

from fsm import registry
from fsm.match.played import play_hash
from maumau.study.counts import Counts
from maumau.study.folder import MANIFEST, Folder, verify
from maumau.study.identity import SINCE_0_1_0, identity, manifest_of, read_manifest
from maumau.study.playing import play_chunk

STUDIES = Path(__file__).parents[1] / "corpus" / "v0.1.0" / "studies"
READ = ("maumau", "uno", "uno-official", "mahjong", "match")
REFUSED = {
    "nine": "declaration fe4779694c76648c, here",
    "compared": "declaration of maumau+nine-reverses fe4779694c76648c, here",
    "search": "policy search:2 cd5aa5fc81afb25f, here",
}
"""Studies of other rules than those that games have by themselves, and of a player who searches: what they say."""
OTHERWISE = "use the version that made it (maumau 0.1.0), or start again in another folder"


@pytest.mark.parametrize("study", READ)
def test_the_report_is_that_of_0_1_0(study: str) -> None:
    done = command("study", "--report", STUDIES / study, "--format", "markdown")
    expected = (STUDIES / f"{study}.md").read_text(encoding="utf-8")
    assert (done.status, done.out, done.err) == (0, expected, "")


def assert_same(counts: Counts, then: Counts) -> None:
    """Counts are those of 0.1.0; decision rules that are new since then were never used."""
    assert counts.unwon == then.unwon
    assert counts.sums.keys() == then.sums.keys()
    for name, sums in then.sums.items():
        now = counts.sums[name].tolist()
        assert now[: len(sums)] == sums.tolist(), name
        assert not any(now[len(sums) :]), name


@pytest.mark.thorough
@pytest.mark.parametrize("study", READ)
def test_all_games_are_played_again_as_0_1_0_played_them(study: str) -> None:
    """Every count and every row is the same."""
    folder = Folder.read(STUDIES / study)
    for index, counts in folder.stored_counts():
        played = play_chunk(folder.spec, folder.spec.cut(index), with_file=True)
        assert played.file is not None
        assert_same(played.counts, counts)
        found, then = read_table(BytesIO(played.file)), read_table(folder.file(index))
        assert (found.schema.types, found.to_pydict()) == (then.schema.types, then.to_pydict())  # nullable columns then
    assert verify(STUDIES / study).chunks == folder.spec.chunks


@pytest.mark.parametrize("study", REFUSED)
@pytest.mark.parametrize("way", ["--report", "--verify"])
def test_other_rules_are_refused_in_a_sentence(study: str, way: str) -> None:
    done = command("study", way, STUDIES / study)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"{STUDIES / study}: created with {REFUSED[study]}")
    assert done.err.endswith(f": other rules; {OTHERWISE}\n")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("study", [*READ, *REFUSED])
def test_other_versions_do_not_continue_it(study: str, tmp_path: Path) -> None:
    shutil.copytree(STUDIES / study, tmp_path / "s")
    done = command("study", "--resume", "--out", tmp_path / "s")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"{tmp_path / 's'}: created with ")
    assert "numba 0.68.1, here missing" in done.err
    assert done.err.endswith(
        "; continue with the versions that made it (maumau 0.1.0), or start again in another folder\n"
    )
    assert done.err.count("\n") == 1


@pytest.mark.thorough
def test_with_the_same_versions_it_is_continued(tmp_path: Path) -> None:
    """The second chunk, played now, has the games that it had in 0.1.0."""
    folder = tmp_path / "s"
    shutil.copytree(STUDIES / "maumau", folder)
    spec, _ = read_manifest(folder)
    (by_0_1_0,) = (
        old for old, now in SINCE_0_1_0.items() if now == play_hash(registry.game_class("maumau").declaration)
    )
    (folder / MANIFEST).write_bytes(manifest_of(spec, {**identity("maumau"), "declaration": by_0_1_0}))
    expected = list(Folder.read(folder).stored_counts())
    Folder.read(folder).remove_from(1)
    assert command("study", "--resume", "--out", folder, "-o", tmp_path / "report").status == 0
    found = list(Folder.read(folder).stored_counts())
    assert [index for index, _ in found] == [index for index, _ in expected]
    for (_, counts), (_, then) in zip(found, expected, strict=True):
        assert_same(counts, then)


def test_the_known_hashes_are_those_of_the_games_that_are_built_in() -> None:
    """Where this fails, rules have changed. If the thorough test still finds the games of 0.1.0, enter the new hash;
    else remove the row: studies of that game are refused then.
    """
    games = {study: json.loads((STUDIES / study / MANIFEST).read_text())["identity"]["declaration"] for study in READ}
    assert set(games.values()) == SINCE_0_1_0.keys()
    for game in READ[:4]:
        assert SINCE_0_1_0[games[game]] == play_hash(registry.game_class(game).declaration)
