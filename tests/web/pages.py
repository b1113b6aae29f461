"""Web server in this process, with connections in place of browsers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from cardlang.ui.web.connection_hub import ConnectionHub
from cardlang.ui.web.database import Store
from cardlang.ui.web.game_catalog import GameCatalog
from cardlang.ui.web.message_handlers import dispatch_message
from cardlang.ui.web.server import LOCAL_HOSTS, AllowedHosts, build_application
from tests.game_files import read_game
from tests.web.serving import SEED

ADDRESS = "http://127.0.0.1:8000"
HOST = {"host": "127.0.0.1:8000"}
ORIGIN = HOST | {"origin": ADDRESS}

DUEL = read_game("duel_pages")


class Page:
    """One connection. `told`: the newest message of each sort; `all`: every text that came."""

    def __init__(self, socket: WebSocketTestSession, secret: str) -> None:
        self.socket, self.told, self.all, self.number = socket, dict[str, Any](), list[str](), 0
        self.socket.send_text(json.dumps({"hello": secret}))

    def ask(self, do: str, **data: object) -> str | None:
        """Sends a message and reads up to its answer: None if it was done, else why not."""
        self.number += 1
        return self.send({"do": do, "id": self.number, **data})

    def send(self, data: Mapping[str, object] | str) -> str | None:
        self.socket.send_text(data if isinstance(data, str) else json.dumps(data))
        while True:
            text = self.socket.receive_text()
            self.all.append(text)
            message = json.loads(text)
            self.told[message["is"]] = message
            if message["is"] in ("done", "no", "lost"):
                why: str | None = message.get("why")
                return why

    def look(self) -> dict[str, Any]:
        """The table as it is now."""
        self.ask("nothing")
        table: dict[str, Any] = self.told["table"]["table"]
        return table

    @property
    def at(self) -> str:
        return str(self.told["table"]["at"])

    @property
    def wish(self) -> str:
        """The key of the wish that was told last."""
        return str(self.told["seat"]["wish"]["key"])

    def move(self, number: int = 0) -> str | None:
        self.look()
        return self.ask("move", at=self.at, move=number)


class Serving:
    """A server over a folder. `again()` is another one over the same folder, as after a kill."""

    def __init__(self, folder: Path, *games: Path) -> None:
        self.store = Store(folder / "tables.db")
        self.hub = ConnectionHub(
            self.store,
            GameCatalog.from_paths(games),
            ADDRESS,
            dispatch_message,
            bot_pause=0,
            seed=SEED,
            hint_seconds=0.02,
        )
        self.client = TestClient(
            build_application(self.hub, AllowedHosts(frozenset(LOCAL_HOSTS), allows_ip_addresses=False)),
            base_url=ADDRESS,
        )

    @contextmanager
    def page(self, secret: str | None = None) -> Iterator[Page]:
        """A page of this secret; of none: the house."""
        with self.client.websocket_connect("/ws", headers=ORIGIN) as socket:
            yield Page(socket, secret or self.store.read_meta("house"))

    def lay(self, name: str, *kinds: str, variant: str = "", asks: bool = False) -> list[str]:
        """Lays a table whose first seat is the host's; the others are of these kinds. Gives the links: the host's,
        those of the other people, the one to look on. All who are people sit down."""
        seats = [{"name": name, "kind": kind} for name, kind in zip(NAMES, ["person", *kinds], strict=False)]
        with self.page() as house:
            assert house.ask("open", name=name, variant=variant, seats=seats, host=0, asks=asks) is None
            host = house.told["opened"]["host"]
        sitting = self.store.find_link(host)
        assert sitting is not None
        links = [link.secret for link in self.store.read_links(sitting.room_number)]
        for secret, seat in zip(links[1:], [s for s in seats[1:] if s["kind"] == "person"], strict=False):
            with self.page(secret) as page:
                assert page.ask("sit", name=seat["name"]) is None
        return links


NAMES = ("Ann", "Bob", "Cat", "Dan")


def duel(folder: Path, text: str = DUEL.format(4, "Play one.")) -> Path:
    """Write a small game where the first player begins, and return its path."""
    file = folder / "duel.cardgame"
    file.write_text(text)
    return file
