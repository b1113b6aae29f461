"""Killed servers lose no acknowledged move."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

from cardlang.ui.web.database import Store
from cardlang.ui.web.game_room import hash_position
from tests.web.serving import ROOT, Server


def test_kill_loses_no_acknowledged_move(tmp_path: Path) -> None:
    """The server is killed right after moves were sent: all that were answered are there, and at most the one that was
    under way."""
    server = Server(tmp_path)
    house = server.url.rpartition("/")[2]
    try:
        with connect_client(server, house) as socket:
            links = links_of_two(socket, tmp_path)
        store = Store(tmp_path / "tables.db")
        with connect_client(server, links[0]) as ann, connect_client(server, links[1]) as bob:
            answer(bob, {"do": "sit", "name": "Bob"})
            made = 0
            for number, socket in enumerate([ann, bob, ann, bob, ann]):
                answer(socket, {"do": "move", "at": hash_position(store, 1, number), "move": 0})
                made += 1
            bob.send(json.dumps({"do": "move", "at": hash_position(store, 1, made), "move": 0, "id": 1}))
            server.kill()
        server.start()
        with connect_client(server, links[0]) as ann:
            answer(ann, {"do": "log"})
        lines = [json.loads(line.line) for line in store.read_lines(1)][1:]
        assert [line["player"] for line in lines[:made]] == ["Ann", "Bob", "Ann", "Bob", "Ann"]
        assert made <= len(lines) <= made + 1
        store.close()
    finally:
        server.kill()


def test_kill_loses_nothing_after_other_readers(tmp_path: Path) -> None:
    """The page about playtests reads it apart, and so does another process that writes the records."""
    server = Server(tmp_path)
    house = server.url.rpartition("/")[2]
    try:
        with connect_client(server, house) as socket:
            links = links_of_two(socket, tmp_path)
            store = Store(tmp_path / "tables.db")
            moments = [hash_position(store, 1, number) for number in range(5)]
            store.close()
            with connect_client(server, links[0]) as ann, connect_client(server, links[1]) as bob:
                answer(bob, {"do": "sit", "name": "Bob"})
                answer(ann, {"do": "move", "at": moments[0], "move": 0})
                answer(socket, {"do": "playtests"})
                command = [sys.executable, "-m", "cardlang", "serve", "--data", "tables.db", "--records", "records"]
                subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
                for number, each in enumerate([bob, ann, bob], 1):
                    answer(each, {"do": "move", "at": moments[number], "move": 0})
        server.kill()
        store = Store(tmp_path / "tables.db")
        assert len(store.read_lines(1)) == 1 + 4
        store.close()
    finally:
        server.kill()


def links_of_two(house: ClientConnection, folder: Path) -> list[str]:
    """A table for Ann and Bob is opened."""
    seats = [{"name": name, "kind": "person"} for name in ("Ann", "Bob")]
    answer(house, {"do": "open", "name": "goofspiel", "seats": seats, "host": 0})
    store = Store(folder / "tables.db")
    links = [link.secret for link in store.read_links(1) if link.seat is not None]
    store.close()
    return links


@contextmanager
def connect_client(server: Server, secret: str) -> Iterator[ClientConnection]:
    """Connect to a server in another process."""
    host = f"127.0.0.1:{server.port}"
    with connect(f"ws://{host}/ws", origin=f"http://{host}", compression=None) as socket:  # type: ignore[arg-type]
        socket.send(json.dumps({"hello": secret}))
        yield socket


def answer(socket: ClientConnection, message: dict[str, object]) -> None:
    """Sends a message and waits until it was done."""
    socket.send(json.dumps(message | {"id": 1}))
    while (told := json.loads(socket.recv(timeout=180)))["is"] not in ("done", "no"):
        pass
    assert told["is"] == "done", told
