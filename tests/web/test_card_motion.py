"""Cards fly between piles, and only as far as the viewer knows them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.people import Person, expect_question
from tests.web.serving import Server

RECORD_FLIGHTS = """{
    window.flights = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        if (this.className === "flight") window.flights.push(frames.length);
        return animate.call(this, frames, options);
    };
}"""


def pile(ref: str, *codes: str | None, owner: str | None = None, form: str = "hand", by: str = "") -> dict[str, Any]:
    cards = [{"ref": f"{ref}#{at}", "code": code, "by": by or None} for at, code in enumerate(codes, 1)]
    return {"ref": ref, "owner": owner, "form": form, "cards": cards}


def table(*piles: dict[str, Any], at: int = 5, anew: bool = False) -> dict[str, Any]:
    """Return a table whose piles are all in the middle."""
    line = {"text": "", "at": at, "anew": anew}
    return {"middle": {"ref": "", "piles": piles}, "places": [], "kinds": [], "since": [line], "over": False}


def find_moves(page: Person, before: dict[str, Any] | None, after: dict[str, Any]) -> list[list[str | None]]:
    """Return the old and the new ref of each card that moved."""
    found: list[list[str | None]] = page.page.evaluate(
        """async ([before, after]) => (await import("/page/card_motion.js")).findMovedCards(before, after).map(
            ({ was, now }) => [was && was.card.ref, now.card.ref])""",
        [before, after],
    )
    return found


@pytest.mark.slow
def test_moved_cards_are_found_in_two_tables(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    hands = table(
        pile("bob", None, None, owner="Bob"), pile("cat", None, None, owner="Cat"), pile("trick", form="trick")
    )
    played = table(
        pile("bob", None, None, owner="Bob"),
        pile("cat", None, owner="Cat"),
        pile("trick", "5H", form="trick", by="Cat"),
    )
    taken = table(pile("bob", None, None, owner="Bob"), pile("cat", None, owner="Cat"), pile("won", "5H", owner="Bob"))
    known = table(pile("bob", "AS", None, owner="Bob"), pile("cat", None, None, owner="Cat"))
    assert find_moves(ann, hands, played) == [["cat#2", "trick#1"]]
    assert find_moves(ann, played, taken) == [["trick#1", "won#1"]]
    assert find_moves(ann, hands, known) == [], "a reveal moves nothing"
    assert find_moves(ann, None, hands) == [], "a table that was open before has been dealt"
    dealt = table(pile("bob", None, None), pile("deck", None, form="stack"), anew=True)
    assert find_moves(ann, hands, dealt) == [[None, "bob#1"], [None, "bob#2"]]


@pytest.mark.slow
def test_cards_fly_unless_switched_off(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    ann.page.add_init_script(RECORD_FLIGHTS)

    def count_flights(motion: str) -> list[int]:
        ann.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
        ann.page.goto("about:blank")
        ann.page.goto(server.url)
        ann.lay("Hearts", ["random"] * 3)
        expect_question(ann)
        return list(ann.page.evaluate("() => window.flights"))

    assert count_flights("reduce") == []
    assert count_flights("move") == [2] * 52, "each card is dealt"
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_label("Fast").check()
    assert count_flights("move") == []
    assert not ann.faults
