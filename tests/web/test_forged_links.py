"""Forged links: guessed or altered secrets, requests beyond a link's rights, messages of another table."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pytest

from cardlang.ui.web import client_message
from cardlang.ui.web.message_handlers import HANDLERS
from tests.web.pages import Page, Serving

LOBBY = {"game", "open", "close", "playtests"}
HOST = {"begin", "seat", "mute", "allow"}
PLAYER = {"sit", "move", "confirm", "chosen", "why", "hint", "undo", "give up", "agree", "say", "answers"}
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


def wait_for_equal_places(one: Page, other: Page) -> None:
    """Look until both pages show the same, because the bot of the seat may move between two looks."""
    until = monotonic() + 20
    while one.look()["places"] != other.look()["places"]:
        assert monotonic() < until


def test_replaced_player_only_watches(serving: Serving) -> None:
    """An open page and a new one of Bob's link see what spectators see, until Bob has the seat back."""
    host, bob, look = serving.lay("duel", "person")
    with serving.page(host) as hosts, serving.page(bob) as bobs, serving.page(look) as watching:
        own, watched = bobs.look(), watching.look()
        assert own["viewer"] == "Bob" and own != watched
        assert hosts.move() is None and hosts.ask("undo") is None and hosts.told["seat"]["wish"]
        assert hosts.ask("seat", seat=1, kind="random") is None and hosts.told["seat"]["wish"] is None
        with serving.page(bob) as again:
            for page in (bobs, again):
                assert page.look()["viewer"] is None and page.told["seat"]["you"] is None
                wait_for_equal_places(page, watching)
            assert find_refused(bobs) == LOBBY | HOST | PLAYER
        assert hosts.ask("seat", seat=1, kind="person") is None
        assert bobs.look()["viewer"] == "Bob" and bobs.ask("why", at=bobs.at, move="x") not in REFUSALS


def test_replaced_host_keeps_only_the_tools_of_the_host(serving: Serving) -> None:
    host, *_ = serving.lay("duel", "person")
    with serving.page(host) as page:
        assert page.look()["viewer"] == "Ann" and page.ask("seat", seat=0, kind="random") is None
        assert page.look()["viewer"] is None and find_refused(page) == LOBBY | PLAYER
        assert page.ask("seat", seat=0, kind="person") is None and page.look()["viewer"] == "Ann"


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
