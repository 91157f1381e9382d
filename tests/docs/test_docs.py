"""The documentation is true: sessions give what they show, commands run, links lead somewhere, the site builds."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from doc_blocks import DOCS, PATH, ROOT, Block, blocks, commands, pages, run_commands, run_session

from maumau.cli.main import app

PAGES = pages()
RUN = ("pycon", "sh", "console", "{drawing}")
SLOW = [page for page in PAGES if any("thorough" in block.marks for block in blocks(page))]


def run_page(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, thorough: bool) -> None:
    """Write the files of a page and run its sessions and commands, from top to bottom, in one folder."""
    for there in ("tests/corpus", "examples"):
        shutil.copytree(ROOT / there, folder / there, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", PATH)
    modules = [module for module in (DOCS / page).parent.glob("*.py") if module.name != "conf.py"]
    for module in modules:
        shutil.copy(module, folder)
        monkeypatch.delitem(sys.modules, module.stem, raising=False)
    monkeypatch.syspath_prepend(folder)
    names: dict[str, object] = {}
    for block in blocks(page):
        if "not-run" in block.marks or ("thorough" in block.marks and not thorough):
            continue
        if block.language == "python" and block.caption:
            (folder / block.caption).write_text(block.body, encoding="utf-8")
        elif block.language == "pycon":
            run_session(block, names)
        elif block.language in RUN:
            run_commands(block, folder)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_true(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(page, tmp_path, monkeypatch, thorough=False)


@pytest.mark.thorough
@pytest.mark.parametrize("page", SLOW)
def test_the_slow_blocks_of_a_page_are_true(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(page, tmp_path, monkeypatch, thorough=True)


@pytest.mark.parametrize("page", PAGES)
def test_what_is_not_run_exists(page: str) -> None:
    for block in blocks(page):
        if block.language in RUN[1:] and "not-run" in block.marks:
            for command in commands(block):
                assert_exists(block, command.line)


def assert_exists(block: Block, line: str) -> None:
    """Hold the commands of a line that is not run against the options of `maumau` and the modules of the project."""
    for part in re.split(r"\||&&|;", line):
        words = shlex.split(part.split(" >")[0], comments=True)
        if words[:2] == ["python", "-m"]:
            assert find_spec(words[2]) is not None, f"{block.place}: {part}"
        elif "maumau" in words[0]:
            command = app.commands[words[1]]
            command.make_context(words[1], words[2:])


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("howto/")])
def test_a_guide_runs_something(page: str) -> None:
    assert any(block.language in RUN for block in blocks(page))


def test_every_block_names_its_language() -> None:
    known = {
        *RUN,
        "text",
        "python",
        "toml",
        "json",
        "{toctree}",
        "{image}",
        "{figure}",
        "{include}",
        "{literalinclude}",
        "{eval-rst}",
    }
    assert [block.place for page in PAGES for block in blocks(page) if block.language not in known] == []


OTHER_IMPORTS = re.compile(
    r"^(?:>>> |\.\.\. )? *(?:from|import) (?:fsm|render|maumau\.(?!agents\.adapters\.))\b.*", re.MULTILINE
)


def test_code_imports_from_the_door_and_from_the_rules_alone() -> None:
    code = [path for path in DOCS.rglob("*.py") if path.parent.name != "_ext"]  # what builds the site
    sources = [ROOT / "README.md", *DOCS.rglob("*.md"), *code, *(ROOT / "examples").rglob("*.py")]
    assert len(sources) > 40
    found = {path.name: OTHER_IMPORTS.findall(path.read_text(encoding="utf-8")) for path in sources}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_page_installs_from_an_index() -> None:
    assert [page for page in PAGES if "pip install maumau" in (DOCS / page).read_text(encoding="utf-8")] == []


@pytest.mark.thorough
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    for needed in ("sphinx", "furo", "myst_parser", "sphinx_copybutton"):
        pytest.importorskip(needed, reason="the site is built with the extra `docs`: pip install -e '.[docs]'")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "dummy", str(DOCS), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
