"""The playground as it is built, in a real browser: without a server of its own, without another host, and offline.

npm installs what the page is made of; without npm, or without the network, these tests are skipped, except in
continuous integration.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Watched, complaints, started_browser, until
from command import maumau
from playground_links import fragment, opened
from solutions import SOLUTIONS

ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds for Python to start and to answer on a busy machine."""
READY = "document.body.dataset.ready === 'yes' && document.querySelector('#diagram svg') !== null"
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("playground")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The playground, built by its command."""
    target = tmp_path_factory.mktemp("site") / "playground"
    if shutil.which("npm") is None:
        done = None
    else:
        command = [sys.executable, ROOT / "playground" / "build.py", "-o", target]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done is None or done.returncode:
        why = f"the playground cannot be built: {done.stderr.strip()[-300:] if done else 'npm is not installed'}"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    return target


class Handler(http.server.SimpleHTTPRequestHandler):
    """A static host that says nothing."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Where a static host serves the folder."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def watched(address: str) -> Iterator[Watched]:
    """A page of the playground in which Python has started."""
    with started_browser() as browser:
        watched = Watched(browser, viewport={"width": 1300, "height": 900})
        watched.page.goto(address)
        until(watched.page, READY, PATIENCE)
        yield watched
        assert watched.faults == []
        assert [url for url in watched.requests if not url.startswith((address, "data:", "blob:"))] == []


def set_text(watched: Watched, text: str) -> None:
    """Replace the text in the editor, as somebody who pastes."""
    editor = watched.page.locator(".cm-content")
    editor.focus()
    watched.page.keyboard.press("Control+A")
    watched.page.keyboard.insert_text(text)


def source_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_a_machine_is_drawn_stepped_checked_and_replayed(watched: Watched) -> None:
    page = watched.page
    page.click("#moves button:has-text('start')")
    until(page, "document.querySelector('#facts').textContent.startsWith('locked')", PATIENCE)
    page.click("#moves button:has-text('coin')")
    until(page, "document.querySelector('#facts').textContent === 'unlocked · coins: 1'", PATIENCE)
    page.click("#moves button:has-text('Undo')")
    until(page, "document.querySelector('#facts').textContent === 'locked · coins: 0'", PATIENCE)

    broken = source_of("docs/course/turnstile.py").replace("conditions=has_room, before=take_coin", "before=take_coin")
    set_text(watched, broken)
    until(page, "document.querySelector('#facts').textContent.startsWith('start')", PATIENCE)
    page.click("#check")
    until(page, "!document.querySelector('#check').disabled", PATIENCE)
    assert "at most three coins are in the box" in page.inner_text("#violated")
    last = int(page.get_attribute("#at", "max") or 0)
    assert last == 8  # the start, and four coins with three visitors between them
    page.eval_on_selector("#at", "(at) => { at.value = at.max; at.dispatchEvent(new Event('input')); }")
    until(page, "document.querySelector('#facts').textContent === 'unlocked · coins: 4'", PATIENCE)

    set_text(watched, broken.replace("LOCKED: choose(", "LOCKED: chose(", 1))
    until(page, "!document.querySelector('#fault').hidden", PATIENCE)
    assert re.fullmatch(r"line \d+: NameError: name 'chose' is not defined.*", page.inner_text("#fault"))

    page.fill("#line", "1 + 1")
    page.press("#line", "Enter")
    until(page, "document.querySelector('#output').textContent.includes('2')", PATIENCE)
    for line in ("for number in range(3):", "  print(number + 40)", ""):
        page.fill("#line", line)
        page.press("#line", "Enter")
    until(page, "document.querySelector('#output').textContent.includes('42')", PATIENCE)
    assert ">>> for number in range(3):\n...   print(number + 40)\n... \n40" in page.inner_text("#output")
    assert complaints(page) == []


