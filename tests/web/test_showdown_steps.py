"""Cards dealt one by one before a result appear one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.people import SOON, Person, expect_question
from tests.web.serving import Server

STREETS = """game "Streets" for 2 players
"Two cards are turned up, and the higher hand wins."
kind Value: 1 to 9
cards Cards in deck
  2 of each Value
zone deck seen by nobody
zone your hand seen by owner
zone left-place
zone right-place
number your score
show your score
step play
  deal top 2 of deck to players' hand
  each player
    do your turn
  reveal players' hand
  turn top of deck to left-place
  turn top of deck to right-place
  each player
    add 1 to your score
    tell "{you} gets 1."
step your turn "Stay."
  you choose one
    option stay
      set your score to 0
    option go
      set your score to 0
"""


NO_STEP_BY_TIME = """() => {
    const start = window.setTimeout;
    window.setTimeout = (call, after, ...rest) => after < 2000 ? start(call, after, ...rest) : 0;
}"""


@pytest.mark.slow
def test_showdown_cards_appear_one_by_one(chromium: Browser, tmp_path: Path) -> None:
    """First the hands lie open, then one card, then the other; Enter goes on at once; then comes the result."""
    game = tmp_path / "streets.cardgame"
    game.write_text(STREETS)
    server = Server(tmp_path, str(game))
    try:
        ann = Person(chromium, server.url)
        ann.lay("Streets", ["random"])
        expect_question(ann)
        ann.page.evaluate(NO_STEP_BY_TIME)
        ann.page.get_by_role("button", name="Stay", exact=True).click()
        results = ann.page.locator(".results")
        seen = ann.page.locator('.felt .card img:not([src*="/back/"])')
        expect(seen).to_have_count(2, timeout=SOON)
        for cards in (1, 2):
            expect(results).to_be_hidden()
            ann.page.keyboard.press("Enter")
            expect(seen).to_have_count(2 + cards)
        ann.page.keyboard.press("Enter")
        expect(results).to_be_visible()
        assert not ann.faults
    finally:
        server.kill()
