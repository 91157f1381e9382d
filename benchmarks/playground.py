"""How long the playground takes to its first result in a browser, over a slow line: python -m benchmarks.playground.

A static host serves the folder that `playground/build.py` writes, compressed as such hosts do. Chromium's throttling
slows its line down. The first result is the diagram of the first machine, in a page that can be used. Cold is the first
visit, with an empty cache. Warm is a visit after that, when the page works offline.
"""

from __future__ import annotations

import argparse
import gzip
import http.server
import os
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measuring import CannotMeasureError, markdown, surroundings, time_text, whole_number, write_json

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "_build" / "playground"
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
READY = "document.body.dataset.ready === 'yes' && document.querySelector('#diagram svg') !== null"
PATIENCE = 120
"""Seconds."""
LATENCY = 20
"""Milliseconds that the line adds to each request."""
HEAD = ("visit", "first result", "CPU", "megabytes", "requests")
TICKS = os.sysconf("SC_CLK_TCK")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript"}
TYPES |= {".json": "application/json", ".wasm": "application/wasm"}
PACKED = (".zip", ".gz")
"""The endings of files that hosts do not compress once more."""


class Host(http.server.ThreadingHTTPServer):
    """A static host of a folder, which counts what it sends."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder, self.sent, self.requests = folder, 0, 0
        self.content = cache(self._content)

    def _content(self, path: str) -> bytes:
        content = (self.folder / path.partition("?")[0].lstrip("/")).read_bytes()
        return content if path.endswith(PACKED) else gzip.compress(content, 6, mtime=0)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Host
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = "/index.html" if self.path == "/" else self.path
        try:
            content, status = self.server.content(path), 200
        except OSError:
            content, status = gzip.compress(b""), 404
        self.send_response(status)
        if not path.endswith(PACKED):
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", TYPES.get(Path(path).suffix, "application/octet-stream"))
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.server.sent += len(content)
        self.server.requests += 1

    def log_message(self, format: str, *args: object) -> None:
        pass


@dataclass
class Visit:
    """A visit. seconds: to the first result. processor: seconds of all processes of the browser up to then.

    sent: bytes that the host sent. requests: as many.
    """

    seconds: float
    processor: float
    sent: int
    requests: int


@contextmanager
def served(folder: Path) -> Iterator[Host]:
    """The host, while it serves a folder."""
    host = Host(folder)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    yield host
    host.shutdown()


def visits(browser: Any, host: Host, megabits: float) -> tuple[Visit, Visit]:
    """The first visit of a new browser, and the next one when the page works offline."""
    context = browser.new_context()
    page = context.new_page()
    throttle(context, page, megabits)

    def visit() -> Visit:
        sent, requests, used, start = host.sent, host.requests, processor_time(), time.perf_counter()
        page.goto(f"http://127.0.0.1:{host.server_port}/", wait_until="domcontentloaded")
        until(page, READY)
        seconds = time.perf_counter() - start
        return Visit(seconds, processor_time() - used, host.sent - sent, host.requests - requests)

    cold = visit()
    until(page, "navigator.serviceWorker.controller !== null")
    page.goto("about:blank")
    warm = visit()
    context.close()
    return cold, warm


def processor_time() -> float:
    """Seconds that the descendants of this process have used so far, by Linux's /proc: the browser and its driver."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            number = int(file.parent.name)
            parents[number], used[number] = int(fields[1]), int(fields[11]) + int(fields[12])
    found = {os.getpid()}
    while more := {number for number, parent in parents.items() if parent in found} - found:
        found |= more
    return sum(used[number] for number in found - {os.getpid()}) / TICKS


def throttle(context: Any, page: Any, megabits: float) -> None:
    """Slow the line of a page down."""
    session = context.new_cdp_session(page)
    bytes_a_second = megabits * 1e6 / 8
    line = {"downloadThroughput": bytes_a_second, "uploadThroughput": bytes_a_second, "latency": LATENCY}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **line})


def until(page: Any, condition: str) -> None:
    """Wait until a script says yes. Raises CannotMeasureError."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(condition):
        if time.monotonic() > end:
            raise CannotMeasureError(f"not within {PATIENCE} s: {condition}")
        page.wait_for_timeout(20)


def measured(folder: Path, megabits: float, repeats: int) -> dict[str, list[Visit]]:
    """The visits by their names. Raises CannotMeasureError."""
    if not (folder / "index.html").exists():
        raise CannotMeasureError(f"{folder} has no playground: python playground/build.py")
    if PROGRAM is None:
        raise CannotMeasureError("chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise CannotMeasureError("playwright is not installed") from None
    found: dict[str, list[Visit]] = {"cold": [], "warm": []}
    with sync_playwright() as driver, served(folder) as host:
        for _ in range(repeats):
            browser = driver.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox", "--disable-quic"])
            cold, warm = visits(browser, host, megabits)
            found["cold"].append(cold)
            found["warm"].append(warm)
            browser.close()
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.playground", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="what playground/build.py wrote (default: %(default)s)"
    )
    parser.add_argument("--megabits", type=float, default=20, help="of the line, a second (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=3, help="visits of each kind (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the visits into FILE, too")
    options = parser.parse_args(arguments)
    machine = surroundings("playwright")
    print(f"{machine}; {options.megabits:g} Mbit/s, {LATENCY} ms a request, {options.repeats} visits, medians\n")
    try:
        found = measured(options.folder, options.megabits, options.repeats)
    except CannotMeasureError as error:
        raise SystemExit(f"not measured: {error}") from None
    rows = []
    for name, each in found.items():
        seconds, processor, sent, requests = (median(column) for column in zip(*map(astuple, each), strict=True))
        rows.append([name, time_text(seconds), time_text(processor), f"{sent / 1e6:.1f}", f"{requests:g}"])
    print(markdown(HEAD, rows))
    visits_of = {name: [asdict(visit) for visit in each] for name, each in found.items()}
    write_json(options.json, {"machine": machine, "megabits": options.megabits} | visits_of)


if __name__ == "__main__":
    main()