def test_a_check_that_takes_long_is_stopped_and_the_page_goes_on(watched: Watched) -> None:
    page = watched.page
    page.select_option("#examples", "example:crazy-eights")
    until(page, "document.querySelector('#board').textContent.includes('Crazy Eights')", PATIENCE)
    inside = """(() => {
      const [node, view] = ["INITIAL", "diagram"].map((id) => document.getElementById(id).getBoundingClientRect());
      return node.top >= view.top && node.bottom <= view.bottom;
    })()"""
    until(page, inside, PATIENCE)
    page.click("#check")
    until(page, "!document.querySelector('#stop').hidden", PATIENCE)
    page.click("#moves button:has-text('Step')")
    page.click("#stop")
    until(page, "document.querySelector('#report').textContent.includes('stopped')", PATIENCE)
    assert not page.is_disabled("#check")


def test_a_million_games_are_counted_as_the_command_counts_them(watched: Watched) -> None:
    page = watched.page
    page.select_option("#examples", "game:maumau+nine-reverses")
    until(page, "document.querySelector('#board').textContent.includes('nine-reverses')", PATIENCE)
    page.select_option("#players", "3")
    page.fill("#seed", "7")
    page.click("#million")
    until(page, "!document.querySelector('#million').disabled", PATIENCE)
    read = "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    shown = {
        what: int(count.replace(",", "")) for count, _, what in page.eval_on_selector_all("#report tbody tr", read)
    }

    question = ["--game", "maumau", "--with", "nine-reverses", "--players", "3", "--seed", "7"]
    assert page.inner_text("#report pre") == f"maumau study {' '.join(question)} --games 1000000"
    study = json.loads(maumau("study", *question, "--games", "1000000", "--format", "json").stdout)
    seats = study["seatings"][0]["seats"]
    assert [shown[f"player {seat} won"] for seat in (1, 2, 3)] == [seat["wins"]["count"] for seat in seats]
    assert [shown[f"points of player {seat}"] / 1e6 for seat in (1, 2, 3)] == [seat["points"]["mean"] for seat in seats]
    endings = {name: ending["count"] for name, ending in study["seatings"][0]["endings"].items()}
    assert {name: shown[f"games: {name}"] for name in endings} == endings
    assert [count for what, count in shown.items() if "-->" in what] == [arc["fired"] for arc in study["arcs"]]

    fired = max(arc["fired"] for arc in study["arcs"])
    until(page, f"document.querySelector('#diagram').textContent.includes('{fired:,} times')", PATIENCE)
    assert complaints(page) == []


def test_a_changed_text_has_no_kernel_and_the_page_says_why(watched: Watched) -> None:
    page = watched.page
    set_text(watched, source_of("docs/course/turnstile.py").replace("coins < 3", "coins < 4"))
    page.click("#million")
    until(page, "document.querySelector('#report .failed') !== null", PATIENCE)
    assert page.inner_text("#report .failed").startswith("there is no kernel for this machine.")
    assert not [url for url in watched.requests if url.endswith(".wasm") and "kernels" in url]


def test_a_level_that_begins_with_no_machine_shows_the_fault_and_no_other_machine(watched: Watched) -> None:
    page = watched.page
    page.select_option("#examples", "level:two-arcs")
    until(page, "!document.querySelector('#fault').hidden", PATIENCE)
    assert page.evaluate("document.querySelector('#fault').getBoundingClientRect().bottom <= innerHeight")
    assert not any(page.is_visible(part) for part in ("#diagram", "#moves", "#line"))
    page.click("#check")
    until(page, "document.querySelector('#report').textContent.includes('may both be enabled')", PATIENCE)
    set_text(watched, SOLUTIONS["two-arcs"])
    until(page, "document.querySelector('#fault').hidden", PATIENCE)
    assert all(page.is_visible(part) for part in ("#diagram", "#line"))


