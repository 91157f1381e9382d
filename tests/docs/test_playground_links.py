"""Every example of the documentation opens in the playground, where it runs; each that has no link fails there."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from doc_blocks import DOCS, ROOT, Block, blocks, pages
from playground_links import MACHINE, WITHOUT, fragment, opened, with_links

FOLDERS = [ROOT, ROOT / "playground" / "python", DOCS / "course", DOCS / "howto"]
"""What the playground can import."""
SCRIPT = """
import json, sys

class Compiled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"numpy", "llvmlite", "scipy", "pyarrow", "duckdb", "matplotlib", "rich", "click"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Compiled())
sys.path[:0] = sys.argv[1:]
from running import Fault, made

def fault(text):
    try:
        made(text)
    except Fault as fault:
        return str(fault)
    return ""

json.dump([fault(text) for text in json.load(sys.stdin)], sys.stdout)
"""
WHY = {
    "course/solutions.md": "No such file or directory: 'maumau.scxml'",  # which a command of the page writes
    "course/statecharts.md": "No such file or directory: 'maumau.scxml'",
    "howto/agents.md": "No module named",  # numpy and llvmlite, with which nets and batches are computed
    "howto/match.md": "No module named 'llvmlite'",
    "howto/first-agent.md": "No module named",  # llvmlite, torch
    "howto/solve.md": "No module named 'llvmlite'",
    "howto/study.md": "No module named",  # duckdb, pyarrow, llvmlite
    "reference/formats.md": "No such file or directory: 'games.jsonl'",
    "reference/study-folder.md": "No such file or directory: 'two/|No module named 'pyarrow'",
    "tutorial.md": "No module named 'llvmlite'",
}
"""Why examples that are marked `installed` do not run in a page, by their pages."""


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def faults(texts: list[str], folder: Path) -> list[str]:
    """What the playground says against texts: pure Python alone, in an empty folder. Empty for what runs."""
    command = [sys.executable, "-c", SCRIPT, *map(str, FOLDERS)]
    done = subprocess.run(command, input=json.dumps(texts), cwd=folder, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_every_example_with_a_link_runs_there(tmp_path: Path) -> None:
    last = {}  # the last session of a page has all before it
    for page in pages():
        last |= {(page, block.language): (block.place, text) for block, text in opened(page, text_of(page))}
    places, texts = zip(*last.values(), strict=True)
    assert len(texts) > 28
    found = dict(zip(places, faults(list(texts), tmp_path), strict=True))
    assert {place: fault for place, fault in found.items() if fault} == {}


@pytest.mark.slow
def test_an_example_without_a_link_cannot_run_there(tmp_path: Path) -> None:
    without: list[tuple[Block, str]] = []
    for page in pages():
        before = ""
        for block in blocks(page):
            if block.language == "pycon":
                before += f"{block.body}\n" if not block.marks & WITHOUT else ""
                without += [(block, before + block.body)] if "installed" in block.marks else []
    assert {block.page for block, _ in without} == WHY.keys()
    for (block, _), fault in zip(without, faults([text for _, text in without], tmp_path), strict=True):
        named_before = "NameError" in fault and fault.endswith("is not defined")  # by another of them
        assert re.search(WHY[block.page], fault) or named_before, f"{block.place}: {fault}"


def test_python_without_a_link_is_no_machine() -> None:
    for page in pages():
        linked = [block for block, _ in opened(page, text_of(page))]
        for block in blocks(page):
            if block.language == "python" and block not in linked:
                assert block.marks & WITHOUT or not MACHINE.search(block.body), block.place


def test_links_carry_the_example_and_lead_to_the_playground_of_the_site() -> None:
    shown = with_links("howto/step.md", "```pycon\n>>> 1\n1\n```\n\n```sh\nls\n```\n\n```pycon\n>>> 2\n2\n```\nEnd.\n")
    start = '<a href="../playground/index.html#code='
    assert shown.count(start) == 2
    assert shown.endswith("</p>\n\nEnd.\n")
    last = shown.rpartition(start)[2].partition('"')[0]
    assert zlib.decompress(base64.urlsafe_b64decode(last + "=="), -15).decode() == ">>> 1\n1\n\n>>> 2\n2\n"
    assert last == fragment(">>> 1\n1\n\n>>> 2\n2\n")
