"""Seats, piles and the hand keep their places in the browser during a match."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.web.people import Person, expect_question
from tests.web.serving import Server

PLACES = """() => Object.fromEntries([
    ...document.querySelectorAll(".upper .place, .kind, .centre .pile, .dock, .own, .mine .hands")].map((part) => {
        const box = part.getBoundingClientRect();
        return [part.dataset.ref ?? part.dataset.part ?? part.className,
            [box.left, box.top, box.width, box.height].map(Math.round)];
    }))"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "bots", "width", "height"),
    [("Hearts", 3, 1280, 800), ("Scopa", 1, 1280, 800), ("Hearts", 3, 390, 844), ("Cribbage", 1, 390, 844)],
)
def test_no_place_moves_during_a_match(
    server: Server, chromium: Browser, title: str, bots: int, width: int, height: int
) -> None:
    ann = Person(chromium, server.url, width, height, touch=width < 400)
    ann.lay(title, ["random"] * bots)
    seen: dict[str, set[tuple[int, ...]]] = {}
    for _ in range(6):
        expect_question(ann)
        for part, box in ann.page.evaluate(PLACES).items():
            seen.setdefault(part, set()).add(tuple(box))
        ann.act()
    assert {part: boxes for part, boxes in seen.items() if len(boxes) > 1} == {}
    assert not ann.faults
