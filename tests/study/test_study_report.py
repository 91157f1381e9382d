"""`maumau study` as its user calls it: its formats, its messages, and what goes where."""

from __future__ import annotations

import csv
import errno
import json
import os
import pty
import re
import subprocess
import sys
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import click
import pytest
from command import maumau
from extras import skip_if_lacking

from maumau.cli.interrupt import CannotWrite
from maumau.cli.main import app
from maumau.cli.study import _write_report
from maumau.study.counts import StudyProgress
from maumau.study.playing import Threads
from maumau.study.report import FORMATS, render, tables
from maumau.study.run import Interrupted, run
from maumau.study.spec import StudySpec
from maumau.study.summary import Distribution, Mean, Summary
from maumau.study.summary import summary as summary_of
from rules.errors import Explained

ASKED = ["--players", "2", "--games", "3000", "--seed", "1", "--policy", "house,random"]
QUESTION = StudySpec.of("maumau", 2, 3000, 1, ("house", "random"))
WITHOUT = "import sys; sys.modules.update(dict.fromkeys({missing!r})); from maumau.cli.main import main; sys.argv = {line!r}; main()"


def study(*arguments: object, without: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Call the command, in a process of its own if the packages `without` are to be missing; its status and what it
    printed.
    """
    line = ["maumau", "study", *map(str, arguments)]
    if not without:
        summary = maumau(*line[1:])
        return summary.returncode, summary.stdout, summary.stderr
    code = WITHOUT.format(missing=without, line=line)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    skip_if_lacking(done.stderr)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(name="summary", scope="module")
def small_study() -> Summary:
    return summary_of(run(QUESTION, Threads(2)))


def test_a_report_that_cannot_be_written_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    report = tmp_path / "report.md"
    report.write_text("the last report")
    progress = run(QUESTION, Threads(2))
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CannotWrite, match=r"report\.md: no space left on device"):
        _write_report(progress, "markdown", str(report))
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the last report"]


class Page(HTMLParser):
    """The tags of a page, its identifiers, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.names.append(str(value))
            if name in ("src", "href", "xlink:href"):
                self.loads.append(str(value))


def test_the_random_player_of_every_game_is_counted_where_it_plays(summary: Summary) -> None:
    """A report of others does not name it."""
    laying = StudySpec.of("maumau", 2, 300, 1, ("random-legal-card", "house"))
    assert "random-legal-card" in summary_of(run(laying, Threads(2))).used
    assert set(summary.used) >= {"random", "first-legal"}
    assert "random-legal-card" not in summary.used


class TestFormats:
    def test_the_table(self, summary: Summary) -> None:
        status, out, errors = study(*ASKED)
        assert (status, errors) == (0, "")
        assert out == render(summary, "table")
        assert "\x1b" not in out
        for seat in summary.seatings[0].seats:
            assert f"{seat.wins.count:,}" in out
        for title in (
            "Wins",
            "Points left in hand",
            "Policies compared",
            "How long games are",
            "Chains of sevens",
            "Transitions",
        ):
            assert title in out

    def test_json_has_all_figures(self, summary: Summary) -> None:
        plain = json.loads(study(*ASKED, "--format", "json")[1])
        assert plain["question"] == QUESTION.as_json()
        assert plain["seatings"][1]["seats"][0]["wins"]["count"] == summary.seatings[1].seats[0].wins.count
        assert sum(plain["seatings"][0]["histograms"][0]["histogram"]) == 3000
        assert plain["chains"]["lengths"]["1"] == (summary.chains and summary.chains.lengths[1])
        assert sum(arc["fired"] for arc in plain["arcs"] if arc["event"] == "open") == 6000

    def test_csv_has_a_figure_a_line(self, summary: Summary) -> None:
        rows = list(csv.DictReader(StringIO(render(summary, "csv"))))
        wins = [row for row in rows if (row["table"], row["column"]) == ("wins", "wins")]
        assert [int(row["value"]) for row in wins] == [
            seat.wins.count for seating in summary.seatings for seat in seating.seats
        ]
        assert len({(row["table"], row["row"], row["column"]) for row in rows}) == len(rows)

    def test_markdown_has_tables_of_even_rows(self, summary: Summary) -> None:
        for table in render(summary, "markdown").split("\n\n"):
            lines = [line for line in table.splitlines() if line.startswith("|")]
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1

    @pytest.mark.slow
    def test_the_page_needs_nothing_else_and_has_plots(self, summary: Summary) -> None:
        text = render(summary, "html")
        page = Page(text)
        assert page.tags.count("svg") >= 2 + 2 * 4
        assert not {"script", "link", "img", "iframe"} & set(page.tags)
        assert all(target.startswith("#") and target[1:] in page.names for target in page.loads)
        assert len(page.names) == len(set(page.names))
        assert "url(http" not in text
        assert "@import" not in text
        assert "prefers-color-scheme: dark" in text
        assert render(summary, "html") == text

    def test_a_notebook_shows_every_section_as_a_table(self, summary: Summary) -> None:
        shown = summary._repr_mimebundle_()["text/html"]
        titles = re.findall(r"## (.*)", render(summary, "markdown"))
        assert re.findall("<caption>(.*?)</caption>", shown) == titles
        assert shown.count("<tr>") == sum(
            line.startswith("| ") and not line.startswith("| ---") for line in render(summary, "markdown").splitlines()
        )

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["table", "markdown", "json", "csv", "html"])
    def test_a_single_game_can_be_reported(self, name: str) -> None:
        text = render(summary_of(run(StudySpec.of("maumau", 3, 1, 5), Threads(1))), name)
        assert "nan" not in text.lower().replace("dominant", "")
        assert "Infinity" not in text

    def test_all_are_offered(self) -> None:
        from maumau.cli.study import FORMATS as OFFERED

        assert sorted(OFFERED) == sorted(FORMATS)

    def test_the_ending_of_the_file_sets_the_format(self, tmp_path: Path, summary: Summary) -> None:
        for ending, format in ((".md", "markdown"), (".json", "json"), (".CSV", "csv")):
            status, out, _ = study(*ASKED, "-o", tmp_path / f"report{ending}")
            assert (status, out) == (0, "")
            assert (tmp_path / f"report{ending}").read_text() == render(summary, format)


