"""Ctrl-C and SIGTERM in everything that takes long: it ends soon, with status 130 and one line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from command import MAUMAU
from commands import COMMAND, COMMANDS

from fsm import Match, MauMau
from fsm.match.dealt import write_match
from fsm.match.setup import DECKS
from maumau import Batch, Search
from maumau.cli import interrupt
from maumau.kernels import bulk
from maumau.kernels.bulk import lanes, runner
from maumau.kernels.bulk.chunks import CHUNK, each_chunk
from maumau.kernels.bulk.lanes import MIN_GAMES
from maumau.kernels.compiled.known import HERE, LAST
from maumau.kernels.explorer import exhaustive
from maumau.kernels.explorer.exhaustive import AT_ONCE, explore
from maumau.kernels.lanes import request
from maumau.solve.hidden import solve_hidden
from maumau.study.playing import Threads
from maumau.study.run import Interrupted, run
from maumau.study.spec import StudySpec

UNDERWAY = """
import os, sys
import maumau.kernels.bulk.lanes as lanes, maumau.kernels.bulk.runner as runner, maumau.kernels.explorer.exhaustive as exhaustive
from maumau.__main__ import main

def announcing(function):
    def announced(*arguments, **named):
        os.write(2, b"underway\\n")
        return function(*arguments, **named)
    return announced

lanes.LanePlayer.rows = announcing(lanes.LanePlayer.rows)
lanes.LanePlayer.by_value = announcing(lanes.LanePlayer.by_value)
runner.Runner.call = announcing(runner.Runner.call)
runner.Runner.play_logged = announcing(runner.Runner.play_logged)
exhaustive.machine_code = announcing(exhaustive.machine_code)
sys.argv[0] = "maumau"
main()
"""
"""The command, which also reports on standard error that machine code is about to run."""


def interrupted(
    line: list[str], number: signal.Signals, underway: Callable[[subprocess.Popen[bytes]], bytes], **more: Any
) -> None:
    """Start a command, interrupt it once it is under way, and wait for its end."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(line, **(pipes | more)) as process:
        try:
            assert underway(process)
            process.send_signal(number)
            _, output = process.communicate(timeout=60)
        finally:
            process.kill()
    lines = [
        each for each in output.decode().splitlines() if each not in ("underway", "") and not each.endswith(" ...")
    ]
    assert len(lines) == 1, output
    assert lines[0].startswith("maumau: interrupted")
    assert process.returncode == 130


