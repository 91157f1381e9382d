"""What all tests share: positions of Mau-Mau in short, the corpus, and how hypothesis searches."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import pytest
from browsing import started_browser
from command import forgetting
from extras import lacked_by
from hypothesis import settings
from plain_maumau import CARDS
from selection import SAMPLE, in_sample, part

from fsm import Game, MauMau

if TYPE_CHECKING:
    from playwright.sync_api import Browser

P = ParamSpec("P")
T = TypeVar("T")

pytest.register_assert_rewrite("bulk_fixtures", "uno_games")

CORPUS = Path(__file__).parent / "corpus" / "maumau"
REST = "..."
FACTS = {"player": "1", "due": "0", "penalty": "0", "drawn": "-", "suit": "-", "ending": "-", "winner": "-"}

settings.register_profile("steady", deadline=None, max_examples=20, derandomize=True, database=None)
settings.register_profile("search", deadline=None, max_examples=2000, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def whole(short: str) -> str:
    """The whole position that `short` means: facts left out have their defaults, `...` are all cards not named."""
    phase, *fields = short.split()
    given = dict(field.split("=", 1) for field in fields)
    named = {card for text in given.values() for card in text.replace("/", ",").split(",")}
    rest = ",".join(card for card in CARDS if card not in named)
    values = FACTS | {"discard": "", "draw": "-"} | given
    facts = " ".join(f"{name}={values[name]}" for name in FACTS)
    piles = " ".join(f"{name}={values[name].replace(REST, rest)}" for name in ("hands", "discard", "draw"))
    return f"{phase} {facts} {piles}"


@pytest.fixture(name="at", scope="session")
def at_position() -> Callable[[str], MauMau]:
    """`at("await-play hands=SS,HK/HA,HQ discard=CS draw=SA,...")`: the game that stands there."""
    return lambda short: MauMau.at(whole(short))


@pytest.fixture(scope="session")
def corpus() -> list[tuple[str, list[str]]]:
    """The games of the corpus: the line of the input, and the two lines of the answer."""
    games = []
    for source in sorted(CORPUS.glob("*.in")):
        lines = source.read_text().splitlines()[1:]
        answers = source.with_suffix(".out").read_text().splitlines()
        games += [(line, answers[2 * place : 2 * place + 2]) for place, line in enumerate(lines)]
    return games


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Show two games that differ by their positions."""
    if isinstance(left, Game) and isinstance(right, Game) and op == "==":
        return ["the same position", f"  stands: {left.position()}", f"expected: {right.position()}"]
    return None


@pytest.fixture(scope="session", autouse=True)
def kernel_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of kernels for the session, shared by its workers and their subprocesses: the user's stays untouched.

    The folder that MAUMAU_TEST_CACHE names is shared by several sessions.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kernels"
    folder = Path(os.environ.get("MAUMAU_TEST_CACHE") or folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAUMAU_CACHE", str(folder))
        patch.setenv("BROWSER", "true")  # a page that a command opens is shown nowhere
        yield folder


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What a command registers for its own process, games, rules and players of files, is forgotten after each test."""
    with forgetting():
        yield


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Let what the tests start hear of Ctrl-C, which a shell keeps from what it runs in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def pictures() -> None:
    """What draws pictures; without it, or a library of the system that its wheel does not bring, tests are skipped."""
    pytest.importorskip("pygraphviz", exc_type=ImportError)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module; they are skipped where there is none, but fail in CI."""
    with started_browser() as started:
        yield started


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: tests that wait for browsers, servers and disks leave them idle."""
    return (os.cpu_count() or 1) + 1


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that awaits something, for a minute at most."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), 60))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module of tests that cannot be imported because an extra is missing.

    In CI it fails, and so does a module that skips itself: nobody would see that it is lost.
    """
    report = yield
    call: pytest.CallInfo[object] | None = getattr(report, "call", None)
    if report.skipped and os.environ.get("CI"):
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: {report.longreprtext}; in CI every module is tested"
    elif (
        report.failed and call and call.excinfo and (why := lacked_by(call.excinfo.value)) and not os.environ.get("CI")
    ):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: {why}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that fails because an extra is missing; in CI it fails."""
    report = yield
    if report.failed and call.excinfo and (why := lacked_by(call.excinfo.value)) and not os.environ.get("CI"):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: {why}")
    return report


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", metavar="COMMIT", help=f"run one in {SAMPLE} of the selected tests, chosen by COMMIT")
    parser.addoption("--part", metavar="K/N", type=part, help="run part K of N, from 1, of the selected tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of one part, or of a commit's sample: over the parts, and the commits, each test has its turn."""
    if chosen := config.getoption("--part"):
        _keep(config, items, chosen.has)
    if commit := config.getoption("--sample"):
        _keep(config, items, lambda test: in_sample(test, commit))


def _keep(config: pytest.Config, items: list[pytest.Item], chosen: Callable[[str], bool]) -> None:
    """Keep the items whose names are chosen; the first where none is, so that a selection always has a verdict."""
    kept = [item for item in items if chosen(item.nodeid)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept or items[:1]
