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
from pathlib import Path

import pytest
from command import maumau, plain_line, run_line
from environments import make_environment

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
SETTING_UP = ("pip install", "pytest", "activate")


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if not any(word in line for word in SETTING_UP)]


def test_the_sessions_give_what_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", PATH)
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 8
    assert results.failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_a_command_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "tests" / "corpus", tmp_path / "tests" / "corpus")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    line = plain_line(command)
    done = run_line(line) if line else in_a_shell(command)
    assert done.returncode == 0, done.stderr
    assert done.stdout or [file for file in tmp_path.iterdir() if file.is_file()]


def in_a_shell(command: str) -> subprocess.CompletedProcess[str]:
    line = ["bash", "-c", f"set -o pipefail; {command}"]
    return subprocess.run(line, env={**os.environ, "PATH": PATH}, capture_output=True, text=True, check=False)


NEEDS = re.compile(r"# needs the extra (\w+)")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs Python with the packages of the base install only, and without the programs of this machine."""
    programs = make_environment(tmp_path_factory.mktemp("base") / "environment")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [str(programs / "python"), *arguments]
        return subprocess.run(line, env={"PATH": ""}, capture_output=True, text=True, check=False)

    return run


@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_in_the_base_install_a_line_runs_or_says_which_extra_it_needs(
    command: str, base: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("tests/corpus", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
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
    (sentence,) = re.findall(r"The extras are (.*?)\. ", README, re.DOTALL)
    named = set(re.findall(r"`(\w+)`", sentence)) & set(extras)
    assert named >= {*re.findall(r"%\((\w+)\)s", extras["all"]), *NEEDS.findall(README), "docs"}


def test_ci_does_what_the_readme_says() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    set_up = README.splitlines().index("```sh") + 1
    for command in README.splitlines()[set_up : set_up + 2]:
        for step in command.split(" && "):
            assert f"{step}\n" in script
    assert ".venv/bin/pytest -m thorough --part" in (ROOT / ".ci" / "thorough").read_text()


def test_the_files_that_it_names_are_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


class TestTheHouseRule:
    """The rule that the README shows, and the mistake in it that `maumau check` finds."""

    SHOWN = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

    def test_it_is_the_example(self) -> None:
        assert [(ROOT / "examples" / "tens_skip.py").read_text()] == self.SHOWN

    @pytest.mark.slow
    def test_the_mistake_is_found(self, tmp_path: Path) -> None:
        right = self.SHOWN[0]
        faulty = right.replace("Means(eight_is_open, eight_or_ten_is_open), ", "")
        assert faulty != right
        (tmp_path / "tens.py").write_text(faulty)
        done = maumau("check", "--games", 0, "--with", f"{tmp_path / 'tens.py'}:TENS")
        assert done.returncode == 1
        found = [line.strip() for line in done.stdout.splitlines()]
        for line in re.findall(r"^    (all positions.*?)\n\n", README, re.DOTALL | re.MULTILINE)[0].splitlines():
            start, _, end = line.strip().partition("...")
            assert [text for text in found if text.startswith(start.strip()) and text.endswith(end.strip())]