def printed(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout
    return process.stdout.read(1)


def reported(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stderr
    return process.stderr.read(1)


ENDLESS = str(10**9)
LONG_MATCHES = ["study", "--match", "--target", "100000", "--players", "2", "--games", "1000000"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "arguments",
    [
        ["diagram", "--traffic", ENDLESS],
        ["study", "--players", "2", "--games", ENDLESS],
        pytest.param(["study", "--players", "4", "--games", ENDLESS, "--chunk", ENDLESS], marks=pytest.mark.thorough),
        pytest.param(LONG_MATCHES, marks=pytest.mark.thorough),
        pytest.param(["check", "--exhaustive", "--games", "0"], marks=pytest.mark.thorough),
    ],
    ids=lambda arguments: arguments[0] if isinstance(arguments, list) else None,
)
def test_a_command_that_runs_machine_code(arguments: list[str], number: signal.Signals) -> None:
    interrupted([sys.executable, "-c", UNDERWAY, *arguments], number, reported, stdin=subprocess.DEVNULL)


WAITING = """
import sys, threading
from maumau.cli.main import main
from maumau.kernels.bulk import chunks

chunks.cores = lambda: 2  # so that there is a thread to wait for on a machine with one core, too
take_again = threading.Condition._acquire_restore

def interrupted(condition, state):
    if threading.current_thread() is threading.main_thread() and threading.active_count() > 1:
        raise KeyboardInterrupt
    take_again(condition, state)

threading.Condition._acquire_restore = interrupted
sys.argv[0] = "maumau"
main()
"""
"""The command, interrupted where `threading` takes a lock again, which is then released without being held."""


def test_an_interrupt_while_a_lock_is_taken_again() -> None:
    line = [sys.executable, "-c", WAITING, "study", "--players", "2", "--games", ENDLESS]
    done = subprocess.run(line, check=False, capture_output=True, text=True, timeout=60)
    (line,) = (each for each in done.stderr.splitlines() if not each.endswith(" ..."))  # a compilation is announced
    assert line.startswith("maumau: interrupted")
    assert done.returncode == 130


def test_chunks_are_awaited_without_a_lock_that_an_interrupt_leaves_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, ended, enter, main = [], [], threading.Condition.__enter__, threading.get_ident()

    def noted(condition: threading.Condition) -> bool:
        if threading.get_ident() == main:
            taken.append(condition)
        return enter(condition)

    def work(worker: int, start: int, end: int) -> None:
        signal.raise_signal(signal.SIGINT)
        sleep(0.2)
        ended.append((start, end))

    monkeypatch.setattr(threading.Condition, "__enter__", noted)
    with pytest.raises(KeyboardInterrupt):
        each_chunk(work, 1 << 30, 2)
    assert not taken
    assert 1 <= len(ended) <= 4  # those under way, and no more
    count = len(ended)
    sleep(0.3)
    assert len(ended) == count


def take_again(*arguments: object) -> None:
    """Wait for a lock, interrupted where it is taken again."""
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        threading.Lock().release()


def test_a_study_that_is_interrupted_while_a_lock_is_taken_again() -> None:
    with pytest.raises(Interrupted):
        run(StudySpec("maumau", 2, 10, 7, ("house", "house")), Threads(1), on_progress=take_again)


def test_a_solution_that_is_interrupted_while_a_lock_is_taken_again(tmp_path: Path) -> None:
    kind, file = MauMau.with_deck("DQ HQ DS HS DK SJ", each=2), tmp_path / "state.npz"
    solved = solve_hidden(kind, state=file)
    with pytest.raises(RuntimeError, match="release unlocked lock"), solved.kept.keeping():
        take_again()
    assert file.exists()
    assert solve_hidden(kind, state=file).equilibrium.value == solved.equilibrium.value
    assert not file.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("arguments", [["deal", "--players", "2", "--games", ENDLESS], ["check", "--games", ENDLESS]])
def test_a_command_that_prints_meanwhile(arguments: list[str], number: signal.Signals) -> None:
    interrupted([*COMMAND, *arguments], number, printed, env={**os.environ, "PYTHONUNBUFFERED": "1"})


def test_a_command_that_compiles(tmp_path: Path) -> None:
    interrupted([*COMMAND, "compile"], signal.SIGINT, reported, env={**os.environ, "MAUMAU_CACHE": str(tmp_path)})


SLOW = """
import os, time

def choose(game):
    os.write(2, b"underway\\n")
    time.sleep(600)
"""
"""A player who takes ten minutes for a move."""
UNWATCHED = """
import sys
from maumau.__main__ import main
from maumau.cli import interrupt

interrupt.PATIENCE = 600.0
sys.argv[0] = "maumau"
main()
"""
"""The command, which must end by itself."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["study", "--players", "2"], ["tournament", "--players", "2"]], ids=["study", "tournament"]
)
def test_a_player_who_takes_long_for_a_move(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    more = ["--games", "2", "--policy", f"{tmp_path / 'slow.py'}:choose,house"]
    interrupted([sys.executable, "-c", UNWATCHED, *arguments, *more], signal.SIGINT, reported)


STUCK = """
import hashlib, os, sys
from maumau.__main__ import main
from maumau.cli import interrupt
from maumau.kernels.bulk.lanes import LanePlayer
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.compiled.known import HERE, LAST
from maumau.kernels.explorer import exhaustive

def stuck(*arguments):
    os.write(2, b"underway\\n")
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)  # runs for many minutes, and no handler meanwhile

Runner.play_logged = Runner.call = LanePlayer.total = exhaustive.machine_code = stuck
interrupt.PATIENCE = 0.5  # a signal that comes before the machine code runs has a handler, which ends the command
sys.argv[0] = "maumau"
main()
"""
"""The command, with machine code that does not return."""


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (["simulate", "--engine", "compiled", str(MAUMAU / "statement.in")], signal.SIGINT),
        (["diagram", "--traffic", str(MIN_GAMES)], signal.SIGTERM),
        (["check", "--exhaustive"], signal.SIGINT),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value.name,
)
def test_machine_code_that_does_not_return(arguments: list[str], number: signal.Signals) -> None:
    interrupted([sys.executable, "-c", STUCK, *arguments], number, reported)


@pytest.mark.parametrize(
    ("handler", "ended"), [(signal.default_int_handler, [130]), (signal.SIG_IGN, [])], ids=["no handler", "a handler"]
)
def test_only_an_interrupt_that_no_handler_takes_ends_the_process(
    monkeypatch: pytest.MonkeyPatch, handler: Any, ended: list[int]
) -> None:
    """Other signals, as the one for a window of another size, never do; a handler ignores more interrupts."""
    statuses: list[int] = []
    monkeypatch.setattr(interrupt.os, "_exit", statuses.append)
    monkeypatch.setattr(interrupt.signal, "getsignal", lambda number: handler)
    monkeypatch.setattr(interrupt, "PATIENCE", 0.0)
    reading, writing = os.pipe()
    waiting = threading.Thread(target=interrupt.await_interrupt, args=(reading, threading.Event()))
    waiting.start()
    os.write(writing, bytes([signal.SIGCONT]))
    waiting.join(0.1)
    assert waiting.is_alive()
    os.write(writing, bytes([signal.SIGINT]))
    waiting.join()
    os.close(writing)
    assert statuses == ended


AGAIN = """
import os, signal, time
from maumau.cli import interrupt

signal.signal(signal.SIGINT, lambda number, frame: None)
with interrupt.ending_after_interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.3)  # so that the thread reads the first one
    os.kill(os.getpid(), signal.SIGINT)
