"""How many games a server of `maumau serve` holds at once: python -m benchmarks.serving.

Each game is played in its own connection at a fixed pace: a request for some steps, the next when its time has come.
A finished game is deleted and another one started. Success means no error at the requested pace.
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
    parser.add_argument("--json", metavar="FILE", help="write the rows as JSON, too")
    options = parser.parse_args()
    rows, measured = [], []
    for batch in options.batches:
        options.batch = batch
        with served() as (port, process):
            seen, seconds = asyncio.run(play_all(port, options))
            used = processor_time(process)
        row = row_of(options, seen, seconds, used)
        rows.append(list(row.values()))
        measured.append(row)
        for error in dict.fromkeys(seen.errors[:5]):
            print(error, file=sys.stderr)
    print(f"{surroundings('starlette', 'uvicorn')}\n")
    print(markdown(list(measured[0]), rows))
    write_json(options.json, measured)
    if any(row["errors"] != "0" for row in measured):
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
