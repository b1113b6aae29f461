"""Chat: who reads and writes it, its limits, and what it must never touch."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cardlang.ui.web import chat, database
from cardlang.ui.web.database import Store
from tests.web.pages import Page, Serving, duel
from tests.web.people import SOON, seat_two
from tests.web.serving import Server

HOSTILE = ["<img src=x onerror=alert(1)>", "[2♠] `x` **y**", "a\u202eb\x1b[2Jc\nd", "e\u0301" * 90]

RECORD_BUBBLES = """() => {
    window.bubbles = [];
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
        if (node.className === "bubble") window.bubbles.push(node.textContent);
    }))).observe(document.body, { childList: true });
}"""


def read_chat(page: Page) -> list[tuple[str, str]]:
    """Return all chat messages that a page has received, oldest first."""
    page.ask("nothing")
    messages = (json.loads(text) for text in page.all)
    lines = {line["number"]: line for message in messages if message["is"] == "chat" for line in message["lines"]}
    return [(line["who"], line["text"]) for _, line in sorted(lines.items())]


def test_everyone_at_the_table_reads_chat(serving: Serving) -> None:
    ann, bob, look = serving.lay("duel", "person")
    other = serving.lay("duel", "person")[0]
    with serving.page(ann) as anns, serving.page(look) as watching, serving.page(other) as elsewhere:
        assert anns.ask("say", text="Hello") is None
        assert watching.ask("say", text="Play the 5") == "You are watching. Only players can do that."
        assert read_chat(anns) == read_chat(watching) == [("Ann", "Hello")]
        assert read_chat(elsewhere) == []
    with serving.page(bob) as bobs:
        assert read_chat(bobs) == [("Ann", "Hello")]


def test_chat_survives_a_restart_until_its_table_is_closed(tmp_path: Path, serving: Serving) -> None:
    ann, bob, _ = serving.lay("duel", "person")
    with serving.page(ann) as page:
        assert page.ask("say", text="Hello") is None
        assert page.ask("mute", seat=1, muted=True) is None
    again = Serving(tmp_path, duel(tmp_path))
    with again.client:
        with again.page(bob) as page:
            assert read_chat(page) == [("Ann", "Hello")]
            assert page.ask("say", text="Hi") == "The host has switched off your chat."
        with again.page() as house:
            assert house.ask("close", table=1) is None
    assert again.store.read_chat(1) == [] and again.store.read_muted_seats(1) == set()


def test_chat_is_one_clean_line_of_200_characters(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page:
        for text in ("", " \n\t", "\u200b\u202e"):
            assert page.ask("say", text=text) == "Write a message first."
        for data in ({"text": "x" * 201}, {"text": ["x"]}, {"text": None}, {"text": 5}):
            assert page.ask("say", **data) == "text must be text of at most 200 characters."
        for text in HOSTILE:
            assert page.ask("say", text=text) is None
        assert [text for _, text in read_chat(page)] == [HOSTILE[0], HOSTILE[1], "ab[2Jc d", HOSTILE[3]]


def test_chat_is_limited_for_each_seat(serving: Serving) -> None:
    ann, bob, _ = serving.lay("duel", "person")
    with serving.page(ann) as first, serving.page(ann) as second, serving.page(bob) as bobs:
        said = [page.ask("say", text=f"{at}") for at in range(4) for page in (first, second)]
        assert said[:5] == [None] * 5 and said[-1] == "Too many messages. Wait a moment."
        assert bobs.ask("say", text="Slow down") is None


def test_chat_keeps_its_newest_messages(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "CHAT_BURST", 100.0)
    monkeypatch.setattr(database, "MAX_CHAT_LINES", 3)
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page:
        for at in range(5):
            assert page.ask("say", text=f"{at}") is None
    with serving.page(ann) as page:
        assert [text for _, text in read_chat(page)] == ["2", "3", "4"]


def test_message_repeated_after_a_lost_connection_appears_once(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page:
        page.look()
        for again in (False, True):
            assert page.ask("say", text="Hello", at=page.at, again=again) is None
        assert read_chat(page) == [("Ann", "Hello")]


def test_only_the_host_switches_chat_off(serving: Serving) -> None:
    ann, bob, look = serving.lay("duel", "person")
    with serving.page(ann) as anns, serving.page(bob) as bobs, serving.page(look) as watching:
        for page in (bobs, watching):
            assert page.ask("mute", seat=0, muted=True) == "Only the host can do that."
        for seat in (2, -2, True, "0", None):
            assert anns.ask("mute", seat=seat, muted=True) == "seat must be a number from -1 to 1."
        assert anns.ask("mute", seat=-1, muted=True) is None
        assert {page.ask("say", text="Hello") for page in (anns, bobs)} == {"The host has switched off your chat."}
        assert anns.ask("mute", seat=1, muted=False) is None
        assert bobs.ask("say", text="Hello") is None and anns.ask("say", text="Hello") is not None


def test_chat_is_no_part_of_match_or_record(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page:
        before = page.look(), page.at
        assert page.ask("say", text="Zanzibar") is None
        assert (page.look(), page.at) == before
        assert page.ask("log") is None and "Zanzibar" not in json.dumps(page.told["log"])
    assert not any(b"Zanzibar" in line.line for line in serving.store.read_lines(1))


def test_older_file_gets_chat(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    Store(path).close()
    with sqlite3.connect(path) as old:
        old.executescript("drop table chat; drop table muted")
    store = Store(path)
    assert store.read_chat(1) == [] and store.read_muted_seats(1) == set()


@pytest.mark.slow
def test_players_chat_in_the_browser(server: Server, chromium: Browser) -> None:
    ann, bob = seat_two(chromium, server.url, "Scopa", 3)
    ann.page.evaluate(RECORD_BUBBLES)
    bob.page.keyboard.press("F4")
    for text in HOSTILE[:2]:
        bob.page.get_by_label("Message", exact=True).fill(text)
        bob.page.keyboard.press("Enter")
    ann.page.get_by_role("button", name="Chat (2)").click(timeout=SOON)
    assert ann.page.evaluate("() => window.bubbles") == HOSTILE[:2]
    expect(ann.page.locator(".chat li").nth(1)).to_have_text(f"Bob: {HOSTILE[1]}")
    ann.page.get_by_label("Message", exact=True).fill("half a mess")
    ann.page.get_by_role("button", name="Well played").click()
    expect(bob.page.locator(".chat li").last).to_have_text("Ann: Well played")
    assert ann.page.get_by_label("Message", exact=True).input_value() == "half a mess"
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator(".beside")).to_be_hidden()
    ann.page.get_by_role("button", name="Host", exact=True).click()
    ann.page.locator('[data-key="mute 1"]').click()
    expect(bob.page.locator(".beside")).to_contain_text("The host has switched off your chat.")
    assert not ann.faults + bob.faults
