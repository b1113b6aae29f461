"""Preferences of a viewer: sounds, name and colour stay in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.people import Person, expect_question, seat_two, wait_for_same_position
from tests.web.serving import Server

RECORD_SOUNDS = """() => { window.sounds = 0;
for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...times) { window.sounds += 1; return start.apply(this, times); };
}}"""


@pytest.mark.slow
def test_sounds_are_off_until_switched_on(server: Server, chromium: Browser) -> None:
    ann, bob = seat_two(chromium, server.url, "Scopa", 3)

    def move() -> None:
        mover, other = (ann, bob) if ann.asked else (bob, ann)
        assert (mover.page.title(), other.page.title()) == ("Your turn · Scopa", "Scopa")
        while not other.asked:
            mover.act()
        wait_for_same_position(ann, bob)

    ann.page.evaluate(RECORD_SOUNDS)
    move()
    assert ann.page.evaluate("() => window.sounds") == 0
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_label("Sounds").check()
    move()
    ann.page.wait_for_function("() => window.sounds > 0")
    assert not ann.faults + bob.faults


@pytest.mark.slow
def test_name_and_colour_are_remembered(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url, width=390, height=844)
    ann.page.get_by_role("button", name="Hearts", exact=True).click()
    ann.page.get_by_label("Name of player 1").fill("Bob")
    ann.page.get_by_label("Name of player 2").fill("Zoe")
    ann.page.get_by_role("button", name="Start game").click()
    expect_question(ann)
    ann.page.get_by_role("button", name="Rules, players, log").click()
    ann.page.get_by_role("button", name="Settings").last.click()
    ann.page.get_by_role("button", name="blue").click()
    assert ann.page.get_by_role("button", name="blue").get_attribute("aria-pressed") == "true"
    ann.page.goto("about:blank")
    ann.page.goto(server.url)
    assert ann.page.evaluate("() => document.documentElement.dataset.felt") == "blue"
    ann.page.get_by_role("button", name="Hearts", exact=True).click()
    names = [ann.page.get_by_label(f"Name of player {at}").input_value() for at in (1, 2, 3, 4)]
    assert names == ["Bob", "Ann", "Cat", "Dan"]
    assert not ann.faults
