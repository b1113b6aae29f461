"""Browser users for tests: they open a table, follow links, and make any legal move."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, expect

SOON = 180_000
"""Timeout in milliseconds, long enough for a busy machine."""
MOST = 400
"""So many things people do at most before a match is over."""
SLOW_TIMERS = """{
    const start = window.setTimeout;
    window.setTimeout = (call, after, ...rest) => start(call, after < 400 || after > 1500 ? after : 5 * after, ...rest);
}"""
"""Gives a slow machine time between the parts of a tap or a press."""


class Person:
    """One browser with one page, and everything that was sent to it."""

    def __init__(self, browser: Browser, url: str, width: int = 1200, height: int = 800, touch: bool = False) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, reduced_motion="reduce"
        )
        self.context.set_default_timeout(SOON)
        self.context.add_init_script(SLOW_TIMERS)
        self.page: Page = self.context.new_page()
        self.frames: list[str] = []
        self.faults: list[str] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self.receive))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda line: self.faults.append(line.text) if "Security Policy" in line.text else None)
        self.page.goto(url)

    def receive(self, frame: str | bytes) -> None:
        self.frames.append(frame if isinstance(frame, str) else frame.decode())

    def lay(self, title: str, kinds: list[str], variant: str = "") -> list[str]:
        """Lays a table in the house, sits at the first seat, and gives the links of the others."""
        page = self.page
        page.get_by_role("button", name=title, exact=True).click()
        page.locator("#lay").wait_for()
        page.get_by_label("Number of players").select_option(str(len(kinds) + 1))
        for seat, kind in enumerate(kinds, 1):
            page.locator(".seats select").nth(seat).select_option(kind)
        if variant:
            page.locator("#variant").select_option(variant)
        page.get_by_role("button", name="Start game").click()
        page.locator(".felt .gather, .felt .mine").first.wait_for()
        return [field.input_value() for field in page.locator(".gather .links input").all()]

    def sit(self, name: str) -> None:
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Join").click()

    @property
    def asked(self) -> bool:
        return self.page.locator(".mine.asked").count() > 0

    def act(self) -> bool:
        """Does something that is open, if anything is: a button beside the question, else a card."""
        go_on = self.page.locator('.results:not(.over):not([hidden]) [data-key="go on"]')
        if go_on.count():
            go_on.click()
        if not self.asked:
            return False
        return self.change(
            lambda: self.page.evaluate(
                """() => {
                const open = (which) => [...document.querySelectorAll(which)].filter((each) =>
                    !each.disabled && each.getAttribute("aria-disabled") !== "true");
                const found = open(".mine .buttons button:is(.main, [data-key=confirm])")[0]
                    ?? open(".felt button.card.open:not(.chosen)")[0]
                    ?? open(".mine .buttons button:not(.step):not(.closed)")[0];
                found?.click();
                return Boolean(found);
            }"""
            )
        )

    def change(self, do: Callable[[], bool | None]) -> bool:
        """Does something, and waits until the table has changed, unless it returns False."""
        before = self.page.locator(".felt").inner_html()
        if do() is False:
            return False
        changed = "before => (document.querySelector('.felt:not([aria-busy])')?.innerHTML ?? before) !== before"
        self.page.wait_for_function(changed, arg=before)
        return True


def seat_two(browser: Browser, url: str, title: str, cards: int) -> tuple[Person, Person]:
    """Ann, who lays a table of two, and Bob, who sits down at it; each holds so many cards when this comes back."""
    ann = Person(browser, url)
    bobs, _ = ann.lay(title, ["person"])
    bob = Person(browser, bobs)
    bob.sit("Bob")
    for each in (ann, bob):
        expect(each.page.locator(".mine .hand .card")).to_have_count(cards, timeout=SOON)
    return ann, bob


def play(people: list[Person], most: int = MOST) -> None:
    """Until the match is over, or so many things were done."""
    done, over = 0, people[0].page.get_by_role("button", name="Play again")
    while done < most and not over.count():
        people[0].page.wait_for_timeout(20)
        done += sum(each.act() for each in people)


def read_messages(person: Person) -> list[dict[str, Any]]:
    """The messages with a table that were sent to somebody, in order."""
    return [message for frame in person.frames if (message := json.loads(frame))["is"] == "table"]


def tables(person: Person) -> list[dict[str, Any]]:
    return [message["table"] for message in read_messages(person)]


def hand(person: Person) -> list[str]:
    """The codes of the cards that somebody sees in their own hand."""
    (mine,) = [pile for pile in tables(person)[-1]["places"][0]["piles"] if pile["name"] == "hand"]
    return [card["code"] for card in mine["cards"]]


def expect_question(person: Person) -> None:
    expect(person.page.locator(".mine.asked")).to_have_count(1, timeout=SOON)


def wait_until(person: Person, holds: Callable[[], object]) -> None:
    """Wait until a condition holds, while pages go on."""
    for _ in range(SOON // 20):
        if holds():
            return
        person.page.wait_for_timeout(20)
    raise AssertionError("this never held")


def wait_for_same_position(*people: Person) -> None:
    """Wait until all pages have received the same position."""
    wait_until(people[0], lambda: len({read_messages(each)[-1]["at"] for each in people}) == 1)


def has_drawn_cards(page: Page) -> bool:
    """Return whether the pictures of all cards on the page have loaded."""
    return bool(
        page.evaluate("() => [...document.querySelectorAll('.card img')].every((each) => each.naturalWidth > 0)")
    )


def box_of(part: Locator) -> FloatRect:
    """Where a visible part of the page is; asks again when the page is just drawn anew."""
    while True:
        expect(part).to_be_visible(timeout=SOON)
        if box := part.bounding_box():
            return box