class TestMessages:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--games", "10"], "--players: missing; name the number of players, 2 to 4"),
            (["--players", "2"], "--games is missing; give it, or --until-width"),
            (["--players", "5", "--games", "10"], "--players: 5 players cannot play; use 2 to 4"),
            ([*ASKED, "-o", "x.foo"], "x.foo: unknown ending '.foo'; use one of .table, .markdown, .json, "),
            (["--players", "2", "--games", "-1"], "--games: -1 is too small; use 1 or more"),
            (
                ["--players", "2", "--games", str(10**20)],
                f"--games: {10**20} games from 0 on go beyond the last number",
            ),
            (["--players", "2", "--games", "9", "--policy", "foo"], "--policy: unknown policy 'foo'"),
            (
                ["--players", "2", "--games", "9", "--cluster", "x"],
                "--cluster: 'x' is not the address of a cluster; use local, local:N or tcp://",
            ),
            (
                ["--players", "2", "--games", "9", "--cluster", "local", "--threads", "2"],
                "--threads and --cluster cannot",
            ),
            (["--resume"], "--resume requires --out"),
            (["--report", "nowhere"], "nowhere: contains no study"),
            (["--report", ".", "--resume"], "--resume"),
            (["--out", "nowhere", "--resume"], "nowhere: contains no study"),
            (["--players", "2", "--games", "9", "--chunk", "0"], "--chunk: 0 is too small; use 1 or more"),
            (["--players", "2", "--games", "9", "--until-width", "2"], "--until-width: 2.0 is out of range; use"),
            (
                ["--players", "2", "--games", "9", "--seed", str(2**64)],
                "--seed: 18446744073709551616 is out of range; use 0 to 9,223,372,036,854,775,807",
            ),
        ],
    )
    def test_bad_input(self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises((Explained, click.UsageError)) as error:
            app(["study", *arguments], standalone_mode=False)
        assert message in str(error.value)
        assert capsys.readouterr().out == ""

    def test_a_report_that_could_not_be_written_is_refused_before_any_game_is_played(self) -> None:
        with pytest.raises(CannotWrite, match=r"no/where\.md: no such folder; name a file that can be written"):
            app(["study", "--players", "2", "--games", "9", "-o", "no/where.md"], standalone_mode=False)

    def test_it_is_reported_on_standard_error(self) -> None:
        status, out, errors = study("--players", "2")
        assert (status, out, errors) == (2, "", "--games is missing; give it, or --until-width\n")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("missing", "arguments", "message"),
        [
            (
                ("rich",),
                [],
                "the format table requires rich; run pip install -e '.[study]' in a clone of the repository",
            ),
            (("matplotlib",), ["--format", "html"], "the format html requires matplotlib"),
            (("scipy",), [], "requires scipy"),
            (("pyarrow",), ["--out", "kept"], "keeping games requires pyarrow"),
            (
                ("distributed",),
                ["--cluster", "local"],
                "requires distributed; run pip install -e '.[cluster]' in a clone",
            ),
            (
                ("llvmlite",),
                [],
                "maumau study requires llvmlite; run pip install -e '.[bulk]' in a clone of the repository",
            ),
        ],
    )
    def test_what_is_not_installed(self, missing: tuple[str, ...], arguments: list[str], message: str) -> None:
        status, out, errors = study(*ASKED, *arguments, without=missing)
        assert (status, out) == (2, "")
        assert message in errors

    @pytest.mark.slow
    def test_everything_else_works_without(self) -> None:
        missing = ("rich", "matplotlib", "pyarrow", "filelock", "distributed")
        assert study(*ASKED, "--format", "json", without=missing)[0] == 0