"""


def test_a_second_interrupt_prints_nothing_of_its_own() -> None:
    """The thread that waits closed the pipe to which the system writes the numbers of signals."""
    assert subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, check=True).stderr == b""


def test_a_command_that_has_ended_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt after it, as of a program that called it, ends nothing."""
    statuses: list[int] = []
    monkeypatch.setattr(interrupt.os, "_exit", statuses.append)
    monkeypatch.setattr(interrupt, "PATIENCE", 0.0)
    before = threading.active_count()
    with interrupt.ending_after_interrupt():
        assert threading.active_count() == before + 1
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    for thread in threading.enumerate():
        if "await_interrupt" in thread.name:
            thread.join()
    assert statuses == []


@pytest.mark.thorough
@pytest.mark.parametrize("options", [[], ["--engine", "compiled"]])
def test_games_that_are_simulated(tmp_path: Path, options: list[str]) -> None:
    deal = [*COMMAND, "deal", "--players", "3", "--games", "60000"]
    games = subprocess.run(deal, capture_output=True, check=True).stdout
    file = tmp_path / "games"
    file.write_bytes(games)
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    interrupted([*COMMAND, "simulate", *options, str(file)], signal.SIGINT, printed, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["compiled", pytest.param("machine", marks=pytest.mark.thorough)])
def test_matches_that_are_simulated(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "matches"
    file.write_text(many_matches(3000))
    line = [*COMMAND, "simulate", "--match", "--engine", engine, str(file)]
    interrupted(line, signal.SIGINT, printed, env={**os.environ, "PYTHONUNBUFFERED": "1"})


def many_matches(number: int) -> str:
    """The input of a match, again and again."""
    match = Match(MauMau, 2, 7, 0)
    match.run()
    case = write_match(MauMau, 2, match.decks[: len(match.rounds)])
    return "\n".join([str(number), *[case] * number])


# ---------------------------------------------------------------- while a command writes its output


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_no_output_is_repeated(unbuffered: str) -> None:
    """The reader is slow, so that Ctrl-C is pressed in the middle of a write."""
    line = [*COMMAND, "deal", "--players", "2", "--games", ENDLESS]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(line, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        first = b""
        while first.count(b"\n") < 200:
            first += process.stdout.read(1 << 14)
        sleep(0.2)  # until the pipe is full
        process.send_signal(signal.SIGINT)
        rest, message = process.communicate(timeout=60)
    assert (process.returncode, message) == (130, b"maumau: interrupted\n")
    _, *games = (first + rest).splitlines()
    assert len(set(games)) == len(games) > 100
    assert {len(game) for game in games[:-1]} == {len(games[0])}


# ---------------------------------------------------------------- while a command reads its input

READING = """
import io, os, signal, sys
from maumau.__main__ import main

class Pressing(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, room):
        os.kill(os.getpid(), signal.SIGINT)
        return 0

sys.argv[0] = "maumau"
sys.stdin = io.TextIOWrapper(io.BufferedReader(Pressing()))
main()
"""
"""The command; Ctrl-C is pressed when it reads its input."""


@pytest.mark.parametrize(
    "name",
    ["simulate", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("replay", "waits", "acquaintance"))],
)
def test_a_command_that_reads_its_input(name: str) -> None:
    line = [sys.executable, "-c", READING, name, "-"]
    done = subprocess.run(line, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"maumau: interrupted\n")


# ---------------------------------------------------------------- while a command is loaded

LOADING = """
import os, signal, sys
from maumau.__main__ import main

class Pressing:
    def __init__(self, left):
        self.left = left

    def find_spec(self, name, path=None, target=None):
        self.left -= 1
        if not self.left:
            os.write(2, b"pressed\\n")
            os.kill(os.getpid(), signal.SIGINT)

sys.argv[0] = "maumau"
sys.meta_path.insert(0, Pressing(int(sys.argv.pop(1))))
main()
"""
"""The command, during whose import number `argv[1]` Ctrl-C is pressed."""


def is_pressed(name: str, number: int) -> bool:
    """Call a command and press Ctrl-C at an import; whether it has so many."""
    line = [sys.executable, "-c", LOADING, str(number), *COMMANDS[name]]
    done = subprocess.run(
        line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False
    )
    lines = [line for line in done.stderr.decode().splitlines() if not line.endswith(" ...")]
    if "pressed" not in lines:
        assert done.returncode == 0
        return False
    pressed, message = lines
    how_far = r"( after [\d,]+ games)?" if name == "study" else ""  # a study says it once it has begun
    assert re.fullmatch(f"maumau: interrupted{how_far}", message)
    assert (pressed, done.returncode) == ("pressed", 130)
    return True


@pytest.mark.parametrize("number", [1, 8, 80])
def test_a_command_that_is_loaded(number: int) -> None:
    assert is_pressed("simulate", number)


@pytest.mark.thorough
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_is_loaded(name: str) -> None:
    numbers = iter(range(1, 10_000, 60))
    while is_pressed(name, next(numbers)):
        pass


# ---------------------------------------------------------------- calls of the library


class Interrupting:
    """A function during whose call number `at` Ctrl-C is pressed. calls: how often it was called.

    The thread that is called gets the signal, as the system may choose any: one that waits is not woken by it.
    """

    def __init__(self, function: Callable[..., Any], at: int) -> None:
        self._function, self._at = function, at
        self.calls = 0

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        if self.calls > self._at:
            time.sleep(0.05)  # so that few games are played until a thread that waits looks
        if self.calls == self._at:
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        return self._function(*arguments)

    def __get__(self, instance: object, owner: type) -> Callable[..., Any]:
        return lambda *arguments: self(instance, *arguments)


CALLS = [("total", 20_000_000), ("play_dealt", 2_000_000)]


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(("call", "games"), CALLS)
def test_no_thread_plays_on(monkeypatch: pytest.MonkeyPatch, call: str, games: int, threads: int) -> None:
    pressing = Interrupting(runner.Runner.call, 3)
    monkeypatch.setattr(runner.Runner, "call", pressing)
    monkeypatch.setattr(runner, "MIN_GAMES", 10**9)  # none are played in lanes
    with pytest.raises(KeyboardInterrupt):
        getattr(bulk, call)(2, games, 7, threads=threads)
    assert pressing.calls < games // CHUNK // 2


@pytest.mark.skipif(request.why_no_lanes() != "", reason="the processor has no lanes")
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(("call", "games"), CALLS)
def test_no_thread_plays_on_in_lanes(monkeypatch: pytest.MonkeyPatch, call: str, games: int, threads: int) -> None:
    name = {"total": "total", "play_dealt": "rows"}[call]
    pressing = Interrupting(getattr(lanes.LanePlayer, name), 3)
    monkeypatch.setattr(lanes.LanePlayer, name, pressing)
    with pytest.raises(KeyboardInterrupt):
        getattr(bulk, call)(2, games, 7, threads=threads)
    assert pressing.calls < games // lanes.CHUNK // 2


@pytest.mark.parametrize("threads", [1, 2])
def test_matches_are_played_a_few_rounds_at_a_time(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Of matches that go on for as long as there are decks."""
    played: list[int] = []
    play = runner.Runner._call

    def watched(self: Any, kernel: object, decks: Any, first: int, into: Any, *others: Any) -> None:
        play(self, kernel, decks, first, into, *others)
        played.append(int(into.rounds.sum()))
        if len(played) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(runner.Runner, "_call", watched)
    with pytest.raises(KeyboardInterrupt):
        bulk.matches(2, 1000, 7, threads=threads, target=100_000, tally=True)
    assert max(played) <= runner.FIRST_FEW * DECKS
    assert max(played[1:]) <= runner.ROUNDS
    assert len(played) < 1000 * DECKS // runner.ROUNDS // 2


def test_a_log_is_written_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bulk.play_dealt(3, 1000, 7, log=True)
    monkeypatch.setattr(runner, "CHUNK", 64)
    parts = bulk.play_dealt(3, 1000, 7, log=True)
    assert whole.log is not None
    assert (whole.log == parts.log).all()
    assert (whole.log_ends == parts.log_ends).all()
    assert (whole.games == parts.games).all()
    assert whole.fired == parts.fired
    pressing = Interrupting(runner.Runner.play_logged, 2)
    monkeypatch.setattr(runner.Runner, "play_logged", pressing)
    with pytest.raises(KeyboardInterrupt):
        bulk.play_dealt(3, 1000, 7, log=True)
    assert pressing.calls == 2


def test_a_search_in_one_thread_is_left_while_it_runs() -> None:
    """In machine code, which runs on elsewhere: here it waits until the test has seen the interrupt."""
    search, batch, left = Search(MauMau, 2, 1000, threads=1), Batch("maumau", 2, 1, 7), threading.Event()

    def running(*arguments: Any) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        left.wait(60)
        return -1

    search._search = running
    with pytest.raises(KeyboardInterrupt):
        search.wins(batch)
    assert not left.is_set()
    left.set()


def test_an_exploration_is_cut_into_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    small = MauMau.declaration.small_decks[1]
    visited: list[int] = []
    interrupting = threading.Lock()  # once, by one of the threads
    made = exhaustive.machine_code

    def watched_code(program: Any, *notify: Any) -> Callable[..., int]:
        call = made(program, *notify)

        def watched(*arguments: Any) -> int:
            if sum(visited) > 3 * AT_ONCE and interrupting.acquire(blocking=False):
                os.kill(os.getpid(), signal.SIGINT)
            span, first = arguments[5], int(arguments[5][HERE])
            found = call(*arguments)
            visited.append(int(span[LAST]) - first)
            return found

        return watched if program.entry.__name__ == "explore" else call

    monkeypatch.setattr(exhaustive, "machine_code", watched_code)
    with pytest.raises(KeyboardInterrupt):
        explore(MauMau, small)
    assert max(visited) <= AT_ONCE
    assert sum(visited) <= 5 * AT_ONCE
