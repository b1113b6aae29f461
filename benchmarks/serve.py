"""Measure the time until a move is answered and appears on the other screens.

Each table has four scripted players, with one move every two seconds. All connections are local. This needs the extra
`web`.

    python -m benchmarks.serve --tables 200 --seconds 20

The script starts its own server, with a store in a temporary folder. It prints two times for each move: until the
reply, and until each of the other three pages had the new table. Both have the median, the 95th percentile and the
maximum. It also prints the server's memory per table, without its memory before the first table. `load` is the load of
the whole machine."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median, quantiles

import websockets
from attrs import define, field

ROOT = Path(__file__).parents[1]
PLAYERS, PAUSE = 4, 2.0
GAME = "hearts"


@define
class Seat:
    """Simulated page.

    `at` is the moment of the newest table. `seen` has the arrival time of each moment, `answered` the times of replies.
    """

    socket: websockets.ClientConnection
    table: dict[str, object] = field(factory=dict)
    at: str = ""
    seen: dict[str, float] = field(factory=dict)
    answered: list[float] = field(factory=list)

    async def read(self) -> None:
        async for text in self.socket:
            now = time.perf_counter()
            message = json.loads(text)
            if message["is"] == "table":
                self.at, self.table = message["at"], message["table"]
                self.seen.setdefault(self.at, now)
            elif message["is"] in ("done", "no"):
                self.answered.append(now)


async def connect(url: str, secret: str) -> Seat:
    host = re.match(r"http://([\w.:]+)", url)
    assert host is not None
    socket = await websockets.connect(f"ws://{host[1]}/ws", origin=f"http://{host[1]}", compression=None)  # type: ignore[arg-type]
    await socket.send(json.dumps({"hello": secret}))
    return Seat(socket)


async def lay(url: str, count: int, data: Path) -> list[list[str]]:
    """Create `count` tables and return the secrets of their seats."""
    house = await connect(url, url.rpartition("/")[2])
    seats = [{"name": name, "kind": "person"} for name in ("Ann", "Bob", "Cat", "Dan")]
    for number in range(count):
        await house.socket.send(json.dumps({"do": "open", "name": GAME, "seats": seats, "host": 0, "id": number}))
        await answered(house.socket, number)
        await asyncio.sleep(0.06)
    await house.socket.close()
    file = sqlite3.connect(data)
    rows = file.execute("select sitting, secret from links where seat is not null order by sitting, seat").fetchall()
    return [[secret for table, secret in rows if table == number] for number in range(1, count + 1)]


async def answered(socket: websockets.ClientConnection, number: int) -> None:
    while True:
        message = json.loads(await socket.recv())
        if message.get("id") == number:
            assert message["is"] == "done", message
            return


async def play(seats: list[Seat], until: float, random: Random, answers: list[float], screens: list[float]) -> None:
    """Play one move every two seconds at one table, from a random moment on.

    Collect the times until the reply and until the other pages have the new table."""
    due = time.perf_counter() + random.random() * PAUSE
    while due < until:
        await asyncio.sleep(due - time.perf_counter())
        asked = next(seat for seat in seats if seat.table.get("ask"))
        others = [seat for seat in seats if seat is not asked]
        asked.answered.clear()
        for other in others:
            other.seen.clear()
        began = time.perf_counter()
        await asked.socket.send(json.dumps(move(asked, random)))
        due += PAUSE  # tables stay independent, however late this one is
        await asyncio.sleep(due - time.perf_counter())
        async with asyncio.timeout(60.0):
            while not (asked.answered and all(other.seen for other in others)):
                await asyncio.sleep(0.01)
        answers.append(asked.answered[0] - began)
        screens += [min(other.seen.values()) - began for other in others]


def move(seat: Seat, random: Random) -> dict[str, object]:
    """Return a random legal choice: a set of the required size, or a move."""
    ask = seat.table["ask"]
    assert isinstance(ask, dict)
    choosing = ask.get("choosing")
    if choosing:
        return {"do": "confirm", "at": seat.at, "refs": random.sample(choosing["refs"], choosing["low"]), "id": 1}
    return {"do": "move", "at": seat.at, "move": random.choice(ask["actions"])["move"], "id": 1}


async def measure(url: str, count: int, seconds: float, data: Path, process: int) -> None:
    empty = memory(process)
    secrets = await lay(url, count, data)
    random, answers, screens = Random(1), list[float](), list[float]()
    tables = [[await connect(url, secret) for secret in table] for table in secrets]
    readers = [asyncio.create_task(seat.read()) for table in tables for seat in table]
    for table in tables:
        for seat, name in zip(table[1:], ("Bob", "Cat", "Dan"), strict=True):
            await seat.socket.send(json.dumps({"do": "sit", "name": name, "id": 0}))
        await asyncio.sleep(0.05)
    await asyncio.sleep(2.0)
    busy, began = processor(process), time.perf_counter()
    until = began + seconds
    await asyncio.gather(*(play(table, until, random, answers, screens) for table in tables))
    share = (processor(process) - busy) / (time.perf_counter() - began)
    full = memory(process)
    for reader in readers:
        reader.cancel()
    print(f"{count} tables of {PLAYERS}, {len(answers)} moves; load {os.getloadavg()[0]:.1f}")
    print_times("answered", answers)
    print_times("on other screens", screens)
    print(f"server: {100 * share:.0f} % of a processor, {(full - empty) / count:.0f} KiB for each table "
          f"({full // 1024} MiB in all)")  # fmt: skip


def print_times(what: str, took: list[float]) -> None:
    late = quantiles(took, n=20)[18]
    figures = f"median {median(took) * 1000:.0f} ms, 95 % {late * 1000:.0f} ms"
    print(f"{what}: {figures}, longest {max(took) * 1000:.0f} ms")


def memory(process: int) -> int:
    """Return the resident memory of a process in KiB (Linux)."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1])


def processor(process: int) -> float:
    """Return the processor time of a process in seconds (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200, choices=range(1, 501), metavar="1..500")
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "tables.db"
        command = [sys.executable, "-m", "cardlang", "serve", "--port", "0", "--data", str(data), GAME]
        settings = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline() + server.stdout.readline())
                assert found is not None
                asyncio.run(measure(found[0], given.tables, min(given.seconds, 120.0), data, server.pid))
            finally:
                server.kill()


if __name__ == "__main__":
    main()
