"""The README is true: its sessions give what they show, its commands run."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from configparser import RawConfigParser
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest
from environments import make_environment

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
BLOCKS = {kind: re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL) for kind in ("sh", "python", "console")}
(RULE,) = BLOCKS["python"]


def commands() -> list[str]:
    """The commands between the first block, which installs, and the last, which tests: CI runs these two."""
    lines = [line for block in BLOCKS["sh"][1:-1] for line in block.splitlines()]
    return [line for line in lines if not line.startswith("source ")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of a reader, as far as the commands read it."""
    for name in ("tests/corpus", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "tens.py").write_text(RULE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_sessions_give_what_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", PATH)
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=ELLIPSIS)
    assert results.attempted >= 8
    assert results.failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_a_command_runs(command: str, folder: Path) -> None:
    before = set(folder.iterdir())
    done = in_a_shell(command)
    assert done.returncode == 0, done.stderr
    assert done.stdout or set(folder.iterdir()) - before


def in_a_shell(command: str) -> subprocess.CompletedProcess[str]:
    line = ["bash", "-c", f"set -o pipefail; {command}"]
    env = {**os.environ, "PATH": PATH}
    return subprocess.run(line, env=env, input="quit\n", capture_output=True, text=True, check=False)


NEEDS = re.compile(r"#.*\bneeds the extra (\w+)")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs Python with the packages of the base install only, and without the programs of this machine."""
    programs = make_environment(tmp_path_factory.mktemp("base") / "environment")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [str(programs / "python"), *arguments]
        return subprocess.run(line, env={"PATH": ""}, input="quit\n", capture_output=True, text=True, check=False)

    return run


@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_in_the_base_install_a_line_runs_or_says_which_extra_it_needs(
    command: str, base: Callable[..., subprocess.CompletedProcess[str]], folder: Path
) -> None:
    needs = NEEDS.search(command)
    done = base("-m", *shlex.split(command, comments=True))
    assert done.returncode == (2 if needs else 0), done.stderr
    assert needs is None or f"'.[{needs[1]}]'" in done.stderr


def test_in_the_base_install_the_session_runs_but_for_lines_that_need_an_extra(
    base: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    plain = re.sub(rf">>> .*{NEEDS.pattern}\n(?!>>>).*\n", "", README)
    assert plain.count(">>> ") == README.count(">>> ") - len(re.findall(rf">>> .*{NEEDS.pattern}", README))
    (tmp_path / "session.md").write_text(plain)
    done = base("-m", "doctest", str(tmp_path / "session.md"))
    assert done.returncode == 0, done.stdout


def test_it_names_the_extras_that_there_are() -> None:
    setup = RawConfigParser()
    setup.read(ROOT / "setup.cfg")
    extras = setup["options.extras_require"]
    rows = [line for line in README.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert {*named, "test", "all"} - set(extras) == set()
    assert set(named) >= {*re.findall(r"%\((\w+)\)s", extras["all"]), *NEEDS.findall(README)}


def test_ci_runs_the_first_and_the_last_block() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "readme 1" in script
    assert "readme -1" in script
    assert "git clone ADDRESS" in BLOCKS["sh"][0]
    assert ".venv/bin/pytest" in BLOCKS["sh"][-1]


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 130
    assert max(map(len, README.splitlines())) <= 88


def test_the_files_that_it_names_are_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


class TestTheHouseRule:
    """The rule that the README shows, the contradiction that `maumau check` finds, and the edit that mends it."""

    def test_the_contradiction_is_found(self, folder: Path) -> None:
        (shown,) = BLOCKS["console"]
        command, expected = shown.removeprefix("$ ").split("\n", 1)
        done = in_a_shell(command)
        assert done.returncode == 1
        assert OutputChecker().check_output(expected, done.stdout, ELLIPSIS), done.stdout

    def test_the_example_is_the_same_rule_with_one_more_edit(self) -> None:
        example = (ROOT / "examples" / "tens_skip.py").read_text()
        assert "Means(" in example
        assert "Means(" not in RULE
        guard = RULE[RULE.index("@guard") : RULE.index("\n\n\n", RULE.index("@guard"))]
        assert guard in example
