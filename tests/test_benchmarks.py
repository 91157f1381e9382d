"""Each benchmark runs, with tiny sizes, and prints its table with the rows it must have; no time is asserted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOT_MEASURED = "not measured: "
bulk_needed = pytest.mark.skipif(find_spec("llvmlite") is None, reason="the compiled executor needs llvmlite")


def table(text: str) -> list[list[str]]:
    """The rows of all Markdown tables in `text`, without their rules."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [row for row in rows if not set("".join(row)) <= set("-:")]


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@bulk_needed
@pytest.mark.thorough
def test_growth_has_a_row_for_each_size_and_a_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plot needs matplotlib")
    drawn = tmp_path / "growth.svg"
    _, *rows = table(run("growth", "--games", "10000", "--repeats", "1", "--plot", str(drawn)))
    assert [row[1] for row in rows if row[0] == "games"] == ["1,000", "10,000"]
    assert [row[2] for row in rows if row[0] == "seats"] == ["2", "3", "4"]
    assert [row[4] for row in rows if row[0] == "decks"] == ["1,000", "10,000"]
    assert "<svg" in drawn.read_text(encoding="utf-8")


@bulk_needed
@pytest.mark.thorough
def test_players_do_all_tasks_that_they_can_play(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    head, *rows = table(run("tasks", "--policies", "random,net", "--decks", "3", "--json", str(written)))
    assert head == ["task", "measure", "`random`", "`net`"]
    assert {row[0] for row in rows if row[3]} >= {"`maumau-2-v1`", "`maumau-2-tested-v1`", "`uno-4-v1`"}
    assert len(json.loads(written.read_text())) == sum(bool(cell) for row in rows for cell in row[2:])


@bulk_needed
@pytest.mark.thorough
def test_the_explorer_is_measured_against_spin_or_the_reason_is_given(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    text = run("explorer", "--repeats", "1", "--games", "maumau,uno-official", "--json", str(written))
    head, *rows = table(text)
    assert head[-2:] == ["SPIN, a second", "times SPIN"]
    assert [row[0].partition(",")[0] for row in rows] == ["maumau", "maumau", "uno-official", "uno-official"]
    assert rows[-1][-2] == f"{NOT_MEASURED}no model"
    assert len(json.loads(written.read_text())) == len(rows)


@bulk_needed
@pytest.mark.thorough
def test_lanes_are_measured_against_scalar_code_or_the_reason_is_given() -> None:
    text = run("lanes", "--games", "600", "--repeats", "1", "--game", "maumau", "--players", "2")
    found = {row[2] for row in table(text)[1:]}
    lanes = {"lanes: the kernel alone", "lanes: bulk.play", "lanes: bulk.play_dealt"}
    assert found >= lanes or "not measured: maumau, 2 players: " in text


@bulk_needed
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "numbers"), [("maumau", "2 3 4"), ("uno", "2 4 10"), ("mahjong", "2 4"), ("uno-official", "2 4 10")]
)
def test_bulk_has_every_row_for_every_number_of_players(game: str, numbers: str, tmp_path: Path) -> None:
    written = tmp_path / "rows.json"
    text = run("bulk", "--games", "40", "--repeats", "1", "--game", game, "--json", str(written))
    head, *rows = table(text)
    assert head == ["game", "players", "what", "games", "a game", "a turn", "games a second", "ratio", "against"]
    own = ["the kernel alone", "bulk.play", "bulk.play_dealt", "nothing tallied", "rules tallied", "two threads"]
    plain = ["stepped machine", "plain Python without a machine"]
    others = {
        "maumau": ["yardstick, decks given", "yardstick, shuffle inside", "crazy_eights"],
        "uno": ["rlcard"],
        "mahjong": ["rlcard"],
        "uno-official": ["rlcard"],
    }
    for players in numbers.split():
        measured = [row for row in rows if row[1] == players]
        for what in [*own, *plain, *others[game]]:
            found = [row for row in measured if what in row[2]]
            assert found, f"{players} players: {what}"
            assert all(row[4] or row[7] or row[8].startswith(NOT_MEASURED) for row in found)
    assert "open_spiel's crazy_eights as loaded by default: 52 cards" in text
    assert "rlcard's uno Game, the raw one without its environment: the same 108 cards" in text
    assert {row["what"] for row in json.loads(written.read_text())["rows"]} == {row[2] for row in rows}


