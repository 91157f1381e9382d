"""Standard streams that are full, closed, or in an encoding that has not all characters; files that cannot be written."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest
from commands import COMMAND, COMMANDS, GAMES, called

QUICK = ["deal", "study", "replay", "help"]
"""Of each way in which a command prints, one: line by line, a whole text, bytes, by click."""


def all_commands(leaving_out: str = "") -> list[object]:
    """All commands; most of them, and `leaving_out`, in thorough runs only."""
    quick = set(QUICK) - {leaving_out}
    return [name if name in quick else pytest.param(name, marks=pytest.mark.thorough) for name in COMMANDS]


REDIRECTED = ["2>&-", "2>/dev/full", "<&-"]


def is_quick(name: str, redirected: str) -> bool:
    """Whether the quick tests call a command so; a study, which takes long to start, once only."""
    return name in QUICK and (name != "study" or redirected == REDIRECTED[0])


@cache
def undisturbed(name: str) -> subprocess.CompletedProcess[bytes]:
    """A command with its streams as they should be; it prints the same each time."""
    return called(*COMMANDS[name])


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("name", all_commands())
def test_a_full_standard_output(name: str) -> None:
    done = called(*COMMANDS[name], redirected=">/dev/full")
    assert done.returncode == 74
    assert done.stderr.endswith(b"<stdout>: no space left on device; redirect the output to where it can be written\n")


@pytest.mark.parametrize("name", all_commands(leaving_out="study"))
def test_a_closed_standard_output(name: str) -> None:
    done = called(*COMMANDS[name], redirected=">&-")
    assert done.returncode == 74
    assert done.stderr.endswith(b"<stdout>: bad file descriptor; redirect the output to where it can be written\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "redirected"),
    [
        pytest.param(name, redirected, marks=[] if is_quick(name, redirected) else pytest.mark.thorough)
        for name in COMMANDS
        for redirected in REDIRECTED
    ],
)
def test_a_standard_error_that_takes_nothing_and_a_closed_standard_input_change_nothing(
    name: str, redirected: str
) -> None:
    whole, done = undisturbed(name), called(*COMMANDS[name], redirected=redirected)
    assert whole.returncode == 0
    assert done.returncode == 0
    if name not in ("check", "compile"):  # they print how long it took
        assert done.stdout == whole.stdout


@pytest.mark.slow
@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
def test_the_status_shows_what_no_message_can(redirected: str) -> None:
    assert called("deal", "--players", "9", redirected=redirected).returncode == 2
    assert called("deal", "--player", "9", redirected=redirected).returncode == 2
    assert called("deal", "--players", "2", redirected=f"{redirected} >&-").returncode == 74


def test_a_closed_standard_input() -> None:
    done = called("simulate", redirected="<&-")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"<stdin>: closed; pipe an input in, or name a file\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["zero", pytest.param("full", marks=pytest.mark.thorough)])
def test_answers_that_never_end(name: str) -> None:
    done = called("play", "--plain", "--seed", "1", redirected=f"</dev/{name}")
    assert done.returncode == 2
    assert done.stderr == b"<stdin>: 1,000 lines without a move; give moves, or quit\n"


def test_a_standard_input_that_cannot_be_read(tmp_path: Path) -> None:
    done = called("play", "--plain", "--seed", "1", redirected=f"0>{tmp_path / 'file'}")
    assert (done.returncode, done.stderr) == (2, b"<stdin>: bad file descriptor; give moves, or quit\n")


def test_an_input_that_never_ends() -> None:
    done = called("simulate", "/dev/zero")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"/dev/zero:1: the line has a zero byte; use letters, digits and spaces\n"


@pytest.mark.parametrize(
    "name", ["deal", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("simulate", "waits"))]
)
def test_a_pipe_that_is_closed_ends_the_command_silently(name: str) -> None:
    long = {"deal": ["deal", "--players", "2", "--games", "100000"]}.get(name, COMMANDS[name])
    line = ["bash", "-c", '"$@" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"', "bash", *COMMAND, *long]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout in ("141\n", "0\n")
    assert name != "deal" or done.stdout == "141\n"


# ---------------------------------------------------------------- files


WRITING = {
    "diagram": ["diagram", "-o"],
    "replay": ["replay", GAMES, "-o"],
    "study": ["study", "--players", "2", "--games", "100", "-o"],
    "stubs": ["stubs", "maumau", "-o"],
    "solve": ["solve", "--deck", "DQ HQ DS HS", "-o"],
    "sets": ["check", "--sets", "--positions", "1", "-o"],
    "train": ["train", "--games", "1", "--hidden", "1", "-o"],
}
"""Each command that writes a file, up to its name."""
UNWRITABLE = "/proc/maumau"
"""Where root learns only by writing that nobody can."""
FILES = ("/dev/full", "/no/such/folder/x", "folder", UNWRITABLE)
TRIED = {*zip(WRITING, FILES, strict=False), ("solve", UNWRITABLE), ("sets", UNWRITABLE)}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        pytest.param(name, file, marks=[] if (name, file) in TRIED else pytest.mark.thorough)
        for name in WRITING
        for file in FILES
        if (name, file) != ("sets", "/dev/full")  # which is read before, without an end
    ],
)
def test_a_file_that_cannot_be_written(tmp_path: Path, name: str, file: str) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / file
    done = called(*WRITING[name], target)
    assert (done.returncode, done.stdout) == (74, b"")
    assert [line for line in done.stderr.splitlines() if not line.startswith(b"maumau: ")] == [
        done.stderr.splitlines()[-1]
    ]
    assert str(target).encode() in done.stderr.splitlines()[-1]
    assert list(tmp_path.rglob("*")) == [tmp_path / "folder"]


@pytest.mark.parametrize("name", ["solve", "sets", "train"])
def test_a_file_beside_a_result_is_not_standard_output(tmp_path: Path, name: str) -> None:
    done = called(*WRITING[name], "-")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"'-': standard output already shows the result; name a file\n"


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["simulate", "a\nb\x1b[31m"], 2, r"a\nb\x1b[31m: no such file or directory; name a file to read"),
        (["diagram", "-o", "no/a\nb\x1b[31m"], 74, r"no/a\nb\x1b[31m: no such folder; name a file that"),
        (
            ["tournament", "--policy", "\x1b[31m"],
            2,
            r"--policy: unknown policy '\x1b[31m'; use one of house, random, ",
        ),
    ],
)
def test_control_characters_do_not_reach_the_terminal(arguments: list[str], status: int, message: str) -> None:
    done = called(*arguments)
    assert done.returncode == status
    assert done.stderr.decode().startswith(message)
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_of_a_study_that_cannot_be_made(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    done = called("study", "--players", "2", "--games", "100", "--out", folder / "s", bound_by_modes=True)
    assert (done.returncode, done.stdout) == (74, b"")
    assert done.stderr.decode() == f"{folder / 's'}: permission denied; choose a folder that can be written to\n"


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_report_in_a_folder_that_cannot_be_searched(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "inside" / "report.md"
    file.parent.mkdir(parents=True)
    (tmp_path / "folder").chmod(0)
    done = called("study", "--players", "2", "--games", "100", "-o", file, bound_by_modes=True)
    (tmp_path / "folder").chmod(0o700)
    assert (done.returncode, done.stdout) == (74, b"")
    assert done.stderr.decode() == f"{file}: permission denied; name a file that can be written\n"


def test_an_empty_name_of_a_cluster() -> None:
    done = called("study", "--players", "2", "--games", "100", "--cluster", "")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"--cluster: '' is not the address of a cluster; use local, local:N or tcp://HOST:PORT\n"


def test_a_study_whose_folder_would_lie_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = called("study", "--players", "2", "--games", "100", "--out", tmp_path / "file" / "s")
    assert (done.returncode, done.stdout) == (74, b"")
    assert b"not a directory; choose a folder that can be written to" in done.stderr


# ---------------------------------------------------------------- encodings


@pytest.mark.parametrize(
    "encoding", ["ascii", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("cp1252", "latin-1"))]
)
@pytest.mark.parametrize("name", all_commands(leaving_out="study"))
def test_an_encoding_without_all_characters(name: str, encoding: str) -> None:
    done = called(*COMMANDS[name], PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    if name == "rules":  # names the games that rules are from in their languages
        assert "after Czech Pr" in done.stdout.decode(encoding)
    elif name not in ("diagram-events", "replay"):  # they are UTF-8 by their format
        assert done.stdout.isascii()


def test_names_that_an_encoding_lacks() -> None:
    tables = "Łukasz 木村\n".encode()
    done = called("acquaintance", "--seats", data=tables, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stdout) == (0, b"\\u0141ukasz \\u6728\\u6751: 1\n")
