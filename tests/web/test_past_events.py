"""Past events on a page: results wait until they are read, and no line is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.people import SOON, Person, expect_question, seat_two, tables, wait_for_same_position, wait_until
from tests.web.serving import STONES, Server


@pytest.mark.slow
def test_results_wait_until_read(server: Server, chromium: Browser) -> None:
    """Two deals of poker end while one of two people reads: the table stays as it was, both results are seen one
    after the other, and then it is the third deal."""
    ann, bob = seat_two(chromium, server.url, "Texas Hold'em", 2)
    first, other = (ann, bob) if ann.asked else (bob, ann)
    for each in (first, other):
        each.page.get_by_role("button", name="Fold", exact=True).click()
        expect(other.page.locator(".results .scores")).to_be_visible(timeout=SOON)
        other.page.keyboard.press("Enter")
    wait_for_same_position(first, other)
    results, heading = first.page.locator(".results"), first.page.locator(".bar .heading")
    for number in (1, 2):
        expect(heading).to_contain_text(f"round {number}")
        expect(results.locator(".scores")).to_be_visible()
        expect(results.locator(".came li").last).to_have_text(re.compile(r"folds?\b"))
        expect(first.page.locator(".mine.asked")).to_have_count(0)
        results.get_by_role("button", name="Continue").click()
    expect(heading).to_contain_text("round 3")
    expect(results).to_be_hidden()
    expect_question(first)
    assert not first.faults + other.faults


@pytest.mark.slow
def test_event_lines_are_neither_lost_nor_repeated(chromium: Browser, tmp_path: Path) -> None:
    """Four turns each, of which the last needs no click: what was told before the third stands above what was told
    since."""
    game = tmp_path / "stones.cardgame"
    stones = [f'  1 of "Stone {name}" (S{name})' for name in "ABCDEFGH"]
    game.write_text(STONES.replace('  8 of "Stone" (St)', "\n".join(stones)).replace("deal top 3", "deal top 4"))
    server = Server(tmp_path, str(game))
    try:
        ann = Person(chromium, server.url)
        ann.lay("Stones", ["random"])
        for left in (4, 3, 2):
            expect_question(ann)
            expect(ann.page.locator(".mine .hand .card")).to_have_count(left, timeout=SOON)
            if left > 2:
                ann.act()
        told = ann.page.locator(".told")
        for holder in (3, 2):
            for name, pile in (("You", 7 - 2 * holder), ("Bob", 8 - 2 * holder)):
                expect(told.get_by_text(f"the {pile} of the pile, and hold {holder}.")).to_have_count(1)
                expect(told).to_contain_text(f"{name} put a stone, the {pile} of")
        new = tables(ann)[-1]["since"]
        expect(told.locator(".since .new li")).to_have_count(len(new))
        expect(told.locator(".since .earlier li").first).to_be_attached()
    finally:
        server.kill()


@pytest.mark.slow
def test_result_events_belong_to_their_deal(server: Server, chromium: Browser) -> None:
    """Ann and Bob check a deal to its end; in the next Bob folds before Ann was asked: of the first nothing is said."""
    ann, bob = seat_two(chromium, server.url, "Texas Hold'em", 2)
    results = ann.page.locator(".results")
    while not results.is_visible():
        for each in (ann, bob):
            calm = each.page.get_by_role("button", name=re.compile("^(Call|Check)"), disabled=False)
            if each.asked and not results.is_visible():
                each.change(calm.first.click)
                wait_for_same_position(ann, bob)
    for each in (ann, bob):
        expect(each.page.locator(".results")).to_be_visible()
        each.page.keyboard.press("Enter")
    wait_until(ann, lambda: ann.asked or bob.asked)
    first, other = (ann, bob) if ann.asked else (bob, ann)
    first.page.get_by_role("button", name="Fold", exact=True).click()
    came = other.page.locator(".results .came li")
    expect(came).to_have_count(1, timeout=SOON)
    expect(came).to_contain_text("folds")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["Texas Hold'em", "Fireworks"])
def test_refused_undo_gives_a_reason(game: str, server: Server, chromium: Browser) -> None:
    """In Hold'em Ann folds, and cards are dealt; in Fireworks she plays a card that she has not seen before. Both she
    learns from, so nothing is taken back, and no button offers it."""
    ann = Person(chromium, server.url)
    ann.lay(game, ["random"])
    expect_question(ann)
    if game == "Fireworks":
        ann.page.locator(".mine .hand .card").first.click()
        ann.change(ann.page.get_by_role("button", name="Play card 1").click)
    else:
        ann.page.get_by_role("button", name="Fold", exact=True).click()
        ann.change(ann.page.get_by_role("button", name="Continue").click)
    expect_question(ann)
    expect(ann.page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    ann.page.keyboard.press("u")
    expect(ann.page.locator("#toast")).to_contain_text("so you cannot undo it", timeout=SOON)
    expect(ann.page.locator('[data-key="yes"]')).to_have_count(0)
    assert not ann.faults
