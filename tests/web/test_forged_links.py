"""Forged links: guessed or altered secrets, requests beyond a link's rights, messages of another table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardlang.ui.web import client_message
from cardlang.ui.web.message_handlers import HANDLERS
from tests.web.pages import Page, Serving

LOBBY = {"game", "open", "close", "playtests"}
HOST = {"begin", "seat", "mute", "allow"}
PLAYER = {"sit", "move", "confirm", "chosen", "why", "hint", "undo", "agree", "say", "answers"}
ALL = {"log", "odd"}
REFUSALS = {
    "Only the person who started the server can do that.", "Only the host can do that.",
    "You are watching. Only players can do that.", "This link is not for a table.",
}  # fmt: skip


@pytest.mark.parametrize(
    "alter",
    [lambda ann, bob: ann[:-1], lambda ann, bob: f"{ann}A", lambda ann, bob: ann.swapcase(), lambda ann, bob: f" {ann}",
     lambda ann, bob: f"{ann}\0", lambda ann, bob: ann[:16] + bob[16:], lambda ann, bob: "%", lambda ann, bob: "1"],
)  # fmt: skip
def test_altered_links_are_rejected(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, alter: Callable[[str, str], str]
) -> None:
    monkeypatch.setattr(client_message, "WRONG_SECRET_DELAY", 0.0)
    ann, bob, _ = serving.lay("duel", "person")
    with serving.page(alter(ann, bob)) as page:
        assert page.send("{}") == "This link does not work. Its table may be closed."


def find_refused(page: Page) -> set[str]:
    """Return the requests that a page may never make."""
    return {do for do in HANDLERS if page.ask(do, at="", wish="", what="note", note="x", seat=1) in REFUSALS}


def test_links_give_only_their_rights(serving: Serving) -> None:
    assert set(HANDLERS) == LOBBY | HOST | PLAYER | ALL
    host, bob, look = serving.lay("duel", "person")
    with serving.page(look) as page:
        assert find_refused(page) == LOBBY | HOST | PLAYER
    with serving.page(bob) as page:
        assert find_refused(page) == LOBBY | HOST
    with serving.page() as page:
        assert find_refused(page) == HOST | PLAYER | ALL
    with serving.page(host) as page:
        assert find_refused(page) == LOBBY


def test_messages_of_another_table_or_seat_have_no_effect(serving: Serving) -> None:
    """Positions, undo requests and seats in a message count only at the sender's own seat."""
    ann, bob, look = serving.lay("duel", "person")
    other, guest, _ = serving.lay("duel", "person")
    with (
        serving.page(ann) as anns,
        serving.page(bob) as bobs,
        serving.page(other) as others,
        serving.page(guest) as guests,
        serving.page(look) as page,
    ):
        before = anns.look()
        others.look()
        guests.look()
        assert anns.ask("move", at=others.at, move=0, table=2) == "The match has moved on."
        for sender in (bobs, page):
            sender.look()
            assert sender.ask("move", at=anns.at, move=0, seat=0, name="Ann", you="Ann", hello=ann) is not None
        assert anns.look() == before
        assert others.move() is None and others.ask("undo") is None
        assert anns.move() is None and anns.ask("undo") is None
        bobs.look()
        assert bobs.ask("agree", wish=others.wish, yes=True) == "This question is no longer open."
        assert bobs.told["seat"]["wish"]["key"] == anns.wish