def test_stepping_is_compared_with_bare_events() -> None:
    head, *rows = table(run("stepping", "--games", "2", "--repeats", "1"))
    assert head[-2:] == ["stepped takes", "required"]
    for game in ("maumau", "uno"):
        measured = [row for row in rows if row[0] == game]
        assert [row[1].split(":")[0].split(",")[0] for row in measured] == [
            "stepped",
            *["bare"] * 3,
            "fast machine",
            *["plain machine"] * 2,
        ]
        assert len({row[2] for row in measured}) == 1, "all fire the same events"
        assert measured[1][-1] == "at most 1.3"


@pytest.mark.slow
def test_waits_are_compared_with_the_mahjong_package_and_every_difference_is_explained() -> None:
    head, *rows = table(run("waits", "--hands", "60", "--repeats", "1"))
    assert head == ["hands", "what", "number", "a hand", "hands a second", "ratio", "required"]
    measured = [row for row in rows if len(row) == len(head)]
    for kind in ("dealt, three suits", "dealt, one suit", "ready, two suits", "ready, two suits, exposed"):
        text = [row for row in measured if row[0] == kind]
        assert [row[1].split(":")[0] for row in text] == ["waits, scores and splits", "the same, read from text"] + [
            "mahjong"
        ] * 2
        assert all(row[3] or row[6].startswith(NOT_MEASURED) for row in text)
    if find_spec("mahjong"):
        compared = [row for row in rows if len(row) != len(head)]
        assert compared[0][-1] == "unexplained"
        assert {row[-1] for row in compared[1:]} == {"0"}


@bulk_needed
@pytest.mark.thorough
def test_start_measures_every_start_and_the_memory() -> None:
    rows = table(run("start", "--games", "500", "--repeats", "1"))
    measured = {row[0]: row[1] or row[-1] for row in rows}
    assert measured["maumau acquaintance, 1,000 people in 1,000 groups of 4"]
    for what in (
        "maumau --version",
        "maumau simulate, 49 games",
        "maumau waits, 5,000 hands",
        "maumau simulate --engine compiled, 49 games",
        "bulk.total, 1,000 games of three players",
    ):
        assert measured[what]
    assert measured["the same command, first compile in an empty MAUMAU_CACHE"]
    assert measured["bulk.total of 5 games"].endswith("MiB")
    assert measured["bulk.total of 500 games"].endswith("MiB")


@bulk_needed
@pytest.mark.thorough
@pytest.mark.skipif(find_spec("pyarrow") is None, reason="a study's games are kept by pyarrow")
def test_study_is_compared_with_bulk_play() -> None:
    text = run("study", "--games", "2000", "--repeats", "1")
    head, *rows = table(text)
    assert head[-1] == "required"
    assert [row[-1] for row in rows] == ["", "", "", "at least 0.85", "at least 0.5"]
    assert len(re.findall(r"^- .* games .*: \d+ MiB, ", text, re.MULTILINE)) == 3


@pytest.mark.slow
@pytest.mark.skipif(find_spec("uvicorn") is None, reason="serving needs the extra web")
def test_serving_measures_steps_and_errors_for_every_size_of_a_request() -> None:
    options = ["--games", "3", "--rate", "20", "--seconds", "1", "--batches", "5", "10"]
    head, *rows = table(run("serving", *options))
    assert head[:3] == ["game", "games at once", "steps in a request"]
    assert [row[:4] for row in rows] == [["maumau", "3", "5", "60.0"], ["maumau", "3", "10", "60.0"]]
    assert [row[head.index("errors")] for row in rows] == ["0", "0"]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("uvicorn") is None, reason="serving needs the extra web")
def test_serving_measures_the_memory_of_rooms() -> None:
    head, *rows = table(run("serving", "--rooms", "4", "--seconds", "3"))
    assert head == ["rooms", "after", "changes", "server's memory", "largest `GET /state`"]
    assert [row[0] for row in rows] == ["4"] * 6
    changes = [int(row[2]) for row in rows]
    assert changes == sorted(changes)
    assert changes[-1] > 50
    assert all(re.fullmatch(r"[1-9]\d+ MB", row[3]) for row in rows)


