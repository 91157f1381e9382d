"""How many games a server of `maumau serve` holds at once: python -m benchmarks.serving.

Each game is played in its own connection at a fixed pace: a request for some steps, the next when its time has come.
A finished game is deleted and another one started. Success means no error at the requested pace.

With `--rooms N` it measures whether the memory of a server stays level: N rooms, whose people do as often as they may
what a room could remember each time. In rooms with one person moves are made and taken back, in others people leave
and come back; all play on to the next rounds of a match. It ends after `--seconds`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

from benchmarks.measuring import markdown, surroundings, three_digits, time_text, whole_number, write_json


class Connection:
    """One persistent connection to the server, as of a browser: requests one after the other."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def request(self, method: str, path: str, fields: dict[str, Any] | None = None) -> tuple[int, Any]:
        """The status and the object of the response to a request with these fields."""
        body = b"" if fields is None else json.dumps(fields).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\ncontent-type: application/json\r\n"
        self._writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.partition("content-length: ")[2].partition("\r\n")[0] or 0)
        content = await self._reader.readexactly(length)
        return int(answer.split(" ", 2)[1]), json.loads(content) if content else None

    def close(self) -> None:
        """End the connection."""
        self._writer.close()


@dataclass
class Seen:
    """What happened in all games. waits: seconds from request to response. late: seconds behind the pace at the end."""

    steps: int = 0
    requests: int = 0
    games: int = 0
    errors: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)


async def play(port: int, number: int, options: argparse.Namespace, seen: Seen) -> None:
    """Play games one after the other in one connection, at the requested pace."""
    connection = Connection(port)
    await connection.open()
    turns = int(options.seconds * options.rate / options.batch)
    seed, game = number, await begin(connection, options, number, seen)
    await asyncio.sleep(options.batch / options.rate * (number % 97) / 97)
    start = time.perf_counter()
    for turn in range(turns):
        due = start + turn * options.batch / options.rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        left = options.batch
        while left > 0:
            if game["state"]["outcome"]:
                seed += options.games
                await connection.request("DELETE", f"/games/{game['id']}")
                game = await begin(connection, options, seed, seen)
            fields = {"version": game["state"]["version"], "count": left}
            before = time.perf_counter()
            status, answer = await connection.request("POST", f"/games/{game['id']}/steps", fields)
            seen.waits.append(time.perf_counter() - before)
            seen.requests += 1
            if status != 200:
                seen.errors.append(f"{status}: {answer}")
                break
            seen.steps += len(answer["steps"])
            left -= len(answer["steps"])
            game["state"] = answer["state"]
    seen.late.append(time.perf_counter() - start - turns * options.batch / options.rate)
    connection.close()


async def begin(connection: Connection, options: argparse.Namespace, seed: int, seen: Seen) -> Any:
    """A new game."""
    fields = {"game": options.game, "players": 3, "seed": seed, "policies": [options.policy]}
    status, answer = await connection.request("POST", "/games", fields)
    seen.games += 1
    if status != 201:
        raise SystemExit(f"no game could be begun: {status}: {answer}")
    return answer


async def play_all(port: int, options: argparse.Namespace) -> tuple[Seen, float]:
    """What was seen in all games, and the seconds that it took."""
    seen = Seen()
    start = time.perf_counter()
    await asyncio.gather(*(play(port, number, options, seen) for number in range(options.games)))
    return seen, time.perf_counter() - start


# ---------------------------------------------------------------- rooms

PEOPLE = 3
"""The people of a room at most: rooms have one to so many in turn."""
SAMPLES = 6
REFUSED = 403, 409, 422, 429
"""What is answered to a move that comes too late or too soon."""


@dataclass
class Soaked:
    """What people in rooms have done. largest: bytes of an answer to `GET /state`."""

    changes: int = 0
    largest: int = 0
    errors: list[str] = field(default_factory=list)


class Guest:
    """A person in a room, with a connection."""

    def __init__(self, port: int, seen: Soaked) -> None:
        self._connection, self._seen = Connection(port), seen
        self.token = ""

    async def enter(self, path: str, fields: dict[str, Any]) -> str:
        """Open a room, or come into one. Returns its code."""
        await self._connection.open()
        status, answer = await self._connection.request("POST", path, fields)
        if status != 201:
            raise SystemExit(f"nobody could come in: {status}: {answer}")
        self.token = answer["token"]
        return str(answer["code"])

    async def do(self, what: str, **fields: Any) -> None:
        """Ask for a change, and count it."""
        status, answer = await self._connection.request("POST", f"/tables/{self.token}/{what}", fields)
        if status == 200:
            self._seen.changes += 1
        elif status not in REFUSED:
            self._seen.errors.append(f"{what}: {status}: {answer}")
        else:
            await asyncio.sleep(0.1)

    async def view(self) -> Any:
        """What the person sees, of which the size is noted; None if it may not be asked for so soon."""
        status, answer = await self._connection.request("GET", f"/tables/{self.token}/state")
        if status != 200:
            await asyncio.sleep(0.1)
            return None
        self._seen.largest = max(self._seen.largest, len(json.dumps(answer, separators=(",", ":"))))
        return answer["view"]


