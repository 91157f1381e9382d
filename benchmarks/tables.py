"""Tables of people over the network: how long a move of one player takes to the screens of the others.

A server of its own process keeps its tables in a file. At each table four people are connected; somebody moves once a
second. The time is from sending the move until the slowest of the four seats has been pushed a version with it. The
server has one core and the clients have the others, so run it where there are two cores or more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import connect

from benchmarks.measuring import whole_number, write_json

SEATS = 4
GAME = "maumau"
NOT_ASKED = '"question":null'
VERSION = re.compile(r'\{"view":\{"version":(\d+)')


class Client:
    """A seat that is connected to its table."""

    def __init__(self, port: int, link: str) -> None:
        self._address = f"ws://127.0.0.1:{port}/{link}/socket"
        self.version, self._data = 0, ""
        self.changed = asyncio.Event()

    async def listen(self) -> None:
        """Read pushes until the server ends."""
        async with connect(self._address, compression=None, ping_interval=None) as self._socket:
            async for data in self._socket:
                if pushed := VERSION.match(str(data)):
                    self.version, self._data = int(pushed[1]), str(data)
                    self.changed.set()

    async def ask(self, what: str, **fields: Any) -> None:
        """Send a request."""
        await self._socket.send(json.dumps({"do": what, "fields": fields}))

    @property
    def moves(self) -> list[dict[str, Any]]:
        """The moves of the question to the seat, if it is asked. Other pushes are not decoded, which takes time."""
        question = None if NOT_ASKED in self._data else json.loads(self._data)["view"]["question"]
        return question["moves"] if question else []

    async def shown(self, above: int) -> float:
        """When the seat has been pushed a version above one."""
        while self.version <= above:
            self.changed.clear()
            await self.changed.wait()
        return time.perf_counter()


async def post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send a request, and return its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode()
    head = f"POST /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data)
    answer = await reader.read()
    writer.close()
    found: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2] or b"{}")
    return found


async def opened(port: int) -> list[Client]:
    """A room whose people have come in. The server opens few rooms in a second, so it is asked again."""
    body = {"name": "person 1", "game": GAME, "players": SEATS, "target": 10_000}
    while "token" not in (entered := await post(port, "rooms", body)):
        await asyncio.sleep(0.5)
    tokens = [entered["token"]]
    while len(tokens) < SEATS:
        answer = await post(port, f"rooms/{entered['code']}", {"name": f"person {len(tokens) + 1}"})
        if "token" in answer:
            tokens.append(answer["token"])
        else:
            await asyncio.sleep(0.5)
    await post(port, f"tables/{tokens[0]}/deal", {})
    return [Client(port, f"tables/{token}") for token in tokens]


async def play(port: int, clients: list[Client], seconds: float, random: Random, times: list[float]) -> None:
    """Move once a second until the time is over."""
    listening = [asyncio.create_task(client.listen()) for client in clients]
    await asyncio.gather(*(client.shown(0) for client in clients))
    await asyncio.sleep(2 + random.random())
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        before = [client.version for client in clients]
        asked = next((client for client in clients if client.moves), None)
        if asked is not None:
            move = random.choice(asked.moves)
            await asked.ask("act", at=asked.version, move=move)
        else:
            await clients[0].ask("deal")
        pairs = zip(clients, before, strict=True)
        with suppress(TimeoutError):
            seen = await asyncio.wait_for(asyncio.gather(*(client.shown(above) for client, above in pairs)), 10)
            if asked is not None:
                times.append(max(seen) - began)
        await asyncio.sleep(max(0.0, began + 1 - time.perf_counter()))
    for task in listening:
        task.cancel()


async def measure(port: int, server: int, tables: int, seconds: float) -> tuple[list[float], float]:
    """The times of all moves at so many tables, in seconds, and the processor time of the server meanwhile."""
    times: list[float] = []
    places = [await opened(port) for _ in range(tables)]
    began = cpu_seconds(server)
    await asyncio.gather(*(play(port, each, seconds, Random(number), times) for number, each in enumerate(places)))
    return sorted(times), cpu_seconds(server) - began


def cpu_seconds(process: int) -> float:
    """The processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def served(tables: int, seconds: float) -> tuple[list[float], float, float]:
    """The times of all moves, the processor time of the server meanwhile, both in seconds, and its peak memory in MB.

    tables: how many there are.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "maumau", "serve", "--port", "0", "--tables", f"{folder}/tables.sqlite"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            on_cores_of_their_own(server.pid)
            port = int(server.stderr.readline().split(":")[3].split("/")[0])
            times, used = asyncio.run(measure(port, server.pid, tables, seconds))
            status = Path(f"/proc/{server.pid}/status").read_text(encoding="ascii")
            server.send_signal(signal.SIGINT)
    return times, used, int(status.partition("VmHWM:")[2].split()[0]) / 1024


def on_cores_of_their_own(server: int) -> None:
    """Leave one core to the server, and the others to this process, where there are others."""
    first, *others = sorted(os.sched_getaffinity(0))
    if others:
        os.sched_setaffinity(server, {first})
        os.sched_setaffinity(0, others)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=whole_number, default=200, help="how many (default: %(default)s)")
    parser.add_argument("--seconds", type=whole_number, default=20, help="how long (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the figures into FILE, too")
    options = parser.parse_args()
    tables, seconds = options.tables, options.seconds
    times, used, _ = served(tables, seconds)
    places = {"median": 0.5, "95 %": 0.95, "99 %": 0.99}
    shown = ", ".join(f"{name} {1000 * times[int(place * len(times))]:.1f} ms" for name, place in places.items())
    print(f"{tables} tables of {SEATS} seats, {len(times)} moves: {shown}, most {1000 * times[-1]:.1f} ms")
    print(f"server: {1000 * used / max(len(times), 1):.2f} ms of processor time for each move")
    found = {name: times[int(place * len(times))] for name, place in places.items()}
    write_json(options.json, {"tables": tables, "seats": SEATS, "moves": len(times), "used": used, "seconds": found})


if __name__ == "__main__":
    main()
