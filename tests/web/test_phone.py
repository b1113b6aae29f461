"""Tables in the window of a phone: what one needs for a move is seen at once, and a finger meets it; all else is in a
drawer."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect

from tests.web.people import SOON, Person, asked, tables
from tests.web.serving import Server

WIDTH, HEIGHT = 390, 844
FINGER = 44
"""Pixels: what a finger meets is at least as broad and as tall."""
SEEN = """() => {
    const needed = [".question", ".ask .buttons", ".ask .buttons *", ".mine .hands .card", ".others .place", ".told",
        ".centre .card", ".kind .card", ".at"].join();
    const boxes = [...document.querySelectorAll(needed)].filter((each) => each.checkVisibility())
        .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()]);
    const outside = ([, { left, top, right, bottom }]) =>
        left < -1 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
    const scrolled = (part) => part.scrollHeight > part.clientHeight + 1;
    return [
        ...[...document.querySelectorAll(".upper, .dock")].filter(scrolled).map((part) => part.className),
        ...boxes.filter(outside).map(([what, box]) => `outside: ${what} ${JSON.stringify(box)}`),
        ...document.documentElement.scrollWidth > innerWidth ? ["broader than the window"] : [],
    ];
}"""
"""What would have to be scrolled for, in a few words each."""
BLANK = """() => document.querySelector(".mine .line").getBoundingClientRect().top
    - document.querySelector(".dock").getBoundingClientRect().top"""
"""How much room is left above what is the viewer's own."""
SMALL = """() => {
    const touched = ".ask .buttons button, .bar button, .upper .card.open, .mine .card.open";
    const met = (each) => {
        const box = each.getBoundingClientRect(), after = each.nextElementSibling?.getBoundingClientRect();
        const covered = after?.width && after.top < box.top + 5 && after.left > box.left;
        return box.height > 43.9 && (covered ? Math.min(box.width, after.left - box.left) : box.width) > 43.9;
    };
    return [...document.querySelectorAll(touched)].filter((each) => each.checkVisibility() && !met(each))
        .map((each) => each.outerHTML.slice(0, 120));
}"""
"""What a finger would miss: too narrow beside what covers it, or too low."""


def phone(browser: Browser, server: Server, title: str, others: int, height: int = HEIGHT) -> Person:
    ann = Person(browser, server.url, WIDTH, height, touch=True)
    ann.lay(title, ["random"] * others)
    asked(ann)
    return ann


@pytest.mark.parametrize("height", [HEIGHT, 664])
@pytest.mark.parametrize(
    ("title", "others"),
    [("Hearts", 3), ("Tall Card", 2), ("Tall Tales", 2), ("Fireworks", 2), ("Tail Story", 2), ("Texas Hold'em", 3)],
)
def test_all_of_a_move_is_seen_at_once(server: Server, chromium: Browser, title: str, others: int, height: int) -> None:
    """With the bars of a browser, and without: whose turn, the question, the middle, one's hand and the buttons. So
    far into a game that others have what they had not at first."""
    ann = phone(chromium, server, title, others, height)
    for _ in range(9):
        ann.page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
        if ann.asked:
            assert ann.page.evaluate(SEEN) == []
            assert ann.page.evaluate(SMALL) == []
        if ann.page.locator(".results.over:not([hidden])").count():
            break
        ann.act()
    assert not ann.faults


def test_what_lies_open_before_others_is_seen_while_one_plays(server: Server, chromium: Browser) -> None:
    """In Tall Tales one plays cards and takes cards, and later the others' hands are known. Whoever has a Memory shows
    it; what was led is said beside a card, not on it; and where there is room, there stands what happened."""
    ann = phone(chromium, server, "Tall Tales", 2, 664)
    page, seen = ann.page, 0
    for _ in range(18):
        page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
        if ann.asked and page.locator(".results:not([hidden])").count() == 0:
            (table,) = tables(ann)[-1:]
            held = [pile for place in table["places"][1:] for pile in place["piles"] if pile["name"] == "memory"]
            held = [pile for pile in held if pile["cards"]]
            drawn = page.locator(".others [data-ref^='zone/memory/'] > .cards .card").all()
            assert [card.is_visible() for card in drawn] == [True] * len(held)
            seen += len(held)
            assert page.evaluate(SEEN) == []
            assert page.locator(".trick .note-on").count() == 0
            assert page.locator(".told").is_visible() or page.evaluate(BLANK) < 40
        ann.act()
    assert seen
    assert not ann.faults