def test_a_shared_text_is_shown_and_runs_only_when_a_button_is_pressed(watched: Watched, address: str) -> None:
    page = watched.page
    set_text(watched, source_of("docs/course/traffic_light.py"))
    page.click("#share")
    until(page, "location.hash.startsWith('#code=')", PATIENCE)
    link = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(link)
    until(page, "document.body.dataset.ready === 'yes'", PATIENCE)
    assert page.inner_text("#shared button") == "Run it"
    assert page.locator("#diagram svg").count() == 0
    assert not page.is_visible("#check")
    assert "A traffic light" in page.inner_text(".cm-content")
    page.click("#run")
    until(page, "document.querySelector('#facts').textContent.startsWith('start')", PATIENCE)


def test_an_example_of_the_documentation_opens_and_shows_what_it_prints(watched: Watched, address: str) -> None:
    page, name = watched.page, "howto/step.md"
    *_, (block, text) = opened(name, source_of(f"docs/{name}"))
    page.goto("about:blank")
    page.goto(f"{address}#code={fragment(text)}")
    until(page, "document.body.dataset.ready === 'yes'", PATIENCE)
    assert page.inner_text("#output") == ""
    page.click("#run")
    until(page, "document.querySelector('#diagram svg') !== null", PATIENCE)
    last = block.body.rstrip().splitlines()[-1]
    assert page.text_content("#output").rstrip().endswith(last)
    assert page.locator("#board *").count() > 0


def test_the_first_result_is_measured(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "benchmarks.playground",
        "--folder",
        folder,
        "--repeats",
        "1",
        "--megabits",
        "1000",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stderr, done.returncode) == ("", 0)
    cold, warm = (line.split("|")[1:-1] for line in done.stdout.splitlines() if line.startswith(("| cold", "| warm")))
    assert float(cold[3]) > 5  # megabytes, compressed
    assert float(warm[3]) == 0


def test_a_broken_link_is_named_and_the_turnstile_is_shown(watched: Watched, address: str) -> None:
    for link in ("code=%%%", "level=unknown"):
        watched.page.goto("about:blank")
        watched.page.goto(f"{address}#{link}")
        until(watched.page, READY, PATIENCE)
        assert watched.page.inner_text("#status") == "The link is broken: the turnstile is shown instead."


def test_the_keyboard_reaches_every_control_and_works_it(watched: Watched) -> None:
    page = watched.page
    page.focus("#examples")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert reached >= {"check", "share", "download", "start", "Step", "million", "players", "seed", "line", "docs"}
    page.focus("#check")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#report .ok') !== null", PATIENCE)


def test_the_page_fits_a_phone(watched: Watched) -> None:
    watched.page.set_viewport_size({"width": 390, "height": 780})
    assert watched.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints(watched.page) == []
    watched.page.emulate_media(color_scheme="dark")
    assert complaints(watched.page) == []


def test_offline_after_the_first_visit_every_level_is_solved_and_kept(watched: Watched) -> None:
    page = watched.page
    until(page, "navigator.serviceWorker.controller !== null", PATIENCE)
    watched.context.set_offline(True)
    page.reload()
    until(page, READY, PATIENCE)
    page.select_option("#examples", "game:uno")
    until(page, "document.querySelector('#board').textContent.includes('UNO')", PATIENCE)
    page.click("#million")
    until(page, "document.querySelector('#report .ok') !== null", PATIENCE)
    levels = page.evaluate("[...document.querySelectorAll('optgroup[label=Levels] option')].map((each) => each.value)")
    assert len(levels) >= 20
    for level in levels:
        page.select_option("#examples", level)
        page.click("#judge")
        until(page, "document.querySelector('#verdict.open') !== null", PATIENCE)
        set_text(watched, SOLUTIONS[level.partition(":")[2]])
        page.click("#judge")
        until(page, "document.querySelector('#verdict.solved') !== null", PATIENCE)
    page.reload()
    until(page, READY, PATIENCE)
    shown = page.evaluate("[...document.querySelectorAll('optgroup[label=Levels] option')].map((each) => each.text)")
    assert all(text.startswith("✓") for text in shown)
