"""Measure the response times of a server while some of its tables are flooded with messages.

The other tables have four scripted players each, with one move every two seconds. All connections are local. This needs
the extra `web`.

    python -m benchmarks.attack --tables 200 --attacked 10 --seconds 20

The script starts its own server, with a store in a temporary folder. Half of the attacked tables have matches of 4,000
choices. Each link to an attacked table sends as fast as the server accepts: undo requests and agreements, logs, hints,
toggled cards, moves, and messages of the maximum size.

For the other tables, it prints two times for each move: until the reply, and until the other pages had the new table.
Both have the median, the 95th percentile and the maximum. Without attacked tables, these are the figures of a quiet
server. `load` is the load of the whole machine."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing import Process
from pathlib import Path
from random import Random

import websockets

import cardlang
from benchmarks.serve import ROOT, Seat, connect, play, print_times, processor
from cardlang.ui.web.client_message import MAX_MESSAGE_BYTES
from cardlang.ui.web.database import Store, StoredSeat
from cardlang.ui.web.game_catalog import GameCatalog
from cardlang.ui.web.game_room import GameRoom

NAMES = ("Ann", "Bob", "Cat", "Dan")
LONG = """game "Long" for 2 to 4 players
kind Value: 1 to 9
cards Cards in deck
  2 of each Value
zone deck seen by nobody
zone your hand seen by owner
zone table
number turns
define your score as 0
step play
  deal top 4 of deck to players' hand
  repeat until turns > 90000
    each player
      add 1 to turns
      you may play 1 from your hand to table
      draw top 1 of table to your hand
"""
CHOICES = 4_000
Links = list[list[str]]


def lay(folder: Path, count: int, attacked: int) -> tuple[Links, Links]:
    """Create full tables in a store. Return the links of the quiet tables and of the attacked ones."""
    (folder / "long.cardgame").write_text(LONG, encoding="utf-8")
    shelf = GameCatalog.from_paths(
        [cardlang.shipped()["hearts"], cardlang.shipped()["texas_holdem"], folder / "long.cardgame"]
    )
    store = Store(folder / "tables.db")
    laid: Links = []
    for number in range(count):
        name = "hearts" if number >= attacked else "long" if number % 2 else "texas_holdem"
        bots = number < attacked and number % 4 < 2  # with only bots, a player can undo without agreement
        kinds = ["person", *(["random"] * 3 if bots else ["person"] * 3)]
        seats = [StoredSeat(each, kind, True) for each, kind in zip(NAMES, kinds, strict=True)]
        sitting = GameRoom.restore(store, store.create_room(name, None, False, seats, 0), shelf, 0.7)
        sitting.start_match(shelf.load_version(name))
        assert sitting.match is not None
        store.file.execute("begin")
        while name == "long" and len(sitting.match.choices) < CHOICES:
            sitting.match.choose("pass")
        store.file.execute("commit")
        laid.append([link.secret for link in sitting.links])
    store.close()
    return laid[attacked:], laid[:attacked]


# ---------------------------------------------------------------- attack
def attack(url: str, tables: Links, seconds: float) -> None:
    asyncio.run(flood_all(url, tables, time.perf_counter() + seconds))


async def flood_all(url: str, tables: Links, until: float) -> None:
    await asyncio.gather(
        *(flood(url, secret, until, Random(at)) for at, table in enumerate(tables) for secret in table)
    )


async def flood(url: str, secret: str, until: float, random: Random) -> None:
    """Send expensive messages over one link, as fast as allowed. Reconnect after each disconnection."""
    while time.perf_counter() < until:
        try:
            seat = await connect(url, secret)
            reader = asyncio.create_task(read(seat))
            while time.perf_counter() < until:
                await seat.socket.send(json.dumps(costly(seat, random)))
                await asyncio.sleep(0.05)
            reader.cancel()
            await seat.socket.close()
        except (OSError, websockets.WebSocketException):
            await asyncio.sleep(1.0)


async def read(seat: Seat) -> None:
    with suppress(websockets.WebSocketException):
        await seat.read()


def costly(seat: Seat, random: Random) -> dict[str, object]:
    """Return a random expensive message: undo, a log, a hint, a set of cards, a legal move, or one of maximum size."""
    ask = seat.table.get("ask")
    base: dict[str, object] = {"at": seat.at, "id": 1}
    large = {"do": "confirm", "refs": ["x" * 290] * (MAX_MESSAGE_BYTES // 300), "filling": " " * 100}
    sorts: list[dict[str, object]] = [{"do": "undo", "sure": True}, {"do": "log"}, {"do": "hint"}, large]
    if isinstance(ask, dict):
        choosing = ask.get("choosing")
        if choosing:
            some = random.sample(choosing["refs"], min(len(choosing["refs"]), choosing["high"]))
            sorts += [{"do": "chosen", "refs": some}, {"do": "confirm", "refs": some}]
        elif ask["actions"]:
            sorts += [{"do": "move", "move": random.choice(ask["actions"])["move"]}]
    return base | random.choice(sorts)


# ---------------------------------------------------------------- quiet tables
async def measure(url: str, quiet: Links, seconds: float, process: int) -> None:
    random, answers, screens = Random(1), list[float](), list[float]()
    tables = [[await connect(url, secret) for secret in table[:4]] for table in quiet]
    readers = [asyncio.create_task(read(seat)) for table in tables for seat in table]
    while not all(seat.table for table in tables for seat in table):
        await asyncio.sleep(1.0)
    await asyncio.sleep(3.0)
    busy, began = processor(process), time.perf_counter()
    await asyncio.gather(*(play(table, began + seconds, random, answers, screens) for table in tables))
    used, share = processor(process) - busy, (processor(process) - busy) / (time.perf_counter() - began)
    for reader in readers:
        reader.cancel()
    server = f"server: {100 * share:.0f} % of a processor, {1000 * used / len(answers):.1f} ms a move"
    print(f"{len(tables)} quiet tables, {len(answers)} moves; load {os.getloadavg()[0]:.1f}; {server}")
    print_times("answered", answers)
    print_times("on other screens", screens)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200, choices=range(1, 501), metavar="1..500")
    parser.add_argument("--attacked", type=int, default=10, choices=range(51), metavar="0..50")
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    seconds = min(given.seconds, 120.0)
    with tempfile.TemporaryDirectory() as folder:
        quiet, attacked = lay(Path(folder), given.tables, given.attacked)
        command = [sys.executable, "-m", "cardlang", "serve", "--port", "0", "--data", f"{folder}/tables.db", "hearts"]
        settings = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) as server:
            attacker = None
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline() + server.stdout.readline())
                assert found is not None
                attacker = Process(target=attack, args=(found[0], attacked, seconds + 60.0))
                attacker.start()
                asyncio.run(measure(found[0], quiet, seconds, server.pid))
            finally:
                if attacker is not None:
                    attacker.kill()
                server.kill()


if __name__ == "__main__":
    main()