def test_the_rest_is_in_a_drawer(server: Server, chromium: Browser) -> None:
    """Players in full, rules at the rule of the moment, aid and log; a place that is touched is sought there."""
    ann = phone(chromium, server, "Tall Card", 2)
    drawer = ann.page.locator(".beside")
    ann.page.locator(".bar .snug").tap()
    expect(drawer.locator(".sheet .now")).to_be_in_viewport(timeout=SOON)
    expect(drawer.get_by_role("link", name="All games")).to_be_in_viewport()
    for tab, what in (("Aid", ".sheet"), ("Log", ".log li"), ("Players", ".all-places .place")):
        drawer.get_by_role("button", name=tab, exact=True).tap()
        expect(drawer.locator(what).first).to_be_visible(timeout=SOON)
        assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    expect(drawer.locator(".place")).to_have_count(3)
    drawer.get_by_role("button", name="Close").tap()
    ann.page.locator(".others .place .facts").last.tap()
    expect(drawer.locator(".place").last).to_be_in_viewport()


def test_no_word_in_a_table_of_the_aid_is_broken(server: Server, chromium: Browser) -> None:
    page = phone(chromium, server, "Tall Tales", 2).page
    page.locator(".bar .snug").tap()
    page.locator(".beside").get_by_role("button", name="Aid", exact=True).tap()
    heads = page.locator(".sheet th")
    heads.first.wait_for()
    broken = """all => all.map((each) => document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode())
        .filter((text) => text && !/\\s/.test(text.data.trim())).filter((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            return range.getClientRects().length > 1;
        }).map((text) => text.data)"""
    assert heads.evaluate_all(broken) == []


def test_a_hand_of_thirteen(server: Server, chromium: Browser) -> None:
    """It lies in rows, of which a finger meets each card, and plays."""
    page = phone(chromium, server, "Hearts", 3).page
    expect(page.locator(".mine .buttons .main")).to_have_text("Choose 3 cards")
    corners = [box for card in page.locator(".mine .hand .card").all() if (box := card.bounding_box())]
    for one, other in pairwise(corners):
        assert other["y"] > one["y"] + 40 or other["x"] >= one["x"] + FINGER
    for card in page.locator(".mine .hand .card").all()[:3]:
        card.tap(position={"x": 8, "y": 30})
    expect(page.locator(".mine .hand .card.chosen")).to_have_count(3)
    page.locator(".mine .buttons .main").tap()
    expect(page.locator(".mine .question")).to_contain_text("Play", timeout=SOON)


def test_nothing_told_lies_over_another_on_a_phone(server: Server, chromium: Browser) -> None:
    """The last trick and what happened since stand one below the other, however little room there is."""
    ann = phone(chromium, server, "Tall Tales", 2)
    together = 0
    for _ in range(8):
        asked(ann)
        parts = ann.page.locator(".told > *")
        together += parts.count() > 1
        # What is in a part is no taller than the part, so nothing of it lies over the next.
        assert parts.evaluate_all("all => all.every((part) => part.scrollHeight <= part.clientHeight + 1)")
        ann.act()
        ann.page.wait_for_timeout(300)
    assert together


def test_under_a_finger_a_card_is_read_before_it_is_taken(server: Server, chromium: Browser) -> None:
    """Six Characters lie side by side on a phone, none over another; what one is touched for it does from its large
    picture, beside its words."""
    ann = phone(chromium, server, "Tail Story", 1)
    page = ann.page
    open_cards = page.locator(".centre button.card.open")
    expect(open_cards).to_have_count(len(tables(ann)[-1]["ask"]["actions"]))
    boxes = [box for card in open_cards.all() if (box := card.bounding_box())]
    for one, other in pairwise(boxes):
        assert other["y"] > one["y"] + 20 or other["x"] >= one["x"] + one["width"]
    open_cards.first.tap()
    look = page.locator("dialog.look")
    expect(look.locator(".printed")).to_be_visible()
    assert page.locator(".mine.asked").count() == 1
    look.locator("button.main").tap()
    expect(look).to_be_hidden()
    expect(open_cards).to_have_count(0, timeout=SOON)
    assert not ann.faults