@pytest.mark.thorough
@pytest.mark.skipif(find_spec("uvicorn") is None, reason="serving needs the extra web")
def test_the_time_from_a_move_to_the_other_screens_is_measured() -> None:
    text = run("tables", "--tables", "2", "--seconds", "2")
    assert re.match(r"2 tables of 4 seats, [1-9]\d* moves: median [\d.]+ ms, 95 % [\d.]+ ms, 99 % [\d.]+ ms", text)
    assert "ms of processor time for each move" in text


@bulk_needed
@pytest.mark.thorough
def test_batches_are_compared_with_other_libraries(tmp_path: Path) -> None:
    written = tmp_path / "rows.json"
    text = run("agents", "--players", "2", "--seconds", "0.05", "--repeats", "1", "--json", str(written))
    head, *rows = table(text)
    assert head == ["game", "players", "what", "steps a second", "ratio", "required"]
    assert [row[2] for row in rows] == [
        *["1,024 slots", "1 slot", "RLCard's UNO"],
        *["1,024 slots", "1 slot", "OpenSpiel's crazy eights"],
        *["1,024 slots", "1 slot", "pgx"] * 2,
        "1,024 slots",
    ]
    games = {"uno", "crazy-eights", "kuhn-poker", "leduc-poker", "maumau"}
    assert {row["game"] for row in json.loads(written.read_text())["rows"]} == games


@bulk_needed
@pytest.mark.thorough
def test_adapters_are_compared_with_rlcard(tmp_path: Path) -> None:
    written = tmp_path / "rows.json"
    head, *rows = table(run("adapters", "--seconds", "0.05", "--repeats", "1", "--json", str(written)))
    assert head == ["game", "players", "what", "decisions a second", "ratio"]
    found = [(row["game"], row["what"].partition(",")[0]) for row in json.loads(written.read_text())["rows"]]
    assert len(found) == len(rows)
    if find_spec("gymnasium") is not None:
        assert {("uno", "Gymnasium"), ("maumau", "Gymnasium")} <= {*found}


@bulk_needed
@pytest.mark.thorough
def test_batches_are_compared_by_their_opponents(tmp_path: Path) -> None:
    written = tmp_path / "rows.json"
    text = run("opponents", "--slots", "4", "--seconds", "0.05", "--repeats", "1", "--json", str(written))
    head, *rows = table(text)
    assert head == ["others", "steps a second", "ratio to house"]
    assert [row[0] for row in rows][:3] == ["house", "net", "search:20"]
    assert json.loads(written.read_text())["rows"][0]["ratio"] == 1


@bulk_needed
@pytest.mark.thorough
def test_search_is_measured_for_each_game() -> None:
    head, *rows = table(run("search", "--decisions", "2", "--rounds", "2", "--repeats", "1"))
    assert head[2] == "playout"
    assert [(row[0], row[1]) for row in rows] == [("maumau", "3"), ("uno", "2"), ("uno", "4"), ("uno-official", "2")]


@bulk_needed
@pytest.mark.thorough
def test_the_main_job_has_a_row_for_each_job_and_a_plot(tmp_path: Path) -> None:
    drawn = tmp_path / "main_job.svg"
    rows = table(run("main_job", "--games", "3000", "--repeats", "1", "--plot", str(drawn)))
    names = [cells[0] for cells in rows]
    for name in ("C++", "simulate", "deal", "simulate --trace", "simulate --json --engine compiled"):
        assert any(name in each for each in names)
    assert drawn.read_text().startswith("<?xml")


@pytest.mark.slow
def test_rooms_are_measured_beside_another_checkout() -> None:
    text = run("rooms", "--games", "maumau", "--tables", "1", "--pairs", "1", "--against", str(ROOT))
    head, row = table(text)
    assert head == ["game", "changes a second", "against the other", "this against itself", "the other against itself"]
    assert row[0] == "maumau"
    assert all(re.fullmatch(r"\d\.\d{3} \(\d\.\d{3} to \d\.\d{3}\)", cell) for cell in row[2:])
