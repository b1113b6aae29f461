"""Tables in a real browser."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, expect

from tests.web.people import Person, play
from tests.web.serving import Server


def test_two_people_play_to_the_end(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    (bobs, _) = ann.lay("Tall Card", ["person"], "Short game")
    bob = Person(chromium, bobs)
    bob.sit("Kaylee")
    expect(ann.page.get_by_text("Kaylee").first).to_be_visible()
    play([ann, bob])
    for each in (ann, bob):
        expect(
            each.page.get_by_text("The match is over").or_(each.page.locator(".ask.quiet", has_text="win")).first
        ).to_be_visible()
        assert not each.faults
    last = [json.loads(frame) for frame in bob.frames if '"is":"table"' in frame][-1]
    assert last["table"]["over"] and last["table"]["winners"]
