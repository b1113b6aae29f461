"""Full disk: moves that can't be saved are refused, and saved ones survive."""

from __future__ import annotations

import time

import pytest

from cardlang.ui.web import connection_hub
from cardlang.ui.web.database import DatabaseRecorder
from interpreter.match.match_record import RecordEntry
from interpreter.runtime.errors import RecordingError
from tests.web.pages import Page, Serving

FULL = "This could not be saved and has no effect: database or disk is full."


def fill(serving: Serving) -> None:
    """The file grows no more; what room there is in its pages is still used."""
    serving.store.file.execute("pragma max_page_count = 1")


def until_full(page: Page, do: str, **data: object) -> str | None:
    return next((why for _ in range(60) if (why := page.ask(do, **data))), None)


def test_unsaved_move_is_rejected_and_the_server_survives(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    seats = [{"name": name, "kind": "person"} for name in ("Ann", "Bob")]
    fill(serving)
    with serving.page(ann) as page, serving.page() as house:
        assert until_full(house, "open", name="duel", seats=seats, host=0) == FULL
        assert until_full(page, "odd", word="x" * 300) == FULL
        opened = len(serving.store.list_open_rooms())
        serving.store.file.execute("pragma max_page_count = 100000")
        assert house.ask("open", name="duel", seats=seats, host=0) is None
        assert len(serving.store.list_open_rooms()) == opened + 1
        assert page.move() is None


def test_unsaved_bot_move_is_retried(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    really, full = DatabaseRecorder.write, [True]

    def write(self: DatabaseRecorder, entry: RecordEntry) -> None:
        if full and entry.get("player") == "Bob":
            raise RecordingError(self.store.path, OSError("database or disk is full"))
        really(self, entry)

    monkeypatch.setattr(DatabaseRecorder, "write", write)
    monkeypatch.setattr(connection_hub, "SAVE_RETRY_SECONDS", 0.05, raising=False)
    ann, *_ = serving.lay("duel", "random")
    with serving.page(ann) as page:
        assert page.move() is None
        unsaved = "Bob's move could not be saved and has no effect: database or disk is full. Retrying …"
        while page.look() and page.told["seat"]["stuck"] != unsaved:
            time.sleep(0.02)
        full.clear()
        while not page.look()["over"]:
            time.sleep(0.02)
        assert page.told["seat"]["stuck"] == ""