@pytest.mark.slow
def test_the_bar_is_shown_on_a_terminal_and_only_there() -> None:
    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "maumau", "study", *ASKED, "--format", "json"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    out, _ = process.communicate()
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "of 3,000 games" in shown
    assert json.loads(out)["games"] == 3000


def test_without_a_folder_ctrl_c_reports_the_games_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    from maumau.cli.study import _report_interruption

    def interrupt(progress: StudyProgress) -> None:
        if progress.chunks >= 3:
            raise KeyboardInterrupt

    spec = StudySpec.of("maumau", 2, 3000, 1, chunk=500)
    with pytest.raises(Interrupted) as stopped:
        run(spec, Threads(1), on_progress=interrupt)
    assert _report_interruption(stopped.value.progress, None, "json", "-") == 130
    printed = capsys.readouterr()
    games = stopped.value.progress.done
    assert games in (1500, 2000)  # another chunk may have been under way
    assert f"interrupted after {games:,} games" in printed.err
    summary = json.loads(printed.out)
    assert (summary["games"], summary["finished"]) == (games, False)


@pytest.mark.parametrize(("values", "width"), [(1, 1), (100, 1), (101, 2), (201, 5), (77_623, 1000)])
def test_a_wide_distribution_is_drawn_in_bins(values: int, width: int) -> None:
    """A bar for each of 77,623 numbers of cards took minutes."""
    mean = Mean(values / 2, 0, values, 1)
    distribution = Distribution("cards", mean, 1, {}, values, (0, *[1] * values))
    svg = tables.histogram(distribution)
    bars = svg.count("clip-path") - 1  # one more is the mean
    assert bars in (-(-values // width), values // width + 1)
    assert (f"in bins of {width:,};" in svg) == (width > 1)