async def soak(port: int, number: int, options: argparse.Namespace, seen: Soaked, end: float) -> None:
    """Let the people of one room do as much as they may until a time."""
    first, *others = (Guest(port, seen) for _ in range(number % PEOPLE + 1))
    plan = {"game": options.game, "players": 3, "computer": "house", "target": 100_000}
    code = await first.enter("/rooms", {"name": "Ann", "ready": not others, **plan})
    for place, other in enumerate(others):
        await other.enter(f"/rooms/{code}", {"name": f"Guest of {place}"})
    await first.do("deal")
    await asyncio.gather(_play(first, not others, end), *(_come_and_go(other, end) for other in others))


async def _play(guest: Guest, undoes: bool, end: float) -> None:
    """Play, and take each move back once, if that is possible."""
    was_undone = False
    while time.perf_counter() < end:
        view = await guest.view()
        if view is None:
            continue
        if view["state"] != "playing":
            await guest.do("ready")
            await guest.do("deal")
        elif undoes and view["undo"] and not was_undone:
            await guest.do("undo", at=view["version"])
            was_undone = True
        elif view["question"]:
            await guest.do("act", at=view["version"], move=view["question"]["moves"][0])
            was_undone = False
        else:
            await asyncio.sleep(0.02)


async def _come_and_go(guest: Guest, end: float) -> None:
    """Leave and come back, again and again."""
    while time.perf_counter() < end:
        await guest.do("leave")
        await guest.do("come-back")


async def soak_all(port: int, process: int, options: argparse.Namespace) -> tuple[list[dict[str, str]], list[str]]:
    """The rows of the table, and the errors."""
    seen, rows = Soaked(), []
    begin = time.perf_counter()
    end = begin + options.seconds
    rooms = [asyncio.create_task(soak(port, number, options, seen, end)) for number in range(options.rooms)]
    for sample in range(1, SAMPLES + 1):
        await asyncio.sleep(max(0.0, begin + options.seconds * sample / SAMPLES - time.perf_counter()))
        row = {"rooms": str(options.rooms), "after": f"{time.perf_counter() - begin:.0f} s"}
        row |= {"changes": str(seen.changes), "server's memory": f"{memory(process) / 1e6:.0f} MB"}
        rows.append(row | {"largest `GET /state`": f"{seen.largest / 1e3:.0f} KB"})
        seen.largest = 0
    await asyncio.gather(*rooms)
    return rows, seen.errors


def memory(process: int) -> int:
    """Bytes of memory that a process uses, 0 where the system does not report it."""
    try:
        with open(f"/proc/{process}/statm") as status:
            return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


# ---------------------------------------------------------------- the server


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """The port and the process of a server of its own."""
    command = [sys.executable, "-m", "maumau", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        try:
            yield int(serving.stderr.readline().split()[1].rstrip("/").rpartition(":")[2]), serving.pid
        finally:
            serving.send_signal(signal.SIGINT)


def processor_time(process: int) -> float:
    """Seconds of CPU time that a process has used, 0 where the system does not report it."""
    try:
        with open(f"/proc/{process}/stat") as status:
            fields = status.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Play and print one row for each number of steps in a request."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=whole_number, default=200, help="games at once")
    parser.add_argument("--rate", type=whole_number, default=50, help="steps a second in each game")
    parser.add_argument("--seconds", type=whole_number, default=10, help="how long")
    parser.add_argument("--batches", type=whole_number, nargs="+", default=[25, 10, 5, 1], help="steps in a request")
    parser.add_argument("--policy", default="random", help="how players choose; at random games last for ten seconds")
    parser.add_argument("--game", choices=["maumau", "uno"], default="maumau")
    parser.add_argument(
        "--rooms", type=whole_number, help="rooms at once, instead of games: whether memory stays level"
    )
    parser.add_argument("--json", metavar="FILE", help="write the rows as JSON, too")
    options = parser.parse_args()
    measured: list[dict[str, str]] = []
    if options.rooms:
        with served() as (port, process):
            measured, errors = asyncio.run(soak_all(port, process, options))
        report(options, measured, errors)
        return
    errors = []
    for batch in options.batches:
        options.batch = batch
        with served() as (port, process):
            seen, seconds = asyncio.run(play_all(port, options))
            used = processor_time(process)
        row = row_of(options, seen, seconds, used)
        measured.append(row)
        errors += seen.errors
    report(options, measured, errors)


def report(options: argparse.Namespace, measured: list[dict[str, str]], errors: list[str]) -> None:
    """Print the table and the first errors; end with status 1 if there are any."""
    for error in list(dict.fromkeys(errors))[:5]:
        print(error, file=sys.stderr)
    print(f"{surroundings('starlette', 'uvicorn')}\n")
    print(markdown(list(measured[0]), [list(row.values()) for row in measured]))
    write_json(options.json, measured)
    if errors:
        sys.exit(1)


def row_of(options: argparse.Namespace, seen: Seen, seconds: float, used: float) -> dict[str, str]:
    """A row of the table."""
    *_, slowest = quantiles(seen.waits, n=100)
    return {
        "game": options.game,
        "games at once": str(options.games),
        "steps in a request": str(options.batch),
        "steps a second, wanted": three_digits(options.games * options.rate),
        "done": three_digits(seen.steps / seconds),
        "errors": str(len(seen.errors)),
        "answer, median": time_text(sorted(seen.waits)[len(seen.waits) // 2]),
        "99 %": time_text(slowest),
        "behind at the end": time_text(max(0.001, *seen.late)),
        "server's CPU": three_digits(used / seconds),
    }


if __name__ == "__main__":
    main()
